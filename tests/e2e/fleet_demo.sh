#!/bin/sh
# `make fleet-demo`: what it shows is so, and nothing of it goes on afterwards.
set -eu
mkdir bin tmp
for name in wallfly philosophers fleet_devices; do ln -s "$BUILD/bin/$name" bin; done
code=0
TMPDIR=$PWD/tmp "$SRC/scripts/fleet_demo.py" bin >out 2>err || code=$?
[ $code = 0 ] || { cat out err; exit 1; }
python3 -B "$SRC/tests/e2e/fleet_demo.py" out fleet-demo
[ -z "$(ls tmp)" ]
# Its servers have ended: their ports refuse.
sed -n 's|^== ClickHouse at http://127.0.0.1:\([0-9]*\)/, Mosquitto at mqtt://127.0.0.1:\([0-9]*\)$|\1 \2|p' out >ports
read -r engine broker <ports
for port in "$engine" "$broker"; do
    if python3 -c "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))" "$port" 2>/dev/null; then exit 1; fi
done
# Without the packages it names them.
python=$(python3 -c "import sys; print(sys.executable)")
mkdir few
ln -s "$(command -v mosquitto)" few
code=0
PATH=$PWD/few "$python" "$SRC/scripts/fleet_demo.py" bin 2>err || code=$?
[ $code = 1 ] && grep -qx 'wallfly: packages are missing; install them with: apt-get install clickhouse-server' err
rm few/mosquitto
PATH=$PWD/few "$python" "$SRC/scripts/fleet_demo.py" bin 2>err || code=$?
grep -qx 'wallfly: packages are missing; install them with: apt-get install clickhouse-server mosquitto' err
