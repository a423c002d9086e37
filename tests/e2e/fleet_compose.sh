#!/bin/sh
# The files of fleet/compose.yaml, as far as they can be checked without Docker and its images: YAML and XML, pinned
# versions, mounted files, the options of wallfly's commands, the broker's configuration, the packages of the Dockerfile.
set -eu
python3 -B "$SRC/tests/e2e/fleet_compose.py"
