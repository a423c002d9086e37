// SPDX-License-Identifier: MIT
// Checkpoints of a session (wf_session_restore_checkpoint): two bytes with the length of one, the
// checkpoint, and the stream from there on. An accepted checkpoint is written back as it was read,
// and a session that reads the copy continues the same.

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

static void compare(struct wf_session *a, struct wf_session *b) {
    struct wf_item one, other;
    while (wf_session_next(a, &one)) {
        require(wf_session_next(b, &other) && one.kind == other.kind);
        if (one.kind == WF_ITEM_RECORD)
            require(one.record.tick == other.record.tick && one.record.id == other.record.id &&
                    one.record.offset == other.record.offset);
        if (one.kind == WF_ITEM_LOSS)
            require(one.loss.records == other.loss.records && one.loss.kind == other.loss.kind);
    }
    require(!wf_session_next(b, &other));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { OFFSET = 4711 };
    size_t len = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8), again = 0, twice = 0;
    if (size < 2 || len > size - 2) return 0;
    const uint8_t *rest = data + 2 + len;
    size_t rest_len = size - 2 - len;
    uint64_t offset = 0;
    struct wf_session *a = fresh(), *b = fresh();
    if (wf_session_restore_checkpoint(a, data + 2, len, OFFSET) == WF_OK) {
        uint8_t *checkpoint = wf_session_save_checkpoint(a, &again, &offset);
        require(checkpoint && offset == OFFSET &&
                wf_session_restore_checkpoint(b, checkpoint, again, offset) == WF_OK);
        uint8_t *same = wf_session_save_checkpoint(b, &twice, &offset);
        require(same && again == twice && memcmp(checkpoint, same, again) == 0);
        free(same);
        free(checkpoint);
        for (unsigned relinked = 0; relinked < 2; ++relinked) {
            wf_session_feed(a, rest, rest_len);
            wf_session_feed(b, rest, rest_len);
            compare(a, b);
            wf_session_relink(a);
            wf_session_relink(b);
        }
        wf_session_end(a);
        wf_session_end(b);
        compare(a, b);
    }
    wf_session_close(a);
    wf_session_close(b);
    return 0;
}
