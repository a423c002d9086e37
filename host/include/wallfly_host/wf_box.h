// SPDX-License-Identifier: MIT
// Black box (docs/black-box.md): extracts the stream from an image of a target's memory. The image
// is an ELF core, or a raw copy of any part that contains the recorder and its ring. No content of
// the image makes the functions read outside of it. Context: any thread.
#ifndef WF_BOX_H
#define WF_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "wf_err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_box {
    uint8_t *stream; // frames, the oldest first: input for a session; freed by wf_box_free
    size_t len;      // 0: the ring was empty and nothing was sent
    uint64_t offset; // of the recorder's block in the image; of the best candidate if none is valid
    uint64_t address; // of the block in the target's memory, as stored in the block
    uint64_t before;  // number of the record before the first one of the stream
    uint32_t hz, build_id;
    uint8_t sizes[5];  // as in SYNC
    char problem[256]; // what is wrong and how to correct it
};

// Finds the recorder's block and reads it.
//   program   ELF file of the program in the image, or null: selects the block if there are
//             several, and locates it if its magic is not found
//   box       always set
//   returns   WF_OK, WF_ERR_NOMEM, WF_ERR_BAD_BOX (the reason is in problem)
int wf_box_read(const uint8_t *image, size_t len, const uint8_t *program, size_t program_len,
                struct wf_box *box);
struct wf_session;
// Gives a session what the target knew before the stream: sizes, and the names of tables in the
// image (wf_kept_names.h). Returns WF_OK, WF_ERR_NOMEM.
int wf_box_learn(const struct wf_box *box, const uint8_t *image, size_t len, struct wf_session *s);
void wf_box_free(struct wf_box *box);

#ifdef __cplusplus
}
#endif
#endif
