// SPDX-License-Identifier: MIT
// A host session that gets a stream of packed frames: each record it returns must be the one that
// was made with this number, at its time.
#ifndef PACKED_RECEIVE_H
#define PACKED_RECEIVE_H

#include "packed_make.h"

#include "wallfly_host/wf_session.h"

struct checker {
    struct wf_session *s;
    uint64_t number; // of the last record, returned or reported missing
    uint64_t holes;  // SYNCs that have the number of a missing record
    uint64_t tick;   // of the last record
};

static struct wf_session *open_session(void) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *s = wf_session_open(&options, NULL);
    assert_non_null(s);
    return s;
}

static void begin_checker(struct checker *h) {
    memset(h, 0, sizeof *h);
    h->s = open_session();
}

// Compares a record with the one made.
static void check_record(struct wf_session *s, const struct wf_record *r, const struct made *m) {
    const uint8_t *const payload = payloads + m->at;
    assert_int_equal(r->id, m->id);
    if (m->id >= WF_USER_FIRST)
        assert_true(r->row == &wf_user_row);
    else
        assert_string_equal(r->row->name, m->name);
    assert_int_equal(r->left, 0);
    assert_int_equal(r->missing, 0);
    assert_int_equal(r->len, m->len);
    assert_memory_equal(r->payload, payload, m->len);
    const struct wf_target *const target = wf_session_target(s);
    unsigned at = 0;
    for (unsigned i = 0; i < r->row->count; ++i) {
        const struct wf_field *const f = &r->row->fields[i];
        const unsigned n =
            wf_types[f->type].letter ? target->bytes[f->type] : wf_types[f->type].bytes;
        if (f->type == WF_TYPE_STR) {
            assert_memory_equal(r->text, payload + at, r->text_len);
            assert_int_equal(at + r->text_len + 1, m->len);
        }
        if (!n) break; // of variable length, at the end
        assert_int_equal(r->value[i], le(payload + at, n));
        at += n;
    }
    assert_int_equal(r->stamped, m->stamped);
    if (r->row->effect == WF_EFFECT_NAME_OBJECT) {
        const char *const name = wf_session_name(s, WF_EFFECT_NAME_OBJECT, r->value[0], 0);
        assert_non_null(name);
        assert_memory_equal(name, r->text, r->text_len);
    }
}

static void take_record(struct checker *h, const struct wf_record *r) {
    if (r->id == WF_RECORD_sync && r->value[6] & 1) {
        ++h->holes;
        assert_int_equal(r->value[0], h->number);
        return;
    }
    const struct made *const m = &made[++h->number];
    if (h->number > made_last || r->seq != (uint8_t)h->number)
        fail_msg("number %u of %u, sequence %u, at byte %u", (unsigned)h->number,
                 (unsigned)made_last, r->seq, (unsigned)r->offset);
    if (!m->name) {
        assert_true(is_internal(r->id));
        if (r->id == WF_RECORD_sync) assert_int_equal(r->value[0], h->number);
        return;
    }
    check_record(h->s, r, m);
    assert_false(r->back);
    // Without a stamp it may have the time of the record before it, or of a SYNC.
    if (r->stamped ? r->tick != m->tick : r->tick < h->tick)
        fail_msg("number %u (%s) at %llu, not %llu", (unsigned)h->number, m->name,
                 (unsigned long long)r->tick, (unsigned long long)m->tick);
    h->tick = r->tick;
}

static void take_items(struct checker *h) {
    struct wf_item item;
    while (wf_session_next(h->s, &item)) {
        if (item.kind == WF_ITEM_LOSS) h->number += item.loss.records;
        if (item.kind == WF_ITEM_RECORD) take_record(h, &item.record);
    }
}

static inline void receive_bytes(struct checker *h, const uint8_t *bytes, size_t len) {
    wf_session_feed(h->s, bytes, len);
    take_items(h);
}

// At the end of a stream without damage.
static inline void check_end(struct checker *h) {
    struct wf_status status;
    wf_session_end(h->s);
    take_items(h);
    wf_get_status(&status);
    const struct wf_ledger *const l = wf_session_ledger(h->s);
    assert_int_equal(h->number, status.count);
    assert_int_equal(l->records - h->holes + l->missing, status.count);
    assert_int_equal(l->missing, status.lost);
    assert_int_equal(l->given_up, status.lost);
    assert_true(l->exact);
    assert_int_equal(l->malformed, 0);
    assert_int_equal(l->unknown, 0);
    assert_int_equal(l->late + l->repeated + l->back, 0);
    assert_int_equal(l->bytes_bad, l->bytes - l->bytes_good);
    unsigned bad = 0;
    for (unsigned i = 0; i < WF_DAMAGE_END; ++i)
        bad += i == WF_DAMAGE_BY_TARGET ? 0 : (unsigned)l->damage[i];
    assert_int_equal(bad, 0);
    assert_int_equal(wf_session_error(h->s), WF_OK);
    assert_int_equal(fake_lock_errors, 0);
    wf_session_close(h->s);
}

#endif
