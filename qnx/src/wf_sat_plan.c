// SPDX-License-Identifier: MIT
// Plans: each row of the table prepared for printing, its label and the names of its words as in
// the text. Made once for each printer, so that a line needs only copies and numbers.

#include <stdlib.h>

#include "wfi_sat.h"

enum { PLANS_MAX = 512, ARGS_MAX = 2048, TEXT_MAX = 65000 };

#define ROW(h)                                                                                     \
    h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" h "8" h "9" h "a" h "b" h "c" h "d" h "e" h "f"
const char wfi_sat_hex2[513] = ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6")
    ROW("7") ROW("8") ROW("9") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f");

// The table is ours and of known size, so it fits (a test checks that every event has its plan).
static uint16_t add_text(struct wfi_sat_plans *plans, const char *text, size_t len) {
    if (len > (size_t)TEXT_MAX - plans->text_len) len = (size_t)TEXT_MAX - plans->text_len;
    uint16_t at = plans->text_len;
    memcpy(plans->text + at, text, len);
    plans->text_len = (uint16_t)(at + len);
    return at;
}

// Pads the text with blanks, up to 32 characters.
static uint16_t add_filled(struct wfi_sat_plans *plans, const char *text, size_t len) {
    char filled[32];
    if (len > sizeof filled) len = sizeof filled;
    memcpy(filled, text, len);
    wfi_sat_blanks(filled + len, sizeof filled - len);
    return add_text(plans, filled, sizeof filled);
}

static void add_name(struct wfi_sat_plans *plans, struct wfi_sat_arg *arg, const char *name,
                     size_t len) {
    char text[128], *p = text;
    *p++ = '\n';
    if (len < WFI_SAT_COLUMN) p = wfi_sat_blanks(p, WFI_SAT_COLUMN - len);
    memcpy(p, name, len);
    p[len] = ':';
    p += len + 1;
    arg->own_len = (uint8_t)(p - text);
    arg->own_at = add_text(plans, text, arg->own_len);
    p[-(long)len - 2] = ' ';
    arg->inline_len = (uint8_t)(len + 2);
    arg->inline_at = add_text(plans, p - len - 2, len + 2);
}

static void add_arg(struct wfi_sat_plans *plans, struct wfi_sat_plan *plan, const char *word,
                    size_t len) {
    if (plans->arg_count == ARGS_MAX) return;
    struct wfi_sat_arg *arg = &plans->arg[plans->arg_count++];
    arg->fast = *word == '*';
    word += arg->fast;
    len -= arg->fast;
    arg->form = 'd';
    if (len > 2 && word[len - 2] == ':') {
        arg->form = word[len - 1];
        len -= 2;
    }
    add_name(plans, arg, word, len);
    for (unsigned set = 0; set < WFI_SAT_SETS; ++set) {
        if (!arg->fast && !(set & WFI_SAT_WIDE)) continue;
        unsigned words = arg->form == 't' ? 1 : wfi_sat_words(arg, set, WFI_SAT_MESSAGE);
        plan->need[set] = (uint8_t)(plan->need[set] + words);
    }
    plan->open = arg->form == 't';
    if (arg->fast) plan->open_fast = plan->open;
    ++plan->args;
}

static void add_args(struct wfi_sat_plans *plans, struct wfi_sat_plan *plan, const char *words) {
    plan->raw = strcmp(words, "?") == 0;
    plan->arg = plans->arg_count;
    while (*words && !plan->raw) {
        size_t len = strcspn(words, " ");
        add_arg(plans, plan, words, len);
        words += len + (words[len] == ' ');
    }
}

// The label of QNX 6.x: the class in 8 columns, a colon, and the event.
static void add_label(struct wfi_sat_plans *plans, struct wfi_sat_plan *plan, const char *cls,
                      const char *event) {
    char label[96], *p = label;
    size_t cls_len = strlen(cls), event_len = strlen(event);
    memcpy(p, cls, cls_len);
    p = wfi_sat_blanks(p + cls_len, cls_len < 8 ? 8 - cls_len : 0);
    *p++ = ':';
    memcpy(p, event, event_len);
    p += event_len;
    if (plan->shape == WFI_SAT_THREAD && event_len < 13) p = wfi_sat_blanks(p, 13 - event_len);
    plan->cls = add_filled(plans, cls, cls_len);
    plan->event = add_filled(plans, event, event_len);
    plan->label = add_text(plans, label, (size_t)(p - label));
    plan->cls_len = (uint8_t)cls_len;
    plan->event_len = (uint8_t)event_len;
    plan->label_len = (uint8_t)(p - label);
}

static void add_plan(struct wfi_sat_plans *plans, unsigned cls, unsigned event, uint8_t shape,
                     const char *cls_label, const char *label, const char *words) {
    if (plans->plan_count == PLANS_MAX) return;
    plans->index[cls][event] = plans->plan_count;
    struct wfi_sat_plan *plan = &plans->plan[plans->plan_count++];
    plan->shape = shape;
    add_label(plans, plan, cls_label, label);
    add_args(plans, plan, words);
}

static void add_rows(struct wfi_sat_plans *plans) {
    static const char *const labels[] = {"",         "CONTROL", "", "",    "PROCESS", "SYSTEM",
                                         "USREVENT", "COMM",    "", "SEC", "QVM",     "PMU"};
    static const uint8_t interrupts[] = {
        WFI_SAT_ARGS,         WFI_SAT_INT_ENTER, WFI_SAT_INT_EXIT,      WFI_SAT_HANDLER_ENTER,
        WFI_SAT_HANDLER_EXIT, WFI_SAT_INT_ENTER, WFI_SAT_HANDLER_ENTER, WFI_SAT_ARGS};
    static const char *const entries[] = {
        "INT",      "INT_ENTR",         "INT_EXIT", "INT_HANDLER_ENTR", "INT_HANDLER_EXIT",
        "INT_ENTR", "INT_HANDLER_ENTR", "INT"};
    for (unsigned i = 0; i < wfi_sat_row_count; ++i) {
        const struct wfi_sat_row *row = &wfi_sat_rows[i];
        uint8_t shape = WFI_SAT_ARGS;
        const char *cls = labels[row->cls];
        if (row->cls == WF_SLOT_CLASS_CONTROL && row->event == WF_SLOT_CONTROL_BUFFER) {
            shape = WFI_SAT_BUFFER;
        }
        if (row->cls == WF_SLOT_CLASS_INT) {
            shape = interrupts[row->event];
            cls = entries[row->event];
        }
        add_plan(plans, row->cls, row->event, shape, cls, row->label, row->words);
    }
}

// "MSG_SENDV/11" and the like.
static void add_calls(struct wfi_sat_plans *plans) {
    for (unsigned i = 0; i < wfi_sat_call_count; ++i) {
        const struct wfi_sat_call *call = &wfi_sat_calls[i];
        char name[80], *p = name;
        size_t len = strlen(call->name);
        memcpy(p, call->name, len);
        p[len] = '/';
        p += len + 1;
        *wfi_dec(p, call->number) = 0;
        const char *restart_name = name;
        char padded[80];
        if (call->number < 10) { // two digits, except where a call is restarted
            memcpy(padded, name, len + 1);
            *wfi_two(padded + len + 1, call->number) = 0;
        } else {
            memcpy(padded, name, sizeof padded);
        }
        add_plan(plans, WF_SLOT_CLASS_KERCALL, call->number, WFI_SAT_ARGS, "KER_CALL", padded,
                 call->enter);
        add_plan(plans, WF_SLOT_CLASS_KERCALL, call->number + WF_SAT_CALL_END, WFI_SAT_LEFT,
                 "KER_EXIT", padded, call->leave);
        add_plan(plans, WF_SLOT_CLASS_KERCALL, call->number + 2 * WF_SAT_CALL_END, WFI_SAT_RESTART,
                 "INT_CALL", restart_name, "");
    }
}

static void add_states(struct wfi_sat_plans *plans, enum wf_sat_release release) {
    for (unsigned i = 0; i < wfi_sat_state_count; ++i) {
        const struct wf_sat_state *state = &wfi_sat_states[i];
        const char *name = wf_sat_state_name(state, release);
        char label[32] = "TH";
        if (!name) continue;
        memcpy(label + 2, name, strlen(name) + 1);
        add_plan(plans, WF_SLOT_CLASS_PR_TH, state->number, WFI_SAT_THREAD, "THREAD", label,
                 WF_SAT_STATE_WORDS);
        if (release == WF_SAT_RELEASE_8) continue;
        add_plan(plans, WF_SLOT_CLASS_PR_TH, state->number + wf_sat_thread_states(release),
                 WFI_SAT_THREAD, "VTHREAD", label, WF_SAT_STATE_WORDS);
    }
}

bool wfi_sat_plans_open(struct wfi_sat_plans *plans, enum wf_sat_release release) {
    memset(plans, 0, sizeof *plans);
    plans->text = calloc(1, TEXT_MAX + WFI_STRBUF_SLACK);
    plans->plan = calloc(PLANS_MAX, sizeof *plans->plan);
    plans->arg = calloc(ARGS_MAX, sizeof *plans->arg);
    if (!plans->text || !plans->plan || !plans->arg) return false;
    plans->plan_count = 1; // 0: none
    add_rows(plans);
    add_states(plans, release);
    if (release != WF_SAT_RELEASE_8) add_calls(plans);
    return true;
}

void wfi_sat_plans_close(struct wfi_sat_plans *plans) {
    free(plans->text);
    free(plans->plan);
    free(plans->arg);
}
