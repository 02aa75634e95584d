import signal

for target in [LAB, @LAB@, 1]:
    for number in [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM]:
        refused(os.kill, target, number)
refused(os.killpg, os.getpgid(LAB), signal.SIGKILL)
if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
    refused(lambda: signal.pidfd_send_signal(os.pidfd_open(LAB), signal.SIGKILL))
