// SPDX-License-Identifier: MIT
// A simulated schedule: starts the recorder, runs schedule(), writes the stream to stdout. With
// READ_LATE the ring wraps before a reader connects for one second; with a name table (READ_LATE
// bytes), whose names are repeated only in the background.
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "wallfly/wallfly.h"

static void schedule(void);
int main(void);

uint8_t test_core;
uint32_t test_clock;

#ifdef READ_LATE
enum { RING = WF_CFG_PACKED ? 384 : 256, SECOND = 1000 };
static uint32_t names[READ_LATE / 4];

// Prints the kept names: the last name of each object that was not deleted.
static int tell_kept(void) {
    struct wf_names_status status;
    wf_names_get_status(&status);
    fprintf(stderr, "%u names, %u refused\n", (unsigned)status.names, (unsigned)status.refused);
    return status.refused != 0;
}
#else
enum { RING = 65536 };
#endif

#if WF_CFG_SLOTS
#ifdef READ_LATE
static void read_core(struct wf_slots_reader *reader, unsigned core, bool end) {
    static struct wf_slot slots[512];
    for (unsigned n; (n = wf_slots_read(reader, core, slots, 512, end)) != 0;)
        fwrite(slots, sizeof *slots, n, stdout);
}

static void write_stream(void) {
    static struct wf_slots_reader readers[2];
    static char header[WF_SLOTS_HEADER_MAX];
    fwrite(header, 1, wf_slots_header(header), stdout);
    for (unsigned i = 0; i < SECOND; ++i, ++test_clock) {
        for (unsigned core = 0; core < 2; ++core) read_core(&readers[core], core, false);
    }
    for (unsigned core = 0; core < 2; ++core) read_core(&readers[core], core, true);
}
#else
static void write_stream(void) {}
#endif

int main(void) {
    static uint8_t memory[WF_SLOTS_SIZE(2, WF_SLOTS_MIN)] __attribute__((aligned(64)));
    static const struct wf_slots_config config = {memory,      sizeof memory, 2, WF_SLOTS_MIN,
                                                  RING != 256, 1000,          0};
    wf_slots_start(&config);
#else
static void write_waiting(void) {
    for (int byte; (byte = wf_get_byte()) >= 0;) putchar(byte);
}

static void write_stream(void) {
    write_waiting();
#ifdef READ_LATE
    for (const wf_stamp end = wfi.last + SECOND; wfi.last < end && test_clock < end;) {
        test_clock = wfi.last + 1 > test_clock ? wfi.last + 1 : test_clock + 1;
        write_waiting();
    }
#endif
}

int main(void) {
    static uint8_t ring[RING];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = 1000};
    wf_start(&config);
#endif
#ifdef READ_LATE
    wf_names_start(names, sizeof names, 1);
#endif
    wf_filter(WF_GRP_ALL);
    schedule();
#ifdef READ_LATE
    write_stream();
    return tell_kept();
#else
    write_stream();
    return 0;
#endif
}

#endif
