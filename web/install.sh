#!/bin/sh
# Installs the tools that build and test the page into BUILD/web, once, copies the sources there if
# they changed, and prints that folder. Fails if it cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/web
. "$here/../scripts/npm.sh"
npm_install "$here" "$dir"
# Several tests run at a time and may read the sources: unchanged ones are not replaced.
same() {
    diff -rq "$here/src" "$dir/src" && cmp "$here/build.mjs" "$dir/build.mjs" && cmp "$here/tsconfig.json" "$dir/tsconfig.json"
}
if ! same >/dev/null 2>&1; then
    rm -rf "$dir/src"
    cp -r "$here/src" "$here/build.mjs" "$here/tsconfig.json" "$here/../LICENSE" "$dir"
fi
echo "$dir"
