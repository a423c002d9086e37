// SPDX-License-Identifier: MIT
// Prints the verdict of a trace (wf_lane_verdict), and turns it into an exit code.

#include "stream.h"

static void print_sizes(struct lane *l, const struct wf_verdict *v) {
    char name[256];
    l->hinted = true;
    diag_note("%s: %s; try --sizes=%s", lane_name(l, name), v->text, v->sizes);
}

// Checks at the third malformed record, then each time their number has doubled.
void stream_hint_sizes(struct lane *l) {
    uint64_t malformed = wf_session_ledger(l->session)->malformed;
    if (l->hinted || malformed < (l->hint_from ? l->hint_from : WF_VERDICT_MALFORMED_MIN)) return;
    l->hint_from = 2 * malformed;
    const struct wf_verdict *v = wf_lane_verdict(l->of);
    if (v->sizes[0]) print_sizes(l, v);
}

// QSPY accepts records with any sizes, and so do its formats.
static int sizes_exit_code(struct lane *l, const struct wf_verdict *v) {
    char name[256];
    bool qspy = l->stream->options.dialect == WF_DIALECT_QSPY;
    int code = v->kind == WF_VERDICT_WRONG_SIZES && !qspy ? EXIT_INPUT : EXIT_GOOD;
    if (v->sizes[0] && !l->hinted) print_sizes(l, v);
    if (l->hinted || qspy) return code;
    return diag_error(code, "%s: %s", lane_name(l, name), v->text);
}

static int lane_exit_code(struct lane *l) {
    const struct wf_verdict *v = wf_lane_verdict(l->of);
    char name[256];
    if (v->kind == WF_VERDICT_NO_TRACE)
        return diag_error(EXIT_INPUT, "%s: %s", lane_name(l, name), v->text);
    int code = v->kind == WF_VERDICT_GOOD ? EXIT_GOOD : sizes_exit_code(l, v);
    if (code == EXIT_GOOD && l->stream->strict && v->lossy)
        code = diag_error(EXIT_LOSS, "%s: %s (--strict)", lane_name(l, name), v->loss);
    return code;
}

int stream_verdict(struct stream *s) {
    int code = EXIT_GOOD;
    for (unsigned i = 0; i < s->lane_count && code == EXIT_GOOD; ++i)
        code = lane_exit_code(s->lanes[i]);
    if (code == EXIT_GOOD && s->strict && (s->damaged || s->cut))
        code = diag_error(EXIT_LOSS, "%s: the recording is not whole (--strict)", s->name);
    if (code == EXIT_GOOD && source_was_cut()) code = EXIT_LOSS; // what was read is shown
    return code;
}
