import socket

refused(socket.create_connection, ("127.0.0.1", @PORT@), 1)
refused(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)
refused(socket.socket, socket.AF_INET6, socket.SOCK_STREAM)
refused(socket.socket, socket.AF_UNIX, socket.SOCK_STREAM)
refused(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)
refused(socket.socket, 40, socket.SOCK_STREAM)
shell = "exec 3<>/dev/tcp/127.0.0.1/@PORT@ && echo hello >&3"
assert subprocess.run(["bash", "-c", shell], stderr=-3).returncode != 0
