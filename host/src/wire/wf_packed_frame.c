// SPDX-License-Identifier: MIT
// Packed frames and records with object numbers, as a session takes them: accounts a frame, and
// sets its time. Its events follow (wf_packed.c).

#include "core/wfi_session.h"

// Sets the frame's time: the first event's, unless that has a delta.
static void take_base(struct wf_session *s) {
    struct wfi_packed *k = &s->packed;
    struct wf_record base = {.stamp = k->stamp};
    wfi_clock_stamp(s, &base);
    k->tick = base.tick;
    k->back = base.back;
}

static bool take_frame(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    struct wfi_packed *k = &s->packed;
    bool drop = false;
    if (!wfi_packed_begin(s, f)) {
        k->left = 0;
        s->ledger.bytes_good += f->raw_len;
        ++s->ledger.malformed;
        return false;
    }
    const bool lost = wfi_account_packed(s, f, k->number, k->left, &item->loss, &drop);
    if (drop) {
        s->ledger.bytes_repeated += f->raw_len;
        k->left = 0;
        item->kind = WF_ITEM_LOSS;
        return true;
    }
    s->ledger.bytes_good += f->raw_len;
    ++s->ledger.packed_frames;
    k->seq = (uint8_t)(f->bytes[0] - 1);
    k->offset = f->offset;
    k->raw_len = f->raw_len;
    take_base(s);
    if (!lost) return wfi_packed_next(s, item);
    item->kind = WF_ITEM_LOSS;
    return true;
}

bool wfi_packed_unknown(struct wf_session *s, const struct wfi_frame *f) {
    wfi_packed_scan(s, f, false);
    return s->packed.unknown;
}

void wfi_packed_names(struct wf_session *s, const struct wfi_frame *f) {
    if (!s->options.all_names || !s->target.sizes_known) return;
    if (f->bytes[1] == WF_RECORD_packed) wfi_packed_scan(s, f, true);
    if (f->bytes[1] == WF_RECORD_objects) wfi_packed_learn(s, f->bytes + 2, f->len - 3);
}

bool wfi_packed_take(struct wf_session *s, const struct wfi_frame *f, struct wf_item *item) {
    if (f->bytes[1] == WF_RECORD_packed) return take_frame(s, f, item);
    s->ledger.bytes_good += f->raw_len;
    if (!wfi_packed_learn(s, f->bytes + 2, f->len - 3)) ++s->ledger.malformed;
    return false;
}
