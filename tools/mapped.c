// SPDX-License-Identifier: MIT
// See mapped.h.

#include "mapped.h"

#include "cmd.h"

int map_file(const char *name, struct wf_input *m) {
    struct wf_error error;
    if (wf_input_open(name, m, &error) != WF_OK) return diag_error(EXIT_INPUT, "%s", error.text);
    if (m->len) return EXIT_GOOD;
    wf_input_close(m);
    return diag_error(EXIT_INPUT, "%s: is empty", name);
}
