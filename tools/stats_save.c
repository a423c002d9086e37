// SPDX-License-Identifier: MIT
// Saves the statistics of all lanes as a profile, which `wallfly diff` compares.

#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "wallfly_host/wf_profile.h"

// Before the trace is read, so that a long reading is not in vain.
bool stats_save_check(const struct args *args, const char *name) {
    struct wf_error error;
    if (!name) return true;
    if (strcmp(name, "-") == 0) {
        diag_error(EXIT_USAGE, "--save: give the name of a file");
        return false;
    }
    if (wf_files_check(args->files, name, &error) == WF_OK) return true;
    diag_error(EXIT_USAGE, "%s", error.text);
    return false;
}

static int write_profile(const struct wf_profile *p, const struct args *args, const char *name,
                         struct wf_error *error) {
    struct wf_outfile *file;
    size_t len;
    uint8_t *bytes = wf_profile_write(p, &len, error);
    if (!bytes) return error->code;
    int err = wf_outfile_open(name, WF_MODE_BESIDE, args->files, &file, error);
    if (err == WF_OK) {
        err = wf_outfile_put(file, bytes, len, error);
        int closed = wf_outfile_close(file, err == WF_OK, error);
        if (err == WF_OK) err = closed;
    }
    free(bytes);
    return err;
}

static int add_lanes(struct wf_profile *p, const struct stream *stream, struct wf_error *error) {
    struct stats s;
    unsigned added = 0;
    for (unsigned i = 0; i < stream->lane_count; ++i) {
        if (!stats_end_lane(stream->lanes[i], NULL, &s)) continue;
        int err = wf_profile_add(p, s.figures, s.lane, error);
        if (err != WF_OK) return err;
        ++added;
    }
    if (added) return WF_OK;
    return wf_error_set(error, WF_ERR_READ,
                        "%s: the trace has no records, so there is nothing to save", stream->name);
}

int stats_save(const struct stream *stream, const char *name) {
    struct wf_error error;
    struct wf_profile *p = wf_profile_open(&error);
    int err = p ? add_lanes(p, stream, &error) : error.code;
    if (err == WF_OK && stream->code == EXIT_GOOD)
        err = write_profile(p, stream->args, name, &error);
    wf_profile_close(p);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    return stream->code;
}
