// SPDX-License-Identifier: MIT
// Statistics for other programs: JSON and CSV with the same names and numbers. Times are in
// nanoseconds, or in ticks if the rate is unknown.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_tables.h"
#include "wallfly_server/json.h"
#include "wallfly_server/stats_data.h"

// ---- rows

static bool concerns_task(const struct wf_stats_row *row, const char *task) {
    const char *const names[] = {row->task, row->by, row->over};
    for (unsigned i = 0; i < 3; ++i) {
        if (names[i] && strcmp(names[i], task) == 0) return true;
    }
    return false;
}

bool stats_next(const struct stats *s, uint64_t *at, struct wf_stats_row *row) {
    while (wf_stats_next(s->figures, at, row)) {
        if (!s->task || concerns_task(row, s->task)) return true;
    }
    return false;
}

// ---- numbers

// Prints up to three decimals, without trailing zeros.
static void put_number(FILE *out, long double value) {
    char text[64];
    snprintf(text, sizeof text, "%.3Lf", value);
    size_t len = strlen(text);
    while (text[len - 1] == '0') text[--len] = 0;
    if (text[len - 1] == '.') text[--len] = 0;
    fputs(strcmp(text, "-0") == 0 ? "0" : text, out);
}

static const char *unit_name(const struct stats *s, enum wf_unit unit) {
    return unit == WF_UNIT_TICKS && s->about.hz ? "ns" : wf_unit_names[unit];
}

static long double nanoseconds(uint64_t hz, long double ticks) {
    if (!hz || hz == 1000000000) return ticks;
    return ticks * 1000000000.0L / (long double)hz;
}

void stats_put_ticks(FILE *out, uint64_t hz, double ticks) {
    put_number(out, (double)nanoseconds(hz, ticks));
}

static double in_unit(const struct stats *s, enum wf_unit unit, double value) {
    return unit == WF_UNIT_TICKS ? (double)nanoseconds(s->about.hz, value) : value;
}

// The numbers of a figure in the order of the columns; null: not available for this figure.
enum { NUMBERS = 10 };
static const char *const number_names[NUMBERS] = {"value", "count", "min", "mean", "p50",
                                                  "p95",   "p99",   "max", "open", "in_holes"};

// Bits of the numbers that a form has.
static const unsigned form_numbers[] = {
    [WF_FIGURE_ONE] = 0x001, [WF_FIGURE_SPREAD] = 0x3FE, [WF_FIGURE_LEVEL] = 0x08F};

static const double *number_of(const struct wf_figure *f, unsigned n) {
    const double *const all[NUMBERS] = {&f->value, &f->count, &f->min, &f->mean, &f->p50,
                                        &f->p95,   &f->p99,   &f->max, &f->open, &f->in_holes};
    bool always = n == 1 || n >= 8; // counts
    return form_numbers[f->form] >> n & 1 && (f->known || always) ? all[n] : NULL;
}

static void put_figure_number(const struct stats *s, const struct wf_figure *f, unsigned n) {
    bool plain = n == 1 || n >= 8;
    put_number(s->out, in_unit(s, plain ? WF_UNIT_COUNT : f->unit, *number_of(f, n)));
}

// ---- JSON

static void put_member(const struct stats *s, const char *name, const char *text) {
    if (!text) return;
    fprintf(s->out, "\"%s\":", name);
    json_text(s->out, text);
    putc(',', s->out);
}

// "start jitter" becomes start_jitter.
static void put_figure_name(const struct stats *s, const char *name) {
    for (; *name; ++name) putc(*name == ' ' ? '_' : *name, s->out);
}

// A clock of ns since 1970 has more digits than a double.
static void put_time(const struct stats *s, uint64_t tick) {
    put_number(s->out, nanoseconds(s->about.hz, tick > s->zero ? tick - s->zero : 0));
}

static void put_place_json(const struct stats *s, const struct wf_stats_place *p) {
    if (!p->known) {
        fprintf(s->out, "null");
        return;
    }
    putc('[', s->out);
    put_time(s, p->from);
    putc(',', s->out);
    put_time(s, p->to);
    putc(']', s->out);
}

static void put_figure_json(const struct stats *s, const struct wf_figure *f) {
    const char *comma = "";
    fprintf(s->out, ",\"");
    put_figure_name(s, f->name);
    fprintf(s->out, "\":");
    if (f->form == WF_FIGURE_ONE) {
        if (f->known)
            put_figure_number(s, f, 0);
        else
            fprintf(s->out, "null");
        if (!f->first_at.known) return;
        fprintf(s->out, ",\"");
        put_figure_name(s, f->name);
        fprintf(s->out, "_at\":");
        put_place_json(s, &f->first_at);
        return;
    }
    putc('{', s->out);
    for (unsigned n = 0; n < NUMBERS; ++n) {
        if (!(form_numbers[f->form] >> n & 1)) continue;
        fprintf(s->out, "%s\"%s\":", comma, number_names[n]);
        if (number_of(f, n))
            put_figure_number(s, f, n);
        else
            fprintf(s->out, "null");
        comma = ",";
    }
    fprintf(s->out, ",\"min_at\":");
    put_place_json(s, &f->min_at);
    fprintf(s->out, ",\"max_at\":");
    put_place_json(s, &f->max_at);
    putc('}', s->out);
}

static void put_row_json(const struct stats *s, const struct wf_stats_row *row) {
    putc('{', s->out);
    put_member(s, "name", row->name);
    put_member(s, "kind", row->what);
    if (row->kind != WF_STATS_TASK) put_member(s, "task", row->task);
    if (row->kind != WF_STATS_OBJECT) put_member(s, "object", row->object);
    put_member(s, "by", row->by);
    put_member(s, "over", row->over);
    if (row->core >= 0) fprintf(s->out, "\"core\":%d,", row->core);
    if (row->tasks > 1) fprintf(s->out, "\"tasks\":%" PRIu64 ",", row->tasks);
    if (row->prio_known) fprintf(s->out, "\"priority\":%d,", row->prio);
    if (row->raised && row->base_known) fprintf(s->out, "\"base_priority\":%d,", row->base_prio);
    if (row->raised) {
        put_member(s, "raised_by", row->raised_by);
        put_member(s, "raised_for", row->raised_for);
    }
    fprintf(s->out, "\"key\":\"0x%" PRIX64 "\",\"marked\":%s", row->key,
            row->marked ? "true" : "false");
    for (unsigned i = 0; i < row->count; ++i) put_figure_json(s, &row->figures[i]);
    putc('}', s->out);
}

static void put_rows_json(const struct stats *s) {
    struct wf_stats_row row;
    uint64_t at = 0;
    bool more = stats_next(s, &at, &row);
    for (unsigned kind = 0; kind < WF_STATS_KINDS; ++kind) {
        const char *comma = "";
        fprintf(s->out, ",\"%s\":[", wf_stats_kind_names[kind]);
        for (; more && row.kind == (enum wf_stats_kind)kind; more = stats_next(s, &at, &row)) {
            fputs(comma, s->out);
            put_row_json(s, &row);
            comma = ",\n";
        }
        fprintf(s->out, "]");
    }
}

static void put_holes_json(const struct stats *s) {
    fprintf(s->out, ",\"hole_count\":%" PRIu64 ",\"holes\":[", s->about.hole_count);
    for (size_t i = 0; i < s->about.holes_kept; ++i) {
        const struct wf_stats_hole *h = &s->about.holes[i];
        fprintf(s->out, "%s{\"offset\":%" PRIu64 ",\"from\":", i ? "," : "", h->offset);
        put_number(s->out, in_unit(s, WF_UNIT_TICKS, (double)h->from));
        fprintf(s->out, ",\"until\":");
        put_number(s->out, in_unit(s, WF_UNIT_TICKS, (double)h->to));
        fprintf(s->out, ",\"records\":%" PRIu64 ",\"exact\":%s,\"bytes\":%" PRIu64 "}", h->records,
                h->exact ? "true" : "false", h->bytes);
    }
    fprintf(s->out, "]");
}

static void put_unpaired_json(const struct stats *s) {
    fprintf(s->out, ",\"unpaired_count\":%" PRIu64 ",\"unpaired\":[", s->about.unpaired_count);
    for (size_t i = 0; i < s->about.unpaired_kept; ++i) {
        const struct wf_stats_unpaired *u = &s->about.unpaired[i];
        fprintf(s->out, "%s{\"offset\":%" PRIu64 ",\"at\":", i ? "," : "", u->offset);
        put_number(s->out, in_unit(s, WF_UNIT_TICKS, (double)u->tick));
        fprintf(s->out, ",\"core\":%u,\"interrupt\":", u->core);
        fprintf(s->out, u->irq == WF_IRQ_UNKNOWN ? "null" : "%u", (unsigned)u->irq);
        fprintf(s->out, ",\"is\":\"%s\",\"count\":%" PRIu64 "}", u->enter ? "enter" : "exit",
                u->count);
    }
    fprintf(s->out, "]");
}

void stats_json_head(FILE *out, const char *source) {
    fprintf(out, "{\"wallfly_stats\":1,\"source\":");
    json_text(out, source);
    fprintf(out, ",\"lanes\":[");
}

void stats_json_end(FILE *out) { fprintf(out, "]}\n"); }

void stats_json(const struct stats *s) {
    static const char *const best[] = {"unknown", "low", "high"};
    const struct wf_stats_about *a = &s->about;
    fprintf(s->out, "{\"lane\":%u,\"unit\":\"%s\",\"hz\":%" PRIu64 ",\"from\":", s->lane,
            unit_name(s, WF_UNIT_TICKS), a->hz);
    put_number(s->out, a->known ? in_unit(s, WF_UNIT_TICKS, (double)a->from) : 0);
    fprintf(s->out, ",\"until\":");
    put_number(s->out, a->known ? in_unit(s, WF_UNIT_TICKS, (double)a->until) : 0);
    fprintf(s->out,
            ",\"priorities\":{\"best\":\"%s\",\"given\":%s,\"for_low\":%" PRIu64
            ",\"for_high\":%" PRIu64 "},\"odd\":%" PRIu64,
            best[a->priorities], a->given ? "true" : "false", a->for_low, a->for_high,
            a->inconsistent);
    put_rows_json(s);
    put_unpaired_json(s);
    put_holes_json(s);
    putc('}', s->out);
}

// ---- CSV

// Escaped as in convert and query; null and an empty text are the same here.
static void put_last_cell(const struct stats *s, const char *text) {
    size_t len = text ? strlen(text) : 0;
    char *field = len ? malloc(4 * len + 3) : NULL;
    if (field) fwrite(field, 1, wf_table_csv_text(text, len, false, field), s->out);
    free(field);
}

static void put_cell(const struct stats *s, const char *text) {
    put_last_cell(s, text);
    putc(',', s->out);
}

void stats_csv_head(FILE *out) {
    fprintf(out, "lane,kind,name,what,task,object,by,over,core,priority,key,marked,figure,unit");
    for (unsigned n = 0; n < NUMBERS; ++n) fprintf(out, ",%s", number_names[n]);
    fprintf(out, ",tasks,base_priority,raised_by,raised_for,min_from,min_to,max_from,max_to\n");
}

static void put_number_cell(const struct stats *s, bool known, int number) {
    if (known) fprintf(s->out, "%d", number);
    putc(',', s->out);
}

static void put_place_csv(const struct stats *s, const struct wf_stats_place *p) {
    putc(',', s->out);
    if (p->known) put_number(s->out, in_unit(s, WF_UNIT_TICKS, (double)p->from));
    putc(',', s->out);
    if (p->known) put_number(s->out, in_unit(s, WF_UNIT_TICKS, (double)p->to));
}

static void put_figure_csv(const struct stats *s, const struct wf_stats_row *row,
                           const struct wf_figure *f) {
    fprintf(s->out, "%u,", s->lane);
    put_cell(s, wf_stats_kind_names[row->kind]);
    put_cell(s, row->name);
    put_cell(s, row->what);
    put_cell(s, row->task);
    put_cell(s, row->object);
    put_cell(s, row->by);
    put_cell(s, row->over);
    put_number_cell(s, row->core >= 0, row->core);
    put_number_cell(s, row->prio_known, row->prio);
    fprintf(s->out, "0x%" PRIX64 ",%d,", row->key, row->marked);
    put_figure_name(s, f->name);
    fprintf(s->out, ",%s", unit_name(s, f->unit));
    for (unsigned n = 0; n < NUMBERS; ++n) {
        putc(',', s->out);
        if (number_of(f, n)) put_figure_number(s, f, n);
    }
    putc(',', s->out);
    if (row->tasks) fprintf(s->out, "%" PRIu64, row->tasks);
    putc(',', s->out);
    put_number_cell(s, row->raised && row->base_known, row->base_prio);
    put_cell(s, row->raised ? row->raised_by : NULL);
    put_last_cell(s, row->raised ? row->raised_for : NULL);
    put_place_csv(s, &f->min_at);
    put_place_csv(s, &f->max_at);
    putc('\n', s->out);
}

static void put_hole_csv(const struct stats *s, const struct wf_stats_hole *h) {
    static const char *const names[] = {"offset", "from", "until", "records", "bytes"};
    const double values[] = {(double)h->offset, (double)h->from, (double)h->to, (double)h->records,
                             (double)h->bytes};
    for (unsigned i = 0; i < 5; ++i) {
        enum wf_unit unit = i == 1 || i == 2 ? WF_UNIT_TICKS : WF_UNIT_COUNT;
        fprintf(s->out, "%u,hole,%" PRIu64 ",%s,,,,,,,,1,%s,%s,", s->lane, h->offset,
                h->exact ? "exact" : "or more", names[i], unit_name(s, unit));
        put_number(s->out, in_unit(s, unit, values[i]));
        fprintf(s->out, ",,,,,,,,,,,,,,,,,\n");
    }
}

static void put_unpaired_csv(const struct stats *s, const struct wf_stats_unpaired *u) {
    static const char *const names[] = {"offset", "at", "count"};
    const double values[] = {(double)u->offset, (double)u->tick, (double)u->count};
    for (unsigned i = 0; i < 3; ++i) {
        enum wf_unit unit = i == 1 ? WF_UNIT_TICKS : WF_UNIT_COUNT;
        fprintf(s->out, "%u,unpaired,", s->lane);
        fprintf(s->out, u->irq == WF_IRQ_UNKNOWN ? "unknown" : "%u", (unsigned)u->irq);
        fprintf(s->out, ",%s,,,,,%u,,,1,%s,%s,", u->enter ? "enter" : "exit", u->core, names[i],
                unit_name(s, unit));
        put_number(s->out, in_unit(s, unit, values[i]));
        fprintf(s->out, ",,,,,,,,,,,,,,,,,\n");
    }
}

void stats_csv(const struct stats *s) {
    struct wf_stats_row row;
    for (uint64_t at = 0; stats_next(s, &at, &row);) {
        for (unsigned i = 0; i < row.count; ++i) put_figure_csv(s, &row, &row.figures[i]);
    }
    for (size_t i = 0; i < s->about.unpaired_kept; ++i) put_unpaired_csv(s, &s->about.unpaired[i]);
    for (size_t i = 0; i < s->about.holes_kept; ++i) put_hole_csv(s, &s->about.holes[i]);
}
