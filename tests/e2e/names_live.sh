# A target that sends no names: commands with names from its program, and a server whose lines have them.
. "$SRC/tests/e2e/lib/listen.sh"

start() { # COMMAND OPTIONS...: of wallfly, with a target
    : >err
    timeout 600 "$WALLFLY" "$@" <commands >out 2>err &
    pid=$!
    pids="$pids $pid"
    port_of err "$pid"
    "$PHILOSOPHERS" --no-names -s "$seconds" -o "tcp:127.0.0.1:$port" 2>>target.err &
    pids="$pids $!"
}
ends() { # CODE
    code=0
    wait "$pid" || code=$?
    [ "$code" = "$1" ] || { echo "exit $code, expected $1"; cat out err; exit 1; }
}

printf 'current ao table\nquery ao\n' >commands
seconds=60
start attach tcp-listen:0 --elf="$PHILOSOPHERS"
ends 0
grep -q 'philo\[2\] enters on_thinking' out
grep -q '> query: obj table, state on_' out
start send --to=tcp-listen:0 --timeout=10 --elf="$PHILOSOPHERS" 'current ao table; query ao'
ends 0
grep -q 'obj table, state on_' out
start send --to=tcp-listen:0 --timeout=10 --elf="$PHILOSOPHERS" 'current ao tabel'
ends 2
grep -q "no object is called 'tabel'; is it table" err
start send --to=tcp-listen:0 --timeout=1 'current ao table'
ends 2

# Another build: reported once, and there are no names.
echo 'int table; int main(void) { return table; }' >other.c
cc -no-pie -Wl,--build-id=0x11223344 other.c -o other
start send --to=tcp-listen:0 --timeout=5 --elf=other 'current ao missing_object'
ends 2
[ "$(grep -c 'wallfly: other: has the build id 44332211' err)" = 1 ]

seconds=2
start serve tcp-listen:0 --once --front=127.0.0.1:0 --elf="$PHILOSOPHERS"
ends 0
grep -q 'St-Entry Obj=philo\[2\],State=on_thinking' out || { tail -n 5 out; exit 1; }
