# `wallfly doctor` on records, files and networks, each with its fault made: see doctor_stream.py.
. "$SRC/tests/e2e/doctor/build.sh"
build target
build target_packed -DWF_CFG_PACKED=1
build target_610 -DWF_CFG_QS_VERSION=610
"$PHILOSOPHERS" --fast -s 60 -o target.bin
PYTHONPATH=$SRC/tests/e2e python3 -B "$SRC/tests/e2e/doctor_stream.py"
