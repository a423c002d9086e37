# From a program and a serial line that is silent to a first trace, by the words of `wallfly doctor` alone.
for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
PYTHONPATH=$SRC/tests/ports python3 -B "$SRC/tests/ports/first_trace.py" "$WALLFLY" "$SRC"
