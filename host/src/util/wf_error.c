// SPDX-License-Identifier: MIT
// Texts of errors, and errors with their place.

#include "wallfly_host/wf_error.h"

#include <stdarg.h>
#include <stdio.h>

const char *wf_err_text(int err) {
    switch (err) {
    case WF_OK: return "good";
#define WF_X(name, value, text)                                                                    \
    case WF_ERR_##name: return text;
        WF_ERRORS(WF_X)
#undef WF_X
    default: return "unknown error";
    }
}

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
