#!/bin/sh
# Runs a test script in an empty folder that is removed afterwards.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
sh -eu "$1"
