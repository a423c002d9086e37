// SPDX-License-Identifier: MIT
// A random schedule, recorded, with the true state after each of its events; and a run of the host
// over its bytes, compared record by record.
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
    bool drains; // drain after every event
    uint8_t bytes[BYTES];
    size_t len;
    size_t frame[FRAMES]; // start offsets
    unsigned frames;
    unsigned first_safe; // first frame that may be lost: before it each core has had a record
};
extern struct trace trace;
extern unsigned seeds; // seeds for each test

struct run {
    struct wf_session *s;
    struct wf_model *m;
    struct follower *f;
    struct lines *lines;
    unsigned at; // index in truth
    bool exact;
    struct known known;
    unsigned losses;
    FILE *kept; // null: the bytes are not kept
};

uint32_t rnd(uint32_t below);
// Starts the recorder and the kernel's first tasks; the seed selects 1 to 4 cores and how objects
// are handed over. size: of the ring, in bytes or slots.
void begin(uint32_t seed, unsigned size);
void keep_frames(void); // the pending ones
void go(unsigned events);

void open_run(struct run *r, bool exact);
void close_run(struct run *r);
void take(struct run *r, const struct wf_item *item);
void diag_error(const struct run *r, const char *bad); // fails if `bad` is not null
void feed(struct run *r, const uint8_t *bytes, size_t len);
void finish(struct run *r); // ends the trace
void end_model(struct run *r);

void add(struct known *sum, const struct known *k);
unsigned share(const uint64_t of[2]); // known, of 1000
// The least known parts, of 1000.
void expect_known(const char *what, const struct known *k, unsigned cores, unsigned states,
                  unsigned waits, unsigned holders, unsigned counts);
// SEEDS FOLDER: the number of seeds, and the folder for the bytes of each run as N.trace.
void read_arguments(int argc, char **argv);
void keep_bytes(struct run *r, const uint8_t *bytes, size_t len);

#endif
