// SPDX-License-Identifier: MIT
// An inverted line. A receiver takes the first low bit inside a byte for a start bit, so it gets
// other bytes at other places, and loses all zeros before that bit: the bytes cannot be restored.
// But after the flag 7E, whose six ones are a long low level, it is always at the same place. The
// byte received there is always the same; the next byte has the inverted sequence number of the
// frame, or a part of it: it counts down. Which byte the flag becomes depends on gaps, on the first
// byte of frames and on what the UART does after a framing error, so all frequent ones are tried.
//
// Nothing else counts down behind one and the same byte: with streams of the examples at 10 wrong
// rates and with noise the score is at most 8, with inverted ones 12 to 63 from 1200 bytes on.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"

enum { FREQUENT = 12, OFTEN = 16, SEVEN = 0x7F, STEP_MAX = 4, VALUES_MIN = 12 };
static const double score_min = 12, share_min = 0.3;

// Numbers that follow a byte. All have the same remaining bit.
struct followers {
    uint8_t before[2]; // the last two
    unsigned count;
    unsigned down[2], up[2]; // steps, from the last number and from the one before
};

static void add_number(struct followers *f, uint8_t number) {
    for (unsigned lag = 0; lag < 2 && lag < f->count; ++lag) {
        unsigned down = (unsigned)(f->before[lag] - number) & SEVEN;
        unsigned up = (unsigned)(number - f->before[lag]) & SEVEN;
        f->down[lag] += down >= 1 && down <= STEP_MAX;
        f->up[lag] += up >= 1 && up <= STEP_MAX;
    }
    f->before[1] = f->before[0];
    f->before[0] = number;
    ++f->count;
}

// How far the steps down exceed those of random numbers, in standard deviations.
static double score(const struct followers *f, unsigned lag, double *share) {
    double steps = (double)f->count - 1 - lag, chance = (double)STEP_MAX / (SEVEN + 1);
    double excess = (double)f->down[lag] - f->up[lag];
    if (f->count < VALUES_MIN) return 0;
    *share = excess / steps;
    return (excess - steps * chance) / sqrt(steps * chance * (1 - chance));
}

// The seven bits are the high or the low ones; the remaining bit tells two kinds of numbers apart.
static double best_score(const uint8_t *bytes, size_t len, uint8_t flag, double *share) {
    struct followers followers[2][2] = {{{.count = 0}}};
    double best = 0;
    for (size_t i = 0; i + 1 < len; ++i) {
        uint8_t next = bytes[i + 1];
        if (bytes[i] != flag) continue;
        add_number(&followers[0][next >> 7], next & SEVEN);
        add_number(&followers[1][next & 1], next >> 1);
    }
    for (unsigned i = 0; i < 8; ++i) {
        double part = 0, one = score(&followers[i >> 2][i >> 1 & 1], i & 1, &part);
        if (one <= best || part < share_min) continue;
        best = one;
        *share = part;
    }
    return best;
}

// Returns the byte that occurs most often, and forgets it.
static uint8_t take_most(size_t counts[256], size_t *count) {
    unsigned most = 0;
    for (unsigned i = 1; i < 256; ++i) {
        if (counts[i] > counts[most]) most = i;
    }
    *count = counts[most];
    counts[most] = 0;
    return (uint8_t)most;
}

bool bytes_are_inverted(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]) {
    size_t counts[256] = {0}, count;
    for (size_t i = 0; i < len; ++i) ++counts[bytes[i]];
    counts[0x7E] = counts[0] = 0; // there the line is not inverted, or it is a break
    for (unsigned i = 0; i < FREQUENT; ++i) {
        double share = 0;
        uint8_t flag = take_most(counts, &count);
        if (count < OFTEN) return false;
        if (best_score(bytes, len, flag, &share) < score_min) continue;
        snprintf(evidence, BYTES_EVIDENCE,
                 "of %zu bytes %zu are %02X, and %.0f %% of the numbers after them count down", len,
                 count, flag, 100 * share);
        return true;
    }
    return false;
}
