// SPDX-License-Identifier: MIT
// Queues, semaphores, mutexes, notifications, timers, event groups, memory. Counts are those after
// the call. A notification is a condition whose key is that of its task: it has no count.

#include "wfi_tracerecorder.h"

static const uint64_t heap_key = UINT64_C(0xFFFFFFFE00000000); // if the recorder has none

struct rows {
    enum wfi_row create, remove, put, get, wait, timeout, refused;
};

static const struct rows rows[WFI_TR_KINDS] = {
    [WFI_TR_QUEUE] = {WFI_ROW_queue_create, WFI_ROW_queue_delete, WFI_ROW_queue_send,
                      WFI_ROW_queue_receive, WFI_ROW_queue_receive_wait, WFI_ROW_queue_timeout,
                      WFI_ROW_queue_receive_refused},
    [WFI_TR_SEMA] = {WFI_ROW_sema_create, WFI_ROW_sema_delete, WFI_ROW_sema_give, WFI_ROW_sema_take,
                     WFI_ROW_sema_wait, WFI_ROW_sema_timeout, WFI_ROW_sema_refused},
    [WFI_TR_MUTEX] = {WFI_ROW_mutex_create, WFI_ROW_mutex_delete, WFI_ROW_mutex_give,
                      WFI_ROW_mutex_take, WFI_ROW_mutex_wait, WFI_ROW_mutex_timeout,
                      WFI_ROW_mutex_refused},
    [WFI_TR_NOTIFICATION] = {WFI_ROW_cond_create, WFI_ROW_flags_delete, WFI_ROW_cond_give,
                             WFI_ROW_cond_take, WFI_ROW_cond_wait, WFI_ROW_flags_timeout,
                             WFI_ROW_flags_refused},
};

static uint64_t key_of(struct wfi_import *im, const struct wfi_tr_event *e) {
    return wfi_tr_word(im->state, e, 0);
}

// The count after the call is the last word.
static uint64_t count_of(struct wfi_import *im, const struct wfi_tr_event *e) {
    return wfi_tr_word(im->state, e, e->n - 1) & UINT32_MAX;
}

static void emit(struct wfi_import *im, enum wfi_row row, uint64_t key, uint64_t value) {
    wfi_import_record(im, row, (const uint64_t[]){key, value});
}

// A call from an interrupt, also from one that is not recorded: not by the running task.
static void emit_from_irq(struct wfi_import *im, enum wfi_row row, uint64_t key, uint64_t value) {
    struct wfi_import_core *c = &im->cores[im->core];
    unsigned irqs = c->irqs;
    if (!irqs) c->irqs = 1;
    emit(im, row, key, value);
    c->irqs = irqs;
}

// ---- create and delete

void wfi_tr_on_create(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    struct wfi_tr_handle *h = wfi_tr_handle(im, key_of(im, e));
    uint64_t state = wfi_tr_word(t, e, 1) & UINT32_MAX;
    h->kind = e->row->kind;
    h->fresh = h->kind == WFI_TR_MUTEX;
    h->depth = 0;
    h->period = e->n > 1 ? (int64_t)state : -1;
    switch (h->kind) {
    case WFI_TR_TIMER: emit(im, WFI_ROW_timer_create, h->key, state); break;
    case WFI_TR_GROUP: emit(im, WFI_ROW_flags_create, h->key, 0); break;
    case WFI_TR_STREAM: wfi_tr_keep(im, e, "stream buffer create"); break;
    default: emit(im, rows[h->kind].create, h->key, state);
    }
    wfi_tr_repeat_name(im, h);
}

void wfi_tr_on_delete(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, key_of(im, e));
    switch (e->row->kind) {
    case WFI_TR_TIMER: emit(im, WFI_ROW_timer_delete, h->key, 0); break;
    case WFI_TR_GROUP: emit(im, WFI_ROW_flags_delete, h->key, 0); break;
    case WFI_TR_STREAM: wfi_tr_keep(im, e, "stream buffer delete"); break;
    default: emit(im, rows[e->row->kind].remove, h->key, 0);
    }
    h->kind = WFI_TR_NONE;
    h->stale = true;
    h->depth = 0;
}

// ---- send, give

static void give_mutex(struct wfi_import *im, uint64_t key) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, key);
    bool fresh = h->fresh;
    h->fresh = false;
    h->depth = 0;
    if (!fresh) emit(im, WFI_ROW_mutex_give, key, 0); // the kernel gives a new mutex once
}

void wfi_tr_on_put(struct wfi_import *im, const struct wfi_tr_event *e) {
    uint64_t key = key_of(im, e);
    wfi_tr_acts(im);
    switch (e->row->kind) {
    case WFI_TR_MUTEX: give_mutex(im, key); return;
    case WFI_TR_NOTIFICATION: emit(im, WFI_ROW_cond_give, key, 1); return;
    default:
        if (e->n > 1)
            emit(im, rows[e->row->kind].put, key, count_of(im, e));
        else
            wfi_tr_keep(im, e, e->row->name);
    }
}

void wfi_tr_on_put_irq(struct wfi_import *im, const struct wfi_tr_event *e) {
    if (e->row->kind == WFI_TR_NOTIFICATION)
        emit_from_irq(im, WFI_ROW_cond_give, key_of(im, e), 1);
    else if (e->n > 1)
        emit_from_irq(im, rows[e->row->kind].put, key_of(im, e), count_of(im, e));
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_put_fail(struct wfi_import *im, const struct wfi_tr_event *e) {
    uint64_t key = key_of(im, e);
    bool known, waited = wfi_tr_waited(im, key, &known);
    wfi_tr_acts(im);
    if (e->row->kind == WFI_TR_QUEUE && known)
        emit(im, waited ? WFI_ROW_queue_timeout : WFI_ROW_queue_send_refused, key, 0);
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_put_irq_fail(struct wfi_import *im, const struct wfi_tr_event *e) {
    if (e->row->kind == WFI_TR_QUEUE)
        emit_from_irq(im, WFI_ROW_queue_send_refused, key_of(im, e), 0);
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_put_wait(struct wfi_import *im, const struct wfi_tr_event *e) {
    wfi_tr_waits(im, key_of(im, e));
    if (e->row->kind == WFI_TR_QUEUE)
        emit(im, WFI_ROW_queue_send_wait, key_of(im, e), 0);
    else
        wfi_tr_keep(im, e, e->row->name);
}

// ---- receive, take

void wfi_tr_on_get(struct wfi_import *im, const struct wfi_tr_event *e) {
    uint64_t key = key_of(im, e);
    wfi_tr_acts(im);
    if (e->row->kind == WFI_TR_MUTEX) {
        struct wfi_tr_handle *h = wfi_tr_handle(im, key);
        const struct wfi_tr *t = im->state;
        h->fresh = false;
        h->holder = wfi_import_actor(im);
        h->depth = h->holder ? 1 : 0;
        h->epoch = t->epoch;
        emit(im, WFI_ROW_mutex_take, key, 1);
    } else if (e->row->kind == WFI_TR_NOTIFICATION) {
        emit(im, WFI_ROW_cond_take, key, 0);
    } else if (e->n > 1) {
        emit(im, rows[e->row->kind].get, key, count_of(im, e));
    } else {
        wfi_tr_keep(im, e, e->row->name);
    }
}

void wfi_tr_on_get_irq(struct wfi_import *im, const struct wfi_tr_event *e) {
    if (e->n > 1)
        emit_from_irq(im, rows[e->row->kind].get, key_of(im, e), count_of(im, e));
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_get_fail(struct wfi_import *im, const struct wfi_tr_event *e) {
    uint64_t key = key_of(im, e);
    bool known, waited = wfi_tr_waited(im, key, &known);
    wfi_tr_acts(im);
    if (known && (waited || e->row->kind != WFI_TR_NOTIFICATION))
        emit(im, waited ? rows[e->row->kind].timeout : rows[e->row->kind].refused, key, 0);
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_get_irq_fail(struct wfi_import *im, const struct wfi_tr_event *e) {
    emit_from_irq(im, rows[e->row->kind].refused, key_of(im, e), 0);
}

void wfi_tr_on_get_wait(struct wfi_import *im, const struct wfi_tr_event *e) {
    wfi_tr_waits(im, key_of(im, e));
    emit(im, rows[e->row->kind].wait, key_of(im, e), 0);
}

// The events of a recursive mutex are those of calls. The first take and the last give have those
// of a mutex besides: only between them the depth is known.
static bool is_depth_known(struct wfi_import *im, const struct wfi_tr_handle *h) {
    const struct wfi_tr *t = im->state;
    return h->depth && h->epoch == t->epoch && h->holder == wfi_import_actor(im);
}

void wfi_tr_on_recursive_take(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, key_of(im, e));
    if (!is_depth_known(im, h) || h->depth == UINT8_MAX) {
        wfi_tr_keep(im, e, e->row->name);
        return;
    }
    wfi_tr_acts(im);
    emit(im, WFI_ROW_mutex_take, h->key, ++h->depth);
}

void wfi_tr_on_recursive_give(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, key_of(im, e));
    if (!is_depth_known(im, h) || h->depth < 2) {
        wfi_tr_keep(im, e, e->row->name);
        return;
    }
    wfi_tr_acts(im);
    emit(im, WFI_ROW_mutex_give, h->key, --h->depth);
}

// ---- event groups, stream buffers, timers

void wfi_tr_on_wait(struct wfi_import *im, const struct wfi_tr_event *e) {
    uint64_t bits = wfi_tr_word(im->state, e, 1) & UINT32_MAX;
    wfi_tr_waits(im, key_of(im, e));
    if (e->row->kind == WFI_TR_GROUP)
        emit(im, WFI_ROW_flags_wait, key_of(im, e), bits);
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_timer_start(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr_handle *h = wfi_tr_handle(im, key_of(im, e));
    if (h->kind == WFI_TR_TIMER && h->period >= 0)
        emit(im, WFI_ROW_timer_start, h->key, (uint64_t)h->period);
    else
        wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_timer_stop(struct wfi_import *im, const struct wfi_tr_event *e) {
    emit(im, WFI_ROW_timer_stop, key_of(im, e), 0);
}

void wfi_tr_on_timer_expire(struct wfi_import *im, const struct wfi_tr_event *e) {
    emit(im, WFI_ROW_timer_expire, key_of(im, e), 0);
}

// ---- memory

static uint64_t heap_of(struct wfi_import *im) {
    struct wfi_tr *t = im->state;
    if (!t->heap) {
        t->heap = heap_key;
        wfi_import_name(im, heap_key, "heap", 4);
    }
    return t->heap;
}

void wfi_tr_on_heap(struct wfi_import *im, const struct wfi_tr_event *e) {
    struct wfi_tr *t = im->state;
    if (!t->heap) t->heap = key_of(im, e);
    wfi_tr_keep(im, e, e->row->name);
}

void wfi_tr_on_alloc(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    uint64_t block = wfi_tr_word(t, e, 0), size = wfi_tr_word(t, e, 1) & UINT32_MAX;
    if (block)
        WFI_IMPORT(im, heap_alloc, heap_of(im), block, size);
    else
        WFI_IMPORT(im, heap_refused, heap_of(im), size);
}

void wfi_tr_on_free(struct wfi_import *im, const struct wfi_tr_event *e) {
    const struct wfi_tr *t = im->state;
    uint64_t block = wfi_tr_word(t, e, 0), size = wfi_tr_word(t, e, 1) & UINT32_MAX;
    WFI_IMPORT(im, heap_free, heap_of(im), block, size);
}
