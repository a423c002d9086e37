# The program of docs/slots.md: it compiles, records, and its output is readable.
awk '/^```c$/ {code = 1; next} /^```$/ {code = 0} code' "$SRC/docs/slots.md" >doc.c
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -DWF_CFG_SLOTS=1 -I"$SRC/target/include" -I"$SRC/schema" \
    -I"$SRC/ports/arch/host" doc.c "$SRC"/target/src/*.c "$SRC"/ports/arch/host/*.c -pthread -o doc
./doc >doc.kev
"$WALLFLY" print --style=traceprinter doc.kev >out
grep -q 'USREVENT:EVENT:7, d0:0x00000001 d1:0x00000002$' out
