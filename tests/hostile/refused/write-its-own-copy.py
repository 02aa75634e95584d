refused(writes, __file__)
refused(os.remove, __file__)
refused(writes, os.path.dirname(__file__) + "/json.py")
refused(os.chmod, __file__, 0o777)
