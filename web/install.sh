#!/bin/sh
# Installs what builds and tests the page into BUILD/web, once, copies the sources there and prints
# that folder. Fails if it cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/web
. "$here/../scripts/npm.sh"
npm_install "$here" "$dir"
rm -rf "$dir/src"
cp -r "$here/src" "$here/build.mjs" "$here/tsconfig.json" "$here/../LICENSE" "$dir"
echo "$dir"
