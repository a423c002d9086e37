// SPDX-License-Identifier: MIT
// Threads, cores and interrupts. Zephyr's recorder does not record what it loses, so sequences that
// cannot be are reported as losses of an unknown number of events.

#include <stdlib.h>
#include <string.h>

#include "wfi_zephyr.h"

enum { DEPTH_MAX = WFI_IMPORT_IRQS - 1 };

// ---- entities

static void learn(struct wfi_zephyr_state *z, struct wfi_zephyr_entity *e) {
    uint64_t key = e->key;
    uint8_t kind = e->kind;
    char name[ZEPHYR_NAME_KEPT];
    uint32_t name_len = e->name_len;
    memcpy(name, e->name, sizeof name);
    *e = (struct wfi_zephyr_entity){
        .key = key, .kind = kind, .epoch = z->epoch, .name_len = name_len};
    memcpy(e->name, name, sizeof name);
}

static struct wfi_zephyr_entity *at_number(struct wfi_zephyr_state *z, size_t n) {
    return &z->pieces[n / ZEPHYR_PIECE][n % ZEPHYR_PIECE];
}

// Entities do not move. Beyond the limit nothing is remembered.
static struct wfi_zephyr_entity *new_entity(struct wfi_import *im, uint64_t hash) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    size_t n = z->entity_count;
    if (n == (size_t)ZEPHYR_PIECE * ZEPHYR_PIECES) return &z->spare;
    struct wfi_zephyr_entity **piece = &z->pieces[n / ZEPHYR_PIECE];
    if (!*piece) *piece = calloc(ZEPHYR_PIECE, sizeof **piece);
    if (!*piece || !wfi_index_add(&z->index, hash, (uint32_t)n + 1)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return &z->spare;
    }
    ++z->entity_count;
    return at_number(z, n);
}

struct wfi_zephyr_entity *wfi_zephyr_entity_of(struct wfi_import *im,
                                               enum wfi_zephyr_entity_kind kind, uint64_t key) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    uint64_t hash = wfi_hash(key, kind, &z->index);
    size_t step = 0;
    struct wfi_zephyr_entity *e;
    for (uint32_t n; (n = wfi_index_next(&z->index, hash, &step)) != 0;) {
        e = at_number(z, n - 1);
        if (e->key != key || e->kind != kind) continue;
        if (e->epoch != z->epoch) learn(z, e);
        return e;
    }
    e = new_entity(im, hash);
    *e = (struct wfi_zephyr_entity){.key = key, .kind = (uint8_t)kind, .epoch = z->epoch};
    return e;
}

void wfi_zephyr_forget(struct wfi_zephyr_state *z) {
    ++z->epoch;
    z->from_start = false;
    memset(z->cores, 0, sizeof z->cores);
}

void wfi_zephyr_lose(struct wfi_import *im, const char *why) {
    wfi_import_loss(im, 0, false, why);
    wfi_zephyr_forget(wfi_zephyr_state(im));
}

struct wfi_zephyr_entity *wfi_zephyr_actor(struct wfi_import *im) {
    const struct wfi_import_core *c = &im->cores[im->core];
    if (!c->known || c->irqs || !c->task) return NULL;
    return wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, c->task);
}

// ---- names

static bool is_unnamed(const char *text, uint32_t len) {
    return !len || (len == 7 && memcmp(text, "unknown", 7) == 0);
}

static void take_name(struct wfi_import *im, struct wfi_zephyr_entity *t, const char *text,
                      uint32_t len) {
    uint32_t kept = len < ZEPHYR_NAME_KEPT ? len : ZEPHYR_NAME_KEPT;
    if (is_unnamed(text, len)) return;
    if (t->name_len == len && memcmp(t->name, text, kept) == 0) return;
    memcpy(t->name, text, kept);
    t->name_len = len;
    wfi_import_name(im, t->key, text, len);
}

static void take_name_of(struct wfi_import *im, struct wfi_zephyr_entity *t,
                         const struct wfi_zephyr_parsed *e) {
    if (!wfi_zephyr_has(e, ZEPHYR_NAME)) return;
    const struct wfi_zephyr_value *name = &e->value[e->event->at[ZEPHYR_NAME]];
    take_name(im, t, name->text, name->len);
}

// ---- which thread runs

// The thread that is on the core; 0: not known.
static uint64_t running(const struct wfi_import *im) {
    const struct wfi_zephyr_core *c = &wfi_zephyr_state((struct wfi_import *)im)->cores[im->core];
    const struct wfi_import_core *is = &im->cores[im->core];
    if (c->idle) return c->idle_thread;
    return is->known ? is->task : 0;
}

bool wfi_zephyr_is_running(const struct wfi_import *im, uint64_t thread) {
    uint64_t is = running(im);
    return is == 0 || is == thread;
}

// Streams of some releases have switched_in without switched_out.
bool wfi_zephyr_pairs_are_sure(const struct wfi_zephyr_state *z) {
    return z->paired && z->paired / 4 >= z->alone;
}

bool wfi_zephyr_exits_are_sure(const struct wfi_zephyr_state *z) {
    return z->exits_paired >= 8 && z->exits_paired / 8 >= z->exits_alone;
}

// ---- switches

// Why a thread leaves. A thread of which no reason is recorded was preempted or gave
// way, if the stream has calls of k_sleep; the events do not say which.
static unsigned reason_of(struct wfi_import *im, uint64_t thread) {
    const struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    if (!thread) return WF_REASON_unknown;
    const struct wfi_zephyr_entity *t = wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, thread);
    if (t->cause != WF_REASON_unknown) return t->cause;
    return z->sleeps ? WF_REASON_preempted : WF_REASON_unknown;
}

static void note_start(struct wfi_zephyr_state *z, bool in) {
    if (z->scheduled) return;
    z->scheduled = true;
    z->from_start = in && z->epoch == 0;
}

// Checks that a thread can be switched in here.
static void check_switch(struct wfi_import *im, bool pending) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    const struct wfi_zephyr_core *c = &z->cores[im->core];
    uint64_t is = running(im);
    if (c->out) {
        ++z->paired;
    } else if (is) {
        bool ended = wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, is)->cause == WF_REASON_ended;
        if (!ended && wfi_zephyr_pairs_are_sure(z))
            wfi_zephyr_lose(im, "probable loss: a thread runs, and the one before has not left");
        ++z->alone;
    }
    if (pending && z->readied)
        wfi_zephyr_lose(im, "probable loss: a thread that waits runs, and was not made ready");
}

static void switch_in(struct wfi_import *im, uint64_t thread, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_core *c = &z->cores[im->core];
    wfi_import_irq_exit_all(im); // some architectures record no exit
    note_start(z, true);
    check_switch(im, wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, thread)->pending);
    take_name_of(im, wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, thread), e);
    unsigned reason = c->out ? c->out_reason : reason_of(im, running(im));
    const struct wfi_import_core *is = &im->cores[im->core];
    if (!is->known || is->task != thread)
        wfi_import_switch(im, thread, c->idle ? WF_REASON_unknown : reason);
    struct wfi_zephyr_entity *t = wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, thread);
    t->cause = WF_REASON_unknown;
    t->pending = false;
    *c = (struct wfi_zephyr_core){.confirmed = c->confirmed};
}

static void switch_out(struct wfi_import *im, uint64_t thread, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_core *c = &z->cores[im->core];
    wfi_import_irq_exit_all(im);
    note_start(z, false);
    if (!wfi_zephyr_is_running(im, thread))
        wfi_zephyr_lose(im, "probable loss: a thread leaves that did not run");
    else if (c->out)
        wfi_zephyr_lose(im, "probable loss: a thread leaves twice");
    take_name_of(im, wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, thread), e);
    c->out = true;
    c->out_thread = thread;
    c->out_reason = (uint8_t)reason_of(im, thread);
}

// ---- other events of threads

// 2.5's metadata has priority and name in the wrong order. The stream has name, then priority.
static bool is_swapped(struct wfi_zephyr_state *z, const struct wfi_zephyr_entity *t,
                       const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_field *f = &z->meta.fields[e->event->list.first];
    int name = e->event->at[ZEPHYR_NAME], prio = e->event->at[ZEPHYR_PRIO];
    if (name < 0 || name != prio + 1 || f[prio].bytes != 1 || f[name].kind != ZEPHYR_TEXT)
        return false;
    if (z->swap_known) return z->swapped;
    const char *text = e->value[name].text;
    uint32_t known = t->name_len < ZEPHYR_NAME_KEPT ? t->name_len : ZEPHYR_NAME_KEPT;
    if (!known || known > f[name].count) {
        // No name is known: priorities are no letters.
        return text[-1] >= 'A' || (!text[-1] && !text[0] && text[f[name].count - 1]);
    }
    bool as_is = memcmp(text, t->name, known) == 0;
    z->swapped = memcmp(text - 1, t->name, known) == 0;
    z->swap_known = as_is != z->swapped;
    return z->swapped;
}

static void take_priority(struct wfi_import *im, struct wfi_zephyr_entity *t,
                          const struct wfi_zephyr_parsed *e) {
    int64_t prio = (int64_t)wfi_zephyr_get(e, ZEPHYR_PRIO);
    if (is_swapped(wfi_zephyr_state(im), t, e)) {
        const struct wfi_zephyr_value *name = &e->value[e->event->at[ZEPHYR_NAME]];
        const struct wfi_zephyr_meta *m = &wfi_zephyr_state(im)->meta;
        uint32_t room = wfi_zephyr_field_at(m, &e->event->list, e->event->at[ZEPHYR_NAME])->count;
        const char *zero = memchr(name->text - 1, 0, room);
        take_name(im, t, name->text - 1, zero ? (uint32_t)(zero - (name->text - 1)) : room);
        prio = (int8_t)name->text[room - 1];
    } else {
        take_name_of(im, t, e);
    }
    if (prio > WF_PRIO_UNKNOWN && prio <= INT16_MAX)
        WFI_IMPORT(im, task_priority, t->key, (uint64_t)prio);
}

static void create(struct wfi_import *im, struct wfi_zephyr_entity *t,
                   const struct wfi_zephyr_parsed *e) {
    *t = (struct wfi_zephyr_entity){.key = t->key, .kind = ZEPHYR_IS_THREAD, .epoch = t->epoch};
    WFI_IMPORT(im, task_create, t->key, (uint64_t)WF_PRIO_UNKNOWN);
    take_name_of(im, t, e);
}

static void make_pending(struct wfi_import *im, struct wfi_zephyr_entity *t) {
    uint64_t key = t->key;
    if (running(im) == key) wfi_import_irq_exit_all(im); // an interrupt does not wait
    t->pending = true;
    if (t->cause == WF_REASON_unknown) t->cause = WF_REASON_blocked;
}

static void make_ready(struct wfi_import *im, struct wfi_zephyr_entity *t) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    WFI_IMPORT(im, task_ready, t->key);
    z->readied += t->pending;
    t->pending = false;
    if (t->cause != WF_REASON_ended) t->cause = WF_REASON_unknown;
    if (t->counted) {
        t->counted = false;
        struct wfi_zephyr_entity *s = wfi_zephyr_entity_of(im, ZEPHYR_IS_SEMA, t->waits_on);
        if (s->waiters) --s->waiters;
    }
}

void wfi_zephyr_take_thread(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    uint64_t key = wfi_zephyr_get(e, ZEPHYR_THREAD);
    if (e->event->meaning == ZEPHYR_SWITCHED_IN) {
        switch_in(im, key, e);
        return;
    }
    if (e->event->meaning == ZEPHYR_SWITCHED_OUT) {
        switch_out(im, key, e);
        return;
    }
    struct wfi_zephyr_entity *t = wfi_zephyr_entity_of(im, ZEPHYR_IS_THREAD, key);
    if (e->event->meaning == ZEPHYR_CREATE) {
        create(im, t, e);
        return;
    }
    if (e->event->meaning == ZEPHYR_PRIORITY_SET) {
        take_priority(im, t, e);
        return;
    }
    take_name_of(im, t, e);
    switch (e->event->meaning) {
    case ZEPHYR_ABORT:
        t->cause = WF_REASON_ended;
        t->pending = false;
        WFI_IMPORT(im, task_delete, key);
        break;
    case ZEPHYR_SUSPEND:
        t->cause = WF_REASON_suspended;
        WFI_IMPORT(im, task_suspend, key);
        break;
    case ZEPHYR_RESUME: // whether it may run now is shown by `ready`
        t->cause = WF_REASON_unknown;
        wfi_zephyr_own_event(im, e);
        break;
    case ZEPHYR_READY: make_ready(im, t); break;
    case ZEPHYR_INFO: wfi_zephyr_own_event(im, e); break;
    case ZEPHYR_PENDING: make_pending(im, t); break;
    default: break;
    }
}

// ---- interrupts, idle

static void enter_isr(struct wfi_import *im) {
    // So many are not nested: their ends are not recorded.
    if (im->cores[im->core].irqs >= DEPTH_MAX) wfi_import_irq_exit_all(im);
    wfi_import_irq_enter(im, WF_IRQ_UNKNOWN);
}

static void exit_isr(struct wfi_import *im) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    const struct wfi_import_core *c = &im->cores[im->core];
    if (c->irqs)
        ++z->exits_paired;
    else if (c->known && wfi_zephyr_exits_are_sure(z))
        wfi_zephyr_lose(im, "probable loss: an interrupt ends that has not begun");
    else
        z->exits_alone += c->known;
    wfi_import_irq_exit(im);
}

// The idle thread runs before it begins to idle; from then on the core has no task.
static void begin_idle(struct wfi_import *im) {
    struct wfi_zephyr_core *c = &wfi_zephyr_state(im)->cores[im->core];
    const struct wfi_import_core *is = &im->cores[im->core];
    wfi_import_irq_exit_all(im);
    if (c->idle) return;
    c->idle = true;
    c->idle_thread = is->known ? is->task : 0;
    wfi_import_switch(im, 0, WF_REASON_unknown);
}

void wfi_zephyr_take_core(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    switch (e->event->meaning) {
    case ZEPHYR_ISR_ENTER: enter_isr(im); break;
    case ZEPHYR_ISR_EXIT: exit_isr(im); break;
    default: begin_idle(im); break;
    }
}
