if os.getuid() == 0:
    raise SystemExit("it is root")
refused(os.setuid, 0)
refused(os.setgroups, [0])
refused(os.chroot, os.environ["HOME"])
for tool in ["/bin/su", "/usr/bin/sudo"]:
    if os.path.exists(tool):
        done = subprocess.run([tool, "-c" if tool.endswith("su") else "-n", "id"], stdin=-3, stdout=-1, stderr=-3)
        assert b"uid=0" not in done.stdout
