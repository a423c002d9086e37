// SPDX-License-Identifier: MIT
// Shared by the tests of classes: a recorder, all slots it returns, and their events as read by the
// host.
#ifndef TRACE_H
#define TRACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "read_back.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_classes.h"

enum { SLOTS = 4 * WF_CFG_CHUNK, KEPT_MAX = 1 << 17, EVENTS_MAX = 1 << 14 };

wf_stamp test_now;
uint8_t test_core;
int test_locks;

static _Alignas(64) uint8_t memory[WF_SLOTS_SIZE(1, SLOTS)];
static struct wf_slots_reader reader;
static struct wf_slot kept[KEPT_MAX];
static unsigned kept_len;
static struct read_event events[EVENTS_MAX];

static bool test_has_thread;
static uint32_t test_pid, test_tid;
static unsigned test_thread_asked;

static bool thread(uint32_t *pid, uint32_t *tid) {
    ++test_thread_asked;
    *pid = test_pid;
    *tid = test_tid;
    return test_has_thread;
}

static void begin(bool keep_oldest, void (*state)(void)) {
    const struct wf_classes_hooks hooks = {thread, state};
    memset(memory, 0xA5, sizeof memory);
    const struct wf_slots_config config = {memory,      sizeof memory, 1, SLOTS,
                                           keep_oldest, 1000000,       0};
    test_now = 100;
    test_core = 0;
    assert_true(wf_slots_start(&config));
    memset(&wfi_classes, 0xA5, sizeof wfi_classes);
    wf_classes_init(&hooks);
    memset(&reader, 0, sizeof reader);
    kept_len = 0;
    test_has_thread = true;
    test_pid = test_tid = 1;
    test_locks = 0;
}

static void drain(void) {
    unsigned n;
    ++test_now;
    while ((n = wf_slots_read(&reader, 0, kept + kept_len, KEPT_MAX - kept_len, false)) != 0) {
        kept_len += n;
        assert_true(kept_len + SLOTS < KEPT_MAX);
    }
}

// Reads the events so far.
static unsigned read_events(void) {
    char header[WF_SLOTS_HEADER_MAX];
    drain();
    assert_int_equal(test_locks, 0);
    return read_back(header, wf_slots_header(header), kept, kept_len, events, EVENTS_MAX);
}

static uint64_t made(void) {
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    return status.made;
}

#endif
