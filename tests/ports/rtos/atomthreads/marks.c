// SPDX-License-Identifier: MIT
// Marks of stacks of Atomthreads in a simulated kernel.

#include "atom.h"
#include "marks_test.h"
#include "wf_atomthreads_marks.h"

static ATOM_TCB threads[3];

uint8_t atomThreadStackCheck(ATOM_TCB *tcb, uint32_t *used, uint32_t *unused) {
    ++looked;
    *used = tcb == threads ? 100 : 256;
    *unused = tcb == threads ? 156 : 0;
    return tcb == threads + 2 ? 201 : ATOM_OK;
}

static void run(void) {
    static const char *const names[] = {"main", "full", "wrong"};
    for (unsigned i = 0; i < 3; ++i) {
        WF_NAME(&threads[i], names[i]);
        wf_atom_stack_mark(&threads[i]);
    }
}
