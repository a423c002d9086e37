// SPDX-License-Identifier: MIT
// Results for people: the worst first.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/escape.h"
#include "view.h"

static const struct {
    const char *word, *colour;
    int rank;
} words[] = {[WF_CHECK_PASSED] = {"PASS", "32", 2},
             [WF_CHECK_FAILED] = {"FAIL", "31", 0},
             [WF_CHECK_UNDECIDED] = {"?   ", "33", 1}};

static double margin_of(const struct wf_check_result *r) {
    return r->measured && isfinite(r->margin) ? r->margin : INFINITY;
}

static int compare(const void *a, const void *b) {
    const struct check_row *x = *(const struct check_row *const *)a;
    const struct check_row *y = *(const struct check_row *const *)b;
    int left = words[x->result.of.verdict].rank, right = words[y->result.of.verdict].rank;
    if (left != right) return left - right;
    double m = margin_of(&x->result.of), n = margin_of(&y->result.of);
    if (m < n) return -1;
    if (m > n) return 1;
    return x < y ? -1 : x > y;
}

static void put_text(const char *text) { put_shown(stdout, text, strlen(text)); }

static void put_head(const struct check_view *v, const struct check_row *row) {
    const struct check_rule *rule = row->result.rule;
    enum wf_check_verdict verdict = row->result.of.verdict;
    char title[512];
    view_title(v, row, false, title);
    if (v->colour)
        printf("  \033[%sm%s\033[0m  ", words[verdict].colour, words[verdict].word);
    else
        printf("  %s  ", words[verdict].word);
    put_text(title);
    printf(v->colour ? "  \033[2m" : "  ");
    put_text(rule->script);
    printf(v->colour ? ":%d\033[0m\n" : ":%d\n", rule->line);
}

static void put_row(const struct check_view *v, const struct check_row *row) {
    static const char prefix[] = "        ";
    const struct wf_check_result *r = &row->result.of;
    char margin[VIEW_TEXT];
    put_head(v, row);
    view_margin(r, margin);
    fputs(prefix, stdout);
    put_text(r->text);
    printf(*margin ? "; %s\n" : "%s\n", margin);
    if (r->verdict == WF_CHECK_PASSED) return;
    unsigned shown = r->kept < v->shown ? r->kept : v->shown;
    for (unsigned i = 0; i < shown; ++i) view_failure(stdout, v, row, i, prefix);
    if (shown && r->failure_count > shown)
        printf("%sand %llu more\n", prefix, (unsigned long long)(r->failure_count - shown));
}

void view_text(const struct check_view *v) {
    const struct check_row **order = calloc(v->count + 1, sizeof *order);
    put_text(v->name);
    putchar('\n');
    for (unsigned i = 0; i < v->count && order; ++i) order[i] = &v->rows[i];
    if (order && v->count) qsort(order, v->count, sizeof *order, compare);
    for (unsigned i = 0; i < v->count; ++i) put_row(v, order ? order[i] : &v->rows[i]);
    free(order);
}

void view_text_end(const struct check_counts *n, bool colour) {
    const char *tint = n->failed ? "31" : n->undecided ? "33" : "32";
    if (colour) printf("\033[%sm", tint);
    printf("%u failed, %u cannot tell, %u passed", n->failed, n->undecided, n->passed);
    puts(colour ? "\033[0m" : "");
}
