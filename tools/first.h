// SPDX-License-Identifier: MIT
// What a stream is, told from its first bytes: frames, slots or lines of transmission text.
#ifndef FIRST_H
#define FIRST_H

#include "wallfly_host/wf_text_trace.h"

enum first_is { FIRST_UNKNOWN, FIRST_FRAMES, FIRST_SLOTS, FIRST_TEXT };

// The bytes kept until it is told.
struct first {
    uint8_t bytes[WF_TEXT_TELLS];
    size_t len;
};

// Takes what it needs of what came (which moves on). UNKNOWN: it was too little to tell, and all is
// taken.
enum first_is first_take(struct first *first, const uint8_t **bytes, size_t *len);
// There are no more: what they are taken for.
enum first_is first_end(const struct first *first);

#endif
