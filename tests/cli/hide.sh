#!/bin/sh
# --hide and --hide-as: records of hidden tasks are left out, switches through them appear as one; wrong options are
# reported, and so is a task that is not in the trace.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
cat >tasks.c <<'END'
#include <stdio.h>
#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"
static uint8_t ring[1 << 16];
static int a, b, idle, mutex;
int main(void) {
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    WF_TASK_CREATE(&idle, 0, "idle");
    WF_TASK_CREATE(&a, 5, "a");
    WF_TASK_CREATE(&b, 6, "b");
    WF_TASK_SWITCH(NULL, &a, WF_SWITCH_unknown);
    WF_TASK_SWITCH(&a, &idle, WF_SWITCH_delayed);
    WF_BY_N(mutex_take, &mutex, &idle, 1);
    WF_TASK_SWITCH(&idle, &b, WF_SWITCH_preempted);
    WF_TASK_SWITCH(&b, &idle, WF_SWITCH_blocked);
    WF_TASK_SWITCH(&idle, &b, WF_SWITCH_preempted);
    WF_TASK_SWITCH(&b, &a, WF_SWITCH_ended);
    fprintf(stderr, "%p\n", (void *)&b);
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
    return 0;
}
END
gcc -std=c11 -D_GNU_SOURCE -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/ports/arch/host" tasks.c "$SRC"/target/src/*.c \
    "$SRC"/ports/arch/host/*.c -pthread -o tasks
./tasks >t.bin 2>address

shown() { "$WALLFLY" print -q "$@" t.bin | cut -c19- | grep -v '^[A-Z]* *\(target_info\|sync\|empty\|obj_dict\)' | sed 's/^[A-Z]* *[a-z_]* *//'; }
check() { shown "$@" >got; diff want got; }

cat >want <<'END'
a is created, priority 5
b is created, priority 6
a runs on core 0, the one before left
b runs on core 0, the one before sleeps
a runs on core 0, the one before ended
END
check --hide=idle
check --hide=prio:0
check --hide=prio:-4..3
check --hide=idle --hide-as=published
"$WALLFLY" convert --hide=idle --to=text t.bin >text
[ "$(grep -c ' runs on core ' text)" = 3 ]

cat >want <<'END'
a is created, priority 5
b is created, priority 6
a runs on core 0, the one before left
none runs on core 0, the one before sleeps
b runs on core 0, the one before was preempted
none runs on core 0, the one before waits
b runs on core 0, the one before was preempted
a runs on core 0, the one before ended
END
shown --hide=idle --hide-as=gap | sed 's/^[^ ]* runs on core 0, the one before \(sleeps\|waits\)$/none runs on core 0, the one before \1/' >got
diff want got
cat >want <<'END'
idle is created, priority 0
a is created, priority 5
a runs on core 0, the one before left
idle runs on core 0, the one before sleeps
END
shown "--hide=$(cat address)" | head -n 4 >got
diff want got
cat >want <<'END'
b is created, priority 6
b runs on core 0, the one before was preempted
END
check --hide=idle,a

# An unknown name is reported; invalid options are errors.
"$WALLFLY" print -q --hide=idel t.bin 2>err | grep -q 'idle is created'
grep -qx "wallfly: t.bin: --hide: there is no task 'idel'" err
fails 2 '^wallfly: --hide' print --hide= t.bin
fails 2 '^wallfly: --hide' print --hide=idle,,a t.bin
fails 2 '^wallfly: --hide' print --hide=prio:x t.bin
fails 2 '^wallfly: --hide' print --hide=prio:5..3 t.bin
fails 2 '^wallfly: --hide' print --hide=0x t.bin
fails 2 '^wallfly: --hide' print --hide=0x12zz t.bin
fails 2 '^wallfly: --hide' print --hide-as=gap t.bin
fails 2 '^wallfly: --hide' print --hide=idle --hide-as=direct t.bin
fails 2 '^wallfly: --hide' print --hide=idle --style=qspy t.bin
fails 2 '^wallfly: --hide' convert --hide=idle --to=mat t.bin

# Many tasks, as a damaged or hostile trace may have: each costs as much as the first.
cat >many.py <<'END'
import os, random, subprocess, sys
random.seed(1)
with open('many.txt', 'w') as f:
    for t in range(200000): f.write('p %d JR %x\n' % (t, random.getrandbits(32) | 1))
def user(*options):
    before = os.times().children_user
    subprocess.run([sys.argv[1], 'print', '-q', *options, 'many.txt'], stdout=subprocess.DEVNULL, check=True)
    return os.times().children_user - before
plain, hidden = user(), user('--hide=prio:1')
assert hidden < 6 * plain + 0.1, 'hiding takes %.2f s, without it %.2f s' % (hidden, plain)
END
python3 many.py "$WALLFLY" 2>err || { cat err; exit 1; }
