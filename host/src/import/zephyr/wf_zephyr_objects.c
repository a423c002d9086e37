// SPDX-License-Identifier: MIT
// Mutexes, semaphores and other objects. The events have neither the depth of a mutex nor the count
// of a semaphore. Both follow from the events where the state before is certain: a thread that
// blocks on a semaphore finds it at 0, one that gets a mutex after it has blocked holds it once.
// Elsewhere the event keeps its own name, so that no holder and no count is made up.

#include "wfi_zephyr.h"

enum { EAGAIN_ZEPHYR = -11 }; // the wait has timed out

static int64_t result_of(const struct wfi_zephyr_parsed *e) {
    return (int64_t)wfi_zephyr_get(e, ZEPHYR_RET);
}

// The thread of the event ends its wait for the object. Returns whether it had begun to wait.
static bool end_wait(struct wfi_import *im, struct wfi_zephyr_entity *t, uint64_t object) {
    bool waited = t->waits_on == object;
    if (t->counted) { // it was not made ready
        struct wfi_zephyr_entity *s = wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, t->waits_on);
        if (s->waiters) --s->waiters;
    }
    t->counted = false;
    t->waits_on = 0;
    t->cause = WF_REASON_unknown;
    return waited;
}

// ---- mutexes

static struct wfi_zephyr_entity *mutex_of(struct wfi_import *im, uint64_t key) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_entity *m = wfi_zephyr_entity_of(im, ZEPHYR_IS_MUTEX, key);
    // Before the scheduler ran, no thread could take it.
    if (!m->known && z->from_start && z->epoch == 0) m->known = true;
    return m;
}

static void lock(struct wfi_import *im, const struct wfi_zephyr_parsed *e, uint64_t thread,
                 bool waited) {
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID);
    struct wfi_zephyr_entity *m = mutex_of(im, key);
    if (m->known && m->holder && m->holder != thread) {
        wfi_zephyr_lose(im,
                        "probable loss: a mutex is taken, and the thread before has not given it");
        m = mutex_of(im, key);
    }
    bool held = m->known && m->holder == thread;
    if (held && m->depth)
        ++m->depth;
    else
        m->depth = !held && (m->known || waited) ? 1 : 0;
    m->known = true;
    m->holder = thread;
    if (m->depth && m->depth <= UINT8_MAX)
        WFI_IMPORT(im, mutex_take, key, m->depth);
    else
        wfi_zephyr_own_event(im, e);
}

static void take_lock_exit(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID);
    if (!t) {
        wfi_zephyr_own_event(im, e);
        return;
    }
    bool waited = end_wait(im, t, key);
    if (result_of(e) == 0)
        lock(im, e, t->key, waited);
    else if (waited && result_of(e) == EAGAIN_ZEPHYR)
        WFI_IMPORT(im, mutex_timeout, key);
    else
        WFI_IMPORT(im, mutex_refused, key);
}

// The mutex passes to a waiter, which may run before this call ends: it is given at the enter, if
// that is recorded.
static void unlock(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID), thread = t ? t->key : 0;
    struct wfi_zephyr_entity *m = mutex_of(im, key);
    bool by_holder = thread && m->known && m->holder == thread && m->depth;
    if (!by_holder || m->depth > UINT8_MAX) {
        // Of an unknown depth something may be left.
        if (!m->known || m->holder == thread || !thread) m->known = false;
        wfi_zephyr_own_event(im, e);
        return;
    }
    if (--m->depth == 0) m->holder = 0;
    WFI_IMPORT(im, mutex_give, key, m->depth);
}

static void take_unlock_exit(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *m =
        wfi_zephyr_entity_of(im, ZEPHYR_IS_MUTEX, wfi_zephyr_get(e, ZEPHYR_ID));
    if (m->entered)
        --m->entered;
    else if (result_of(e) == 0)
        unlock(im, e);
    else
        wfi_zephyr_own_event(im, e);
}

// ---- semaphores

// Emits a give or take with the count after it, or if that is unknown the event itself.
static void emit_count(struct wfi_import *im, const struct wfi_zephyr_parsed *e, enum wfi_row row,
                       const struct wfi_zephyr_entity *s) {
    const uint64_t values[] = {s->key, s->count, 0};
    if (s->known)
        wfi_import_record(im, row, values);
    else
        wfi_zephyr_own_event(im, e);
}

static void give(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_entity *s =
        wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, wfi_zephyr_get(e, ZEPHYR_ID));
    bool no_waiters = s->complete || (z->from_start && z->epoch == 0) || s->count;
    if (s->waiters) // it goes to a waiter, the count stays 0
        s->known = true, s->count = 0;
    else if (s->known && no_waiters && s->count == 0)
        s->count = 1;
    else // at its limit, which is not recorded, the count stays
        s->known = false;
    emit_count(im, e, WFI_ROW_sema_give, s);
}

static void take_give_exit(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *s =
        wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, wfi_zephyr_get(e, ZEPHYR_ID));
    if (s->entered)
        --s->entered;
    else
        give(im, e);
}

static void get_semaphore(struct wfi_import *im, const struct wfi_zephyr_parsed *e, bool waited) {
    struct wfi_zephyr_entity *s =
        wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, wfi_zephyr_get(e, ZEPHYR_ID));
    if (!waited) { // after a wait the count is that since the give to the waiter
        if (s->known && s->count)
            --s->count;
        else
            s->known = false;
    }
    emit_count(im, e, WFI_ROW_sema_take, s);
}

static void take_take_exit(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID);
    if (!t && !im->cores[im->core].irqs) {
        wfi_zephyr_own_event(im, e);
        return;
    }
    bool waited = t && end_wait(im, t, key);
    if (result_of(e) == 0)
        get_semaphore(im, e, waited);
    else if (waited && result_of(e) == EAGAIN_ZEPHYR)
        WFI_IMPORT(im, sema_timeout, key);
    else
        WFI_IMPORT(im, sema_refused, key);
}

// ---- waits

static void begin_wait(struct wfi_import *im, const struct wfi_zephyr_parsed *e, enum wfi_row row) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID);
    if (!t) {
        wfi_zephyr_own_event(im, e);
        return;
    }
    end_wait(im, t, key);
    t->cause = WF_REASON_blocked;
    t->waits_on = key;
    t->counted = row == WFI_ROW_sema_wait;
    if (t->counted) {
        struct wfi_zephyr_entity *s = wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, key);
        s->known = true;
        s->count = 0;
        ++s->waiters;
    }
    wfi_import_record(im, row, (const uint64_t[]){key, 0});
}

// ---- events

void wfi_zephyr_take_object(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_ID);
    struct wfi_zephyr_entity *o;
    switch (e->event->meaning) {
    case ZEPHYR_MUTEX_INIT:
        o = wfi_zephyr_entity_of(im, ZEPHYR_IS_MUTEX, key);
        *o = (struct wfi_zephyr_entity){
            .key = key, .kind = ZEPHYR_IS_MUTEX, .epoch = o->epoch, .known = true};
        WFI_IMPORT(im, mutex_create, key);
        break;
    case ZEPHYR_SEMA_INIT: // its count is not recorded
        o = wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, key);
        *o = (struct wfi_zephyr_entity){
            .key = key, .kind = ZEPHYR_IS_SEMA, .epoch = o->epoch, .complete = true};
        wfi_zephyr_own_event(im, e);
        break;
    case ZEPHYR_SEMA_RESET:
        o = wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, key);
        o->known = true;
        o->count = 0;
        wfi_zephyr_own_event(im, e);
        break;
    case ZEPHYR_SEMA_GIVE_ENTER:
        ++wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, key)->entered;
        give(im, e);
        break;
    case ZEPHYR_SEMA_GIVE_EXIT: take_give_exit(im, e); break;
    case ZEPHYR_SEMA_TAKE_EXIT: take_take_exit(im, e); break;
    case ZEPHYR_SEMA_BLOCKING: begin_wait(im, e, WFI_ROW_sema_wait); break;
    case ZEPHYR_MUTEX_BLOCKING: begin_wait(im, e, WFI_ROW_mutex_wait); break;
    case ZEPHYR_MUTEX_LOCK_EXIT: take_lock_exit(im, e); break;
    case ZEPHYR_MUTEX_UNLOCK_ENTER:
        ++wfi_zephyr_entity_of(im, ZEPHYR_IS_MUTEX, key)->entered;
        unlock(im, e);
        break;
    default: take_unlock_exit(im, e); break;
    }
}
