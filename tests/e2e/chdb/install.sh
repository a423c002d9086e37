#!/bin/sh
# Installs the newest ClickHouse as a library into BUILD/chdb, once (550 MB), and prints that folder. Fails if it
# cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../../scripts/npm.sh"
npm_install "$here" "$1/chdb"
cp "$here/server.cjs" "$1/chdb"
echo "$1/chdb"
