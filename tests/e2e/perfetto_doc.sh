#!/bin/sh
# The commands and queries of docs/perfetto.md.
set -eu
processor=$("$SRC/tests/perfetto/install.sh" "$BUILD")
ln -s "$BUILD" build
awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on' "$SRC/docs/perfetto.md" >commands
[ "$(wc -l <commands)" = 2 ]
sh -eu ./commands
timeout 1500 python3 -B "$SRC/tests/e2e/perfetto_doc.py" "$processor" "$SRC/docs/perfetto.md" mutex.pftrace
