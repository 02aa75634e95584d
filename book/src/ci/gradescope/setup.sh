#!/usr/bin/env bash
# Runs once, when the autograder's image is built. The program lies beside it in the zip.
set -euo pipefail
install -m 755 "${IDEMLAB_SOURCE:-/autograder/source}/idemlab" "${IDEMLAB_BIN:-/usr/local/bin}/idemlab"
command -v python3 >/dev/null || { apt-get update && apt-get install -y python3; }
