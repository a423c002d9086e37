// SPDX-License-Identifier: MIT
// The last segments of the newest stream are read: the state in front of them has the target's info
// and names, as they were before, and their records what has changed.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_fleet_sql.h"
#include "wallfly_host/wf_program.h"
#include "wallfly_server/memory.h"

enum { READ_MAX = 256 << 20 }; // bytes: a trace of another format is one segment

static bool write_stream(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

// Gets the newest stream, and whether it was loaded with sizes of its own.
static int find_stream(struct fleet *f, const char *device, uint64_t *stream, bool *has_sizes) {
    char sql[1024], literal[2 * WF_FLEET_DEVICE_MAX + 3], *end;
    wf_fleet_quote(device, literal, sizeof literal);
    snprintf(sql, sizeof sql,
             "SELECT stream, toUInt8(sizes != '') FROM %s.stream FINAL WHERE device = %s AND "
             "stream IN (SELECT stream FROM %s.segment WHERE device = %s) "
             "ORDER BY origin_ns DESC, stream DESC LIMIT 1",
             f->project, literal, f->project, literal);
    int code = fleet_run(f, sql, NULL);
    if (code != EXIT_GOOD) return code;
    const char *row = wf_engine_answer(f->engine, NULL);
    *stream = strtoull(row, &end, 10);
    *has_sizes = *end && end[1] == '1';
    if (*stream) return EXIT_GOOD;
    return diag_error(EXIT_INPUT,
                      "%s: nothing of device %s is in the tables yet, so the sizes that commands "
                      "to it need are not known",
                      f->project, device);
}

// The caller frees *bytes.
static int read_window(const struct wf_window_options *o, struct wf_window_found *found,
                       char **bytes, size_t *len, struct wf_error *error) {
    FILE *out = memory_stream(bytes, len);
    if (!out) return wf_error_code(error, WF_ERR_NOMEM);
    int err = wf_window_read(o, write_stream, out, found, error);
    return memory_close(out) || err != WF_OK ? err : wf_error_code(error, WF_ERR_NOMEM);
}

static int read_program(const struct wf_window_options *o, const struct wf_window_found *found,
                        struct command_target *t, struct wf_error *error) {
    size_t len, stored = 0;
    FILE *out = memory_stream(&t->bytes, &stored);
    if (!out) return wf_error_code(error, WF_ERR_NOMEM);
    int err = wf_window_program(o, found, write_stream, out, &len, error);
    if (!memory_close(out) && err == WF_OK) err = wf_error_code(error, WF_ERR_NOMEM);
    if (err != WF_OK || !len) return err;
    t->program = wf_program_open((const uint8_t *)t->bytes, stored, error);
    return t->program ? WF_OK : error->code;
}

static void take_items(struct wf_trace *t) {
    struct wf_item item;
    while (wf_trace_next(t, &item)) {
    }
}

static int read_trace(struct command_target *t, const char *bytes, size_t len,
                      struct wf_error *error) {
    const struct wf_trace_options o = {.size = sizeof o};
    t->trace = wf_trace_open(&o, error);
    if (!t->trace) return error->code;
    int err = wf_trace_feed_file(t->trace, (const uint8_t *)bytes, len);
    if (err == WF_OK) take_items(t->trace);
    wf_trace_end(t->trace);
    take_items(t->trace);
    return wf_trace_error(t->trace, error);
}

static int open_commander(struct fleet *f, const char *device, struct command_target *t,
                          bool has_sizes) {
    struct wf_lane *lane = wf_trace_lane(t->trace, 0, NULL);
    if (!lane) return out_of_memory();
    const enum wf_lane_format format = wf_lane_get_format(lane);
    if (wf_lane_format_is_foreign(format))
        return diag_error(EXIT_INPUT,
                          "%s: the newest trace of device %s is %s, whose targets take no commands",
                          f->project, device, wf_lane_format_title(format));
    struct wf_session *session = wf_lane_session(lane);
    if (t->program) wf_session_use_program(session, t->program, NULL);
    t->commander = wf_commander_open(session);
    if (!t->commander) return out_of_memory();
    if (has_sizes) wf_commander_assume(t->commander);
    return EXIT_GOOD;
}

int command_target_open(struct fleet *f, const char *device, struct command_target *t) {
    struct wf_window_options o = {.size = sizeof o,
                                  .engine = f->engine,
                                  .project = f->project,
                                  .device = device,
                                  .from = {.given = true, .ns = UINT64_MAX},
                                  .most_bytes = READ_MAX};
    struct wf_window_found found;
    struct wf_error error;
    char *bytes = NULL;
    size_t len = 0;
    bool has_sizes;
    *t = (struct command_target){.trace = NULL};
    int code = find_stream(f, device, &o.stream, &has_sizes);
    if (code != EXIT_GOOD) return code;
    int err = read_window(&o, &found, &bytes, &len, &error);
    if (err == WF_OK) err = read_trace(t, bytes, len, &error);
    if (err == WF_OK) err = read_program(&o, &found, t, &error);
    free(bytes);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s: %s", f->url, error.text);
    return open_commander(f, device, t, has_sizes);
}

void command_target_close(struct command_target *t) {
    wf_commander_close(t->commander);
    wf_trace_close(t->trace);
    wf_program_close(t->program);
    free(t->bytes);
    *t = (struct command_target){.trace = NULL};
}
