// SPDX-License-Identifier: MIT
// Calls of services. They are recorded at the start, with the state of the object before: that
// shows the result of most. A put with a waiter counts as a give and a take, as in wallfly's own
// records (schema/wf_schema.h). A call whose result is not known is an event of its own name.

#include "wfi_threadx.h"

enum { OPTION_AND = 2 }; // of event flags

// Notes the call as one after which `resumes` threads may be resumed.
static struct wfi_threadx_call *note_call(struct wfi_threadx *x, const struct wfi_threadx_event *e,
                                          unsigned resumes, uint32_t count) {
    struct wfi_threadx_call *c = &x->call[e->context == TXI_ISR];
    *c = (struct wfi_threadx_call){e->context, e->id, e->info[0], e->index, count, resumes};
    return c;
}

// Notes that the caller waits if its SUSPEND follows.
static void note_try(struct wfi_threadx *x, const struct wfi_threadx_event *e, unsigned state,
                     uint32_t ticks) {
    struct wfi_threadx_entity *t = x->thread;
    if (!t) return;
    t->tries = (uint8_t)state;
    t->tries_to_send = false;
    t->tried = e->info[0];
    t->ticks = ticks;
    t->bits = 0;
}

// ---- mutexes

static void get_mutex(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t mutex = e->info[0], ticks = e->info[1], owner = e->info[2], depth = e->info[3];
    if (!owner || !depth)
        WFI_IMPORT(im, mutex_take, mutex, 1);
    else if (owner == e->context)
        WFI_IMPORT(im, mutex_take, mutex, depth < UINT8_MAX ? depth + 1 : UINT8_MAX);
    else if (ticks)
        note_try(im->state, e, TXI_MUTEX_SUSP, ticks);
    else
        WFI_IMPORT(im, mutex_refused, mutex);
}

static void put_mutex(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t owner = e->info[1], depth = e->info[2];
    note_call(im->state, e, depth == 1, 0);
    if (depth && owner == e->context)
        WFI_IMPORT(im, mutex_give, e->info[0], depth <= UINT8_MAX ? depth - 1 : UINT8_MAX);
    else
        wfi_threadx_plain(im, e); // refused, or by the kernel for a thread that has ended
}

// ---- semaphores

static void get_semaphore(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t semaphore = e->info[0], ticks = e->info[1], count = e->info[2];
    if (count)
        WFI_IMPORT(im, sema_take, semaphore, count - 1);
    else if (ticks)
        note_try(im->state, e, TXI_SEMAPHORE_SUSP, ticks);
    else
        WFI_IMPORT(im, sema_refused, semaphore);
}

static void put_semaphore(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t count = e->info[1], waiting = e->info[2];
    bool ceiling = e->id == TXI_SEMAPHORE_CEILING_PUT;
    note_call(im->state, e, waiting != 0, count);
    if (ceiling && !waiting && count >= e->info[3])
        wfi_threadx_plain(im, e); // refused
    else
        WFI_IMPORT(im, sema_give, e->info[0], (uint64_t)count + 1);
}

// ---- queues

void wfi_threadx_note_queue(struct wfi_threadx_entity *q, const struct wfi_threadx_event *e) {
    switch (e->id) {
    case TXI_QUEUE_DELETE:
    case TXI_QUEUE_FLUSH: q->erratic = true; break;
    case TXI_QUEUE_FRONT_SEND:
    case TXI_QUEUE_RECEIVE:
    case TXI_QUEUE_SEND:
        q->last = e->index;
        if (e->info[3] > q->most) q->most = e->info[3];
        break;
    default: break;
    }
}

enum outcome { UNKNOWN, DONE, WAITS, REFUSED };

// The capacity of a queue is not recorded. There was room if the queue is fuller at any other time.
// If it never is, and is used again, there was none: that use would show this message.
static enum outcome outcome_of_send(struct wfi_threadx *x, const struct wfi_threadx_event *e) {
    const struct wfi_threadx_entity *q = wfi_threadx_entity(x, e->info[0]);
    struct wfi_threadx_event next;
    if (!q) return UNKNOWN;
    if (e->info[3] < q->most && !q->erratic) return DONE;
    if (!wfi_threadx_next_own(x, e, &next)) return UNKNOWN;
    bool queue = next.info[1] == TXI_QUEUE_SUSP;
    if (queue && next.id == TXI_SUSPEND && next.info[0] == e->context) return WAITS;
    if (queue && next.id == TXI_RESUME) return DONE;
    if (e->info[2]) return DONE;
    return q->erratic || q->last == e->index ? UNKNOWN : REFUSED;
}

static void send(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    const uint32_t queue = e->info[0], level = e->info[3];
    struct wfi_threadx_entity *t = x->thread;
    switch (outcome_of_send(x, e)) {
    case DONE:
        note_call(x, e, 1, level);
        WFI_IMPORT(im, queue_send, queue, (uint64_t)level + 1);
        break;
    case WAITS:
        note_try(x, e, TXI_QUEUE_SUSP, e->info[2]);
        if (t) t->tries_to_send = true;
        break;
    case REFUSED: WFI_IMPORT(im, queue_send_refused, queue); break;
    default: wfi_threadx_plain(im, e);
    }
}

static void receive(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t queue = e->info[0], ticks = e->info[2], level = e->info[3];
    if (level) {
        note_call(im->state, e, 1, level);
        WFI_IMPORT(im, queue_receive, queue, level - 1);
    } else if (ticks) {
        note_try(im->state, e, TXI_QUEUE_SUSP, ticks);
    } else {
        WFI_IMPORT(im, queue_receive_refused, queue);
    }
}

// ---- event flags

static void get_flags(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t group = e->info[0], wanted = e->info[1], set = wanted & e->info[2];
    bool all = (e->info[3] & OPTION_AND) != 0;
    struct wfi_threadx *x = im->state;
    struct wfi_threadx_event next;
    struct wfi_threadx_entity *t = x->thread;
    if (all ? set == wanted : set != 0) {
        WFI_IMPORT(im, flags_take, group, wanted);
    } else if (!wfi_threadx_next_own(x, e, &next)) {
        wfi_threadx_plain(im, e);
    } else if (t && next.id == TXI_SUSPEND && next.info[1] == TXI_FLAGS_SUSP) {
        note_try(x, e, TXI_FLAGS_SUSP, 0); // the time to wait is not recorded
        t->bits = wanted;
    } else {
        WFI_IMPORT(im, flags_refused, group, wanted);
    }
}

static void set_flags(struct wfi_import *im, const struct wfi_threadx_event *e) {
    const uint32_t group = e->info[0], bits = e->info[1];
    note_call(im->state, e, e->info[3], 0);
    if (e->info[2] & OPTION_AND)
        WFI_IMPORT(im, flags_clear, group, (uint32_t)~bits);
    else
        WFI_IMPORT(im, flags_give, group, bits);
}

// ---- memory pools

// With the size of its blocks a block pool is a heap. Else it keeps its own events, and byte pools
// do: their releases have no size.
static void use_pool(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    const struct wfi_threadx_entity *pool = wfi_threadx_entity(x, e->info[0]);
    bool allocates = e->id == TXI_BLOCK_ALLOCATE || e->id == TXI_BYTE_ALLOCATE;
    bool block = e->id == TXI_BLOCK_ALLOCATE || e->id == TXI_BLOCK_RELEASE;
    uint32_t size = block && pool ? pool->block_size : 0;
    struct wfi_threadx_event next;
    unsigned state = block ? TXI_BLOCK_SUSP : TXI_BYTE_SUSP;
    if (allocates && wfi_threadx_next_own(x, e, &next) && next.id == TXI_SUSPEND &&
        next.info[1] == state)
        note_try(x, e, state, e->info[block ? 2 : 3]);
    else if (size && allocates && e->info[1] && (e->info[2] || e->info[3]))
        WFI_IMPORT(im, heap_alloc, e->info[0], e->info[1], size);
    else if (size && !allocates)
        WFI_IMPORT(im, heap_free, e->info[0], e->info[1], size);
    else
        wfi_threadx_plain(im, e);
}

// ---- create and delete

static void create_object(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx_entity *o = wfi_threadx_entity(im->state, e->info[0]);
    const uint64_t key = e->info[0];
    uint64_t words;
    switch (e->id) {
    case TXI_MUTEX_CREATE: WFI_IMPORT(im, mutex_create, key); break;
    case TXI_SEMAPHORE_CREATE: WFI_IMPORT(im, sema_create, key, e->info[1]); break;
    case TXI_FLAGS_CREATE: WFI_IMPORT(im, flags_create, key); break;
    case TXI_QUEUE_CREATE: // the size of a message in words, of the queue in bytes
        words = e->info[1];
        WFI_IMPORT(im, queue_create, key, words ? e->info[3] / (4 * words) : 0);
        break;
    case TXI_BLOCK_CREATE:
        WFI_IMPORT(im, heap_create, key, (uint32_t)((uint64_t)e->info[2] * e->info[3]));
        if (o) o->block_size = e->info[3];
        break;
    case TXI_BYTE_CREATE: WFI_IMPORT(im, heap_create, key, e->info[2]); break;
    default: // a thread; reset: it had ended
        if (o && e->info[1] <= TXI_PRIO_MAX && e->id == TXI_THREAD_CREATE)
            o->prio = (int16_t)e->info[1];
        WFI_IMPORT(im, task_create, key, (uint64_t)(o && o->prio >= 0 ? o->prio : WF_PRIO_UNKNOWN));
        if (o) o->ended = false;
    }
    if (o) wfi_threadx_name(im, o);
}

static void delete_object(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx_entity *o = wfi_threadx_entity(im->state, e->info[0]);
    const uint64_t key = e->info[0];
    note_call(im->state, e, 0, 0); // threads that wait are resumed without the object
    switch (e->id) {
    case TXI_MUTEX_DELETE: WFI_IMPORT(im, mutex_delete, key); break;
    case TXI_SEMAPHORE_DELETE: WFI_IMPORT(im, sema_delete, key); break;
    case TXI_FLAGS_DELETE: WFI_IMPORT(im, flags_delete, key); break;
    case TXI_QUEUE_DELETE: WFI_IMPORT(im, queue_delete, key); break;
    case TXI_THREAD_DELETE:
        if (!o || !o->ended) WFI_IMPORT(im, task_delete, key);
        if (o) o->ended = true;
        break;
    default: WFI_IMPORT(im, heap_delete, key);
    }
}

static void change_priority(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx_entity *t = wfi_threadx_entity(im->state, e->info[0]);
    if (!t || e->info[1] > TXI_PRIO_MAX) return;
    t->prio = (int16_t)e->info[1];
    WFI_IMPORT(im, task_priority, e->info[0], e->info[1]);
}

// ---- all calls

static void take_object_call(struct wfi_import *im, const struct wfi_threadx_event *e) {
    switch (e->id) {
    case TXI_BLOCK_ALLOCATE:
    case TXI_BLOCK_RELEASE:
    case TXI_BYTE_ALLOCATE:
    case TXI_BYTE_RELEASE: use_pool(im, e); break;
    case TXI_FLAGS_GET: get_flags(im, e); break;
    case TXI_FLAGS_SET: set_flags(im, e); break;
    case TXI_MUTEX_GET: get_mutex(im, e); break;
    case TXI_MUTEX_PUT: put_mutex(im, e); break;
    case TXI_QUEUE_FRONT_SEND:
    case TXI_QUEUE_SEND: send(im, e); break;
    case TXI_QUEUE_RECEIVE: receive(im, e); break;
    case TXI_SEMAPHORE_GET: get_semaphore(im, e); break;
    case TXI_SEMAPHORE_PUT:
    case TXI_SEMAPHORE_CEILING_PUT: put_semaphore(im, e); break;
    case TXI_BLOCK_CREATE:
    case TXI_BYTE_CREATE:
    case TXI_FLAGS_CREATE:
    case TXI_MUTEX_CREATE:
    case TXI_QUEUE_CREATE:
    case TXI_SEMAPHORE_CREATE:
    case TXI_THREAD_CREATE:
    case TXI_THREAD_RESET: create_object(im, e); break;
    case TXI_BLOCK_DELETE:
    case TXI_BYTE_DELETE:
    case TXI_FLAGS_DELETE:
    case TXI_MUTEX_DELETE:
    case TXI_QUEUE_DELETE:
    case TXI_SEMAPHORE_DELETE:
    case TXI_THREAD_DELETE: delete_object(im, e); break;
    case TXI_THREAD_PRIORITY_CHANGE: change_priority(im, e); break;
    default: wfi_threadx_plain(im, e);
    }
}

void wfi_threadx_call(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_threadx *x = im->state;
    if (e->id >= TXI_BLOCK_ALLOCATE && e->id <= TXI_SERVICE_LAST) {
        if (x->thread) x->thread->tries = 0;
        note_call(x, e, 0, 0);
    }
    if (e->info[0])
        take_object_call(im, e);
    else
        wfi_threadx_plain(im, e);
}
