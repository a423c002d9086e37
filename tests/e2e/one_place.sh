# Servers that accept one target at a time, when it disappears without a close and another one comes. In a network of
# its own, if this system allows one, a peer can vanish as if its cable were pulled.
PYTHONPATH=$SRC/tests/e2e
export PYTHONPATH
if unshare -rn true 2>/dev/null; then
    exec unshare -rn python3 "$SRC/tests/e2e/one_place.py" network
fi
echo "no network of our own: peers that vanish are not tried"
exec python3 "$SRC/tests/e2e/one_place.py"
