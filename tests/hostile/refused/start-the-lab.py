refused(lambda: subprocess.run([PROGRAM, "list"]))
