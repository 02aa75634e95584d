#!/usr/bin/env python3
"""What a class costs: a submission in it against one alone, memory, two workers against one.

    cargo build --release && python3 benches/class.py [SUBMISSIONS]

Prints ratios of runs on one machine, one after the other, so a slow machine changes little.
The class is made of right solutions in unusual styles and of wrong ones, mutants of the reference.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target" / "release" / "idemlab"
MANIFEST = "format: 1\nlab: retention\ntrack: python\n"


def variants():
    """Right solutions, and wrong ones made of the reference by one edit each."""
    sources = [path.read_text() for path in sorted((ROOT / "tests/fair/python").glob("*.py"))]
    right = (ROOT / "exercises/retention/python/reference.py").read_text()
    for before, after in [
        ("INSERT OR IGNORE", "INSERT OR REPLACE"),
        ("AND expires>?", "AND expires>=?"),
        ("status='done' AND expires<=?", "expires<=?"),
        ("ORDER BY id", "ORDER BY id DESC"),
        ("purge(path,10)", "purge(path,9)"),
        ("CREATE TABLE IF NOT EXISTS", "CREATE TABLE"),
    ]:
        assert before in right, before
        sources.append(right.replace(before, after))
    return sources


def make(folder, count):
    """Makes a class of so many submissions; no two have the same bytes."""
    sources = variants()
    for number in range(count):
        place = folder / f"s{number:04}"
        place.mkdir(parents=True)
        source = sources[number % len(sources)]
        (place / "retention.py").write_text(f"{source}\n# {number}\n")
        (place / "idemlab.yaml").write_text(MANIFEST)


def grade(folder, jobs):
    """Grades a class; returns seconds and the parent's most memory in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(
        [PROGRAM, "grade", folder, "--jobs", str(jobs), "--fresh", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    peak = [0]

    def watch():
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            try:
                for line in status.read_text().splitlines():
                    if line.startswith("VmHWM"):
                        peak[0] = max(peak[0], int(line.split()[1]))
            except OSError:
                return
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = process.stdout.read()
    process.wait()
    watcher.join()
    graded = json.loads(output)["submissions"]
    assert all(one["status"] == "graded" for one in graded)
    return time.monotonic() - start, peak[0] / 1024, len(graded)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        one = folder / "one"
        make(one, len(variants()))
        alone = sum(grade(one / name, 1)[0] for name in sorted(os.listdir(one)))
        alone /= len(variants())
        print(f"alone             {alone:7.3f} s a submission")
        for size in (50, count):
            make(folder / f"class{size}", size)
        seconds, small, _ = grade(folder / "class50", 1)
        seconds, large, graded = grade(folder / f"class{count}", 1)
        each = seconds / graded
        print(f"class of {graded:4}     {each:7.3f} s a submission, {each / alone:.2f} times one alone")
        print(f"memory            {small:7.1f} MiB for 50, {large:.1f} MiB for {graded}")
        two, _, _ = grade(folder / f"class{count}", 2)
        print(f"two workers       {seconds / two:7.2f} times one")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
