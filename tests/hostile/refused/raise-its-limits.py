import resource

more = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
for name in ["RLIMIT_DATA", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE"]:
    refused(resource.setrlimit, getattr(resource, name), more)
refused(lambda: [open("/dev/null") for _ in range(5000)])
