// SPDX-License-Identifier: MIT
// Parts of results that several outputs have.

#include "view.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../report/escape.h"

void view_count(const struct check_view *v, struct check_counts *counts) {
    for (unsigned i = 0; i < v->count; ++i) {
        enum wf_check_verdict verdict = v->rows[i].result.of.verdict;
        ++*(verdict == WF_CHECK_PASSED   ? &counts->passed
            : verdict == WF_CHECK_FAILED ? &counts->failed
                                         : &counts->undecided);
    }
}

static uint64_t rate_of(const struct check_row *row) {
    return row->session ? wf_session_target(row->session)->hz : 0;
}

// Seconds as displayed.
static double seconds_of(const struct check_view *v, const struct check_row *row, uint64_t tick) {
    uint64_t zero = wf_time_zero(row->session, v->target_clock);
    return (double)(int64_t)(tick - zero) / (double)rate_of(row);
}

// The decimals that distinguish ticks.
static int decimals(uint64_t hz) {
    int digits = 0;
    for (uint64_t power = 1; power < hz && digits < 9; power *= 10) ++digits;
    return digits;
}

void view_time(const struct check_view *v, const struct check_row *row, uint64_t tick,
               char text[VIEW_TEXT]) {
    uint64_t hz = rate_of(row);
    if (hz)
        snprintf(text, VIEW_TEXT, "%.*f s", decimals(hz), seconds_of(v, row, tick));
    else
        snprintf(text, VIEW_TEXT, "tick %" PRIu64, tick);
}

// Writes a word for a shell; controls become visible, so that the line is safe to show.
static void put_word(FILE *f, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:@%+,-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, f);
        return;
    }
    putc('\'', f);
    for (size_t len; *word; word += len) {
        len = strcspn(word, "'");
        put_shown(f, word, len);
        if (!word[len]) break;
        fputs("'\\''", f);
        ++len;
    }
    putc('\'', f);
}

// The options that say what the source is.
static void put_options(FILE *f, const struct args *args) {
    for (unsigned i = 0; i < STREAM_OPTIONS; ++i) {
        if (!args->value[i] || i == STREAM_ASK || i == STREAM_STRICT || i == STREAM_LANE) continue;
        fprintf(f, " --%s=", args->cmd->options[i].name);
        put_word(f, args->value[i]);
    }
}

static void put_moment(FILE *f, const struct check_view *v, const struct check_row *row,
                       uint64_t tick) {
    if (rate_of(row))
        fprintf(f, "%.*f", decimals(rate_of(row)), seconds_of(v, row, tick));
    else
        fprintf(f, "%" PRIu64, tick);
}

bool view_command(FILE *f, const struct check_view *v, const struct check_row *row,
                  const struct wf_check_failure *failure) {
    if (v->gone) return false;
    fputs("wallfly serve", f);
    put_options(f, v->args);
    if (v->args->operands) putc(' ', f);
    if (v->args->operands) put_word(f, v->args->operand[0]);
    if (v->lanes || v->args->value[STREAM_LANE]) fprintf(f, " --lane=%u", row->lane);
    if (v->target_clock) fputs(" --time=target", f);
    fputs(" --at=", f);
    put_moment(f, v, row, failure->from);
    if (failure->to == failure->from) return true;
    fputs("..", f);
    put_moment(f, v, row, failure->to);
    return true;
}

void view_margin(const struct wf_check_result *r, char text[VIEW_TEXT]) {
    *text = 0;
    if (!r->measured || !isfinite(r->margin) || fabs(r->bound) < DBL_MIN) return;
    if (r->margin < 0)
        snprintf(text, VIEW_TEXT, "%.3g %% over", -r->margin);
    else
        snprintf(text, VIEW_TEXT, "margin %.3g %%", r->margin);
}

void view_title(const struct check_view *v, const struct check_row *row, bool several,
                char text[512]) {
    char lane[24] = "";
    if (v->lanes) snprintf(lane, sizeof lane, "lane %u: ", row->lane);
    snprintf(text, 512, "%.200s%s%s%s", several ? v->name : "", several ? ": " : "", lane,
             row->result.rule->title);
}

static void put_records(FILE *f, const struct check_view *v, const struct check_row *row,
                        uint64_t record, const char *prefix) {
    uint64_t first = record > AROUND ? record - AROUND : 1;
    for (uint64_t n = first; v->around && n <= record + AROUND; ++n) {
        const char *line = around_get(v->around, row->lane, n);
        if (line) fprintf(f, "%s%c %s\n", prefix, n == record ? '>' : ' ', line);
    }
}

void view_failure(FILE *f, const struct check_view *v, const struct check_row *row, unsigned index,
                  const char *prefix) {
    const struct wf_check_failure *failure = &row->result.of.failures[index];
    char time[VIEW_TEXT];
    if (!row->session) return;
    view_time(v, row, failure->to, time);
    fprintf(f, "%sat %s", prefix, time);
    if (failure->task) {
        fputs(", ", f);
        put_shown(f, failure->task, strlen(failure->task));
    }
    fputs(": ", f);
    put_shown(f, failure->text, strlen(failure->text));
    putc('\n', f);
    if (failure->record) put_records(f, v, row, failure->record, prefix);
    fputs(prefix, f);
    if (view_command(f, v, row, failure))
        putc('\n', f);
    else
        fputs("the source is gone: record it first, to see the place on the page\n", f);
}
