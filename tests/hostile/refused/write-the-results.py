results = NEIGHBOUR + "/results.json"
refused(writes, results)
refused(os.remove, results)
refused(os.rename, results, NEIGHBOUR + "/other.json")
refused(os.truncate, results, 0)
refused(os.mkdir, NEIGHBOUR + "/mine")
refused(writes, NEIGHBOUR + "/results.json.part")
