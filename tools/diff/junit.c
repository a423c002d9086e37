// SPDX-License-Identifier: MIT
// The result as JUnit: a test case for each condition, or one for figures and one for behaviour.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/report.h"
#include "diff.h"

static void add_detail(struct result *t, const struct diff_entry *entries, size_t count,
                       bool figures, bool all) {
    char text[DIFF_TEXT], certainty[DIFF_TEXT], *buffer = NULL;
    size_t len = 0, lines = 0;
    FILE *f = open_memstream(&buffer, &len);
    if (!f) return;
    for (size_t i = 0; i < count; ++i) {
        const struct diff_entry *e = &entries[i];
        if (e->state > DIFF_CANNOT_TELL || (!all && e->is_figure != figures)) continue;
        diff_sentence(e, text);
        diff_certainty(e, certainty);
        if (!lines++) t->message = strdup(text);
        fprintf(f, "%s (%s)\n", text, certainty);
    }
    fclose(f);
    t->detail = buffer;
}

static void add_condition(struct report *report, const char *source,
                          const struct diff_condition *c) {
    struct result *t = result_new(source, c->text);
    if (!t) return;
    t->verdict = c->answer == WF_DIFF_HOLDS   ? PASSED
                 : c->answer == WF_DIFF_FAILS ? FAILED
                                              : UNDECIDED;
    add_detail(t, c->entries, c->count, false, true);
    if (c->answer == WF_DIFF_NO_FIGURE) t->message = strdup("no figure fits the condition");
    report_result(report, t);
}

static void add_part(struct report *report, const char *source, const struct diff_result *r,
                     bool figures) {
    struct result *t = result_new(source, figures ? "figures" : "behaviour");
    bool changed = false, open = figures ? r->marked != 0 : !r->behaviour;
    if (!t) return;
    for (size_t i = 0; i < r->count; ++i) {
        if (r->entries[i].is_figure != figures) continue;
        changed |= r->entries[i].state == DIFF_CHANGED;
        open |= r->entries[i].state == DIFF_CANNOT_TELL;
    }
    t->verdict = changed ? FAILED : open ? UNDECIDED : PASSED;
    add_detail(t, r->entries, r->count, figures, false);
    report_result(report, t);
}

int diff_junit(const struct diff_result *r, const char *file) {
    struct report report;
    struct wf_error error;
    const char *source = r->sides[DIFF_SIDE_NEW].sources[0].name;
    report_begin(&report, REPORT_KEEP, false);
    report_script(&report, source);
    for (size_t i = 0; i < r->condition_count; ++i)
        add_condition(&report, source, &r->conditions[i]);
    if (!r->condition_count) {
        add_part(&report, source, r, false);
        add_part(&report, source, r, true);
    }
    int err = report_junit(&report, file, r->args->files, 0, &error);
    report_free(&report);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", error.text);
}
