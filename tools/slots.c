// SPDX-License-Identifier: MIT
// The parser's callbacks as items again, counted by core on their way.

#include "slots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "wallfly_backend/wf_link.h"
#include "wallfly_host/wf_recording.h"

enum { HEAD_LEN = 4096, DELAY_MS = 1000 };

// ---- what is one

static size_t read_head(const char *name, uint8_t *head) {
    bool standard = strcmp(name, "-") == 0;
    struct stat st;
    ssize_t n = 0;
    if (!standard && !wf_link_is_file(name)) return 0;
    // Who writes into a FIFO must not be let go on by an open that is closed again.
    if (!standard && (stat(name, &st) != 0 || !S_ISREG(st.st_mode))) return 0;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0; // who reads it says so
    bool whole = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
    if (whole) n = pread(fd, head, HEAD_LEN, 0);
    if (!standard) close(fd);
    return n > 0 ? (size_t)n : 0;
}

enum slots_kind slots_in_file(const char *name) {
    static const char own[] = "TRACE_WALLFLY::";
    uint8_t head[HEAD_LEN];
    size_t len = read_head(name, head);
    // What is compressed in a recording may begin with the same words.
    if (wf_recording_is(head, len) || !wf_slots_is(head, len)) return SLOTS_NONE;
    bool ours = !wf_slots_has_attributes(head, len) || memmem(head, len, own, sizeof own - 1);
    return ours ? SLOTS_OWN : SLOTS_QNX;
}

// ---- callbacks

static int hand_on(struct slots *s, const struct wf_slots_item *item) {
    return s->item(s->ctx, wf_parser_slots(s->parser), item) ? 0 : 1;
}

static int on_header(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    const struct wf_slots_item item = {.kind = WF_SLOTS_HEADER};
    (void)p;
    (void)e;
    return hand_on(user, &item);
}

static void count_event(struct slots_counts *c, const struct wf_slot_event *e) {
    ++c->events[e->core][e->cls];
    if (!e->timed) return;
    if (!c->timed[e->core]) c->tick_first[e->core] = e->tick;
    c->timed[e->core] = true;
    c->tick_last[e->core] = e->tick;
}

static int on_event(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    struct slots *s = user;
    struct wf_slots_item item;
    struct wf_slot_event *to = &item.event;
    item.kind = WF_SLOTS_EVENT;
    to->head = e->head;
    to->cls = e->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
    to->core = e->core;
    to->event = e->head & WF_SLOT_EVENT;
    to->timed = e->timed;
    to->tick = e->tick;
    to->offset = e->offset;
    to->words = e->words;
    to->bytes = e->bytes;
    to->count = e->count;
    to->len = e->len;
    bool own = wf_parser_attribute(p, "WALLFLY") != NULL;
    bool of_trace = to->cls == WF_SLOT_CLASS_CONTROL || (own && to->cls == WF_SLOT_CLASS_OWN);
    if (!of_trace) count_event(&s->counts, to);
    return hand_on(s, &item);
}

static int on_loss(struct wf_parser *p, void *user, const struct wf_slots_loss *l) {
    struct slots *s = user;
    const struct wf_slots_item item = {.kind = WF_SLOTS_LOSS, .loss = *l};
    (void)p;
    s->counts.lost[l->core] += l->events;
    s->counts.refused[l->core] += l->refused;
    s->counts.gone[l->core] += l->slots;
    s->counts.chunks[l->core] += l->chunks;
    s->counts.not_exact[l->core] |= !l->exact;
    return hand_on(s, &item);
}

static int on_damage(struct wf_parser *p, void *user, const struct wf_slots_damage *d) {
    const struct wf_slots_item item = {.kind = WF_SLOTS_DAMAGE, .damage = *d};
    (void)p;
    return hand_on(user, &item);
}

// ---- running

bool slots_clock(const char *text, enum wf_slots_clock *clock) {
    *clock = WF_SLOTS_CLOCK_GUESS;
    if (!text) return true;
    if (strcmp(text, "global") == 0) *clock = WF_SLOTS_CLOCK_GLOBAL;
    if (strcmp(text, "percpu") == 0) *clock = WF_SLOTS_CLOCK_PERCPU;
    if (*clock != WF_SLOTS_CLOCK_GUESS) return true;
    complain(EXIT_USAGE, "--clock: '%s' is not global or percpu", text);
    return false;
}

static bool want_all(struct slots *s) {
    struct wf_parser *p = s->parser;
    int err = wf_parser_on(p, WF_SAT_EMPTY, 0, on_header, s);
    for (unsigned cls = 0; err == WF_OK && cls <= WF_SLOT_CLASS; ++cls) {
        err = wf_parser_on_range(p, WF_PARSER_INTERNAL + cls, 0, WF_PARSER_EVENTS, on_event, s);
    }
    wf_parser_on_loss(p, on_loss, s);
    wf_parser_on_damage(p, on_damage, s);
    return err == WF_OK;
}

struct slots *slots_open(const char *name, const struct slots_options *options, void *ctx,
                         bool (*item)(void *ctx, const struct wf_slots *slots,
                                      const struct wf_slots_item *item)) {
    struct wf_parser_options o = {.slots = {.clock = options->clock, .hz = options->hz},
                                  .order = options->order,
                                  .delay_ms = DELAY_MS};
    struct slots *s = calloc(1, sizeof *s);
    int err;
    if (s) s->parser = wf_parser_create(&o, &err);
    if (s && s->parser) {
        s->name = name;
        s->ctx = ctx;
        s->item = item;
        if ((!item || want_all(s)) && wf_parser_begin(s->parser) == WF_OK) return s;
    }
    slots_close(s);
    complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    return NULL;
}

void slots_close(struct slots *s) {
    if (!s) return;
    wf_parser_destroy(s->parser);
    free(s);
}

static int code_of(const struct slots *s, int err) {
    if (err == WF_OK || err == WF_ERR_STOPPED) return EXIT_GOOD;
    if (err == WF_ERR_READ) return complain(EXIT_INPUT, "%s", wf_parser_problem(s->parser));
    return complain(EXIT_INPUT, "%s: %s", s->name, wf_parser_problem(s->parser));
}

int slots_run_file(struct slots *s, const char *file) {
    return code_of(s, wf_parser_run_file(s->parser, file));
}

int slots_run_memory(struct slots *s, const uint8_t *bytes, size_t len) {
    return code_of(s, wf_parser_run_memory(s->parser, bytes, len));
}

int slots_feed(struct slots *s, const uint8_t *bytes, size_t len) {
    int err = s->streaming ? WF_OK : wf_parser_begin(s->parser);
    s->streaming = err == WF_OK;
    if (err != WF_OK) return code_of(s, err);
    return code_of(s, wf_parser_feed(s->parser, bytes, len));
}

int slots_end(struct slots *s) {
    if (!s->streaming) return EXIT_GOOD;
    s->streaming = false;
    return code_of(s, wf_parser_end(s->parser));
}

uint64_t slots_damages(const struct wf_slots_ledger *l) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) sum += l->damage[i];
    return sum;
}

const struct wf_slots_ledger *slots_totals(const struct slots *s) {
    return wf_parser_totals(s->parser);
}

void slots_add(struct wf_slots_ledger *sum, const struct wf_slots_ledger *l) {
    sum->exact = l->exact && (sum->exact || !sum->bytes);
    sum->bytes += l->bytes;
    sum->events += l->events;
    sum->lost += l->lost;
    sum->refused += l->refused;
    sum->gone += l->gone;
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) sum->damage[i] += l->damage[i];
}

bool slots_lossy(const struct wf_slots_ledger *l) {
    return l->lost || l->refused || l->gone || slots_damages(l);
}

struct slots_text slots_missing(const struct wf_slots_ledger *l) {
    struct slots_text t;
    char gone[48] = "";
    if (l->gone) snprintf(gone, sizeof gone, " (%" PRIu64 " slots gone)", l->gone);
    snprintf(t.text, sizeof t.text,
             "%s%" PRIu64 " lost%s, %" PRIu64 " found no room; %" PRIu64 " damages",
             l->lost && !l->exact ? "at least " : "", l->lost, gone, l->refused, slots_damages(l));
    return t;
}

int slots_judge(const struct slots *s) {
    const struct wf_slots_ledger *l = slots_totals(s);
    if (!l->bytes || l->slots) return EXIT_GOOD;
    return complain(EXIT_INPUT, "%s: not a kernel-event log: no slot in %" PRIu64 " bytes", s->name,
                    l->bytes);
}

void slots_summary(const struct slots *s) {
    const struct wf_slots_ledger *l = slots_totals(s);
    uint64_t late = wf_parser_late(s->parser);
    complain(EXIT_GOOD, "%s: %" PRIu64 " events; %s", s->name, l->events, slots_missing(l).text);
    if (late) {
        complain(EXIT_GOOD,
                 "%s: %" PRIu64 " events came too late for the order of time; from a file they "
                 "come in order",
                 s->name, late);
    }
}
