#!/usr/bin/env python3
"""Writes what the fuzz targets start from, out of the shipped pack, into `fuzz/corpus`."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
# The first byte says which kind of file follows; see fuzz_targets/yaml.rs.
KINDS = [
    (0, "mutants/*/*.yaml"),
    (1, "exercises/*/tests/*.yaml"),
    (4, "exercises/*/tests/*.yaml"),
    (5, "exercises/*/lab.yaml"),
]
LINES = [
    '{"hello":1,"lab":"retention"}',
    '{"hello":1,"lab":"retention","failed":{"kind":"SyntaxError","message":"line 3"}}',
    '{"id":1,"returns":[1,null]}',
    '{"id":1,"raises":{"kind":"ValueError","message":"no"}}',
    '{"id":1,"callback":"provider","with":{"amount":1}}',
    '{"id":1,"returns":true,"memory":4096}',
]


def write(target, name, data):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def main():
    for kind, files in KINDS:
        for number, file in enumerate(sorted(TOP.glob(files))):
            write("yaml", f"{kind}-{number}", bytes([kind]) + file.read_bytes())
    write("yaml", "3-0", b"\3format: 1\nlab: retention\ntrack: python\n")
    for number, line in enumerate(LINES):
        write("protocol", str(number), line.encode())
    write("edits", "0", "aé\nb c\n\0b\0x".encode())


if __name__ == "__main__":
    main()
