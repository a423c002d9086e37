#!/bin/sh
# Installs the missing packages of parts of packages.txt when run as root; otherwise prints the command for it. Usage:
# setup.sh PART... (tool, unit, cli, ...; all: every part)
set -eu
file=$(dirname "$0")/packages.txt
[ "$1" != all ] || set -- $(sed -n 's/^\[\(.*\)\]$/\1/p' "$file")

packages_of() {
    awk -v part="[$1]" '/^\[/ {on = $0 == part; found += on} on && /^[a-z]/ {print} END {exit !found}' "$file" || {
        echo "wallfly: packages.txt has no part '$1'" >&2
        return 1
    }
}

missing=
for part; do
    list=$(packages_of "$part")
    lacks=
    for package in $list; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || lacks="$lacks $package"
    done
    # Some packages of Node contain npm and conflict with the package npm.
    case $list in *nodejs*) command -v npm >/dev/null || lacks="$lacks npm" ;; esac
    [ -z "$lacks" ] || echo "== $part needs:$lacks"
    missing="$missing$lacks"
done
[ -n "$missing" ] || exit 0
# shellcheck disable=SC2086
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
if [ "$(id -u)" != 0 ]; then
    echo "wallfly: packages are missing; install them with:"
    echo "  sudo apt-get install --no-install-recommends $missing"
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
"$(dirname "$0")/step.sh" "packages" \
    sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' - $missing
