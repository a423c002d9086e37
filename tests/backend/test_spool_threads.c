// SPDX-License-Identifier: MIT
// The agent's two threads on one spool: one takes chunks in, saves, and drops files that are worked
// off; the other reads entries as they become safe, as the loader does. Each byte is read once.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/wfb_intake.h"
#include "spool_tests.h"
#include "wallfly_backend/wf_intake.h"

enum { DEVICES = 9, BATCHES = 1500, CONTENT = 3000 };

// What both threads have, as in the agent.
static struct shared {
    struct wf_spool *spool;
    atomic_bool sent; // all is in the spool
    atomic_uint_fast64_t done;
    const char *failed; // of the reader; after it has ended
    uint64_t read[DEVICES], entries;
} shared;

// ---- the loader's thread

static const char *take_entry(struct wfb_streams *streams, const struct wf_spool_entry *e) {
    const unsigned device = (unsigned)atoi(e->device + 6);
    struct wfb_stream *s = wfb_streams_get(streams, e->device, e->chunk.stream);
    if (!s || device >= DEVICES) return "a stream that was not sent";
    if (e->chunk.offset != s->order.wanted) return "a byte is missing, or is there twice";
    for (size_t i = 0; i < e->chunk.len; ++i)
        if (e->chunk.bytes[i] != byte_of(device, e->chunk.offset + i)) return "another byte";
    s->order.wanted += e->chunk.len;
    s->seen_s = ++shared.entries;
    shared.read[device] = s->order.wanted;
    return NULL;
}

static const char *read_all(struct wf_spool_reader *r, struct wfb_streams *streams) {
    struct wf_spool_entry e;
    const char *failed = NULL;
    for (bool last = false; !failed && !last;) {
        last = atomic_load(&shared.sent);
        while (!failed && wf_spool_next(r, wf_spool_end(shared.spool), &e)) {
            failed = take_entry(streams, &e);
            atomic_store(&shared.done, e.next);
        }
        if (!failed && wf_spool_reader_error(r) != WF_OK) failed = "the spool cannot be read";
    }
    return !failed && wf_spool_skipped(r) ? "bytes were dropped before they were read" : failed;
}

static void *reader(void *ctx) {
    struct wfb_streams streams = {0};
    struct wf_spool_reader *r = wf_spool_reader_open(folder, 0, NULL);
    (void)ctx;
    shared.failed = r ? read_all(r, &streams) : "no reader";
    wf_spool_reader_close(r);
    wfb_streams_close(&streams);
    return NULL;
}

// ---- the intake's thread

static uint64_t sent[DEVICES];

// A chunk that follows, or one of what was sent before, or both.
static void send_one(struct wf_intake *in, uint32_t n) {
    static uint8_t content[CONTENT], message[CONTENT + WF_FLEET_CHUNK_FRAME];
    struct wf_error error;
    char name[16];
    const unsigned device = n % DEVICES;
    const uint64_t back = n % 5 == 0 && sent[device] > 1000 ? 1000 : 0;
    const struct wf_fleet_chunk chunk = {.stream = 1000 + device,
                                         .offset = sent[device] - back,
                                         .bytes = content,
                                         .len = 1 + n * 37 % CONTENT};
    for (size_t i = 0; i < chunk.len; ++i) content[i] = byte_of(device, chunk.offset + i);
    snprintf(name, sizeof name, "board-%u", device);
    const size_t len = wf_fleet_chunk_write(&chunk, message);
    assert_int_equal(wf_intake_take(in, name, message, len, NULL, &error), WF_OK);
    if (chunk.offset + chunk.len > sent[device]) sent[device] = chunk.offset + chunk.len;
}

static void each_byte_is_read_once(void **state) {
    (void)state;
    const struct wf_intake_options o = {
        .size = sizeof o, .spool = {.size = sizeof o.spool, .folder = folder, .file_bytes = 50000}};
    struct wf_error error;
    struct wf_intake *in = wf_intake_open(&o, &error);
    assert_non_null(in);
    shared.spool = wf_intake_spool(in);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, reader, NULL), 0);
    for (uint32_t batch = 0, n = 0; batch < BATCHES; ++batch) {
        for (unsigned i = batch % 4; i > 0; --i) send_one(in, n++);
        assert_int_equal(wf_intake_sync(in, &error), WF_OK);
        if (batch % 16 == 0)
            assert_int_equal(wf_intake_save(in, atomic_load(&shared.done), &error), WF_OK);
    }
    atomic_store(&shared.sent, true);
    pthread_join(thread, NULL);
    if (shared.failed) fail_msg("%s", shared.failed);
    for (unsigned i = 0; i < DEVICES; ++i) assert_int_equal(shared.read[i], sent[i]);
    assert_true(shared.entries > 1000 && shared.done == wf_spool_end(shared.spool));
    assert_int_equal(wf_intake_save(in, shared.done, &error), WF_OK);
    assert_true(wf_spool_begin(shared.spool) > 1000000); // files were dropped
    wf_intake_close(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_byte_is_read_once, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
