for name in ["environ", "cmdline", "mem", "maps", "fd/0", "status"]:
    refused(reads, f"/proc/{LAB}/{name}")
refused(os.listdir, f"/proc/{LAB}/fd")
refused(os.listdir, f"/proc/{LAB}/root")
refused(os.listdir, f"/proc/{LAB}/cwd")
refused(os.listdir, "/proc")
