# Small images of both recorders' memory, truncated after every byte and with every byte damaged.
exec python3 -B "$SRC/tests/cli/ram_images.py"
