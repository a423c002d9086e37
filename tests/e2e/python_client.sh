# The Python client: here against recorded sessions and invalid data, then its examples and the code of docs/python.md
# against `wallfly serve` and real targets.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/clients/python" FIXTURE="$BUILD/bin/fixture"
run() {
    "$@" >log 2>&1 || {
        cat log
        exit 1
    }
    tail -n 3 log
}
for python in python3 /usr/bin/python3; do
    run "$python" -W error::ResourceWarning -m unittest discover -s "$SRC/clients/python/tests"
done
for python in python3 /usr/bin/python3; do # Debian's has pytest
    if "$python" -c 'import pytest' 2>/dev/null; then break; fi
done
run "$python" "$SRC/tests/e2e/python_serve.py" "$SRC" "$WALLFLY"

# The examples, and the test printed in docs/python.md. A lost packet fails them.
mkdir tests
cp "$SRC"/clients/python/examples/*.py test_page.py tests/
run "$python" -m pytest -p no:cacheprovider -W error -q tests
! grep -q skipped log || [ ! -d "$SRC/examples/fixture" ] || { cat log; exit 1; }

# A failed test of the target fails the Python test.
sed -i 's/Sig=PAUSE_SIG,\*"/Sig=NEVER_SIG,*", 0.5/' tests/test_page.py
! "$python" -m pytest -p no:cacheprovider -q tests/test_page.py >log 2>&1
grep -q 'ExpectError' log || { cat log; exit 1; }
