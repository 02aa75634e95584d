home = os.environ["HOME"]
refused(os.symlink, "/etc/passwd", home + "/link")
refused(os.symlink, NEIGHBOUR, home + "/folder")
refused(os.link, NEIGHBOUR + "/retention.py", home + "/hard")
refused(os.mkfifo, home + "/fifo")
refused(os.mknod, home + "/device", 0o20666, os.makedev(1, 1))
refused(os.rename, __file__, home + "/mine.py")
right_reserve = reserve


def reserve(path, key, digest, expires):
    folder = os.path.dirname(path)
    refused(os.symlink, NEIGHBOUR + "/results.json", path + "-journal")
    refused(os.symlink, "/etc/passwd", path + "-wal")
    refused(os.mkfifo, folder + "/store.db-shm")
    os.rename(path, path + ".old")
    refused(os.symlink, NEIGHBOUR + "/results.json", path)
    os.rename(path + ".old", path)
    return right_reserve(path, key, digest, expires)
