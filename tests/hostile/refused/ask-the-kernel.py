if os.uname().machine == "x86_64":
    numbers = {
        "unshare": (272, 0x10000000),
        "mount": (165, 0, 0, 0, 0, 0),
        "setns": (308, 0, 0),
        "bpf": (321, 0, 0, 0),
        "perf_event_open": (298, 0, 0, 0, 0, 0),
        "keyctl": (250, 0, 0, 0, 0, 0),
        "io_uring_setup": (425, 8, 0),
        "userfaultfd": (323, 0),
        "open_by_handle_at": (304, 0, 0, 0),
        "reboot": (169, 0, 0, 0, 0),
        "open_tree": (428, -100, 0, 0),
        "clone with a user namespace": (56, 0x10000011, 0, 0, 0, 0),
        "clone3": (435, 0, 0),
        "shmget": (29, 0, 4096, 0o1600),
        "mq_open": (240, 0, 0, 0, 0),
        "socket of the x32 interface": (0x40000000 | 41, 2, 1, 0),
        "ptrace of the x32 interface": (0x40000000 | 521, 16, LAB, 0, 0),
    }
    import errno

    for name, numbers in numbers.items():
        try:
            result = call(*numbers)
        except OSError as error:
            assert error.errno in (errno.EPERM, errno.ENOSYS), (name, error)
        else:
            raise SystemExit(f"it worked: {name} gave {result}")
