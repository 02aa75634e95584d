for folder in ["/", "/tmp", "/dev/shm", "/var/tmp", "/usr/local", "/etc", "/run", sys.prefix]:
    refused(writes, folder + "/idemlab-hostile")
refused(writes, os.__file__)
refused(writes, "/proc/self/oom_score_adj")
refused(writes, "/sys/fs/cgroup/pids/cgroup.procs")
