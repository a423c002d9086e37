# The Python client: against recorded sessions and nonsense here, against `wallfly serve` and the
# philosophers in python_serve.py.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/clients/python"
for python in python3 /usr/bin/python3; do
    "$python" -W error::ResourceWarning -m unittest discover -s "$SRC/clients/python/tests" >log 2>&1 || {
        cat log
        exit 1
    }
    tail -n 3 log
done
