# `wallfly doctor` on serial lines, each with its fault made: see doctor_line.py.
cc -shared -fPIC -O1 "$SRC/tests/e2e/doctor/refuse.c" -o refuse.so
"$PHILOSOPHERS" --fast -s 60 -o target.bin
PYTHONPATH=$SRC/tests/e2e python3 -B "$SRC/tests/e2e/doctor_line.py"
