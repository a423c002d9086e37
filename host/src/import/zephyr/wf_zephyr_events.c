// SPDX-License-Identifier: MIT
// What an event becomes: a record, or an event of its own name. And the check, before an event that
// the running thread makes, that the events which follow agree with that thread.

#include <string.h>

#include "wfi_zephyr.h"

enum { LOOK_AHEAD = 4096 };

// ---- events of their own name

static struct wfi_import_field field_of(const struct wfi_zephyr_meta *m,
                                        const struct wfi_zephyr_field *f,
                                        const struct wfi_zephyr_value *value, bool address) {
    struct wfi_import_field to = {.name = wfi_zephyr_text(m, f->name), .value = value->v};
    const char *label = wfi_zephyr_label_of(m, f, (int64_t)value->v);
    switch (f->kind) {
    case ZEPHYR_UNSIGNED: to.type = address ? WFI_FIELD_ADDRESS : WFI_FIELD_UNSIGNED; break;
    case ZEPHYR_SIGNED: to.type = WFI_FIELD_SIGNED; break;
    case ZEPHYR_FLOAT: to.type = WFI_FIELD_FLOAT; break;
    default:
        to.type = WFI_FIELD_TEXT;
        to.text = value->text;
        to.len = value->len;
    }
    if (label) {
        to.type = WFI_FIELD_TEXT;
        to.text = label;
        to.len = strlen(label);
    }
    return to;
}

void wfi_zephyr_own_event(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_meta *m = &wfi_zephyr_state(im)->meta;
    const struct wfi_zephyr_list *list = &e->event->list;
    const char *name = wfi_zephyr_text(m, e->event->name);
    struct wfi_import_field fields[WFI_IMPORT_ARGS];
    unsigned count = 0;
    // The id of a call is a number, that of all other events an object.
    bool call = e->event->meaning == ZEPHYR_START_CALL || e->event->meaning == ZEPHYR_END_CALL;
    for (unsigned i = 0; i < list->count && count < WFI_IMPORT_ARGS; ++i) {
        const struct wfi_zephyr_field *f = &m->fields[list->first + i];
        bool address = (int)i == e->event->at[ZEPHYR_THREAD] ||
                       ((int)i == e->event->at[ZEPHYR_ID] && !call && f->bytes >= 4);
        if (f->kind == ZEPHYR_BYTES || (int)i == e->event->at[ZEPHYR_CORE]) continue;
        fields[count++] = field_of(m, f, &e->value[i], address);
    }
    wfi_import_event(im, name, strlen(name), fields, count);
}

// ---- calls, messages

static void begin_sleep(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    wfi_zephyr_state(im)->sleeps = true;
    if (t) t->cause = WF_REASON_delayed;
    wfi_zephyr_own_event(im, e);
}

static void end_call(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    if (t) t->cause = WF_REASON_unknown;
    wfi_zephyr_own_event(im, e);
}

static void yield(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    struct wfi_zephyr_entity *t = wfi_zephyr_actor(im);
    if (t) t->cause = WF_REASON_yielded;
    wfi_zephyr_own_event(im, e);
}

static bool is_sleep(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_meta *m = &wfi_zephyr_state(im)->meta;
    int at = e->event->at[ZEPHYR_ID];
    if (at < 0) return false;
    const struct wfi_zephyr_field *f = wfi_zephyr_field_at(m, &e->event->list, at);
    const char *label = wfi_zephyr_label_of(m, f, (int64_t)e->value[at].v);
    return label && strcmp(label, "SLEEP") == 0;
}

static void take_message(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    const struct wfi_zephyr_value *name = &e->value[e->event->at[ZEPHYR_NAME]];
    const struct wfi_import_field args[] = {
        {NULL, WFI_FIELD_TEXT, 0, name->text, name->len},
        {NULL, WFI_FIELD_UNSIGNED, wfi_zephyr_get(e, ZEPHYR_ARG0), NULL, 0},
        {NULL, WFI_FIELD_UNSIGNED, wfi_zephyr_get(e, ZEPHYR_ARG1), NULL, 0},
    };
    wfi_import_log(im, "%s %u %u", 8, args, 3);
}

void wfi_zephyr_take(struct wfi_import *im, const struct wfi_zephyr_parsed *e) {
    enum wfi_zephyr_meaning meaning = e->event->meaning;
    // Interrupts do not wait; some architectures do not record their ends.
    if (meaning >= ZEPHYR_ACTS_AS_THREAD) wfi_import_irq_exit_all(im);
    switch (meaning) {
    case ZEPHYR_OTHER: wfi_zephyr_own_event(im, e); break;
    case ZEPHYR_ISR_ENTER:
    case ZEPHYR_ISR_EXIT:
    case ZEPHYR_IDLE: wfi_zephyr_take_core(im, e); break;
    case ZEPHYR_NAMED_EVENT: take_message(im, e); break;
    case ZEPHYR_SLEEP_ENTER: begin_sleep(im, e); break;
    case ZEPHYR_SLEEP_EXIT: end_call(im, e); break;
    case ZEPHYR_YIELD: yield(im, e); break;
    case ZEPHYR_START_CALL: (is_sleep(im, e) ? begin_sleep : wfi_zephyr_own_event)(im, e); break;
    case ZEPHYR_END_CALL: (is_sleep(im, e) ? end_call : wfi_zephyr_own_event)(im, e); break;
    default:
        if (meaning <= ZEPHYR_INFO)
            wfi_zephyr_take_thread(im, e);
        else
            wfi_zephyr_take_object(im, e);
    }
}

// ---- what follows

enum follows { FOLLOWS_NOTHING, FOLLOWS_SAME, FOLLOWS_OTHER, FOLLOWS_EXIT };

// What an event says of the running thread; depth: of interrupts.
static enum follows look_at(struct wfi_import *im, const struct wfi_zephyr_parsed *e,
                            unsigned *depth) {
    switch (e->event->meaning) {
    case ZEPHYR_SWITCHED_IN:
        return wfi_zephyr_pairs_are_sure(wfi_zephyr_state(im)) ? FOLLOWS_OTHER : FOLLOWS_SAME;
    case ZEPHYR_SWITCHED_OUT:
        return wfi_zephyr_is_running(im, wfi_zephyr_get(e, ZEPHYR_THREAD)) ? FOLLOWS_SAME
                                                                           : FOLLOWS_OTHER;
    case ZEPHYR_IDLE: return FOLLOWS_SAME;
    case ZEPHYR_ISR_ENTER: ++*depth; return FOLLOWS_NOTHING;
    case ZEPHYR_ISR_EXIT:
        if (!*depth)
            return wfi_zephyr_exits_are_sure(wfi_zephyr_state(im)) ? FOLLOWS_EXIT : FOLLOWS_NOTHING;
        --*depth;
        return FOLLOWS_NOTHING;
    default: return FOLLOWS_NOTHING;
    }
}

bool wfi_zephyr_confirm(struct wfi_import *im, const uint8_t *bytes, size_t len, uint64_t at,
                        bool more) {
    struct wfi_zephyr_state *z = wfi_zephyr_state(im);
    struct wfi_zephyr_core *c = &z->cores[im->core];
    const struct wfi_import_core *is = &im->cores[im->core];
    struct wfi_zephyr_parsed e;
    unsigned depth = is->irqs;
    size_t used = 0;
    enum follows follows = FOLLOWS_NOTHING;
    if (!is->known || c->out || c->confirmed > im->offset) return true;
    while (used < LOOK_AHEAD && follows == FOLLOWS_NOTHING) {
        enum wfi_zephyr_result result =
            wfi_zephyr_parse(&z->way, bytes + used, len - used, at + used, &e);
        if (result == ZEPHYR_SHORT && more) return false;
        if (result != ZEPHYR_GOOD) break;
        if (e.core == im->core || !z->meta.smp) follows = look_at(im, &e, &depth);
        used += e.size;
    }
    if (follows == FOLLOWS_OTHER)
        wfi_zephyr_lose(im, "probable loss: the next switch is not from the thread that runs");
    else if (follows == FOLLOWS_EXIT)
        wfi_zephyr_lose(im, "probable loss: an interrupt ends that has not begun");
    else
        c->confirmed = im->offset + (used ? used : 1);
    return true;
}
