// SPDX-License-Identifier: MIT
// Queues, and what FreeRTOS makes of queues: semaphores and mutexes. An event for a queue whose
// kind is not known (its record is lost) keeps its own name.

#include "wfi_tonband.h"

enum { QUEUE, COUNTING, BINARY, MUTEX, RECURSIVE, SET };

static bool is_mutex(const struct wfi_tonband_entity *q) {
    return q->kind == MUTEX || q->kind == RECURSIVE;
}

static bool is_semaphore(const struct wfi_tonband_entity *q) {
    return q->kind == COUNTING || q->kind == BINARY;
}

// The create is recorded before the kind and the length.
static void create(struct wfi_import *im, struct wfi_tonband_entity *q, bool length_known,
                   uint64_t length) {
    q->created = false;
    if (is_mutex(q)) {
        q->is_new = true;
        WFI_IMPORT(im, mutex_create, q->key);
    } else if (!is_semaphore(q)) {
        WFI_IMPORT(im, queue_create, q->key, 0);
    } else if (length_known) {
        WFI_IMPORT(im, sema_create, q->key, length);
    }
}

static void put(struct wfi_import *im, struct wfi_tonband_entity *q,
                const struct wfi_tonband_event *e) {
    bool is_new = q->is_new;
    q->is_new = false;
    if (is_semaphore(q))
        WFI_IMPORT(im, sema_give, q->key, e->value[1]);
    else if (!is_mutex(q))
        WFI_IMPORT(im, queue_send, q->key, e->value[1]);
    else if (!is_new) // FreeRTOS makes a new mutex free by a give
        WFI_IMPORT(im, mutex_give, q->key, 0);
}

static void get(struct wfi_import *im, struct wfi_tonband_entity *q,
                const struct wfi_tonband_event *e) {
    q->is_new = false;
    if (is_semaphore(q))
        WFI_IMPORT(im, sema_take, q->key, e->value[1]);
    else if (is_mutex(q))
        WFI_IMPORT(im, mutex_take, q->key, 1);
    else
        WFI_IMPORT(im, queue_receive, q->key, e->value[1]);
}

static void wait(struct wfi_import *im, const struct wfi_tonband_entity *q, bool to_send) {
    struct wfi_tonband *t = im->state;
    t->leave[im->core] = WF_REASON_blocked;
    if (is_semaphore(q))
        WFI_IMPORT(im, sema_wait, q->key);
    else if (is_mutex(q))
        WFI_IMPORT(im, mutex_wait, q->key);
    else if (to_send)
        WFI_IMPORT(im, queue_send_wait, q->key);
    else
        WFI_IMPORT(im, queue_receive_wait, q->key);
}

static void take_call(struct wfi_import *im, struct wfi_tonband_entity *q,
                      const struct wfi_tonband_event *e) {
    switch (e->id) {
    case TBI_QUEUE_SEND:
    case TBI_QUEUE_SEND_ISR:
    case TBI_QUEUE_OVERWRITE:
    case TBI_QUEUE_OVERWRITE_ISR: put(im, q, e); break;
    case TBI_QUEUE_RECEIVE:
    case TBI_QUEUE_RECEIVE_ISR: get(im, q, e); break;
    case TBI_BLOCK_SEND: wait(im, q, true); break;
    case TBI_BLOCK_PEEK:
    case TBI_BLOCK_RECEIVE: wait(im, q, false); break;
    default: wfi_tonband_plain(im, e);
    }
}

// A call from an interrupt that is not marked shows one of unknown number.
static void take_known(struct wfi_import *im, struct wfi_tonband_entity *q,
                       const struct wfi_tonband_event *e) {
    bool from_isr = e->id == TBI_QUEUE_SEND_ISR || e->id == TBI_QUEUE_OVERWRITE_ISR ||
                    e->id == TBI_QUEUE_RECEIVE_ISR;
    bool bare = from_isr && !im->cores[im->core].irqs;
    bool length = e->id == TBI_QUEUE_LENGTH, created = q->created;
    if (created) create(im, q, length, e->value[1]);
    if (created && length) return;
    if (bare) wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
    take_call(im, q, e);
    if (bare) wfi_import_irq_exit(im);
}

void wfi_tonband_take_queue(struct wfi_import *im, const struct wfi_tonband_event *e) {
    struct wfi_tonband *t = im->state;
    struct wfi_tonband_entity *q = wfi_tonband_entity(im, TBI_QUEUE, e->value[0], 0);
    if (!q) {
        wfi_tonband_plain(im, e);
        return;
    }
    switch (e->id) {
    case TBI_QUEUE_CREATED:
        q->created = true;
        q->kind = -1;
        break;
    case TBI_QUEUE_NAME: wfi_import_name(im, q->key, e->text, e->len); break;
    case TBI_QUEUE_KIND:
        if (e->value[1] <= SET) q->kind = (int)e->value[1];
        break;
    default:
        if (q->kind >= 0) {
            take_known(im, q, e);
            break;
        }
        if (e->id >= TBI_BLOCK_PEEK && e->id <= TBI_BLOCK_RECEIVE)
            t->leave[im->core] = WF_REASON_blocked;
        wfi_tonband_plain(im, e);
    }
}
