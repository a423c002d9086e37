// SPDX-License-Identifier: MIT
// The name table: its contents, and that a reader that connects late, a ring that wrapped and any
// stretch of N seconds get all of them.

#include "wf_test.h"
#include "wfi_names.h"

#include "wallfly/wf_rtos.h"

enum { TABLE = 1024, RING_MAX = 4096, HEARD_MAX = 400 };

static uint32_t table[16384 / 4];
static uint8_t ring[RING_MAX];
static int things[400];

static void begin(uint32_t ring_size, uint32_t table_size, unsigned period_s) {
    fake_clock = 0;
    fake_clock_step = 0;
    start(ring, ring_size);
    memset(table, 0xA5, sizeof table);
    assert_true(wf_names_start(table, table_size, period_s));
    wf_filter(WF_GRP_ALL);
}

static struct wf_names_status status(void) {
    struct wf_names_status s;
    wf_names_get_status(&s);
    return s;
}

// The table has the counted number of entries, ends at its end, and gaps are not names.
static void check_table(void) {
    uint32_t names = 0, at = 0;
    const struct wf_names_box *box = (const struct wf_names_box *)(const void *)table;
    assert_memory_equal(box->magic, "WFNAMES1", 8);
    assert_true(box->used <= box->size);
    while (at < box->used) {
        const uint8_t *entry = (const uint8_t *)(box + 1) + at;
        assert_true(entry[0] >= WFI_NAME_ID);
        if (entry[WFI_NAME_ID]) {
            ++names;
            assert_int_equal(entry[entry[0]], 0);
        }
        at += entry[0] + 1u;
    }
    assert_int_equal(at, box->used);
    assert_int_equal(names, status().names);
    assert_int_equal(fake_lock_errors, 0);
    assert_int_equal(fake_lock_depth, 0);
}

// ---- a reader, and the names it has received

static struct frame heard[HEARD_MAX];
static unsigned heard_count, frames_count, infos, syncs;
static struct receiver receiver;

static void forget_heard(void) {
    memset(&receiver, 0, sizeof receiver);
    heard_count = frames_count = infos = syncs = 0;
}

static void hear(uint8_t byte) {
    struct frame f;
    if (!receive(&receiver, byte, &f)) return;
    ++frames_count;
    uint8_t id = f.bytes[1];
    infos += id == WF_ID_target_info;
    syncs += id == WF_ID_sync;
    if ((id < WF_ID_sig_dict || id > WF_ID_usr_dict) && id != WF_ID_enum_dict &&
        id != WF_ID_irq_dict)
        return;
    if (heard_count < HEARD_MAX) heard[heard_count++] = f;
}

static unsigned read_all(void) {
    unsigned n = 0;
    for (int byte; n < 100000 && (byte = wf_get_byte()) >= 0; ++n) hear((uint8_t)byte);
    return n;
}

static unsigned times_heard(uint8_t id, const char *name) {
    unsigned n = 0;
    for (unsigned i = 0; i < heard_count; ++i) {
        const char *end = (const char *)heard[i].bytes + heard[i].len;
        n += heard[i].bytes[1] == id && strcmp(end - strlen(name) - 1, name) == 0;
    }
    return n;
}

static unsigned different_heard(void) {
    unsigned n = 0;
    for (unsigned i = 0; i < heard_count; ++i) {
        unsigned k = 0;
        while (k < i && (heard[k].len != heard[i].len ||
                         memcmp(heard[k].bytes + 1, heard[i].bytes + 1, heard[i].len - 1) != 0))
            ++k;
        n += k == i;
    }
    return n;
}

static const char *name_of(unsigned i) {
    static char name[24];
    snprintf(name, sizeof name, "thing_%u", i);
    return name;
}

static void announce(unsigned count) {
    for (unsigned i = 0; i < count; ++i) WF_NAME(&things[i], name_of(i));
}

static void record(unsigned count) {
    while (count--) {
        fake_clock += 10;
        WF_REC(isr_entry, 0, 1, 2);
    }
}

// ---- tests

static void without_memory_all_is_as_before(void **state) {
    (void)state;
    start(ring, 1024);
    assert_true(wf_names_start(NULL, 0, 0));
    announce(2);
    forget_heard();
    read_all();
    assert_int_equal(heard_count, 2);
    wf_names_tell();
    assert_int_equal(read_all(), 0);
    assert_int_equal(status().size, 0);
    assert_false(wf_names_start(table, WF_NAMES_MIN - 1, 0));
    assert_false(wf_names_start((uint8_t *)table + 2, 256, 0));
    wf_names_tell();
    assert_int_equal(read_all(), 0);
}

static void announce_all_kinds(void) {
    WF_SIG_DICTIONARY(7, NULL);
    WF_SIG_DICTIONARY(7, &things[101]);
    WF_OBJ_DICTIONARY(&things[102]);
    WF_OBJ_ARR_DICTIONARY(&things[103], 3);
    WF_FUN_DICTIONARY(read_all);
    WF_USR_DICTIONARY(WF_USER + 4);
    WF_ENUM_DICTIONARY(5, 3);
    WF_IRQ_NAME(0x1234, "USART1");
}

static void all_kinds_are_told_as_they_were(void **state) {
    (void)state;
    static struct frame first[9];
    begin(1024, TABLE, 0);
    announce_all_kinds();
    forget_heard();
    read_all();
    assert_int_equal(heard_count, 8);
    memcpy(first, heard, sizeof first);
    wf_names_tell();
    forget_heard();
    read_all();
    assert_int_equal(heard_count, 8);
    assert_int_equal(infos, 1);
    for (unsigned i = 0; i < 8; ++i) {
        assert_int_equal(heard[i].len, first[i].len);
        assert_memory_equal(heard[i].bytes + 1, first[i].bytes + 1, first[i].len - 1);
    }
    assert_int_equal(status().told, 8);
    assert_int_equal(read_all(), 0); // and not repeated
    check_table();
}

static void a_new_name_takes_the_place_of_the_old(void **state) {
    (void)state;
    begin(1024, TABLE, 0);
    announce(3);
    const uint32_t used = status().used;
    WF_NAME(&things[1], "thing_1"); // the same name
    assert_int_equal(status().used, used);
    WF_NAME(&things[1], "other_1");
    assert_int_equal(status().used, used);
    assert_int_equal(status().names, 3);
    read_all();
    wf_names_tell();
    forget_heard();
    read_all();
    assert_int_equal(heard_count, 3);
    assert_int_equal(times_heard(WF_ID_obj_dict, "other_1"), 1);
    assert_int_equal(times_heard(WF_ID_obj_dict, "thing_1"), 0);
    check_table();
}

static void what_is_gone_is_not_told(void **state) {
    (void)state;
    begin(1024, TABLE, 0);
    WF_TASK_CREATE(&things[0], 1, "task");
    WF_OBJECT(mutex_create, &things[1]);
    WF_NAME(&things[1], "mutex");
    WF_OBJECT_N(queue_create, &things[2], 4);
    WF_NAME(&things[2], "queue");
    WF_NAME(&things[3], "stays");
    WF_TASK_DELETE(&things[0]);
    WF_OBJECT(mutex_delete, &things[1]);
    WF_OBJECT_N(queue_create, &things[2], 4); // another object, without a name
    wf_names_forget(&things[99]);
    assert_int_equal(status().names, 1);
    read_all();
    wf_names_tell();
    forget_heard();
    read_all();
    assert_int_equal(heard_count, 1);
    assert_int_equal(times_heard(WF_ID_obj_dict, "stays"), 1);
    check_table();
}

static void a_full_table_counts_what_it_does_not_keep(void **state) {
    (void)state;
    static char text[300];
    begin(1024, 256, 0);
    announce(40);
    struct wf_names_status s = status();
    assert_true(s.names > 3 && s.refused > 3);
    assert_int_equal(s.names + s.refused, 40);
    wf_names_forget(&things[0]);
    wf_names_forget(&things[1]);
    WF_NAME(&things[50], "as_long_as_two_together");
    assert_int_equal(status().names, s.names - 1);
    assert_int_equal(status().refused, s.refused);
    memset(text, 'x', sizeof text - 1);
    WF_NAME(&things[50], text); // too long: the old name is removed too
    assert_int_equal(status().refused, s.refused + 1);
    assert_int_equal(status().names, s.names - 2);
    check_table();
}

static void gaps_are_used_again_for_ever(void **state) {
    (void)state;
    uint32_t seed = 1;
    bool there[30] = {false};
    begin(1024, TABLE, 0);
    for (unsigned i = 0; i < 20000; ++i) {
        static const char *const names[] = {"a", "a_long_name_indeed", "b", "middling", ""};
        seed = seed * 1664525u + 1013904223u;
        unsigned k = (seed >> 8) % 20, n = (seed >> 16) % 6;
        if (n == 5)
            wf_names_forget(&things[k]);
        else
            WF_NAME(&things[k], names[n]);
        there[k] = n != 5;
        if (seed >> 28 == 0) read_all(); // this also joins gaps
        if (i % 100 == 0) check_table();
    }
    unsigned names = 0;
    for (unsigned k = 0; k < 20; ++k) names += there[k];
    assert_int_equal(status().names, names);
    assert_int_equal(status().refused, 0);
}

// The size from the macro is sufficient.
static void the_size_is_as_told(void **state) {
    (void)state;
    static uint32_t exact[WF_NAMES_SIZE(10, 70) / 4];
    start(ring, 1024);
    assert_true(wf_names_start(exact, sizeof exact, 0));
    announce(10); // seven characters each
    assert_int_equal(status().names, 10);
    assert_int_equal(status().refused, 0);
}

static void a_ring_that_wrapped_names_itself(void **state) {
    (void)state;
    begin(256, TABLE, 0);
    announce(20);
    record(1000); // no reads
    forget_heard();
    for (unsigned i = 0; i < 100; ++i) {
        read_all();
        record(1); // 10 ms
        fake_clock += 10000;
    }
    assert_int_equal(different_heard(), 20);
    assert_true(syncs > 0);
    check_table();
}

// One second with 100 reads of a block each; between reads more records are made than are read.
static void an_overrun_ring_has_all_names(uint32_t size, unsigned records, unsigned block) {
    begin(size, TABLE, 0);
    announce(20);
    record(1000);
    forget_heard();
    wf_names_tell();
    for (unsigned i = 0; i < 100; ++i) {
        const uint8_t *from;
        for (unsigned left = block, n; left && (n = wf_get_block(&from, left)) != 0; left -= n) {
            for (unsigned k = 0; k < n; ++k) hear(from[k]);
            wf_block_done(n);
        }
        record(records);
        fake_clock += 10000 - 10 * records;
    }
    if (different_heard() != 20)
        fail_msg("ring of %u bytes, %u records for each %u bytes: %u of 20 names", size, records,
                 block, different_heard());
    check_table();
    // At least half of the frames must be other records.
    assert_true(heard_count * 2 < frames_count);
}

static void overrun_rings_have_all_names(void **state) {
    (void)state;
    an_overrun_ring_has_all_names(1024, 20, 128);
    an_overrun_ring_has_all_names(256, 20, 128);
    an_overrun_ring_has_all_names(256, 200, 64);
    an_overrun_ring_has_all_names(4096, 500, 512);
}

static void only_a_loss_that_may_have_taken_names_repeats_them(void **state) {
    (void)state;
    begin(1024, TABLE, WF_NAMES_NEVER);
    announce(5);
    read_all();
    for (unsigned i = 0; i < 3; ++i) { // all names were read
        fake_clock += 5000000;
        record(500);
        forget_heard();
        read_all();
        read_all();
        assert_int_equal(heard_count, 0);
    }
    fake_clock += 5000000;
    WF_NAME(&things[90], "late_one");
    record(500); // the ring drops it
    forget_heard();
    for (unsigned i = 0; i < 20; ++i) read_all();
    assert_int_equal(times_heard(WF_ID_obj_dict, "late_one"), 1);
    assert_int_equal(different_heard(), 6);
}

static void the_background_is_bounded(void **state) {
    (void)state;
    enum { SECOND = 1000000, STEP_US = 1000, SECONDS = 20 };
    struct wf_names_status s;
    begin(4096, 16384, 0);
    announce(400);
    for (unsigned i = 0; i < 100; ++i) read_all();
    s = status();
    assert_true(s.refused == 0 && s.used > 4 * WF_NAMES_RATE);
    const unsigned from = s.told;
    forget_heard();
    for (unsigned us = 0; us < SECONDS * SECOND; us += STEP_US) {
        record(1);
        fake_clock += STEP_US - 10;
        read_all();
    }
    const unsigned told = status().told - from, most = SECONDS * WF_NAMES_RATE * s.names / s.used;
    assert_in_range(told, most - most / 20, most + 64);
}

static void any_stretch_names_itself(void **state) {
    (void)state;
    enum { PERIOD = 3, STEP_US = 20000, SECOND = 1000000 };
    begin(1024, TABLE, PERIOD);
    announce_all_kinds();
    announce(10);
    read_all();
    for (unsigned stretch = 0; stretch < 5; ++stretch) {
        forget_heard();
        for (unsigned us = 0; us < PERIOD * SECOND + PERIOD * SECOND / 16; us += STEP_US) {
            record(2);
            fake_clock += STEP_US - 20;
            read_all();
        }
        assert_int_equal(different_heard(), 18);
        assert_true(heard_count <= 22); // at a low rate
    }
    begin(1024, TABLE, WF_NAMES_NEVER);
    announce(10);
    read_all();
    forget_heard();
    for (unsigned i = 0; i < 1000; ++i) {
        record(1);
        fake_clock += STEP_US;
        read_all();
    }
    assert_int_equal(heard_count, 0);
}

static void a_reader_of_an_idle_target_gets_them(void **state) {
    (void)state;
    begin(1024, TABLE, 0);
    announce(30);
    read_all();
    forget_heard();
    wf_names_tell();
    read_all();
    assert_int_equal(different_heard(), 30);
    assert_int_equal(infos, 1);
    assert_int_equal(syncs, 1);
    assert_int_equal(frames_count, 32);
}

static void loss_alone_has_all_told(void **state) {
    (void)state;
    begin(1024, TABLE, WF_NAMES_NEVER);
    announce(30);
    record(500); // more than the ring holds
    forget_heard();
    fake_clock += 1000000;
    read_all();
    assert_int_equal(different_heard(), 30);
    forget_heard();
    record(20);
    fake_clock += 1000000;
    read_all();
    assert_int_equal(heard_count, 0); // no loss
}

// Names do not push out records while both fit.
static void names_wait_for_room(void **state) {
    (void)state;
    begin(1024, TABLE, 0);
    announce(30);
    read_all();
    forget_heard();
    struct wf_status before, after;
    wf_get_status(&before);
    wf_names_tell();
    for (unsigned i = 0; i < 200; ++i) {
        record(4);
        for (unsigned k = 0; k < 70; ++k) {
            int byte = wf_get_byte();
            if (byte >= 0) hear((uint8_t)byte);
        }
    }
    wf_get_status(&after);
    assert_int_equal(after.lost, before.lost);
    assert_int_equal(different_heard(), 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_all_is_as_before),
        cmocka_unit_test(all_kinds_are_told_as_they_were),
        cmocka_unit_test(a_new_name_takes_the_place_of_the_old),
        cmocka_unit_test(what_is_gone_is_not_told),
        cmocka_unit_test(a_full_table_counts_what_it_does_not_keep),
        cmocka_unit_test(gaps_are_used_again_for_ever),
        cmocka_unit_test(the_size_is_as_told),
        cmocka_unit_test(a_ring_that_wrapped_names_itself),
        cmocka_unit_test(overrun_rings_have_all_names),
        cmocka_unit_test(only_a_loss_that_may_have_taken_names_repeats_them),
        cmocka_unit_test(the_background_is_bounded),
        cmocka_unit_test(any_stretch_names_itself),
        cmocka_unit_test(a_reader_of_an_idle_target_gets_them),
        cmocka_unit_test(loss_alone_has_all_told),
        cmocka_unit_test(names_wait_for_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
