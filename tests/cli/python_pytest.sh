# The plugin for pytest: real runs of pytest with rules that pass, fail and cannot be decided, then the test in
# docs/python.md as it is printed.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/clients/python" WALLFLY_LIBRARY="$BUILD/lib/libwallfly.so" KERNEL="$BUILD/bin/kernel"
for python in python3 /usr/bin/python3; do # Debian's has pytest
    if "$python" -c 'import pytest' 2>/dev/null; then break; fi
done
run() {
    "$@" >log 2>&1 || { cat log; exit 1; }
    tail -n 1 log
}
run "$python" -m pytest -p pytester -p no:cacheprovider -q --basetemp=base "$SRC/clients/python/tests/plugin_cases.py"

mkdir page
cd page
ln -s "$BUILD" build
awk '/^```python check$/ {on = 1; next} /^```$/ {on = 0} on' "$SRC/docs/python.md" >test_dinner.py
[ -s test_dinner.py ]
echo 'never{"assert_fail"}' >rules.lua
run "$python" -m pytest -p wallfly.pytest_plugin -p no:cacheprovider -W error -q --basetemp=base .
sed -i 's/max="1 s"/max="1 ns"/' test_dinner.py
! "$python" -m pytest -p wallfly.pytest_plugin -p no:cacheprovider -q --basetemp=base . >log 2>&1
grep -q 'RuleFailed' log || { cat log; exit 1; }

# The entry point is the plugin, and the package has all its modules.
grep -q '^wallfly = "wallfly.pytest_plugin"$' "$SRC/clients/python/pyproject.toml"
"$python" -c 'import wallfly.pytest_plugin, wallfly.pages'
