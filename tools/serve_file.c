// SPDX-License-Identifier: MIT
// Serves a file to the page: read once, while pages show its progress, then served until Ctrl-C.
// The page's address is printed at the first good record, so that for an invalid file only the
// error is printed.

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "check/marks.h"
#include "page_source.h"
#include "serve.h"
#include "term/signals.h"

void serve_print_url(const struct page *p, const struct place *at, bool on_output) {
    char url[512];
    snprintf(url, sizeof url, "%s%s%s", wf_page_url(p->server), *at->text ? "#at=" : "", at->text);
    if (on_output) {
        printf("%s\n", url);
        fflush(stdout);
    }
    diag_note("%s%sshows the time line in a browser on this computer", on_output ? "it " : url,
              on_output ? "" : " ");
}

struct file_server {
    struct stream stream; // the first member
    struct page page;
    const struct place *at;
    struct check_marks *rules; // null: none
    struct progress progress;
    uv_loop_t loop;
    struct signals signals;
    int rules_code;   // of the rules at the end
    bool url_printed; // the page's address was printed
};

static void on_signal(void *ctx) {
    struct file_server *f = ctx;
    f->page.stop = true;
    uv_stop(&f->loop);
}

static void print_url(struct file_server *f) {
    if (!f->url_printed) serve_print_url(&f->page, f->at, true);
    f->url_printed = true;
}

// Returns whether it is a trace whose records have valid lengths so far, by the rule of the final
// verdict.
static bool is_good_so_far(const struct lane *l) {
    if (l->slots) return wf_slots_get_ledger(l->slots->slots)->slots > 0;
    return wf_session_ledger(l->session)->records > 0 && wf_session_sizes_fit(l->session);
}

static void on_item(struct lane *l, const struct wf_item *item) {
    struct file_server *f = (struct file_server *)(void *)l->stream;
    f->page.done = f->progress.bytes;
    page_item(&f->page, item);
    check_marks_take(f->rules, &f->page, item);
    if (!f->url_printed && is_good_so_far(l)) print_url(f);
    page_turn(&f->page);
    if (f->page.stop) f->stream.enough = true;
}

static void on_chunk(struct lane *l, const struct wf_chunk *chunk) {
    page_chunk(&((struct file_server *)(void *)l->stream)->page, chunk);
}

static int open_all(struct file_server *f, const struct serve_options *o) {
    int code = check_marks_open(o->args, o->args->value[SERVE_RULES], &f->rules);
    if (code == EXIT_GOOD) code = stream_rate(o->args, &f->stream.rate);
    if (code == EXIT_GOOD) code = stream_open(&f->stream, o->args);
    if (code == EXIT_GOOD) code = page_open_stream(&f->page, &f->loop, &f->stream, &o->page);
    if (code == EXIT_USAGE || code == EXIT_INPUT) stream_close(&f->stream);
    return code;
}

// An error in a script does not end the server: the pages show it, and the exit code has it.
static int end_rules(struct file_server *f) {
    struct wf_error error;
    int code = check_marks_end(f->rules, &f->page, &error);
    if (code != EXIT_GOOD) snprintf(f->page.error, sizeof f->page.error, "%s", error.text);
    return code;
}

// Returns the verdict on the file; it can be served if that is good or a loss.
static int read_file(struct file_server *f) {
    progress_begin(&f->progress, false, f->stream.name);
    f->page.of = f->progress.total;
    int code = stream_run(&f->stream, true);
    progress_end(&f->progress);
    if (code == EXIT_GOOD && !f->page.stop) code = stream_verdict(&f->stream);
    if (f->stream.source.interrupted) f->page.stop = true;
    bool read = code == EXIT_GOOD || code == EXIT_LOSS;
    if (read && !f->page.stop) f->rules_code = end_rules(f);
    page_end(&f->page);
    return code;
}

static void print_totals(const struct file_server *f) {
    struct wf_timeline_span span;
    wf_timeline_extent(f->page.timeline, &span);
    diag_note("%s: %" PRIu64 " records read; Ctrl-C ends", f->stream.name, span.records);
}

// A page goes to the nearest end then.
static void warn_of_place(const struct file_server *f) {
    int64_t from, until;
    if (*f->at->text && !page_place(&f->page, f->at, &from, &until))
        diag_note("--at: %s is not in the trace", f->at->text);
}

static void run_loop(struct file_server *f) {
    while (!f->page.stop) {
        page_work(&f->page);
        if (!f->page.stop) uv_run(&f->loop, UV_RUN_ONCE);
        page_push(&f->page);
    }
}

int serve_file(const struct serve_options *o) {
    struct file_server f = {.stream = {.single = true, .on_item = on_item, .on_chunk = on_chunk},
                            .at = &o->at};
    f.stream.progress = &f.progress;
    uv_loop_init(&f.loop);
    signals_open(&f.signals, &f.loop, on_signal, &f);
    signals_ignore_pipes();
    int code = open_all(&f, o);
    if (code == EXIT_GOOD) {
        code = read_file(&f);
        if (code == EXIT_GOOD || code == EXIT_LOSS) {
            if (!f.page.stop) print_url(&f);
            if (!f.page.stop) print_totals(&f);
            if (!f.page.stop) warn_of_place(&f);
            run_loop(&f);
            if (f.rules_code != EXIT_GOOD) code = f.rules_code;
        }
        page_close(&f.page);
        stream_close(&f.stream);
    }
    check_marks_close(f.rules);
    signals_close(&f.signals);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    uv_loop_close(&f.loop);
    return code;
}
