// SPDX-License-Identifier: MIT
// Tables of names in any image. The first byte selects the recorder; the build id is that of a
// table in the image, if there is one.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_kept_names.h"
#include "wallfly_host/wf_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { AT_BUILD_ID = 20 };

static uint32_t build_id_in(const uint8_t *image, size_t size) {
    for (size_t i = 0; i + AT_BUILD_ID + 4 <= size; ++i) {
        const uint8_t *p = image + i + AT_BUILD_ID;
        if (memcmp(image + i, "WFNAMES1", 8) == 0)
            return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
    return 0;
}

// As the reader of an image does.
static void learn(const struct wf_kept_names *names) {
    const struct wf_session_options options = {.size = sizeof options,
                                               .dialect = WF_DIALECT_WALLFLY};
    uint8_t sync[WF_KEPT_SYNC_LEN];
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!s) abort();
    wf_kept_names_sync(names->sizes, 1000, names->build_id, sync);
    wf_session_learn(s, WF_KEPT_SYNC_ID, sync, sizeof sync);
    for (size_t i = 0; i < names->count; ++i) {
        if (i && names->names[i].since < names->names[i - 1].since) abort();
        wf_session_learn(s, names->names[i].id, names->names[i].payload, names->names[i].len);
    }
    wf_session_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_kept_names names;
    if (size == 0) return 0;
    const uint8_t *image = data + 1;
    const uint32_t build_id = build_id_in(image, size - 1);
    if (wf_kept_names_read(image, size - 1, data[0] & 1, build_id, &names) != WF_OK) abort();
    if (names.count && !names.tables) abort();
    learn(&names);
    wf_kept_names_free(&names);
    return 0;
}
