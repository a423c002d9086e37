#!/bin/sh
# examples/mqtt: a device with a network of its own sends its trace to the agent, with kills of broker and agent.
# KILLS=N: kills of each (5).
set -eu
python3 -B "$SRC/tests/e2e/fleet_device.py" "$BUILD"
