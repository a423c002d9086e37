// SPDX-License-Identifier: MIT
// An error: what is wrong, where, and what to do.
#ifndef WF_ERROR_H
#define WF_ERROR_H

#include <stdint.h>

#include "wf_err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wf_error_place { WF_AT_NOWHERE, WF_AT_BYTE, WF_AT_LINE };

struct wf_error {
    int code;                  // enum wf_err
    enum wf_error_place place; // unit of `at`
    uint64_t at;               // byte from 0, line from 1
    char text[240];            // a sentence without the place and line feed; "" if code is WF_OK
};

// Sets code and text, without a place. Returns the code. `error` may be null.
int wf_error_set(struct wf_error *error, int code, const char *format, ...)
#if defined __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
// The same with the text of the code.
int wf_error_code(struct wf_error *error, int code);

#ifdef __cplusplus
}
#endif
#endif
