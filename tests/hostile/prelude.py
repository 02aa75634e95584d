

# What follows is put after the reference: an attack, and the proof that it was refused.
import ctypes, os, subprocess, sys

NEIGHBOUR = "@NEIGHBOUR@"  # a folder with another submission and the results
TESTS = "@TESTS@"  # the folder of the lab's tests
PROGRAM = "@PROGRAM@"  # the lab itself
LAB = os.getppid()
libc = ctypes.CDLL(None, use_errno=True)


def refused(attack, *arguments):
    """Stop the whole file unless the attack is refused."""
    try:
        result = attack(*arguments)
    except (OSError, ValueError):
        return
    raise SystemExit(f"it worked: {attack} {arguments} gave {str(result)[:100]}")


def call(number, *arguments):
    """Make a system call; it fails as an OSError."""
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def reads(path):
    with open(path, "rb") as file:
        return file.read()


def writes(path):
    with open(path, "wb") as file:
        return file.write(b"mine")


