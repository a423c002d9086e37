// SPDX-License-Identifier: MIT
// Results exist at the end of a trace only: of a file the marks come all at once. Of a live trace
// failures come one by one, and the results replace them if it ends.

#include "marks.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 10000, // failures of each rule, the worst
    LIVE_MOST = 40000,
    LIVE_DROP = 10000 // marks of a live trace: the oldest are dropped at once
};
static const double limit_s = 10;

struct check_marks {
    struct check_rules *rules;
    struct check_lane *lane; // null: no item yet, or an error
    struct wf_error error;   // of opening the lane, or of adding a mark
    struct page *live;       // null: it is a file
};

static int load(struct check_marks *m, const struct args *args, const char *list) {
    for (size_t len; *list; list += len + (list[len] == ',')) {
        struct wf_error error;
        char name[4096];
        len = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)len, list);
        if (!wf_files_add(args->files, name)) return out_of_memory();
        int err = check_load(m->rules, name, &error);
        if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    }
    if (check_rule_count(m->rules)) return EXIT_GOOD;
    return diag_error(EXIT_USAGE, "--rules: there are no rules");
}

int check_marks_open(const struct args *args, const char *list, struct check_marks **out) {
    *out = NULL;
    if (!list) return EXIT_GOOD;
    struct check_marks *m = calloc(1, sizeof *m);
    if (!m) return out_of_memory();
    m->rules = check_rules_open(limit_s);
    int code = m->rules ? load(m, args, list) : out_of_memory();
    if (code == EXIT_GOOD)
        *out = m;
    else
        check_marks_close(m);
    return code;
}

void check_marks_close(struct check_marks *m) {
    if (!m) return;
    if (m->lane) check_lane_close(m->lane);
    if (m->rules) check_rules_close(m->rules);
    free(m);
}

static void open_lane(struct check_marks *m, const struct page *p,
                      void (*on_failure)(void *ctx, unsigned rule,
                                         const struct wf_check_failure *failure)) {
    const struct wf_check_options o = {.size = sizeof o,
                                       .target_clock = p->about.target_clock,
                                       .failures = KEPT,
                                       .on_failure = on_failure,
                                       .ctx = m};
    m->lane = check_lane_open(m->rules, p->session, p->about.lane, &o, &m->error);
}

void check_marks_take(struct check_marks *m, const struct page *p, const struct wf_item *item) {
    if (!m || m->error.code) return;
    if (!m->lane) open_lane(m, p, NULL);
    if (m->lane && !check_lane_failed(m->lane)) check_lane_take(m->lane, item);
}

// ---- results

static enum mark_kind kind_of(enum wf_check_verdict verdict) {
    static const enum mark_kind kinds[] = {[WF_CHECK_PASSED] = MARK_PASS,
                                           [WF_CHECK_FAILED] = MARK_FAIL,
                                           [WF_CHECK_UNDECIDED] = MARK_UNDECIDED};
    return kinds[verdict];
}

// The row of a failure: that of its task, or of the one thing that the rule is about.
static void set_row(struct mark *mark, const struct check_rule *rule,
                    const struct wf_check_failure *f) {
    const struct wf_check_rule *of = &rule->of;
    const struct {
        const char *name;
        enum wf_row_kind kind;
    } rows[] = {{f->task, WF_ROW_TASK},
                {of->object, WF_ROW_OBJECT},
                {of->machine, WF_ROW_MACHINE},
                {of->kind == WF_CHECK_COUNTER ? of->name : NULL, WF_ROW_COUNTER}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (!rows[i].name || (i && strpbrk(rows[i].name, "*?"))) continue;
        mark->row = rows[i].name;
        mark->row_kind = rows[i].kind;
        return;
    }
}

// number: of the rule among the marks.
static int add_failure(const struct page *p, const struct check_rule *rule, unsigned number,
                       const struct wf_check_failure *f) {
    struct mark mark = {.kind = MARK_FAIL,
                        .rule = number,
                        .from = f->from,
                        .until = f->to,
                        .core = -1,
                        .text = f->text};
    set_row(&mark, rule, f);
    return marks_add(p->marks, &mark);
}

// Whether the failures of a rule become marks while the trace goes on.
static bool is_live(const struct check_marks *m, const struct check_rule *rule) {
    return m->live && rule->form == CHECK_KIND && wf_check_reports(&rule->of);
}

static int add_result(const struct check_marks *m, const struct page *p, unsigned number) {
    struct check_result r;
    check_lane_result(m->lane, number, &r);
    const struct mark_rule rule = {.title = r.rule->title,
                                   .text = r.of.text,
                                   .verdict = kind_of(r.of.verdict),
                                   .has_margin = r.of.measured,
                                   .margin = r.of.margin,
                                   .failures = r.of.failure_count,
                                   .live = is_live(m, r.rule)};
    if (m->live && !*r.of.text) return WF_OK; // not checked: it keeps its text
    int err = m->live ? marks_set_rule(p->marks, number, &rule) : marks_add_rule(p->marks, &rule);
    for (unsigned i = 0; i < r.of.kept && err == WF_OK; ++i)
        err = add_failure(p, r.rule, number, &r.of.failures[i]);
    return err;
}

// Rules for lanes that the page does not show.
static int add_others(const struct check_marks *m, const struct page *p) {
    int err = WF_OK;
    for (unsigned i = 0; i < check_rule_count(m->rules) && err == WF_OK; ++i) {
        const struct check_rule *of = check_rule_at(m->rules, i);
        char text[96];
        if (of->lane < 0 || (unsigned)of->lane == p->about.lane) continue;
        snprintf(text, sizeof text, "the rule is for lane %d, this is lane %u", of->lane,
                 p->about.lane);
        const struct mark_rule rule = {.title = of->title, .text = text, .verdict = MARK_UNDECIDED};
        err = marks_add_rule(p->marks, &rule);
    }
    return err;
}

static int add_results(struct check_marks *m, const struct page *p, struct wf_error *error) {
    int err = check_lane_end(m->lane, error);
    if (err != WF_OK) return err;
    if (m->live) marks_clear(p->marks);
    for (unsigned i = 0; i < check_lane_results(m->lane) && err == WF_OK; ++i)
        err = add_result(m, p, i);
    if (err == WF_OK && !m->live) err = add_others(m, p);
    return err == WF_OK ? err : wf_error_code(error, err);
}

// ---- a live trace

static void on_failure(void *ctx, unsigned number, const struct wf_check_failure *f) {
    struct check_marks *m = ctx;
    struct marks *marks = m->live->marks;
    struct mark_rule rule;
    if (m->error.code != WF_OK) return;
    marks_get_rule(marks, number, &rule);
    rule.verdict = MARK_FAIL;
    rule.text = f->text;
    ++rule.failures;
    int err = marks_count(marks) < LIVE_MOST ? WF_OK : marks_drop(marks, LIVE_DROP);
    if (err == WF_OK) err = marks_set_rule(marks, number, &rule);
    if (err == WF_OK) err = add_failure(m->live, check_lane_rule(m->lane, number), number, f);
    if (err == WF_OK) return;
    wf_error_code(&m->error, err);
    page_note(m->live, "the rules are no longer checked: out of memory");
}

// Why a rule has no failure while the trace goes on.
static const char *late_text(const struct check_rule *rule) {
    return rule->form == CHECK_KIND ? "is decided at the end of the trace"
                                    : "is not checked while the trace goes on";
}

int check_marks_begin(struct check_marks *m, struct page *p) {
    if (!m) return EXIT_GOOD;
    m->live = p;
    open_lane(m, p, on_failure);
    if (!m->lane) return diag_error(exit_code_of(m->error.code), "%s", m->error.text);
    int err = WF_OK;
    for (unsigned i = 0; i < check_lane_results(m->lane) && err == WF_OK; ++i) {
        const struct check_rule *of = check_lane_rule(m->lane, i);
        const bool live = is_live(m, of);
        const struct mark_rule rule = {.title = of->title,
                                       .text = live ? "no failure so far" : late_text(of),
                                       .verdict = MARK_UNDECIDED,
                                       .live = live};
        err = marks_add_rule(p->marks, &rule);
    }
    if (err == WF_OK) err = add_others(m, p);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", wf_err_text(err));
}

int check_marks_end(struct check_marks *m, const struct page *p, struct wf_error *error) {
    *error = (struct wf_error){.code = WF_OK};
    if (!m) return EXIT_GOOD;
    int err = m->error.code;
    if (err != WF_OK)
        *error = m->error;
    else if (m->lane)
        err = add_results(m, p, error);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s", error->text);
}
