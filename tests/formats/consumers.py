"""Reads the forms that `cargo test --test formats` wrote, as other programs read them.

    python consumers.py FOLDER

JUnit XML: Jenkins's schema, and junitparser. CSV: Python's own reader. Needs what
requirements.txt names. It changes nothing.
"""

import csv
import json
import sys
from pathlib import Path

import junitparser
import xmlschema

HERE = Path(__file__).parent


def main(folder):
    book = json.loads((folder / "json").read_text(encoding="utf-8"))
    submissions = book["submissions"]

    xmlschema.XMLSchema(HERE / "junit-10.xsd").validate(str(folder / "junit"))
    junit = junitparser.JUnitXml.fromfile(str(folder / "junit"))
    suites = list(junit)
    assert [suite.name for suite in suites if suite.name.isalnum()] == [
        one["path"] for one in submissions if one["path"].isalnum()
    ]
    for suite, one in zip(suites, submissions, strict=True):
        results = [result for case in suite for result in case.result]
        errors = [result for result in results if isinstance(result, junitparser.Error)]
        failures = [result for result in results if isinstance(result, junitparser.Failure)]
        assert len(errors) == suite.errors and len(failures) == suite.failures
        assert bool(errors) == (one["status"] == "ungraded"), one["path"]
        said = {each.name: each.value for each in suite.properties()}
        assert said.get("score") == (None if one["score"] is None else f"{one['score']:g}")

    with (folder / "csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(submissions)
    for row, one in zip(rows, submissions, strict=True):
        assert None not in row and None not in row.values(), row
        assert row["score"] == ("" if one["score"] is None else f"{one['score']:g}")
        assert row["status"] == one["status"]

    print(f"{len(suites)} suites and {len(rows)} rows were read by others")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
