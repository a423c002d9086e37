// SPDX-License-Identifier: MIT
// Slot traces with any bytes as the text of traceprinter, in memory of exactly the requested size:
// the output is always text. The first byte chooses style, release and byte order.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_sat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void harmless(const char *text, size_t len) {
    for (size_t i = 0; i < len; ++i) {
        unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && c != '\n') || c == 0x7F) abort();
    }
    if (!len || text[len - 1] != '\n') abort();
}

static void attributes(const struct wf_slots *s) {
    const char *key, *value;
    for (size_t i = 0; wf_slots_attribute(s, i, &key, &value); ++i) {
        size_t most = strlen(key) + strlen(value) + 64;
        char *to = malloc(most);
        size_t len = wf_sat_attribute(key, value, to, most);
        if (len) harmless(to, len);
        free(to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    struct wf_sat_options options = {.size = sizeof options,
                                     .style = data[0] & 1 ? WF_SAT_STYLE_7 : WF_SAT_STYLE_6,
                                     .one_line = data[0] & 2,
                                     .big_endian = data[0] & 4,
                                     .release = (enum wf_sat_release)((data[0] >> 3) % 3)};
    struct wf_slots_options reader = {.size = sizeof reader, .with_control = true};
    struct wf_sat *sat = wf_sat_open(&options, NULL);
    struct wf_slots *s = wf_slots_open(&reader, NULL);
    struct wf_slots_item item;
    struct wf_sat_number number;
    wf_slots_feed(s, data + 1, size - 1);
    for (int ended = 0; ended < 2; ++ended) {
        while (wf_slots_next(s, &item)) {
            if (item.kind == WF_SLOTS_HEADER) attributes(s);
            if (item.kind != WF_SLOTS_EVENT) continue;
            size_t room = wf_sat_room(sat, item.event.count);
            char *to = malloc(room);
            harmless(to, wf_sat_line(sat, &item.event, to, room));
            free(to);
            wf_sat_external(options.release, &item.event, &number);
        }
        if (!ended) wf_slots_end(s);
    }
    wf_slots_close(s);
    wf_sat_close(sat);
    return 0;
}
