// SPDX-License-Identifier: MIT
// Whole traces that were uploaded. Each waits in a file until it is loaded, as `wallfly fleet load`
// does: so its rows are the same, and one that is uploaded twice is in the tables once.

#include <stdio.h>

#include "agent.h"
#include "load.h"

int agent_open_files(struct agent *a) {
    struct wf_error error;
    a->files = wf_file_queue_open(a->spool, &error);
    if (!a->files) return diag_error(exit_code_of(error.code), "%s", error.text);
    agent_count_files(a);
    return EXIT_GOOD;
}

void agent_count_files(struct agent *a) {
    wf_spool_set_others(wf_intake_spool(a->intake), wf_file_queue_bytes(a->files));
}

// ---- taking

// Of those that cannot be taken, the first one.
static void report_refused(struct agent *a, const char *device, const struct wf_error *error) {
    if (!a->file_refused)
        diag_note("%s: a whole trace cannot be taken: %s; it is to be sent again", device,
                  error->text);
    a->file_refused = true;
}

int agent_put_file(struct agent *a, const char *device, enum wf_file_kind kind,
                   const struct wf_upload_request *r, struct wf_error *error) {
    int err = WF_OK;
    agent_count_files(a);
    if (!wf_spool_has_room(wf_intake_spool(a->intake), r->len))
        err = wf_error_set(error, WF_ERR_TOO_MANY, "the spool is full");
    if (err == WF_OK) err = wf_file_queue_put(a->files, device, kind, r->body, r->len, error);
    if (err != WF_OK) {
        report_refused(a, device, error);
        return err;
    }
    a->file_refused = false;
    agent_count_files(a);
    pthread_mutex_lock(&a->mutex);
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
    return WF_OK;
}

// ---- loading

int agent_load_file(struct agent *a, struct wf_loader *loader, struct wf_error *error) {
    static const struct input_options any;
    struct wf_queued_file file;
    char shown[WF_FLEET_DEVICE_MAX + 32];
    if (!wf_file_queue_first(a->files, &file)) return wf_error_code(error, WF_OK);
    const bool is_image = file.kind == WF_FILE_IMAGE;
    snprintf(shown, sizeof shown, "%s: uploaded %s", file.device,
             is_image ? "memory image" : "recording");
    struct load l = {.fleet = a->fleet,
                     .loader = loader,
                     .input = &any,
                     .device = file.device,
                     .shown = shown,
                     .quiet = true};
    const bool good = is_image ? load_image(&l, file.path) : load_file(&l, file.path);
    int err = wf_loader_flush(loader, error);
    if (err == WF_OK && !good) err = wf_error_code(error, WF_ERR_NOMEM);
    if (err != WF_OK) return err; // the file stays
    if (l.code != EXIT_GOOD) diag_note("%s: what cannot be read is left out", shown);
    if (wf_file_queue_remove(a->files, error) != WF_OK) diag_note("%s", error->text);
    return wf_error_code(error, WF_OK);
}
