// SPDX-License-Identifier: MIT
// An image: the recorder's ring or memory is searched for in it.

#include "image.h"

#include <inttypes.h>

#include "cmd.h"
#include "mapped.h"
#include "wallfly_host/wf_box.h"
#include "wallfly_host/wf_slots.h"

int image_run(const char *name, const struct wf_input *program, const struct source_handlers *on) {
    struct wf_input image = {.bytes = NULL}, none = {.bytes = NULL};
    struct wf_box box = {.stream = NULL};
    int code = map_file(name, &image);
    if (!program) program = &none;
    if (code == EXIT_GOOD) {
        int err = wf_box_read(image.bytes, image.len, program->bytes, program->len, &box);
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
