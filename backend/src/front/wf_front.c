// SPDX-License-Identifier: MIT
// The target side of the server: converts records to binary packets, and to lines if anything reads
// them. The order is QSPY's: an error of the link, then a record's packet, then its line.

#include "wfb_front.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_options.h"

enum { LINE_MAX_LEN = 1280 };

// Lines of these records are not for front ends (docs/front-ends.md).
static bool is_quiet(uint8_t record) {
    switch (record) {
    case WF_RECORD_empty:
    case WF_RECORD_enum_dict:
    case WF_RECORD_sig_dict:
    case WF_RECORD_obj_dict:
    case WF_RECORD_fun_dict:
    case WF_RECORD_usr_dict:
    case WF_RECORD_target_info: return true;
    default: return false;
    }
}

static void send_line(struct wf_front *f, const char *text, size_t len,
                      struct wfb_front_end *only) {
    if (only) {
        if (only->channels & WFB_CHANNEL_TEXT)
            wfb_end_text(only, f->record, text, len);
        else if (only->channels & WFB_CHANNEL_KNOWN)
            wfb_end_send(only, ++only->own, WFB_OWN_MESSAGE, text, len);
        return;
    }
    if (is_quiet(f->record)) return;
    for (struct wfb_front_end *e = f->ends; e; e = e->next) {
        if (e->channels & WFB_CHANNEL_TEXT) wfb_end_text(e, f->record, text, len);
    }
}

void wfb_front_line(struct wf_front *f, enum wf_line_class line, const char *text, size_t len,
                    struct wfb_front_end *only) {
    if (f->on.line) f->on.line(f->on.ctx, line, f->record, text, len);
    wfb_files_line(f, text, len);
    if (line == WF_LINE_RECORD || line == WF_LINE_ERROR) send_line(f, text, len, only);
}

void wfb_front_printf(struct wf_front *f, enum wf_line_class line, struct wfb_front_end *only,
                      const char *format, ...) {
    char text[LINE_MAX_LEN];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (len >= (int)sizeof text) len = (int)sizeof text - 1;
    wfb_front_line(f, line, text, (size_t)len, only);
}

static void send_packets(struct wf_front *f, const struct wf_record *r) {
    bool info = r->row && r->row->effect == WF_EFFECT_TARGET_INFO;
    bool start = r->row && r->row->effect == WF_EFFECT_START;
    for (struct wfb_front_end *e = f->ends; e; e = e->next) {
        if (start && (e->channels & WFB_CHANNEL_KNOWN))
            wfb_end_send(e, r->seq, WFB_OWN_START, r->payload, r->len);
        else if (!start && r->id < 128 && (info || (e->channels & WFB_CHANNEL_BINARY)))
            wfb_end_send(e, r->seq, r->id, r->payload, r->len);
    }
}

static void send_pending(struct wf_front *f) {
    const struct wf_record *r = f->pending;
    if (!r) return;
    f->pending = NULL;
    f->record = r->id;
    f->seq = r->seq;
    send_packets(f, r);
}

static void on_writer_line(void *ctx, enum wf_line_class line, const char *text, size_t len) {
    struct wf_front *f = ctx;
    if (line == WF_LINE_RECORD) send_pending(f);
    wfb_front_line(f, line, text, len, NULL);
}

static void keep_payload(uint8_t *to, size_t cap, size_t *kept, const struct wf_record *r) {
    if (r->len > cap) return;
    memcpy(to, r->payload, r->len);
    *kept = r->len;
}

// Keeps a target info for late front ends, without its reset flag.
static void keep_info(struct wf_front *f, const struct wf_record *r) {
    bool old = r->row->fields[0].kind == WF_KIND_RESET;
    keep_payload(f->info, sizeof f->info, &f->info_len, r);
    f->info[0] = old ? 0 : f->info[0] & (uint8_t)~0x40;
    bool reset = old ? r->payload[0] != 0 : (r->payload[0] & 0x40) != 0;
    if (reset) f->current = 0;
}

static void note_record(struct wf_front *f, const struct wf_record *r) {
    if (r->id == wfb_row_of(WF_EFFECT_SYNC)->id)
        keep_payload(f->sync, sizeof f->sync, &f->sync_len, r);
    if (!r->row || r->left || r->missing) return;
    if (r->row->effect == WF_EFFECT_TARGET_INFO) {
        keep_info(f, r);
        wf_dic_read(&f->dic, wf_hub_session(f->hub), NULL);
        if (f->dic.file) wfb_known_send(f, NULL);
    }
    if (r->row->effect == WF_EFFECT_RUN && f->dic.file && strcmp(f->dic.file, "auto") == 0)
        wf_dic_save(&f->dic, wf_hub_session(f->hub));
}

// Text is made only if anything reads it: it costs more than all other work.
static bool wants_text(const struct wf_front *f) {
    return f->text && (f->on.line || f->text_count || f->files[0].file);
}

static void on_item(void *ctx, const struct wf_item *item) {
    struct wf_front *f = ctx;
    bool record = item->kind == WF_ITEM_RECORD;
    if (record && wf_session_is_imported(wf_hub_session(f->hub))) wfb_known_import(f);
    f->pending = record ? &item->record : NULL;
    if (wants_text(f)) wf_writer_item(f->text, item);
    send_pending(f);
    wfb_files_item(f, item);
    if (record) note_record(f, &item->record);
}

static void on_bytes(void *ctx, const uint8_t *bytes, size_t len) {
    struct wf_front *f = ctx;
    if (f->on.bytes) f->on.bytes(f->on.ctx, bytes, len);
    wfb_files_bytes(f, bytes, len);
}

static void print_link(struct wf_front *f, const char *what, const char *peer) {
    const char *colon = strrchr(peer, ':');
    if (colon && strspn(colon + 1, "0123456789") == strlen(colon + 1))
        wfb_front_printf(f, WF_LINE_INFO, NULL, "   <COMMS> TCP-IP   %s Host=%.*s,Port=%s", what,
                         (int)(colon - peer), peer, colon + 1);
    else
        wfb_front_printf(f, WF_LINE_INFO, NULL, "   <COMMS> Link     %s %s", what, peer);
}

static void on_up(void *ctx, const char *peer) {
    struct wf_front *f = ctx;
    if (f->on.up) f->on.up(f->on.ctx, peer);
    if (f->file) {
        wfb_front_printf(f, WF_LINE_INFO, NULL, "   <COMMS> File     Opened File=%s", peer);
        return;
    }
    print_link(f, "Connected to", peer);
    wfb_known_target(f, true, "");
}

static void on_down(void *ctx, const char *peer, const char *why) {
    struct wf_front *f = ctx;
    if (f->on.down && !f->closing) f->on.down(f->on.ctx, peer, why);
    if (f->closing || f->file) return;
    print_link(f, "Disconn from", peer);
    wfb_known_target(f, false, why);
}

static void on_report(void *ctx, const char *text) {
    struct wf_front *f = ctx;
    if (f->on.report) f->on.report(f->on.ctx, text);
}

static void on_known(void *ctx, uint8_t id, const uint8_t *payload, size_t len) {
    struct wf_front *f = ctx;
    if (f->on.known) f->on.known(f->on.ctx, id, payload, len);
}

static void on_sent(void *ctx, uint8_t command, const uint8_t *payload, size_t len) {
    struct wf_front *f = ctx;
    if (f->on.sent) f->on.sent(f->on.ctx, command, payload, len);
}

static void on_done(void *ctx, int err) {
    struct wf_front *f = ctx;
    if (f->on.done) f->on.done(f->on.ctx, err);
}

static void print_dic_line(void *ctx, enum wf_line_class line, const char *text) {
    wfb_front_line(ctx, line, text, strlen(text), NULL);
}

static int open_writer(struct wf_front *f, struct wf_error *error) {
    struct wf_writer_options wo = {.size = sizeof wo, .line = on_writer_line};
    f->text = wf_writer_open(wf_format_find("qspy"), wf_hub_session(f->hub), &wo, NULL, f, error);
    return f->text ? WF_OK : error->code;
}

static int open_parts(struct wf_front *f, const char *source, struct wf_error *error) {
    struct wf_hub_options ho = {.size = sizeof ho,
                                .session = f->options.session,
                                .once = f->options.once,
                                .keep_filters = f->options.keep_filters,
                                .ask = f->options.ask,
                                .capture = f->options.capture,
                                .format = f->options.format,
                                .describe = f->options.describe,
                                .describe_len = f->options.describe_len,
                                .start = f->options.start,
                                .start_len = f->options.start_len};
    struct wf_hub_handlers on = {.ctx = f,
                                 .up = on_up,
                                 .down = on_down,
                                 .item = on_item,
                                 .bytes = on_bytes,
                                 .report = on_report,
                                 .done = on_done,
                                 .known = on_known,
                                 .sent = on_sent};
    ho.session.dialect = WF_DIALECT_QSPY;
    ho.session.info8 = ho.session.all_names = true;
    int err = wf_hub_open(f->loop, source, &ho, &on, &f->hub, error);
    if (err != WF_OK) return err;
    err = open_writer(f, error);
    if (err != WF_OK) return err;
    f->dic = (struct wf_dic){.file = f->options.dic,
                             .folder = f->options.folder,
                             .ctx = f,
                             .line = print_dic_line,
                             .report = on_report,
                             .files = f->options.command_files};
    if (wf_dic_read(&f->dic, wf_hub_session(f->hub), error) != WF_OK) return WF_ERR_LINK;
    err = wfb_ends_open(f, error);
    if (err == WF_OK) wfb_files_open(f);
    return err;
}

int wf_front_open(struct uv_loop_s *loop, const char *source,
                  const struct wf_front_options *options, const struct wf_front_handlers *on,
                  struct wf_front **front, struct wf_error *error) {
    struct wf_front *f = calloc(1, sizeof *f);
    *front = NULL;
    if (!f) return wf_error_code(error, WF_ERR_NOMEM);
    f->loop = loop;
    int err = wfb_copy_options(&f->options, sizeof f->options, options, error);
    f->file = wf_link_is_file(source);
    f->on = *on;
    if (err == WF_OK) err = open_parts(f, source, error);
    if (err == WF_OK)
        *front = f;
    else
        wf_front_close(f);
    return err;
}

void wf_front_close(struct wf_front *f) {
    if (f->closing) return;
    f->closing = true;
    f->on.done = NULL;
    wfb_files_close(f);
    if (f->text) wf_writer_close(f->text);
    f->text = NULL;
    if (f->hub) wf_hub_close(f->hub);
    f->hub = NULL;
    wfb_ends_close(f);
}

int wf_front_send(struct wf_front *f, uint8_t command, const void *payload, size_t len) {
    return wf_hub_send(f->hub, command, payload, len);
}

void wf_front_end(struct wf_front *f) { wf_hub_end(f->hub); }
struct wf_lane *wf_front_lane(struct wf_front *f) {
    return wf_hub_lane(f->hub);
}
void wf_front_set_capture(struct wf_front *f, struct wf_capture *capture) {
    wf_hub_set_capture(f->hub, capture);
}
struct wf_front_counters wf_front_count(const struct wf_front *f) {
    return f->count;
}
