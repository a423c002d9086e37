// SPDX-License-Identifier: MIT
// The log of a run.

#include "report.h"

#include <string.h>
#include <sys/stat.h>

#include "../cmd.h"

static const char log_begin[] = "# wallfly test: log\n", junit_begin[] = "<?xml";

// Returns whether a file exists that is not an earlier output of this command: it may be a script
// that another one includes or requires.
static bool is_foreign(const char *name, const char *output_begin) {
    struct stat st;
    char begin[sizeof log_begin] = "";
    if (!name || stat(name, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return false;
    FILE *f = fopen(name, "r");
    if (!f) return true;
    fread(begin, 1, strlen(output_begin), f);
    fclose(f);
    return strcmp(begin, output_begin) != 0;
}

int log_open(const char *name, const char *junit, struct wf_files *files, struct wf_outfile **log) {
    struct wf_error error;
    *log = NULL;
    const char *foreign = is_foreign(junit, junit_begin) ? junit
                          : is_foreign(name, log_begin)  ? name
                                                         : NULL;
    int err = name ? wf_outfile_open(name, WF_MODE_LIVE, files, log, &error) : WF_OK;
    if (err == WF_OK && junit) err = wf_files_check(files, junit, &error);
    if (err == WF_OK && foreign)
        err = wf_error_set(&error, WF_ERR_USAGE,
                           "%.160s: is no earlier output of this option; choose another name",
                           foreign);
    if (err == WF_OK && *log) err = wf_outfile_publish(*log, &error);
    if (err != WF_OK) {
        if (*log) wf_outfile_close(*log, false, NULL);
        return diag_error(exit_code_of(err), "%s", error.text);
    }
    FILE *stream = *log ? wf_outfile_stream(*log) : NULL;
    if (stream) {
        setvbuf(stream, NULL, _IOLBF, 0);
        fputs(log_begin, stream);
    }
    return EXIT_GOOD;
}

int log_close(struct wf_outfile *log, int code) {
    struct wf_error error;
    if (!log || wf_outfile_close(log, true, &error) == WF_OK) return code;
    return diag_error(code == EXIT_GOOD ? EXIT_INPUT : code, "%s", error.text);
}
