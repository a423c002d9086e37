#!/bin/sh
# Transmission text from a file, a pipe and a link, and of random schedules against a model.
set -eu

printf 'nT 330 -p 19 -n clock_disp\nnM 20e3 -n lcd\np 150 JR 330\np 400 AM 330 20e3\np 90' >small.txt
cat >want <<'END'
                  TASK task_create      0x00000330 is created, priority 19
                  DICT obj_dict         object 0x00000330 is clock_disp
                  MUT  mutex_create     mutex 0x000020E3 is created
                  DICT obj_dict         object 0x000020E3 is lcd
      0.000000 s  TASK task_switch      clock_disp runs on core 0, the one before left
      0.000250 s  MUT  mutex_take       clock_disp takes lcd, depth 1
      0.000250 s  ---- 4 bytes dropped: the last line is cut off, it has no end of line [byte 73]
END
"$WALLFLY" print small.txt >got 2>summary
diff want got
grep -q 'small.txt: 6 records; 0 missing .*; 4 of 77 bytes damaged' summary
"$WALLFLY" print - <small.txt 2>/dev/null | diff want -
cat small.txt | "$WALLFLY" print - 2>/dev/null | diff want -

# Loss with --strict, a file that is not a trace, the output of info.
code=0
"$WALLFLY" print --strict -q small.txt >/dev/null 2>&1 || code=$?
[ $code -eq 4 ]
echo 'hello' >hello.txt
code=0
"$WALLFLY" print hello.txt >/dev/null 2>error || code=$?
[ $code -eq 3 ]
grep -q 'hello.txt: not a QP/Spy trace' error
"$WALLFLY" info small.txt >info
grep -q '^trace *small.txt, transmission text, 77 bytes' info
grep -q ' 4 damaged: 0 no line of it, 0 too short, 0 too long, 1 cut off' info
"$WALLFLY" info --json small.txt | grep -q '"format":"text"'

# A target that sends it over a link, and its recording.
cat >send.py <<'END'
import socket, subprocess, sys, time
wallfly, data = sys.argv[1], open("small.txt", "rb").read()
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
reader = subprocess.Popen([wallfly] + [a.replace("PORT", str(port)) for a in sys.argv[2:]])
listener.settimeout(300)
link, _ = listener.accept()
step = 1 if len(data) < 1000 else 32000
for at in range(0, len(data), step):
    link.sendall(data[at:at + step])
    if step > 1:
        time.sleep(0.01)  # otherwise it is one piece
link.close()
listener.close()
try:
    sys.exit(reader.wait(300))
except subprocess.TimeoutExpired:
    reader.kill()
    raise
END
python3 send.py "$WALLFLY" print --once -q tcp:127.0.0.1:PORT 2>/dev/null >link
grep -v '^----\|bytes dropped' want >want_link
grep -v 'target\|bytes dropped' link | diff want_link -
python3 send.py "$WALLFLY" record --once tcp:127.0.0.1:PORT -o small.wfly >/dev/null 2>recorded
grep -q '6 records' recorded
"$WALLFLY" print -q small.wfly | grep -v 'connected,\|bytes dropped' | diff want_link -

# The files of a split end with whole lines.
python3 - <<'END'
now, lines = 0, ["nT 330 -n alpha", "nT 87c -n beta"]
for i in range(150000):
    now += 1 + i * 7919 % 1009
    lines.append("p %d JR %x" % (now, (0x330, 0x87C)[i % 2]))
open("small.txt", "w").write("\n".join(lines) + "\n")
END
python3 send.py "$WALLFLY" record --once --split=64K tcp:127.0.0.1:PORT -o part.wfly >/dev/null 2>&1
[ -e part-0003.wfly ]
for part in part-*.wfly; do "$WALLFLY" print -q "$part"; done >parts
grep -c 'runs on core' parts | grep -qx 150000
! grep -q 'dropped: \(a line\|the last\)' parts

python3 -B "$SRC/tests/e2e/text_trace.py" "$WALLFLY" 150
