refused(os.listdir, TESTS)
refused(reads, TESTS + "/1-init_db.yaml")
assert subprocess.run(["/bin/cat", TESTS + "/1-init_db.yaml"], stdout=-1, stderr=-3).stdout == b""
