# PlatformIO, without PlatformIO: what library.json says is compiled, and nothing else.
. "$SRC/tests/dropin/look.inc"
python3 "$SRC/tests/dropin/platformio.py" "$SRC" >arguments

# The package as it would be packed, so that nothing outside can help.
mkdir include wallfly
for name in $(python3 -c 'import json, sys; print(*json.load(sys.stdin)["export"]["include"])' <"$SRC/library.json"); do
    cp -r "$SRC/$name" wallfly
done
cp "$SRC/CMakeLists.txt" wallfly # has the version
python3 "$SRC/tests/dropin/platformio.py" "$PWD/wallfly" >arguments
cp wallfly/ports/template/wf_port.h include
cp "$SRC/tests/dropin/small.c" main.c
# shellcheck disable=SC2046
gcc -std=gnu99 -Wall -Wextra -Werror -Iinclude main.c $(cat arguments) -o small
./small >small.bin
look small.bin

# A version that went ahead alone is found.
sed -i 's/"version": "/&9/' wallfly/library.json
no python3 "$SRC/tests/dropin/platformio.py" "$PWD/wallfly" 2>log
grep -q 'library.json says 9' log
