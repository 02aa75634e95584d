"""Loads one Python file and answers the lab's calls to its functions, one JSON line each.

Started by idemlab as `python -I -S -B -X utf8 -c <this text> LAB FILE`. Python 3.9 or newer,
standard library only. It judges nothing and never lets what the file prints, raises or leaves
behind be taken for an answer. With `--nursery` in place of both it loads nothing itself, and
forks a driver whenever it is asked for one.
"""
import gc
import json
import os
import reprlib
import sys
import types

# The lab reads lines of at most 4 MiB, and JSON nested at most 128 levels deep.
LONGEST = 4_000_000
DEEPEST = 100
# How much of an error's text is sent, from each end.
KEEP = 2000
# Beyond this, no JSON reader has the number.
LARGEST = 10**308


MISSING = object()


class CallbackError(Exception):
    """What a function of the lab raises: its provider has failed, say."""


class Unsayable(Exception):
    """A value that JSON has no word for."""


def take_channel():
    """Keep standard input and output for the protocol; everybody else gets other ones.

    Prints go to standard error, whether Python, a C library or a subprocess makes them.
    Standard input is empty.
    """
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")

    def leave_it_to_the_parent():
        os.close(requests)
        os.close(replies)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=leave_it_to_the_parent)
    return os.fdopen(requests, "rb"), os.fdopen(replies, "wb")


def die_with_the_lab():
    """Ask the kernel to end this process when the lab is killed, even in an endless loop."""
    if sys.platform == "linux":
        try:
            import ctypes

            ctypes.CDLL(None).prctl(1, 9)
        except (ImportError, OSError, AttributeError):
            pass  # Then the end of standard input will do, between calls.


def give_back_exit():
    """Put `exit` and `quit` back, which -S leaves out."""
    import _sitebuiltins
    import builtins

    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")


def name_of(path, lab):
    """Name the module after its file, as an import would, or after the lab if that is taken."""
    name = os.path.splitext(os.path.basename(path))[0]
    library = getattr(sys, "stdlib_module_names", ())
    taken = name in sys.modules or name in library
    return name if name.isidentifier() and not taken else lab


def load(path, lab):
    """Run the file as a module of its own folder, and return the module."""
    with open(path, "rb") as file:
        source = file.read()
    module = types.ModuleType(name_of(path, lab))
    module.__file__ = path
    sys.modules[module.__name__] = module
    sys.path.insert(0, os.path.dirname(path))
    sys.argv[:] = [path]
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    return module


def plain(value, depth=0):
    """Return the value in JSON's own types; a tuple becomes a list."""
    if depth > DEEPEST:
        raise Unsayable(f"nested more than {DEEPEST} levels deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return plain_text(str.__str__(value))
    if isinstance(value, int):
        value = int.__int__(value)
        if -LARGEST < value < LARGEST:
            return value
        raise Unsayable("too large for a JSON number")
    if isinstance(value, float):
        value = float.__float__(value)
        if value - value == 0:
            return value
        raise Unsayable("no JSON number")
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise Unsayable("a key that is no string")
        return {plain(key): plain(item, depth + 1) for key, item in value.items()}
    raise Unsayable(f"{type(value).__name__} is no JSON type")


def plain_text(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unsayable("half a surrogate pair, which UTF-8 cannot write") from None
    return text


def short(value):
    """Write any value in at most a few hundred characters."""
    writer = reprlib.Repr()
    writer.maxstring = writer.maxother = 120
    try:
        return cut(writer.repr(value), 200)
    except BaseException:
        return "a value whose repr fails"


def cut(text, keep=KEEP):
    """Keep both ends of a long text, and nothing that UTF-8 cannot write."""
    if len(text) > 2 * keep:
        text = f"{text[:keep]} ... {len(text) - 2 * keep} characters ... {text[-keep:]}"
    return text.encode("utf-8", "backslashreplace").decode()


def not_json(value, why):
    message = f"returned {type(value).__name__}: {short(value)} ({why})"
    return {"kind": "NotJson", "message": cut(message)}


def kind_of(error):
    """Name an error as Python's own traceback does."""
    kind = type(error)
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def text_of(error):
    if isinstance(error, SystemExit):
        return "exit()" if error.code is None else f"exit({short(error.code)})"
    try:
        return cut(str(error))
    except BaseException:
        return "an error whose text cannot be made"


def place_of(error, folder):
    """Find the last line of the subject's own files that the error came through."""
    place, step = "", error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file.startswith(folder):
            place = f"{os.path.relpath(file, folder)}, line {step.tb_lineno}"
        step = step.tb_next
    return place


def told(error, folder):
    """Describe an error: its own name, its text, and where in the subject it was raised."""
    message, place = text_of(error), place_of(error, folder)
    if isinstance(error, SyntaxError) and error.lineno is not None:
        # Python writes the place into this one's text itself.
        place = ""
    if place:
        message = f"{message} ({place})" if message else f"({place})"
    return {"kind": cut(kind_of(error)), "message": message}


def callback(name, parts, number, channel):
    """Return a function that asks the lab, as long as call `number` lasts."""

    def ask(*args, **kwargs):
        if channel["call"] != number:
            raise RuntimeError(f"{name} was called after its call was over")
        if len(args) > len(parts):
            raise TypeError(f"{name} takes {len(parts)} arguments, not {len(args)}")
        given = dict(zip(parts, args))
        for key, value in kwargs.items():
            if key not in parts or key in given:
                raise TypeError(f"{name} takes its arguments {', '.join(parts)}, each once")
            given[key] = value
        if len(given) < len(parts):
            raise TypeError(f"{name} needs its arguments {', '.join(parts)}")
        try:
            text = json.dumps(
                {"id": number, "callback": name, "with": plain(given)}, ensure_ascii=False
            )
        except Unsayable as error:
            raise TypeError(f"{name} was called with {short(given)} ({error})") from None
        flush()
        channel["replies"].write(text.encode() + b"\n")
        channel["replies"].flush()
        line = channel["requests"].readline()
        if not line:
            os._exit(0)
        said = json.loads(line)
        if "gives" in said:
            return said["gives"]
        raise CallbackError(said["raises"]["message"])

    ask.__name__ = ask.__qualname__ = name
    return ask


def answer(module, request, folder, channel):
    """Make one call and return the reply as a line."""
    number = request["id"]
    try:
        function = getattr(module, request["call"], MISSING)
        if function is MISSING:
            message = f"there is no function `{request['call']}`"
            return line(number, "raises", {"kind": "NoFunction", "message": message})
        needed = {}
        try:
            given = dict(request["with"])
            for name, parts in request.get("callbacks", {}).items():
                given[name] = callback(name, parts, number, channel)
            channel["call"] = number
            if request.get("measure") == "memory":
                value, needed["memory"] = measured(function, given)
            else:
                value = function(**given)
        except TypeError as error:
            inner = error.__traceback__.tb_next
            if inner is not None and "measure" in request:
                inner = inner.tb_next
            if inner is not None:
                raise
            # It was not even entered: it takes other arguments, or is no function.
            return line(number, "raises", {"kind": "BadCall", "message": text_of(error)})
    except BaseException as error:
        return line(number, "raises", told(error, folder))
    finally:
        channel["call"] = None
    try:
        text = line(number, "returns", plain(value), needed)
        if len(text) <= LONGEST:
            return text
        why = f"{len(text)} bytes as JSON, more than a reply may have"
    except Unsayable as error:
        why = str(error)
    except BaseException as error:
        why = text_of(error)
    return line(number, "raises", not_json(value, why))


def measured(function, arguments):
    """Make a call; return what it returns, and the most bytes that it needed at once."""
    import tracemalloc

    tracemalloc.start()
    try:
        return function(**arguments), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def line(number, what, value, more=()):
    reply = {"id": number, what: value, **dict(more)}
    return json.dumps(reply, ensure_ascii=False).encode() + b"\n"


def flush():
    for stream in (sys.stdout, sys.__stdout__, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass  # The subject closed or replaced it.


def nurse():
    """Answer requests until the lab has gone; return in each driver that was forked.

    A driver starts with what most files import: that takes longer than all the rest of it.
    """
    import contextlib, ctypes, datetime, hashlib, socket, sqlite3  # noqa: F401, E401

    control = socket.socket(fileno=os.dup(0))
    gc.collect()
    gc.freeze()
    while True:
        text, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 3)
        if not text:
            os._exit(0)
        ((what, value),) = json.loads(text).items()
        if what == "start":
            answer = {"pid": os.fork()}
            if answer["pid"] == 0:
                os.setpgid(0, 0)
                control.close()
                for place, descriptor in enumerate(descriptors):
                    os.dup2(descriptor, place)
                    os.close(descriptor)
                lab, path, folder = value
                sys.argv[1:] = [lab, path]
                os.chdir(folder)
                return
            try:
                # Both do it: whoever comes first, the lab finds the group when it is told of it.
                os.setpgid(answer["pid"], answer["pid"])
            except OSError:
                pass
            for descriptor in descriptors:
                os.close(descriptor)
        elif what == "ended":
            seen = os.waitid(os.P_PID, value, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            answer = {what: seen is not None}
        else:
            answer = {what: os.waitpid(value, 0)[1]}
        control.sendall(json.dumps(answer).encode() + b"\n")


def main():
    if sys.argv[1] == "--nursery":
        nurse()
    lab, path = sys.argv[1:3]
    own = os.getpid()
    requests, replies = take_channel()
    die_with_the_lab()
    give_back_exit()
    folder = os.path.join(os.path.dirname(path), "")
    hello = {"hello": 1, "lab": lab, "track": "python", "language": sys.version.split()[0]}
    module = None
    try:
        module = load(path, lab)
    except BaseException as error:
        hello["failed"] = told(error, folder)
    # What is here now will stay; the collection after each call need not look at it.
    gc.collect()
    gc.freeze()
    flush()
    replies.write(json.dumps(hello).encode() + b"\n")
    replies.flush()
    channel = {"requests": requests, "replies": replies, "call": None}
    while module is not None:
        request = requests.readline()
        if not request:
            return
        reply = answer(module, json.loads(request), folder, channel)
        # A connection that was forgotten lets go of its lock now, not at some later moment.
        gc.collect()
        flush()
        if os.getpid() != own:
            return  # A child that the function forked and let come home.
        replies.write(reply)
        replies.flush()


try:
    main()
finally:
    flush()
    # Threads and exit handlers of the subject have nobody left to work for.
    os._exit(0)
