import resource

refused(os.setpriority, os.PRIO_PROCESS, LAB, 19)
refused(os.sched_setaffinity, LAB, {0})
refused(os.sched_setscheduler, LAB, os.SCHED_IDLE, os.sched_param(0))
refused(resource.prlimit, LAB, resource.RLIMIT_NOFILE, (0, 0))
