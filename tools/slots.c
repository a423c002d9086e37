// SPDX-License-Identifier: MIT
// A slot trace read to its end and printed in the style of QNX's traceprinter. What is lost or
// damaged is a line among the events, in its place.

#include "slots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { TEXT_CAP = 1 << 20, HEAD_LEN = 1024 };

struct printing {
    const char *name;
    const struct slots_options *options;
    struct wf_slots *slots;
    struct wf_sat *sat; // null until the header is known
    char *text;
    size_t len;
    bool live;
    int code;
};

bool slots_is_file(const char *name) {
    char head[HEAD_LEN];
    if (!wf_link_is_file(name) || strcmp(name, "-") == 0) return false;
    FILE *file = fopen(name, "rb");
    if (!file) return false; // who reads it says so
    size_t len = fread(head, 1, sizeof head, file);
    fclose(file);
    return wf_slots_is(head, len);
}

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

static void attributes(struct printing *p) {
    const char *key, *value;
    say(p, "%s", WF_SAT_TITLE);
    for (size_t i = 0; wf_slots_attribute(p->slots, i, &key, &value); ++i) {
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

static void header(struct printing *p) {
    struct wf_sat_options options = p->options->text;
    const char *why;
    options.release = wf_sat_release_of(wf_slots_find(p->slots, "SYS_RELEASE"));
    options.big_endian = big_endian(p->slots);
    options.hz = wf_slots_hz(p->slots);
    p->sat = wf_sat_open(&options, &why);
    if (p->sat)
        attributes(p);
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
        d->offset, d->why ? d->why : "");
}

static void items(struct printing *p) {
    struct wf_slots_item item;
    while (p->code == EXIT_GOOD && wf_slots_next(p->slots, &item)) {
        if (item.kind == WF_SLOTS_HEADER && !p->sat) header(p);
        if (!p->sat) continue;
        if (item.kind == WF_SLOTS_EVENT) event(p, &item.event);
        if (item.kind == WF_SLOTS_LOSS) loss(p, &item.loss);
        if (item.kind == WF_SLOTS_DAMAGE) damage(p, &item.damage);
    }
}

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct printing *p = ctx;
    (void)peer;
    wf_slots_feed(p->slots, bytes, len);
    items(p);
    if (p->live) {
        flush(p);
        fflush(stdout);
    }
    return p->code == EXIT_GOOD && !ferror(stdout);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    (void)ctx, (void)peer, (void)up, (void)why;
}

static uint64_t damages(const struct wf_slots_ledger *l) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) sum += l->damage[i];
    return sum;
}

static int judge(const struct printing *p) {
    const struct wf_slots_ledger *l = wf_slots_get_ledger(p->slots);
    if (wf_slots_error(p->slots) != WF_OK) return complain(EXIT_INPUT, "out of memory");
    if (l->bytes && !l->slots) {
        return complain(EXIT_INPUT, "%s: not a kernel-event log: no slot in %" PRIu64 " bytes",
                        p->name, l->bytes);
    }
    if (!p->options->quiet) {
        complain(EXIT_GOOD,
                 "%s: %" PRIu64 " events; %s%" PRIu64 " lost, %" PRIu64 " found no room; %" PRIu64
                 " damages",
                 p->name, l->events, l->lost && !l->exact ? "at least " : "", l->lost, l->refused,
                 damages(l));
    }
    if (p->options->strict && (l->lost || l->refused || l->gone || damages(l))) {
        return complain(EXIT_LOSS, "%s: the log is not whole (--strict)", p->name);
    }
    return EXIT_GOOD;
}

static int read_all(struct printing *p, const char *name) {
    struct source_handlers on = {
        .ctx = p, .bytes = on_bytes, .link = on_link, .once = true, .most = 1};
    int code = source_run(name, &on);
    if (code != EXIT_GOOD) return code;
    wf_slots_end(p->slots);
    items(p);
    flush(p);
    if (fflush(stdout) || ferror(stdout)) {
        return complain(EXIT_INPUT, "output: %s", strerror(errno));
    }
    return p->code == EXIT_GOOD ? judge(p) : p->code;
}

// A bad format is found before the source is opened.
static bool format_is_good(const struct slots_options *options) {
    const char *why;
    struct wf_sat *sat = wf_sat_open(&options->text, &why);
    if (!sat) complain(EXIT_USAGE, "--format: %s", why);
    wf_sat_close(sat);
    return sat != NULL;
}

int slots_print(const char *name, const struct slots_options *options) {
    struct printing p = {.name = name, .options = options, .live = source_is_live(name)};
    struct wf_slots_options reader = {.hz = options->hz, .with_control = true};
    int err = WF_ERR_NOMEM, code;
    if (!format_is_good(options)) return EXIT_USAGE;
    if (strcmp(name, "-") == 0) p.name = "standard input";
    p.text = malloc(TEXT_CAP);
    p.slots = p.text ? wf_slots_open(&reader, &err) : NULL;
    if (p.slots)
        code = read_all(&p, name);
    else
        code = complain(EXIT_INPUT, "%s", wf_err_text(err));
    wf_sat_close(p.sat);
    wf_slots_close(p.slots);
    free(p.text);
    return code;
}
