// SPDX-License-Identifier: MIT
// Marks of stacks of ThreadX in a simulated kernel.

static void disable(void);
static void restore(void);
#define TX_DISABLE disable();
#define TX_RESTORE restore();
#include "tx_api.h"
#include "marks_test.h"
#include "wf_threadx_marks.h"

enum { THREADS = 3 };
static TX_THREAD threads[THREADS];
static ULONG stacks[THREADS][128];
static int disabled, deletes = -1;
TX_THREAD *_tx_thread_created_ptr;
ULONG _tx_thread_created_count;

// The next thread may be deleted while interrupts are enabled.
static void disable(void) {
    ++looked;
    if (deletes-- == 0) threads[1].tx_thread_id = 0;
    CHECK(++disabled == 1);
}
static void restore(void) { CHECK(--disabled == 0); }

static void make(void) {
    static const char *const names[THREADS] = {"main", "worker", "timer"};
    for (unsigned i = 0; i < THREADS; ++i) {
        threads[i].tx_thread_id = TX_THREAD_ID;
        threads[i].tx_thread_stack_start = stacks[i];
        threads[i].tx_thread_stack_highest_ptr = (char *)stacks[i] + 40 * i;
        threads[i].tx_thread_stack_size = 512;
        threads[i].tx_thread_created_next = &threads[(i + 1) % THREADS];
        WF_NAME(&threads[i], names[i]);
    }
    _tx_thread_created_ptr = threads;
    _tx_thread_created_count = THREADS;
}

static void run(void) {
    wf_threadx_stack_marks(); // no threads
    make();
    wf_threadx_stack_marks();
    deletes = looked ? 1 : -1;
    wf_threadx_stack_marks();
    CHECK(disabled == 0);
    _tx_thread_created_ptr = NULL;
    _tx_thread_created_count = 0;
}
