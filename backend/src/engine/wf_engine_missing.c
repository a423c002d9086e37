// SPDX-License-Identifier: MIT
// A build without libcurl.
#include "wallfly_backend/wf_engine.h"

struct wf_engine *wf_engine_open(const struct wf_engine_options *options, struct wf_error *error) {
    (void)options;
    wf_error_set(error, WF_ERR_LINK,
                 "built without libcurl; install libcurl4-openssl-dev and build again");
    return NULL;
}

void wf_engine_close(struct wf_engine *e) { (void)e; }

int wf_engine_run(struct wf_engine *e, const struct wf_statement *statement,
                  struct wf_error *error) {
    (void)e, (void)statement;
    return wf_error_code(error, WF_ERR_LINK);
}

const char *wf_engine_answer(const struct wf_engine *e, size_t *len) {
    (void)e;
    if (len) *len = 0;
    return "";
}
