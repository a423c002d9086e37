#!/bin/sh
# Compares a task switch with LTTng-UST, in one run: prints "lttng-share-of-time,N", wallfly's time
# divided by LTTng's. Usage: lttng.sh BENCH_LTTNG. Starts a session daemon of its own in a temporary
# folder (as nobody when run as root, as root's daemon would be the machine's) and ends it. Exit
# code 4: LTTng does not run here; the reason is printed.
set -eu
dir=$(mktemp -d)
daemon=
finish() {
    [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon" || true; } 2>/dev/null
    rm -rf "$dir"
}
trap finish EXIT
cannot() {
    echo "LTTNG DOES NOT RUN HERE: $*" >&2
    cat "$dir"/*.log >&2
    exit 4
}
for tool in lttng lttng-sessiond; do
    command -v $tool >/dev/null || cannot "$tool is missing: run make setup"
done
cp "$1" "$dir/bench"
as=
if [ "$(id -u)" = 0 ]; then
    chmod 711 "$dir" # the daemon makes its own folder below
    install -d -o nobody "$dir/home"
    as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
else
    mkdir "$dir/home"
fi
export HOME="$dir/home" LTTNG_HOME="$dir/home" LTTNG_UST_REGISTER_TIMEOUT=20000
cd "$dir/home"
$as lttng-sessiond --no-kernel >"$dir/daemon.log" 2>&1 &
daemon=$!
tries=0
until $as lttng --no-sessiond list >"$dir/list.log" 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] && kill -0 $daemon 2>/dev/null || cannot "its session daemon does not come up"
    sleep 0.1
done
{
    $as lttng --no-sessiond create bench --snapshot --output="$dir/home/out" &&
        $as lttng --no-sessiond enable-channel --userspace --overwrite --subbuf-size=64k --num-subbuf=4 own &&
        $as lttng --no-sessiond enable-event --userspace --channel=own bench:task_switch &&
        $as lttng --no-sessiond start
} >"$dir/session.log" 2>&1 || cannot "it makes no session"
code=0
$as timeout 120 "$dir/bench" || code=$?
[ $code != 3 ] || cannot "its program does not reach the daemon"
[ $code = 0 ] || exit 1
# LTTng has recorded: the ring of at least one CPU is full.
$as lttng --no-sessiond snapshot record >"$dir/record.log" 2>&1 || cannot "it takes no snapshot"
kept=$(du -sk out | cut -f1)
[ "$kept" -ge 192 ] || { echo "lttng.sh: LTTng has kept only $kept KiB" >&2; exit 1; }
$as lttng --no-sessiond destroy bench >"$dir/destroy.log" 2>&1 || cannot "its session does not end"
