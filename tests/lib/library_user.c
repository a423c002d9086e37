// SPDX-License-Identifier: MIT
// A user's program of the library, which reports only the errors that the library returns:
//   library_user FORMAT FILE
// Writes a file of frames or of transmission text in the format to standard output. Exit code 3:
// the library reported an error, which is printed to standard error.

#include <stdio.h>

#include "wallfly_host/wf_err.h"
#include "wallfly_host/wf_text_trace.h"
#include "wallfly_host/wf_writer.h"

static bool put(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

static bool put_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    return fprintf(ctx, "[%u %s]", part, name ? name : "") > 0 && put(ctx, bytes, len);
}

static int fail(int err) {
    fprintf(stderr, "%s\n", wf_err_text(err));
    return 3;
}

static void write_items(struct wf_session *s, struct wf_writer *w) {
    struct wf_item item;
    while (wf_session_next(s, &item)) wf_writer_item(w, &item);
}

int main(int argc, char **argv) {
    static uint8_t bytes[1 << 20];
    static char out[1 << 16];
    const struct wf_format *format = argc == 3 ? wf_format_find(argv[1]) : NULL;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!format || !file) return fail(WF_ERR_NOMEM);
    setvbuf(stdout, out, _IOFBF, sizeof out);
    setvbuf(file, NULL, _IONBF, 0);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const struct wf_session_options options = {.size = sizeof options, .dialect = format->dialect};
    const struct wf_writer_options how = {.size = sizeof how, .part = put_part};
    struct wf_error error;
    struct wf_session *s = wf_session_open(&options, &error);
    if (!s) return fail(error.code);
    int err = WF_OK;
    if (wf_text_trace_is(bytes, len) == WF_TEXT_YES && (err = wf_session_take_text(s)) != WF_OK)
        return fail(err);
    struct wf_writer *w = wf_writer_open(format, s, &how, put, stdout, &error);
    if (!w) return fail(error.code);
    wf_session_feed(s, bytes, len);
    write_items(s, w);
    wf_session_end(s);
    write_items(s, w);
    int end = wf_writer_close(w);
    err = wf_session_error(s);
    wf_session_close(s);
    if (err == WF_OK && end != WF_ERR_CUT) err = end;
    return err == WF_OK ? 0 : fail(err);
}
