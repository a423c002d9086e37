# PlatformIO, without PlatformIO: exactly the files named in library.json are compiled.
. "$SRC/tests/dropin/look.inc"
python3 "$SRC/tests/dropin/platformio.py" "$SRC" >arguments

# The package as packed, without any other files.
mkdir include wallfly
for name in $(python3 -c 'import json, sys; print(*json.load(sys.stdin)["export"]["include"])' <"$SRC/library.json"); do
    cp -r "$SRC/$name" wallfly
done
cp "$SRC/CMakeLists.txt" wallfly # contains the version
python3 "$SRC/tests/dropin/platformio.py" "$PWD/wallfly" >arguments
cp wallfly/ports/template/wf_port.h include
cp "$SRC/tests/dropin/small.c" main.c
# shellcheck disable=SC2046
gcc -std=gnu99 -Wall -Wextra -Werror -Iinclude main.c $(cat arguments) -o small
./small >small.bin
look small.bin

# A version that differs from CMakeLists.txt is detected.
sed -i 's/"version": "/&9/' wallfly/library.json
no python3 "$SRC/tests/dropin/platformio.py" "$PWD/wallfly" 2>log
grep -q 'library.json says 9' log
