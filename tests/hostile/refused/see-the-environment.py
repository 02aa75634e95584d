odd = set(os.environ) - {"PATH", "LANG", "HOME", "TMPDIR", "LC_CTYPE", "TZ"}
assert not odd, odd
