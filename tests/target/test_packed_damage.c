// SPDX-License-Identifier: MIT
// Streams of packed frames that are received late, damaged, twice, in another order, or with parts
// lost: no record that a session returns differs from the one made, and those that do not arrive
// are counted. The intact stream tells which records each frame has.

#include "packed_hear.h"

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
    struct hearer h;
    struct wf_item item;
    begin_to_hear(&h);
    wf_session_feed(h.s, stream, stream_len);
    while (wf_session_next(h.s, &item)) {
        if (item.kind == WF_ITEM_LOSS) h.number += item.loss.records;
        if (item.kind != WF_ITEM_RECORD) continue;
        hear_record(&h, &item.record);
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
    unsigned returned[FRAMES_MAX]; // records of each frame
};

static struct finder find; // not on the stack

static void begin_to_find(uint64_t join, const struct wf_session_options *options) {
    memset(&find, 0, sizeof find);
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
    if (f->counts && !f->late && f->position != number)
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

static void end_finder(struct finder *f) {
    wf_session_end(f->s);
    find_items(f);
    const struct wf_ledger *const l = wf_session_ledger(f->s);
    if (f->given) assert_int_equal(l->malformed + l->unknown, 0);
    wf_session_close(f->s);
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
            join(frames[i].at + rnd((uint32_t)frames[i].len), rnd(2));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_joins_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
