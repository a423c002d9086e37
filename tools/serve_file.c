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
#include "term/signals.h"

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

struct command {
    struct file_server f;
    uv_loop_t loop;
    struct signals signals;
    bool url_printed; // the page's address was printed
};

static void on_signal(void *ctx) {
    struct command *c = ctx;
    traces_stop(&c->f);
    uv_stop(
        &c->loop); // only within the loop: else its next run, which closes all, would end at once
}

static void print_url(void *ctx) {
    struct command *c = ctx;
    if (!c->url_printed) serve_print_url(&c->f.site, c->f.at, true);
    c->url_printed = true;
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

static void run_loop(struct command *c) {
    while (!c->f.stop) {
        site_work(&c->f.site);
        if (!c->f.stop) uv_run(&c->loop, UV_RUN_ONCE);
    }
}

static int serve_all(struct command *c) {
    struct file_server *f = &c->f;
    bool served;
    int code = traces_read(f, &served);
    if (!served) return code;
    if (!f->stop) {
        print_url(c);
        print_totals(f);
        warn_of_place(f);
    }
    run_loop(c);
    for (unsigned i = 0; i < f->count; ++i) {
        if (f->traces[i].rules_code != EXIT_GOOD) code = f->traces[i].rules_code;
    }
    return code;
}

int serve_file(const struct serve_options *o) {
    struct command c = {.f = {.at = &o->at, .on_good = print_url, .ctx = &c}};
    uv_loop_init(&c.loop);
    signals_open(&c.signals, &c.loop, on_signal, &c);
    signals_ignore_pipes();
    int code = serve_open_site(&c.f.site, &c.loop, o->args);
    if (code == EXIT_GOOD) code = traces_open(&c.f, o);
    if (code == EXIT_GOOD) code = serve_all(&c);
    site_close(&c.f.site);
    traces_close(&c.f);
    signals_close(&c.signals);
    uv_run(&c.loop, UV_RUN_DEFAULT);
    uv_loop_close(&c.loop);
    free(c.f.traces);
    return code;
}
