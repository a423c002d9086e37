// SPDX-License-Identifier: MIT
// Images of a target's memory. The first byte: 0: the rest is an image alone; otherwise the offset
// where a program's ELF file begins in it. A recovered stream goes through a session.

#include <stdint.h>
#include <stdlib.h>

#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t len = size - 1, program = data[0] ? len * data[0] / 256 : len;
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_item item;
    struct wf_box box;
    if (wf_box_read(data + 1, program, data[0] ? data + 1 + program : NULL, len - program, &box) ==
        WF_OK) {
        if (box.len > size + 128) abort();
        struct wf_session *s = wf_session_open(&options, NULL);
        if (!s) abort();
        wf_session_feed(s, box.stream, box.len);
        wf_session_end(s);
        while (wf_session_next(s, &item)) {
        }
        wf_session_close(s);
    } else if (!box.problem[0] || box.stream) {
        abort();
    }
    wf_box_free(&box);
    return 0;
}
