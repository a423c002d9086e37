# Small images of both recorders' memory, cut behind every byte and with every byte damaged.
exec python3 -B "$SRC/tests/cli/ram_images.py"
