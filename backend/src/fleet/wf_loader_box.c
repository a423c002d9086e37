// SPDX-License-Identifier: MIT
// A black box is a stream of its own: what the target knew before is the state in front of it.

#include <stdlib.h>

#include "wallfly_host/wf_box.h"
#include "wfb_loader.h"
#include "wfb_options.h"

static int load(struct wf_loader *l, const struct wf_loading_options *options,
                const struct wf_box *box, struct wf_session *session, struct wf_error *error) {
    struct wf_loading_options o = *options;
    size_t len;
    uint8_t *state = wf_session_write_state(session, &len);
    if (!state) return wf_error_code(error, WF_ERR_NOMEM);
    o.state = state;
    o.state_len = len;
    struct wf_loading *s = wf_loading_begin(l, &o, error);
    free(state);
    int err = s ? wf_loading_feed(s, box->stream, box->len, error) : error->code;
    if (err == WF_OK) return wf_loading_end(s, error);
    wf_loading_discard(s);
    return err;
}

int wf_loader_box(struct wf_loader *l, const struct wf_loading_options *options,
                  const uint8_t *image, size_t len, struct wf_error *error) {
    struct wf_loading_options o;
    struct wf_box box;
    int err = wfb_loader_error(l, error);
    if (err == WF_OK) err = wfb_copy_options(&o, sizeof o, options, error);
    if (err != WF_OK) return err;
    if (wf_box_read(image, len, NULL, 0, &box) != WF_OK) {
        err = wf_error_set(error, WF_ERR_READ, "%s", box.problem);
    } else if (!box.len) {
        err = wf_error_set(error, WF_ERR_READ, "the black box is empty");
    } else {
        struct wf_session *session = wf_session_open(o.session, NULL);
        err = session ? wf_box_learn(&box, image, len, session) : WF_ERR_NOMEM;
        err = err == WF_OK ? load(l, &o, &box, session, error) : wf_error_code(error, err);
        wf_session_close(session);
    }
    wf_box_free(&box);
    return err;
}
