# The single pair: the same bytes as from the folder, with any options, from three files in a folder.
. "$SRC/tests/dropin/look.inc"
warn="-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror"
mkdir pair folder
make -s -C "$SRC" single OUT="$PWD/made"
cp made/wallfly.h made/wallfly.c "$SRC/ports/template/wf_port.h" pair
[ "$(ls made | tr '\n' ' ')" = "wallfly.c wallfly.h " ]
no grep -nE '^ *# *include "(wallfly/|wf_schema|wfi_)' made/wallfly.h made/wallfly.c
for file in "$SRC"/target/src/* "$SRC"/target/include/wallfly/* "$SRC"/schema/*; do
    [ "$(cat made/wallfly.? | grep -cxF "// ---- ${file##*/}")" = 1 ]
done

sed 's|"wallfly/wallfly.h"|"wallfly.h"|' "$SRC/tests/dropin/small.c" >pair/main.c
for options in -O2 "-O0 -DWF_CFG_FAST=0" "-Os -DWF_CFG_WORDS=0" "-DWF_CFG_SYNC=1 -DWF_CFG_TIME_SIZE=8" "-O2 -DWF_CFG_PACKED=1"; do
    # shellcheck disable=SC2086
    gcc -std=c99 $options $warn pair/main.c pair/wallfly.c -o pair/small
    # shellcheck disable=SC2086
    gcc -std=c99 $options -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/ports/template" \
        "$SRC/tests/dropin/small.c" "$SRC"/target/src/*.c -o folder/small
    pair/small >pair.bin
    folder/small >folder.bin
    cmp pair.bin folder.bin
    look pair.bin
done

# The header as C++, and every form users can write with it.
sed "s|\"wallfly/wallfly.h\"|\"wallfly.h\"|; /\"wallfly\/wf_rtos.h\"/d" "$SRC/tests/target/use_all.c" >pair/use_all.c
for cc in "gcc -x c -std=c99" "gcc -x c++ -std=c++11" "clang -x c -std=c99" "clang -x c++ -std=c++11"; do
    # shellcheck disable=SC2086
    $cc -Wall -Wextra -Wpedantic -Wconversion -Werror -O2 -c pair/use_all.c -o use_all.o
done

# It needs no library, and defines the same names as the folder.
gcc -std=c99 -O2 -ffreestanding -c pair/wallfly.c -o pair.o
[ -z "$(nm -u pair.o)" ]
nm -g --defined-only pair.o | awk '{print $3}' >names
no grep -vE '^wfi?(_|$)' names

# The same sources give the same pair; for a clash of names or macros the error names both files.
mkdir tree
cp -r "$SRC/target" "$SRC/schema" "$SRC/scripts" "$SRC/CMakeLists.txt" tree
tree/scripts/single_pair.py again
cmp again/wallfly.h made/wallfly.h
cmp again/wallfly.c made/wallfly.c
clash() {
    printf '#include "wfi_core.h"\n%s\n' "$1" >tree/target/src/wf_one.c
    printf '#include "wfi_core.h"\n%s\n' "$2" >tree/target/src/wf_two.c
    no tree/scripts/single_pair.py again 2>log
    grep -q "wf_one.c and wf_two.c .* $3" log
}
clash 'static int mine(int n) { int m = n; return m; }' 'static uint8_t mine[3] = {1};' mine
clash 'enum { AA = 1, MINE };' '#define X 1
static const struct row { int MINE; } MINE = {1};' MINE
clash 'struct mine { int a; };' 'int mine(void); int mine(void) { return 1; }' mine
clash '#define MINE 1' '#define MINE 2' MINE
clash '#define mine 1' 'int wfi_use(int n); int wfi_use(int n) { int mine = n; return mine; }' mine
printf '#define MINE 1\nstatic int one(void) { return MINE; }\n#undef MINE\n' >tree/target/src/wf_one.c
printf '#define MINE 2\nstatic int two(int one) { return MINE + one; }\n' >tree/target/src/wf_two.c
tree/scripts/single_pair.py again
grep -qx '// ---- wf_two.c' again/wallfly.c
