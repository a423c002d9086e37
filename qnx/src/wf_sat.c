// SPDX-License-Identifier: MIT
// The text of QNX's traceprinter, from events of slot traces. A line is built in the caller's
// memory: a label made beforehand (wf_sat_plan.c), then names and values of words.

#include <stdlib.h>

#include "util/wfi_options.h"
#include "wfi_sat.h"

// ---------------------------------------------------------------------------------------------
// Shapes with a format of their own

// `0x0000001e (30)`
static char *interrupt(char *p, uint32_t number) {
    p = wfi_sat_0x8(p, number);
    memcpy(p, " (", 2);
    p = wfi_signed(p + 2, (int32_t)number);
    *p++ = ')';
    return p;
}

// An address after its name: one word, or in the 64-bit variant two.
static void address(struct wfi_sat_line *l, const char *name) {
    bool variant = l->e->event == 5 || l->e->event == 6;
    wfi_sat_put(l, name, strlen(name));
    wfi_sat_value(l, 'Q', variant ? 2 : 1);
}

static void interrupts(struct wfi_sat_line *l) {
    const char *gap = l->p->formatted ? " " : "       ";
    l->at = 1;
    switch (l->plan->shape) {
    case WFI_SAT_INT_ENTER:
        wfi_sat_put(l, gap, strlen(gap));
        address(l, "IP:");
        break;
    case WFI_SAT_INT_EXIT:
        WFI_SAT_PUT(l, " inkernel:");
        wfi_sat_value(l, 'x', 1);
        break;
    case WFI_SAT_HANDLER_ENTER:
        wfi_sat_put(l, gap, strlen(gap));
        WFI_SAT_PUT(l, "PID:");
        l->to = wfi_signed(l->to, (int32_t)wfi_sat_word(l, 0));
        l->at = 2;
        address(l, " IP:");
        address(l, " AREA:");
        break;
    default:
        WFI_SAT_PUT(l, " SIGEVENT:");
        if (wfi_sat_word(l, 1) == 0) {
            WFI_SAT_PUT(l, "NONE");
        } else {
            WFI_SAT_PUT(l, "UNKNOWN(");
            l->to = wfi_sat_0x8(l->to, wfi_sat_word(l, 1));
            WFI_SAT_PUT(l, ")");
        }
        l->at = 2;
    }
    l->own_line = false;
    wfi_sat_rest(l);
}

static void buffer(struct wfi_sat_line *l) {
    uint32_t sequence = wfi_sat_word(l, 0);
    if (!l->p->formatted) sequence &= 0x7FF; // as QNX 6.x does
    WFI_SAT_PUT(l, " sequence = ");
    l->to = wfi_dec(l->to, sequence);
    WFI_SAT_PUT(l, ", num_events = ");
    l->to = wfi_dec(l->to, wfi_sat_word(l, 1));
    l->at = 2;
    wfi_sat_rest(l);
}

static void thread(struct wfi_sat_line *l) {
    l->own_line = false;
    wfi_sat_args(l);
    if (l->e->count <= 2) *l->to++ = ' ';
}

static void user(struct wfi_sat_line *l) {
    if (l->e->count > 2) {
        WFI_SAT_PUT(l, " STR:\"");
        wfi_sat_value(l, 't', l->e->count);
        *l->to++ = '"';
        return;
    }
    wfi_sat_raw(l, " "); // the comma is part of the name
}

static void left(struct wfi_sat_line *l) {
    if (l->e->count == 2 && wfi_sat_word(l, 0) == UINT32_MAX) {
        WFI_SAT_PUT(l, " ret_val:-1, errno:");
        l->to = wfi_signed(l->to, (int32_t)wfi_sat_word(l, 1));
        return;
    }
    wfi_sat_args(l);
}

static void behind_label(struct wfi_sat_line *l) {
    if (l->e->cls == WF_SLOT_CLASS_USER) {
        user(l);
        return;
    }
    if (!l->plan || l->plan->raw) {
        wfi_sat_raw(l, " ");
        return;
    }
    switch (l->plan->shape) {
    case WFI_SAT_ARGS: wfi_sat_args(l); break;
    case WFI_SAT_BUFFER: buffer(l); break;
    case WFI_SAT_THREAD: thread(l); break;
    case WFI_SAT_LEFT: left(l); break;
    case WFI_SAT_RESTART: break;
    default: interrupts(l); break;
    }
}

// ---------------------------------------------------------------------------------------------
// The line's beginning

// Room for names made of numbers; short, padded with blanks.
struct names {
    char cls[32], event[32];
};

// Class and event if the table has no row, or the event's name contains a number of the event.
static void name_class(const struct wfi_sat_line *l, struct wfi_sat_head *head,
                       struct names *names) {
    static const char *const labels[WFI_SAT_CLASSES] = {
        "EMPTY", "CONTROL", "KER_CALL", "INT", "PROCESS", "SYSTEM",        "USREVENT",
        "COMM",  "QUIP",    "SEC",      "QVM", "PMU",     [24] = "RECORD", "OWN"};
    const struct wf_slot_event *e = l->e;
    unsigned cls = e->cls % WFI_SAT_CLASSES;
    const char *label = labels[cls];
    if (cls == WF_SLOT_CLASS_KERCALL) {
        unsigned which = (e->event & ~(unsigned)WF_SAT_64) / WF_SAT_CALL_END;
        if (which == 1) label = "KER_EXIT";
        if (which == 2) label = "INT_CALL";
    }
    if (cls == WF_SLOT_CLASS_PR_TH && (e->event & ~(unsigned)WF_SAT_64) < 64) label = "THREAD";
    char *end = names->cls;
    if (label) {
        end += strlen(label);
        memcpy(names->cls, label, (size_t)(end - names->cls));
    } else {
        memcpy(end, "CLASS", 5);
        end = wfi_dec(end + 5, cls);
    }
    head->cls = names->cls;
    head->cls_len = (unsigned)(end - names->cls);
}

static void name_event(const struct wfi_sat_line *l, struct wfi_sat_head *head,
                       struct names *names) {
    const struct wf_slot_event *e = l->e;
    unsigned number = wf_sat_plain_event(e);
    char *p = names->event;
    if (e->cls == WF_SLOT_CLASS_KERCALL && number < 3 * WF_SAT_CALL_END) number %= WF_SAT_CALL_END;
    if (l->plan) { // of an interrupt
        p = interrupt(p, wfi_sat_word(l, l->plan->shape == WFI_SAT_HANDLER_ENTER ? 1 : 0));
    } else if (e->cls == WF_SLOT_CLASS_USER) {
        memcpy(p, "EVENT:", 6);
        p = wfi_dec(p + 6, number);
        if (e->count && e->count <= 2) *p++ = ',';
    } else {
        p = wfi_dec(p, number);
    }
    head->event = names->event;
    head->event_len = (unsigned)(p - names->event);
}

// Prints the beginning of a line of style 7.
static void formatted(struct wf_sat *p, struct wfi_sat_line *l, struct wfi_sat_head *head) {
    head->tick = l->e->tick;
    head->number = p->number;
    head->before = l->e->tick < p->first;
    head->past = head->before ? p->first - l->e->tick : l->e->tick - p->first;
    head->hz = p->options.hz;
    head->core = l->e->core;
    l->to = wfi_sat_form_put(&p->form, head, l->to);
}

static void style_6(struct wfi_sat_line *l, const struct wfi_sat_head *head) {
    WFI_SAT_PUT(l, "t:0x");
    l->to = wfi_sat_hex8(l->to, (uint32_t)l->e->tick);
    WFI_SAT_PUT(l, " CPU:");
    l->to = wfi_two(l->to, l->e->core % 100);
    *l->to++ = ' ';
    if (!head->cls) {
        const char *label = l->p->plans.text + l->plan->label;
        l->to = wfi_copy_padded(l->to, label, l->plan->label_len);
        return;
    }
    if (l->plan && l->plan->shape == WFI_SAT_BUFFER) {
        WFI_SAT_PUT(l, "CONTROL: BUFFER");
        return;
    }
    wfi_sat_put(l, head->cls, head->cls_len);
    if (head->cls_len < 8) l->to = wfi_sat_blanks(l->to, 8 - head->cls_len);
    *l->to++ = ':';
    wfi_sat_put(l, head->event, head->event_len);
}

static void begin_line(struct wf_sat *p, struct wfi_sat_line *l) {
    struct wfi_sat_head head = {.cls = NULL};
    struct names names;
    const struct wfi_sat_plan *plan = l->plan;
    bool interrupt =
        plan && plan->shape >= WFI_SAT_INT_ENTER && plan->shape <= WFI_SAT_HANDLER_EXIT;
    if (!plan || interrupt) wfi_sat_blanks((char *)&names, sizeof names);
    if (!plan) name_class(l, &head, &names);
    if (!plan || interrupt) name_event(l, &head, &names);
    if (plan && (p->formatted || interrupt || plan->shape == WFI_SAT_BUFFER)) {
        head.cls = p->plans.text + plan->cls;
        head.cls_len = plan->cls_len;
        if (!interrupt) {
            head.event = p->plans.text + plan->event;
            head.event_len = plan->event_len;
        }
    }
    if (p->formatted)
        formatted(p, l, &head);
    else
        style_6(l, &head);
}

// ---------------------------------------------------------------------------------------------

struct wf_sat *wf_sat_open(const struct wf_sat_options *options, struct wf_error *error) {
    struct wf_sat *p = calloc(1, sizeof *p);
    int err = p ? wfi_options_copy(&p->options, sizeof p->options, options) : WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        free(p);
        return NULL;
    }
    const struct wf_sat_options *o = &p->options;
    p->formatted = o->style == WF_SAT_STYLE_7;
    if (o->style == WF_SAT_STYLE_GUESS) {
        p->formatted = o->format || o->release >= WF_SAT_RELEASE_7;
    }
    if (!wfi_sat_plans_open(&p->plans, o->release))
        err = wf_error_code(error, WF_ERR_NOMEM);
    else if (p->formatted)
        err = wfi_sat_form_open(&p->form, o->format ? o->format : WF_SAT_FORMAT, error);
    p->options.format = NULL;
    if (err == WF_OK) return p;
    wf_sat_close(p);
    return NULL;
}

void wf_sat_close(struct wf_sat *p) {
    if (!p) return;
    wfi_sat_plans_close(&p->plans);
    free(p->form.text);
    free(p);
}

size_t wf_sat_room(const struct wf_sat *p, unsigned words) {
    return p->form.room + WFI_SAT_HEAD_MAX + (size_t)words * WFI_SAT_WORD_MAX;
}

size_t wf_sat_line(struct wf_sat *p, const struct wf_slot_event *e, char *to, size_t cap) {
    if (cap < wf_sat_room(p, e->count)) return 0;
    unsigned event = wf_sat_plain_event(e);
    struct wfi_sat_line l = {
        .p = p, .e = e, .to = to, .own_line = e->count > 2 && !p->options.one_line};
    unsigned index = 0;
    if (event < WFI_SAT_EVENTS) index = p->plans.index[e->cls % WFI_SAT_CLASSES][event];
    if (index) l.plan = &p->plans.plan[index];
    if (!p->started) p->first = e->tick;
    p->started = true;
    begin_line(p, &l);
    ++p->number;
    behind_label(&l);
    *l.to++ = '\n';
    return (size_t)(l.to - to);
}
