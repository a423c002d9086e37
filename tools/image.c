// SPDX-License-Identifier: MIT
// An image: the recorder's ring or memory is searched for in it.

#include "image.h"

#include <inttypes.h>

#include "cmd.h"
#include "mapped.h"
#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_kept_names.h"
#include "wallfly_host/wf_slots.h"

// The sizes, and the names that were announced in front of the stream: those behind are in it.
static int tell_names(const struct wf_input *image, const struct wf_box *box,
                      const struct source_handlers *on) {
    struct wf_kept_names names;
    uint8_t sync[WF_KEPT_SYNC_LEN];
    if (!on->known) return WF_OK;
    wf_kept_names_sync(box->sizes, box->hz, box->build_id, sync);
    on->known(on->ctx, NULL, WF_KEPT_SYNC_ID, sync, sizeof sync);
    if (!box->before) return WF_OK;
    int err = wf_kept_names_read(image->bytes, image->len, false, box->build_id, &names);
    for (size_t i = 0; i < names.count && names.names[i].since <= box->before; ++i) {
        const struct wf_kept_name *n = &names.names[i];
        on->known(on->ctx, NULL, n->id, n->payload, n->len);
    }
    wf_kept_names_free(&names);
    return err;
}

int image_run(const char *name, const struct wf_input *program, const struct source_handlers *on) {
    struct wf_input image = {.bytes = NULL}, none = {.bytes = NULL};
    struct wf_box box = {.stream = NULL};
    int code = map_file(name, &image);
    if (!program) program = &none;
    if (code == EXIT_GOOD) {
        int err = wf_box_read(image.bytes, image.len, program->bytes, program->len, &box);
        if (err == WF_OK) err = tell_names(&image, &box, on);
        bool slots = err == WF_ERR_BAD_BOX && on->memory;
        if (slots && wf_slots_has_memory(image.bytes, image.len)) {
            code = on->memory(on->ctx, image.bytes, image.len);
        } else if (err == WF_ERR_BAD_BOX) {
            code = complain(EXIT_INPUT, "%s:%" PRIu64 ": %s", name, box.offset, box.problem);
        } else if (err != WF_OK) {
            code = complain(EXIT_INPUT, "%s: %s", name, wf_err_text(err));
        } else if (box.len) {
            on->bytes(on->ctx, NULL, box.stream, box.len);
        } else {
            complain(EXIT_GOOD, "%s: the black box is empty", name);
        }
    }
    wf_box_free(&box);
    wf_input_close(&image);
    return code;
}
