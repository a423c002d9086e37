#!/bin/sh
# Writes the generated pages. Usage: docs.sh WALLFLY DOCS_DIR
set -eu
mkdir -p "$2/cli"
"$1" schema --md >"$2/records.md"
"$1" send --list --md >"$2/command-list.md"
"$1" query --tables --md >"$2/table-list.md"
"$1" doctor --list --md >"$2/doctor.md"
for command in $("$1" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$1" help --md "$command" >"$2/cli/$command.md"
done
