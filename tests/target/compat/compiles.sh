# Code for QS compiles as C and as C++, with Q_SPY and without; without it no code of QS remains.
here=$SRC/tests/target/compat
uses() {
    # shellcheck disable=SC2086
    $1 $2 $3 -Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror '-DWF_CFG_FILE="compat/qs_config.h"' \
        '-DWF_CFG_QS_TYPES="qs_types.h"' -I"$SRC/target/include/compat" -I"$SRC/target/include" -I"$SRC/schema" \
        -I"$here" -c "${4:-$here/use_qs.c}" -o use.o
}
if uses "gcc -x c -std=c99" "-DQ_SPY -DWF_CFG_PACKED=1" -O1 2>log; then exit 1; fi
grep -q 'error.*QSPY, QView and QUTest cannot read packed frames' log
sed 's|"qs.h"|"compat/qs.h"|' "$here/use_qs.c" >other_name.c
for cc in "gcc -x c -std=c99" "gcc -x c++ -std=c++11" "clang -x c -std=c99" "clang -x c++ -std=c++11"; do
    uses "$cc" -DQ_SPY -O0
    nm -u use.o | grep -q evaluate # if Q_SPY did not keep this call, the test would prove nothing
    uses "$cc" "-DQ_SPY -DQ_UTEST" -O2
    uses "$cc" "-DQ_SPY -DWF_CFG_RX=0" -O1
    uses "$cc" "-DQ_SPY -DWF_CFG_FAST=0 -DWF_CFG_TRIGGER=1 -DQ_SIGNAL_SIZE=4U -DQF_MAX_ACTIVE=8U" -Os
    uses "$cc" -DQ_SPY -O1 other_name.c
    for level in -O0 -O2; do
        for options in "" -DQ_UTEST -DWF_CFG_ON=1; do # the last one: Q_SPY decides, not the recorder's options
            uses "$cc" "$options" $level
            if nm -u use.o | grep .; then exit 1; fi
        done
    done
done

# The recorder's own files with QS's options, on and off.
for options in "-DQ_SPY -DQ_UTEST -DQS_TIME_SIZE=2U -DQ_SIGNAL_SIZE=1U" "-DQ_SPY -DWF_CFG_RX=0" ""; do
    for file in "$SRC"/target/src/*.c "$SRC"/target/compat/*.c; do
        # shellcheck disable=SC2086
        gcc -std=c99 $options -Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror \
            '-DWF_CFG_FILE="compat/qs_config.h"' -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/target/compat/port" \
            -c "$file" -o use.o
    done
done

# A size that the recorder does not support stops the build.
if gcc -DQ_SPY -DQ_SIGNAL_SIZE=4 -I"$SRC/target/include/compat" -I"$SRC/target/include" -I"$SRC/schema" \
    -I"$here" -fsyntax-only "$here/use_qs.c" 2>log; then exit 1; fi
grep -q qs_config.h log
