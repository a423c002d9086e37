// SPDX-License-Identifier: MIT
// Error texts, from the list WF_ERRORS.

#include "wallfly_host/wf_err.h"

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
