#!/usr/bin/env python3
"""Measures what a mutant costs in the Python track, beside starting pytest for each mutant.

    cargo build --release && python3 benches/python_vs_pytest.py [--idemlab PATH] [--rounds N]

Makes a pytest suite out of the lab's own tests (those that force an order with a lock are left
out there, and stay in for idemlab: usual pytest code for them waits a third of a second each),
writes each mutated source beside it, and runs both in one go over the reference and every
mutant. Databases of both are in memory. It measures; it is no test, and nothing depends on it.
"""
import argparse
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
import sqlite3
import pytest
import retention as lab


class Json:
    def __init__(self, value):
        self.value = value

    def __eq__(self, text):
        return isinstance(text, str) and json.loads(text) == self.value


@pytest.fixture
def db(tmp_path):
    db = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    yield db, str(tmp_path / "store.db")
    db.close()


'''


def text_of(cell):
    """Write an expected cell as Python."""
    if isinstance(cell, dict):
        return f"Json({cell['json']!r})"
    return repr(cell)


def rows_of(rows):
    return "[" + ", ".join("(" + "".join(text_of(cell) + ", " for cell in row) + ")" for row in rows) + "]"


def insert(rows):
    import json

    plain = [[json.dumps(c["json"]) if isinstance(c, dict) else c for c in row] for row in rows]
    return f"    db.executemany('INSERT INTO keys VALUES(?,?,?,?,?)', {plain!r})\n"


def call(line):
    with_ = "".join(f", {name}={value!r}" for name, value in line.get("with", {}).items())
    made = f"lab.{line['call']}(path{with_})"
    if "returns" in line:
        return f"    assert {made} == {line['returns']!r}\n"
    if "raises" in line:
        return f"    with pytest.raises((ValueError, TypeError)):\n        {made}\n"
    if "one_of" in line:
        return f"    try:\n        assert {made} in {[o['returns'] for o in line['one_of'] if 'returns' in o]!r}\n    except sqlite3.Error:\n        pass\n"
    return f"    {made}\n"


def rows(tables):
    code = ""
    for table, want in tables.items():
        order = "id" if table == "keys" else "rowid"
        code += f"    assert db.execute('SELECT * FROM {table} ORDER BY {order}').fetchall() == {rows_of(want)}\n"
    return code


def test_code(test, create):
    """Translate a test, or answer None if it forces an order."""
    if any({"schedule", "together", "kill"} & line.keys() for line in test["script"]):
        return None
    code = f"def test_{test['id'].replace('-', '_')}(db):\n    db, path = db\n"
    if test.get("start") != "nothing":
        code += f"    db.execute({create!r})\n"
    for given in test.get("given", {}).values():
        code += insert(given)
    for line in test["script"]:
        if "call" in line:
            code += call(line)
        elif "rows" in line:
            code += rows(line["rows"])
        elif "sql" in line:
            code += f"    db.executescript({line['sql']!r})\n"
        elif "query" in line:
            code += f"    assert db.execute({line['query']!r}).fetchall() == {rows_of(line['gives'])}\n"
        elif "refused" in line:
            code += f"    with pytest.raises(sqlite3.Error):\n        db.execute({line['refused']!r})\n"
    return code + "\n\n"


def make_suite(folder, yaml):
    """Write the suite; answer how many tests it has."""
    lab = yaml.safe_load((TOP / f"exercises/{LAB}/lab.yaml").read_text())
    create = lab["tables"]["keys"]["create"]
    tests = [
        test_code(test, create)
        for file in sorted((TOP / f"exercises/{LAB}/tests").glob("*.yaml"))
        for test in yaml.safe_load(file.read_text())
    ]
    said = [test for test in tests if test]
    (folder / "test_retention.py").write_text(HEAD + "".join(said))
    return len(said), len(tests)


def subjects(yaml):
    """List the reference and every mutant of it, as texts."""
    reference = (TOP / f"exercises/{LAB}/python/reference.py").read_text()
    yield "reference", reference
    for file in sorted((TOP / f"mutants/{LAB}").glob("*.yaml")):
        mutant = yaml.safe_load(file.read_text())
        edits = mutant.get("edits_in", {}).get("python") or mutant.get("edits", [])
        text = reference
        for edit in edits:
            if text.count(edit["find"]) != 1:
                sys.exit(f"{file}: an edit does not fit")
            text = text.replace(edit["find"], edit["replace"])
        if edits:
            yield file.stem, text


def measured(command, **options):
    """Run a command; answer seconds of the clock and of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    took = time.perf_counter() - start
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return done, took, cpu


def run_pytest(python, folder, texts, *flags):
    clock = processor = 0.0
    for name, text in texts:
        (folder / "retention.py").write_text(text)
        command = [python, "-B", "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", *flags]
        done, took, cpu = measured([*command, f"--basetemp={folder}/db"], cwd=folder)
        wanted = 0 if name == "reference" else 1
        if done.returncode != wanted:
            sys.exit(f"pytest on {name}: exit {done.returncode}\n{done.stdout.decode()[-2000:]}")
        clock, processor = clock + took, processor + cpu
    return clock, processor


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


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--idemlab", default=TOP / "target/release/idemlab", type=pathlib.Path)
    reader.add_argument("--rounds", default=3, type=int)
    arguments = reader.parse_args()
    if not arguments.idemlab.is_file():
        sys.exit(f"there is no {arguments.idemlab}; build it first: cargo build --release")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = pathlib.Path(name)
        python, yaml = packages(folder)
        suite = folder / "suite"
        suite.mkdir()
        said, all_of_them = make_suite(suite, yaml)
        texts = list(subjects(yaml))
        print(f"{len(texts) - 1} mutants and the reference; {said} tests in pytest, {all_of_them} in idemlab")
        environment = {**os.environ, "IDEMLAB_PYTHON": python}
        matrix = [arguments.idemlab, "matrix", LAB, "--track", "python"]
        for _ in range(arguments.rounds):
            ours, ours_cpu = measured(matrix, env=environment)[1:]
            whole, whole_cpu = run_pytest(python, suite, texts)
            first, _ = run_pytest(python, suite, texts, "-x")
            show = lambda seconds: f"{seconds / len(texts) * 1000:6.1f} ms"
            print(
                f"per subject: idemlab {show(ours)} (processor {show(ours_cpu)}), "
                f"pytest {show(whole)} (processor {show(whole_cpu)}), pytest -x {show(first)}; "
                f"ratio {whole / ours:.1f}, of processor time {whole_cpu / ours_cpu:.1f}, with -x {first / ours:.1f}"
            )


main()
