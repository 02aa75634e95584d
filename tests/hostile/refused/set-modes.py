refused(os.chmod, NEIGHBOUR + "/results.json", 0)
refused(os.chown, NEIGHBOUR + "/results.json", os.getuid(), os.getgid())
refused(os.utime, NEIGHBOUR + "/results.json", (0, 0))
refused(os.chmod, os.environ["HOME"], 0o777)
if hasattr(os, "setxattr"):
    refused(os.setxattr, NEIGHBOUR + "/results.json", "user.mine", b"1")
