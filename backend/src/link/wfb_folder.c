// SPDX-License-Identifier: MIT
// Traces that are folders (wf_folder.h): read on each iteration of the loop, as a file.

#include <stdio.h>

#include "wallfly_backend/wf_folder.h"
#include "wfb_link.h"

struct folder {
    struct wf_link link;
    struct wf_peer peer;
    struct wf_folder *folder;
    bool up;
    uv_idle_t idle;
};

static bool is_live(const char *name) {
    (void)name;
    return false;
}

static void close_folder(struct wf_link *link) {
    struct folder *f = (struct folder *)link;
    if (f->up) wfb_down(&f->peer, "");
    f->up = false;
    wfb_handle_close(&f->idle);
    wf_folder_close(f->folder);
    f->folder = NULL;
}

// What was read before the library stopped is kept: that is no error of the link.
static void end_input(struct folder *f, const struct wf_error *error) {
    char why[256];
    snprintf(why, sizeof why, "%s", error ? error->text : wf_folder_stopped(f->folder));
    uv_idle_stop(&f->idle);
    if (*why) wfb_report(&f->link, "%s: %s", f->peer.name, why);
    f->up = false;
    wfb_down(&f->peer, why);
    wfb_done(&f->link, error ? WF_ERR_LINK : WF_OK);
}

static void on_idle(uv_idle_t *idle) {
    struct folder *f = idle->data;
    struct wf_error error;
    if (!f->up) {
        f->up = true;
        wfb_up(&f->link, &f->peer);
        if (f->link.closing) return;
    }
    int64_t n = wf_folder_read(f->folder, f->link.block, WFB_BLOCK, &error);
    if (n > 0)
        wfb_bytes(&f->peer, f->link.block, (size_t)n);
    else
        end_input(f, n < 0 ? &error : NULL);
}

static int open_folder(struct wf_link *link, const char *name, struct wf_error *error) {
    struct folder *f = (struct folder *)link;
    snprintf(f->peer.name, sizeof f->peer.name, "%s", name);
    int err = wf_folder_open(name, &f->folder, error);
    if (err != WF_OK) return err;
    uv_idle_init(link->loop, &f->idle);
    wfb_handle_opened(link, &f->idle);
    uv_idle_start(&f->idle, on_idle);
    return WF_OK;
}

const struct wfb_kind wfb_folder = {.size = sizeof(struct folder),
                                    .open = open_folder,
                                    .close = close_folder,
                                    .live = is_live,
                                    .ask = WFB_ASK_NEVER};
