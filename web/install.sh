#!/bin/sh
# Installs what builds and tests the page (versions and hashes are in package-lock.json) into
# BUILD/web, once, copies the sources there and prints that folder. Fails if it cannot.
# Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/web
fail() {
    echo "wallfly: web: $1" >&2
    exit 1
}
for program in node npm; do
    command -v $program >/dev/null || fail "$program is missing: run make setup"
done
mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9
if ! cmp -s "$here/package-lock.json" "$dir/installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$dir"
    (cd "$dir" && npm ci --no-audit --no-fund >log 2>&1) || {
        cat "$dir/log" >&2
        fail "npm ci failed (see above); it needs a package registry, or its cache"
    }
    cp "$dir/package-lock.json" "$dir/installed"
fi
rm -rf "$dir/src"
cp -r "$here/src" "$here/build.mjs" "$here/tsconfig.json" "$dir"
echo "$dir"
