# Programs without wallfly, traced by ports/rtos/posix: their own counts against the trace, and their behaviour is the
# same as without it.
bin=$BUILD/bin
library=$BUILD/lib/libwallfly_posix.so
sources=$SRC/tests/ports/rtos/posix
fail() { echo "FAILED: $*"; exit 1; }
says() { grep -q -- "$1" "$2" || { tail -n 20 "$2"; fail "$2 does not say: $1"; }; }
# traced TRACE COMMAND...: waits when the rings are full, so that nothing is lost
traced() {
    trace=$1
    shift
    env WALLFLY_FULL=wait WALLFLY_OUT="$trace" LD_PRELOAD="$library" "$@"
}
check() { "$bin/posix_check" "$@" || fail "posix_check $*"; }

switches=$("$bin/posix_kernel" probe)
echo "the kernel tells of switches: $switches"

echo "-- 8 threads, a million operations"
traced a.trace env WALLFLY_VERBOSE=1 "$bin/posix_program" 125000 counts 2>err
check a.trace counts "$switches"
says "switches: $switches" err
"$WALLFLY" print a.trace 2>/dev/null | head -n 9 >head.txt
says "switches: $switches" head.txt

echo "-- by name"
traced n.trace "$bin/posix_program" 100 counts
"$WALLFLY" print --elf="$bin/posix_program" n.trace >n.txt 2>err
says 'worker 1 takes recursive, depth 2' n.txt
says 'worker 2 waits for gate' n.txt
says 'posix_program/[0-9]* takes gate' n.txt

echo "-- where the kernel does not allow it"
env WALLFLY_VERBOSE=1 WALLFLY_FULL=wait WALLFLY_OUT=f.trace LD_PRELOAD="$library" \
    "$bin/posix_kernel" forbid env WALLFLY_OUT=g.trace "$bin/posix_program" 2000 counts 2>err
check g.trace counts no
says 'g.trace: switches: no, the kernel does not allow it (kernel.perf_event_paranoid)' err
"$WALLFLY" print g.trace >g.txt 2>err
says 'USER wallfly .*switches: no, the kernel' g.txt
traced g.trace env WALLFLY_SWITCHES=0 "$bin/posix_program" 2000 counts
check g.trace counts no

echo "-- C++"
traced c.trace "$bin/posix_program_cpp" 5000 counts
check c.trace counts "$switches"

echo "-- with the lock of CPUs without the recorder's atomics"
library=$BUILD/lib/libwallfly_posix_locked.so
traced l.trace env WALLFLY_SWITCHES=0 "$bin/posix_program" 20000 counts
check l.trace counts no
library=$BUILD/lib/libwallfly_posix.so

echo "-- what finds no room is counted"
env WALLFLY_RING=1024 WALLFLY_OUT=small.trace LD_PRELOAD="$library" "$bin/posix_program" 50000 counts
check small.trace counts "$switches" lossy
code=0
"$WALLFLY" print --strict small.trace >small.txt 2>err || code=$?
[ $code = 4 ] || fail "print --strict ends with $code"
says 'events missing: given up by the target, its ring was full' small.txt

echo "-- however it ends"
code=0
(ulimit -c 0 && traced end.trace "$bin/posix_program" 2000 counts abort) || code=$?
[ $code = 134 ] || fail "abort ends with $code"
for try in $(seq 300); do # the writer outlives the program by a moment, longer on a busy machine
    "$bin/posix_check" end.trace counts "$switches" >end.txt 2>&1 && break
    sleep 0.2
done
check end.trace counts "$switches"
traced end.trace sh -c 'exec "$0" 1000 counts' "$bin/posix_program"
check end.trace counts "$switches"

echo "-- oddities"
odd() { ODD_SEMAPHORE=/wallfly-test-$$ "$@"; }
code=0
export WALLFLY_ONLY=posix_oddities
odd traced odd-%p.trace "$bin/posix_oddities" >odd.out || code=$?
[ $code = 6 ] || fail "oddities end with $code"
says done odd.out
set -- odd-*.trace
[ $# = 1 ] || fail "more than one trace: $*"
check "$1" - "$switches"
"$WALLFLY" print --strict --elf="$bin/posix_oddities" "$1" >odd.txt
for text in 'oddities/2 no longer waits for cond$' 'oddities/3 no longer waits for sem$' 'oddities/4 ends sleep' \
    'oddities/5 gives robust, depth 0' 'oddities takes robust, depth 1' 'oddities takes nested, depth 2' \
    'sleeper has priority 0' 'sleeper ends sleep' 'renamed takes m, depth 1' \
    "takes /wallfly-test-$$, count 1" "does not get /wallfly-test-$$" "/wallfly-test-$$ is deleted"; do
    says "$text" odd.txt
done
[ "$(grep -c 'TASK task_create' odd.txt)" = 2006 ] || fail "not all threads are there"
[ "$(grep -c 'TASK task_delete' odd.txt)" = 2005 ] || fail "not all threads end, but main"
says 'renamed gives m, depth 0' odd.txt

echo "-- children"
rm -f odd-*
odd env WALLFLY_FORK=1 WALLFLY_OUT=odd-%p.trace LD_PRELOAD="$library" "$bin/posix_oddities" >odd.out || code=$?
set -- odd-*.trace
[ $# = 2 ] || fail "a forked child has no trace of its own: $*"
unset WALLFLY_ONLY
for trace; do
    "$WALLFLY" print --strict "$trace" >child.txt || fail "$trace is not whole"
done

echo "-- over a link"
: >record.txt
"$WALLFLY" record --output=link.wfr tcp-listen:127.0.0.1:0 >record.txt 2>&1 &
record=$!
trap 'kill $record 2>/dev/null || :' EXIT
port=
while [ -z "$port" ]; do
    kill -0 $record || fail "record ended: $(cat record.txt)"
    port=$(sed -n 's/.*waiting.*:\([0-9]*\)$/\1/p' record.txt)
done
traced "tcp:127.0.0.1:$port" "$bin/posix_program" 2000 counts
until grep -q disconnected record.txt; do
    kill -0 $record || fail "record ended: $(cat record.txt)"
    sleep 0.05
done
kill $record
wait $record || fail "record: $(cat record.txt)"
"$WALLFLY" print --strict link.wfr >link.txt 2>err || fail "$(cat err)"
found=$(grep -c ' takes .*, depth [123]$' link.txt)
[ "$found" = "$(awk '$4 == "mutex" {n += $5} END {print n}' counts)" ] || fail "the link brings $found takes"

echo "-- wrong options: the program runs on, untraced"
wrong() { # OPTION TEXT
    env "$1" LD_PRELOAD="$library" sh -c 'exit 9' 2>err && fail "$1"
    [ "$(wc -l <err)" = 1 ] || fail "$1 says: $(cat err)"
    says "wallfly: $2" err
}
wrong WALLFLY_RING=1000 "WALLFLY_RING: '1000' is not a power of two from 1024"
wrong WALLFLY_FULL=x "WALLFLY_FULL: is 'x', not 'lose' or 'wait'"
wrong WALLFLY_OUT=nowhere/x 'nowhere/x: No such file or directory'
wrong WALLFLY_OUT=/dev/full '/dev/full: the trace ends early: No space left on device'
wrong WALLFLY_OUT=tcp:localhost:0 'tcp:localhost:0: the port is not a number'

echo "-- with a recorder of its own"
traced both.trace "$bin/slots" --output=own.kev --events=50 --pause=0 2>err
for trace in both.trace own.kev; do "$WALLFLY" print --strict "$trace" >both.txt 2>err || fail "$trace: $(cat err)"; done

echo "-- programs of this computer"
command -v xz >/dev/null || fail "xz is missing: run make setup"
head -c 8000000 "$bin/posix_program" >data
cat "$BUILD/bin/wallfly" "$library" >>data
xz -T4 --block-size=500000 -1 -c data >plain.xz
traced xz.trace xz -T4 --block-size=500000 -1 -c data >traced.xz
cmp plain.xz traced.xz
check xz.trace - "$switches"
cat >threads.py <<'END'
import os, queue, subprocess, threading, time
todo, done = queue.Queue(5), []
def work():
    while (n := todo.get()) is not None:
        done.append(n * n)
        time.sleep(0.0001)
threads = [threading.Thread(target=work) for _ in range(6)]
for t in threads: t.start()
for n in range(1000): todo.put(n)
for t in threads: todo.put(None)
for t in threads: t.join()
print(sum(done), subprocess.run(["echo", "hi"], capture_output=True).stdout, len(os.listdir("/proc/self/task")))
print(os.open("/dev/null", 0)) # the lowest free number
try: os.waitpid(-1, 0)
except ChildProcessError: print("no child")
os._exit(5)
END
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
code=0
"$python" -W error threads.py >plain.txt || code=$?
plain=$code
code=0
traced python-%p.trace "$python" -W error threads.py >traced.txt || code=$?
[ $code = $plain ] && [ $code = 5 ] || fail "python ends with $code, not $plain"
cmp plain.txt traced.txt
for trace in python-*.trace; do check "$trace" - "$switches" >>python.txt; done
says '^[0-9]\{4,\} records, 0 lost' python.txt

echo "-- the library with address sanitizer, a program with thread sanitizer"
# shellcheck disable=SC2046
gcc -std=c11 -O1 -g -fPIC -shared -fvisibility=hidden -fexceptions -fsanitize=address,undefined -D_GNU_SOURCE -DWF_CFG_SLOTS=1 \
    -I"$SRC/ports/rtos/posix" -I"$SRC/ports/arch/host" -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/ports/transport/include" \
    -I"$SRC/ports/transport/file" -I"$SRC/ports/transport/tcp" "$SRC"/ports/rtos/posix/*.c "$SRC"/target/src/*.c "$SRC"/ports/arch/host/wf_host_build_id.c \
    "$SRC"/ports/transport/file/*.c "$SRC"/ports/transport/tcp/*.c -o sanitized.so
library="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $PWD/sanitized.so"
traced s.trace env ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 "$bin/posix_program" 2000 counts 2>err || { cat err; fail "address sanitizer"; }
[ ! -s err ] || { cat err; fail "address sanitizer"; }
check s.trace counts "$switches"
library=$BUILD/lib/libwallfly_posix.so
gcc -O1 -g -fsanitize=thread "$sources/program.c" -o tsan -pthread
traced t.trace env TSAN_OPTIONS=exitcode=0 ./tsan 2000 counts 2>err
check t.trace counts "$switches"
# The program unlocks mutexes that it does not hold, to be refused; no other warning, also none about wallfly.
[ "$(grep -c '^WARNING' err)" = "$(grep -c 'WARNING.*unlock of an unlocked mutex' err)" ] || { cat err; fail "thread sanitizer"; }
