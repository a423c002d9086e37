#!/bin/sh
# Installs Mermaid and what drives Debian's Chromium (versions and hashes are in package-lock.json)
# into BUILD/mermaid, once, and prints that folder. Fails if it cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/mermaid
fail() {
    echo "wallfly: tests/mermaid: $1" >&2
    exit 1
}
for program in node npm chromium; do
    command -v $program >/dev/null || fail "$program is missing: run make setup"
done
mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9
if ! cmp -s "$here/package-lock.json" "$dir/installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$dir"
    (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund >log 2>&1) || {
        cat "$dir/log" >&2
        fail "npm ci failed (see above); it needs a package registry, or its cache"
    }
    cp "$dir/package-lock.json" "$dir/installed"
fi
echo "$dir"
