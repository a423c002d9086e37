// SPDX-License-Identifier: MIT
// Log lines: the input is a format, a zero, and the elements that fill it.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "writers/wfi_sentence.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { USER = 100, TEXT_AT = 0x1000, FORMAT_MAX = 400 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = memchr(data, 0, size);
    size_t len = zero ? (size_t)(zero - data) : size;
    if (len > FORMAT_MAX || size > 900) return 0;
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    uint8_t name[4 + FORMAT_MAX + 1] = {TEXT_AT & 0xFF, TEXT_AT >> 8};
    uint8_t payload[1024] = {0, 0, 0, 0, WF_ELEMENT_obj, TEXT_AT & 0xFF, TEXT_AT >> 8};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wfi_strbuf t;
    bool failed = false;
    if (!s || !wfi_strbuf_open(&t, &failed)) abort();
    memcpy(name + 4, data, len);
    wf_session_learn(s, 61, name, 4 + len + 1);
    if (zero) memcpy(payload + 9, zero + 1, size - len - 1);
    struct wf_record r = {.id = USER, .payload = payload, .len = 9 + (zero ? size - len - 1 : 0)};
    wfi_decode(s, &r);
    wfi_put_log(s, &r, &t);
    for (const char *c = t.buf; c < t.end; ++c) {
        if ((unsigned char)*c < ' ' || *c == 0x7F) abort(); // one line, without control characters
    }
    wfi_strbuf_close(&t);
    wf_session_close(s);
    return 0;
}
