// SPDX-License-Identifier: MIT
// Serves files to the page: each is read once, one after the other, while pages show their
// progress, then they are served until Ctrl-C. The page's address is printed at the first good
// record, so that for an invalid file only the error is printed.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "page_source.h"
#include "serve_traces.h"

int serve_open_site(struct site *s, uv_loop_t *loop, const struct args *args) {
    struct wf_error error;
    int err =
        site_open(s, loop, args->value[SERVE_PAGE], args->value[SERVE_TOKEN], diag_text, &error);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", error.text);
}

void serve_print_url(const struct site *s, const struct place *at, bool on_output) {
    char url[512];
    snprintf(url, sizeof url, "%s%s%s", wf_page_url(s->server), *at->text ? "#at=" : "", at->text);
    if (on_output) {
        printf("%s\n", url);
        fflush(stdout);
    }
    diag_note("%s%sshows the time line in a browser on this computer", on_output ? "it " : url,
              on_output ? "" : " ");
}

static void stop(struct file_server *f) {
    f->stop = true;
    for (unsigned i = 0; i < f->count; ++i) f->traces[i].page.stop = true;
}

static void on_signal(void *ctx) {
    struct file_server *f = ctx;
    stop(f);
    uv_stop(
        &f->loop); // only within the loop: else its next run, which closes all, would end at once
}

static void print_url(struct file_server *f) {
    if (!f->url_printed) serve_print_url(&f->site, f->at, true);
    f->url_printed = true;
}

// Returns whether it is a trace whose records have valid lengths so far, by the rule of the final
// verdict.
static bool is_good_so_far(const struct lane *l) {
    if (l->slots) return wf_slots_get_ledger(l->slots->slots)->slots > 0;
    return wf_session_ledger(l->session)->records > 0 && wf_session_sizes_fit(l->session);
}

static void on_item(struct lane *l, const struct wf_item *item) {
    struct file_trace *t = (struct file_trace *)(void *)l->stream;
    t->page.done = t->progress.bytes;
    page_item(&t->page, item);
    check_marks_take(t->rules, &t->page, item);
    if (!t->server->url_printed && is_good_so_far(l)) print_url(t->server);
    page_turn(&t->page);
    if (t->page.stop) t->stream.enough = true;
}

static void on_chunk(struct lane *l, const struct wf_chunk *chunk) {
    page_chunk(&((struct file_trace *)(void *)l->stream)->page, chunk);
}

// An error in a script does not end the server: the pages show it, and the exit code has it.
static void end_rules(struct file_trace *t) {
    struct wf_error error;
    t->rules_code = check_marks_end(t->rules, &t->page, &error);
    if (t->rules_code != EXIT_GOOD) snprintf(t->page.error, sizeof t->page.error, "%s", error.text);
}

static bool is_served(int code) { return code == EXIT_GOOD || code == EXIT_LOSS; }

// Returns the verdict on the file. The page of an invalid one shows why.
static int read_trace(struct file_trace *t) {
    progress_begin(&t->progress, false, t->stream.name);
    t->page.of = t->progress.total;
    int code = stream_run(&t->stream, true);
    progress_end(&t->progress);
    if (code == EXIT_GOOD && !t->page.stop) code = stream_verdict(&t->stream);
    if (t->stream.source.interrupted) stop(t->server);
    if (is_served(code) && !t->page.stop) end_rules(t);
    if (!is_served(code)) snprintf(t->page.error, sizeof t->page.error, "%s", diag_last_error());
    page_end(&t->page);
    return code;
}

// Returns the worst verdict. *served: any file can be served.
static int read_all(struct file_server *f, bool *served) {
    int verdict = EXIT_GOOD;
    *served = false;
    for (unsigned i = 0; i < f->count && !f->stop; ++i) {
        int code = read_trace(&f->traces[i]);
        *served |= is_served(code);
        if (is_served(verdict) && code != EXIT_GOOD) verdict = code;
    }
    return verdict;
}

static void print_totals(const struct file_server *f) {
    struct wf_timeline_span span;
    for (unsigned i = 0; i < f->count; ++i) {
        const struct file_trace *t = &f->traces[i];
        wf_timeline_extent(t->page.timeline, &span);
        diag_note("%s: %" PRIu64 " records read%s", *t->title ? t->title : t->stream.name,
                  span.records, i + 1 < f->count ? "" : "; Ctrl-C ends");
    }
}

// A page goes to the nearest end then.
static void warn_of_place(const struct file_server *f) {
    int64_t from, until;
    if (*f->at->text && !page_place(&f->traces[0].page, f->at, &from, &until))
        diag_note("--at: %s is not in the trace", f->at->text);
}

static void run_loop(struct file_server *f) {
    while (!f->stop) {
        site_work(&f->site);
        if (!f->stop) uv_run(&f->loop, UV_RUN_ONCE);
    }
}

static int serve_all(struct file_server *f) {
    bool served;
    int code = read_all(f, &served);
    if (!served) return code;
    if (!f->stop) {
        print_url(f);
        print_totals(f);
        warn_of_place(f);
    }
    run_loop(f);
    for (unsigned i = 0; i < f->count; ++i) {
        if (f->traces[i].rules_code != EXIT_GOOD) code = f->traces[i].rules_code;
    }
    return code;
}

int serve_file(const struct serve_options *o) {
    struct file_server f = {.at = &o->at, .on_item = on_item, .on_chunk = on_chunk};
    uv_loop_init(&f.loop);
    signals_open(&f.signals, &f.loop, on_signal, &f);
    signals_ignore_pipes();
    int code = serve_open_site(&f.site, &f.loop, o->args);
    if (code == EXIT_GOOD) code = traces_open(&f, o);
    if (code == EXIT_GOOD) code = serve_all(&f);
    site_close(&f.site);
    traces_close(&f);
    signals_close(&f.signals);
    uv_run(&f.loop, UV_RUN_DEFAULT);
    uv_loop_close(&f.loop);
    free(f.traces);
    return code;
}
