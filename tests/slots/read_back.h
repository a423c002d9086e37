// SPDX-License-Identifier: MIT
// Reads the recorder's slots with the host: events with the numbers and names of QNX's interface.
// (Separate, because headers of wallfly_host and of the recorder are not included together.)
#ifndef READ_BACK_H
#define READ_BACK_H

#include <stddef.h>
#include <stdint.h>

#include "wf_slot.h"

enum { READ_WORDS = 128 };

struct read_event {
    unsigned cls, event;    // numbers of the interface; a bit if events are bits
    unsigned wide;          // the 64-bit variant
    const char *class_name; // "USER"
    const char *name;       // "PROCCREATE", or null
    unsigned count;         // of words
    uint32_t word[READ_WORDS];
};

// Returns how many events there were; fails the test if anything is damaged or lost.
unsigned read_back(const char *header, size_t header_len, const struct wf_slot *slots, size_t count,
                   struct read_event *to, unsigned max);

#endif
