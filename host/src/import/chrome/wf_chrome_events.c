// SPDX-License-Identifier: MIT
// Records of events. Spans are of a thread, which is a task without a core: nothing says when it
// runs. What may overlap with others (asynchronous spans), flows and objects are events.

#include <stdlib.h>

#include "wfi_chrome.h"

enum { TEXT = WFI_IMPORT_TEXT_MAX };

// ---- members

// Microseconds with a fraction. Returns false if they do not fit in nanoseconds.
static bool read_time(struct wfi_part p, int64_t *ns) {
    struct wfi_part all = p;
    double real;
    bool negative = wfi_part_skip(&p, "-");
    uint64_t whole = 0, part = 0;
    struct wfi_part first = wfi_part_cut(&p, '.');
    bool plain = wfi_part_number(first, &whole) && whole < INT64_MAX / 4000;
    for (size_t i = 0; i < p.len; ++i) plain = plain && wfi_is_digit(p.at[i]);
    for (size_t i = 0; plain && i < 3; ++i)
        part = part * 10 + (i < p.len ? (unsigned)(p.at[i] - '0') : 0);
    if (plain) {
        *ns = (int64_t)(whole * 1000 + part);
        if (negative) *ns = -*ns;
        return true;
    }
    if (!wfi_part_double(all, &real) || !(real > -2e15 && real < 2e15)) return false;
    *ns = (int64_t)(real * 1000);
    return true;
}

static void take_member(struct wfi_chrome_event *e, enum wfi_json_kind kind, struct wfi_part name,
                        struct wfi_part value) {
    bool text = kind == WFI_JSON_STRING, scalar = text || kind == WFI_JSON_NUMBER;
    if (text && wfi_part_is(name, "ph") && value.len == 1)
        e->ph = value.at[0];
    else if (text && wfi_part_is(name, "name"))
        e->name = value;
    else if (text && wfi_part_is(name, "cat"))
        e->cat = value;
    else if (scalar && (wfi_part_is(name, "id") || wfi_part_is(name, "id2")))
        e->id = value;
    else if (scalar && wfi_part_is(name, "pid"))
        e->pid = value;
    else if (scalar && wfi_part_is(name, "tid"))
        e->tid = value;
    else if (scalar && wfi_part_is(name, "ts"))
        e->timed = read_time(value, &e->ts);
    else if (scalar && wfi_part_is(name, "dur"))
        e->lasts = read_time(value, &e->dur);
    else if (kind == WFI_JSON_OBJECT && wfi_part_is(name, "args"))
        e->args = value;
}

bool wfi_chrome_read(struct wfi_json *j, struct wfi_chrome_event *e) {
    struct wfi_part name, value;
    memset(e, 0, sizeof *e);
    for (enum wfi_json_kind kind; (kind = wfi_json_member(j, &name, &value)) != WFI_JSON_NONE;)
        take_member(e, kind, name, value);
    if (e->dur < 0) e->dur = 0;
    return !j->bad;
}

// ---- fields

struct fields {
    struct wfi_import_field list[WFI_IMPORT_ARGS];
    unsigned count;
    char names[WFI_IMPORT_ARGS][WFI_PART_NAME];
    char text[WFI_IMPORT_ARGS][256]; // of strings with escapes
};

static void add_field(struct fields *f, const char *name, struct wfi_part value) {
    struct wfi_part text = wfi_json_text(value, f->text[f->count], sizeof f->text[0]);
    if (!value.len) return;
    f->list[f->count++] = (struct wfi_import_field){name, WFI_FIELD_TEXT, 0, text.at, text.len};
}

static void begin_fields(struct fields *f, uint64_t thread) {
    f->list[0] = (struct wfi_import_field){"thread", WFI_FIELD_ADDRESS, thread, NULL, 0};
    f->count = 1;
}

static void copy_name(char *to, struct wfi_part name) {
    char text[WFI_PART_NAME];
    name = wfi_json_text(name, text, sizeof text);
    size_t n = name.len < WFI_PART_NAME - 1 ? name.len : WFI_PART_NAME - 1;
    const char *zero = n ? memchr(name.at, 0, n) : NULL;
    if (zero) n = (size_t)(zero - name.at);
    memcpy(to, name.at, n);
    to[n] = 0;
}

// Numbers, texts and words of "args"; lists as their text.
static void add_args(struct fields *f, struct wfi_part args) {
    struct wfi_json j = {args.at, 0, args.len, false};
    struct wfi_part name, value;
    if (!wfi_json_take(&j, '{')) return;
    for (enum wfi_json_kind kind; f->count < WFI_IMPORT_ARGS &&
                                  (kind = wfi_json_member(&j, &name, &value)) != WFI_JSON_NONE;) {
        char *to = f->names[f->count];
        if (name.len)
            copy_name(to, name);
        else
            memcpy(to, "value", sizeof "value");
        if (kind == WFI_JSON_NUMBER) {
            f->list[f->count] = wfi_part_field(to, value);
            ++f->count;
        } else {
            add_field(f, to, value);
        }
    }
}

// ---- records

static struct wfi_part name_of(const struct wfi_chrome_event *e, char *to) {
    struct wfi_part name = wfi_json_text(e->name, to, TEXT);
    return name.len ? name : WFI_PART("event");
}

// Of the thread, which acts now.
static void begin_span(struct wfi_import *im, struct wfi_chrome_thread *t,
                       const struct wfi_chrome_event *e, bool keep) {
    char text[TEXT];
    struct fields f;
    struct wfi_part name = name_of(e, text);
    uint64_t key = wfi_import_text(im, name.at, name.len);
    wfi_import_record(im, WFI_ROW_span_begin, &key);
    f.count = 0;
    add_args(&f, e->args);
    if (f.count) wfi_import_event(im, "args", 4, f.list, f.count);
    if (!keep) return;
    if (!t->spans) t->spans = calloc(WFI_CHROME_SPANS, sizeof *t->spans);
    if (!t->spans) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    if (t->span_count < WFI_CHROME_SPANS) t->spans[t->span_count] = key;
    ++t->span_count;
}

static void end_span(struct wfi_import *im, const struct wfi_chrome_event *e) {
    char text[TEXT];
    struct wfi_part name = name_of(e, text);
    wfi_import_span(im, false, name.at, name.len);
}

// "E" need not have the name. Its "args" are more of those of the begin.
static void end_last_span(struct wfi_import *im, struct wfi_chrome_thread *t,
                          const struct wfi_chrome_event *e) {
    struct fields f;
    f.count = 0;
    add_args(&f, e->args);
    if (f.count) wfi_import_event(im, "args", 4, f.list, f.count);
    if (!t->span_count && e->name.len) {
        end_span(im, e); // it began before the trace
    } else if (t->span_count && --t->span_count < WFI_CHROME_SPANS) {
        wfi_import_record(im, WFI_ROW_span_end, &t->spans[t->span_count]);
    }
}

// Each number of "args" is a counter. A value with a fraction has no record: it is an event.
static void take_counter(struct wfi_import *im, const struct wfi_chrome_event *e) {
    char text[TEXT], series[WFI_PART_NAME];
    struct wfi_json j = {e->args.at, 0, e->args.len, false};
    struct wfi_part name, value;
    if (!wfi_json_take(&j, '{')) return;
    for (enum wfi_json_kind kind; (kind = wfi_json_member(&j, &name, &value)) != WFI_JSON_NONE;) {
        if (kind != WFI_JSON_NUMBER) continue;
        copy_name(series, name);
        struct wfi_part own = name_of(e, text);
        size_t n = own.len < TEXT - 64 ? own.len : TEXT - 64;
        if (own.at != text) memcpy(text, own.at, n);
        bool only = wfi_part_is(name, "value") || wfi_part_same(name, e->name);
        if (!only) {
            text[n++] = '.';
            memcpy(text + n, series, strlen(series));
            n += strlen(series);
        }
        const struct wfi_import_field field = wfi_part_field("value", value);
        if (field.type == WFI_FIELD_SIGNED)
            wfi_import_counter(im, text, n, (int64_t)field.value);
        else
            wfi_import_event(im, text, n, &field, 1);
    }
}

static void take_other(struct wfi_import *im, const struct wfi_chrome_thread *t,
                       const struct wfi_chrome_event *e) {
    char text[TEXT];
    struct fields f;
    begin_fields(&f, t->key);
    if (!memchr("iIRn", e->ph, 4)) add_field(&f, "ph", (struct wfi_part){&e->ph, 1});
    add_field(&f, "id", e->id);
    add_args(&f, e->args);
    struct wfi_part name = name_of(e, text);
    wfi_import_event(im, name.at, name.len, f.list, f.count);
}

void wfi_chrome_emit(struct wfi_import *im, const struct wfi_chrome_entry *entry,
                     const struct wfi_chrome_event *e) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    struct wfi_chrome_thread *t = &c->threads[entry->thread];
    im->cores[0] = (struct wfi_import_core){.known = true, .task = t->key};
    if (entry->phase == WFI_CHROME_END) {
        end_span(im, e);
        return;
    }
    switch (e->ph) {
    case 'X':
        begin_span(im, t, e, false);
        if (e->lasts && !e->dur) end_span(im, e);
        break;
    case 'B': begin_span(im, t, e, true); break;
    case 'E': end_last_span(im, t, e); break;
    case 'C': take_counter(im, e); break;
    default: take_other(im, t, e);
    }
}
