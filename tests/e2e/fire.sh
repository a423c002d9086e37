# Random frames into a running target: a million frames; fewer where sanitizers slow it down.
case $BUILD in *asan*) count=50000 ;; *) count=1000000 ;; esac
python3 "$SRC/tests/e2e/fire.py" "$PHILOSOPHERS" $count
