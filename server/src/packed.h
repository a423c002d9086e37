// SPDX-License-Identifier: MIT
// Bytes compressed as raw deflate and encoded as base64, as in the file of `wallfly page`.
#ifndef PACKED_H
#define PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

struct packed {
    FILE *out;
    z_stream z;
    uint8_t rest[3]; // bytes of an incomplete group of three
    unsigned rest_len;
    bool failed;
};

bool packed_begin(struct packed *p, FILE *out); // false: out of memory
void packed_put(struct packed *p, const void *bytes, size_t len);
bool packed_end(struct packed *p); // false: an error occurred

#endif
