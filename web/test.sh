#!/bin/sh
# Runs the page's unit tests (web/test/*.test.ts) with Node. Usage: test.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$("$here/install.sh" "$1")
rm -rf "$dir/test" "$dir/tests"
cp -r "$here/test" "$dir/test"
cd "$dir"
npx esbuild test/*.test.ts --bundle --platform=node --format=esm --outdir=tests \
    --out-extension:.js=.mjs --jsx=automatic --jsx-import-source=preact --log-level=warning
export WALLFLY="$here/.." # where the docs are
exec node --test tests/*.mjs
