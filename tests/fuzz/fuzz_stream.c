// SPDX-License-Identifier: MIT
// Bytes of a link: decoded in both dialects and written in every format, in two pieces. The first
// byte chooses where the input is split. The ledger must account for every byte.

#include <stdint.h>
#include <stdlib.h>

#include "fuzz_sinks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    size_t first = data[0] % size;
    for (unsigned f = 0; f < wf_format_count; ++f) {
        struct wf_session_options options = {
            .size = sizeof options, .dialect = wf_formats[f].dialect, .info8 = wf_formats[f].info8};
        struct wf_writer_options wo = {.size = sizeof wo,
                                       .objects = "?,a,b",
                                       .part = drop_part,
                                       .row = drop_row,
                                       .source = "fuzz"};
        struct wf_item item;
        struct wf_session *s = wf_session_open(&options, NULL);
        struct wf_writer *w = wf_writer_open(&wf_formats[f], s, &wo, drop, NULL, NULL);
        if (!s || !w) abort();
        wf_session_feed(s, data, first);
        while (wf_session_next(s, &item)) wf_writer_item(w, &item);
        wf_session_feed(s, data + first, size - first);
        while (wf_session_next(s, &item)) wf_writer_item(w, &item);
        wf_session_end(s);
        while (wf_session_next(s, &item)) wf_writer_item(w, &item);
        const struct wf_ledger *l = wf_session_ledger(s);
        if (l->bytes != l->bytes_good + l->bytes_bad + l->bytes_idle + l->bytes_repeated) abort();
        wf_writer_close(w);
        wf_session_close(s);
    }
    return 0;
}
