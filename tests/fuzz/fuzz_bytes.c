// SPDX-License-Identifier: MIT
// Guesses of what bytes are that are no frames: any bytes, any length, and samples of them.

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char evidence[BYTES_EVIDENCE], text[64];
    size_t at, n = bytes_find_text(data, size, &at);
    if (n > size || (n && at > size - n)) abort();
    enum bytes_kind kind = bytes_guess(data, size, evidence);
    if (strlen(evidence) >= sizeof evidence || (kind != BYTES_UNKNOWN) != (*evidence != 0)) abort();
    bytes_quote(data, size, text, sizeof text);
    bytes_hex(data, size, text, sizeof text);
    return strlen(text) >= sizeof text;
}
