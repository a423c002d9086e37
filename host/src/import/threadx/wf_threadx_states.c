// SPDX-License-Identifier: MIT
// Events of the kernel itself: threads suspended and resumed, interrupts. A call that waits is
// followed by the SUSPEND of its thread; when another call ends the wait, the RESUME follows that
// call in the same context. A RESUME without such a call is that of a timeout.

#include "wfi_threadx.h"

enum { ADJACENT = 4 }; // events between a call and the RESUME of a thread whose wait is not known

static bool is_running(const struct wfi_import *im, uint32_t thread) {
    return im->cores[0].known && im->cores[0].task == thread;
}

// Emits a record of a thread that need not run, and not in an interrupt.
static void record_by(struct wfi_import *im, uint32_t thread, enum wfi_row row, uint64_t object,
                      uint64_t value) {
    struct wfi_import_core *c = &im->cores[0];
    const bool known = c->known;
    const uint64_t task = c->task;
    const unsigned irqs = c->irqs;
    c->known = true;
    c->task = thread;
    c->irqs = 0;
    wfi_import_record(im, row, (const uint64_t[]){object, value});
    c->known = known;
    c->task = task;
    c->irqs = irqs;
}

// ---- the end of a wait

// The state of threads that wait for what a call passes on.
static unsigned served_by(uint32_t id) {
    switch (id) {
    case TXI_QUEUE_FRONT_SEND:
    case TXI_QUEUE_SEND:
    case TXI_QUEUE_RECEIVE: return TXI_QUEUE_SUSP;
    case TXI_SEMAPHORE_PUT:
    case TXI_SEMAPHORE_CEILING_PUT: return TXI_SEMAPHORE_SUSP;
    case TXI_FLAGS_SET: return TXI_FLAGS_SUSP;
    case TXI_MUTEX_PUT: return TXI_MUTEX_SUSP;
    default: return 0;
    }
}

// The wait of t ends as `call` passes its object on to t.
static void take_over(struct wfi_import *im, const struct wfi_threadx_entity *t, bool known,
                      const struct wfi_threadx_call *call) {
    bool sends = call->id == TXI_QUEUE_RECEIVE;
    switch (served_by(call->id)) {
    case TXI_QUEUE_SUSP:
        if (known && t->tries_to_send != sends) return;
        record_by(im, t->key, sends ? WFI_ROW_queue_send : WFI_ROW_queue_receive, call->object,
                  call->count);
        break;
    case TXI_SEMAPHORE_SUSP:
        record_by(im, t->key, WFI_ROW_sema_take, call->object, call->count);
        break;
    case TXI_FLAGS_SUSP:
        if (known) record_by(im, t->key, WFI_ROW_flags_take, call->object, t->bits);
        break;
    default: record_by(im, t->key, WFI_ROW_mutex_take, call->object, 1);
    }
}

static void time_out(struct wfi_import *im, const struct wfi_threadx_entity *t) {
    static const enum wfi_row rows[] = {
        [TXI_QUEUE_SUSP] = WFI_ROW_queue_timeout, [TXI_SEMAPHORE_SUSP] = WFI_ROW_sema_timeout,
        [TXI_FLAGS_SUSP] = WFI_ROW_flags_timeout, [TXI_BLOCK_SUSP] = WFI_ROW_heap_timeout,
        [TXI_BYTE_SUSP] = WFI_ROW_heap_timeout,   [TXI_MUTEX_SUSP] = WFI_ROW_mutex_timeout,
    };
    record_by(im, t->key, rows[t->tries], t->tried, 0);
}

static void end_wait(struct wfi_import *im, struct wfi_threadx_entity *t,
                     const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_call *call = &x->call[e->context == TXI_ISR];
    const uint32_t state = e->info[1];
    bool known = t->waits && t->tries == state && t->waits_since >= x->forgets;
    bool here = call->id && call->context == e->context && call->index >= x->forgets;
    bool after = here && (known ? call->index > t->waits_since : true);
    bool fits = known ? call->object == t->tried : e->index - call->index <= ADJACENT;
    if (after && fits && call->resumes && served_by(call->id) == state) {
        --call->resumes;
        take_over(im, t, known, call);
    } else if (known && t->ticks != TXI_FOREVER &&
               !(after && (call->object == t->tried || call->object == t->key))) {
        time_out(im, t);
    }
    t->waits = false;
    t->tries = 0;
}

static void create_again(struct wfi_import *im, struct wfi_threadx_entity *t) {
    t->ended = false;
    WFI_IMPORT(im, task_create, t->key, (uint64_t)(t->prio < 0 ? WF_PRIO_UNKNOWN : t->prio));
    wfi_threadx_name(im, t);
}

// An interrupt that records no begin is shown at each of its events; not if only a switch follows.
static void make_ready(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx_entity *t = wfi_threadx_entity(im->state, e->info[0]);
    const struct wfi_threadx *x = im->state;
    bool bare = e->context == TXI_ISR && !im->cores[0].irqs;
    bool at_once = bare && x->heir == e->info[0] && wfi_threadx_run_due(im, e);
    if (t && t->ended) create_again(im, t);
    if (bare && !at_once) wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
    if (t) end_wait(im, t, e);
    if (!at_once) WFI_IMPORT(im, task_ready, e->info[0]);
    if (bare && !at_once) wfi_import_irq_exit(im);
}

void wfi_threadx_resume(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    if (is_running(im, e->info[0])) x->leave = 0; // it was suspended, but has not left
    // Older recorders leave the next thread out.
    if (e->info[3]) wfi_threadx_run_next(im, e->info[3], WF_REASON_preempted);
    if (e->info[0] && e->info[1] != TXI_PRIORITY_CHANGE) make_ready(im, e);
    wfi_threadx_run_heir(im, e);
}

// ---- the begin of a wait

static unsigned reason_of(uint32_t state) {
    switch (state) {
    case TXI_COMPLETED:
    case TXI_TERMINATED: return WF_REASON_ended;
    case TXI_SUSPENDED: return WF_REASON_suspended;
    case TXI_SLEEP: return WF_REASON_delayed;
    case TXI_READY:
    case TXI_PRIORITY_CHANGE: return WF_REASON_unknown; // moves between lists of ready threads
    default: return WF_REASON_blocked;
    }
}

static void begin_wait(struct wfi_import *im, struct wfi_threadx_entity *t,
                       const struct wfi_threadx_event *e) {
    t->waits = t->tries && t->tries == e->info[1];
    t->waits_since = e->index;
    if (!t->waits) return;
    switch (t->tries) {
    case TXI_QUEUE_SUSP:
        record_by(im, t->key,
                  t->tries_to_send ? WFI_ROW_queue_send_wait : WFI_ROW_queue_receive_wait, t->tried,
                  0);
        break;
    case TXI_SEMAPHORE_SUSP: record_by(im, t->key, WFI_ROW_sema_wait, t->tried, 0); break;
    case TXI_FLAGS_SUSP: record_by(im, t->key, WFI_ROW_flags_wait, t->tried, t->bits); break;
    case TXI_MUTEX_SUSP: record_by(im, t->key, WFI_ROW_mutex_wait, t->tried, 0); break;
    default: record_by(im, t->key, WFI_ROW_heap_wait, t->tried, 0);
    }
}

void wfi_threadx_suspend(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    const uint32_t thread = e->info[0];
    struct wfi_threadx_entity *t = wfi_threadx_entity(x, thread);
    unsigned reason = reason_of(e->info[1]);
    if (t && e->context == thread) begin_wait(im, t, e);
    if (t && reason == WF_REASON_suspended) WFI_IMPORT(im, task_suspend, thread);
    if (t && reason == WF_REASON_ended) {
        WFI_IMPORT(im, task_delete, thread);
        t->ended = true;
    }
    if (is_running(im, thread)) x->leave = (uint8_t)reason;
    wfi_threadx_run_next(im, e->info[3], WF_REASON_preempted);
    wfi_threadx_run_heir(im, e);
}

// ---- all events

static void enter_irq(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const struct wfi_threadx *x = im->state;
    bool known = x->irq_numbers && e->info[1] < WF_IRQ_UNKNOWN;
    wfi_import_irq_enter(im, known ? (uint16_t)e->info[1] : WF_IRQ_UNKNOWN);
}

static void take_call(struct wfi_import *im, const struct wfi_threadx_event *e) {
    bool bare = e->context == TXI_ISR && !im->cores[0].irqs;
    if (bare) wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
    wfi_threadx_call(im, e);
    if (bare) wfi_import_irq_exit(im);
}

void wfi_threadx_take(struct wfi_import *im, const struct wfi_threadx_event *e) {
    wfi_threadx_run_context(im, e);
    switch (e->id) {
    case TXI_RESUME: wfi_threadx_resume(im, e); break;
    case TXI_SUSPEND: wfi_threadx_suspend(im, e); break;
    case TXI_ISR_ENTER: enter_irq(im, e); break;
    case TXI_ISR_EXIT:
        wfi_import_irq_exit(im);
        wfi_threadx_run_heir(im, e);
        break;
    case TXI_TIME_SLICE:
        if (e->info[0]) wfi_threadx_run_next(im, e->info[0], WF_REASON_sliced);
        wfi_threadx_run_heir(im, e);
        break;
    case TXI_RUNNING: break;
    case TXI_THREAD_RELINQUISH:
        take_call(im, e);
        if (e->info[1]) wfi_threadx_run_next(im, e->info[1], WF_REASON_yielded);
        wfi_threadx_run_heir(im, e);
        break;
    default: take_call(im, e);
    }
}
