// SPDX-License-Identifier: MIT
// Recordings: what was written is read back; a file truncated or damaged anywhere gives all its
// whole blocks and reports the missing parts.

#include "wf_test.h"

#include <zstd.h>

#include "wallfly_host/wf_recording.h"
#include "trace/wfi_recording.h"

struct file {
    uint8_t bytes[1 << 20];
    size_t len;
    unsigned writes;
};

static bool append(void *ctx, const char *bytes, size_t len) {
    struct file *f = ctx;
    assert_true(f->len + len <= sizeof f->bytes);
    memcpy(f->bytes + f->len, bytes, len);
    f->len += len;
    ++f->writes;
    return true;
}

static void put(struct wf_recording_writer *w, enum wf_chunk_kind kind, unsigned lane,
                uint64_t time_us, const void *bytes, size_t len) {
    struct wf_chunk c = {
        .kind = kind, .lane = lane, .time_us = time_us, .bytes = bytes, .len = len};
    assert_int_equal(wf_recording_put(w, &c), WF_OK);
}

static struct wf_recording_writer *create(struct file *f) {
    struct wf_recording_head head = {.start_ns = 1767323045123456789, .part = 1, .tool = "test 1"};
    struct wf_error error;
    f->len = f->writes = 0;
    struct wf_recording_writer *w = wf_recording_create(&head, append, f, &error);
    assert_non_null(w);
    assert_int_equal(error.code, WF_OK);
    return w;
}

// All chunks as text, one on each line.
static void describe(const uint8_t *bytes, size_t len, size_t piece, char *text, size_t cap) {
    static const char *const names[] = {"?",      "bytes", "up",   "down",   "sent", "state",
                                        "format", "place", "lost", "damage", "cut"};
    struct wf_recording *r = wf_recording_open();
    struct wf_chunk c;
    size_t n = 0, at = 0;
    *text = 0;
    for (bool ended = false;;) {
        while (wf_recording_next(r, &c)) {
            n += (size_t)snprintf(text + n, cap - n, "%u %s", c.lane, names[c.kind]);
            if (c.kind == WF_CHUNK_LOST)
                n += (size_t)snprintf(text + n, cap - n, " %llu", (unsigned long long)c.lost);
            if (c.kind < WF_CHUNK_LOST)
                n +=
                    (size_t)snprintf(text + n, cap - n, " %llu %.*s", (unsigned long long)c.time_us,
                                     (int)c.len, (const char *)c.bytes);
            n += (size_t)snprintf(text + n, cap - n, "\n");
        }
        if (ended) break;
        ended = at == len;
        if (ended) {
            wf_recording_end(r);
            continue;
        }
        size_t take = len - at < piece ? len - at : piece;
        struct guarded g = guard(bytes + at, take);
        assert_true(wf_recording_feed(r, g.bytes, take));
        unguard(&g);
        at += take;
    }
    wf_recording_close(r);
}

static void make_small(struct file *f) {
    struct wf_recording_writer *w = create(f);
    put(w, WF_CHUNK_UP, 0, 10, "one:1", 5);
    put(w, WF_CHUNK_BYTES, 0, 20, "aaaa", 4);
    wf_recording_flush(w);
    put(w, WF_CHUNK_UP, 1, 1500000, "two:2", 5);
    put(w, WF_CHUNK_BYTES, 1, 1500001, "bb", 2);
    put(w, WF_CHUNK_BYTES, 0, 1500002, "ccc", 3);
    put(w, WF_CHUNK_SENT, 0, 1500003, "\x01xyz", 4);
    wf_recording_flush(w);
    put(w, WF_CHUNK_DOWN, 0, 2000000, "reset", 5);
    put(w, WF_CHUNK_BYTES, 1, 2000001, "dddd", 4);
    put(w, WF_CHUNK_STATE, 1, 2000002, "st", 2);
    put(w, WF_CHUNK_DOWN, 1, 2000003, "", 0);
    assert_int_equal(wf_recording_finish(w), WF_OK);
    assert_int_equal(f->writes, 5); // head, three blocks, index
}

static const char first[] = "0 up 10 one:1\n0 bytes 20 aaaa\n";
static const char second[] = "1 up 1500000 two:2\n1 bytes 1500001 bb\n0 bytes 1500002 ccc\n"
                             "0 sent 1500003 \x01xyz\n";
static const char third[] =
    "0 down 2000000 reset\n1 bytes 2000001 dddd\n1 state 2000002 st\n1 down 2000003 \n";

static void join(char *to, const char *a, const char *b, const char *c, const char *d) {
    snprintf(to, 2048, "%s%s%s%s", a, b, c, d);
}

static void what_goes_in_comes_out(void **state) {
    static struct file f;
    char text[2048], want[2048];
    (void)state;
    make_small(&f);
    join(want, first, second, third, "");
    for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
        describe(f.bytes, f.len, piece, text, sizeof text);
        assert_string_equal(text, want);
    }
    assert_true(wf_recording_is(f.bytes, f.len));
    assert_false(wf_recording_is(f.bytes + 1, f.len - 1));
    struct wf_recording *r = wf_recording_open();
    struct wf_chunk c;
    wf_recording_feed(r, f.bytes, f.len);
    wf_recording_end(r);
    while (wf_recording_next(r, &c)) {
    }
    const struct wf_recording_info *info = wf_recording_get_info(r);
    assert_true(info->complete);
    assert_int_equal(info->blocks, 3);
    assert_int_equal(info->head.part, 1);
    assert_true(info->head.start_ns == 1767323045123456789);
    assert_string_equal(info->head.tool, "test 1");
    wf_recording_close(r);
}

// The offsets of the frames of a file, from libzstd.
static unsigned frames_of(const struct file *f, size_t at[16]) {
    unsigned n = 0;
    for (size_t p = 0; p < f->len;) {
        size_t size = ZSTD_findFrameCompressedSize(f->bytes + p, f->len - p);
        assert_false(ZSTD_isError(size));
        at[n++] = p;
        p += size;
    }
    at[n] = f->len;
    return n;
}

// Reading from a block on: gives its chunks, without the "up" of earlier connections.
static void a_file_can_be_read_from_a_block_on(void **state) {
    static struct file f;
    char text[2048];
    size_t at[16], n = 0;
    struct wf_chunk c;
    (void)state;
    make_small(&f);
    frames_of(&f, at);
    for (unsigned block = 2; block <= 3; ++block) {
        struct wf_recording *r = wf_recording_open();
        wf_recording_go_on(r, at[block]);
        wf_recording_feed(r, f.bytes + at[block], f.len - at[block]);
        wf_recording_end(r);
        for (n = 0; wf_recording_next(r, &c);) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%u %d %llu %.*s;", c.lane, c.kind,
                                  (unsigned long long)c.offset, (int)c.len, (const char *)c.bytes);
            assert_int_equal(wf_recording_get_info(r)->block_at,
                             at[block + (c.time_us >= 2000000 && block == 2)]);
        }
        assert_string_equal(text, block == 2 ? "1 2 0 two:2;1 1 0 bb;0 1 4 ccc;0 4 7 \x01xyz;"
                                               "0 3 7 reset;1 1 2 dddd;1 5 6 st;1 3 6 ;"
                                             : "0 3 7 reset;1 1 2 dddd;1 5 6 st;1 3 6 ;");
        assert_true(wf_recording_get_info(r)->complete);
        wf_recording_close(r);
    }
}

static void any_zstd_decoder_takes_the_file(void **state) {
    static struct file f;
    static char raw[4096];
    size_t at[16];
    (void)state;
    make_small(&f);
    assert_int_equal(frames_of(&f, at), 5);
    size_t len = ZSTD_decompress(raw, sizeof raw, f.bytes, f.len);
    assert_false(ZSTD_isError(len));
    for (unsigned i = 1; i <= 3; ++i) {
        // The header has content size and checksum, so damage is always detected.
        assert_true(ZSTD_getFrameContentSize(f.bytes + at[i], at[i + 1] - at[i]) < 1000);
        assert_true(f.bytes[at[i] + 4] & 4);
    }
}

static void a_file_cut_anywhere_gives_its_whole_blocks(void **state) {
    static struct file f;
    char text[2048], want[2048];
    size_t at[16];
    (void)state;
    make_small(&f);
    frames_of(&f, at);
    for (size_t len = WF_RECORDING_MAGIC_LEN; len < f.len; ++len) {
        join(want, len >= at[2] ? first : "", len >= at[3] ? second : "", len >= at[4] ? third : "",
             "0 cut\n");
        describe(f.bytes, len, len % 7 + 1, text, sizeof text);
        assert_string_equal(text, want);
    }
}

static void a_damaged_block_costs_no_other(void **state) {
    static struct file f, bad;
    char text[2048];
    size_t at[16];
    (void)state;
    make_small(&f);
    frames_of(&f, at);
    for (size_t i = at[1]; i < at[4]; ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            bool unused = bit == 4 && (i == at[1] + 4 || i == at[2] + 4 || i == at[3] + 4);
            if (unused) continue; // Zstandard's decoders ignore this bit
            bad = f;
            bad.bytes[i] ^= (uint8_t)(1u << bit);
            describe(bad.bytes, bad.len, 1 + i % 100, text, sizeof text);
            unsigned hit = i < at[2] ? 1 : i < at[3] ? 2 : 3;
            if (hit != 1) assert_non_null(strstr(text, first));
            if (hit != 2) assert_non_null(strstr(text, strchr(second, '\n') + 1));
            if (hit != 3) assert_non_null(strstr(text, third));
            assert_non_null(strstr(text, "0 damage\n"));
            assert_null(strstr(text, "cut"));
            // The next block has the counts of the damaged one.
            if (hit == 1) assert_non_null(strstr(text, "0 up 1500000 one:1\n0 lost 4\n"));
            if (hit == 2) assert_non_null(strstr(text, "0 lost 3\n1 up 2000000 two:2\n1 lost 2\n"));
        }
    }
    // Bytes between two frames that are not a frame.
    bad = f;
    memmove(bad.bytes + at[2] + 9, f.bytes + at[2], f.len - at[2]);
    memcpy(bad.bytes + at[2], "\x28\xB5\x2F\xFD\x28\xB5\x2FXX", 9);
    bad.len = f.len + 9;
    describe(bad.bytes, bad.len, 50, text, sizeof text);
    char want[2048];
    join(want, first, "0 damage\n", second, third);
    assert_string_equal(text, want);
}

static void the_index_finds_every_block(void **state) {
    static struct file f;
    static struct wf_index_entry entry;
    struct wf_trailer trailer;
    size_t at[16], pos = 0;
    (void)state;
    make_small(&f);
    frames_of(&f, at);
    assert_true(wf_trailer_read(f.bytes + f.len - WF_TRAILER_LEN, &trailer));
    assert_int_equal(trailer.index_at, at[4]);
    assert_int_equal(trailer.lanes, 2);
    const uint8_t *index = f.bytes + trailer.index_at;
    size_t len = f.len - at[4];
    static const uint64_t times[] = {10, 1500000, 2000000};
    for (unsigned i = 0; i < 3; ++i) {
        assert_int_equal(wf_index_next(index, len, &pos, &entry), 1);
        assert_int_equal(entry.at, at[i + 1]);
        assert_int_equal(entry.time_us, times[i]);
        assert_int_equal(entry.lane_count, i);
    }
    assert_int_equal(entry.lanes[0].lane, 0);
    assert_int_equal(entry.lanes[0].offset, 7);
    assert_int_equal(entry.lanes[1].offset, 2);
    assert_int_equal(wf_index_next(index, len, &pos, &entry), 0);
    for (size_t cut = 0; cut < len; ++cut) {
        pos = 0;
        assert_int_equal(wf_index_next(index, cut, &pos, &entry), WF_ERR_BAD_RECORDING);
    }
}

// A stream that does not compress, over several blocks and 1 s: the size and age of a block are
// limited.
static void blocks_are_bounded(void **state) {
    static struct file f;
    static uint8_t noise[300000];
    uint32_t x = 1;
    size_t at[16];
    (void)state;
    for (size_t i = 0; i < sizeof noise; ++i)
        noise[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    struct wf_recording_writer *w = create(&f);
    for (unsigned i = 0; i < 3; ++i) put(w, WF_CHUNK_BYTES, 0, i, noise, sizeof noise);
    assert_int_equal(wf_recording_open_since(w), 1);
    put(w, WF_CHUNK_BYTES, 0, 999999, "a", 1);
    put(w, WF_CHUNK_BYTES, 0, 1000001, "b", 1); // the block began at 1
    assert_int_equal(wf_recording_open_since(w), 1000001);
    assert_int_equal(wf_recording_finish(w), WF_OK);
    unsigned n = frames_of(&f, at);
    assert_int_equal(n, 5);
    struct wf_recording *r = wf_recording_open();
    struct wf_chunk c;
    uint64_t len = 0;
    wf_recording_feed(r, f.bytes, f.len);
    wf_recording_end(r);
    for (; wf_recording_next(r, &c); len += c.len) {
        assert_int_equal(c.kind, WF_CHUNK_BYTES);
        assert_int_equal(c.offset, len);
        for (size_t i = 0; i < c.len && len + i < 900000; ++i)
            assert_int_equal(c.bytes[i], noise[(len + i) % sizeof noise]);
    }
    assert_int_equal(len, 900002);
    wf_recording_close(r);
}

static bool refuse(void *ctx, const char *bytes, size_t len) {
    unsigned *left = ctx;
    (void)bytes;
    (void)len;
    return (*left)-- > 0;
}

static void a_write_that_fails_stays_failed(void **state) {
    struct wf_recording_head head = {.part = 1};
    unsigned left = 1;
    struct wf_error error;
    (void)state;
    struct wf_recording_writer *w = wf_recording_create(&head, refuse, &left, &error);
    put(w, WF_CHUNK_BYTES, 0, 0, "a", 1);
    assert_int_equal(wf_recording_flush(w), WF_ERR_WRITE);
    struct wf_chunk c = {.kind = WF_CHUNK_BYTES, .bytes = (const uint8_t *)"b", .len = 1};
    assert_int_equal(wf_recording_put(w, &c), WF_ERR_WRITE);
    assert_int_equal(wf_recording_finish(w), WF_ERR_WRITE);
    left = 0;
    assert_null(wf_recording_create(&head, refuse, &left, &error));
    assert_int_equal(error.code, WF_ERR_WRITE);
}

static void feed(struct wf_session *s, const uint8_t *bytes, size_t len, struct wf_item *last) {
    struct wf_item item;
    wf_session_feed(s, bytes, len);
    while (wf_session_next(s, &item)) *last = item;
}

// A chunk holds a limited number of names; the rest is left out, and this is recorded; other data
// is kept.
static void a_state_leaves_out_too_many_names(void **state) {
    static struct stream s;
    struct wf_session_options options = {.size = sizeof options, .version = 740};
    struct wf_item item = {0};
    size_t len = 0;
    (void)state;
    struct wf_session *a = wf_session_open(&options, NULL), *b = wf_session_open(&options, NULL);
    for (unsigned i = 0; len <= WF_RECORDING_STATE_MAX - 512; ++i) {
        char name[200];
        snprintf(name, sizeof name, "%0190u", i);
        s.len = s.seq = 0;
        put_name(&s, 0x1000 + i, name);
        feed(a, s.bytes, s.len, &item);
        if (i % 256) continue;
        uint8_t *bytes = wf_session_write_state(a, &len);
        bool nameless = wf_session_state_nameless(bytes, len);
        assert_int_equal(wf_session_read_state(b, bytes, len), WF_OK);
        assert_int_equal(wf_session_count_names(b).objects, nameless ? 0 : i + 1);
        assert_true(nameless == (i * 193 > WF_RECORDING_STATE_MAX));
        free(bytes);
        if (nameless) break;
    }
    assert_true(len < 1000);
    assert_false(wf_session_state_nameless((const uint8_t *)"\1", 1));
    wf_session_close(a);
    wf_session_close(b);
}

// One session for the whole stream, against one for each half with the state carried over: same
// records, same names, no loss between the halves.
static void a_state_lets_another_session_go_on(void **state) {
    static struct stream s;
    struct wf_session_options options = {.size = sizeof options, .version = 740};
    struct wf_item item = {0}, all = {0};
    size_t half = 0, len;
    (void)state;
    s.len = s.seq = 0;
    for (unsigned i = 0; i < 300; ++i) {
        char name[16];
        snprintf(name, sizeof name, "thing %u", i);
        put_name(&s, 0x1000 + i, name);
        if (i == 150) half = s.len;
    }
    struct wf_session *whole = wf_session_open(&options, NULL),
                      *a = wf_session_open(&options, NULL);
    struct wf_session *b = wf_session_open(&options, NULL);
    feed(whole, s.bytes, s.len, &all);
    feed(a, s.bytes, half, &item);
    uint8_t *bytes = wf_session_write_state(a, &len);
    assert_non_null(bytes);
    struct guarded g = guard(bytes, len);
    assert_int_equal(wf_session_read_state(b, g.bytes, len), WF_OK);
    feed(b, s.bytes + half, s.len - half, &item);
    assert_int_equal(wf_session_ledger(b)->missing, 0);
    assert_int_equal(wf_session_ledger(a)->records + wf_session_ledger(b)->records,
                     wf_session_ledger(whole)->records);
    assert_int_equal(wf_session_count_names(b).objects, 300);
    assert_int_equal(item.record.tick, all.record.tick);
    size_t again_len, b_len;
    uint8_t *again = wf_session_write_state(b, &b_len),
            *want = wf_session_write_state(whole, &again_len);
    assert_int_equal(b_len, again_len);
    // Every truncated state, and every one with a byte changed, is refused or harmless.
    for (size_t cut = 0; cut < len; ++cut) {
        struct guarded part = guard(bytes, cut);
        assert_int_equal(wf_session_read_state(b, part.bytes, cut), WF_ERR_BAD_STATE);
        unguard(&part);
    }
    assert_int_equal(wf_session_count_names(b).objects, 300); // nothing was changed
    for (size_t i = 0; i < len; ++i) {
        g.bytes[i] ^= 0xFF;
        int err = wf_session_read_state(b, g.bytes, len);
        assert_true(err == WF_OK || err == WF_ERR_BAD_STATE);
        g.bytes[i] ^= 0xFF;
    }
    unguard(&g);
    free(bytes);
    free(again);
    free(want);
    wf_session_close(whole);
    wf_session_close(a);
    wf_session_close(b);
}

// The state of a session with one object name, without the last `fewer` dictionaries, which are
// empty. Versions without interrupt names wrote one dictionary fewer.
static uint8_t *state_without(const char *name, unsigned fewer, size_t *len) {
    static struct stream s;
    enum { DICTS = 13, NO_NAMES = DICTS - 1 };
    struct wf_session_options options = {.size = sizeof options, .version = 740};
    struct wf_item item = {0};
    s.len = s.seq = 0;
    put_name(&s, 1, name);
    struct wf_session *from = wf_session_open(&options, NULL);
    feed(from, s.bytes, s.len, &item);
    uint8_t *bytes = wf_session_write_state(from, len);
    assert_non_null(bytes);
    uint8_t *dicts = bytes + *len - NO_NAMES - strlen(name) - 4; // dictionaries, names, key, length
    assert_int_equal(dicts[0], DICTS);
    assert_int_equal(dicts[1], 1);
    dicts[0] = (uint8_t)(DICTS - fewer);
    *len -= fewer;
    wf_session_close(from);
    return bytes;
}

// A file of such a version: its names are known, the records after them are read, and a state
// written by this version has the dictionary of interrupts.
static void a_recording_without_names_of_interrupts_is_read(void **state) {
    static struct file f;
    static struct stream s;
    struct wf_session_options options = {.size = sizeof options, .version = 740};
    struct wf_chunk c;
    struct wf_item item;
    size_t len, again;
    unsigned chunks = 0;
    (void)state;
    uint8_t *old = state_without("valve", 1, &len);
    s.len = 0;
    s.seq = 1;
    put_name(&s, 2, "pump");
    struct wf_recording_writer *w = create(&f);
    put(w, WF_CHUNK_UP, 0, 10, "one:1", 5);
    put(w, WF_CHUNK_STATE, 0, 11, old, len);
    put(w, WF_CHUNK_BYTES, 0, 20, s.bytes, s.len);
    assert_int_equal(wf_recording_finish(w), WF_OK);

    struct wf_session *session = wf_session_open(&options, NULL);
    struct wf_recording *r = wf_recording_open();
    assert_true(wf_recording_feed(r, f.bytes, f.len));
    wf_recording_end(r);
    for (; wf_recording_next(r, &c); ++chunks) {
        assert_int_equal(wf_recording_apply(session, &c), WF_OK);
        if (c.kind == WF_CHUNK_BYTES) feed(session, c.bytes, c.len, &item);
    }
    assert_int_equal(chunks, 3);
    assert_int_equal(wf_session_ledger(session)->missing, 0);
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_OBJECT, 1, 0), "valve");
    assert_string_equal(wf_session_name(session, WF_EFFECT_NAME_OBJECT, 2, 0), "pump");
    assert_int_equal(wf_session_count_names(session).irqs, 0);
    uint8_t *bytes = wf_session_write_state(session, &again);
    assert_non_null(bytes);
    assert_int_equal(wf_session_read_state(session, bytes, again), WF_OK);
    assert_int_equal(wf_session_count_names(session).objects, 2);

    free(old);
    old = state_without("valve", 2, &len); // no version wrote this
    assert_int_equal(wf_session_read_state(session, old, len), WF_ERR_BAD_STATE);
    wf_recording_close(r);
    wf_session_close(session);
    free(bytes);
    free(old);
}

static void a_place_is_read_as_it_was_written(void **state) {
    static struct file f;
    const struct wf_recording_place wanted = {UINT64_C(0xF123456789ABCDEF), UINT64_MAX, true,
                                              UINT64_MAX - 1};
    struct wf_recording_place place;
    struct wf_chunk c;
    uint8_t bytes[WF_RECORDING_PLACE_MAX];
    (void)state;
    size_t len = wf_recording_put_place(&wanted, bytes);
    assert_int_equal(len, WF_RECORDING_PLACE_MAX);
    for (size_t cut = 0; cut < len; ++cut) {
        struct guarded g = guard(bytes, cut);
        // A place without `zero` is whole, too.
        assert_int_equal(wf_recording_get_place(g.bytes, cut, &place), cut == 18);
        assert_false(cut == 18 && place.shown);
        unguard(&g);
    }
    struct wf_recording_writer *w = create(&f);
    put(w, WF_CHUNK_PLACE, 3, 10, bytes, len);
    assert_int_equal(wf_recording_finish(w), WF_OK);
    struct wf_recording *r = wf_recording_open();
    assert_true(wf_recording_feed(r, f.bytes, f.len));
    assert_true(wf_recording_next(r, &c));
    assert_int_equal(c.kind, WF_CHUNK_PLACE);
    assert_int_equal(c.lane, 3);
    assert_true(wf_recording_get_place(c.bytes, c.len, &place));
    assert_true(place.start_ns == wanted.start_ns && place.offset == wanted.offset);
    assert_true(place.shown && place.zero == wanted.zero);
    wf_recording_close(r);
}

static void lost_bytes_are_a_hole(void **state) {
    static struct stream s;
    struct wf_session_options options = {.size = sizeof options, .version = 740};
    struct wf_item item;
    (void)state;
    s.len = s.seq = 0;
    put_name(&s, 1, "one");
    size_t first_len = s.len;
    s.seq += 3;
    put_name(&s, 2, "two");
    struct wf_session *session = wf_session_open(&options, NULL);
    wf_session_feed(session, s.bytes, first_len);
    while (wf_session_next(session, &item)) {
    }
    wf_session_lose(session, 77);
    wf_session_feed(session, s.bytes + first_len, s.len - first_len);
    assert_true(wf_session_next(session, &item));
    assert_int_equal(item.kind, WF_ITEM_LOSS);
    assert_int_equal(item.loss.lost, 77);
    assert_int_equal(item.loss.records, 3);
    assert_int_equal(item.loss.offset, first_len);
    assert_true(wf_session_next(session, &item));
    assert_int_equal(item.record.offset, first_len + 77);
    assert_int_equal(wf_session_ledger(session)->bytes_lost, 77);
    assert_int_equal(wf_session_ledger(session)->missing, 3);
    wf_session_close(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(a_file_can_be_read_from_a_block_on),
        cmocka_unit_test(any_zstd_decoder_takes_the_file),
        cmocka_unit_test(a_file_cut_anywhere_gives_its_whole_blocks),
        cmocka_unit_test(a_damaged_block_costs_no_other),
        cmocka_unit_test(the_index_finds_every_block),
        cmocka_unit_test(blocks_are_bounded),
        cmocka_unit_test(a_write_that_fails_stays_failed),
        cmocka_unit_test(a_state_leaves_out_too_many_names),
        cmocka_unit_test(a_state_lets_another_session_go_on),
        cmocka_unit_test(a_recording_without_names_of_interrupts_is_read),
        cmocka_unit_test(a_place_is_read_as_it_was_written),
        cmocka_unit_test(lost_bytes_are_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
