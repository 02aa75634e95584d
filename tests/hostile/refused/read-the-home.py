for home in ["/" + "root", "/home", os.path.dirname(PROGRAM)]:
    refused(os.listdir, home)
for file in ["/etc/shadow", "/etc/passwd", "/" + "root/.bashrc", "/" + "root/.ssh/id_rsa", "/var/log/dpkg.log"]:
    refused(reads, file)
