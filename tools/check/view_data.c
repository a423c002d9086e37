// SPDX-License-Identifier: MIT
// Results for programs: JSON, GitHub's annotations, TAP and JUnit.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/escape.h"
#include "view.h"
#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"

// ---- JSON

static void put_member(FILE *f, const char *name, const char *text) {
    fprintf(f, ",\"%s\":", name);
    if (text)
        json_text(f, text);
    else
        fputs("null", f);
}

static void put_number(FILE *f, const char *name, bool known, double value) {
    if (known && isfinite(value))
        fprintf(f, ",\"%s\":%.15g", name, value);
    else
        fprintf(f, ",\"%s\":null", name);
}

static void put_count(FILE *f, const char *name, uint64_t value) {
    fprintf(f, ",\"%s\":%" PRIu64, name, value);
}

static void json_records(FILE *f, const struct check_view *v, const struct check_row *row,
                         uint64_t record) {
    uint64_t first = record > AROUND ? record - AROUND : 1;
    bool any = false;
    fputs(",\"records\":[", f);
    for (uint64_t n = first; v->around && record && n <= record + AROUND; ++n) {
        const char *line = around_get(v->around, row->lane, n);
        if (!line) continue;
        if (any) putc(',', f);
        json_text(f, line);
        any = true;
    }
    putc(']', f);
}

static void json_failure(FILE *f, const struct check_view *v, const struct check_row *row,
                         const struct wf_check_failure *failure) {
    char *command = NULL;
    size_t len;
    uint64_t hz = wf_session_target(row->session)->hz;
    double zero = (double)wf_time_zero(row->session, v->target_clock);
    FILE *line = memory_stream(&command, &len);
    bool shown = line && view_command(line, v, row, failure);
    if (line && !memory_close(line)) shown = false;
    fprintf(f, "{\"from\":%" PRIu64 ",\"to\":%" PRIu64, failure->from, failure->to);
    put_number(f, "time", hz != 0, ((double)failure->to - zero) / (double)(hz ? hz : 1));
    put_number(f, "value", row->result.of.measured, failure->value);
    put_member(f, "task", failure->task);
    put_count(f, "core", failure->core);
    put_number(f, "record", failure->record != 0, (double)failure->record);
    put_member(f, "text", failure->text);
    put_member(f, "command", shown ? command : NULL);
    json_records(f, v, row, failure->record);
    putc('}', f);
    free(command);
}

static void json_row(FILE *f, const struct check_view *v, const struct check_row *row) {
    static const char *const units[] = {[WF_CHECK_TIME] = "s",
                                        [WF_CHECK_SHARE] = "percent",
                                        [WF_CHECK_NUMBER] = "count",
                                        [WF_CHECK_BYTES] = "bytes"};
    const struct check_rule *rule = row->result.rule;
    const struct wf_check_result *r = &row->result.of;
    bool kind = rule->form == CHECK_KIND;
    fprintf(f, "{\"lane\":%u", row->lane);
    put_member(f, "rule", rule->name);
    put_member(f, "title", rule->title);
    put_member(f, "file", rule->script);
    fprintf(f, ",\"line\":%d", rule->line);
    put_member(f, "verdict", wf_check_verdicts[r->verdict]);
    put_member(f, "text", r->text);
    put_member(f, "unit", kind ? units[wf_check_kinds[rule->of.kind].unit] : NULL);
    put_member(f, "figure", r->measured ? r->figure : NULL);
    put_number(f, "value", r->measured, r->value);
    put_number(f, "bound", r->measured, r->bound);
    put_number(f, "margin", r->measured, r->margin);
    put_count(f, "count", r->count);
    put_count(f, "undecided", r->undecided);
    put_count(f, "holes", r->holes);
    put_count(f, "failure_count", r->failure_count);
    fputs(",\"failures\":[", f);
    for (unsigned i = 0; i < r->kept && row->session; ++i) {
        if (i) putc(',', f);
        json_failure(f, v, row, &r->failures[i]);
    }
    fputs("]}", f);
}

void view_json(FILE *f, const struct check_view *v) {
    struct check_counts n = {0};
    view_count(v, &n);
    fputs("{\"source\":", f);
    json_text(f, v->name);
    fprintf(f, ",\"passed\":%u,\"failed\":%u,\"undecided\":%u,\"rules\":[", n.passed, n.failed,
            n.undecided);
    for (unsigned i = 0; i < v->count; ++i) {
        if (i) fputs(",\n  ", f);
        json_row(f, v, &v->rows[i]);
    }
    fputs("]}", f);
}

// ---- GitHub: ::error file=rules.lua,line=4,title=...::message

// A message has no line ends of its own; a property no comma and colon either.
static void put_annotation(FILE *f, const char *text, bool property) {
    for (size_t len; *text; text += len) {
        len = strcspn(text, property ? "%\r\n,:" : "%\r\n");
        put_shown(f, text, len);
        if (!text[len]) break;
        fprintf(f, "%%%02X", (unsigned char)text[len]);
        ++len;
    }
}

static void github_row(FILE *f, const struct check_view *v, const struct check_row *row,
                       bool several) {
    const struct wf_check_result *r = &row->result.of;
    const struct check_rule *rule = row->result.rule;
    char title[512], time[VIEW_TEXT];
    view_title(v, row, several, title);
    fprintf(f, "::%s file=", r->verdict == WF_CHECK_FAILED ? "error" : "warning");
    put_annotation(f, rule->script, true);
    fprintf(f, ",line=%d,title=", rule->line);
    put_annotation(f, title, true);
    fputs("::", f);
    put_annotation(f, r->text, false);
    for (unsigned i = 0; i < r->kept && i < v->shown && row->session; ++i) {
        view_time(v, row, r->failures[i].to, time);
        fprintf(f, "%%0Aat %s: ", time);
        put_annotation(f, r->failures[i].text, false);
    }
    putc('\n', f);
}

void view_github(FILE *f, const struct check_view *v, bool several) {
    for (unsigned i = 0; i < v->count; ++i) {
        if (v->rows[i].result.of.verdict != WF_CHECK_PASSED) github_row(f, v, &v->rows[i], several);
    }
}

// ---- TAP and JUnit

static bool add_row(struct report *r, const struct check_view *v, const struct check_row *row,
                    bool several) {
    static const enum verdict verdicts[] = {
        [WF_CHECK_PASSED] = PASSED, [WF_CHECK_FAILED] = FAILED, [WF_CHECK_UNDECIDED] = UNDECIDED};
    const struct wf_check_result *of = &row->result.of;
    char title[512];
    size_t len;
    view_title(v, row, several, title);
    struct result *t = result_new(row->result.rule->script, title);
    if (!t) return false;
    t->line = row->result.rule->line;
    t->verdict = verdicts[of->verdict];
    t->message = t->verdict == PASSED ? NULL : strdup(of->text);
    FILE *f = memory_stream(&t->detail, &len);
    for (unsigned i = 0; f && i < of->kept && i < v->shown; ++i) view_failure(f, v, row, i, "");
    bool good = f && memory_close(f) && (t->message || t->verdict == PASSED);
    report_result(r, t);
    return good;
}

bool view_report(struct report *r, const struct check_view *v, bool several) {
    bool good = true;
    for (unsigned i = 0; i < v->count; ++i) good &= add_row(r, v, &v->rows[i], several);
    return good;
}
