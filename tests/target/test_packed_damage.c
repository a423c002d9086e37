// SPDX-License-Identifier: MIT
// Streams of packed frames that are received late, damaged, twice, in another order, or with parts
// lost: no record that a session returns differs from the one made, and those that do not arrive
// are counted. The intact stream tells which records each frame has.

#include "packed_receive.h"

enum { FRAMES_MAX = 60000 };

static struct {
    size_t at, len;
    uint64_t first; // number of the first record; of object numbers: of the one before
    unsigned count; // records
    uint8_t id;     // of the frame
    bool hole;      // a SYNC that has the number of a lost record
} frames[FRAMES_MAX];
static unsigned frame_count;

static unsigned frame_at(uint64_t offset) {
    unsigned low = 0, high = frame_count;
    while (low < high) {
        const unsigned mid = (low + high) / 2;
        if (frames[mid].at < offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Splits the stream, and asks a session which records the frames have.
static void find_frames(void) {
    frame_count = 0;
    for (size_t at = 0, i = 0; i < stream_len; ++i) {
        if (stream[i] != 0x7E) continue;
        assert_true(frame_count < FRAMES_MAX);
        const uint8_t *const id = stream + at + (stream[at] == 0x7D ? 2 : 1);
        frames[frame_count].at = at;
        frames[frame_count].len = i + 1 - at;
        frames[frame_count].id = *id; // none of those that matter is escaped
        frames[frame_count].count = 0;
        frames[frame_count++].hole = false;
        at = i + 1;
    }
    struct checker h;
    struct wf_item item;
    begin_checker(&h);
    wf_session_feed(h.s, stream, stream_len);
    while (wf_session_next(h.s, &item)) {
        if (item.kind == WF_ITEM_LOSS) h.number += item.loss.records;
        if (item.kind != WF_ITEM_RECORD) continue;
        take_record(&h, &item.record);
        const unsigned f = frame_at(item.record.offset);
        assert_int_equal(frames[f].at, item.record.offset);
        frames[f].hole = item.record.id == WF_RECORD_sync && item.record.value[6] & 1;
        if (frames[f].count++ == 0) frames[f].first = h.number;
    }
    check_end(&h);
}

// Makes a stream of about so many records.
static void make_stream(uint32_t from, uint32_t records, uint32_t ring_size, uint32_t hold) {
    seed = from;
    begin(ring_size, hold);
    while (now_count() < records) {
        for (uint32_t n = rnd(30); n; --n) make();
        if (rnd(4)) read_some(rnd(3) ? rnd(800) : UINT32_MAX);
    }
    read_all();
    find_frames();
}

// ---- a session whose records are found by their place in the stream

struct finder {
    struct wf_session *s;
    uint64_t join; // place of the stream's first byte
    uint64_t from; // first byte from which places differ by `shift`: a byte was inserted or deleted
    int shift;
    uint64_t offset;  // of the last frame
    unsigned records; // of it so far
    uint64_t
        position; // number of the last record, as counted from the session's records and losses
    bool counts;  // `position` is known
    bool loose;   // a SYNC may be missing, which reports a wrap of the stamp
    bool sized, given;             // sizes are known; from the beginning
    bool may_lack;                 // object numbers may have been damaged
    bool late;                     // frames may be late
    bool holes;                    // more than 256 records may be missing
    unsigned returned[FRAMES_MAX]; // records of each frame
};

static struct finder find; // not on the stack

static void begin_to_find(uint64_t join, const struct wf_session_options *options) {
    memset(&find, 0, offsetof(struct finder, returned) + frame_count * sizeof *find.returned);
    find.s = options ? wf_session_open(options, NULL) : open_session();
    find.join = join;
    find.from = UINT64_MAX;
    find.offset = UINT64_MAX;
    find.counts = join == 0;
    find.sized = find.given = join == 0 || options;
}

static uint64_t place_of(const struct finder *f, uint64_t offset) {
    offset += f->join;
    return offset >= f->from ? offset - (uint64_t)f->shift : offset;
}

// A number whose pointer was lost has a pointer that no target has.
static bool is_stand_in(uint64_t v) {
    return v >> 8 == (UINT64_MAX >> (8 * (8 - WF_CFG_OBJ_SIZE))) >> 8;
}

// Copies the pointers of objects that are not known, if that is allowed.
static void allow_stand_ins(struct wf_record *r, const struct made *m) {
    unsigned at = 0;
    for (unsigned i = 0; i < r->row->count; ++i) {
        const struct wf_field *const f = &r->row->fields[i];
        if (f->type == WF_TYPE_OBJ && f->kind != WF_KIND_ADDRESS && is_stand_in(r->value[i])) {
            r->value[i] = le(payloads + m->at + at, WF_CFG_OBJ_SIZE);
            memcpy((uint8_t *)(uintptr_t)r->payload + at, payloads + m->at + at, WF_CFG_OBJ_SIZE);
        }
        const unsigned n = f->type == WF_TYPE_OBJ    ? WF_CFG_OBJ_SIZE
                           : f->type == WF_TYPE_TIME ? WF_CFG_TIME_SIZE
                                                     : wf_types[f->type].bytes;
        at += n;
    }
}

static void find_record(struct finder *f, struct wf_record *r) {
    const unsigned i = frame_at(place_of(f, r->offset));
    if (r->id == WF_RECORD_sync) f->sized = true;
    if (!f->sized) return; // a session that does not know the sizes cannot decode
    if (i == frame_count || frames[i].at != place_of(f, r->offset))
        fail_msg("a record %u of no frame, at %u", r->id, (unsigned)place_of(f, r->offset));
    f->records = r->offset == f->offset ? f->records + 1 : 0;
    f->offset = r->offset;
    assert_true(f->records < frames[i].count);
    const uint64_t number = frames[i].first + f->records;
    const struct made *const m = &made[number];
    ++f->returned[i];
    assert_int_equal(r->seq, (uint8_t)number);
    if (!frames[i].hole) ++f->position;
    // Other frames tell the number modulo 256.
    const bool exact = !f->holes || frames[i].id == WF_RECORD_packed || r->id == WF_RECORD_sync;
    if (f->counts && exact && !f->late && f->position != number)
        fail_msg("number %u is counted as %u, at %u", (unsigned)number, (unsigned)f->position,
                 (unsigned)place_of(f, r->offset));
    if (r->id == WF_RECORD_sync) {
        assert_int_equal(r->value[0], number);
        f->position = number;
        f->loose = false;
        f->counts = true;
        return;
    }
    if (!m->name) {
        assert_true(is_internal(r->id));
        return;
    }
    if (f->may_lack && r->id >= 85 && r->id <= WF_RECORD_counter) allow_stand_ins(r, m);
    check_record(f->s, r, m);
    if (r->stamped && (f->loose ? (wf_stamp)r->tick != (wf_stamp)m->tick : r->tick != m->tick))
        fail_msg("number %u (%s) at %llu, not %llu", (unsigned)number, m->name,
                 (unsigned long long)r->tick, (unsigned long long)m->tick);
}

static void find_items(struct finder *f) {
    struct wf_item item;
    while (wf_session_next(f->s, &item)) {
        if (item.kind == WF_ITEM_RECORD) find_record(f, &item.record);
        if (item.kind == WF_ITEM_LOSS) f->position += item.loss.records;
        if (item.kind == WF_ITEM_LOSS && item.loss.bytes + item.loss.lost) f->loose = true;
    }
}

static void feed_finder(struct finder *f, const uint8_t *bytes, size_t len) {
    wf_session_feed(f->s, bytes, len);
    find_items(f);
}

static struct wf_ledger end_finder(struct finder *f) {
    wf_session_end(f->s);
    find_items(f);
    const struct wf_ledger l = *wf_session_ledger(f->s);
    if (f->given) assert_int_equal(l.malformed + l.unknown, 0);
    wf_session_close(f->s);
    return l;
}

// Returns how many records of frames from `from` on, before `to`, were returned.
static uint64_t found(const struct finder *f, unsigned from, unsigned to) {
    uint64_t n = 0;
    for (unsigned i = from; i < to; ++i) n += f->returned[i];
    return n;
}

static uint64_t sent(unsigned from, unsigned to) {
    uint64_t n = 0;
    for (unsigned i = from; i < to; ++i) n += frames[i].count;
    return n;
}

// ---- joining in the middle

// Returns whether the rest of a frame has a good sum by chance.
static bool passes(size_t at) {
    struct receiver r = {.len = 0};
    struct frame f;
    while (stream[at] != 0x7E) receive(&r, stream[at++], &f);
    return receive(&r, 0x7E, &f);
}

static void join(size_t at, bool sizes) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY,
                                               .bytes = {[WF_TYPE_TIME] = WF_CFG_TIME_SIZE,
                                                         [WF_TYPE_OBJ] = WF_CFG_OBJ_SIZE,
                                                         [WF_TYPE_FUN] = WF_CFG_FUN_SIZE}};
    begin_to_find(at, sizes ? &options : NULL);
    find.loose = true;
    find.may_lack = true; // until all numbers came again; the stream may end before
    for (size_t i = at; i < stream_len;) {
        size_t len = 1 + rnd(2000);
        if (len > stream_len - i) len = stream_len - i;
        feed_finder(&find, stream + i, len);
        i += len;
    }
    end_finder(&find);
    // All frames from there on are decoded, whole ones only.
    const unsigned first = frame_at(at);
    assert_int_equal(found(&find, 0, first), 0);
    if (sizes) assert_int_equal(found(&find, first, frame_count), sent(first, frame_count));
}

static void a_session_joins_anywhere(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 6; ++round) {
        vary.objects = round % 2 ? 12 : OBJECTS;
        vary.still = true;
        make_stream(round, 2500, round % 3 ? RING_MAX : 500, round % 2 ? 0 : 5000);
        for (unsigned i = 0; i < frame_count; i += 1 + rnd(6)) {
            join(frames[i].at, true);
            join(frames[i].at, false);
            const size_t within = frames[i].at + rnd((uint32_t)frames[i].len);
            if (within == frames[i].at || !passes(within)) join(within, rnd(2));
        }
    }
}

// ---- damage

static uint8_t damaged[STREAM_MAX];
static size_t damaged_len;

// Returns whether the checksum finds the damage: no good frame that was not sent is received.
static bool is_detected(unsigned first, unsigned last, int shift) {
    struct receiver a = {.len = 0}, b = {.len = 0};
    struct frame got, want;
    const size_t from = frames[first].at, end = frames[last].at + frames[last].len;
    size_t k = from;
    for (size_t i = from; i < end + (size_t)shift; ++i) {
        if (!receive(&a, damaged[i], &got)) continue;
        do
            if (k == end) return false;
        while (!receive(&b, stream[k++], &want) || want.len != got.len ||
               memcmp(want.bytes, got.bytes, got.len) != 0);
    }
    return true;
}

// Feeds the damaged stream. The frames from `first` to `last` may be lost, no others.
static void check_damage(unsigned first, unsigned last, size_t at, int shift) {
    begin_to_find(0, NULL);
    if (shift) {
        find.shift = shift;
        find.from = at + 1;
    }
    for (unsigned i = first; i <= last; ++i) find.may_lack |= frames[i].id == WF_RECORD_objects;
    feed_finder(&find, damaged, damaged_len);
    end_finder(&find);
    assert_int_equal(found(&find, 0, first), sent(0, first));
    assert_int_equal(found(&find, last + 1, frame_count), sent(last + 1, frame_count));
    if (sent(last + 1, frame_count)) assert_int_equal(find.position, now_count());
}

static unsigned skipped, tried, wrong;

// Damage that keeps the sum: counts the cases with a wrong record.
static void count_wrong(size_t at, int shift) {
    struct wf_session *const session = open_session();
    struct wf_item item;
    bool bad = false;
    wf_session_feed(session, damaged, damaged_len);
    while (wf_session_next(session, &item)) {
        if (item.kind != WF_ITEM_RECORD) continue;
        const uint64_t offset = item.record.offset;
        const unsigned f = frame_at(offset > at ? offset - (uint64_t)(int64_t)shift : offset);
        bool right = false;
        for (unsigned i = 0; f < frame_count && i < frames[f].count; ++i) {
            const struct made *const m = &made[frames[f].first + i];
            right |= !m->name || frames[f].hole ||
                     (m->id == item.record.id && m->len == item.record.len &&
                      memcmp(payloads + m->at, item.record.payload, m->len) == 0);
        }
        bad |= !right && (f >= frame_count || frames[f].id == WF_RECORD_packed);
    }
    wrong += bad;
    wf_session_close(session);
}

static void damage_at(size_t at, unsigned kind) {
    const unsigned hit = frame_at(at + 1) - 1;
    // A flag that is changed joins two frames; one that is inserted makes two of one.
    const unsigned last =
        at + 1 == frames[hit].at + frames[hit].len && hit + 1 < frame_count ? hit + 1 : hit;
    const int shift = kind == 1 ? -1 : kind == 2 ? 1 : 0;
    memcpy(damaged, stream, at + (kind == 2));
    if (kind == 0) damaged[at] = (uint8_t)(stream[at] ^ (1 + rnd(255)));
    if (kind == 2) damaged[at] = (uint8_t)rnd(256);
    if (kind == 0)
        memcpy(damaged + at + 1, stream + at + 1, stream_len - at - 1);
    else if (kind == 1)
        memcpy(damaged + at, stream + at + 1, stream_len - at - 1);
    else
        memcpy(damaged + at + 1, stream + at, stream_len - at);
    damaged_len = (size_t)((int64_t)stream_len + shift);
    ++tried;
    if (!is_detected(hit, last, shift))
        ++skipped, count_wrong(at, shift);
    else
        check_damage(hit, last, at, shift);
}

static void damage_of_any_byte_costs_its_frame(void **state) {
    (void)state;
    skipped = tried = wrong = 0;
    for (uint32_t round = 0; round < 4; ++round) {
        vary.objects = round % 2 ? 12 : 100;
        vary.still = round % 2 == 0;
        make_stream(100 + round, 150, round % 3 ? RING_MAX : 500, round % 2 ? 0 : 5000);
        // Those of the start tell the sizes.
        for (size_t at = frames[3].at; at < stream_len; ++at) {
            for (unsigned kind = 0; kind < 3; ++kind) damage_at(at, kind);
        }
    }
    assert_true(tried > 5000);
    // A zero that is deleted or inserted keeps the sum; most such frames do not end with an event.
    assert_true(skipped < tried / 10);
    assert_true(3 * wrong < skipped);
}

// ---- repeated and late frames

// Feeds frames one by one, each as if it were at its place.
static void feed_frame(unsigned i) {
    const struct wf_ledger *const l = wf_session_ledger(find.s);
    find.join = frames[i].at - l->bytes; // modulo 2^64
    feed_finder(&find, stream + frames[i].at, frames[i].len);
}

static void a_repeated_frame_is_dropped(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 10; ++round) {
        vary.still = round % 2;
        make_stream(200 + round, 2000, RING_MAX, 0);
        begin_to_find(0, NULL);
        for (unsigned i = 0; i < frame_count; ++i) {
            feed_frame(i);
            if (i > 3 && !frames[i].hole && rnd(2)) feed_frame(i);
        }
        assert_int_equal(find.position, now_count());
        const struct wf_ledger l = end_finder(&find);
        for (unsigned i = 0; i < frame_count; ++i)
            assert_int_equal(find.returned[i], frames[i].count);
        assert_int_equal(l.late, 0);
        assert_true(l.repeated > 100);
    }
}

// A packed frame comes after the next one, or after some more; once or twice.
#if WF_CFG_TIME_SIZE > 2
static void a_late_frame_is_taken_once(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 10; ++round) {
        vary.still = true; // after a wrap a late stamp would be one wrap too late
        make_stream(300 + round, 2000, RING_MAX, 0);
        uint64_t late = 0;
        begin_to_find(0, NULL);
        find.late = true;
        for (unsigned i = 0; i < frame_count; ++i) {
            unsigned n = rnd(5);
            for (unsigned k = i; k <= i + n; ++k) {
                if (k >= frame_count || frames[k].id != WF_RECORD_packed) n = 0;
            }
            if (!n) {
                feed_frame(i);
                continue;
            }
            for (unsigned k = i + 1; k <= i + n; ++k) feed_frame(k);
            feed_frame(i);
            late += frames[i].count;
            if (rnd(3) == 0) feed_frame(i);
            i += n;
        }
        const struct wf_ledger l = end_finder(&find);
        for (unsigned i = 0; i < frame_count; ++i)
            assert_int_equal(find.returned[i], frames[i].count);
        assert_int_equal(l.late, late);
        assert_int_equal(l.missing, now_count() - sent(0, frame_count));
    }
}

#endif

// ---- losses after the link

static void all_that_the_link_loses_is_counted(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 12; ++round) {
        vary.oddities = round % 2 ? 3 : 0;
        vary.still = true;
        make_stream(400 + round, round ? 3000 : 150000, RING_MAX, 0);
        begin_to_find(0, NULL);
        find.holes = true;
        uint64_t lost = 0;
        for (unsigned i = 0; i < frame_count; ++i) {
            const unsigned left = frame_count - i - 1;
            if (i > 20 && left && rnd(round ? 40 : 2000) == 0) {
                const unsigned n = 1 + rnd(left < 9000 ? left : 9000);
                uint64_t bytes = 0;
                for (unsigned k = i; k < i + n; ++k) bytes += frames[k].len;
                lost += sent(i, i + n);
                wf_session_lose(find.s, bytes);
                find.may_lack = true;
                i += n;
            } else if (rnd(500) == 0) {
                wf_session_relink(find.s);
            }
            find.loose = true;
            feed_finder(&find, stream + frames[i].at, frames[i].len);
        }
        const struct wf_ledger l = end_finder(&find);
        uint64_t returned = 0;
        for (unsigned i = 0; i < frame_count; ++i)
            returned += frames[i].hole ? 0 : find.returned[i];
        // The last frame may be one that tells its number modulo 256.
        const bool exact = frames[frame_count - 1].id == WF_RECORD_packed;
        if (exact) assert_int_equal(returned + l.missing, now_count());
        assert_int_equal(found(&find, 0, frame_count), sent(0, frame_count) - lost);
    }
    vary.oddities = 3;
}

// ---- states and checkpoints

static void a_state_continues(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 8; ++round) {
        vary.still = round % 2;
        make_stream(500 + round, 3000, round % 3 ? RING_MAX : 600, round % 2 ? 0 : 5000);
        begin_to_find(0, NULL);
        for (unsigned i = 0; i < frame_count; ++i) {
            size_t len = 0;
            if (i > 3 && rnd(20) == 0) {
                uint64_t offset = 0;
                struct wf_session *const next = open_session();
                uint8_t *const bytes = rnd(2) ? wf_session_write_state(find.s, &len)
                                              : wf_session_save_checkpoint(find.s, &len, &offset);
                assert_non_null(bytes);
                assert_int_equal(offset ? wf_session_restore_checkpoint(next, bytes, len, offset)
                                        : wf_session_read_state(next, bytes, len),
                                 WF_OK);
                free(bytes);
                wf_session_close(find.s);
                find.s = next;
                find.offset = UINT64_MAX;
                if (!offset) find.join = frames[i].at; // a state has no place
            }
            feed_finder(&find, stream + frames[i].at, frames[i].len);
        }
        end_finder(&find);
        assert_int_equal(find.position, now_count());
        for (unsigned i = 0; i < frame_count; ++i)
            assert_int_equal(find.returned[i], frames[i].count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_joins_anywhere),
        cmocka_unit_test(damage_of_any_byte_costs_its_frame),
        cmocka_unit_test(a_repeated_frame_is_dropped),
#if WF_CFG_TIME_SIZE > 2 // shorter stamps cannot go back
        cmocka_unit_test(a_late_frame_is_taken_once),
#endif
        cmocka_unit_test(all_that_the_link_loses_is_counted),
        cmocka_unit_test(a_state_continues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
