// SPDX-License-Identifier: MIT
// States of a session (wf_session_write_state, wf_session_read_state), with names of all kinds. The
// first byte: odd: the rest is a stream; even: a state. The session's state is then written, read
// by a new session and written again: the bytes must be the same. A refused state must not change
// the session.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct wf_session *fresh(void) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!s) abort();
    return s;
}

static void require(bool good) {
    if (!good) abort();
}

static void require_fresh(const uint8_t *state, size_t len) {
    struct wf_session *s = fresh();
    size_t fresh_len;
    uint8_t *fresh_state = wf_session_write_state(s, &fresh_len);
    require(fresh_state && len == fresh_len && memcmp(state, fresh_state, len) == 0);
    free(fresh_state);
    wf_session_close(s);
}

static void take_stream(struct wf_session *s, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    wf_session_feed(s, bytes, len);
    while (wf_session_next(s, &item)) continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t len = 0, again = 0;
    if (size < 1) return 0;
    struct wf_session *a = fresh(), *b = fresh();
    bool good = true;
    if (data[0] & 1)
        take_stream(a, data + 1, size - 1);
    else
        good = wf_session_read_state(a, data + 1, size - 1) == WF_OK;
    uint8_t *state = wf_session_write_state(a, &len);
    require(state != NULL);
    require(wf_session_read_state(b, state, len) == WF_OK);
    uint8_t *same = wf_session_write_state(b, &again);
    require(same &&
            (wf_session_state_nameless(state, len) || (len == again && !memcmp(state, same, len))));
    if (!good) require_fresh(state, len);
    free(same);
    free(state);
    wf_session_close(a);
    wf_session_close(b);
    return 0;
}
