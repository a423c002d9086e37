// SPDX-License-Identifier: MIT
// One link, one trace, the filters that were set.

#include "wallfly_backend/wf_hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_command.h"
#include "wfb_link.h"
#include "wfb_options.h"

enum { FILTER_MAX = 17, FILTERS_MAX = 128, LANE = 0 };

// A command that set a filter, as it was sent. A filter of one object is kept with the object's
// name too: its address changes in a new build, or when the program is loaded elsewhere.
struct kept {
    uint8_t command, len;
    uint8_t payload[FILTER_MAX];
    bool waits; // until the target sends the address
    char name[64];
};

struct wf_hub {
    struct wf_link *link;
    struct wf_peer *peer; // null: none is connected
    struct wf_trace *trace;
    struct wf_lane *lane;
    struct wf_session *session; // of the lane
    bool failed;                // the trace has failed, which was reported
    struct wf_hub_options options;
    struct wf_hub_handlers on;
    struct kept kept[FILTERS_MAX];
    unsigned kept_count;
    unsigned resets;  // resets of the target seen so far
    bool recorded_up; // a target of the recording is connected: its name
    char recorded[WF_RECORDING_NAME_MAX + 1];
    unsigned ignored; // the last lane of the recording that was ignored
    bool closing;
    uint8_t seq; // of the last command sent while no target was connected
};

// Returns whether a filter replaces an earlier one: a bitmap those of its kind, an object's filter
// its previous one.
static bool replaces_filter(uint8_t command, const uint8_t *payload, size_t len,
                            const struct kept *k) {
    bool same = k->command == command;
    if (command == WF_COMMAND_AO_FILTER)
        return same && k->len == len && memcmp(k->payload + 1, payload + 1, len - 1) == 0;
    return same || (command == WF_COMMAND_LOC_FILTER && k->command == WF_COMMAND_AO_FILTER);
}

static uint64_t filter_address(const struct kept *k) {
    uint64_t address = 0;
    for (unsigned i = 1; i < k->len && i <= 8; ++i)
        address |= (uint64_t)k->payload[i] << 8 * (i - 1);
    return address;
}

static void set_filter_name(const struct wf_hub *h, struct kept *k) {
    struct wf_name name;
    for (size_t at = 0; wf_session_next_name(h->session, &at, &name);) {
        bool mine = name.dict == WF_EFFECT_NAME_OBJECT && name.key == filter_address(k);
        if (mine && name.len < sizeof k->name) memcpy(k->name, name.text, name.len + 1);
    }
}

static void keep_filter(struct wf_hub *h, uint8_t command, const uint8_t *payload, size_t len) {
    bool filter = command == WF_COMMAND_GLB_FILTER || command == WF_COMMAND_LOC_FILTER ||
                  command == WF_COMMAND_AO_FILTER;
    if (!filter || !len || len > FILTER_MAX) return;
    unsigned n = 0;
    for (unsigned i = 0; i < h->kept_count; ++i) {
        if (!replaces_filter(command, payload, len, &h->kept[i])) h->kept[n++] = h->kept[i];
    }
    h->kept_count = n;
    if (n == FILTERS_MAX) return;
    struct kept *k = &h->kept[h->kept_count++];
    *k = (struct kept){.command = command, .len = (uint8_t)len};
    memcpy(k->payload, payload, len);
    if (command == WF_COMMAND_AO_FILTER) set_filter_name(h, k);
}

static void on_sent(void *ctx, struct wf_peer *peer, uint8_t command, const uint8_t *payload,
                    size_t len) {
    struct wf_hub *h = ctx;
    (void)peer;
    if (h->options.capture) wf_capture_sent(h->options.capture, LANE, command, payload, len);
    if (h->on.sent) h->on.sent(h->on.ctx, command, payload, len);
}

static enum wf_lane_format format_of(const struct wf_hub *h) {
    enum wf_lane_format format = wf_lane_get_format(h->lane);
    return format ? format : h->options.format;
}

static bool is_commandable(void *ctx, struct wf_peer *peer) {
    enum wf_lane_format format = format_of(ctx);
    (void)peer;
    return format && !wf_lane_format_is_foreign(format);
}

static int send_command(struct wf_hub *h, uint8_t command, const void *payload, size_t len) {
    if (wf_lane_format_is_foreign(format_of(h))) return WF_ERR_ONE_WAY;
    int err = wf_peer_send(h->peer, command, payload, len);
    if (err == WF_OK) on_sent(h, h->peer, command, payload, len);
    return err;
}

int wf_hub_send(struct wf_hub *h, uint8_t command, const void *payload, size_t len) {
    if (!h->peer) {
        ++h->seq;
        return WF_ERR_NO_TARGET;
    }
    int err = send_command(h, command, payload, len);
    if (err == WF_OK) keep_filter(h, command, payload, len);
    return err;
}

size_t wf_hub_unsent_len(const struct wf_hub *h, uint8_t command, const void *payload, size_t len) {
    uint8_t seq = h->peer ? (uint8_t)(h->peer->seq + 1) : h->seq;
    uint8_t *frame = malloc(2 * len + 8);
    size_t frame_len = frame ? wf_frame_write(frame, seq, command, payload, len) : 0;
    free(frame);
    return frame_len;
}

// same: the target is the same as before, so addresses without a name are valid.
static void restore_filters(struct wf_hub *h, bool same) {
    for (unsigned i = 0; i < h->kept_count; ++i) {
        struct kept *k = &h->kept[i];
        k->waits = k->command == WF_COMMAND_AO_FILTER && k->name[0];
        if (k->waits || (k->command == WF_COMMAND_AO_FILTER && !same)) continue;
        if (send_command(h, k->command, k->payload, k->len) != WF_OK) return;
    }
}

// Sets the filters that wait for an object's address, when the target sends it.
static void restore_named_filters(struct wf_hub *h, const struct wf_record *r) {
    for (unsigned i = 0; i < h->kept_count; ++i) {
        struct kept *k = &h->kept[i];
        bool mine = k->waits && strlen(k->name) == r->text_len &&
                    memcmp(k->name, r->text, r->text_len) == 0;
        if (!mine) continue;
        k->waits = false;
        for (unsigned b = 1; b < k->len && b <= 8; ++b)
            k->payload[b] = (uint8_t)(r->value[0] >> 8 * (b - 1));
        send_command(h, k->command, k->payload, k->len);
    }
}

static bool is_object_name(const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    return item->kind == WF_ITEM_RECORD && r->row && !r->left && !r->missing &&
           r->row->effect == WF_EFFECT_NAME_OBJECT;
}

static void report_error(struct wf_hub *h) {
    struct wf_error error;
    if (h->failed || wf_trace_error(h->trace, &error) == WF_OK) return;
    h->failed = true;
    if (h->on.report) h->on.report(h->on.ctx, error.text);
}

static void report_up(struct wf_hub *h, const char *peer) {
    if (h->options.capture) wf_capture_up(h->options.capture, LANE, peer);
    if (h->on.up) h->on.up(h->on.ctx, peer);
}

static void report_down(struct wf_hub *h, const char *peer, const char *why) {
    if (h->options.capture) wf_capture_down(h->options.capture, LANE, why);
    if (h->on.down) h->on.down(h->on.ctx, peer, why);
    h->recorded_up = false;
}

static void report_bytes(struct wf_hub *h, const uint8_t *bytes, size_t len) {
    if (h->options.capture) wf_capture_bytes(h->options.capture, LANE, bytes, len);
    if (h->on.bytes) h->on.bytes(h->on.ctx, bytes, len);
}

static void report_fault(struct wf_hub *h, const struct wf_chunk *c) {
    char text[512];
    wf_chunk_text(c, wf_trace_recording(h->trace), wf_peer_name(h->peer), text);
    if (h->on.report) h->on.report(h->on.ctx, text);
}

// For a recording, its connections are reported, not that of the file.
static void report_chunk(struct wf_hub *h, const struct wf_chunk *c) {
    char text[WF_RECORDING_NAME_MAX + 1];
    snprintf(text, sizeof text, "%.*s", (int)c->len, c->len ? (const char *)c->bytes : "");
    switch (c->kind) {
    case WF_CHUNK_UP:
        snprintf(h->recorded, sizeof h->recorded, "%s", text);
        h->recorded_up = true;
        report_up(h, text);
        break;
    case WF_CHUNK_DOWN: report_down(h, h->recorded, text); break;
    case WF_CHUNK_BYTES: report_bytes(h, c->bytes, c->len); break;
    case WF_CHUNK_DAMAGE:
    case WF_CHUNK_CUT:
    case WF_CHUNK_NEWER: report_fault(h, c); break;
    default:
        if (h->options.capture) wf_capture_chunk(h->options.capture, LANE, c);
    }
}

// A hub has one target.
static void ignore_lane(struct wf_hub *h, unsigned lane) {
    char text[512];
    if (h->ignored == lane) return;
    h->ignored = lane;
    snprintf(text, sizeof text, "%s: lane %u of the recording is ignored", wf_peer_name(h->peer),
             lane);
    if (h->on.report) h->on.report(h->on.ctx, text);
}

static void pass_items(struct wf_hub *h) {
    struct wf_item item;
    while (wf_trace_next(h->trace, &item)) {
        if (item.lane && item.lane != h->lane) {
            ignore_lane(h, wf_lane_number(item.lane));
            continue;
        }
        if (item.kind == WF_ITEM_CHUNK) {
            report_chunk(h, item.chunk);
            continue;
        }
        bool reset = wf_session_target(h->session)->resets != h->resets;
        h->resets = wf_session_target(h->session)->resets;
        if (reset && h->peer) wf_peer_restart(h->peer);
        if (h->on.item) h->on.item(h->on.ctx, &item);
        if (!h->peer || !h->options.keep_filters) continue;
        if (reset) restore_filters(h, !item.changed);
        if (is_object_name(&item)) restore_named_filters(h, &item.record);
    }
    if (h->on.drained) h->on.drained(h->on.ctx);
    report_error(h);
}

static void on_up(void *ctx, struct wf_peer *peer) {
    struct wf_hub *h = ctx;
    h->peer = peer;
    h->seq = 0;
    if (!wf_peer_is_recording(peer)) report_up(h, wf_peer_name(peer));
}

static void end_recording(struct wf_hub *h) {
    wf_trace_end(h->trace);
    pass_items(h);
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct wf_hub *h = ctx;
    if (wf_peer_is_recording(peer)) {
        wf_trace_feed_file(h->trace, bytes, len);
    } else {
        report_bytes(h, bytes, len);
        wf_trace_feed(h->trace, LANE, bytes, len);
    }
    pass_items(h);
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct wf_hub *h = ctx;
    h->seq = peer->seq;
    if (!wf_peer_is_recording(peer)) {
        h->peer = NULL;
        wf_trace_relink(h->trace, LANE);
        pass_items(h);
        report_down(h, wf_peer_name(peer), why);
        return;
    }
    if (!h->closing)
        end_recording(h);
    else if (h->recorded_up) // the rest of the file is not read
        report_down(h, h->recorded, why);
    h->peer = NULL;
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct wf_hub *h = ctx;
    (void)peer;
    if (h->on.known) h->on.known(h->on.ctx, id, payload, len);
    wf_session_learn(h->session, id, payload, len);
}

static void on_report(void *ctx, const char *text) {
    struct wf_hub *h = ctx;
    if (h->on.report) h->on.report(h->on.ctx, text);
}

void wf_hub_end(struct wf_hub *h) {
    wf_trace_end_lane(h->trace, LANE);
    pass_items(h);
}

static void on_done(void *ctx, int err) {
    struct wf_hub *h = ctx;
    wf_hub_end(h);
    if (h->on.done) h->on.done(h->on.ctx, err);
}

static void close_trace(struct wf_hub *h) {
    if (!h->options.trace) wf_trace_close(h->trace);
}

static int open_trace(struct wf_hub *h, struct wf_error *error) {
    const struct wf_trace_options own = {.size = sizeof own,
                                         .session = &h->options.session,
                                         .format = h->options.format,
                                         .describe = h->options.describe,
                                         .describe_len = h->options.describe_len,
                                         .chunk_bytes = SIZE_MAX};
    h->trace = h->options.trace ? h->options.trace : wf_trace_open(&own, error);
    h->lane = h->trace ? wf_trace_lane(h->trace, LANE, error) : NULL;
    if (h->lane) {
        h->session = wf_lane_session(h->lane);
        return WF_OK;
    }
    close_trace(h);
    return error->code;
}

int wf_hub_open(struct uv_loop_s *loop, const char *source, const struct wf_hub_options *options,
                const struct wf_hub_handlers *on, struct wf_hub **hub, struct wf_error *error) {
    struct wf_hub *h = calloc(1, sizeof *h);
    *hub = NULL;
    if (!h) return wf_error_code(error, WF_ERR_NOMEM);
    int err = wfb_copy_options(&h->options, sizeof h->options, options, error);
    h->options.session.size = sizeof h->options.session;
    if (err == WF_OK) err = open_trace(h, error);
    if (err != WF_OK) {
        free(h);
        return err;
    }
    h->on = *on;
    struct wf_link_options link_options = {.size = sizeof link_options,
                                           .once = h->options.once,
                                           .most = 1,
                                           .ask = h->options.ask,
                                           .start = h->options.start,
                                           .start_len = h->options.start_len};
    struct wf_link_handlers handlers = {h,       on_up,    on_bytes, on_down,       on_report,
                                        on_done, on_known, on_sent,  is_commandable};
    err = wf_link_open(loop, source, &link_options, &handlers, &h->link, error);
    if (err == WF_OK) {
        *hub = h;
        return WF_OK;
    }
    close_trace(h);
    free(h);
    return err;
}

// After closing has begun, the link calls only `down`, immediately.
void wf_hub_close(struct wf_hub *h) {
    h->closing = true;
    wf_link_close(h->link);
    close_trace(h);
    free(h);
}

struct wf_lane *wf_hub_lane(struct wf_hub *h) {
    return h->lane;
}
struct wf_session *wf_hub_session(struct wf_hub *h) {
    return h->session;
}
void wf_hub_set_capture(struct wf_hub *h, struct wf_capture *capture) {
    h->options.capture = capture;
}
bool wf_hub_connected(const struct wf_hub *h) { return h->peer != NULL; }
unsigned wf_hub_port(const struct wf_hub *h) { return wf_link_port(h->link); }
