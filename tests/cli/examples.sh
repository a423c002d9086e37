# Every example has its line in examples/README.md, and the command there works unchanged.
ln -s "$BUILD" build
ln -s "$SRC/examples" examples
ln -s "$SRC/tests" tests
export PYTHONDONTWRITEBYTECODE=1
for folder in examples/*/; do
    name=$(basename "$folder")
    grep -q "^| \[$name\]($name) |" examples/README.md || { echo "examples/README.md has no line for $name"; exit 1; }
done
sed -n 's/^|.*| `\(.*\)` |$/\1/p' examples/README.md >all
[ "$(wc -l <all)" = 8 ]
# Those that need a broker have tests of their own: e2e_fleet_demo, e2e_fleet_device.
grep -v -e '^make fleet-demo$' -e '^build/bin/mqtt_device ' all >commands
[ "$(wc -l <commands)" = 6 ]
while read -r command; do
    sh -eu -c "$command" >out 2>&1 </dev/null || { cat out; echo "examples/README.md: $command failed"; exit 1; }
    echo "$command: $(wc -l <out) lines"
    case $command in *running*) grep -q '^core 0: .* s$' out ;; esac
done <commands
for trace in trace.bin mutex.trace trace.kev threads.kev; do "$WALLFLY" info --strict "$trace" >out || { cat out; echo "$trace is not whole"; exit 1; }; done
