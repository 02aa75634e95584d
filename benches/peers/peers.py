#!/usr/bin/env python3
"""Runs idemlab and what people would use in its place side by side, and prints ratios.

    cargo build --release && python3 benches/peers/peers.py [cargo-mutants mutmut pytest rustlings]

Installs the others into `target/peers`: cargo-mutants and rustlings with cargo, mutmut and pytest
with pip. Everything runs on the reference of lab `retention`, one after the other on one machine,
so a slow machine changes the figures and hardly the ratios. It measures; it is no test.
"""
import fcntl
import importlib.util
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
WORK = TOP / "target" / "peers"
PROGRAM = TOP / "target" / "release" / "idemlab"
VERSIONS = {"cargo-mutants": "27.1.0", "rustlings": "6.5.0"}
LAB = "retention"
# What `tests.rs` says, test by test.
SIX = ["existing-key-is-refused", "other-fingerprint-is-refused", "nothing-at-expires",
       "limit-takes-the-first-ids", "rows-in-between-survive", "both-states-are-counted"]


def run(*command, **options):
    """Run a command; answer seconds and what it printed."""
    start = time.perf_counter()
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)
    return time.perf_counter() - start, done.stdout


def show(name, ours, theirs, what=""):
    print(f"{name:16} idemlab {ours * 1000:8.1f} ms   the other {theirs * 1000:9.1f} ms   "
          f"{theirs / ours:6.1f} times   {what}".rstrip(), flush=True)


def installed(name):
    """Install a program with cargo, unless it is there in this version."""
    program = WORK / "cargo" / "bin" / name
    if not program.exists():
        subprocess.run(["cargo", "install", name, "--version", VERSIONS[name], "--locked", "--quiet",
                        "--root", WORK / "cargo"], check=True)
    return program


def python():
    """Make an environment with mutmut and pytest, unless it is there."""
    folder = WORK / "python"
    if not (folder / "bin" / "mutmut").exists():
        venv.create(folder, with_pip=True, symlinks=True)
        subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet",
                        "--requirement", HERE / "requirements.txt"], check=True)
    return folder / "bin"


def pack(yaml, wanted):
    """Copy the lab with the tests that `wanted` takes, and its mutants without promises."""
    folder = fresh("pack")
    shutil.copytree(TOP / f"exercises/{LAB}", folder / f"exercises/{LAB}")
    count = 0
    for file in (folder / f"exercises/{LAB}/tests").glob("*.yaml"):
        tests = [test for test in yaml.safe_load(file.read_text()) if wanted(test)]
        count += len(tests)
        file.write_text(yaml.safe_dump(tests, sort_keys=False))
    (folder / f"mutants/{LAB}").mkdir(parents=True)
    for file in (TOP / f"mutants/{LAB}").glob("*.yaml"):
        mutant = yaml.safe_load(file.read_text())
        for promise in ("caught_by", "survives"):
            mutant.pop(promise, None)
        text = yaml.safe_dump(mutant, sort_keys=False, allow_unicode=True)
        (folder / f"mutants/{LAB}" / file.name).write_text(text)
    return folder, count


def matrix(track, yaml, wanted):
    """Run all mutants over the tests that `wanted` takes; answer tests and seconds a mutant."""
    folder, count = pack(yaml, wanted)
    seconds, printed = run(PROGRAM, "matrix", LAB, "--track", track, "--pack", folder)
    found = re.search(r"(\d+) of (\d+) mutants caught", printed)
    assert found and int(found.group(1)) > 0, printed
    return count, seconds / int(found.group(2))


def forces_no_order(test):
    """Whether a test runs one call after the other, as pytest can say it without a wait."""
    return not any({"schedule", "together", "kill"} & line.keys() for line in test["script"])


def yaml_reader():
    """The YAML reader that is installed beside mutmut."""
    sys.path.insert(0, str(next((python().parent / "lib").glob("python3*")) / "site-packages"))
    import yaml

    return yaml


def suite():
    """Load what writes the lab's tests as pytest."""
    spec = importlib.util.spec_from_file_location("suite", TOP / "benches/python_vs_pytest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fresh(name):
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def cargo_mutants():
    """Its own mutants of the Rust reference, over six tests, without its baseline."""
    installed("cargo-mutants")
    folder = fresh("crate")
    run(PROGRAM, "start", LAB, "--track", "rust", folder)
    shutil.copy(TOP / f"exercises/{LAB}/rust/reference.rs", folder / "retention.rs")
    (folder / "tests").mkdir()
    shutil.copy(HERE / "tests.rs", folder / "tests/tests.rs")
    path = f"{WORK / 'cargo' / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CARGO_TARGET_DIR": str(WORK / "target")}
    seconds, printed = run("cargo", "mutants", "--no-shuffle", "--file", "retention.rs", "--jobs", 2,
                           "--colors", "never", "--no-times", cwd=folder, env=environment)
    count = int(re.search(r"(\d+) mutants tested", printed).group(1))
    again, printed = run("cargo", "mutants", "--no-shuffle", "--file", "retention.rs", "--jobs", 2,
                         "--baseline", "skip", "--timeout", 60, "--colors", "never", cwd=folder,
                         env=environment)
    assert re.search(rf"{count} mutants tested", printed), printed
    print(f"                 cargo-mutants: {count} mutants, {seconds:.0f} s with its baseline, "
          f"{again:.0f} s without")
    yaml = yaml_reader()
    tests, ours = matrix("rust", yaml, lambda test: test["id"] in SIX)
    assert tests == len(SIX), tests
    show("cargo-mutants", ours, again / count, "a mutant, the same 6 tests")
    tests, ours = matrix("rust", yaml, lambda test: True)
    show("", ours, again / count, f"a mutant, {tests} tests here")


def mutmut():
    """Its own mutants of the Python reference, over the lab's tests that force no order."""
    programs = python()
    folder = fresh("mutmut")
    yaml = yaml_reader()
    (folder / "tests").mkdir()
    suite().make_suite(folder / "tests", yaml)
    shutil.copy(TOP / f"exercises/{LAB}/python/reference.py", folder / "retention.py")
    (folder / "setup.cfg").write_text(
        "[mutmut]\npaths_to_mutate=retention.py\ntests_dir=tests\n"
        "[tool:pytest]\naddopts=-q -k \"not forced\" -p no:cacheprovider\n")
    path = f"{programs}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": "."}
    seconds, printed = run("mutmut", "run", cwd=folder, env=environment)
    _, printed_results = run("mutmut", "results", "--all", "true", cwd=folder, env=environment)
    count = len(re.findall(r"(?m)__mutmut_\d+: ", printed_results))
    assert count > 0, printed[-2000:] + printed_results[-2000:]
    print(f"                 mutmut: {count} mutants in {seconds:.0f} s")
    tests, ours = matrix("python", yaml, forces_no_order)
    show("mutmut", ours, seconds / count, f"a mutant, the same {tests} tests")
    tests, ours = matrix("python", yaml, lambda test: True)
    show("", ours, seconds / count, f"a mutant, {tests} tests here")


def pytest():
    """The lab's tests that force no order, on the reference; idemlab runs all of them."""
    programs = python()
    folder = fresh("pytest")
    suite().make_suite(folder, yaml_reader())
    source = TOP / f"exercises/{LAB}/python/reference.py"
    shutil.copy(source, folder / "retention.py")
    theirs = min(run(programs / "python", "-B", "-m", "pytest", "-q", "-k", "not forced",
                     "-p", "no:cacheprovider", cwd=folder)[0] for _ in range(5))
    environment = {**os.environ, "IDEMLAB_PYTHON": str(programs / "python")}
    whole, took = float("inf"), float("inf")
    for _ in range(5):
        seconds, printed = run(PROGRAM, "run", LAB, "--file", source, "--track", "python",
                               env=environment)
        said = re.search(r"passed, ([\d.]+) (ms|s)(?: \((\d+) ms of it)?", printed)
        scale = 0.001 if said.group(2) == "ms" else 1.0
        held = float(said.group(3) or 0) / 1000
        whole, took = min(whole, seconds), min(took, float(said.group(1)) * scale - held)
    show("pytest, command", whole, theirs)
    show("pytest, tests", took, theirs)
    submissions = fresh("class")
    for number in range(40):
        place = submissions / f"s{number:02}"
        place.mkdir()
        (place / "retention.py").write_text(f"{source.read_text()}\n# {number}\n")
        (place / "idemlab.yaml").write_text(f"format: 1\nlab: {LAB}\ntrack: python\n")
    seconds, _ = run(PROGRAM, "grade", submissions, "--fresh", "--format", "csv", env=environment)
    show("pytest, a class", seconds / 40, theirs)


def first_screen(command, cwd, environment):
    """Start a program on a terminal; seconds until its first screen has words on it."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(cwd)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ.update(environment, TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execv(command[0], command)
    seen = b""
    while not re.search(rb"[A-Za-z]{4,}.*[A-Za-z]{4,}", seen, re.S):
        ready, _, _ = select.select([terminal], [], [], 10)
        assert ready, seen
        seen += os.read(terminal, 1 << 16)
    took = time.perf_counter() - start
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(terminal)
    return took


def rustlings():
    """From the start to the first screen."""
    program = installed("rustlings")
    # It refuses a folder inside another package.
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run([program, "init"], cwd=folder, input="\n", text=True,
                   stdout=subprocess.DEVNULL, check=True)
    inside = folder / "rustlings"
    times = [first_screen([str(program)], inside, {}) for _ in range(7)]
    ours = [first_screen([str(PROGRAM), "--progress", str(folder / "progress.db")], folder, {})
            for _ in range(7)]
    shutil.rmtree(folder)
    show("rustlings", min(ours), min(times))


PEERS = {"cargo-mutants": cargo_mutants, "mutmut": mutmut, "pytest": pytest, "rustlings": rustlings}


def main():
    wanted = sys.argv[1:] or list(PEERS)
    unknown = [name for name in wanted if name not in PEERS]
    if unknown:
        sys.exit(f"there is no {unknown[0]} here; known: {', '.join(PEERS)}")
    if not PROGRAM.is_file():
        sys.exit("build the program first: cargo build --release")
    for name in wanted:
        PEERS[name]()


if __name__ == "__main__":
    main()
