// SPDX-License-Identifier: MIT
// Images of a target's memory. The first byte: 0: the rest is an image alone; otherwise the offset
// where a program's ELF file begins in it. A recovered stream goes through a session.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The most bytes of a stream: an escape for each byte; two SYNCs before a frame, which has at
// least four bytes; the object numbers first, after each of a few starts, and before the open
// frame.
static size_t most(size_t size) {
    enum { SYNC = 128, NUMBERS = 8 + 2 * 254 * 9, TIMES = 17 };
    return SYNC + 4 * size + size / 4 * 2 * SYNC + TIMES * NUMBERS + 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t len = size - 1, program = data[0] ? len * data[0] / 256 : len;
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_box box;
    if (wf_box_read(data + 1, program, data[0] ? data + 1 + program : NULL, len - program, &box) ==
        WF_OK) {
        if (box.len > most(size)) abort();
        struct wf_session *s = wf_session_open(&options, NULL);
        if (!s) abort();
        wf_session_feed(s, box.stream, box.len);
        wf_session_end(s);
        while (wf_session_next(s, &item)) {
        }
        const struct wf_ledger *l = wf_session_ledger(s);
        if (l->bytes != l->bytes_good + l->bytes_bad + l->bytes_idle + l->bytes_repeated) abort();
        wf_session_close(s);
    } else if (!box.problem[0] || box.stream) {
        abort();
    }
    wf_box_free(&box);
    return 0;
}
