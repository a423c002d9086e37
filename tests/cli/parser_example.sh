# The example of the parser: running times of threads, from a file and from standard input.
python3 - <<'PY'
import struct
attributes = ('HEADER_BEGIN::', 'DATE::a', 'VER_MAJOR::1', 'VER_MINOR::01', 'LITTLE_ENDIAN::TRUE',
              'ENCODING::16 byte events', 'BOOT_DATE::b', 'CYCLES_PER_SEC::1000', 'CPU_NUM::2',
              'SYSNAME::QNX', 'NODENAME::n', 'SYS_RELEASE::6.4.1', 'SYS_VERSION::v', 'MACHINE::m',
              'HEADER_END::')
def slot(core, cls, event, time, a, b):
    return struct.pack('<IIII', core << 24 | cls << 10 | event, time, a, b)
with open('t.kev', 'wb') as f:
    f.write(''.join('TRACE_' + a for a in attributes).encode())
    f.write(slot(0, 1, 1, 100, 0, 100) + slot(1, 1, 1, 100, 0, 100))
    for core, time, pid, tid in ((0, 500, 1, 1), (1, 250, 3, 1), (0, 1500, 2, 7), (1, 2250, 4, 1), (0, 1750, 1, 1)):
        f.write(slot(core, 4, 1, time, pid, tid))
PY
cat >want <<'END2'
core 0: 1.1 1.000000 s
core 0: 2.7 0.250000 s
core 1: 3.1 2.000000 s
END2
"$BUILD/bin/running" t.kev | diff want -
"$BUILD/bin/running" - <t.kev | diff want -
! "$BUILD/bin/running" nowhere.kev 2>err
grep -q '^nowhere.kev cannot be read: No such file or directory$' err
