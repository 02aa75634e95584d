#!/usr/bin/env python3
"""Measures what a mutant costs in the Python track, beside starting pytest for each mutant.

    cargo build --release
    python3 benches/python_vs_pytest.py [--idemlab PATH] [--rounds N] [--sample N]

Writes a pytest suite that says what the lab's own tests say, puts each mutated source beside it,
and runs both in one go over the reference and every mutant. Tests that force an order are
written as pytest code usually has them: the lock is held, the call starts in a thread, and the
test waits a third of a second. Because that wait is most of it, pytest is measured once more
without those tests; idemlab always runs them all. Databases of both are in memory. It measures;
it is no test, and nothing depends on it.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import venv

TOP = pathlib.Path(__file__).resolve().parent.parent
LAB = "retention"
HEAD = '''\
import json
import multiprocessing
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import retention as lab

WAIT = 0.35


class Json:
    def __init__(self, value):
        self.value = value

    def __eq__(self, text):
        return isinstance(text, str) and json.loads(text) == self.value


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "store.db")


@pytest.fixture
def db(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    yield db
    db.close()


def rows(db, table="keys", order="id"):
    return db.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()


def held(db, meanwhile, *calls):
    """Start the calls while the lock is held, change something, let go; what they return."""
    with ThreadPoolExecutor(len(calls)) as pool:
        db.execute("BEGIN IMMEDIATE")
        for sql in meanwhile:
            db.execute(sql)
        running = [pool.submit(call) for call in calls]
        time.sleep(WAIT)
        db.execute("COMMIT")
        return [each.result() for each in running]


def killed(call):
    process = multiprocessing.get_context("fork").Process(target=call)
    process.start()
    time.sleep(WAIT)
    process.kill()
    process.join()


'''


def text_of(cell):
    """Write an expected cell as Python."""
    return f"Json({cell['json']!r})" if isinstance(cell, dict) else repr(cell)


def rows_of(rows):
    rows = ("(" + "".join(text_of(cell) + ", " for cell in row) + ")" for row in rows)
    return "[" + ", ".join(rows) + "]"


def same_rows(tables):
    """Write the comparison of whole tables."""
    order = {"keys": ""}
    said = (f"rows(db, {name!r}{order.get(name, ', ' + repr('rowid'))}) == {rows_of(want)}"
            for name, want in tables.items())
    return " and ".join(said) or "True"


def insert(rows):
    plain = [[json.dumps(c["json"]) if isinstance(c, dict) else c for c in row] for row in rows]
    return f"    db.executemany('INSERT INTO keys VALUES(?,?,?,?,?)', {plain!r})\n"


def made(call):
    given = "".join(f", {name}={value!r}" for name, value in call.get("with", {}).items())
    return f"lab.{call['call']}(path{given})"


def plain_call(line):
    if "returns" in line:
        return f"    assert {made(line)} == {line['returns']!r}\n"
    if "raises" in line:
        return f"    with pytest.raises((ValueError, TypeError)):\n        {made(line)}\n"
    if "one_of" in line:
        right = [case["returns"] for case in line["one_of"] if "returns" in case]
        return (f"    try:\n        assert {made(line)} in {right!r}\n"
                "    except sqlite3.Error:\n        pass\n")
    return f"    {made(line)}\n"


def forced_call(line):
    """Write calls under a held lock, and the cases that are right."""
    if "schedule" in line:
        calls, meanwhile = [line["schedule"]], line["schedule"]["meanwhile"]
    else:
        calls, meanwhile = line["together"]["calls"], []
    started = "".join(f", lambda: {made(call)}" for call in calls)
    cases = []
    for case in line["one_of"]:
        returned = [each["returns"] for each in case.get("outcomes", [case])]
        cases.append(f"(seen == {returned!r} and {same_rows(case.get('rows', {}))})")
    return f"    seen = held(db, {meanwhile!r}{started})\n    assert {' or '.join(cases)}\n"


def line_code(line):
    if "call" in line:
        return plain_call(line)
    if "schedule" in line or "together" in line:
        return forced_call(line)
    if "kill" in line:
        return f"    killed(lambda: {made(line['kill'])})\n"
    if "rows" in line:
        return f"    assert {same_rows(line['rows'])}\n"
    if "sql" in line:
        return f"    db.executescript({line['sql']!r})\n"
    if "query" in line:
        return f"    assert db.execute({line['query']!r}).fetchall() == {rows_of(line['gives'])}\n"
    return f"    with pytest.raises(sqlite3.Error):\n        db.execute({line['refused']!r})\n"


def test_code(test, create):
    forced = any({"schedule", "together", "kill"} & line.keys() for line in test["script"])
    name = ("forced_" if forced else "") + test["id"].replace("-", "_")
    code = f"def test_{name}(db, path):\n"
    if test.get("start") != "nothing":
        code += f"    db.execute({create!r})\n"
    for given in test.get("given", {}).values():
        code += insert(given)
    return code + "".join(line_code(line) for line in test["script"]) + "\n\n"


def make_suite(folder, yaml):
    """Write the suite; answer how many tests it has."""
    lab = yaml.safe_load((TOP / f"exercises/{LAB}/lab.yaml").read_text())
    create = lab["tables"]["keys"]["create"]
    files = sorted((TOP / f"exercises/{LAB}/tests").glob("*.yaml"))
    tests = [test_code(test, create) for file in files for test in yaml.safe_load(file.read_text())]
    (folder / "test_retention.py").write_text(HEAD + "".join(tests))
    return len(tests)


def subjects(yaml):
    """List the reference and every mutant of it, as texts."""
    reference = (TOP / f"exercises/{LAB}/python/reference.py").read_text()
    yield "reference", reference
    for file in sorted((TOP / f"mutants/{LAB}").glob("*.yaml")):
        mutant = yaml.safe_load(file.read_text())
        text = reference
        edits = mutant.get("edits_in", {}).get("python") or mutant.get("edits", [])
        for edit in edits:
            if text.count(edit["find"]) != 1:
                sys.exit(f"{file}: an edit does not fit")
            text = text.replace(edit["find"], edit["replace"])
        if edits:
            yield file.stem, text


def measured(command, **options):
    """Run a command; answer how it ended, and seconds of the clock and of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    took = time.perf_counter() - start
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, took, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def run_pytest(python, folder, texts, *flags):
    clock = processor = 0.0
    for name, text in texts:
        (folder / "retention.py").write_text(text)
        quiet = ["-q", "--tb=no", "-p", "no:cacheprovider", f"--basetemp={folder}/db"]
        command = [python, "-B", "-m", "pytest", *quiet, *flags]
        done, took, cpu = measured(command, cwd=folder)
        # A mutant that only the lab's forced orders see passes here.
        if done.returncode not in ((0,) if name == "reference" else (0, 1)):
            sys.exit(f"pytest on {name}: exit {done.returncode}\n{done.stdout.decode()[-2000:]}")
        clock, processor = clock + took, processor + cpu
    return clock / len(texts), processor / len(texts)


def run_idemlab(program, python, count):
    command = [program, "matrix", LAB, "--track", "python"]
    done, clock, processor = measured(command, env={**os.environ, "IDEMLAB_PYTHON": python})
    if done.returncode != 0:
        sys.exit(f"idemlab: exit {done.returncode}\n{done.stdout.decode()[-2000:]}")
    return clock / count, processor / count


def packages(folder):
    """Make an environment with pytest alone; a second folder has the YAML reader for us."""
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    python = str(folder / "venv/bin/python")
    quiet = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*quiet, "pytest"], check=True)
    subprocess.run([*quiet, "--target", folder / "ours", "pyyaml"], check=True)
    sys.path.insert(0, str(folder / "ours"))
    import yaml

    return python, yaml


def show(name, measure, ours):
    clock, processor = measure
    ratio = f"{clock / ours[0]:5.1f} times the clock, {processor / ours[1]:4.1f} the processor"
    print(f"  {name:34} {clock * 1000:7.1f} ms, processor {processor * 1000:6.1f} ms   {ratio}", flush=True)


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--idemlab", default=TOP / "target/release/idemlab", type=pathlib.Path)
    reader.add_argument("--rounds", default=3, type=int)
    reader.add_argument("--sample", type=int, help="pytest runs over this many mutants only")
    arguments = reader.parse_args()
    if not arguments.idemlab.is_file():
        sys.exit(f"there is no {arguments.idemlab}; build it first: cargo build --release")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = pathlib.Path(name)
        python, yaml = packages(folder)
        suite = folder / "suite"
        suite.mkdir()
        count = make_suite(suite, yaml)
        texts = list(subjects(yaml))
        print(f"{count} tests, {len(texts) - 1} mutants and the reference; {os.cpu_count()} processors")
        for number in range(arguments.rounds):
            print(f"round {number + 1}, for each subject:")
            ours = run_idemlab(arguments.idemlab, python, len(texts))
            some = texts[: arguments.sample + 1] if arguments.sample else texts
            show("idemlab, all tests", ours, ours)
            show("pytest, all tests", run_pytest(python, suite, some), ours)
            plain = ["-k", "not forced"]
            show("pytest, without forced orders", run_pytest(python, suite, some, *plain), ours)
            first = run_pytest(python, suite, some, *plain, "-x")
            show("the same, up to the first red test", first, ours)


if __name__ == "__main__":
    main()
