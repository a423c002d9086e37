// SPDX-License-Identifier: MIT
// Prints slots in traceprinter's style. Losses and damage are lines among the events, in order.

#include "traceprinter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_CAP = 1 << 20 };

struct printing {
    struct stream stream; // the first member
    const struct traceprinter_options *options;
    struct wf_sat *sat; // null until the header is known
    char *text;
    size_t len;
};

static void flush(struct printing *p) {
    fwrite(p->text, 1, p->len, stdout);
    p->len = 0;
}

static char *make_room(struct printing *p, size_t len) {
    if (TEXT_CAP - p->len < len) flush(p);
    return p->text + p->len;
}

static void put_text(struct printing *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_text(struct printing *p, const char *format, ...) {
    enum { MOST = 512 };
    va_list args;
    char *to = make_room(p, MOST);
    va_start(args, format);
    int len = vsnprintf(to, MOST, format, args);
    va_end(args);
    p->len += len < MOST ? (size_t)len : MOST - 1;
}

static void put_attributes(struct printing *p, const struct wf_slots *slots) {
    const char *key, *value;
    put_text(p, "%s", WF_SAT_TITLE);
    for (size_t i = 0; wf_slots_attribute(slots, i, &key, &value); ++i) {
        size_t most = strlen(key) + strlen(value) + 64;
        if (most > TEXT_CAP) continue; // longer than the reader accepts
        char *to = make_room(p, most);
        p->len += wf_sat_attribute(key, value, to, most);
    }
    put_text(p, "%s", WF_SAT_TITLE_EVENTS);
}

static void open_printer(struct printing *p, const struct wf_slots *slots) {
    struct wf_sat_options options = p->options->text;
    struct wf_error error;
    options.release = wf_sat_release_of(wf_slots_find(slots, "SYS_RELEASE"));
    options.big_endian = wf_slots_big_endian(slots);
    options.hz = wf_slots_hz(slots);
    p->sat = wf_sat_open(&options, &error);
    if (p->sat)
        put_attributes(p, slots);
    else
        p->stream.code = diag_error(EXIT_INPUT, "%s", error.text);
    p->stream.enough = !p->sat;
}

static void put_event(struct printing *p, const struct wf_slot_event *e) {
    size_t most = wf_sat_room(p->sat, e->count);
    char *to = make_room(p, most);
    p->len += wf_sat_line(p->sat, e, to, most);
}

static void put_loss(struct printing *p, const struct wf_slots_loss *l) {
    put_text(p, " -- LOST: CPU:%02u %s%" PRIu64 " events", l->core, l->exact ? "" : "at least ",
             l->events);
    if (l->refused) put_text(p, ", %" PRIu64 " more found no room", l->refused);
    if (l->chunks) put_text(p, ", %" PRIu64 " buffers missing", l->chunks);
    put_text(p, " -- \n");
}

static void put_damage(struct printing *p, const struct wf_slots_damage *d) {
    put_text(p, " -- DAMAGED: CPU:%02u %" PRIu64 " bytes at %" PRIu64 ": %.200s -- \n", d->core,
             d->len, d->offset, shown_text(d->why ? d->why : ""));
}

static void on_item(struct lane *l, const struct wf_item *item) {
    struct printing *p = (struct printing *)(void *)l->stream;
    const struct wf_slots_item *slot = item->slot;
    if (item->kind != WF_ITEM_SLOT) return;
    if (slot->kind == WF_SLOTS_HEADER && !p->sat) open_printer(p, l->slots->slots);
    if (!p->sat) return;
    if (slot->kind == WF_SLOTS_EVENT) put_event(p, &slot->event);
    if (slot->kind == WF_SLOTS_LOSS) put_loss(p, &slot->loss);
    if (slot->kind == WF_SLOTS_DAMAGE) put_damage(p, &slot->damage);
}

static void on_drained(struct stream *s) {
    struct printing *p = (struct printing *)(void *)s;
    if (s->live) flush(p);
}

static int check_verdict(const struct printing *p) {
    const struct lane *l = p->stream.lanes[0];
    const char *name = p->stream.name;
    if (!l->slots) return EXIT_GOOD;
    const struct wf_verdict *v = wf_lane_verdict(l->of);
    if (v->kind == WF_VERDICT_NO_TRACE) return diag_error(EXIT_INPUT, "%s: %s", name, v->text);
    if (!p->options->quiet) slots_summary(name, l->slots);
    if (p->options->strict && v->lossy)
        return diag_error(EXIT_LOSS, "%s: the log is not whole (--strict)", name);
    return EXIT_GOOD;
}

// Checks the format before the source is opened.
static bool format_is_good(const struct traceprinter_options *options) {
    struct wf_error error;
    struct wf_sat *sat = wf_sat_open(&options->text, &error);
    if (!sat) diag_error(EXIT_USAGE, "--format: %s", error.text);
    wf_sat_close(sat);
    return sat != NULL;
}

static int print_log(struct printing *p) {
    int code = stream_run(&p->stream, true);
    flush(p);
    if (fflush(stdout) || ferror(stdout)) {
        int why = errno;
        if (code == EXIT_GOOD) code = diag_error(EXIT_INPUT, "output: %s", strerror(why));
    }
    return code == EXIT_GOOD ? check_verdict(p) : code;
}

int traceprinter_run(const struct args *args, const struct traceprinter_options *options) {
    struct printing p = {.stream = {.single = true,
                                    .format = WF_LANE_SLOTS,
                                    .raw_slots = true,
                                    .on_item = on_item,
                                    .on_drained = on_drained},
                         .options = options};
    if (!format_is_good(options)) return EXIT_USAGE;
    p.text = malloc(TEXT_CAP);
    if (!p.text) return diag_error(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    int code = stream_open(&p.stream, args);
    if (code == EXIT_GOOD) {
        p.stream.ask = WF_ASK_NEVER; // slots have no commands
        code = print_log(&p);
        stream_close(&p.stream);
    }
    wf_sat_close(p.sat);
    free(p.text);
    return code;
}
