refused(lambda: call(157 if os.uname().machine == "x86_64" else 167, 1, 0))
