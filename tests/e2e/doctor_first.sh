# From a silent serial line to a first trace by the words of `wallfly doctor` alone: see doctor_first.py.
. "$SRC/tests/e2e/doctor/build.sh"
build target
PYTHONPATH=$SRC/tests/e2e python3 -B "$SRC/tests/e2e/doctor_first.py"
