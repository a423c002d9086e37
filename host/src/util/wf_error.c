// SPDX-License-Identifier: MIT
// Errors with their place.

#include "wallfly_host/wf_error.h"

#include <stdarg.h>
#include <stdio.h>

int wf_error_set(struct wf_error *error, int code, const char *format, ...) {
    if (!error) return code;
    va_list list;
    *error = (struct wf_error){.code = code};
    va_start(list, format);
    vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    return code;
}

int wf_error_code(struct wf_error *error, int code) {
    return wf_error_set(error, code, "%s", code == WF_OK ? "" : wf_err_text(code));
}
