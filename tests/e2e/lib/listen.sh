# For scripts in which a command listens for a target: the processes in `pids` end with the script, and port_of.
trap 'for p in ${pids:-}; do kill "$p" 2>/dev/null || true; done' EXIT
pids=

port_of() { # FILE PID: the port a command listens on, as printed in FILE
    port=
    for _ in $(seq 500); do
        port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' "$1" | head -n 1)
        [ -z "$port" ] || return 0
        kill -0 "$2" 2>/dev/null || break
        sleep 0.02
    done
    cat "$1"
    exit 1
}
