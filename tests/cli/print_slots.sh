#!/bin/sh
# `wallfly print` of kernel-event logs: the text of traceprinter, selected by the file's beginning.
set -eu

cat >make.py <<'END'
import struct, sys
keys = [("HEADER_BEGIN", ""), ("FILE_NAME", "small.kev"), ("DATE", "Wed Jun 24 10:52:58 2009"),
        ("VER_MAJOR", "1"), ("VER_MINOR", "01"), ("LITTLE_ENDIAN", "TRUE"), ("ENCODING", "16 byte events"),
        ("BOOT_DATE", "Tue Jun 23 11:47:46 2009"), ("CYCLES_PER_SEC", "1000000000"), ("CPU_NUM", "1"),
        ("SYSNAME", "QNX"), ("NODENAME", "local\x1b[2Jhost"), ("SYS_RELEASE", sys.argv[2]),
        ("SYS_VERSION", "2009/05/20-17:35:56EDT"), ("MACHINE", "x86pc"), ("HEADER_END", "")]
log = "".join("TRACE_%s::%s" % k for k in keys).encode()
big = sys.argv[1] == "big"
if big:
    log = log.replace(b"LITTLE_ENDIAN", b"BIG_ENDIAN")
def slot(structure, cls, event, time, a, b):
    global log
    log += struct.pack(">4I" if big else "<4I", structure << 30 | cls << 10 | event, time, a, b)
def text(s):
    return struct.unpack(">2I" if big else "<2I", s)
slot(0, 1, 2, 0x1000, 1, 6)
slot(0, 1, 1, 0x1000, 2, 0xffe)
slot(1, 4, 192, 0x1050, 0, 1)
slot(2, 4, 192, 0x1050, *text(b"proc/boo"))
slot(2, 4, 192, 0x1050, *text(b"t/exampl"))
slot(3, 4, 192, 0x1050, *text(b"e\0\0\0\0\0\0\0"))
slot(0, 4, 24, 0x10a0, 1, 1)
slot(0, 4, 2, 0x10c4, 1, 1)
if len(sys.argv) > 3:
    slot(3, 4, 192, 0x10d0, 0, 0)  # an end without a beginning
sys.stdout.buffer.write(log)
END
python3 make.py little 6.4.1 >small.kev
python3 make.py big 6.4.1 >big.kev
python3 make.py little 7.1.0 >seven.kev
python3 make.py little 6.4.1 damaged >damaged.kev

cat >want <<'END'
TRACEPRINTER version 1.02
TRACEPARSER LIBRARY version 1.02
 -- HEADER FILE INFORMATION -- 
       TRACE_FILE_NAME:: small.kev
            TRACE_DATE:: Wed Jun 24 10:52:58 2009
       TRACE_VER_MAJOR:: 1
       TRACE_VER_MINOR:: 01
   TRACE_LITTLE_ENDIAN:: TRUE
        TRACE_ENCODING:: 16 byte events
       TRACE_BOOT_DATE:: Tue Jun 23 11:47:46 2009
  TRACE_CYCLES_PER_SEC:: 1000000000
         TRACE_CPU_NUM:: 1
         TRACE_SYSNAME:: QNX
        TRACE_NODENAME:: local.[2Jhost
     TRACE_SYS_RELEASE:: 6.4.1
     TRACE_SYS_VERSION:: 2009/05/20-17:35:56EDT
         TRACE_MACHINE:: x86pc
 -- KERNEL EVENTS -- 
t:0x00001000 CPU:00 CONTROL: BUFFER sequence = 1, num_events = 6
t:0x00001000 CPU:00 CONTROL :TIME msb:0x00000002 lsb(offset):0x00000ffe
t:0x00001050 CPU:00 PROCESS :PROCCREATE_NAME
                      ppid:0
                       pid:1
                      name:proc/boot/example
t:0x000010a0 CPU:00 THREAD  :THCREATE      pid:1 tid:1 
t:0x000010c4 CPU:00 THREAD  :THREADY       pid:1 tid:1 
END
"$WALLFLY" print small.kev >got 2>err
diff want got
grep -qx 'wallfly: small.kev: 3 events; 0 lost, 0 found no room; 0 damages' err
"$WALLFLY" print --style=traceprinter - <small.kev 2>/dev/null | diff want -

# The other byte order: the same text, except for the attribute.
"$WALLFLY" print -q big.kev >got 2>err
[ ! -s err ]
sed 's/   TRACE_LITTLE_ENDIAN/      TRACE_BIG_ENDIAN/' want | diff - got

"$WALLFLY" print -q -n small.kev | grep -qx 't:0x00001050 CPU:00 PROCESS :PROCCREATE_NAME ppid:0 pid:1 name:proc/boot/example'
"$WALLFLY" print -q seven.kev | grep -qx 't:0x2000010c4 CPU:00 THREAD          :THREADY            pid:1 tid:1 '
"$WALLFLY" print -q -n --format='%e %t %z' small.kev >got
grep -qx '4 0.000.000us THREADY pid:1 tid:1 ' got

# Damage is shown at its place and counts for --strict.
"$WALLFLY" print damaged.kev >got 2>err
grep -q '^ -- DAMAGED: CPU:00 16 bytes at ' got
grep -q ' 1 damages$' err
code=0; "$WALLFLY" print --strict damaged.kev >/dev/null 2>err || code=$?
[ $code = 4 ]
"$WALLFLY" print --strict small.kev >/dev/null 2>&1

# Is the TIME of one core valid for the other? This log does not show it, so an option is required.
python3 - <<'END'
import struct
log = open("small.kev", "rb").read()
log = log[:log.index(b"HEADER_END::") + 12].replace(b"CPU_NUM::1", b"CPU_NUM::2")
for core, event, time, a, b in (0, 1, 0x10, 5, 0x10), (1, 1, 0x10, 3, 0x10), (0, 1, 0x20, 6, 0x20):
    log += struct.pack("<4I", core << 24 | 1 << 10 | event, time, a, b)
    log += struct.pack("<4I", (1 - core) << 24 | 4 << 10 | 2, time + 1, 7, core)
open("clocks.kev", "wb").write(log)
END
"$WALLFLY" print -q --clock=global --format='%c %C %z' clocks.kev | grep THREADY >global
"$WALLFLY" print -q --clock=percpu --format='%c %C %z' clocks.kev | grep THREADY >percpu
! diff global percpu >/dev/null
"$WALLFLY" print -q --style=wallfly --clock=percpu --time=ticks clocks.kev >got
[ "$(wc -l <got)" = 3 ] && grep -qE '^ *[0-9]+ +c1  +THREAD +THREADY +pid:7 tid:0 ?$' got
sort -c -n got
"$WALLFLY" info clocks.kev | grep -qE '^core 1 +2 events'

# Errors are reported, with their exit code.
refused() {
    want=$1 words=$2
    shift 2
    code=0; "$WALLFLY" print "$@" >got 2>err </dev/null || code=$?
    [ $code = "$want" ] && grep -q -- "$words" err && [ ! -s got ]
}
refused 2 '--style=qspy' --style=qspy small.kev
refused 2 '--only does not go' --only=AO small.kev
refused 2 "'%' that is not followed" --format=%d small.kev
refused 2 'go with --style=traceprinter only' -n make.py
refused 3 'missing.kev' --style=traceprinter missing.kev

# Events have times of their own, so a window selects by them.
python3 -B "$SRC/tests/kev/generate.py" 5 window.kev --kind=kev cpus=2 >made
"$WALLFLY" print -q --style=wallfly window.kev >all
"$WALLFLY" print -q --style=wallfly --from=0 window.kev | cmp - all
