#!/bin/sh
# Installs the packages of packages.txt that are missing when run as root; else says how.
set -eu
list=$(cat "$(dirname "$0")/packages.txt")
missing=
for package in $list; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
# Some packages of Node bring npm with them and do not go together with the package npm.
command -v npm >/dev/null || missing="$missing npm"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then
    echo "== installing:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "wallfly: packages are missing; install them with:"
    echo "  sudo apt-get install$missing"
    exit 1
fi
