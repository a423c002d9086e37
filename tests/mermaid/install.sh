#!/bin/sh
# Installs Mermaid and the driver for Debian's Chromium into BUILD/mermaid, once, and prints that folder. Fails if it
# cannot. Usage: install.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$1/mermaid
. "$here/../../scripts/npm.sh"
need chromium
npm_install "$here" "$dir"
echo "$dir"
