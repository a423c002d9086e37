// SPDX-License-Identifier: MIT
// FreeRTOS-BTF-Trace, as its ring and as its text. Of tasks the text has only "resume" and
// "preempt", all else are stimuli whose meaning is in the note. Calls are recorded whether they
// succeed or not, without a count, so they are events of their own name, and so are creates: from
// a record of a create a model knows the holder and the count until the next record.

#include <stdio.h>

#include "wfi_btf.h"

void wfi_btf_queue_call(struct wfi_import *im, enum wfi_btf_call call, enum wfi_btf_queue kind,
                        uint32_t address) {
    static const char *const words[][WFI_BTF_DELETE + 1] = {
        [WFI_BTF_QUEUE] = {"queue create", "queue send", "queue receive", "queue delete"},
        [WFI_BTF_MUTEX] = {"mutex create", "mutex give", "mutex take", "mutex delete"},
        [WFI_BTF_COUNTING] = {"semaphore create", "semaphore give", "semaphore take",
                              "semaphore delete"},
        [WFI_BTF_BINARY] = {"semaphore create", "semaphore give", "semaphore take",
                            "semaphore delete"},
        [WFI_BTF_RECURSIVE] = {"mutex create", "mutex give", "mutex take", "mutex delete"},
    };
    const struct wfi_import_field field = {"object", WFI_FIELD_ADDRESS, address, NULL, 0};
    wfi_import_event(im, words[kind][call], strlen(words[kind][call]), &field, 1);
}

void wfi_btf_interval(struct wfi_import *im, bool begin, uint32_t number) {
    char name[32];
    int len = snprintf(name, sizeof name, "interval %u", (unsigned)number);
    wfi_import_span(im, begin, name, (size_t)len);
}

void wfi_btf_tag(struct wfi_import *im, unsigned number, uint32_t value) {
    const char name[] = {'t', 'a', 'g', (char)('0' + number % 10)};
    wfi_import_counter(im, name, sizeof name, (int32_t)value);
}

void wfi_btf_tick(struct wfi_import *im, uint32_t count) {
    const struct wfi_import_field field = {"count", WFI_FIELD_UNSIGNED, count, NULL, 0};
    wfi_import_event(im, "tick", 4, &field, 1);
}

// ---- notes of the text

// "create pri:3" of a "preempt": the task begins.
bool wfi_btf_freertos_task(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_part note = l->note;
    uint64_t prio;
    if (!wfi_part_skip(&note, "create pri:") || !wfi_part_number(note, &prio)) return false;
    unsigned core;
    if (!wfi_part_is(l->event, "preempt") || !wfi_btf_core(im, l->source, &core)) return false;
    im->core = core;
    wfi_btf_create(im, l->target, prio > INT16_MAX ? WF_PRIO_UNKNOWN : (int)prio);
    return true;
}

static bool take_queue(struct wfi_import *im, const struct wfi_btf_line *l,
                       enum wfi_btf_queue kind) {
    static const struct {
        const char *verb;
        enum wfi_btf_call call;
    } verbs[] = {{"create ", WFI_BTF_CREATE}, {"send ", WFI_BTF_SEND},
                 {"give ", WFI_BTF_SEND},     {"recv ", WFI_BTF_RECEIVE},
                 {"take ", WFI_BTF_RECEIVE},  {"delete ", WFI_BTF_DELETE}};
    uint64_t address;
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
        struct wfi_part note = l->note;
        if (!wfi_part_skip(&note, verbs[i].verb)) continue;
        if (!wfi_part_hex(note, &address) || address > UINT32_MAX) return false;
        wfi_btf_queue_call(im, verbs[i].call, kind, (uint32_t)address);
        return true;
    }
    return false;
}

// "suspend Name[3]", "priority_inherit Name[3] pri:2"
static bool take_task(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_part note = l->note, name, number;
    struct wfi_part verb = wfi_part_cut(&note, ' ');
    uint64_t id, prio = 0;
    if (!wfi_part_find_last(note, "[", &name, &number)) return false;
    if (!wfi_part_number(wfi_part_cut(&number, ']'), &id) || id > UINT32_MAX) return false;
    uint64_t key = wfi_btf_task_key((uint32_t)id);
    bool has_prio = wfi_part_value(number, "pri:", &prio) && prio <= INT16_MAX;
    if (wfi_part_is(verb, "suspend"))
        WFI_IMPORT(im, task_suspend, key);
    else if (wfi_part_is(verb, "resume") || wfi_part_is(verb, "resume_from_isr"))
        WFI_IMPORT(im, task_ready, key);
    else if (wfi_part_is(verb, "delete"))
        WFI_IMPORT(im, task_delete, key);
    else if (has_prio)
        WFI_IMPORT(im, task_priority, key, prio);
    else
        return false;
    return true;
}

// "3 tid:3"
static bool take_interval(struct wfi_import *im, const struct wfi_btf_line *l, bool begin) {
    uint64_t number;
    struct wfi_part note = l->note;
    if (!wfi_part_number(wfi_part_cut(&note, ' '), &number) || number > UINT32_MAX) return false;
    wfi_btf_interval(im, begin, (uint32_t)number);
    return true;
}

static bool take_tag(struct wfi_import *im, const struct wfi_btf_line *l) {
    struct wfi_part name = l->target;
    int64_t value;
    if (!wfi_part_skip(&name, "tag") || name.len != 7 || !wfi_is_digit(name.at[0])) return false;
    unsigned number = (unsigned)(name.at[0] - '0');
    wfi_part_drop(&name, 1);
    if (!wfi_part_is(name, "_event") || !wfi_part_signed(l->note, &value)) return false;
    wfi_btf_tag(im, number, (uint32_t)value);
    return true;
}

bool wfi_btf_freertos_mark(struct wfi_import *im, const struct wfi_btf_line *l) {
    uint64_t count;
    if (!wfi_part_is(l->event, "trigger")) return false;
    if (wfi_part_is(l->target, "queue")) return take_queue(im, l, WFI_BTF_QUEUE);
    if (wfi_part_is(l->target, "mutex")) return take_queue(im, l, WFI_BTF_MUTEX);
    if (wfi_part_is(l->target, "sem")) return take_queue(im, l, WFI_BTF_BINARY);
    if (wfi_part_is(l->target, "task")) return take_task(im, l);
    if (wfi_part_is(l->target, "interval_start")) return take_interval(im, l, true);
    if (wfi_part_is(l->target, "interval_stop")) return take_interval(im, l, false);
    if (wfi_part_is(l->target, "TICK") && wfi_part_number(l->note, &count) && count <= UINT32_MAX) {
        wfi_btf_tick(im, (uint32_t)count);
        return true;
    }
    return take_tag(im, l);
}
