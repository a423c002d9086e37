// SPDX-License-Identifier: MIT
// Frames come in, items go out: decode, apply to names, clock and target, account. A record that
// closes a hole is held for one call, so that the loss is returned first.

#include "core/wfi_session.h"
#include "wfi_text_trace.h"

#include <stdlib.h>
#include <string.h>

#include "util/wfi_options.h"
#include "wallfly_host/wf_kept_names.h"

bool wfi_size_known(unsigned bytes) {
    return bytes == 0 || bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static int configure(struct wf_session *s, const struct wf_session_options *options) {
    int err = wfi_options_copy(&s->options, sizeof s->options, options);
    if (err != WF_OK) return err;
    const struct wf_session_options *o = &s->options;
    s->qspy = o->dialect == WF_DIALECT_QSPY;
    if (o->version && (o->version < 400 || o->version > 999)) return WF_ERR_BAD_VERSION;
    uint16_t usual = s->qspy ? 700 : 740;
    s->target.version = s->target.version_raw = o->version ? o->version : usual;
    s->target.hz = o->hz;
    for (unsigned t = 0; t < WF_TYPE_END; ++t) {
        if (!wfi_size_known(o->bytes[t])) return WF_ERR_BAD_SIZE;
        s->target.bytes[t] = o->bytes[t] ? o->bytes[t] : wf_types[t].bytes;
    }
    return WF_OK;
}

struct wf_session *wf_session_open(const struct wf_session_options *options,
                                   struct wf_error *error) {
    struct wf_session *s = calloc(1, sizeof *s);
    int err = s ? configure(s, options) : WF_ERR_NOMEM;
    if (err == WF_OK && (!wfi_frames_open(&s->frames, s->qspy) ||
                         !wfi_names_open(&s->names, s->qspy && !s->options.all_names)))
        err = WF_ERR_NOMEM;
    wf_error_code(error, err);
    if (err != WF_OK) {
        wf_session_close(s);
        return NULL;
    }
    wfi_set_key_sizes(s);
    s->names.users.key_bytes = 1;
    wfi_packed_forget(s);
    s->packed.doubt = true; // until the target starts
    wfi_plan_all(s);
    return s;
}

void wf_session_close(struct wf_session *s) {
    if (!s) return;
    wfi_frames_close(&s->frames);
    wfi_lines_close(s);
    wfi_names_close(&s->names);
    wfi_packed_close(s);
    wfi_use_close(s);
    free(s->scratch);
    free(s);
}

void wf_session_feed(struct wf_session *s, const uint8_t *bytes, size_t len) {
    s->src = bytes;
    s->end = bytes + len;
    s->ledger.bytes += len;
    wfi_use_tidy(s);
}

void wf_session_end(struct wf_session *s) { s->ending = true; }

int wf_session_error(const struct wf_session *s) { return s->err; }

static void note_damage(struct wf_session *s, enum wf_damage_kind kind, uint64_t offset,
                        uint64_t len) {
    ++s->ledger.damage[kind];
    if (kind == WF_DAMAGE_IDLE) {
        s->ledger.bytes_idle += len;
        return;
    }
    s->packed.doubt = true;
    s->ledger.bytes_bad += len;
    if (!s->hole.open) s->hole.offset = offset;
    s->hole.open = true;
    s->hole.bytes += len;
    if (kind == WF_DAMAGE_BAD_SUM) s->hole.bad_sum_end = offset + len;
    ++s->hole.damage[kind];
}

void wfi_note_link(struct wf_session *s, const struct wfi_frame *cut, uint64_t lost) {
    if (cut->raw_len) note_damage(s, WF_DAMAGE_CUT, cut->offset, cut->raw_len);
    s->packed.doubt = true;
    if (!lost) {
        s->qspy_last = 0;
        s->clock.relinked = s->options.dialect == WF_DIALECT_WALLFLY;
        return;
    }
    if (!s->hole.open) s->hole.offset = cut->offset + cut->raw_len;
    s->hole.open = true;
    s->hole.lost += lost;
    s->ledger.bytes_lost += lost;
}

// The unfinished frame ends here, also if earlier ones are held.
static void take_link(struct wf_session *s, uint64_t lost) {
    struct wfi_frame cut = {.kind = WFI_FRAME_CUT, .offset = s->frames.offset};
    (void)wfi_frames_finish(&s->frames, &cut);
    s->frames.offset += lost;
    s->frames.start = s->frames.offset;
    cut.bytes = NULL; // not returned
    cut.len = 0;
    if (!wfi_hold(s, &cut, true, lost)) wfi_note_link(s, &cut, lost);
}

void wf_session_relink(struct wf_session *s) {
    if (s->lines)
        wfi_lines_relink(s);
    else
        take_link(s, 0);
}

void wf_session_lose(struct wf_session *s, uint64_t bytes) {
    if (s->lines)
        wfi_lines_lost(s, bytes);
    else
        take_link(s, bytes);
}

static void fill_damage(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    static const enum wf_damage_kind kinds[] = {
        [WFI_FRAME_EMPTY] = WF_DAMAGE_IDLE,      [WFI_FRAME_BAD_SUM] = WF_DAMAGE_BAD_SUM,
        [WFI_FRAME_SHORT] = WF_DAMAGE_TOO_SHORT, [WFI_FRAME_LONG] = WF_DAMAGE_TOO_LONG,
        [WFI_FRAME_CUT] = WF_DAMAGE_CUT,
    };
    item->kind = WF_ITEM_DAMAGE;
    item->damage.kind = kinds[f->kind];
    item->damage.escaped = f->long_escaped;
    item->damage.offset = f->offset;
    item->damage.len = f->raw_len;
    item->damage.bytes = f->bytes;
    item->damage.count = f->len;
    item->damage.seq = s->qspy_last;
    note_damage(s, item->damage.kind, f->offset, f->raw_len);
}

void wfi_note_evidence(struct wf_session *s, const struct wf_record *r) {
    ++s->ledger.malformed;
    ++s->malformed_by_id[r->id];
    const struct wfi_plan *plan = wfi_plan_of(s, r);
    if (!plan || plan->len == WFI_VARIABLE) return;
    for (unsigned i = 0; i < s->evidence_count; ++i) {
        if (s->evidence[i].plan == plan && s->evidence[i].len == r->len) {
            ++s->evidence[i].count;
            return;
        }
    }
    if (s->evidence_count == WFI_EVIDENCE) return;
    s->evidence[s->evidence_count].plan = plan;
    s->evidence[s->evidence_count].len = r->len;
    s->evidence[s->evidence_count++].count = 1;
}

// Takes a good frame. Of a repeated record only the loss is returned.
static bool take_record(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    struct wf_record *r = &item->record;
    item->kind = WF_ITEM_RECORD;
    item->changed = item->discarded = false;
    r->seq = f->bytes[0];
    r->core = 0;
    r->id = f->bytes[1];
    r->payload = f->bytes + 2;
    r->len = f->len - 3;
    r->offset = f->offset;
    r->raw_len = f->raw_len;
    r->first = s->ledger.records == 0;
    r->seq_expected = (uint8_t)(s->qspy_last + 1);
    s->qspy_last = r->seq;
    if (!wfi_decode_usual(s, r)) wfi_decode(s, r);

    struct wf_loss loss;
    bool drop = false;
    bool lost = !wfi_account_usual(s, r) && wfi_account(s, r, &loss, &drop);
    if (drop && !s->qspy) {
        s->ledger.bytes_repeated += f->raw_len;
        item->kind = WF_ITEM_LOSS;
        item->loss = loss;
        return true;
    }
    s->ledger.bytes_good += f->raw_len;
    ++s->ledger.records;
    ++s->ledger.by_id[r->id];
    if (!r->row) ++s->ledger.unknown;
    if (r->left || r->missing) wfi_note_evidence(s, r);
    if (r->stamped)
        wfi_clock_stamp(s, r);
    else
        r->tick = s->clock.last;
    if (wfi_applies(s, r)) wfi_apply(s, item);
    if (lost && !s->qspy) {
        s->held = *r;
        s->holding = true;
        s->held_changed = item->changed;
        s->held_discarded = item->discarded;
        item->kind = WF_ITEM_LOSS;
        item->loss = loss;
    }
    return true;
}

static bool next_at_end(struct wf_session *s, struct wf_item *item) {
    struct wfi_frame frame = {.long_escaped = false};
    if (wfi_frames_finish(&s->frames, &frame)) {
        fill_damage(s, &frame, item);
        return true;
    }
    if (!wfi_close_hole(s, &item->loss)) return false;
    item->kind = WF_ITEM_LOSS;
    ++s->ledger.holes;
    return true;
}

// Takes the next frame: one that was held, or one of the input that is not held from here on.
static bool take_frame(struct wf_session *s, struct wfi_frame *frame) {
    if (s->packed.draining && wfi_hold_next(s, frame)) return true;
    while (s->src != s->end && wfi_frames_next(&s->frames, &s->src, s->end, frame)) {
        if (!s->packed.doubt || !wfi_hold(s, frame, false, 0)) return true;
        // Without memory nothing is held, and the input must be read to its end nevertheless.
        if (s->packed.draining && wfi_hold_next(s, frame)) return true;
    }
    if (s->ending && s->packed.holding) wfi_hold_end(s);
    return s->packed.draining && wfi_hold_next(s, frame);
}

bool wf_session_next(struct wf_session *s, struct wf_item *item) {
    if (s->packed.left) return wfi_packed_next(s, item);
    if (s->lines) return wfi_lines_next(s, item);
    if (s->holding) {
        s->holding = false;
        item->kind = WF_ITEM_RECORD;
        item->record = s->held;
        item->changed = s->held_changed;
        item->discarded = s->held_discarded;
        return true;
    }
    struct wfi_frame frame;
    frame.long_escaped = false; // set only for a frame that is too long
    while (take_frame(s, &frame)) {
        if (frame.kind != WFI_FRAME_GOOD) {
            fill_damage(s, &frame, item);
            return true;
        }
        if (wfi_is_packed(&frame)) {
            if (!s->qspy && wfi_packed_take(s, &frame, item)) return true;
            if (!s->qspy) continue;
            wfi_packed_names(s, &frame); // the record itself is an unknown one to QSPY
        }
        return take_record(s, &frame, item);
    }
    return s->ending && next_at_end(s, item);
}

static bool call_handler(const struct wf_session_handlers *on, const struct wf_item *item) {
    switch (item->kind) {
    case WF_ITEM_RECORD: return !on->record || on->record(on->ctx, item);
    case WF_ITEM_DAMAGE: return !on->damage || on->damage(on->ctx, item);
    default: return !on->loss || on->loss(on->ctx, item);
    }
}

int wf_session_run(struct wf_session *s, const uint8_t *bytes, size_t len,
                   const struct wf_session_handlers *on) {
    struct wf_item item;
    wf_session_feed(s, bytes, len);
    while (wf_session_next(s, &item)) {
        if (!call_handler(on, &item)) return WF_ERR_STOPPED;
    }
    return WF_OK;
}

int wf_session_run_end(struct wf_session *s, const struct wf_session_handlers *on) {
    wf_session_end(s);
    return wf_session_run(s, NULL, 0, on);
}

const struct wf_target *wf_session_target(const struct wf_session *s) { return &s->target; }
bool wf_session_has_slots(const struct wf_session *s) { return s->slots.on; }
bool wf_session_is_imported(const struct wf_session *s) { return s->imported; }
bool wf_session_has_time(const struct wf_session *s) { return s->clock.known; }
const struct wf_ledger *wf_session_ledger(const struct wf_session *s) { return &s->ledger; }

uint64_t wf_time_zero(const struct wf_session *s, bool target_clock) {
    return wfi_time_zero(s, target_clock);
}

struct wf_name_counts wf_session_count_names(const struct wf_session *s) {
    struct wf_name_counts n = {s->names.objects.count,
                               s->names.functions.count,
                               s->names.users.count,
                               s->names.signals.count,
                               0,
                               0};
    for (int i = 0; i < WFI_ENUM_GROUPS; ++i) n.enums += s->names.enums[i].count;
    n.irqs = s->names.irqs.count;
    return n;
}

void wf_session_learn(struct wf_session *s, uint8_t id, const void *payload, size_t len) {
    struct wf_item item = {.kind = WF_ITEM_RECORD};
    struct wf_record *r = &item.record;
    struct wfi_clock clock = s->clock;
    uint8_t copy[1024] = {0}; // zeros after the payload, where a frame has its checksum
    if (len + WFI_PAD > sizeof copy) return;
    memcpy(copy, payload, len);
    // QSPY's dialect has no SYNC in its streams, but images and recordings contain the sizes.
    if (s->qspy && id == WF_KEPT_SYNC_ID && len >= WF_KEPT_SYNC_LEN)
        wfi_apply_sizes(s, copy + WF_KEPT_SYNC_SIZES);
    if (id == WF_RECORD_objects && !s->qspy) {
        wfi_packed_learn(s, copy, len);
        wfi_hold_check(s);
        return;
    }
    r->id = id;
    r->payload = copy;
    r->len = len;
    wfi_decode(s, r);
    if (wfi_applies(s, r)) wfi_apply(s, &item);
    wfi_clock_size(&clock, s->target.bytes[WF_TYPE_TIME]); // which the record may have changed
    s->clock = clock;
}

const char *wf_session_user_name(const struct wf_session *s, unsigned id) {
    const struct wfi_name *name = wfi_dict_get(&s->names.users, id);
    return name ? name->text : NULL;
}
