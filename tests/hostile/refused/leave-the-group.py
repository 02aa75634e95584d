refused(os.setsid)
refused(os.setpgid, 0, 0)
refused(os.setpgrp)
refused(lambda: subprocess.run(["true"], start_new_session=True))
