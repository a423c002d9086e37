// SPDX-License-Identifier: MIT
// The agent's intake: over losses, repeats, restarts and failed writes the spool has each stream
// once and in order; a device is answered when its bytes are safe, and not before.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "spool_tests.h"
#include "wallfly_backend/wf_intake.h"

enum { DEVICES = 12, LONGEST = 200000 };

// ---- devices

static struct device {
    uint64_t acknowledged; // it goes on from here
    uint64_t told;         // the greatest offset that it was told
    unsigned answers;
} devices[DEVICES];

static void on_answer(void *ctx, const struct wf_intake_answer *a) {
    struct device *d = a->client;
    char name[16];
    (void)ctx;
    snprintf(name, sizeof name, "board-%u", (unsigned)(d - devices));
    assert_string_equal(a->device, name);
    assert_int_equal(a->stream, 1000 + (d - devices));
    ++d->answers;
    if (a->wanted > d->told) d->told = a->wanted;
    if (chance(3)) d->acknowledged = a->wanted; // else the answer is lost
}

static struct wf_intake *open_intake(uint64_t most_bytes) {
    const struct wf_intake_options o = {.size = sizeof o,
                                        .spool = {.size = sizeof o.spool,
                                                  .folder = folder,
                                                  .file_bytes = 20000,
                                                  .most_bytes = most_bytes},
                                        .answer = on_answer};
    struct wf_error error;
    struct wf_intake *in = wf_intake_open(&o, &error);
    if (!in) fail_msg("%s", error.text);
    return in;
}

// Makes a message of one or two chunks from an offset of the device.
static size_t make_message(unsigned device, uint64_t offset, uint8_t *to) {
    uint8_t content[3000];
    size_t len = 0;
    for (unsigned i = chance(4) == 0 ? 2 : 1; i > 0; --i) {
        struct wf_fleet_chunk chunk = {.stream = 1000 + device,
                                       .flags = offset ? 0 : WF_FLEET_CHUNK_BEGINS,
                                       .offset = offset,
                                       .bytes = content,
                                       .len = 1 + chance(sizeof content - 1)};
        for (size_t k = 0; k < chunk.len; ++k) content[k] = byte_of(device, offset + k);
        len += wf_fleet_chunk_write(&chunk, to + len);
        offset += chunk.len;
    }
    return len;
}

static int send_one(struct wf_intake *in, unsigned device) {
    static uint8_t message[2 * (3000 + WF_FLEET_CHUNK_FRAME)];
    char name[16];
    struct device *d = &devices[device];
    struct wf_error error;
    uint64_t offset = d->acknowledged;
    if (chance(10) == 0) offset += 1 + chance(2000); // a message before it is lost
    if (chance(10) == 0) offset = chance((uint32_t)d->acknowledged + 1);
    snprintf(name, sizeof name, "board-%u", device);
    const size_t len = make_message(device, offset, message);
    return wf_intake_take(in, name, message, len, d, &error);
}

// ---- what is in the spool

static void check_spool(struct wf_intake *in, uint64_t position, uint64_t next[DEVICES]) {
    struct wf_spool *spool = wf_intake_spool(in);
    struct wf_spool_reader *r = wf_spool_reader_open(folder, position, NULL);
    struct wf_spool_entry e;
    while (wf_spool_next(r, wf_spool_end(spool), &e)) {
        const unsigned device = (unsigned)atoi(e.device + 6);
        assert_int_equal(e.chunk.stream, 1000 + device);
        assert_int_equal(e.chunk.offset, next[device]);
        for (size_t k = 0; k < e.chunk.len; ++k)
            assert_int_equal(e.chunk.bytes[k], byte_of(device, e.chunk.offset + k));
        next[device] += e.chunk.len;
    }
    assert_int_equal(wf_spool_skipped(r), 0);
    wf_spool_reader_close(r);
    for (unsigned i = 0; i < DEVICES; ++i) assert_true(next[i] >= devices[i].told);
}

static void begin(uint32_t number) {
    seed = number;
    memset(devices, 0, sizeof devices);
}

// ---- tests

static void streams_are_there_once_and_in_order(void **state) {
    (void)state;
    uint64_t next[DEVICES] = {0}, worked_off = 0;
    begin(3);
    struct wf_intake *in = open_intake(0);
    for (unsigned round = 0; round < 400; ++round) {
        for (unsigned i = chance(20); i > 0; --i)
            assert_int_equal(send_one(in, chance(DEVICES)), WF_OK);
        if (chance(3) == 0) assert_int_equal(wf_intake_sync(in, NULL), WF_OK);
        if (chance(20) == 0) { // all that is safe is worked off
            const uint64_t end = wf_spool_end(wf_intake_spool(in));
            assert_int_equal(wf_intake_sync(in, NULL), WF_OK);
            check_spool(in, worked_off, next);
            worked_off = wf_spool_end(wf_intake_spool(in));
            assert_true(worked_off >= end);
            assert_int_equal(wf_intake_save(in, worked_off, NULL), WF_OK);
        }
        if (chance(25)) continue;
        wf_intake_close(in); // what was not synced is gone
        in = open_intake(0);
        assert_true(wf_intake_done(in) <= worked_off);
    }
    assert_int_equal(wf_intake_sync(in, NULL), WF_OK);
    check_spool(in, worked_off, next);
    uint64_t sum = 0;
    for (unsigned i = 0; i < DEVICES; ++i) {
        assert_true(devices[i].answers > 0);
        sum += next[i];
    }
    assert_true(sum > 500000);
    wf_intake_close(in);
}

static unsigned answers(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < DEVICES; ++i) sum += devices[i].answers;
    return sum;
}

static void nothing_is_answered_before_it_is_safe(void **state) {
    (void)state;
    struct wf_error error;
    struct rlimit was, few;
    begin(9);
    struct wf_intake *in = open_intake(0);
    for (unsigned i = 0; i < DEVICES; ++i) assert_int_equal(send_one(in, i), WF_OK);
    assert_int_equal(answers(), 0);
    assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    assert_int_equal(answers(), DEVICES);
    const struct wf_intake_totals before = *wf_intake_totals(in);
    // The disk is full: no answer, and the devices send it again.
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    few = was;
    few.rlim_cur = 100; // bytes of a file
    setrlimit(RLIMIT_FSIZE, &few);
    for (unsigned i = 0; i < DEVICES; ++i) assert_int_equal(send_one(in, i), WF_OK);
    assert_int_equal(wf_intake_sync(in, &error), WF_ERR_WRITE);
    setrlimit(RLIMIT_FSIZE, &was);
    assert_int_equal(answers(), DEVICES);
    assert_int_equal(wf_intake_totals(in)->chunks, before.chunks);
    assert_int_equal(wf_intake_totals(in)->bytes, before.bytes);
    for (unsigned turn = 0; turn < 50; ++turn) {
        for (unsigned i = 0; i < DEVICES; ++i) assert_int_equal(send_one(in, i), WF_OK);
        assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    }
    uint64_t next[DEVICES] = {0};
    check_spool(in, 0, next);
    wf_intake_close(in);
}

static void a_full_spool_waits(void **state) {
    (void)state;
    struct wf_error error;
    unsigned refused = 0;
    begin(21);
    struct wf_intake *in = open_intake(100000);
    for (unsigned i = 0; i < 200; ++i) {
        int err = send_one(in, i % DEVICES);
        assert_true(err == WF_OK || err == WF_ERR_TOO_MANY);
        refused += err != WF_OK;
        assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    }
    assert_true(refused > 50);
    uint64_t next[DEVICES] = {0};
    check_spool(in, 0, next);
    const uint64_t done = wf_spool_end(wf_intake_spool(in));
    assert_int_equal(wf_intake_save(in, done, &error), WF_OK);
    for (unsigned i = 0; i < DEVICES; ++i) assert_int_equal(send_one(in, i), WF_OK);
    assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    check_spool(in, done, next);
    wf_intake_close(in);
}

static void bad_messages_are_refused(void **state) {
    (void)state;
    struct wf_error error;
    uint8_t message[2 * (3000 + WF_FLEET_CHUNK_FRAME)];
    begin(5);
    struct wf_intake *in = open_intake(0);
    size_t len;
    do len = make_message(1, 0, message);
    while (len < 4000);    // two chunks
    message[len - 1] ^= 1; // the second one is damaged
    assert_int_equal(wf_intake_take(in, "board-1", message, len, &devices[1], &error),
                     WF_ERR_BAD_CHUNK);
    assert_string_equal(error.text, "the chunk's checksum is wrong");
    assert_int_equal(wf_intake_totals(in)->chunks, 1);
    assert_int_equal(wf_intake_take(in, "../board", message, len, NULL, &error), WF_ERR_USAGE);
    assert_int_equal(wf_intake_take(in, "", message, len, NULL, &error), WF_ERR_USAGE);
    assert_int_equal(wf_intake_take(in, "board-1", message, 0, NULL, &error), WF_ERR_BAD_CHUNK);
    assert_int_equal(wf_intake_totals(in)->bad, 2);
    assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    assert_int_equal(devices[1].answers, 1);
    wf_intake_close(in);
}

// Streams of long ago are forgotten, so that the table does not grow for ever.
static void the_table_is_kept(void **state) {
    (void)state;
    struct wf_error error;
    begin(7);
    struct wf_intake *in = open_intake(0);
    assert_int_equal(send_one(in, 3), WF_OK);
    assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    devices[3].acknowledged = devices[3].told;
    // Worked off and dropped from the spool, it is in the table alone.
    for (unsigned i = 0; i < 40; ++i) {
        devices[4].acknowledged = devices[4].told;
        assert_int_equal(send_one(in, 4), WF_OK);
        assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    }
    const uint64_t end = wf_spool_end(wf_intake_spool(in));
    assert_int_equal(wf_intake_save(in, end, &error), WF_OK);
    assert_true(wf_spool_begin(wf_intake_spool(in)) > 0);
    wf_intake_close(in);
    in = open_intake(0);
    assert_int_equal(wf_intake_done(in), end);
    const uint64_t told = devices[3].told;
    devices[3].told = 0;
    uint8_t message[2 * (3000 + WF_FLEET_CHUNK_FRAME)];
    const size_t len = make_message(3, 0, message); // a repeat
    assert_int_equal(wf_intake_take(in, "board-3", message, len, &devices[3], &error), WF_OK);
    assert_int_equal(wf_intake_sync(in, &error), WF_OK);
    assert_true(devices[3].told >= told);
    wf_intake_close(in);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(streams_are_there_once_and_in_order),
        TEST(nothing_is_answered_before_it_is_safe),
        TEST(a_full_spool_waits),
        TEST(bad_messages_are_refused),
        TEST(the_table_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
