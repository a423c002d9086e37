// SPDX-License-Identifier: MIT
// Converts the hub's items to lines as QSPY prints them, in a queue.

#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "../names.h"
#include "../report/escape.h"
#include "wallfly_backend/wf_dic.h"

enum { SLICE_MS = 50, RESETS_ITSELF = 720 }; // QS version where an assertion resets
static const double ANNOUNCE_S = 1;          // after connecting, as TCP targets do

struct wf_session *target_session(const struct target *t) {
    return wf_hub_session(t->hub);
}

static void queue_arrival(struct target *t, struct arrival *a) {
    *t->last = a;
    t->last = &a->next;
}

// Makes an arrival with a text, and with the current record, if any.
static struct arrival *new_arrival(struct target *t, enum arrival_kind kind, const char *text,
                                   size_t len) {
    const struct wf_record *r =
        t->item && t->item->kind == WF_ITEM_RECORD ? &t->item->record : NULL;
    size_t payload = r && r->row ? r->len + 1 : 0; // with the checksum after it
    struct arrival *a = calloc(1, sizeof *a + payload + len + 1);
    if (!a) return NULL;
    a->kind = kind;
    a->text = memcpy(a->bytes + payload, text, len);
    if (!payload) return a;
    a->is_record = true;
    a->stamped = r->stamped;
    a->record = *r;
    a->record.payload = memcpy(a->bytes, r->payload, payload);
    // For records without a text the pointer is that of an earlier one.
    size_t at = (size_t)((uintptr_t)r->text - (uintptr_t)r->payload);
    a->record.text = at < r->len ? (const char *)a->record.payload + at : NULL;
    return a;
}

static void add_arrival(struct target *t, enum arrival_kind kind, const char *text, size_t len) {
    struct arrival *a = new_arrival(t, kind, text, len);
    if (a) queue_arrival(t, a);
    if (!t->options.log) return;
    fputs("  ", t->options.log);
    put_shown(t->options.log, text, len);
    putc('\n', t->options.log);
}

// Lines about the link are queued with any record, other lines only with records that are shown.
static void on_line(void *ctx, enum wf_line_class line, const char *text, size_t len) {
    struct target *t = ctx;
    if (!t->hidden || line == WF_LINE_ERROR) add_arrival(t, ARRIVAL_LINE, text, len);
}

static bool ignore_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    (void)text;
    (void)len;
    return true;
}

static bool is_hidden(const struct wf_row *row) {
    return row && (row->group == WF_GROUP_DICT || row->effect == WF_EFFECT_START ||
                   row->effect == WF_EFFECT_TARGET_INFO || row->effect == WF_EFFECT_SYNC);
}

// The start of the target has cleared the names.
static void read_dic(struct target *t) {
    const struct wf_dic dic = {.file = t->options.dic, .report = diag_text};
    struct wf_error error;
    if (wf_dic_read(&dic, target_session(t), &error) != WF_OK)
        diag_error(EXIT_INPUT, "%s", error.text);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct target *t = ctx;
    unsigned resets = wf_session_target(target_session(t))->resets;
    char text[512];
    if (names_watch(t->options.names, target_session(t), false, text)) diag_note("%s", text);
    t->item = item;
    t->hidden = item->kind == WF_ITEM_RECORD && is_hidden(item->record.row);
    wf_writer_item(t->writer, item);
    t->item = NULL;
    if (item->kind == WF_ITEM_RECORD && item->record.row &&
        item->record.row->effect == WF_EFFECT_ASSERTION)
        t->coming = wf_session_target(target_session(t))->version >= RESETS_ITSELF;
    if (resets == t->resets) return;
    t->resets = resets;
    t->announced = true;
    read_dic(t);
    add_arrival(t, ARRIVAL_START, "(the target has started)", 24);
}

static void on_up(void *ctx, const char *peer) {
    struct target *t = ctx;
    (void)peer;
    t->announced = false;
    t->met = true;
}

static void on_down(void *ctx, const char *peer, const char *why) {
    struct target *t = ctx;
    (void)peer;
    add_arrival(t, ARRIVAL_DOWN, why, strlen(why));
}

static void on_done(void *ctx, int err) {
    struct target *t = ctx;
    (void)err;
    t->dead = true;
}

static int open_hub(struct target *t) {
    struct wf_hub_options options = {
        .size = sizeof options,
        .session = {.dialect = WF_DIALECT_QSPY, .info8 = true, .all_names = true}};
    struct wf_hub_handlers on = {.ctx = t,
                                 .up = on_up,
                                 .down = on_down,
                                 .item = on_item,
                                 .report = diag_text,
                                 .done = on_done};
    struct wf_writer_options lines = {.size = sizeof lines, .line = on_line};
    struct wf_error error;
    int err = wf_hub_open(&t->loop, t->options.source, &options, &on, &t->hub, &error);
    if (err) return diag_error(exit_code_of(err), "%s", error.text);
    names_use(t->options.names, target_session(t));
    t->writer =
        wf_writer_open(wf_format_find("qspy"), target_session(t), &lines, ignore_text, t, &error);
    if (!t->writer) return diag_error(EXIT_INPUT, "%s", error.text);
    t->commander = wf_commander_open(target_session(t));
    if (!t->commander) return out_of_memory();
    if (!program_init(&t->program, &t->loop, t->options.command, wf_hub_port(t->hub)))
        return out_of_memory();
    return EXIT_GOOD;
}

int target_open(struct target *t, const struct target_options *options,
                volatile sig_atomic_t *stopped) {
    memset(t, 0, sizeof *t);
    t->options = *options;
    t->stopped = stopped;
    t->last = &t->first;
    uv_loop_init(&t->loop);
    uv_timer_init(&t->loop, &t->timer);
    return open_hub(t);
}

static void drop_arrivals(struct target *t) {
    for (struct arrival *a; (a = t->first) != NULL;) {
        t->first = a->next;
        free(a);
    }
    t->last = &t->first;
}

void target_close(struct target *t) {
    program_free(&t->program);
    if (t->writer) wf_writer_close(t->writer);
    t->writer = NULL;
    wf_commander_close(t->commander);
    if (t->hub) wf_hub_close(t->hub);
    uv_close((uv_handle_t *)&t->timer, NULL);
    uv_run(&t->loop, UV_RUN_DEFAULT);
    uv_loop_close(&t->loop);
    drop_arrivals(t);
}

static void on_timer(uv_timer_t *timer) { (void)timer; }

// The timer repeats, because one that was due before the loop waits would not end the wait.
void target_run(struct target *t, unsigned milliseconds) {
    uv_update_time(&t->loop);
    uv_timer_start(&t->timer, on_timer, milliseconds, SLICE_MS);
    uv_run(&t->loop, UV_RUN_ONCE);
}

enum arrival_kind target_next(struct target *t, double seconds, struct arrival **arrival) {
    uint64_t end = uv_hrtime() + (uint64_t)(seconds * 1e9);
    *arrival = NULL;
    for (;;) {
        struct arrival *a = t->first;
        if (*t->stopped || (t->dead && !a)) return ARRIVAL_STOP;
        if (a) {
            t->first = a->next;
            if (!t->first) t->last = &t->first;
            *arrival = a;
            return a->kind;
        }
        uint64_t now = uv_hrtime();
        if (now >= end) return ARRIVAL_TIMEOUT;
        uint64_t left_ms = (end - now) / 1000000 + 1; // at most a slice, to notice a signal
        target_run(t, left_ms < SLICE_MS ? (unsigned)left_ms : SLICE_MS);
    }
}

int target_send(struct target *t, uint8_t command, const void *payload, size_t len) {
    FILE *log = t->options.log;
    if (log) {
        fprintf(log, "> %s", wf_command_names[command]);
        for (size_t i = 0; i < len; ++i) fprintf(log, " %02X", ((const uint8_t *)payload)[i]);
        fputc('\n', log);
    }
    return wf_hub_send(t->hub, command, payload, len);
}

// Drops arrivals until the target has started. Restarts the program once if it ends, as programs on
// a host do after RESET.
static enum arrival_kind wait_for_start(struct target *t, double seconds) {
    uint64_t end = uv_hrtime() + (uint64_t)(seconds * 1e9);
    bool again = t->program.command && t->met;
    for (;;) {
        struct arrival *a;
        double left = ((double)end - (double)uv_hrtime()) / 1e9;
        enum arrival_kind kind = target_next(t, left < 0.02 ? left : 0.02, &a);
        free(a);
        if (kind == ARRIVAL_START || kind == ARRIVAL_STOP) return kind;
        if (again && !t->program.running) {
            again = false;
            if (program_start(&t->program)) return ARRIVAL_TIMEOUT;
        } else if (t->program.command && !t->program.running) {
            return ARRIVAL_TIMEOUT;
        }
        if (uv_hrtime() >= end) return ARRIVAL_TIMEOUT;
    }
}

// Restarts the program and drops all arrivals.
static bool start_program(struct target *t) {
    program_stop(&t->program);
    drop_arrivals(t);
    t->coming = true;
    t->hangs = t->met = false;
    return program_start(&t->program) == 0;
}

// For a link that connects by itself: its target may have started long ago.
static void wait_for_link(struct target *t) {
    uint64_t end = uv_hrtime() + (uint64_t)(t->options.start_s * 1e9);
    while (!wf_hub_connected(t->hub) && !*t->stopped && !t->dead && uv_hrtime() < end)
        target_run(t, SLICE_MS);
}

// A connected target announces itself immediately, except on serial lines.
static enum arrival_kind find_target(struct target *t) {
    enum arrival_kind kind = ARRIVAL_TIMEOUT;
    if (!t->program.command && !wf_hub_port(t->hub))
        wait_for_link(t);
    else if (!wf_hub_connected(t->hub))
        kind = wait_for_start(t, t->options.start_s);
    if (!wf_hub_connected(t->hub) || t->announced) return kind;
    kind = wait_for_start(t, ANNOUNCE_S);
    t->announced = true;
    return kind;
}

static enum arrival_kind reset_target(struct target *t) {
    drop_arrivals(t);
    if (target_send(t, WF_COMMAND_RESET, NULL, 0) != WF_OK && !t->program.command)
        return ARRIVAL_TIMEOUT;
    return wait_for_start(t, t->options.start_s);
}

static const char *restart_error(const struct target *t, char *text, size_t cap) {
    const struct program *p = &t->program;
    bool connected = wf_hub_connected(t->hub);
    if (p->command && !p->running)
        snprintf(text, cap, "the program of --run %s", p->ended[0] ? p->ended : "cannot be run");
    else
        snprintf(text, cap, "%s within %g s (--start)",
                 connected ? "it is connected, but sends no target info after RESET"
                           : "no target has connected",
                 t->options.start_s);
    return text;
}

bool target_restart(struct target *t, bool failed, char why[512]) {
    bool program = t->program.command != NULL;
    enum arrival_kind kind;
    char because[256];
    if (failed) target_run(t, SLICE_MS); // it may still report an assertion
    if (program && (!t->program.running || t->hangs)) start_program(t);
    if (t->coming)
        kind = wait_for_start(t, t->options.start_s);
    else if (find_target(t) == ARRIVAL_START && program)
        kind = ARRIVAL_START; // the program has ended, or has restarted itself
    else
        kind = reset_target(t);
    if (kind == ARRIVAL_TIMEOUT && program && t->program.running) {
        start_program(t); // it did not respond
        kind = wait_for_start(t, t->options.start_s);
    } else if (kind == ARRIVAL_TIMEOUT && t->coming && !program) {
        kind = reset_target(t); // it did not start by itself
    }
    t->coming = t->hangs = false;
    if (kind == ARRIVAL_START) return true;
    snprintf(why, 512, "the target did not start: %s",
             kind == ARRIVAL_STOP ? "stopped" : restart_error(t, because, sizeof because));
    return false;
}
