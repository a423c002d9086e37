# The patch for Atomthreads applies to its context lines, equals the README, and the inserted lines compile. (The
# kernel's sources are not here: the files are built from those lines.)
port=$SRC/ports/rtos/atomthreads
mkdir tree
python3 "$SRC/tests/ports/atomthreads_patch.py" "$port/atomthreads.patch" "$port/README.md" tree
(cd tree && patch -p1 --fuzz=0 <"$port/atomthreads.patch" >../log) || { cat log; exit 1; }
grep -qE 'fuzz|offset|FAILED' log && { cat log; exit 1; }
[ "$(cat tree/kernel/*.c | grep -c 'WF_ATOM_')" = 34 ]
[ "$(cat tree/kernel/*.c | grep -c '#include "wf_atomthreads.h"')" = 5 ]
# A patch that does not apply is detected.
sed -i 's/CRITICAL_START/CRITICAL_BEGIN/' tree/kernel/atomkernel.c
(cd tree && patch -p1 -R --fuzz=0 --dry-run <"$port/atomthreads.patch" >../log) && { echo "applies to anything"; exit 1; }

cat >calls.h <<'H'
#include "atom.h"
#include "wf_atomthreads.h"
static ATOM_TCB *tcbReadyQ, tcb, *old_tcb = &tcb, *new_tcb = &tcb, *tcb_ptr = &tcb, **tcb_queue_ptr = &tcbReadyQ;
static int atomIntCnt;
static uint8_t timer_tick, status, initial_count;
static uint32_t max_num_msgs;
static struct { uint8_t count; } a_mutex, *mutex = &a_mutex, a_sem, *sem = &a_sem;
static struct { uint32_t num_msgs_stored; } a_queue, *qptr = &a_queue;
ATOM_TCB *atomCurrentContext(void);
H
for options in -DWF_CFG_ON=1 -DWF_CFG_SLOTS=1 -DWF_CFG_ON=0; do
    gcc -std=c99 -Wall -Wextra -Werror -Wno-unused $options -I. -I"$SRC/tests/ports/rtos/atomthreads" -I"$SRC/tests/ports/rtos/port" \
        -I"$port" -I"$SRC/target/include" -I"$SRC/schema" -c tree/calls.c -o calls.o
done
