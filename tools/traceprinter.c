// SPDX-License-Identifier: MIT
// What is lost or damaged is a line among the events, in its place.

#include "traceprinter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { TEXT_CAP = 1 << 20 };

struct printing {
    const char *name;
    const struct traceprinter_options *options;
    struct slots *slots;
    struct wf_sat *sat; // null until the header is known
    char *text;
    size_t len;
    bool live;
    int code;
};

static void flush(struct printing *p) {
    fwrite(p->text, 1, p->len, stdout);
    p->len = 0;
}

static char *room(struct printing *p, size_t len) {
    if (TEXT_CAP - p->len < len) flush(p);
    return p->text + p->len;
}

static void say(struct printing *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct printing *p, const char *format, ...) {
    enum { MOST = 512 };
    va_list args;
    char *to = room(p, MOST);
    va_start(args, format);
    int len = vsnprintf(to, MOST, format, args);
    va_end(args);
    p->len += len < MOST ? (size_t)len : MOST - 1;
}

static void attributes(struct printing *p, const struct wf_slots *slots) {
    const char *key, *value;
    say(p, "%s", WF_SAT_TITLE);
    for (size_t i = 0; wf_slots_attribute(slots, i, &key, &value); ++i) {
        size_t most = strlen(key) + strlen(value) + 64;
        if (most > TEXT_CAP) continue; // the reader takes none so long
        char *to = room(p, most);
        p->len += wf_sat_attribute(key, value, to, most);
    }
    say(p, "%s", WF_SAT_TITLE_EVENTS);
}

static bool big_endian(const struct wf_slots *slots) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return wf_slots_swapped(slots) == (first == 1);
}

static void header(struct printing *p, const struct wf_slots *slots) {
    struct wf_sat_options options = p->options->text;
    const char *why;
    options.release = wf_sat_release_of(wf_slots_find(slots, "SYS_RELEASE"));
    options.big_endian = big_endian(slots);
    options.hz = wf_slots_hz(slots);
    p->sat = wf_sat_open(&options, &why);
    if (p->sat)
        attributes(p, slots);
    else
        p->code = complain(EXIT_INPUT, "%s", why);
}

static void event(struct printing *p, const struct wf_slot_event *e) {
    size_t most = wf_sat_room(p->sat, e->count);
    char *to = room(p, most);
    p->len += wf_sat_line(p->sat, e, to, most);
}

static void loss(struct printing *p, const struct wf_slots_loss *l) {
    say(p, " -- LOST: CPU:%02u %s%" PRIu64 " events", l->core, l->exact ? "" : "at least ",
        l->events);
    if (l->refused) say(p, ", %" PRIu64 " more found no room", l->refused);
    if (l->chunks) say(p, ", %" PRIu64 " buffers missing", l->chunks);
    say(p, " -- \n");
}

static void damage(struct printing *p, const struct wf_slots_damage *d) {
    say(p, " -- DAMAGED: CPU:%02u %" PRIu64 " bytes at %" PRIu64 ": %.200s -- \n", d->core, d->len,
        d->offset, shown_text(d->why ? d->why : ""));
}

static bool on_item(void *ctx, const struct wf_slots *slots, const struct wf_slots_item *item) {
    struct printing *p = ctx;
    if (item->kind == WF_SLOTS_HEADER && !p->sat) header(p, slots);
    if (!p->sat) return p->code == EXIT_GOOD;
    if (item->kind == WF_SLOTS_EVENT) event(p, &item->event);
    if (item->kind == WF_SLOTS_LOSS) loss(p, &item->loss);
    if (item->kind == WF_SLOTS_DAMAGE) damage(p, &item->damage);
    return !ferror(stdout);
}

static void keep_code(struct printing *p, int code) {
    if (p->code == EXIT_GOOD) p->code = code;
}

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct printing *p = ctx;
    (void)peer;
    keep_code(p, slots_feed(p->slots, bytes, len));
    if (p->live) {
        flush(p);
        fflush(stdout);
    }
    return p->code == EXIT_GOOD && !ferror(stdout);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    (void)ctx, (void)peer, (void)up, (void)why;
}

static int on_memory(void *ctx, const uint8_t *bytes, size_t len) {
    return slots_run_memory(((struct printing *)ctx)->slots, bytes, len);
}

// An image without the slot recorder's memory: that of the frame recorder.
static bool on_frames(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct printing *p = ctx;
    (void)peer, (void)bytes, (void)len;
    keep_code(p,
              complain(EXIT_USAGE, "%s: holds no slot trace; --style=traceprinter prints no other",
                       p->name));
    return false;
}

static void read_stream(struct printing *p, const char *name) {
    struct source_handlers on = {
        .ctx = p, .bytes = on_bytes, .link = on_link, .once = true, .most = 1};
    keep_code(p, source_run(name, &on));
    if (p->code == EXIT_GOOD) keep_code(p, slots_end(p->slots));
}

static void read_all(struct printing *p, const char *name, bool image) {
    struct source_handlers on = {
        .ctx = p, .bytes = on_frames, .link = on_link, .memory = on_memory};
    if (image)
        keep_code(p, image_run(name, NULL, &on));
    else if (slots_in_file(name) != SLOTS_NONE)
        keep_code(p, slots_run_file(p->slots, name));
    else
        read_stream(p, name);
    flush(p);
    if (fflush(stdout) || ferror(stdout)) {
        keep_code(p, complain(EXIT_INPUT, "output: %s", strerror(errno)));
    }
}

static int judge(const struct printing *p) {
    int code = slots_judge(p->slots);
    if (code != EXIT_GOOD) return code;
    if (!p->options->quiet) slots_summary(p->slots);
    if (p->options->strict && slots_lossy(slots_totals(p->slots))) {
        return complain(EXIT_LOSS, "%s: the log is not whole (--strict)", p->name);
    }
    return EXIT_GOOD;
}

// A bad format is found before the source is opened.
static bool format_is_good(const struct traceprinter_options *options) {
    const char *why;
    struct wf_sat *sat = wf_sat_open(&options->text, &why);
    if (!sat) complain(EXIT_USAGE, "--format: %s", why);
    wf_sat_close(sat);
    return sat != NULL;
}

int traceprinter_run(const char *name, bool image, const struct traceprinter_options *options) {
    struct printing p = {.name = name, .options = options};
    if (!format_is_good(options)) return EXIT_USAGE;
    p.live = !image && source_is_live(name);
    if (!image && strcmp(name, "-") == 0) p.name = "standard input";
    p.text = malloc(TEXT_CAP);
    p.slots = p.text ? slots_open(p.name, &options->slots, &p, on_item) : NULL;
    if (!p.text) complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    if (!p.slots) p.code = EXIT_INPUT;
    if (p.slots) read_all(&p, name, image);
    if (p.code == EXIT_GOOD) p.code = judge(&p);
    wf_sat_close(p.sat);
    slots_close(p.slots);
    free(p.text);
    return p.code;
}
