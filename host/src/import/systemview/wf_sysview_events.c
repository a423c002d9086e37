// SPDX-License-Identifier: MIT
// Tasks and interrupts of SystemView, and the packets that others handle.

#include <string.h>

#include "import/systemview/wfi_sysview.h"
#include "util/wfi_grow.h"

// Causes of TASK_STOP_READY, as FreeRTOS' recorder numbers them. Other kernels have own numbers.
enum { CAUSE_DELAYED_LIST = 4, CAUSE_SUSPENDED = 27 };

// ---- tasks

// Returns the number of a key in a table of at most `most` entries; 0: there are too many.
static uint32_t number_of(struct wfi_keys *keys, uint64_t key, size_t most) {
    uint64_t hash = wfi_hash(key, 0, &keys->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&keys->index, hash, &step)) != 0;) {
        if (keys->list[n - 1].key == key) return n;
    }
    return keys->count < most ? wfi_keys_number(keys, key, 0) : 0;
}

// The state of a task after a loss.
static void forget_task(struct wfi_sv_task *t, uint32_t epoch) {
    t->epoch = epoch;
    t->prio = t->told = WF_PRIO_UNKNOWN;
    t->seen = t->outside = t->blocked = t->doubtful = t->leaving = t->ended = false;
    t->readied = UINT64_MAX;
    t->calls.depth = 0;
}

static struct wfi_sv_task *task_at(struct wfi_import *im, uint32_t number) {
    struct wfi_sv *v = wfi_sv(im);
    if (!number) return NULL;
    struct wfi_sv_task *t = &v->tasks.list[number - 1];
    if (t->epoch != v->epoch) forget_task(t, v->epoch);
    return t;
}

static uint32_t task_number(struct wfi_import *im, uint64_t key) {
    struct wfi_sv *v = wfi_sv(im);
    uint32_t n = number_of(&v->tasks.keys, key, WFI_SV_TASKS);
    if (!n) return 0;
    if (n <= v->tasks.cap && v->tasks.list[n - 1].key == key) return n;
    if (!WFI_GROW(v->tasks.list, &v->tasks.cap, n)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return 0;
    }
    struct wfi_sv_task *t = &v->tasks.list[n - 1];
    t->key = key;
    t->base = WF_PRIO_UNKNOWN;
    forget_task(t, v->epoch);
    return n;
}

struct wfi_sv_task *wfi_sv_task(struct wfi_import *im, uint64_t key) {
    return task_at(im, task_number(im, key));
}

struct wfi_sv_task *wfi_sv_running(struct wfi_import *im) {
    return task_at(im, wfi_sv_core(im)->task);
}

struct wfi_sv_object *wfi_sv_object(struct wfi_import *im, uint64_t key) {
    struct wfi_sv *v = wfi_sv(im);
    uint32_t n = number_of(&v->objects.keys, key, WFI_SV_OBJECTS);
    if (!n) return NULL;
    if (!WFI_GROW(v->objects.list, &v->objects.cap, n)) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return NULL;
    }
    struct wfi_sv_object *o = &v->objects.list[n - 1];
    o->key = key;
    if (o->epoch != v->epoch) {
        o->epoch = v->epoch;
        o->counted = o->nested = false;
    }
    return o;
}

struct wfi_sv_object *wfi_sv_find_object(struct wfi_import *im, uint64_t key) {
    struct wfi_sv *v = wfi_sv(im);
    struct wfi_keys *keys = &v->objects.keys;
    uint64_t hash = wfi_hash(key, 0, &keys->index);
    size_t step = 0;
    for (uint32_t n; (n = wfi_index_next(&keys->index, hash, &step)) != 0;) {
        if (keys->list[n - 1].key == key) return &v->objects.list[n - 1];
    }
    return NULL;
}

void wfi_sv_forget(struct wfi_import *im) {
    struct wfi_sv *v = wfi_sv(im);
    ++v->epoch;
    for (unsigned i = 0; i < v->core_count; ++i) {
        v->cores[i].task = 0;
        v->cores[i].switches = 0;
        v->cores[i].irq_calls.depth = 0;
    }
}

// ---- switches

// Two switches in one interrupt show that its end is missing.
static void check_interrupt(struct wfi_import *im) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    if (!im->cores[im->core].irqs) {
        c->switches = 0;
    } else if (++c->switches > 1) {
        wfi_import_irq_exit_all(im);
        c->switches = 0;
    }
}

static void switch_to(struct wfi_import *im, uint64_t key) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    struct wfi_import_core *known = &im->cores[im->core];
    uint32_t number = key ? task_number(im, key) : 0;
    unsigned reason = WF_REASON_unknown;
    struct wfi_sv_task *from = task_at(im, c->task), *to;
    check_interrupt(im);
    if (known->known && known->task == key) {
        if (from) from->leaving = from->blocked = from->doubtful = false;
        return;
    }
    if (from)
        reason = from->ended ? WF_REASON_ended : wfi_sv_leave_reason(im, from);
    else if (known->known && !known->task)
        reason = WF_REASON_preempted; // idle
    if (from) from->leaving = false;
    c->task = number;
    to = task_at(im, number);
    if (to) {
        to->seen = true;
        to->leaving = to->blocked = to->doubtful = to->ended = false;
    }
    wfi_import_switch(im, key, reason);
}

static void take_ready(struct wfi_import *im, uint64_t key) {
    struct wfi_sv_task *t = wfi_sv_task(im, key);
    if (t) {
        // A recorder with a stream for each core may record it on several.
        if (t->readied == im->tick && wfi_sv(im)->core_count > 1) return;
        t->readied = im->tick;
        t->leaving = t->blocked = t->doubtful = false;
    }
    WFI_IMPORT(im, task_ready, key);
}

static void tell_cause(struct wfi_import *im, uint64_t key, uint32_t cause) {
    struct wfi_sv *v = wfi_sv(im);
    const char *text = v->states ? wfi_sv_value_text(&v->named[v->states - 1], cause) : NULL;
    struct wfi_import_field fields[] = {
        {"task", WFI_FIELD_ADDRESS, key, NULL, 0},
        {"cause", text ? WFI_FIELD_TEXT : WFI_FIELD_UNSIGNED, cause, text, text ? strlen(text) : 0},
    };
    wfi_import_event(im, "stops being ready", 17, fields, 2);
}

// The cause of FreeRTOS that says nothing else than "in a list with a time" becomes what the last
// call says.
static unsigned reason_of_cause(struct wfi_import *im, struct wfi_sv_task *t, uint32_t cause) {
    if (!wfi_sv(im)->freertos) return WF_REASON_blocked;
    if (cause == CAUSE_SUSPENDED) return WF_REASON_suspended;
    const struct wfi_sv_open *c = wfi_sv_innermost(&t->calls);
    return cause == CAUSE_DELAYED_LIST && c && c->meaning == WFI_SV_DELAY ? WF_REASON_delayed
                                                                          : WF_REASON_blocked;
}

static void take_stop_ready(struct wfi_import *im, uint64_t key, uint32_t cause) {
    const struct wfi_sv *v = wfi_sv(im);
    struct wfi_sv_task *t = wfi_sv_task(im, key);
    bool running = t && t == wfi_sv_running(im);
    bool known = v->freertos && (cause == CAUSE_DELAYED_LIST || cause == CAUSE_SUSPENDED);
    if (known && cause == CAUSE_SUSPENDED)
        WFI_IMPORT(im, task_suspend, key);
    else if (!known || !running)
        tell_cause(im, key, cause);
    if (!running) return;
    t->leaving = true;
    t->reason = (uint8_t)reason_of_cause(im, t, cause);
}

// ---- create, names, priorities

static void take_create(struct wfi_import *im, uint64_t key) {
    struct wfi_sv_task *t = wfi_sv_task(im, key);
    if (t) {
        forget_task(t, wfi_sv(im)->epoch);
        t->base = WF_PRIO_UNKNOWN;
        t->named = false;
        t->seen = t->outside = true;
    }
    WFI_IMPORT(im, task_create, key, (uint64_t)(int64_t)WF_PRIO_UNKNOWN);
}

// The list of tasks is sent at the start, on request, and again and again to a ring.
static void take_info(struct wfi_import *im, struct wfi_sv_packet *k) {
    uint64_t key = wfi_sv_key(wfi_sv_core(im), wfi_sv_number(k));
    uint32_t prio = wfi_sv_number(k);
    size_t len;
    const char *name = wfi_sv_string(k, &len);
    struct wfi_sv_task *t = wfi_sv_task(im, key);
    int value = prio > INT16_MAX ? WF_PRIO_UNKNOWN : (int)prio;
    uint64_t hash = wfi_hash_text(name, len, wfi_sv(im));
    if (!t || !t->named || t->name_hash != hash) wfi_import_name(im, key, name, len);
    if (!t || t->told != value) {
        if (value != WF_PRIO_UNKNOWN) WFI_IMPORT(im, task_priority, key, (uint64_t)value);
        if (t) t->prio = t->base = value;
    }
    if (!t) return;
    t->told = value;
    t->named = true;
    t->name_hash = hash;
}

static void take_delete(struct wfi_import *im, uint64_t key) {
    struct wfi_sv_task *t = wfi_sv_task(im, key);
    if (t && t->ended) return;
    if (t) t->ended = true;
    WFI_IMPORT(im, task_delete, key);
}

void wfi_sv_delete_task(struct wfi_import *im, uint64_t key) { take_delete(im, key); }

static void take_stack(struct wfi_import *im, struct wfi_sv_packet *k) {
    uint64_t key = wfi_sv_key(wfi_sv_core(im), wfi_sv_number(k));
    uint32_t base = wfi_sv_number(k), size = wfi_sv_number(k), used = wfi_sv_number(k);
    if (used && used <= size) {
        WFI_IMPORT(im, task_stack, key, size - used, size);
        return;
    }
    const struct wfi_import_field fields[] = {
        {"task", WFI_FIELD_ADDRESS, key, NULL, 0},
        {"base", WFI_FIELD_HEX, base, NULL, 0},
        {"size", WFI_FIELD_UNSIGNED, size, NULL, 0},
    };
    wfi_import_event(im, "stack", 5, fields, 3);
}

// ---- the recording

static void take_start(struct wfi_import *im) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    if (c->stopped) {
        wfi_import_loss(im, 0, true, "the recording was stopped");
        wfi_sv_forget(im);
    }
    c->stopped = false;
    c->started = true;
}

static void take_init(struct wfi_import *im, struct wfi_sv_packet *k) {
    struct wfi_sv *v = wfi_sv(im);
    struct wfi_sv_core *c = wfi_sv_core(im);
    v->hz = wfi_sv_number(k);
    (void)wfi_sv_number(k); // of the CPU
    c->ram_base = wfi_sv_number(k);
    uint32_t shift = wfi_sv_number(k);
    c->shift = shift < 32 ? shift : 0;
    wfi_import_target(im, v->hz, 4, v->core_count);
}

// The count is of all packets since the target's reset, but for the first one of each episode. It
// is not reset when recording starts again, so a lower one is that of a target that was reset.
// Without a start before, what was lost earlier is not known.
static void take_overflow(struct wfi_import *im, uint32_t drops) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    bool lower = drops < c->drops, exact = c->started || (c->based && !lower);
    uint64_t lost = 1;
    if (exact) lost += lower ? drops : drops - c->drops;
    wfi_import_loss(im, lost, exact, "the recorder's buffer was full");
    wfi_sv_forget(im);
    c->drops = drops;
    c->based = true;
    c->started = false;
}

static void take_time(struct wfi_import *im, struct wfi_sv_packet *k) {
    bool us = k->id == WFI_SV_SYSTIME_US;
    uint64_t low = wfi_sv_number(k), high = us ? wfi_sv_number(k) : 0;
    const struct wfi_import_field field = {us ? "us" : "cycles", WFI_FIELD_UNSIGNED,
                                           high << 32 | low, NULL, 0};
    wfi_import_event(im, "system time", 11, &field, 1);
}

static void take_module(struct wfi_import *im, struct wfi_sv_packet *k) {
    uint32_t module = wfi_sv_number(k), first = wfi_sv_number(k);
    size_t len;
    const char *text = wfi_sv_string(k, &len);
    wfi_sv_module(im, module, first, text, len);
}

static void take_resource(struct wfi_import *im, struct wfi_sv_packet *k) {
    uint64_t key = wfi_sv_key(wfi_sv_core(im), wfi_sv_number(k));
    size_t len;
    const char *text = wfi_sv_string(k, &len);
    wfi_import_name(im, key, text, len);
    struct wfi_sv_name *n = wfi_sv_name(im, WFI_SV_TIMER, key);
    if (n) (void)wfi_sv_set_name(im, n, text, len);
}

// ---- packets

static void enter_irq(struct wfi_import *im, uint32_t irq) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    c->irq_calls.depth = 0;
    c->switches = 0;
    wfi_import_irq_enter(im, irq < WF_IRQ_UNKNOWN ? (uint16_t)irq : WF_IRQ_UNKNOWN);
}

static void exit_irq(struct wfi_import *im) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    c->irq_calls.depth = 0;
    c->switches = 0;
    wfi_import_irq_exit(im);
}

static void take_rare(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv_core *c = wfi_sv_core(im);
    size_t len;
    const char *text;
    switch (k->id) {
    case WFI_SV_OVERFLOW: take_overflow(im, wfi_sv_number(k)); break;
    case WFI_SV_TASK_INFO: take_info(im, k); break;
    case WFI_SV_TRACE_START: take_start(im); break;
    case WFI_SV_TRACE_STOP: wfi_sv_core(im)->stopped = true; break;
    case WFI_SV_SYSTIME_CYCLES:
    case WFI_SV_SYSTIME_US: take_time(im, k); break;
    case WFI_SV_SYSDESC:
        text = wfi_sv_string(k, &len);
        wfi_sv_description(im, text, len);
        break;
    case WFI_SV_MARK_START:
    case WFI_SV_MARK_STOP:
        wfi_sv_marker(im, WFI_SV_MARKER, wfi_sv_number(k), k->id == WFI_SV_MARK_START);
        break;
    case WFI_SV_TIMER_ENTER:
        wfi_sv_core(im)->timer = wfi_sv_key(c, wfi_sv_number(k));
        wfi_sv_marker(im, WFI_SV_TIMER, c->timer, true);
        break;
    case WFI_SV_TIMER_EXIT:
        if (c->timer) wfi_sv_marker(im, WFI_SV_TIMER, c->timer, false);
        wfi_sv_core(im)->timer = 0;
        break;
    case WFI_SV_STACK_INFO: take_stack(im, k); break;
    case WFI_SV_MODULEDESC: take_module(im, k); break;
    case WFI_SV_INIT: take_init(im, k); break;
    case WFI_SV_NAME_RESOURCE: take_resource(im, k); break;
    case WFI_SV_PRINT_FORMATTED: wfi_sv_message(im, k); break;
    case WFI_SV_TASK_TERMINATE: take_delete(im, wfi_sv_key(c, wfi_sv_number(k))); break;
    case WFI_SV_EX: wfi_sv_extended(im, k); break;
    default: break; // NOP, NUMMODULES
    }
}

void wfi_sv_packet(struct wfi_import *im, struct wfi_sv_packet *k) {
    const struct wfi_sv_core *c = wfi_sv_core(im);
    switch (k->id) {
    case WFI_SV_ISR_ENTER: enter_irq(im, wfi_sv_number(k)); break;
    case WFI_SV_ISR_EXIT:
    case WFI_SV_ISR_TO_SCHEDULER: exit_irq(im); break;
    case WFI_SV_TASK_START_EXEC: switch_to(im, wfi_sv_key(c, wfi_sv_number(k))); break;
    case WFI_SV_TASK_STOP_EXEC:
    case WFI_SV_IDLE: switch_to(im, 0); break;
    case WFI_SV_TASK_START_READY: take_ready(im, wfi_sv_key(c, wfi_sv_number(k))); break;
    case WFI_SV_TASK_STOP_READY: {
        uint64_t key = wfi_sv_key(c, wfi_sv_number(k));
        take_stop_ready(im, key, wfi_sv_number(k));
        break;
    }
    case WFI_SV_TASK_CREATE: take_create(im, wfi_sv_key(c, wfi_sv_number(k))); break;
    case WFI_SV_END_CALL: wfi_sv_end_call(im, k); break;
    case WFI_SV_DATA_SAMPLE: {
        uint32_t id = wfi_sv_number(k);
        wfi_sv_data(im, id, wfi_sv_number(k));
        break;
    }
    default:
        if (k->id >= WFI_SV_OS_FIRST)
            wfi_sv_call_event(im, k);
        else
            take_rare(im, k);
    }
}
