#!/bin/sh
# Writes the generated pages. Usage: docs.sh WALLFLY DOCS_DIR
set -eu
mkdir -p "$2/cli"
"$1" schema --md >"$2/records.md"
"$1" send --list --md >"$2/command-list.md"
"$1" query --tables --md >"$2/table-list.md"
"$1" doctor --list --md >"$2/doctor.md"
"$1" fleet setup --md >"$2/fleet-tables.md"
# A command's sentence begins with a capital letter.
"$1" help | sed -n 's/^  \([a-z ]*[a-z]\)  *[A-Z].*/\1/p' | while read -r command; do
    # shellcheck disable=SC2086
    "$1" help --md $command >"$2/cli/$(echo "$command" | tr ' ' -).md"
done
