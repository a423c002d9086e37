// SPDX-License-Identifier: MIT
// `wallfly page`: writes a part of a trace and its viewer as one HTML file.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kept.h"
#include "output.h"
#include "progress.h"
#include "shown.h"
#include "wallfly_host/wf_time.h"
#include "memory.h"

enum {
    PAGE_OUT = STREAM_OPTIONS,
    PAGE_TIME,
    PAGE_FROM,
    PAGE_UNTIL,
    PAGE_MOST,
    PAGE_SIZE,
    PAGE_PROGRESS
};
enum { MOST = 20000, MOST_MAX = 10000000, SIZE_MB = 32, SIZE_MAX_MB = 1024 };

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    {"output", 'o', "NAME", "the file to write; unless given, FILE with the suffix .html"},
    CLOCK_ROW,
    {"from", 0, "S", "only from this time on, in seconds (ticks if the rate is unknown)"},
    {"until", 0, "S", "only up to this time"},
    {"most", 0, "N", "how many records the page can show one by one, the first ones (20000)"},
    {"size", 0, "MB", "how large the file may be, in millions of bytes (32)"},
    {"progress", 0, NULL, "show progress, even if standard error is not a terminal"},
    {NULL, 0, NULL, NULL},
};

struct job {
    struct stream stream; // the first member
    struct page page;
    const struct args *args;
    const char *input; // the input file
    struct window window;
    uint64_t most, size_mb;
    char *name;
    struct progress progress;
};

// ---- the command line

static int parse_source(struct job *job) {
    const struct args *args = job->args;
    const char *image = args->value[STREAM_IMAGE];
    struct stat st;
    job->input = image ? image : args->operands ? args->operand[0] : NULL;
    if (!job->input || image) return EXIT_GOOD; // stream_open reports the error
    if (stat(job->input, &st) == 0 && S_ISDIR(st.st_mode))
        return complain(EXIT_INPUT, "%s: is a directory, not a trace", job->input);
    if (strcmp(job->input, "-") == 0 || source_is_live(job->input) || !wf_link_is_file(job->input))
        return complain(EXIT_USAGE,
                        "page: %s cannot be read twice; `wallfly record` makes a file of it",
                        strcmp(job->input, "-") == 0 ? "standard input" : job->input);
    return EXIT_GOOD;
}

static int parse(struct job *job, struct page_options *o) {
    const struct args *args = job->args;
    const char *most = args->value[PAGE_MOST], *size = args->value[PAGE_SIZE];
    const char *out = args->value[PAGE_OUT];
    job->most = MOST;
    job->size_mb = SIZE_MB;
    if (!window_parse(args->value[PAGE_FROM], args->value[PAGE_UNTIL], &job->window) ||
        (most && !parse_number("--most", most, 0, MOST_MAX, &job->most)) ||
        !time_parse(args->value[PAGE_TIME], NULL, &o->target_clock) ||
        (size && !parse_number("--size", size, 1, SIZE_MAX_MB, &job->size_mb)))
        return EXIT_USAGE;
    int code = parse_source(job);
    if (code != EXIT_GOOD || !job->input) return code;
    job->name = out ? strdup(out) : output_name(job->input, ".html");
    if (!job->name) return complain(EXIT_INPUT, "%s", wf_err_text(WF_ERR_NOMEM));
    char why[256];
    return wf_files_check(args->files, job->name, why) == WF_OK ? EXIT_GOOD
                                                                : complain(EXIT_USAGE, "%s", why);
}

// ---- reading

static void on_item(struct lane *l, const struct wf_item *item) {
    struct job *job = (struct job *)(void *)l->stream;
    page_item(&job->page, item);
}

static void tell(void *ctx, uint64_t bytes, uint64_t records) {
    progress_tell(ctx, bytes, records);
}

static int read_trace(struct job *job) {
    progress_begin(&job->progress, job->args->value[PAGE_PROGRESS] != NULL, job->input);
    job->stream.progress = tell;
    job->stream.progress_ctx = &job->progress;
    int code = stream_run(&job->stream, true);
    progress_end(&job->progress);
    if (code == EXIT_GOOD && job->stream.interrupted)
        return complain(EXIT_INPUT, "%s: interrupted; no page is made", job->stream.name);
    if (code == EXIT_GOOD) code = stream_judge(&job->stream);
    page_end(&job->page);
    int err = wf_timeline_error(job->page.timeline);
    if (err == WF_OK || code == EXIT_INPUT) return code;
    return complain(EXIT_INPUT, "%s: %s", job->stream.name, wf_err_text(err));
}

// ---- the window, in ticks since t0

static int64_t since(double seconds, const struct wf_timeline_span *span, uint64_t zero) {
    uint64_t tick = wf_time_tick_at(seconds, span->hz, zero);
    if (tick < span->first) return -1;
    return tick - span->first > INT64_MAX ? INT64_MAX : (int64_t)(tick - span->first);
}

static int window(const struct job *job, struct kept *k) {
    struct wf_timeline_span span;
    wf_timeline_tell(job->page.timeline, &span);
    if (!span.known)
        return complain(EXIT_INPUT, "%s: nothing in it has a time, so there is nothing to draw",
                        job->stream.name);
    int64_t last = (int64_t)(span.last - span.first);
    const struct window *w = &job->window;
    uint64_t zero = wf_time_zero(job->page.lane->session, job->page.about.target_clock);
    k->from = w->has_from ? since(w->from_s, &span, zero) : 0;
    k->until = w->has_until ? since(w->until_s, &span, zero) : last;
    if (k->from < 0) k->from = 0;
    if (k->until > last) k->until = last;
    if (k->from <= k->until) return EXIT_GOOD;
    double hz = span.hz ? (double)span.hz : 1;
    return complain(EXIT_USAGE,
                    "page: the trace has nothing between --from and --until; it is from "
                    "%.9g to %.9g%s",
                    (double)(span.first - zero) / hz, (double)(span.last - zero) / hz,
                    span.hz ? " s" : " ticks");
}

// ---- writing

static int write_file(struct job *job, const char *bytes, size_t len) {
    struct wf_outfile *o;
    char why[256];
    if (strcmp(job->name, "-") == 0) {
        if (fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0) return EXIT_GOOD;
        return complain(EXIT_INPUT, "standard output: %s", strerror(errno));
    }
    int err = wf_outfile_open(job->name, WF_MODE_BESIDE, job->args->files, &o, why);
    if (err == WF_OK) {
        err = wf_outfile_put(o, bytes, len, why);
        int closed = wf_outfile_close(o, err == WF_OK, why);
        if (err == WF_OK) err = closed;
    }
    if (err == WF_OK) return EXIT_GOOD;
    return complain(exit_code_of(err), "%s", why);
}

static int too_large(const struct job *job) {
    return complain(EXIT_USAGE,
                    "page: the file would have more than %" PRIu64 " million bytes; --from and "
                    "--until take a part of the trace, --most=N fewer records, --size=MB lets it "
                    "grow",
                    job->size_mb);
}

static int write_page(struct job *job, const char *data, size_t len) {
    char *html = NULL;
    size_t html_len = 0;
    FILE *out = memory_stream(&html, &html_len);
    bool good = out && kept_put_html(out, data, len);
    if (out && fclose(out) != 0) good = false;
    int code = good ? EXIT_GOOD
                    : complain(EXIT_INPUT, "the viewer in this program is not as it was built, or "
                                           "there is too little memory");
    if (code == EXIT_GOOD && html_len > job->size_mb * 1000000) code = too_large(job);
    if (code == EXIT_GOOD) code = write_file(job, html, html_len);
    free(html);
    return code;
}

static int make(struct job *job) {
    struct kept k = {.a = &job->page.about, .most = job->most, .size_max = job->size_mb * 1000000};
    char *data = NULL, why[256] = "";
    size_t len = 0;
    int code = window(job, &k);
    if (code != EXIT_GOOD) return code;
    k.out = memory_stream(&data, &len);
    int err = k.out ? kept_put(&k, &job->page, why) : WF_ERR_NOMEM;
    if (k.out && !memory_close(k.out) && err == WF_OK) err = WF_ERR_NOMEM;
    if (err == WF_ERR_TOO_MANY)
        code = too_large(job);
    else if (err != WF_OK)
        code = complain(EXIT_INPUT, "%s: %s", job->stream.name, *why ? why : wf_err_text(err));
    else
        code = write_page(job, data, len);
    free(data);
    if (code == EXIT_GOOD && k.records_left)
        complain(0,
                 "the page shows the first %" PRIu64 " records one by one, %" PRIu64
                 " more only as slices; --most=N takes more",
                 k.most, k.records_left);
    return code;
}

static int run(const struct args *args) {
    struct job job = {.args = args, .stream = {.single = true, .on_item = on_item}};
    struct page_options o = {.args = args};
    int code = parse(&job, &o);
    if (code == EXIT_GOOD) code = stream_rate(args, &job.stream.rate);
    if (code == EXIT_GOOD) code = stream_open(&job.stream, args);
    bool opened = code == EXIT_GOOD;
    if (opened) code = page_open(&job.page, NULL, &job.stream, &o);
    if (opened && code == EXIT_GOOD) {
        code = read_trace(&job);
        if (code == EXIT_GOOD || code == EXIT_LOSS) {
            int made = make(&job);
            if (made != EXIT_GOOD) code = made;
        }
        page_close(&job.page);
    }
    if (opened) stream_close(&job.stream);
    free(job.name);
    return code;
}

const struct cmd cmd_page = {
    "page",
    run,
    "FILE",
    0,
    1,
    "Makes one HTML file of a trace and its viewer.",
    "The file shows what `wallfly serve` shows, without it: the time line, the records, "
    "statistics and the\n"
    "sequence diagram of the part between --from and --until. It needs nothing but a browser and "
    "loads\n"
    "nothing; names from the trace cannot run in it. docs/page.md describes the viewer.",
    options};
