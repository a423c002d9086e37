# `wallfly doctor --elf` and RTT servers: a program for a Cortex-M3 with each fault, its traces from QEMU with the right and
# the wrong file, and simulated RTT servers. All rows of the table that need a program file or an RTT server are made.
for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
python3 -B "$SRC/tests/ports/doctor.py" "$WALLFLY" "$SRC"
