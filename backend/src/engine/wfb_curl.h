// SPDX-License-Identifier: MIT
// The functions of libcurl that are used. It is loaded by the commands that need it: with the 25
// libraries that it brings every other command would take 8 ms to start in place of 5.
#ifndef WFB_CURL_H
#define WFB_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "wallfly_host/wf_error.h"

#define CURL_FUNCTIONS(F)                                                                          \
    F(curl_global_init)                                                                            \
    F(curl_easy_init)                                                                              \
    F(curl_easy_setopt)                                                                            \
    F(curl_easy_perform)                                                                           \
    F(curl_easy_getinfo)                                                                           \
    F(curl_easy_escape)                                                                            \
    F(curl_easy_strerror)                                                                          \
    F(curl_easy_cleanup)                                                                           \
    F(curl_slist_append)                                                                           \
    F(curl_slist_free_all)                                                                         \
    F(curl_free)                                                                                   \
    F(curl_url)                                                                                    \
    F(curl_url_set)                                                                                \
    F(curl_url_get)                                                                                \
    F(curl_url_cleanup)

struct wfb_curl {
    void *library;
#define WF_X(name) __typeof__(name) *name;
    CURL_FUNCTIONS(WF_X)
#undef WF_X
};

// Loads the library, for the rest of the process. Returns WF_OK, or WF_ERR_LINK with what to
// install.
int wfb_curl_load(struct wfb_curl *curl, struct wf_error *error);

#endif
