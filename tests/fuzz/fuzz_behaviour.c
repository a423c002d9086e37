// SPDX-License-Identifier: MIT
// Behaviour: saved bytes of any kind, or the behaviour of any records. What is read can be written,
// read again as the same, compared with itself without a difference, and compared with part of it.
// The first byte: 0 saved bytes, else records.

#include "fuzz_script.h"

#include <stdlib.h>

#include "wallfly_host/wf_behaviour.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(void *ctx, const struct wf_item *item) { wf_behaviour_sink_take(ctx, item); }

static struct wf_behaviour *collect(const uint8_t *data, size_t size) {
    const struct wf_session_options session = {.size = sizeof session,
                                               .dialect = WF_DIALECT_WALLFLY};
    const struct wf_behaviour_options options = {
        .size = sizeof options, .source = "fuzz", .has_until = data[0] & 2, .until_s = 500};
    struct wf_session *s = wf_session_open(&session, NULL);
    struct wf_behaviour *b = wf_behaviour_open(NULL);
    struct wf_behaviour_sink *k = wf_behaviour_sink_open(b, s, &options, NULL);
    require(k != NULL);
    struct script script = {.s = s, .ctx = k, .take = take};
    take_any(&script, data + 1, size - 1, 1 + (data[0] >> 2));
    wf_behaviour_sink_end(k);
    require(wf_behaviour_sink_error(k) == WF_OK);
    wf_behaviour_sink_close(k);
    wf_session_close(s);
    return b;
}

static struct wf_behaviour *read_bytes(const uint8_t *bytes, size_t len) {
    struct wf_error error;
    struct wf_behaviour *b = wf_behaviour_open(NULL);
    int err = wf_behaviour_read(b, bytes, len, &error);
    require(err == WF_OK || (err == WF_ERR_BAD_PROFILE && error.at <= len && error.text[0]));
    if (err == WF_OK) return b;
    wf_behaviour_close(b);
    return NULL;
}

// Returns the number of changes. All of them are read, so that a sanitizer detects invalid memory.
static size_t compare(const struct wf_behaviour *good, const struct wf_behaviour *now) {
    const struct wf_behaviour_compare_options options = {.size = sizeof options, .alarms = 0.5};
    struct wf_behaviour_diff *d = wf_behaviour_compare(good, now, &options, NULL);
    struct wf_behaviour_difference c;
    size_t at = 0, texts = 0;
    require(d != NULL);
    while (wf_behaviour_diff_next(d, &at, &c)) {
        require(c.kind < WF_BEHAVIOUR_KINDS && c.because_of < at && c.p >= 0 && c.p <= 1);
        texts += strlen(c.text) + (c.hint ? strlen(c.hint) : 0);
        for (unsigned side = 0; side < 2; ++side) {
            require(c.sides[side].line_count <= WF_BEHAVIOUR_LINES);
            for (unsigned i = 0; i < c.sides[side].line_count; ++i)
                texts += strlen(c.sides[side].lines[i].text) +
                         strlen(c.sides[side].lines[i].place.source);
        }
    }
    require(texts > 0 || at == 0);
    wf_behaviour_diff_close(d);
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t len, again_len;
    if (size < 4) return 0;
    struct wf_behaviour *b = data[0] ? collect(data, size) : read_bytes(data + 1, size - 1);
    if (!b) return 0;
    uint8_t *bytes = wf_behaviour_write(b, &len, NULL);
    struct wf_behaviour *again = read_bytes(bytes, len), *empty = wf_behaviour_open(NULL);
    require(again != NULL);
    uint8_t *written = wf_behaviour_write(again, &again_len, NULL);
    require(again_len == len && memcmp(bytes, written, len) == 0);
    compare(b, again);
    compare(empty, b);
    compare(b, empty);
    wf_behaviour_close(b);
    wf_behaviour_close(again);
    wf_behaviour_close(empty);
    free(bytes);
    free(written);
    return 0;
}
