// SPDX-License-Identifier: MIT
// Dictionary files: selection of the file, and messages.

#include "wallfly_backend/wf_dic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_input.h"

enum { PATH_MAX_LEN = 1024, TEXT_MAX = 1280 };

#define FORMAT_LIKE __attribute__((format(printf, 3, 4)))

static FORMAT_LIKE void print_line(const struct wf_dic *d, enum wf_line_class line_class,
                                   const char *format, ...) {
    char text[TEXT_MAX];
    va_list list;
    if (!d->line) return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    d->line(d->ctx, line_class, text);
}

static void report_problem(const struct wf_dic *d, const char *file, unsigned number,
                           const char *what) {
    char text[TEXT_MAX], where[16] = "";
    if (number) snprintf(where, sizeof where, ":%u", number);
    snprintf(text, sizeof text, "%s%s: %s", file, where, what);
    if (d->report) d->report(d->ctx, text);
}

// Reads the whole text, up to a size limit: a million names take a tenth of it.
static int read_file(const char *path, struct wf_input *text, struct wf_error *error) {
    enum { MOST = WF_INPUT_PIPE_MAX };
    int err = wf_input_open(path, text, error);
    if (err != WF_OK || text->len <= MOST) return err;
    wf_input_close(text);
    return wf_error_set(error, WF_ERR_READ,
                        "%.160s: is no dictionary file: it has more than %d MiB", path, MOST >> 20);
}

static void apply_names(const struct wf_dic *d, struct wf_session *s, const char *file,
                        const char *text, size_t len) {
    struct wf_dict_result result;
    print_line(d, WF_LINE_INFO, "   <QSPY-> Reading dictionaries from File=%s", file);
    int err = wf_dict_read(s, text, len, &result);
    if (result.bad_option)
        print_line(d, WF_LINE_ERROR, "   <QSPY-> Unexpected option in Dictionary File=%s,Opt=%c",
                   file, result.bad_option);
    else if (result.bad_line)
        print_line(d, WF_LINE_ERROR, "   <QSPY-> Unexpected line in Dictionary File=%s,Char=%c",
                   file, result.bad_line);
    if (err == WF_ERR_BAD_DICT)
        report_problem(d, file, result.line,
                       "not a line of a dictionary file; the names before it are used");
    if (!result.mismatch) return;
    print_line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries mismatch the Target (discarded)");
    report_problem(d, file, 0, "sizes or build differ from the target's, not used");
}

static bool is_automatic(const struct wf_dic *d) { return d->file && strcmp(d->file, "auto") == 0; }

static void join_folder(const struct wf_dic *d, const char *name, char path[PATH_MAX_LEN]) {
    snprintf(path, PATH_MAX_LEN, "%s%s%s", d->folder ? d->folder : "", d->folder ? "/" : "", name);
}

int wf_dic_read(const struct wf_dic *d, struct wf_session *s, struct wf_error *error) {
    char name[64], path[PATH_MAX_LEN];
    struct wf_input text;
    if (!d->file) return WF_OK;
    if (is_automatic(d) && !wf_dict_file_name(s, name, sizeof name)) {
        print_line(d, WF_LINE_ERROR, "   <QSPY-> No Target info yet to read dictionaries");
        return WF_OK;
    }
    if (is_automatic(d)) join_folder(d, name, path);
    if (read_file(is_automatic(d) ? path : d->file, &text, error) == WF_OK)
        apply_names(d, s, is_automatic(d) ? name : d->file,
                    text.len ? (const char *)text.bytes : "", text.len);
    else if (is_automatic(d))
        print_line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries not found File=%s", name);
    else
        return WF_ERR_LINK;
    wf_input_close(&text);
    return WF_OK;
}

static bool write_names(const struct wf_dic *d, struct wf_session *s, const char *path) {
    struct wf_outfile *o = NULL;
    struct wf_error error;
    size_t len;
    char *text = wf_dict_write(s, &len);
    int err = text ? wf_outfile_open(path, WF_MODE_BESIDE, d->files, &o, &error) : WF_ERR_NOMEM;
    if (!text) wf_error_set(&error, err, "%.180s: %s", path, wf_err_text(err));
    if (o) err = wf_outfile_put(o, text, len, &error);
    int closed = o ? wf_outfile_close(o, err == WF_OK, &error) : err;
    if (err == WF_OK) err = closed;
    free(text);
    if (err != WF_OK && d->report) d->report(d->ctx, error.text);
    return err == WF_OK;
}

void wf_dic_save(const struct wf_dic *d, struct wf_session *s) {
    char name[64], path[PATH_MAX_LEN];
    if (!d->file) {
        print_line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries NOT configured (no -d option)");
        return;
    }
    if (!wf_dict_file_name(s, name, sizeof name)) {
        print_line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries NOT saved (no target info)");
        return;
    }
    join_folder(d, name, path);
    if (write_names(d, s, path))
        print_line(d, WF_LINE_INFO, "   <QSPY-> Dictionaries saved to File=%s", name);
}
