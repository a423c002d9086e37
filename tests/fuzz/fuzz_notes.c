// SPDX-License-Identifier: MIT
// Files of notes with any contents. What is read must be written and read again the same; an error
// has a line.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_notes_trace trace, again;
    struct wf_error error;
    struct wf_notes *n = wf_notes_read((const char *)data, size, &trace, &error);
    require(n || (error.code == WF_ERR_BAD_NOTES && error.place == WF_AT_LINE && error.text[0]));
    if (!n) return 0;
    size_t len, same_len;
    char *text = wf_notes_write(n, &trace, &len);
    require(text && len <= WF_NOTES_SIZE);
    struct wf_notes *m = wf_notes_read(text, len, &again, &error);
    require(m && again.first == trace.first && again.hz == trace.hz);
    char *same = wf_notes_write(m, &again, &same_len);
    require(same && same_len == len && memcmp(text, same, len) == 0);
    free(text);
    free(same);
    wf_notes_close(n);
    wf_notes_close(m);
    return 0;
}
