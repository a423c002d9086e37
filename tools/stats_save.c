// SPDX-License-Identifier: MIT
// Saves the statistics of all lanes as a profile, which `wallfly diff` compares.

#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "stats.h"

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

static int write_profile(const struct wf_profile *p, const struct wf_behaviour *b,
                         const struct args *args, const char *name, struct wf_error *error) {
    struct wf_outfile *file;
    size_t len;
    int err = wf_outfile_open(name, WF_MODE_BESIDE, args->files, &file, error);
    if (err != WF_OK) return err;
    uint8_t *bytes = collect_write(p, b, &len, error);
    err = bytes ? wf_outfile_put(file, bytes, len, error) : error->code;
    free(bytes);
    int closed = wf_outfile_close(file, err == WF_OK, err == WF_OK ? error : NULL);
    return err == WF_OK ? closed : err;
}

int stats_save(const struct stream *stream, const struct wf_behaviour *b, const char *name) {
    struct wf_error error;
    struct wf_profile *p = wf_profile_open(&error);
    int err = p ? collect_end(stream, p, &error) : error.code;
    if (err == WF_OK && stream->code == EXIT_GOOD)
        err = write_profile(p, b, stream->args, name, &error);
    wf_profile_close(p);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    return stream->code;
}
