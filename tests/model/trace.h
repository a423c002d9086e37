// SPDX-License-Identifier: MIT
// A random schedule, recorded, with the truth behind each of its events; and a run of the host over
// its bytes, compared with it record by record.
#ifndef TRACE_H
#define TRACE_H

#include <stdio.h>

#include "check.h"
#include "lines.h"

enum { EVENTS = 3000, BYTES = 1 << 20, FRAMES = 8 * EVENTS };

struct trace {
    struct kernel kernel;
    struct k_truth truth[EVENTS + 64];
    unsigned count;
    uint64_t now;
    uint32_t random;
    bool drains; // after every event
    uint8_t bytes[BYTES];
    size_t len;
    size_t frame[FRAMES]; // where each begins
    unsigned frames;
    unsigned first_safe; // frame from which on losses may be: each core has been told
};
extern struct trace trace;
extern unsigned seeds; // of each test

struct run {
    struct wf_session *s;
    struct wf_model *m;
    struct follower *f;
    struct lines *lines;
    unsigned at; // truth
    bool exact;
    struct known known;
    unsigned losses;
    FILE *kept; // null: not wanted
};

uint32_t rnd(uint32_t below);
// Starts the recorder and the kernel's first tasks: by the seed with 1 to 4 cores, and one of the
// ways to hand over. size: of the ring, in bytes or slots.
void begin(uint32_t seed, unsigned size);
void keep_frames(void); // those that wait
void go(unsigned events);

void open_run(struct run *r, bool exact);
void close_run(struct run *r);
void take(struct run *r, const struct wf_item *item);
void complain(const struct run *r, const char *bad); // fails if it is not null
void feed(struct run *r, const uint8_t *bytes, size_t len);
void finish(struct run *r); // the trace ends
void end_model(struct run *r);

void add(struct known *sum, const struct known *k);
unsigned share(const uint64_t of[2]); // known, of 1000
// What must be known at least, of 1000.
void expect_known(const char *what, const struct known *k, unsigned cores, unsigned states,
                  unsigned waits, unsigned holders, unsigned counts);
// SEEDS FOLDER: how many, and where to keep the bytes of each run as N.trace.
void read_arguments(int argc, char **argv);
void keep_bytes(struct run *r, const uint8_t *bytes, size_t len);

#endif
