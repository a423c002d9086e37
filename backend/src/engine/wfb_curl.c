// SPDX-License-Identifier: MIT
// Loads libcurl.

#include "wfb_curl.h"

#include "wfb_load.h"

int wfb_curl_load(struct wfb_curl *curl, struct wf_error *error) {
    *curl = (struct wfb_curl){.library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL)};
    if (!curl->library)
        return wf_error_set(error, WF_ERR_LINK, "libcurl is not installed: install libcurl4");
    const char *missing = NULL;
#define WF_X(name)                                                                                 \
    if (!wfb_find_function(curl->library, #name, &curl->name)) missing = #name;
    CURL_FUNCTIONS(WF_X)
#undef WF_X
    if (!missing) return WF_OK;
    return wf_error_set(error, WF_ERR_LINK, "libcurl has no %s: version 7.62 is needed", missing);
}
