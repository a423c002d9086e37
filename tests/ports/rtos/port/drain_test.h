// SPDX-License-Identifier: MIT
// A drain task on a simulated kernel: NAME/drain.c defines the kernel's functions, which call
// blocks and sleeps of this file, and the macros START and DONE. The task has the CPU until it
// sleeps for the last time; the stream goes to stdout. Link by argument: copy (takes all), half
// (takes a part, then nothing), gone (disconnects and returns), dma, irq (one byte at a time).
// Names are announced at the beginning; the name table repeats them once a second. stderr: the
// number of records made, and the stream offsets at the begin and end of a second in which only the
// task itself records (plus the periods that `half` needs for a frame).
#ifndef DRAIN_TEST_H
#define DRAIN_TEST_H

#include <setjmp.h>

#include "check.h"

int main(int argc, char **argv);

enum {
    PERIODS = 400,
    WITH_RECORDS = 30,
    LATE = 200,
    SECOND = 100,
    FRAME = 5,
    PIECE = 128,
    PERIOD_MS = 10
};
static struct wf_drain drain;
static jmp_buf done;
static const char *mode;
static unsigned periods, pieces, counter;
static const uint8_t *lent;
static uint8_t copy[PIECE];
static uint32_t lent_len;
static long late_from, late_to;

static void record(unsigned n) {
    while (n--) {
        WF_COUNTER(&counter, counter);
        ++counter;
    }
}

// The link: writes or starts a transfer.
static int32_t write_some(void *ctx, const uint8_t *bytes, uint32_t len) {
    CHECK(ctx == &drain);
    CHECK(len > 0 && len <= PIECE);
    ++pieces;
    if (!strcmp(mode, "half") && len > 1) len /= 2;
    if (!strcmp(mode, "gone") && periods % 4 == 1) return -1;
    if (!drain.lends) {
        fwrite(bytes, 1, len, stdout);
    } else {
        lent = bytes;
        lent_len = len;
        memcpy(copy, bytes, len);
    }
    return (int32_t)len;
}

// The task waits for the end of a piece: the kernel switches, records are made, some push out old
// ones, and the interrupt sends the lent bytes, unchanged.
static void blocks(void) {
    CHECK(drain.lends && lent);
    record(3);
    CHECK(!memcmp(lent, copy, lent_len));
    if (!strcmp(mode, "irq")) {
        for (int byte; (byte = wf_drain_byte(&drain)) >= 0; --lent_len) putchar(byte);
        CHECK(lent_len == 0);
    } else {
        fwrite(lent, 1, lent_len, stdout);
    }
    lent = NULL;
    DONE(&drain);
}

// Other tasks have the CPU for a period.
static void sleeps(unsigned long ticks, unsigned long expected) {
    CHECK(ticks == expected);
    CHECK(!lent);
    CHECK(pieces <= 60); // a pass ends, although the task's own waits make records
    pieces = 0;
    test_clock = (wfi.last > test_clock ? wfi.last : test_clock) + PERIOD_MS;
    if (++periods == PERIODS) longjmp(done, 1);
    if (periods == LATE) late_from = ftell(stdout);
    if (periods == LATE + SECOND + FRAME) late_to = ftell(stdout);
    if (periods < WITH_RECORDS) record(periods % 7);
}

int main(int argc, char **argv) {
    static uint8_t ring[4096];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000};
    static const struct wf_transport link = {write_some, NULL, NULL};
    static uint32_t names[64];
    static uint8_t named[4];
    static const char *const texts[] = {"late_one", "late_two", "late_three", "late_four"};
    CHECK(argc == 2);
    mode = argv[1];
    drain.transport = &link;
    drain.ctx = &drain;
    drain.lends = !strcmp(mode, "dma") || !strcmp(mode, "irq");
    drain.piece = PIECE;
    wf_start(&config);
    CHECK(wf_names_start(names, sizeof names, 1));
    wf_filter(WF_GRP_ALL);
    for (unsigned i = 0; i < 4; ++i) WF_NAME(&named[i], texts[i]);
    record(50);
    CHECK(START(&drain));
    if (!setjmp(done)) run_task();
    const uint8_t *rest;
    for (uint32_t len; (len = wf_get_block(&rest, PIECE)) != 0; wf_block_done(len))
        fwrite(rest, 1, len, stdout);
    fprintf(stderr, "%u %ld %ld\n", counter, late_from, late_to);
    return 0;
}

#endif
