import signal, time


def orphan():
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        for number in range(3):
            os.close(number)
        time.sleep(600)
    os._exit(0)


for _ in range(3):
    child = os.fork()
    if child == 0:
        orphan()
    os.waitpid(child, 0)
subprocess.Popen(["sh", "-c", "trap '' TERM; while :; do sleep 600; done # @MARK@"])
