// SPDX-License-Identifier: MIT
// A reader that joined late, or lost a record with object numbers, gets frames whose numbers it
// does not know yet. They are held, with all that comes after them, until the numbers come: the
// target sends them again. So a record never has a wrong object, and a name from the first one on.
// The same while the target's sizes are not known, on which the layout of both depends: the next
// SYNC has them.

#include <stdlib.h>
#include <string.h>

#include "core/wfi_session.h"
#include "wallfly_host/wf_kept_names.h"

// The sizes in the payload of a TARGET_INFO that precedes QS 8.
enum { AT_INFO_SIZES = 3, INFO_LEN = 16 };

// What is held, one after the other: this, then its bytes and WFI_PAD.
struct entry {
    struct wfi_frame frame;
    bool link;
    uint64_t lost; // of a link
    size_t size;   // with the bytes
};

static bool make_room(struct wfi_packed *k, size_t size) {
    if (k->held_cap - k->held_len >= size) return true;
    const size_t cap = k->held_cap ? 2 * (k->held_cap + size) : 4096 + size;
    uint8_t *held = realloc(k->held, cap);
    if (!held) return false;
    k->held = held;
    k->held_cap = cap;
    return true;
}

static void keep(struct wf_session *s, const struct wfi_frame *f, bool link, uint64_t lost) {
    struct wfi_packed *k = &s->packed;
    struct entry e = {.frame = *f, .link = link, .lost = lost};
    const size_t len = f->len;
    e.size = (sizeof e + len + WFI_PAD + 7) / 8 * 8;
    if (!make_room(k, e.size)) {
        s->err = WF_ERR_NOMEM;
        return;
    }
    memcpy(k->held + k->held_len, &e, sizeof e);
    if (len) memcpy(k->held + k->held_len + sizeof e, f->bytes, len);
    memset(k->held + k->held_len + sizeof e + len, 0, e.size - sizeof e - len);
    k->held_len += e.size;
}

static struct entry take(struct wfi_packed *k, size_t at) {
    struct entry e;
    memcpy(&e, k->held + at, sizeof e);
    e.frame.bytes = k->held + at + sizeof e;
    return e;
}

static bool is_good(const struct wfi_frame *f, uint8_t id) {
    return f->kind == WFI_FRAME_GOOD && f->bytes[1] == id;
}

// Returns whether a frame that is held still uses a number that is not known.
static bool lacks_numbers(struct wf_session *s) {
    struct wfi_packed *k = &s->packed;
    for (size_t at = 0; at < k->held_len;) {
        const struct entry e = take(k, at);
        if (is_good(&e.frame, WF_RECORD_packed) && wfi_packed_unknown(s, &e.frame)) return true;
        at += e.size;
    }
    return false;
}

bool wf_session_holds_frames(const struct wf_session *s) {
    return s->packed.holding || s->packed.draining;
}

// Returns whether the sizes are neither the target's nor given.
static bool lacks_sizes(const struct wf_session *s) {
    const uint8_t *const given = s->options.bytes;
    return !s->target.sizes_known && !(given[WF_TYPE_TIME] && given[WF_TYPE_OBJ]);
}

// Takes the sizes from a SYNC or TARGET_INFO that is held, and then the numbers before it.
static bool take_sizes(struct wf_session *s, const struct wfi_frame *f) {
    struct wfi_packed *k = &s->packed;
    const size_t len = f->len - 3;
    if (is_good(f, WF_RECORD_sync) && len >= WF_KEPT_SYNC_LEN)
        wfi_apply_sizes(s, f->bytes + 2 + WF_KEPT_SYNC_SIZES);
    else if (is_good(f, WF_RECORD_target_info) && len == INFO_LEN)
        wfi_apply_sizes(s, f->bytes + 2 + AT_INFO_SIZES);
    else
        return false;
    for (size_t at = 0; at < k->held_len;) {
        const struct entry e = take(k, at);
        if (is_good(&e.frame, WF_RECORD_objects))
            wfi_packed_learn(s, e.frame.bytes + 2, e.frame.len - 3);
        at += e.size;
    }
    return true;
}

// Returns whether a frame cannot be decoded yet.
static bool must_wait(struct wf_session *s, const struct wfi_frame *f) {
    const bool packed = is_good(f, WF_RECORD_packed);
    if (lacks_sizes(s)) return packed || is_good(f, WF_RECORD_objects);
    return packed && wfi_packed_unknown(s, f);
}

void wfi_hold_end(struct wf_session *s) {
    s->packed.draining = s->packed.holding;
    s->packed.holding = false;
    s->packed.held_at = 0;
}

void wfi_hold_check(struct wf_session *s) {
    if (s->packed.holding && !lacks_numbers(s)) wfi_hold_end(s);
}

bool wfi_hold(struct wf_session *s, const struct wfi_frame *f, bool link, uint64_t lost) {
    struct wfi_packed *k = &s->packed;
    if (!k->holding) {
        if (!k->doubt || k->draining || link || s->qspy || !must_wait(s, f)) return false;
        k->holding = true;
        k->held_len = 0;
    }
    keep(s, f, link, lost);
    bool ends = k->held_len > WFI_HELD_MAX || s->err != WF_OK;
    bool more = false; // of what frames need
    if (!link && lacks_sizes(s))
        more = take_sizes(s, f);
    else if (!link && is_good(f, WF_RECORD_objects))
        more = wfi_packed_learn(s, f->bytes + 2, f->len - 3);
    ends |= more && !lacks_numbers(s);
    // The numbers of a target that starts again are others, as it may behind a new link.
    ends |= link && !lost;
    ends |= is_good(f, WF_RECORD_empty) || is_good(f, WF_RECORD_target_info);
    if (ends) wfi_hold_end(s);
    return true;
}

bool wfi_hold_next(struct wf_session *s, struct wfi_frame *f) {
    struct wfi_packed *k = &s->packed;
    while (k->draining && k->held_at < k->held_len) {
        const struct entry e = take(k, k->held_at);
        k->held_at += e.size;
        if (!e.link) {
            *f = e.frame;
            return true;
        }
        wfi_note_link(s, &e.frame, e.lost);
    }
    k->draining = false;
    k->held_len = 0;
    return false;
}
