# Distributions of figures have the values of `wallfly stats`. The history of objects: that of the tables of `wallfly query`, with losses and of a target that still sends.
"$BUILD"/bin/kernel -o mutex.bin mutex
python3 "$SRC/tests/web/hostile.py" "$WALLFLY" 1 rtos random.bin
python3 -c "
data = open('random.bin', 'rb').read()
third = len(data) // 3
open('lost.bin', 'wb').write(data[:third] + data[third + 900:2 * third] + data[2 * third + 300:])"
timeout 1500 python3 "$SRC/tests/web/objects.py" "$WALLFLY" mutex.bin random.bin lost.bin
python3 "$SRC/tests/e2e/made.py" "$WALLFLY" children children.bin 60 # ended tasks of one name share a row
timeout 1500 python3 "$SRC/tests/web/distribution.py" "$WALLFLY" mutex.bin random.bin children.bin
timeout 1500 python3 "$SRC/tests/web/since_1970.py" "$WALLFLY"
