# A program for QS, its stream as printed by QSPY. Only addresses and the build time are left out.
here=$SRC/tests/target/compat
gcc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror -O2 -DQ_SPY \
    '-DWF_CFG_FILE="compat/qs_config.h"' -I"$SRC/target/include/compat" -I"$SRC/target/include" \
    -I"$SRC/schema" -I"$SRC/target/compat/port" "$here/print.c" "$SRC/target/compat/qs_compat.c" \
    "$SRC"/target/src/*.c -o program
./program >trace.bin
"$WALLFLY" print --quiet --strict --style=qspy trace.bin |
    sed -E 's/0x[0-9A-F]{16}/0xPTR/; s/Build=[0-9_]+/Build=DATE/; /Rec=82,/d' >text
cat >want <<'END2'
           Trg-RST  QP-Ver=740,Build=DATE
           Obj-Dict 0xPTR->l_clock_tick
           Obj-Dict 0xPTR->inst[0]
           Obj-Dict 0xPTR->inst[1]
           Obj-Dict 0xPTR->inst[2]
           Fun-Dict 0xPTR->serving
           Sig-Dict 00000010,Obj=0xPTR->TIMEOUT_SIG
           Usr-Dict 00000100->PHILO_STAT
           Enum-Dic 001,Grp=2->EATING
0000001234 PHILO_STAT -7     7 0x0ABC -100000       -5                    5   1.25e+00  -1.000e+03 eating {~}  01 7E FF TIMEOUT_SIG,Obj=inst[1] TIMEOUT_SIG inst[2] serving EATING 000
0000001234 USER+001
0000001234 AO-Post  Sdr=l_clock_tick,Obj=inst[0],Evt<Sig=TIMEOUT_SIG,Pool=1,Ref=0>,Que<Free=9,Min=8>
0000001234 =ASSERT= Mod=main,Loc=200
END2
diff want text
