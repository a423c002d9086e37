// SPDX-License-Identifier: MIT
// See seen.h. The names of keys may come after their first use, so the keys are kept, and looked up
// at the end.

#include "seen.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { TEXT_MIN = 12 };             // printable bytes; fewer may be by chance
static const double settle_s = 0.5; // for the records that waited in the target's ring
static const double gap_s = 0.01;   // between two arrivals, in a short look

struct doctor_seen *seen_open(struct wf_session *session) {
    struct doctor_seen *seen = calloc(1, sizeof *seen);
    if (seen) seen->session = session;
    return seen;
}

void seen_close(struct doctor_seen *seen) {
    if (seen) free(seen->keys);
    free(seen);
}

static void add_key(struct doctor_seen *seen, const struct seen_key *key) {
    if (!seen->keys) seen->keys = calloc(SEEN_KEYS, sizeof *seen->keys);
    seen->failed |= !seen->keys;
    for (unsigned i = 0; seen->keys && i < seen->key_count; ++i) {
        struct seen_key *k = &seen->keys[i];
        if (k->dict != key->dict || k->key != key->key) continue;
        k->task |= key->task;
        return;
    }
    if (seen->keys && seen->key_count < SEEN_KEYS) seen->keys[seen->key_count++] = *key;
}

static bool is_object(enum wf_kind kind) {
    return kind == WF_KIND_OBJECT || kind == WF_KIND_SENDER || kind == WF_KIND_QUEUE ||
           kind == WF_KIND_TIMER || kind == WF_KIND_TASK || kind == WF_KIND_ACTOR;
}

// Signals are left out: those of the framework have no names in most targets.
static void add_keys(struct doctor_seen *seen, const struct wf_record *r) {
    for (unsigned i = 0; i < r->row->count; ++i) {
        enum wf_kind kind = r->row->fields[i].kind;
        struct seen_key key = {.key = r->value[i], .task = kind == WF_KIND_TASK};
        if (!key.key || (r->missing & 1u << i)) continue;
        if (is_object(kind))
            key.dict = WF_EFFECT_NAME_OBJECT;
        else if (kind == WF_KIND_STATE || kind == WF_KIND_FUNCTION)
            key.dict = WF_EFFECT_NAME_FUNCTION;
        else
            continue;
        add_key(seen, &key);
    }
}

static void take_sync(struct doctor_seen *seen, const struct wf_record *r) {
    int at = wf_row_place(r->row, WF_KIND_BYTES);
    uint64_t lost = at < 0 ? 0 : r->value[at];
    uint64_t burst = seen->synced && lost > seen->lost_bytes ? lost - seen->lost_bytes : 0;
    if (burst > seen->burst_bytes) seen->burst_bytes = burst;
    seen->bursts += burst != 0;
    seen->total_bytes += burst;
    if (!seen->synced || lost > seen->lost_bytes) seen->lost_bytes = lost;
    seen->synced = true;
    seen->unreported = 0;
}

static void add_arrival(struct doctor_seen *seen, double at, uint64_t tick) {
    unsigned n = seen->arrival_count;
    if (!n) seen->arrival_gap = gap_s;
    if (n ? at < seen->arrivals[n - 1].at + seen->arrival_gap : at < seen->at_first + settle_s)
        return;
    if (n == SEEN_ARRIVALS) { // every second one stays
        n /= 2;
        for (unsigned i = 0; i < n; ++i) seen->arrivals[i] = seen->arrivals[2 * i];
        seen->arrival_gap *= 2;
    }
    seen->arrivals[n] = (struct seen_arrival){at, tick};
    seen->arrival_count = n + 1;
}

static void take_stamp(struct doctor_seen *seen, const struct wf_record *r, double now_s) {
    if (!seen->stamped++) {
        seen->tick_first = r->tick;
        seen->at_first = now_s;
    }
    bool wrapped = seen->stamped > 1 && r->stamp < seen->stamp_last;
    seen->wraps += wrapped && seen->resets == seen->resets_last;
    seen->stamp_last = r->stamp;
    seen->resets_last = seen->resets;
    add_arrival(seen, now_s, r->tick);
    seen->tick_last = r->tick;
    seen->at_last = now_s;
}

static void take_record(struct doctor_seen *seen, const struct wf_record *r, double now_s) {
    if (r->row && (r->left || r->missing)) {
        seen->malformed += wf_session_target(seen->session)->sizes_known;
        return;
    }
    if (!r->row) return;
    if (r->stamped && !r->back) take_stamp(seen, r, now_s);
    if (r->row->effect == WF_EFFECT_SYNC) take_sync(seen, r);
    bool info = r->row->effect == WF_EFFECT_TARGET_INFO;
    if (info && wf_session_target(seen->session)->resets != seen->resets) {
        seen->resets = wf_session_target(seen->session)->resets;
        seen->synced = false; // its counts begin again
    }
    seen->info |= info;
    if (r->row->group != WF_GROUP_DICT && !info) add_keys(seen, r);
}

// A piece of text and the frame around or behind it make one damage.
static void take_damage(struct doctor_seen *seen, const struct wf_damage *d) {
    size_t at, n = bytes_find_text(d->bytes, d->count, &at);
    if (d->offset == 0) {
        seen->begins_within = true;
        return;
    }
    if (n < TEXT_MIN) return;
    ++seen->texts;
    if (!*seen->text) bytes_quote(d->bytes + at, n, seen->text, sizeof seen->text);
}

// A target that sends SYNC records reports later what it gave up.
static void take_loss(struct doctor_seen *seen, const struct wf_loss *l) {
    if (seen->synced && l->kind == WF_LOSS_HOLE) seen->unreported += l->records;
}

void seen_take(struct doctor_seen *seen, const struct wf_item *item, double now_s) {
    if (item->kind == WF_ITEM_RECORD) take_record(seen, &item->record, now_s);
    if (item->kind == WF_ITEM_LOSS) take_loss(seen, &item->loss);
    if (item->kind == WF_ITEM_DAMAGE) take_damage(seen, &item->damage);
}
