import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
file = os.environ["HOME"] + "/large"


def fill():
    with open(file, "wb", buffering=0) as out:
        for _ in range(300):
            if out.write(b"x" * (1 << 20)) < 1 << 20:
                raise OSError("short")


refused(fill)
refused(os.truncate, file, 1 << 40)
os.remove(file)
