#!/bin/sh
# Speed and cost. Usage: run.sh BUILD_DIR [--check]. Instructions per record (callgrind, exact) are
# compared with the bounds in bench/speed.csv; --check does only that. Host figures are ratios to
# memcpy of the same bytes in the same run; the rates printed beside them are those of this
# machine.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --build "$build" --target wallfly philosophers kernel kernel_packed bench_recorder bench_slot_recorder bench_agent bench_check bench_decode bench_profile bench_timeline >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }

"$here/recorder/run.sh" "$build/bin/bench_recorder" x86-O2 post app app-steps filtered >"$dir/now.csv"
# The clock is a part of the others, and is also measured alone.
"$here/recorder/run.sh" "$build/bin/bench_slot_recorder" x86-O2-slots clock switch filtered app chain >>"$dir/now.csv"
# One conversion to three formats: the way of a record through the model, texts, rows and pages.
python3 "$here/host/convert.py" "$build/bin/wallfly" "$build/bin/philosophers" "$build/bin/kernel" >>"$dir/now.csv"
# Decoding alone, frames and packed frames; and searches.
python3 "$here/host/decode.py" "$build/bin/bench_decode" "$build/bin/kernel" "$build/bin/kernel_packed" >>"$dir/now.csv"
# Statistics, without and with a profile.
python3 "$here/host/profile.py" "$build/bin/bench_profile" "$build/bin/kernel" >>"$dir/now.csv"
python3 "$here/compare.py" "$here/speed.csv" <"$dir/now.csv"
[ "${2:-}" = --check ] && exit 0

"$here/slots.sh" "$build"

"$build/bin/philosophers" --fast --seconds=6000 -o "$dir/big.bin"
"$build/bin/bench_decode" "$dir/big.bin"
"$build/bin/kernel_packed" --ms=4000000 -o "$dir/packed.bin" mutex
"$build/bin/bench_decode" "$dir/packed.bin" packed-
python3 - "$build/bin/wallfly" "$dir/big.bin" <<'END'
import os, resource, subprocess, sys
size, p = 0, subprocess.Popen([sys.argv[1], 'info', '-'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
data = open(sys.argv[2], 'rb').read()
while size < 1 << 30:
    p.stdin.write(data)
    size += len(data)
p.stdin.close()
p.wait()
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print('host-memory,%.1f MiB at most,stream of %.2f GiB' % (peak, size / (1 << 30)))
sys.exit(peak > 16)
END
"$build/bin/bench_agent" "$dir/spool"
rm -r "$dir/spool"
"$build/bin/bench_timeline" 100
"$build/bin/bench_profile"
python3 "$here/host/record.py" "$build/bin/wallfly" "$dir/big.bin"
python3 "$here/host/stats.py" "$build/bin/wallfly" "$build/bin/kernel" "$dir"
"$build/bin/kernel" --ms=17600000 -o "$dir/ten.bin" mutex
"$build/bin/bench_check" "$dir/ten.bin"
python3 "$here/host/diff.py" "$build/bin/wallfly" "$dir/ten.bin" "$dir"
rm "$dir/ten.bin"
python3 "$here/host/perfetto.py" "$build/bin/wallfly" "$build/bin/philosophers" "$build/bin/kernel" "$dir"
python3 "$here/host/ctf.py" "$build/bin/wallfly" "$build/bin/philosophers"
python3 "$here/host/tables.py" "$build/bin/wallfly" "$build/bin/kernel" "$build/bin/philosophers" "$dir"
"$here/../web/install.sh" "$build" >"$dir/log"
python3 "$here/host/page.py" "$build/bin/wallfly" "$build/bin/philosophers" "$build" "$dir"
