// SPDX-License-Identifier: MIT
// Reads the traces of `wallfly serve` into their pages.

#include <stdio.h>

#include "page_source.h"
#include "serve_traces.h"

// Returns whether it is a trace whose records have valid lengths so far, by the rule of the final
// verdict.
static bool is_good_so_far(const struct lane *l) {
    if (l->slots) return wf_slots_get_ledger(l->slots->slots)->slots > 0;
    return wf_session_ledger(l->session)->records > 0 && wf_session_sizes_fit(l->session);
}

static void on_item(struct lane *l, const struct wf_item *item) {
    struct file_trace *t = (struct file_trace *)(void *)l->stream;
    struct file_server *f = t->server;
    t->page.done = t->progress.bytes;
    page_item(&t->page, item);
    check_marks_take(t->rules, &t->page, item);
    if (f->on_good && is_good_so_far(l)) {
        f->on_good(f->ctx);
        f->on_good = NULL;
    }
    page_turn(&t->page);
    if (t->page.stop) t->stream.enough = true;
}

static void on_chunk(struct lane *l, const struct wf_chunk *chunk) {
    page_chunk(&((struct file_trace *)(void *)l->stream)->page, chunk);
}

void traces_prepare(struct file_trace *t) {
    t->stream = (struct stream){
        .single = true, .on_item = on_item, .on_chunk = on_chunk, .progress = &t->progress};
}

void traces_stop(struct file_server *f) {
    f->stop = true;
    for (unsigned i = 0; i < f->count; ++i) f->traces[i].page.stop = true;
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
    if (t->stream.source.interrupted) traces_stop(t->server);
    if (is_served(code) && !t->page.stop) end_rules(t);
    if (!is_served(code)) snprintf(t->page.error, sizeof t->page.error, "%s", diag_last_error());
    page_end(&t->page);
    return code;
}

int traces_read(struct file_server *f, bool *served) {
    int verdict = EXIT_GOOD;
    *served = false;
    for (unsigned i = 0; i < f->count && !f->stop; ++i) {
        int code = read_trace(&f->traces[i]);
        *served |= is_served(code);
        if (is_served(verdict) && code != EXIT_GOOD) verdict = code;
    }
    return verdict;
}
