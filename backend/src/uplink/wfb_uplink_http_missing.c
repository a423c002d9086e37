// SPDX-License-Identifier: MIT
// In a build without libcurl.

#include "wfb_uplink.h"

static int open_http(struct wf_uplink *u, struct wf_error *error) {
    (void)u;
    return wf_error_set(error, WF_ERR_LINK,
                        "built without libcurl; install libcurl4-openssl-dev and build again");
}

static void close_http(struct wf_uplink *u) { (void)u; }

const struct wfb_uplink_kind wfb_uplink_http = {
    {"http://", "https://"}, sizeof(struct wf_uplink), open_http, close_http, NULL, NULL};
