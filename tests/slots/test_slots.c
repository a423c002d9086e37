// SPDX-License-Identifier: MIT
// The slot recorder, step by step: the contents of a chunk, placement of events, all edge cases, in
// both builds (with atomics; with interrupts disabled).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "wallfly/wallfly.h"

enum { CORES = WF_CFG_CORES < 2 ? 1 : 2, SLOTS = 2 * WF_CFG_CHUNK, OUT_MAX = 1 << 16 };

wf_stamp test_now;
uint8_t test_core;
int test_locks;

static _Alignas(64) uint8_t memory[WF_SLOTS_SIZE(CORES, SLOTS)];
static struct wf_slot_core *core_at(unsigned i) {
    const struct wf_slot_box *box = (const struct wf_slot_box *)memory;
    return (struct wf_slot_core *)(void *)(memory + box->core_at + i * box->core_step);
}

static void start(bool keep_oldest) {
    memset(memory, 0xA5, sizeof memory); // as left by an earlier run
    struct wf_slots_config config = {memory, sizeof memory, CORES, SLOTS, keep_oldest, 1000000, 77};
    test_now = 100;
    test_core = 0;
    assert_true(wf_slots_start(&config));
    wf_filter(WF_GRP_ALL);
}

static struct wf_slot out[OUT_MAX];
static unsigned out_len;

static void read_all(struct wf_slots_reader *r, unsigned core, unsigned step, bool end) {
    unsigned n;
    out_len = 0;
    while ((n = wf_slots_read(r, core, out + out_len, step, end)) != 0) out_len += n;
}

static unsigned cls_of(const struct wf_slot *s) {
    return s->head >> WF_SLOT_CLASS_SHIFT & WF_SLOT_CLASS;
}
static unsigned event_of(const struct wf_slot *s) { return s->head & WF_SLOT_EVENT; }
static unsigned structure_of(const struct wf_slot *s) { return s->head >> WF_SLOT_STRUCTURE_SHIFT; }

static void is_own(const struct wf_slot *s, unsigned event, uint64_t value) {
    assert_int_equal(cls_of(s), WF_SLOT_CLASS_OWN);
    assert_int_equal(event_of(s), event);
    assert_int_equal(s->word[0] | (uint64_t)s->word[1] << 32, value);
}

static void a_chunk_begins_with_what_a_reader_needs(void **state) {
    (void)state;
    start(false);
#if WF_CFG_TIME_SIZE == 8
    test_now = UINT64_C(0x500000007);
#else
    test_now = 7;
#endif
    wf_slot_event(WF_SLOT_CLASS_USER, 0x3AB, 0x11223344, 0x55667788);
    struct wf_slots_reader r = {0};
    read_all(&r, 0, 64, false);
    assert_int_equal(out_len, 5);
    assert_int_equal(cls_of(&out[0]), WF_SLOT_CLASS_CONTROL);
    assert_int_equal(event_of(&out[0]), WF_SLOT_CONTROL_BUFFER);
    assert_int_equal(out[0].word[0], 0);
    assert_int_equal(out[0].word[1], WF_CFG_CHUNK);
    assert_int_equal(event_of(&out[1]), WF_SLOT_CONTROL_TIME);
    assert_int_equal(out[1].word[0], WF_CFG_TIME_SIZE == 8 ? 5 : 0);
    assert_int_equal(out[1].word[1], 7);
    is_own(&out[2], WF_SLOT_OWN_MADE, 0);
    is_own(&out[3], WF_SLOT_OWN_REFUSED, 0);
    assert_int_equal(out[4].head, WF_SLOT_CLASS_USER << WF_SLOT_CLASS_SHIFT | 0x3AB);
    assert_int_equal(out[4].time, 7);
    assert_int_equal(out[4].word[0], 0x11223344);
    assert_int_equal(out[4].word[1], 0x55667788);
    read_all(&r, 0, 64, true);
    assert_int_equal(out_len, 2);
    is_own(&out[0], WF_SLOT_OWN_MADE, 1);
    is_own(&out[1], WF_SLOT_OWN_REFUSED, 0);
    assert_int_equal(test_locks, 0);
}

// Events of every length, at every place in a chunk, arrive whole and in order.
static void an_event_lies_within_one_chunk(void **state) {
    (void)state;
    for (unsigned before = 0; before < WF_CFG_CHUNK; ++before) {
        for (unsigned words = 0; words <= 2 * (WF_CFG_CHUNK - 5); words += 3) {
            start(true);
            uint32_t w[2 * WF_CFG_CHUNK];
            for (unsigned i = 0; i < words; ++i) w[i] = before << 16 | i;
            for (unsigned i = 0; i < before; ++i) wf_slot_event(WF_SLOT_CLASS_USER, 1, i, 0);
            ++test_now;
            wf_slot_words(WF_SLOT_CLASS_COMM, 9, w, words);
            struct wf_slots_status status;
            wf_slots_get_status(0, &status);
            assert_int_equal(status.made + status.refused, before + 1);
            if (status.refused) continue; // it would need a third chunk
            struct check c = {0};
            struct wf_slots_reader r = {0};
            read_all(&r, 0, 5, true);
            for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
            assert_int_equal(c.delivered, before + 1);
            assert_int_equal(c.lost, 0);
            assert_int_equal(c.event.cls, WF_SLOT_CLASS_COMM);
            assert_int_equal(c.event.count, words ? (words + 1) / 2 * 2 : 2);
            assert_memory_equal(c.event.word, w, 4 * (words < CHECK_WORDS ? words : CHECK_WORDS));
            assert_int_equal(c.event.tick, 101);
        }
    }
}

static void what_cannot_fit_is_refused_and_counted(void **state) {
    (void)state;
    start(false);
    static const uint32_t words[2 * WF_CFG_CHUNK];
    wf_slot_words(WF_SLOT_CLASS_USER, 1, words, 2 * (WF_CFG_CHUNK - 5));
    wf_slot_words(WF_SLOT_CLASS_USER, 1, words, 2 * (WF_CFG_CHUNK - 5) + 1);
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    assert_int_equal(status.made, 1);
    assert_int_equal(status.refused, 1);
}

static void the_oldest_chunks_go(void **state) {
    (void)state;
    for (unsigned count = 1; count < 10 * SLOTS; count += 7) {
        start(false);
        for (unsigned i = 0; i < count; ++i) {
            test_now += i % 3;
            wf_slot_event(WF_SLOT_CLASS_USER, i % 1024, i, ~i);
        }
        struct check c = {0};
        struct wf_slots_reader r = {0};
        read_all(&r, 0, 64, true);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
        assert_int_equal(c.delivered + c.lost, count);
        assert_true(c.delivered >= (count < WF_CFG_CHUNK - 4 ? count : WF_CFG_CHUNK - 4));
        assert_int_equal(c.event.word[0], count - 1);
        assert_int_equal(c.event.tick, test_now);
    }
}

static void the_newest_are_refused_until_room_is_made(void **state) {
    (void)state;
    start(true);
    struct check c = {0};
    struct wf_slots_reader r = {0};
    unsigned made = 0;
    for (unsigned round = 0; round < 50; ++round) {
        for (unsigned i = 0; i < 3 * SLOTS / 2; ++i, ++made)
            wf_slot_event(WF_SLOT_CLASS_USER, 1, made, 0);
        struct wf_slots_status status;
        wf_slots_get_status(0, &status);
        assert_int_equal(status.made + status.refused, made);
        read_all(&r, 0, 4, false);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
        assert_int_equal(c.delivered, status.made);
    }
    read_all(&r, 0, 4, true);
    for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    assert_int_equal(c.delivered + c.refused, made);
    assert_int_equal(c.lost, 0);
    assert_true(c.refused > made / 4);
}

static void a_reader_that_falls_behind_is_told_what_it_missed(void **state) {
    (void)state;
    start(false);
    struct check c = {0};
    struct wf_slots_reader r = {0};
    unsigned made = 0;
    for (unsigned round = 0; round < 400; ++round) {
        unsigned burst = round * 37 % (4 * SLOTS);
        uint32_t words[5] = {round, burst, 3, 4, 5};
        for (unsigned i = 0; i < burst; ++i, ++made) {
            if (i % 5) {
                wf_slot_event(WF_SLOT_CLASS_USER, 1, made, 0);
            } else {
                wf_slot_words(WF_SLOT_CLASS_COMM, 2, words, 5);
            }
            ++test_now;
        }
        read_all(&r, 0, 9, false);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    }
    read_all(&r, 0, 9, true);
    for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    assert_int_equal(c.delivered + c.lost, made);
    assert_int_equal(c.slots - 2, status.slots); // without the closing two
    assert_true(c.lost > 0 && c.delivered > made / 10);
}

// Positions, events and chunk numbers continue beyond 32 bits.
static void numbers_go_on_beyond_32_bits(void **state) {
    (void)state;
    start(false);
    struct wf_slot_core *k = core_at(0);
    const uint64_t position = (UINT64_C(5) << 28) - 2 * WF_CFG_CHUNK, extra = 1000;
    k->at = position;
    k->made = position - extra;
    k->next = (uint32_t)(position << 4);
    k->extra = (uint32_t)(extra + (position >> 28));
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    assert_int_equal(status.slots, position);
    assert_int_equal(status.made, position - extra);
    struct check c = {0};
    struct wf_slots_reader r = {.started = true, .at = position};
    for (unsigned i = 0; i < 20 * WF_CFG_CHUNK; ++i) {
        wf_slot_event(WF_SLOT_CLASS_USER, 1, i, 0);
        read_all(&r, 0, 4, false);
        for (unsigned k2 = 0; k2 < out_len; ++k2) {
            check_slot(&c, &out[k2]);
            if (cls_of(&out[k2]) == WF_SLOT_CLASS_CONTROL && event_of(&out[k2]) == 2) {
                assert_int_equal(out[k2].word[0], (position + c.slots - 1) / WF_CFG_CHUNK);
            }
        }
    }
    assert_int_equal(c.delivered, 20 * WF_CFG_CHUNK);
    assert_int_equal(c.lost, position - extra);
    wf_slots_get_status(0, &status);
    assert_int_equal(status.made, position - extra + 20 * WF_CFG_CHUNK);
}

static void the_upper_word_of_the_time_is_told(void **state) {
    (void)state;
    start(false);
    wf_slot_event(WF_SLOT_CLASS_USER, 1, 0, 0);
    test_now = 0xFFFFFFFF;
    wf_slot_event(WF_SLOT_CLASS_USER, 2, 0, 0);
#if WF_CFG_TIME_SIZE == 8
    test_now = UINT64_C(0x900000000); // wraps without any event
#else
    for (unsigned i = 0; i < 8; ++i) { // or only with marks
        test_now = 0x80000000;
        wf_slots_mark();
        test_now = 0xFFFFFFFF;
        wf_slots_mark();
    }
    test_now = 0;
#endif
    wf_slot_event(WF_SLOT_CLASS_USER, 3, 0, 0);
    struct check c = {0};
    struct wf_slots_reader r = {0};
    read_all(&r, 0, 64, true);
    for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    assert_int_equal(c.delivered, 3);
    assert_int_equal(c.event.tick, UINT64_C(0x900000000));
}

static void marks_are_no_events(void **state) {
    (void)state;
    start(true);
    for (unsigned i = 0; i < 10 * SLOTS; ++i) wf_slots_mark(); // also with a full ring
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    assert_int_equal(status.made, 0);
    assert_int_equal(status.refused, 0);
}

static void cores_have_rings_of_their_own(void **state) {
    (void)state;
    start(false);
    for (unsigned i = 0; i < 10; ++i) {
        test_core = (uint8_t)(i % 2);
        wf_slot_event(WF_SLOT_CLASS_USER, i, 0, 0);
    }
    test_core = 3; // a core without a ring: uses another one's
    wf_slot_event(WF_SLOT_CLASS_USER, 99, 0, 0);
    uint64_t all = 0;
    for (unsigned core = 0; core < CORES; ++core) {
        struct check c = {.core = core};
        struct wf_slots_reader r = {0};
        read_all(&r, core, 64, true);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
        assert_true(CORES == 1 || c.delivered == 5 || c.delivered == 6);
        all += c.delivered;
    }
    assert_int_equal(all, 11);
}

static void an_offset_is_told_at_every_chunk(void **state) {
    (void)state;
    start(false);
    wf_slot_event(WF_SLOT_CLASS_USER, 1, 0, 0);
    wf_slots_offset(0, -5);
    struct check c = {0};
    struct wf_slots_reader r = {0};
    for (unsigned i = 0; i < WF_CFG_CHUNK; ++i) wf_slot_event(WF_SLOT_CLASS_USER, 1, 0, 0);
    read_all(&r, 0, 64, true);
    for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    assert_int_equal(c.delivered, WF_CFG_CHUNK + 1);
    assert_true((int64_t)c.offset == -5);
}

// A writer that is interrupted between taking its place and writing its slot, for a while, and for
// too long.
static void a_slot_that_is_not_there_yet_is_waited_for(void **state) {
    (void)state;
    if (WF_CFG_CORES == 1) return; // with interrupts off it is always there
    for (unsigned keep_oldest = 0; keep_oldest < 2; ++keep_oldest) {
        start(keep_oldest);
        wf_slot_event(WF_SLOT_CLASS_USER, 1, 1, 0);
        struct wf_slot_core *k = core_at(0);
        struct wf_slot *slot = (struct wf_slot *)(void *)(k + 1) + 5, late = *slot;
        k->next += 16; // its place
        wf_slot_event(WF_SLOT_CLASS_USER, 1, 3, 0);
        struct check c = {0};
        struct wf_slots_reader r = {0};
        read_all(&r, 0, 64, false);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
        assert_int_equal(c.delivered, 1); // no further
        for (unsigned i = 0; i < SLOTS; ++i) wf_slot_event(WF_SLOT_CLASS_USER, 1, 4 + i, 0);
        read_all(&r, 0, 64, true);
        for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
        struct wf_slots_status status;
        wf_slots_get_status(0, &status);
        assert_int_equal(c.delivered + c.lost, status.made);
        assert_true(c.lost >= 1);
        (void)late;
    }
}

static void records_are_those_of_the_frame_recorder(void **state) {
    (void)state;
    start(false);
    static int object;
    WF_OBJ_DICTIONARY(&object);
    WF_REC(sched_next, 3, 4, 2);
    WF_RECORD(WF_USER + 1, 0, WF_U8(2, 7), WF_STR("ab"), WF_I64(0, -2), WF_F32(1, 1.5f));
    WF_BEGIN(WF_USER + 2, 0)
    wf_u16(0, 0x1234);
    wf_mem("xyz", 3);
    wf_enum(3, 9);
    WF_END();
    wf_filter(-WF_GRP_ALL);
    WF_REC(sched_next, 3, 4, 2); // filtered out
    struct check c = {0};
    struct wf_slots_reader r = {0};
    read_all(&r, 0, 64, true);
    for (unsigned i = 0; i < out_len; ++i) check_slot(&c, &out[i]);
    assert_int_equal(c.delivered, 4);
    const struct wf_slot *s = out + 4;
    assert_int_equal(event_of(s), WF_ID_obj_dict);
    assert_int_equal(cls_of(s), WF_SLOT_CLASS_RECORD);
    assert_int_equal(structure_of(s), WF_SLOT_FIRST);
    uint8_t bytes[16];
    memcpy(bytes, s[0].word, 8);
    memcpy(bytes + 8, s[1].word, 8);
    const void *address = &object;
    assert_memory_equal(bytes, &address, sizeof address);
    assert_string_equal((char *)bytes + sizeof address, "object");
    unsigned unused = s[1].head >> WF_SLOT_UNUSED_SHIFT & WF_SLOT_UNUSED;
    assert_int_equal(unused, 16 - sizeof address - 7);
    s += 2;
    assert_int_equal(event_of(s), WF_ID_sched_next);
    assert_int_equal(structure_of(s), WF_SLOT_SIMPLE);
    assert_int_equal(s->head >> WF_SLOT_UNUSED_SHIFT & WF_SLOT_UNUSED, 6);
    assert_memory_equal(s->word, "\4\2\0\0\0\0\0\0", 8);
    ++s;
    assert_int_equal(event_of(s), WF_USER + 1);
    static const uint8_t user1[] = {0x21, 7,    8,    'a',  'b',  0,    WF_EL_i64,
                                    0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                    0xFF, 0x16, 0,    0,    0xC0, 0x3F};
    uint8_t got[24];
    for (unsigned i = 0; i < 3; ++i) memcpy(got + 8 * i, s[i].word, 8);
    assert_memory_equal(got, user1, sizeof user1);
    s += 3;
    assert_int_equal(event_of(s), WF_USER + 2);
}

static void a_draft_that_is_too_long_is_refused(void **state) {
    (void)state;
    start(false);
    static const uint8_t block[255];
    for (unsigned n = 1; n < 20; ++n) {
        struct wf_slots_status before, after;
        wf_slots_get_status(0, &before);
        unsigned len = 0;
        WF_BEGIN(WF_USER, 0)
        for (unsigned i = 0; i < n; ++i) {
            wf_mem(block, 20);
            len += 22;
        }
        WF_END();
        wf_slots_get_status(0, &after);
        bool fits = len <= WF_CFG_DRAFT && (len + 7) / 8 <= WF_CFG_CHUNK - 5;
        assert_int_equal(after.made - before.made, fits);
        assert_int_equal(after.refused - before.refused, !fits);
    }
}

static void the_header_says_what_is_in_the_file(void **state) {
    (void)state;
    start(false);
    char text[WF_SLOTS_HEADER_MAX + 1];
    unsigned len = wf_slots_header(text);
    assert_true(len < WF_SLOTS_HEADER_MAX);
    text[len] = 0;
    assert_ptr_equal(strstr(text, "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::"), text);
    assert_non_null(strstr(text, "TRACE_LITTLE_ENDIAN::TRUE"));
    assert_non_null(strstr(text, CORES == 1
                                     ? "TRACE_CYCLES_PER_SEC::1000000TRACE_CPU_NUM::1TRACE_"
                                     : "TRACE_CYCLES_PER_SEC::1000000TRACE_CPU_NUM::2TRACE_"));
    assert_non_null(strstr(text, "TRACE_BUILD_ID::77TRACE_HEADER_END::"));
    assert_string_equal(text + len - 18, "TRACE_HEADER_END::");
}

static void bad_configurations_are_refused(void **state) {
    (void)state;
    const struct wf_slots_config good = {memory, sizeof memory, CORES, SLOTS, false, 1, 0};
    struct wf_slots_config c = good;
    assert_true(wf_slots_start(&c));
    c.size -= 1;
    assert_false(wf_slots_start(&c));
    c = good, c.memory = memory + 8;
    assert_false(wf_slots_start(&c));
    c = good, c.cores = 0;
    assert_false(wf_slots_start(&c));
    c = good, c.cores = WF_CFG_CORES + 1;
    assert_false(wf_slots_start(&c));
    c = good, c.slots = SLOTS - WF_CFG_CHUNK;
    assert_false(wf_slots_start(&c));
    c = good, c.slots = SLOTS + WF_CFG_CHUNK;
    assert_false(wf_slots_start(&c));
    c = good, c.slots = 2 * WF_SLOTS_MAX;
    assert_false(wf_slots_start(&c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_begins_with_what_a_reader_needs),
        cmocka_unit_test(an_event_lies_within_one_chunk),
        cmocka_unit_test(what_cannot_fit_is_refused_and_counted),
        cmocka_unit_test(the_oldest_chunks_go),
        cmocka_unit_test(the_newest_are_refused_until_room_is_made),
        cmocka_unit_test(a_reader_that_falls_behind_is_told_what_it_missed),
        cmocka_unit_test(numbers_go_on_beyond_32_bits),
        cmocka_unit_test(the_upper_word_of_the_time_is_told),
        cmocka_unit_test(marks_are_no_events),
        cmocka_unit_test(cores_have_rings_of_their_own),
        cmocka_unit_test(an_offset_is_told_at_every_chunk),
        cmocka_unit_test(a_slot_that_is_not_there_yet_is_waited_for),
        cmocka_unit_test(records_are_those_of_the_frame_recorder),
        cmocka_unit_test(a_draft_that_is_too_long_is_refused),
        cmocka_unit_test(the_header_says_what_is_in_the_file),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
