# The recorder as a folder: the copied files are all it needs.
. "$SRC/tests/dropin/look.inc"
mkdir wallfly
cp -r "$SRC/target/src" "$SRC/target/include" "$SRC/schema" "$SRC/ports/template" wallfly
cp "$SRC/tests/dropin/small.c" main.c
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iwallfly/include -Iwallfly/schema -Iwallfly/template \
    main.c wallfly/src/*.c -o small
./small >small.bin
look small.bin

# Without its port it does not build.
rm wallfly/template/wf_port.h
no gcc -std=c99 -Iwallfly/include -Iwallfly/schema -Iwallfly/template -c wallfly/src/wf_recorder.c 2>log
grep -q wf_port.h log
