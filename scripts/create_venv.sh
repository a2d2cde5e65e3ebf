#!/usr/bin/env bash
# Create the virtual environment, and say in one sentence what the machine lacks for it.
#
#   create_venv.sh PYTHON FOLDER
set -euo pipefail
python=$1 folder=$2

# A fresh Debian has Python without its `venv` and may have gcc without g++: as root install what
# is missing, otherwise tell.
need() {
  local package=$1 why=$2
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $package: $why."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >/dev/null
  else
    echo "$why. Install the package $package (on Debian: sudo apt install $package) and try again." >&2
    exit 1
  fi
}

command -v "$python" >/dev/null || need python3 "Python is missing"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "Quill needs Python 3.11 or newer; $python is $("$python" -V). Name another: make PYTHON=..." >&2
  exit 1
}
command -v c++ >/dev/null || command -v g++ >/dev/null || need g++ "llama.cpp needs a C++ compiler"
"$python" -c 'import ensurepip' 2>/dev/null || need python3-venv "Python's ensurepip is missing"

"$python" -m venv "$folder"
