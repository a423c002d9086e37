// SPDX-License-Identifier: MIT
// Texts of dictionary files: any input is read, and the accepted entries are written.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_dict_result result;
    size_t len;
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!s) abort();
    wf_dict_read(s, (const char *)data, size, &result);
    char *text = wf_dict_write(s, &len);
    if (!text || strlen(text) > len) abort();
    free(text);
    wf_session_close(s);
    return 0;
}
