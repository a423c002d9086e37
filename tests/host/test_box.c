// SPDX-License-Identifier: MIT
// Black boxes made by hand from docs/black-box.md, for each pointer size and byte order, as raw
// images and ELF cores. The contents are decoded, errors are reported, and nothing outside of the
// image is read (each image ends at an unreadable page).

#include "wf_test.h"

#include <elf.h>

#include "wallfly_host/wf_box.h"

enum { RING = 300 };

static const struct shape {
    unsigned pointer;
    bool big;
} shapes[] = {{2, false}, {2, true}, {4, false}, {4, true}, {8, false}, {8, true}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct memory { // of a target: garbage, the block, garbage, the ring, garbage; `base`: its address
    struct shape shape;
    uint64_t base;
    size_t box, ring, len; // offsets
    uint8_t bytes[4096];
};

static void put_number(struct memory *m, size_t at, uint64_t v, unsigned len) {
    for (unsigned i = 0; i < len; ++i) {
        m->bytes[at + (m->shape.big ? len - 1 - i : i)] = (uint8_t)(v >> 8 * i);
    }
}

enum { SELF, FIRST, END, TAIL, SENT, NEXT, TURN };
static void put_pointer(struct memory *m, unsigned n, uint64_t v) {
    put_number(m, m->box + 88 + n * m->shape.pointer, v, m->shape.pointer);
}

static void put_check(struct memory *m) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < 24 + 3 * m->shape.pointer; ++i) {
        h = (h ^ m->bytes[m->box + (i < 24 ? i : i + 64)]) * 16777619u;
    }
    put_number(m, m->box + 24, h, 4);
}

static uint32_t seed;

static uint32_t rnd(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static const uint8_t magic[8] = {0xF1, 'W', 'F', 'B', 'O', 'X', 13, 1};

// The layout of the next images: 1: frames as on the wire; 2: length-prefixed frames; 3: as 2, but
// no frame wraps around the ring's end.
static uint8_t layout = 1;

// Writes the frames to a ring in layout 2 or 3: without escapes and flags, each after its length.
// Returns the end offset; *turn: the end offset of the frames before the wrap.
static size_t lay_lengths(const struct stream *s, uint8_t *ring, size_t size, size_t at,
                          size_t *turn) {
    uint8_t raw[1024];
    size_t len = 0;
    *turn = size;
    for (size_t i = 0; i < s->len; ++i) {
        if (s->bytes[i] == 0x7E) {
            assert_true(len < 254);
            if (layout == 3 && at + 1 + len > size) {
                *turn = at;
                at = 0;
            }
            ring[at++ % size] = (uint8_t)len;
            for (size_t k = 0; k < len; ++k) ring[at++ % size] = raw[k];
            len = 0;
            continue;
        }
        raw[len++] = s->bytes[i] == 0x7D ? s->bytes[++i] ^ 0x20 : s->bytes[i];
    }
    return at % size;
}

// Ten frames, numbered from 501; the ring wraps within them.
static struct stream frames;

static void make(struct memory *m, struct shape shape, bool hole) {
    static const uint8_t sizes[5] = {0x22, 0x41, 0x22, 0x44, 4};
    m->shape = shape;
    m->base = shape.pointer == 2 ? 0x2000 : shape.pointer == 4 ? 0xC0000000u : 0x7FFF00001000u;
    m->box = 401 + rnd(50);
    m->ring = m->box + 200 + rnd(50);
    m->len = m->ring + RING + rnd(50);
    for (size_t i = 0; i < m->len; ++i) m->bytes[i] = (uint8_t)rnd(256);
    memcpy(m->bytes + m->box, magic, 8);
    m->bytes[m->box + 7] = layout;
    m->bytes[m->box + 8] = (uint8_t)shape.pointer;
    m->bytes[m->box + 9] = shape.big;
    memcpy(m->bytes + m->box + 10, sizes, 5);
    m->bytes[m->box + 15] = 3; // core
    put_number(m, m->box + 16, 1000, 4);
    put_number(m, m->box + 20, 0x7D7E1234, 4);
    m->bytes[m->box + 28] = hole;
    put_number(m, m->box + 32, 500, 8);
    put_number(m, m->box + 40, 0x123456789, 8);
    put_number(m, m->box + 48, 20, 8);
    put_number(m, m->box + 56, 480, 8);
    put_number(m, m->box + 64, 9999, 8);
    put_number(m, m->box + 72, 20, 4);
    frames.len = 0;
    frames.seq = (uint8_t)500;
    for (unsigned i = 0; i < 10; ++i) put_name(&frames, 0x7D000000u + i, "a name");
    size_t tail = 200, next = (tail + frames.len) % RING, turn = RING;
    for (size_t i = 0; i < frames.len; ++i) {
        m->bytes[m->ring + (tail + i) % RING] = frames.bytes[i];
    }
    if (layout > 1) next = lay_lengths(&frames, m->bytes + m->ring, RING, tail, &turn);
    assert_true(next < tail && (turn != RING) == (layout == 3));
    put_pointer(m, SELF, m->base + m->box);
    put_pointer(m, FIRST, m->base + m->ring);
    put_pointer(m, END, m->base + m->ring + RING);
    put_pointer(m, TAIL, m->base + m->ring + tail);
    put_pointer(m, SENT, m->base + m->ring + tail + (layout == 1 ? 5 : 0));
    put_pointer(m, NEXT, m->base + m->ring + next);
    if (layout == 3) put_pointer(m, TURN, m->base + m->ring + turn);
    put_check(m);
}

// The image ends at an unreadable page.
static int read_box(const uint8_t *bytes, size_t len, struct wf_box *box) {
    struct guarded g = guard(bytes, len);
    int err = wf_box_read(g.bytes, len, NULL, 0, box);
    unguard(&g);
    return err;
}

static void check_stream(const struct wf_box *box) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_session *s = wf_session_open(&options, NULL);
    assert_true(box->len > frames.len);
    assert_memory_equal(box->stream + box->len - frames.len, frames.bytes, frames.len);
    wf_session_feed(s, box->stream, box->len);
    wf_session_end(s);
    unsigned records = 0;
    while (wf_session_next(s, &item)) {
        assert_true(item.kind != WF_ITEM_DAMAGE);
        if (item.kind != WF_ITEM_RECORD || records++) continue;
        const uint64_t want[14] = {500, 0x123456789, 1000, 480,  20,   9999, 1,
                                   3,   0x7D7E1234,  0x22, 0x41, 0x22, 0x44, 4};
        assert_int_equal(item.record.id, 82);
        assert_int_equal(item.record.seq, 500 & 0xFF);
        assert_memory_equal(item.record.value, want, sizeof want);
    }
    assert_int_equal(records, 11);
    // All records before these count as lost: 480 and 20 make 500.
    const struct wf_ledger *l = wf_session_ledger(s);
    assert_int_equal(l->missing, 500);
    assert_int_equal(wf_session_target(s)->build_id, 0x7D7E1234);
    wf_session_close(s);
}

static void every_pointer_size_and_byte_order(void **state) {
    static struct memory m;
    (void)state;
    for (unsigned i = 0; i < 120 * SHAPES; ++i) {
        struct wf_box box;
        seed = i;
        layout = (uint8_t)(1 + i / (40 * SHAPES));
        bool hole = i / SHAPES % 2;
        make(&m, shapes[i % SHAPES], hole);
        int err = read_box(m.bytes, m.len, &box);
        if (err != WF_OK) fail_msg("%u: %s", i, box.problem);
        assert_int_equal(box.offset, m.box);
        if (hole) check_stream(&box);
        wf_box_free(&box);
    }
    layout = 1;
}

static void refused(const struct memory *m, const char *why) {
    struct wf_box box;
    assert_int_equal(read_box(m->bytes, m->len, &box), WF_ERR_BAD_BOX);
    assert_null(box.stream);
    if (!strstr(box.problem, why)) fail_msg("'%s' is not in '%s'", why, box.problem);
    if (why[0] != 'n') assert_int_equal(box.offset, m->box);
    wf_box_free(&box);
}

static void what_is_wrong_is_said(void **state) {
    static struct memory good, m;
    (void)state;
    for (unsigned i = 0; i < SHAPES; ++i) {
        seed = i;
        make(&good, shapes[i], true);
        for (size_t at = 0; at < 28; ++at) { // the header
            m = good;
            m.bytes[m.box + at] ^= (uint8_t)(1u << rnd(8));
            if (at == 7) m.bytes[m.box + at] = 0x40; // not a valid layout
            refused(&m, at < 8 ? "no black box" : "wrong checksum");
        }
        for (size_t at = 0; at < 3 * shapes[i].pointer; ++at) {
            m = good;
            m.bytes[m.box + 88 + at] ^= (uint8_t)(1u << rnd(8));
            refused(&m, "wrong checksum");
        }
        for (unsigned n = TAIL; n <= NEXT; ++n) {
            const uint64_t wild[] = {0, good.base + good.ring - 1, good.base + good.ring + RING,
                                     UINT64_MAX};
            for (unsigned k = 0; k < 4; ++k) {
                m = good;
                put_pointer(&m, n, wild[k]);
                refused(&m, "pointers leave its ring");
            }
        }
        layout = 3;
        make(&m, shapes[i], true);
        put_pointer(&m, TURN, m.base + m.ring + 199); // before the tail
        refused(&m, "pointers leave its ring");
        put_pointer(&m, TURN, m.base + m.ring + RING + 1);
        refused(&m, "pointers leave its ring");
        layout = 1;
        m = good; // a ring of length 0 or too long, valid checksum
        put_pointer(&m, END, good.base + good.ring);
        put_check(&m);
        refused(&m, "pointers leave its ring");
        m = good;
        put_pointer(&m, END, good.base + good.ring - 1);
        put_check(&m);
        refused(&m, "not all in the image");
        m = good; // the ring is outside of the image
        for (unsigned n = FIRST; n <= NEXT; ++n) put_pointer(&m, n, (good.base ^ 0x4000) + n * 100);
        put_pointer(&m, END, (good.base ^ 0x4000) + 1000);
        put_check(&m);
        refused(&m, "not all in the image");
    }
}

static void images_cut_short_are_refused(void **state) {
    static struct memory m;
    struct wf_box box;
    (void)state;
    for (unsigned i = 0; i < SHAPES; ++i) {
        seed = i;
        make(&m, shapes[i], true);
        size_t needed = m.ring + RING;
        for (size_t len = 0; len <= m.len; ++len) {
            int err = read_box(m.bytes, len, &box);
            assert_int_equal(err, len < needed ? WF_ERR_BAD_BOX : WF_OK);
            wf_box_free(&box);
        }
        for (size_t from = 0; from <= m.box; ++from) { // any base works
            assert_int_equal(read_box(m.bytes + from, m.len - from, &box), WF_OK);
            wf_box_free(&box);
        }
    }
}

// Random bytes in the changing part: the block is read or refused, without any other effect.
static void whatever_the_block_says(void **state) {
    static struct memory m;
    (void)state;
    for (unsigned i = 0; i < 20000; ++i) {
        struct wf_box box;
        seed = i;
        layout = (uint8_t)(1 + i % 3);
        make(&m, shapes[i / 3 % SHAPES], i % 5);
        for (unsigned k = 1 + rnd(4); k; --k) {
            size_t at = m.box + 8 + rnd(80 + 7 * m.shape.pointer);
            m.bytes[at] = (uint8_t)rnd(256);
        }
        if (rnd(4)) put_check(&m);
        read_box(m.bytes, m.len, &box);
        wf_box_free(&box);
    }
    layout = 1;
}

static void a_good_one_wins_over_garbage_and_copies(void **state) {
    static struct memory m;
    static uint8_t both[9000];
    struct wf_box box;
    (void)state;
    make(&m, shapes[2], true);
    memcpy(m.bytes, magic, 8); // a magic without a block
    memcpy(m.bytes + 200, m.bytes + m.box, 60);
    assert_int_equal(read_box(m.bytes, m.len, &box), WF_OK);
    check_stream(&box);
    wf_box_free(&box);
    memcpy(both, m.bytes, m.len);
    memcpy(both + m.len, m.bytes, m.len);
    assert_int_equal(read_box(both, 2 * m.len, &box), WF_ERR_BAD_BOX);
    assert_non_null(strstr(box.problem, "several"));
    wf_box_free(&box);
}

// A core with two segments that meet in the middle of the ring; the second comes first in the file.
static size_t make_core(const struct memory *m, uint8_t *to) {
    const size_t cut = m->ring + 150, heads = sizeof(Elf32_Ehdr) + 3 * sizeof(Elf32_Phdr);
    const size_t second = heads + 16, first = second + (m->len - cut) + 16;
    struct memory e = {.shape = m->shape};
    memcpy(e.bytes, ELFMAG, 4);
    e.bytes[EI_CLASS] = ELFCLASS32;
    e.bytes[EI_DATA] = m->shape.big ? ELFDATA2MSB : ELFDATA2LSB;
    e.bytes[EI_VERSION] = EV_CURRENT;
    put_number(&e, 16, ET_CORE, 2);
    put_number(&e, 18, EM_ARM, 2);
    put_number(&e, 20, EV_CURRENT, 4);
    put_number(&e, 28, sizeof(Elf32_Ehdr), 4);
    put_number(&e, 40, sizeof(Elf32_Ehdr), 2);
    put_number(&e, 42, sizeof(Elf32_Phdr), 2);
    put_number(&e, 44, 3, 2);
    const uint64_t rows[3][4] = {{PT_NOTE, 0, 0, 0},
                                 {PT_LOAD, second, m->base + cut, m->len - cut},
                                 {PT_LOAD, first, m->base, cut}};
    for (unsigned i = 0; i < 3; ++i) {
        size_t at = sizeof(Elf32_Ehdr) + i * sizeof(Elf32_Phdr);
        put_number(&e, at, rows[i][0], 4);
        put_number(&e, at + 4, rows[i][1], 4);
        put_number(&e, at + 8, rows[i][2], 4);
        put_number(&e, at + 16, rows[i][3], 4);
        put_number(&e, at + 20, rows[i][3], 4);
    }
    memcpy(to, e.bytes, first);
    memcpy(to + second, m->bytes + cut, m->len - cut);
    memcpy(to + first, m->bytes, cut);
    return first + cut;
}

static void cores_are_read_by_their_addresses(void **state) {
    static struct memory m;
    static uint8_t core[8192];
    struct wf_box box;
    (void)state;
    for (unsigned i = 0; i < 4; ++i) { // 16- and 32-bit pointers
        seed = i;
        make(&m, shapes[i], true);
        size_t len = make_core(&m, core);
        assert_int_equal(read_box(core, len, &box), WF_OK);
        check_stream(&box);
        assert_memory_equal(core + box.offset, magic, 8);
        wf_box_free(&box);
        for (size_t at = 0; at < len; ++at) { // truncated
            read_box(core, at, &box);
            wf_box_free(&box);
        }
        for (unsigned k = 0; k < 4000; ++k) { // damaged headers
            static uint8_t bad[8192];
            memcpy(bad, core, len);
            for (unsigned n = 1 + rnd(3); n; --n) bad[4 + rnd(150)] = (uint8_t)rnd(256);
            read_box(bad, len, &box);
            wf_box_free(&box);
        }
        m.base += 0x1000; // the block states another address
        len = make_core(&m, core);
        assert_int_equal(read_box(core, len, &box), WF_ERR_BAD_BOX);
        assert_non_null(strstr(box.problem, "only a copy"));
    }
}

// The block counts frames as lost that are still there: the frame at the tail has the right number.
static void a_tail_whose_count_is_ahead_is_put_right(void **state) {
    static struct memory m;
    struct wf_box box;
    (void)state;
    make(&m, shapes[2], true);
    put_number(&m, m.box + 32, 507, 8);
    assert_int_equal(read_box(m.bytes, m.len, &box), WF_OK);
    check_stream(&box);
    wf_box_free(&box);
}

// Frames too short to be any, each with a sequence that asks for two SYNCs before it.
static void frames_without_a_body_are_damage(void **state) {
    static struct memory m;
    struct wf_box box;
    enum { LEN = 298 };
    (void)state;
    layout = 2;
    make(&m, shapes[2], true);
    layout = 1;
    memset(m.bytes + m.box + 40, 0x7E, 32); // counts whose bytes need escapes
    for (size_t i = 0; i < LEN; i += 2) {
        m.bytes[m.ring + i] = 1;
        m.bytes[m.ring + i + 1] = (uint8_t)(503 + i / 2 * 3);
    }
    put_pointer(&m, TAIL, m.base + m.ring);
    put_pointer(&m, SENT, m.base + m.ring);
    put_pointer(&m, NEXT, m.base + m.ring + LEN);
    assert_int_equal(read_box(m.bytes, m.len, &box), WF_OK);
    assert_in_range(box.len, LEN, 128 + 2 * LEN + 1);
    wf_box_free(&box);
}

static void an_empty_ring_gives_its_place_or_nothing(void **state) {
    static struct memory m;
    struct wf_box box;
    (void)state;
    make(&m, shapes[2], false);
    put_pointer(&m, NEXT, m.base + m.ring + 200);
    assert_int_equal(read_box(m.bytes, m.len, &box), WF_OK);
    assert_in_range(box.len, 50, 110);
    wf_box_free(&box);
    put_number(&m, m.box + 32, 0, 8);
    assert_int_equal(read_box(m.bytes, m.len, &box), WF_OK);
    assert_int_equal(box.len, 0);
    wf_box_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pointer_size_and_byte_order),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(images_cut_short_are_refused),
        cmocka_unit_test(whatever_the_block_says),
        cmocka_unit_test(a_good_one_wins_over_garbage_and_copies),
        cmocka_unit_test(cores_are_read_by_their_addresses),
        cmocka_unit_test(a_tail_whose_count_is_ahead_is_put_right),
        cmocka_unit_test(frames_without_a_body_are_damage),
        cmocka_unit_test(an_empty_ring_gives_its_place_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
