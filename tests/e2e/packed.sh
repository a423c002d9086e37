#!/bin/sh
# Packed frames (docs/packed.md): the kernel example built twice, its objects at the same addresses. What the tools say
# of the two traces is the same, in every format, on the page and live; only places in the stream, SYNCs and sizes
# differ.
set -eu
demos='preemptive round-robin mutex'
[ "${SANITIZED:-0}" = 0 ] || demos=mutex # the plain build has all
for demo in $demos; do
    for kind in frames packed; do
        mkdir -p "$kind/$demo" "$kind/$demo-long"
        "$BUILD/bin/kernel_$kind" -o "$kind/$demo/a.trace" "$demo"
        "$BUILD/bin/kernel_$kind" -o "$kind/$demo-long/a.trace" --ms=12000 "$demo"
    done
done
python3 -B "$SRC/tests/e2e/packed.py" "$WALLFLY" formats
PYTHONPATH=$SRC/tests/web python3 -B "$SRC/tests/e2e/packed.py" "$WALLFLY" page

# The text equals the checked one of the kernel example.
for demo in $demos; do
    "$WALLFLY" print -q --time=ms --only=TASK,MUT "packed/$demo/a.trace" | grep -v ' is created' |
        diff "$SRC/tests/data/kernel/$demo.txt" -
done

# QSPY's text has them as records that it does not know.
for command in 'print --style=qspy' 'convert --to=qspy -o -'; do
    # shellcheck disable=SC2086
    "$WALLFLY" $command packed/mutex/a.trace >qspy.txt 2>/dev/null
    grep -q '^           Unknown Rec=98,Len=[0-9]*$' qspy.txt
    ! grep -qv -e 'Unknown Rec=[0-9]' -e 'Trg-RST' -e '<COMMS>' -e '^$' qspy.txt || { cat qspy.txt; exit 1; }
done
"$WALLFLY" info packed/mutex/a.trace | grep -q ' a record, with [0-9]* packed frames$'

# Over a link, from the beginning and late.
"$BUILD/bin/kernel_packed" --ms=250000 -o live.trace mutex
PYTHONPATH=$SRC/tests/e2e python3 -B "$SRC/tests/e2e/packed_live.py" live.trace
