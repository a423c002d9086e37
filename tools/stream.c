// SPDX-License-Identifier: MIT
// Source to sessions to writers, a lane each. All commands that read a trace go this one way, live
// or not.

#include "stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "memory.h"
#include "wallfly_host/wf_slot_memory.h"
#include "wallfly_host/wf_slot_record.h"

static void dic_line(void *ctx, enum wf_line_class line, const char *text) {
    struct lane *l = ctx;
    (void)line;
    if (l->stream->qspy && l->writers) wf_writer_line(l->writers[0], text);
}

static void dic_complain(void *ctx, const char *text) {
    const struct lane *l = ctx;
    if (!l->stream->again) complain(EXIT_GOOD, "%s", text);
}

static bool dictionaries(struct lane *l) {
    char why[256];
    if (wf_dic_read(&l->dic, l->session, why) == WF_OK) return true;
    complain(EXIT_INPUT, "%s", why);
    return false;
}

static bool parse_lane(struct stream *s, const char *text) {
    uint64_t lane = 0;
    if (text && !parse_number("--lane", text, 0, WF_RECORDING_LANES - 1, &lane)) return false;
    s->one_lane = text != NULL;
    s->lane = (unsigned)lane;
    return true;
}

// Text of several lanes says on each line whose it is.
static bool write_lines(void *ctx, const char *bytes, size_t len) {
    struct lane *l = ctx;
    char mark[16];
    int mark_len = snprintf(mark, sizeof mark, "[%u] ", l->number);
    const struct stream_out *out = l->stream->outs;
    if (!l->stream->prefix) return out->write(out->ctx, bytes, len);
    while (len) {
        const char *end = memchr(bytes, '\n', len);
        size_t n = end ? (size_t)(end - bytes) + 1 : len;
        if (!l->in_line && !out->write(out->ctx, mark, (size_t)mark_len)) return false;
        if (!out->write(out->ctx, bytes, n)) return false;
        l->in_line = !end;
        bytes += n;
        len -= n;
    }
    return true;
}

static void free_lane(struct lane *l) {
    if (!l) return;
    wf_hide_close(l->hide);
    free(l->writers);
    wf_close(l->session);
    slots_close(l->slots);
    wf_kept_names_free(&l->kept);
    free(l);
}

// Text of a stream of several lanes goes through write_lines.
static bool open_writers(struct lane *l, int *err) {
    struct stream *s = l->stream;
    l->writers = calloc(s->out_count, sizeof *l->writers);
    if (!l->writers) return false;
    for (unsigned i = 0; i < s->out_count; ++i) {
        const struct stream_out *out = &s->outs[i];
        l->writers[i] =
            s->single
                ? wf_writer_open(out->format, l->session, &out->options, out->write, out->ctx, err)
                : wf_writer_open(out->format, l->session, &out->options, write_lines, l, err);
        if (!l->writers[i]) return false;
    }
    return true;
}

static int close_writers(struct lane *l) {
    int err = WF_OK;
    for (unsigned i = 0; l->writers && i < l->stream->out_count; ++i) {
        int one = l->writers[i] ? wf_writer_close(l->writers[i]) : WF_OK;
        if (one != WF_OK && (err == WF_OK || err == WF_ERR_CUT)) err = one;
    }
    return err;
}

static struct lane *new_lane(struct stream *s, unsigned number, int *err) {
    struct lane *l = calloc(1, sizeof *l);
    struct lane **lanes = realloc(s->lanes, (s->lane_count + 1) * sizeof *lanes);
    *err = WF_ERR_NOMEM;
    if (lanes) s->lanes = lanes;
    if (l && lanes) l->session = wf_open(&s->options, err);
    if (l && l->session) {
        *err = WF_ERR_NOMEM;
        l->stream = s;
        l->number = number;
        names_use(&s->names, l->session);
        l->dic = (struct wf_dic){.file = s->args->value[STREAM_DIC],
                                 .ctx = l,
                                 .line = dic_line,
                                 .complain = dic_complain,
                                 .files = s->args->files};
        if (s->hide) l->hide = wf_hide_open(l->session, s->hide_view);
        if ((!s->out_count || open_writers(l, err)) &&
            (!s->hide || stream_hide_rules(l->hide, s->hide))) {
            s->lanes[s->lane_count++] = l;
            return l;
        }
        close_writers(l);
    }
    free_lane(l);
    return NULL;
}

// Null: not wanted, or out of memory. Peers are null in images.
static struct lane *lane_of(struct stream *s, const struct wf_peer *peer) {
    unsigned number = peer ? wf_peer_lane(peer) : 0;
    int err;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (s->lanes[i]->number != number) continue;
        s->lane_came = true;
        return s->lanes[i];
    }
    if (number >= s->lane_end) s->lane_end = number + 1;
    if (s->one_lane) return NULL;
    if (s->single) {
        s->code = complain(EXIT_USAGE, "%s: has several lanes; --lane=N takes one", s->name);
        return NULL;
    }
    struct lane *l = new_lane(s, number, &err);
    if (!l) s->code = complain(EXIT_INPUT, "%s", wf_err_text(err));
    if (l) s->prefix = true;
    return l;
}

static int no_lane(const struct stream *s, unsigned lanes) {
    char which[32] = "only lane 0";
    if (lanes > 1) snprintf(which, sizeof which, "lanes 0 to %u", lanes - 1);
    return complain(EXIT_USAGE, "%s: has no lane %u; there %s %s", s->name, s->lane,
                    lanes > 1 ? "are" : "is", which);
}

static int find_lanes(struct stream *s) {
    int err;
    unsigned lanes = s->image ? 0 : source_lanes(s->args->operand[0]);
    bool file = s->image || (wf_link_is_file(s->args->operand[0]) && !s->live);
    if (s->lane && file && !lanes) return no_lane(s, 1); // no recording
    if (lanes > 1 && s->single && !s->one_lane) {
        return complain(EXIT_USAGE, "%s: has %u lanes; --lane=N takes one of them", s->name, lanes);
    }
    s->prefix = lanes > 1 && !s->one_lane;
    if (new_lane(s, s->lane, &err)) return EXIT_GOOD;
    stream_close(s);
    return complain(EXIT_USAGE, "%s", wf_err_text(err));
}

int stream_open(struct stream *s, const struct args *args) {
    const struct wf_format *format = s->out_count ? s->outs[0].format : NULL;
    s->options.dialect = format ? format->dialect : WF_DIALECT_WALLFLY;
    s->options.info8 = format && format->info8;
    s->options.all_names = format && format->all_names;
    s->image = args->value[STREAM_IMAGE];
    if (!s->image == !args->operands) {
        return complain(EXIT_USAGE,
                        "usage: wallfly %s %s, or --ram-image=IMAGE; see `wallfly help %s`",
                        args->cmd->name, args->cmd->operands, args->cmd->name);
    }
    if (!source_ask(args->value[STREAM_ASK], false, &s->ask) ||
        !stream_options(args, &s->options) || !parse_lane(s, args->value[STREAM_LANE]) ||
        !slots_clock(args->value[STREAM_CLOCK], &s->slots_options.clock))
        return EXIT_USAGE;
    int code = s->look ? EXIT_GOOD : stream_names(args, &s->names);
    if (code != EXIT_GOOD) return code;
    if (s->rate) s->options.hz = s->rate;
    s->slots_options.hz = s->options.hz;
    s->args = args;
    s->strict = args->value[STREAM_STRICT] != NULL;
    s->name = s->image ? s->image : args->operand[0];
    s->live = !s->image && source_is_live(s->name);
    if (!s->image && strcmp(s->name, "-") == 0) s->name = "standard input";
    code = find_lanes(s);
    if (code != EXIT_GOOD) names_close(&s->names);
    return code;
}

static void note_tick(struct lane *l, uint64_t tick) {
    if (!l->ticks_known) l->tick_first = tick;
    l->ticks_known = true;
    l->tick_last = tick;
}

// What is wrong with the file of names, once.
static void watch(struct lane *l, bool end) {
    char text[512];
    if (l->stream->again) return;
    if (names_watch(&l->stream->names, l->session, end, text)) complain(0, "%s", text);
}

static void show(struct lane *l, const struct wf_item *it) {
    for (unsigned i = 0; i < l->stream->out_count; ++i) wf_writer_item(l->writers[i], it);
    if (l->stream->on_item) l->stream->on_item(l, it);
}

// What --hide leaves of it.
static void show_rest(struct lane *l, const struct wf_item *it) {
    struct wf_item shown;
    if (!l->hide) {
        show(l, it);
        return;
    }
    wf_hide_take(l->hide, it);
    while (wf_hide_next(l->hide, &shown)) show(l, &shown);
}

// The last item, and what --hide has to say.
static void end_hide(struct lane *l) {
    char name[256];
    struct wf_item shown;
    size_t at = 0;
    if (!l->hide) return;
    wf_hide_end(l->hide);
    while (wf_hide_next(l->hide, &shown)) show(l, &shown);
    for (const char *task; (task = wf_hide_unused(l->hide, &at)) != NULL;)
        complain(EXIT_GOOD, "%s: --hide: there is no task '%s'", lane_name(l, name), task);
    if (wf_hide_error(l->hide) != WF_OK)
        complain(EXIT_GOOD, "--hide: %s", wf_err_text(wf_hide_error(l->hide)));
}

static void item(struct lane *l, const struct wf_item *it) {
    show_rest(l, it);
    if (l->stream->look) return;
    if (it->kind == WF_ITEM_EVENT && it->event->timed) note_tick(l, it->event->tick);
    if (it->kind != WF_ITEM_RECORD || !it->record.row) return;
    const struct wf_record *r = &it->record;
    if ((r->stamped || l->slots) && !r->back) note_tick(l, r->tick);
    if (r->left || r->missing) {
        if (l->stream->live) stream_hint_sizes(l);
        return;
    }
    if (r->row->effect == WF_EFFECT_TARGET_INFO) dictionaries(l);
    if (r->row->effect == WF_EFFECT_SYNC) watch(l, false);
    if (r->row->effect == WF_EFFECT_RUN && !l->stream->again && l->dic.file &&
        strcmp(l->dic.file, "auto") == 0)
        wf_dic_save(&l->dic, l->session);
}

static bool flush(struct lane *l) {
    bool good = true;
    for (unsigned i = 0; i < l->stream->out_count; ++i)
        good &= wf_writer_flush(l->writers[i]) == WF_OK;
    return good && (!l->stream->live || fflush(stdout) == 0);
}

// Lines of several lanes stay in the order in which they arrived.
static void turn_to(struct lane *l) {
    struct stream *s = l->stream;
    if (s->last && s->last != l) flush(s->last);
    s->last = l;
}

static void tell_progress(const struct lane *l) {
    const struct stream *s = l->stream;
    const struct wf_ledger *ledger = wf_get_ledger(l->session);
    uint64_t bytes = l->slots ? slots_totals(l->slots)->bytes : ledger->bytes;
    if (s->progress) s->progress(s->progress_ctx, bytes, ledger->records);
}

// Names of the image that were announced up to this event: those of an object that is not there yet
// would be wrong.
static void tell_kept(struct lane *l, const struct wf_slots_item *from) {
    if (from->kind != WF_SLOTS_EVENT || !from->event.timed) return;
    for (; l->kept_told < l->kept.count; ++l->kept_told) {
        const struct wf_kept_name *n = &l->kept.names[l->kept_told];
        if (n->since > from->event.tick) return;
        wf_know(l->session, n->id, n->payload, n->len);
    }
}

static bool on_slot(void *ctx, const struct wf_slots *slots, const struct wf_slots_item *from) {
    struct lane *l = ctx;
    struct wf_item it;
    if (l->kept_told < l->kept.count) tell_kept(l, from);
    if (wf_take_slot(l->session, slots, from, &it)) item(l, &it);
    if ((++l->slots_taken & 4095) == 0) tell_progress(l);
    return !ferror(stdout) && !l->stream->enough;
}

static bool begin_slots(struct lane *l) {
    if (!l->slots) l->slots = slots_open(l->stream->name, &l->stream->slots_options, l, on_slot);
    if (!l->slots) l->stream->code = EXIT_INPUT;
    l->begun = true;
    return l->slots != NULL;
}

static void take(struct lane *l, const uint8_t *bytes, size_t len) {
    struct wf_item it;
    if (l->slots) {
        int code = slots_feed(l->slots, bytes, len);
        if (l->stream->code == EXIT_GOOD) l->stream->code = code;
        return;
    }
    wf_feed(l->session, bytes, len);
    while (!l->stream->enough && wf_next(l->session, &it)) item(l, &it);
    tell_progress(l);
}

// What the first bytes are is known, or there are no more.
static void begin(struct lane *l, enum first_is is) {
    if (is == FIRST_SLOTS && !begin_slots(l)) return;
    if (is == FIRST_TEXT && wf_take_text(l->session) != WF_OK)
        l->stream->code = complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    l->begun = true;
    take(l, l->first.bytes, l->first.len);
    l->first.len = 0;
}

static void take_first(struct lane *l, const uint8_t *bytes, size_t len) {
    enum first_is is = first_take(&l->first, &bytes, &len);
    if (is == FIRST_UNKNOWN) return;
    begin(l, is);
    if (l->begun && len) take(l, bytes, len);
}

// The target has left, or the source is at its end.
static void end_lane(struct lane *l) {
    if (!l->begun && l->first.len) begin(l, first_end(&l->first));
    if (l->slots) {
        int code = slots_end(l->slots);
        if (l->stream->code == EXIT_GOOD) l->stream->code = code;
    }
}

// Names of an image of slots. What is wrong with the recorder's memory its reader tells.
static int find_kept(struct lane *l, const uint8_t *bytes, size_t len) {
    static const struct wf_slot_memory_options copy = {.live = false};
    uint8_t sync[WF_KEPT_SYNC_LEN];
    int err;
    struct wf_slot_memory *m = wf_slot_memory_open(bytes, len, &copy, NULL, &err);
    if (!m) return err == WF_ERR_NOMEM ? err : WF_OK;
    const struct wf_slot_memory_info *info = wf_slot_memory_get_info(m);
    err = wf_kept_names_read(bytes, len, true, info->build_id, &l->kept);
    wf_kept_names_sync(l->kept.sizes, info->hz, info->build_id, sync);
    if (l->kept.count) wf_know(l->session, WF_KEPT_SYNC_ID, sync, sizeof sync);
    wf_slot_memory_close(m);
    return err;
}

static int on_memory(void *ctx, const uint8_t *bytes, size_t len) {
    struct stream *s = ctx;
    struct lane *l = s->lanes[0];
    if (!begin_slots(l)) return EXIT_INPUT;
    if (find_kept(l, bytes, len) != WF_OK)
        return complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    return slots_run_memory(l->slots, bytes, len);
}

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct stream *s = ctx;
    struct lane *l = lane_of(s, peer);
    if (!l) return s->code == EXIT_GOOD;
    // In an image there is no peer.
    const struct wf_recording_info *recording = peer ? wf_peer_recording(peer) : NULL;
    if (recording) l->block_at = recording->block_at;
    turn_to(l);
    visit_begun(l, false);
    if (l->begun)
        take(l, bytes, len);
    else
        take_first(l, bytes, len);
    if (s->code != EXIT_GOOD || s->enough) return false;
    return s->live ? flush(l) && !ferror(stdout) : !ferror(stdout);
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct lane *l = lane_of(ctx, peer);
    if (l) wf_know(l->session, id, payload, len);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    struct stream *s = ctx;
    const struct wf_recording_info *recording = wf_peer_recording(peer);
    if (recording) s->recording = *recording;
    s->recorded = recording != NULL;
    if (!recording && wf_link_is_file(s->args->operand[0])) return;
    struct lane *l = lane_of(s, peer);
    if (!l) return;
    turn_to(l);
    if (!recording && !s->look && !s->again)
        complain(0, "%s: target %s%s%s", wf_peer_name(peer), up ? "connected" : "disconnected",
                 *why ? ": " : "", why);
    if (up) {
        visit_begin(l, peer);
    } else {
        end_lane(l);
        visit_end(l, peer, why);
        wf_relink(l->session);
        l->begun = l->slots || wf_takes_text(l->session); // the next one may be another
    }
}

static void on_chunk(void *ctx, struct wf_peer *peer, const struct wf_chunk *chunk) {
    struct stream *s = ctx;
    if (chunk->kind == WF_CHUNK_DAMAGE) s->damaged = true;
    if (chunk->kind == WF_CHUNK_CUT) s->cut = true;
    struct lane *l = peer ? lane_of(s, peer) : NULL;
    if (!l) return;
    if (chunk->kind == WF_CHUNK_STATE) {
        visit_begun(l, true);
        visit_nameless(l, wf_state_nameless(chunk->bytes, chunk->len));
    }
    if (wf_recording_apply(l->session, chunk) != WF_OK) {
        complain(0, "%s: what was known of the target in the file before cannot be read", s->name);
    }
}

static int run_source(struct stream *s, const struct source_handlers *on) {
    const char *name = s->image ? s->image : s->args->operand[0];
    bool elf = s->args->value[STREAM_ELF] != NULL;
    if (s->image) return image_run(name, elf ? &s->names.bytes : NULL, on);
    if (s->pieces || slots_in_file(name) == SLOTS_NONE) return source_run(name, on);
    return begin_slots(s->lanes[0]) ? slots_run_file(s->lanes[0]->slots, name) : EXIT_INPUT;
}

// Items that are left, and what there is to say at the end.
static int end_all(struct stream *s, int code) {
    struct wf_item it;
    for (unsigned i = 0; i < s->lane_count && !s->look; ++i) {
        struct lane *l = s->lanes[i];
        turn_to(l);
        end_lane(l);
        wf_end(l->session);
        while (wf_next(l->session, &it)) item(l, &it);
        end_hide(l);
        watch(l, true);
        if (wf_get_error(l->session) != WF_OK && code == EXIT_GOOD)
            code = complain(EXIT_INPUT, "%s: %s", s->name, wf_err_text(wf_get_error(l->session)));
        if (!flush(l) && code == EXIT_GOOD) {
            code = EXIT_INPUT;
            if (!s->outs_tell) complain(code, "output: %s", strerror(errno));
        }
    }
    return code;
}

int stream_run(struct stream *s, bool once) {
    struct source_handlers on = {.ctx = s,
                                 .bytes = on_bytes,
                                 .link = on_link,
                                 .known = on_known,
                                 .chunk = on_chunk,
                                 .memory = on_memory,
                                 .interrupted = &s->interrupted,
                                 .once = once,
                                 .ask = s->ask,
                                 .quiet = s->again,
                                 .most = s->single ? 1 : 0};
    if (!s->look && !dictionaries(s->lanes[0])) return EXIT_INPUT;
    if (s->live) flush(s->lanes[0]);
    int code = run_source(s, &on);
    if (code == EXIT_GOOD) code = s->code;
    // What comes through a pipe tells its lanes no sooner.
    if (code == EXIT_GOOD && s->lane_end && !s->lane_came && !s->interrupted)
        code = no_lane(s, s->lane_end);
    if (code == EXIT_GOOD && memory_was_out()) code = EXIT_INPUT;
    return end_all(s, code);
}

// ---- pushed, by who has the link

int stream_push_begin(struct stream *s) {
    return dictionaries(s->lanes[0]) ? EXIT_GOOD : EXIT_INPUT;
}

void stream_push(struct stream *s, const uint8_t *bytes, size_t len) {
    struct lane *l = s->lanes[0];
    if (s->code != EXIT_GOOD) return; // nothing more can be made of it
    if (l->begun)
        take(l, bytes, len);
    else
        take_first(l, bytes, len);
}

void stream_push_known(struct stream *s, uint8_t id, const uint8_t *payload, size_t len) {
    wf_know(s->lanes[0]->session, id, payload, len);
}

void stream_push_down(struct stream *s) {
    struct lane *l = s->lanes[0];
    struct wf_item it;
    end_lane(l);
    wf_relink(l->session);
    while (!l->slots && wf_next(l->session, &it)) item(l, &it);
    l->begun = l->slots || wf_takes_text(l->session);
}

int stream_push_end(struct stream *s) { return end_all(s, s->code); }

static void look_for_rate(struct lane *l, const struct wf_item *it) {
    (void)it;
    enum { LOOK = 100000 }; // records; a recorder tells it far more often
    const struct wf_ledger *ledger = wf_get_ledger(l->session);
    l->stream->rate = wf_get_target(l->session)->hz;
    l->stream->enough = l->stream->rate || ledger->records > LOOK;
}

int stream_rate(const struct args *args, uint64_t *rate) {
    struct stream s = {.single = true, .look = true, .on_item = look_for_rate};
    const char *name = args->operands ? args->operand[0] : "-";
    bool again = strcmp(name, "-") != 0 && wf_link_is_file(name) && !source_is_live(name);
    *rate = 0;
    if (args->value[STREAM_IMAGE] || args->value[STREAM_RATE] || !again) return EXIT_GOOD;
    int code = stream_open(&s, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, true);
    *rate = s.rate;
    if (code == EXIT_GOOD && s.interrupted) code = complain(EXIT_INPUT, "%s: interrupted", s.name);
    stream_close(&s);
    return code;
}

const char *lane_name(const struct lane *l, char name[256]) {
    if (!l->stream->prefix) return l->stream->name;
    snprintf(name, 256, "%.200s: lane %u", l->stream->name, l->number);
    return name;
}

int stream_close(struct stream *s) {
    int err = WF_OK;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        struct lane *l = s->lanes[i];
        int one = close_writers(l);
        if (err == WF_OK) err = one;
        free_lane(l);
    }
    free(s->lanes);
    free(s->visits);
    names_close(&s->names);
    s->lanes = NULL;
    s->visits = NULL;
    s->lane_count = s->visit_count = 0;
    return err;
}
