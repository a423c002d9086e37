// SPDX-License-Identifier: MIT
// Chooses the window, and writes the file as a whole or not at all.

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page_file.h"
#include "page_source.h"
#include "wallfly_host/wf_time.h"
#include "wallfly_server/memory.h"
#include "wallfly_server/page_export.h"

// ---- the window, in ticks since t0

static int choose_window(struct page_export *k, const struct page *p, const struct window *w) {
    struct wf_timeline_span span;
    wf_timeline_extent(p->timeline, &span);
    if (!span.known)
        return diag_error(EXIT_INPUT, "%s: no record has a time stamp, so there is nothing to draw",
                          p->source.name);
    int64_t last = (int64_t)(span.last - span.first);
    uint64_t zero = wf_time_zero(p->session, p->about.target_clock);
    k->from = w->has_from ? page_time(p, w->from_s) : 0;
    k->until = w->has_until ? page_time(p, w->until_s) : last;
    if (k->from < 0) k->from = 0;
    if (k->until > last) k->until = last;
    if (k->from <= k->until) return EXIT_GOOD;
    double hz = span.hz ? (double)span.hz : 1;
    return diag_error(EXIT_USAGE,
                      "page: the trace has nothing between --from and --until; it is from "
                      "%.9g to %.9g%s",
                      (double)(span.first - zero) / hz, (double)(span.last - zero) / hz,
                      span.hz ? " s" : " ticks");
}

// Reads a number of ticks in the part of an address after #. Returns false if it has none.
static bool read_ticks(const char *hash, const char *name, double *ticks) {
    size_t len = strlen(name);
    for (const char *p = hash; p; p = strchr(p, '&')) {
        if (*p == '&') ++p;
        if (strncmp(p, name, len) != 0 || p[len] != '=') continue;
        char *end;
        *ticks = strtod(p + len + 1, &end);
        return end != p + len + 1 && (!*end || *end == '&');
    }
    return false;
}

// The window is that of the address, if it has one.
static int choose_view(struct page_export *k, const struct page_file_options *o) {
    const char *hash = o->view ? strchr(o->view, '#') : NULL;
    double from, until;
    if (!o->view) return EXIT_GOOD;
    if (!hash)
        return diag_error(EXIT_USAGE,
                          "page: --view: '%s' has no part after #, as an address that the page "
                          "copies (c) has",
                          o->view);
    k->view = hash + 1;
    if (o->window.has_from || o->window.has_until || !read_ticks(k->view, "from", &from) ||
        !read_ticks(k->view, "until", &until))
        return EXIT_GOOD;
    if (from > (double)k->until || until < (double)k->from || !(from <= until))
        return diag_error(EXIT_USAGE, "page: --view shows nothing of this trace");
    if (from > (double)k->from) k->from = (int64_t)from;
    if (until < (double)k->until) k->until = (int64_t)until + 1;
    return EXIT_GOOD;
}

// The place of --at must be in the file.
static int choose_place(struct page_export *k, const struct page *p,
                        const struct page_file_options *o, char *view, size_t cap) {
    int64_t from, until;
    if (!*o->at.text) return EXIT_GOOD;
    if (!page_place(p, &o->at, &from, &until) || from < k->from || until > k->until)
        return diag_error(EXIT_USAGE, "page: %s of --at is not in %s", o->at.text,
                          o->window.has_from || o->window.has_until
                              ? "the part between --from and --until"
                              : "the trace");
    snprintf(view, cap, "at=%s", o->at.text);
    k->view = view;
    return EXIT_GOOD;
}

// ---- writing

static int write_file(const struct page_file_options *o, const char *bytes, size_t len) {
    struct wf_outfile *file;
    struct wf_error error;
    if (strcmp(o->name, "-") == 0) {
        if (fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0) return EXIT_GOOD;
        return diag_error(EXIT_INPUT, "standard output: %s", strerror(errno));
    }
    int err = wf_outfile_open(o->name, WF_MODE_BESIDE, o->files, &file, &error);
    if (err == WF_OK) {
        err = wf_outfile_put(file, bytes, len, &error);
        int closed = wf_outfile_close(file, err == WF_OK, &error);
        if (err == WF_OK) err = closed;
    }
    if (err == WF_OK) return EXIT_GOOD;
    return diag_error(exit_code_of(err), "%s", error.text);
}

static int too_large(const struct page_file_options *o) {
    return diag_error(EXIT_USAGE,
                      "page: the file would have more than %" PRIu64 " million bytes; --from and "
                      "--until take a part of the trace, --most=N fewer records, --size=MB lets it "
                      "grow",
                      o->size_mb);
}

int page_file_write(const struct page_file_options *o, const struct page_export_part *parts,
                    unsigned count) {
    char *html = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&html, &len);
    bool good = out && page_export_put_html(out, parts, count);
    if (out && fclose(out) != 0) good = false;
    int code = good
                   ? EXIT_GOOD
                   : diag_error(EXIT_INPUT, "the viewer in this program is not as it was built, or "
                                            "there is too little memory");
    if (code == EXIT_GOOD && o->size_mb && len > o->size_mb * 1000000) code = too_large(o);
    if (code == EXIT_GOOD) code = write_file(o, html, len);
    free(html);
    return code;
}

int page_file_make(const struct page *p, const struct page_file_options *o) {
    struct page_export k = {.a = &p->about, .most = o->most, .size_max = o->size_mb * 1000000};
    char *data, view[128];
    struct wf_error error;
    size_t len;
    int code = choose_window(&k, p, &o->window);
    if (code == EXIT_GOOD) code = choose_view(&k, o);
    if (code == EXIT_GOOD) code = choose_place(&k, p, o, view, sizeof view);
    if (code != EXIT_GOOD) return code;
    int err = page_export_make(&k, p, &data, &len, &error);
    if (err == WF_ERR_TOO_MANY)
        code = too_large(o);
    else if (err != WF_OK)
        code = diag_error(EXIT_INPUT, "%s: %s", p->source.name,
                          *error.text ? error.text : wf_err_text(err));
    else
        code = page_file_write(o, &(struct page_export_part){"kept", data, len}, 1);
    free(data);
    if (code == EXIT_GOOD && k.records_left)
        diag_note("the page shows the first %" PRIu64 " records one by one, %" PRIu64
                  " more only as slices; --most=N takes more",
                  k.most, k.records_left);
    return code;
}
