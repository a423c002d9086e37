// SPDX-License-Identifier: MIT
// Marks that programs write (atrace's B, E, C), system calls, and events with their own names.

#include <stdlib.h>

#include "wfi_ftrace.h"

// ---- spans of the running task

static void begin_span(struct wfi_import *im, struct wfi_ftrace_task *t, struct wfi_part name) {
    struct wfi_ftrace *f = wfi_ftrace_of(im);
    uint64_t key = wfi_import_text(im, name.at, name.len);
    wfi_import_record(im, WFI_ROW_span_begin, &key);
    if (!t->spans) t->spans = calloc(WFI_FTRACE_SPANS, sizeof *t->spans);
    if (!t->spans) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    if (t->epoch != f->epoch) t->span_count = 0; // ended in a loss
    t->epoch = f->epoch;
    if (t->span_count < WFI_FTRACE_SPANS) t->spans[t->span_count] = key;
    ++t->span_count;
}

// Ends the last span. Returns false if none is open whose name is known.
static bool end_span(struct wfi_import *im, struct wfi_ftrace_task *t) {
    if (!t->span_count || t->epoch != wfi_ftrace_of(im)->epoch) return false;
    if (--t->span_count >= WFI_FTRACE_SPANS) return true;
    wfi_import_record(im, WFI_ROW_span_end, &t->spans[t->span_count]);
    return true;
}

// ---- marks

// "C|pid|name|value"
static bool take_counter(struct wfi_import *im, struct wfi_part text) {
    struct wfi_part name, number;
    int64_t value;
    if (!wfi_part_find_last(text, "|", &name, &number)) return false;
    if (!wfi_part_signed(wfi_part_trim(number), &value)) return false;
    wfi_import_counter(im, name.at, name.len, value);
    return true;
}

// Returns false if the text is no mark of this form.
static bool take_atrace(struct wfi_import *im, struct wfi_ftrace_task *t, struct wfi_part text) {
    char kind = text.len ? text.at[0] : 0;
    if (!kind || !memchr("BEC", kind, 3)) return false;
    wfi_part_drop(&text, 1);
    if (kind == 'E' && !text.len) return t && end_span(im, t);
    uint64_t pid;
    if (!wfi_part_skip(&text, "|")) return false;
    if (!wfi_part_number(wfi_part_trim(wfi_part_cut(&text, '|')), &pid)) return false;
    if (kind == 'C') return take_counter(im, text);
    if (kind == 'E') return t && end_span(im, t);
    if (!t || !text.len) return false;
    begin_span(im, t, text);
    return true;
}

bool wfi_ftrace_mark(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct wfi_part text = l->tail;
    bool print = wfi_part_is(l->event, "print"), mark = wfi_part_is(l->event, "tracing_mark_write");
    if (!print && !mark) return false;
    if (print) (void)wfi_part_skip(&text, "tracing_mark_write: ");
    if (!take_atrace(im, wfi_ftrace_task(im, l->pid), text))
        wfi_import_message(im, text.at, text.len);
    return true;
}

// ---- system calls

// A span of the task; arguments and a result other than 0 follow as an event of its name.
bool wfi_ftrace_syscall(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    bool enter = l->form == WFI_FTRACE_ENTER;
    struct wfi_ftrace_task *t = wfi_ftrace_task(im, l->pid);
    if ((!enter && l->form != WFI_FTRACE_LEAVE) || !t) return false;
    struct wfi_import_field field = {"arguments", WFI_FIELD_TEXT, 0, l->tail.at, l->tail.len};
    if (enter) {
        begin_span(im, t, l->event);
    } else {
        (void)end_span(im, t);
        field = wfi_part_field("result", l->tail);
    }
    bool nothing = enter ? !l->tail.len : wfi_part_is(l->tail, "0") || wfi_part_is(l->tail, "0x0");
    if (!nothing) wfi_import_event(im, l->event.at, l->event.len, &field, 1);
    return true;
}

// ---- events of other names

void wfi_ftrace_event(struct wfi_import *im, const struct wfi_ftrace_line *l) {
    struct wfi_import_field fields[WFI_IMPORT_ARGS];
    char names[WFI_IMPORT_ARGS][WFI_PART_NAME];
    struct wfi_part name = l->event;
    unsigned count = 1;
    fields[0] = (struct wfi_import_field){"task", WFI_FIELD_ADDRESS, l->pid, NULL, 0};
    if (l->form == WFI_FTRACE_CALL) {
        name = WFI_PART("function");
        fields[count++] =
            (struct wfi_import_field){"function", WFI_FIELD_TEXT, 0, l->event.at, l->event.len};
        fields[count++] =
            (struct wfi_import_field){"caller", WFI_FIELD_TEXT, 0, l->tail.at, l->tail.len};
    } else if (l->form == WFI_FTRACE_EVENT) {
        count += wfi_part_fields(l->tail, fields + 1, WFI_IMPORT_ARGS - 1, names);
    }
    if (count == 1 && l->tail.len)
        fields[count++] =
            (struct wfi_import_field){"text", WFI_FIELD_TEXT, 0, l->tail.at, l->tail.len};
    if (l->form == WFI_FTRACE_OTHER) name = WFI_PART("event");
    wfi_import_event(im, name.at, name.len, fields, count);
}
