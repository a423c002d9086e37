// SPDX-License-Identifier: MIT
// Bytes compressed as raw deflate and written in base64, as the file of `wallfly page` has them.
#ifndef PACKED_H
#define PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

struct packed {
    FILE *out;
    z_stream z;
    uint8_t rest[3]; // that make no four characters yet
    unsigned rest_len;
    bool failed;
};

bool packed_begin(struct packed *p, FILE *out); // false: out of memory
void packed_put(struct packed *p, const void *bytes, size_t len);
bool packed_end(struct packed *p); // false: something went wrong on the way

#endif
