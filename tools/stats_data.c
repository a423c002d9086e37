// SPDX-License-Identifier: MIT
// Statistics for programs: JSON and CSV with the same names and numbers. Times are nanoseconds, or
// ticks if the rate is unknown.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "stats.h"

// ---- numbers

// As short as tells it; fractions only where there are.
static void put_number(double value) {
    char text[64];
    snprintf(text, sizeof text, "%.3f", value);
    size_t len = strlen(text);
    while (text[len - 1] == '0') text[--len] = 0;
    if (text[len - 1] == '.') text[--len] = 0;
    fputs(strcmp(text, "-0") == 0 ? "0" : text, stdout);
}

static const char *unit_name(const struct stats *s, enum wf_unit unit) {
    return unit == WF_UNIT_TICKS && s->about.hz ? "ns" : wf_unit_names[unit];
}

static double in_unit(const struct stats *s, enum wf_unit unit, double value) {
    if (unit != WF_UNIT_TICKS || !s->about.hz || s->about.hz == 1000000000) return value;
    return (double)((long double)value * 1000000000.0L / (long double)s->about.hz);
}

// The numbers of a figure in the order of the columns; null: it has none of these.
enum { NUMBERS = 10 };
static const char *const number_names[NUMBERS] = {"value", "count", "min", "mean", "p50",
                                                  "p95",   "p99",   "max", "open", "in_holes"};

static const double *number_of(const struct wf_figure *f, unsigned n) {
    const double *const all[NUMBERS] = {&f->value, &f->count, &f->min, &f->mean, &f->p50,
                                        &f->p95,   &f->p99,   &f->max, &f->open, &f->in_holes};
    static const unsigned has[] = {
        [WF_FIGURE_ONE] = 0x001, [WF_FIGURE_SPREAD] = 0x3FE, [WF_FIGURE_LEVEL] = 0x08F};
    bool always = n == 1 || n >= 8; // counts
    return has[f->form] >> n & 1 && (f->known || always) ? all[n] : NULL;
}

static void put_one(const struct stats *s, const struct wf_figure *f, unsigned n) {
    bool plain = n == 1 || n >= 8;
    put_number(in_unit(s, plain ? WF_UNIT_COUNT : f->unit, *number_of(f, n)));
}

// ---- JSON

static void member(const char *name, const char *text) {
    if (!text) return;
    printf("\"%s\":", name);
    json_string(text);
    putchar(',');
}

// "start jitter" is start_jitter.
static void figure_name(const char *name) {
    for (; *name; ++name) putchar(*name == ' ' ? '_' : *name);
}

static void figure_json(const struct stats *s, const struct wf_figure *f) {
    static const unsigned shown[] = {
        [WF_FIGURE_ONE] = 0x001, [WF_FIGURE_SPREAD] = 0x3FE, [WF_FIGURE_LEVEL] = 0x08F};
    const char *comma = "";
    printf(",\"");
    figure_name(f->name);
    printf("\":");
    if (f->form == WF_FIGURE_ONE) {
        if (f->known)
            put_one(s, f, 0);
        else
            printf("null");
        return;
    }
    putchar('{');
    for (unsigned n = 0; n < NUMBERS; ++n) {
        if (!(shown[f->form] >> n & 1)) continue;
        printf("%s\"%s\":", comma, number_names[n]);
        if (number_of(f, n))
            put_one(s, f, n);
        else
            printf("null");
        comma = ",";
    }
    putchar('}');
}

static void row_json(const struct stats *s, const struct wf_stats_row *row) {
    putchar('{');
    member("name", row->name);
    member("kind", row->what);
    if (row->kind != WF_STATS_TASK) member("task", row->task);
    if (row->kind != WF_STATS_OBJECT) member("object", row->object);
    member("by", row->by);
    member("over", row->over);
    if (row->core >= 0) printf("\"core\":%d,", row->core);
    if (row->prio_known) printf("\"priority\":%d,", row->prio);
    printf("\"key\":\"0x%" PRIX64 "\",\"marked\":%s", row->key, row->marked ? "true" : "false");
    for (unsigned i = 0; i < row->count; ++i) figure_json(s, &row->figures[i]);
    putchar('}');
}

static void rows_json(const struct stats *s) {
    struct wf_stats_row row;
    uint64_t at = 0;
    bool more = stats_next(s, &at, &row);
    for (unsigned kind = 0; kind < WF_STATS_KINDS; ++kind) {
        const char *comma = "";
        printf(",\"%s\":[", wf_stats_kind_names[kind]);
        for (; more && row.kind == (enum wf_stats_kind)kind; more = stats_next(s, &at, &row)) {
            fputs(comma, stdout);
            row_json(s, &row);
            comma = ",\n";
        }
        printf("]");
    }
}

static void holes_json(const struct stats *s) {
    printf(",\"hole_count\":%" PRIu64 ",\"holes\":[", s->about.hole_count);
    for (size_t i = 0; i < s->about.holes_kept; ++i) {
        const struct wf_stats_hole *h = &s->about.holes[i];
        printf("%s{\"offset\":%" PRIu64 ",\"from\":", i ? "," : "", h->offset);
        put_number(in_unit(s, WF_UNIT_TICKS, (double)h->from));
        printf(",\"until\":");
        put_number(in_unit(s, WF_UNIT_TICKS, (double)h->to));
        printf(",\"records\":%" PRIu64 ",\"exact\":%s,\"bytes\":%" PRIu64 "}", h->records,
               h->exact ? "true" : "false", h->bytes);
    }
    printf("]");
}

void stats_json(const struct stats *s) {
    static const char *const best[] = {"unknown", "low", "high"};
    const struct wf_stats_about *a = &s->about;
    printf("{\"lane\":%u,\"unit\":\"%s\",\"hz\":%" PRIu64 ",\"from\":", s->lane->number,
           unit_name(s, WF_UNIT_TICKS), a->hz);
    put_number(a->known ? in_unit(s, WF_UNIT_TICKS, (double)a->from) : 0);
    printf(",\"until\":");
    put_number(a->known ? in_unit(s, WF_UNIT_TICKS, (double)a->until) : 0);
    printf(",\"priorities\":{\"best\":\"%s\",\"given\":%s,\"for_low\":%" PRIu64
           ",\"for_high\":%" PRIu64 "},\"odd\":%" PRIu64,
           best[a->priorities], a->given ? "true" : "false", a->for_low, a->for_high, a->odd);
    rows_json(s);
    holes_json(s);
    putchar('}');
}

// ---- CSV

static void cell(const char *text) {
    if (text && strpbrk(text, ",\"\r\n")) {
        putchar('"');
        for (; *text; ++text) printf(*text == '"' ? "\"\"" : "%c", *text);
        putchar('"');
    } else if (text) {
        fputs(text, stdout);
    }
    putchar(',');
}

void stats_csv_head(void) {
    printf("lane,kind,name,what,task,object,by,over,core,priority,key,marked,figure,unit");
    for (unsigned n = 0; n < NUMBERS; ++n) printf(",%s", number_names[n]);
    printf("\n");
}

static void number_cell(bool known, int number) {
    if (known) printf("%d", number);
    putchar(',');
}

static void figure_csv(const struct stats *s, const struct wf_stats_row *row,
                       const struct wf_figure *f) {
    printf("%u,", s->lane->number);
    cell(wf_stats_kind_names[row->kind]);
    cell(row->name);
    cell(row->what);
    cell(row->task);
    cell(row->object);
    cell(row->by);
    cell(row->over);
    number_cell(row->core >= 0, row->core);
    number_cell(row->prio_known, row->prio);
    printf("0x%" PRIX64 ",%d,", row->key, row->marked);
    figure_name(f->name);
    printf(",%s", unit_name(s, f->unit));
    for (unsigned n = 0; n < NUMBERS; ++n) {
        putchar(',');
        if (number_of(f, n)) put_one(s, f, n);
    }
    putchar('\n');
}

static void hole_csv(const struct stats *s, const struct wf_stats_hole *h) {
    static const char *const names[] = {"offset", "from", "until", "records", "bytes"};
    const double values[] = {(double)h->offset, (double)h->from, (double)h->to, (double)h->records,
                             (double)h->bytes};
    for (unsigned i = 0; i < 5; ++i) {
        enum wf_unit unit = i == 1 || i == 2 ? WF_UNIT_TICKS : WF_UNIT_COUNT;
        printf("%u,hole,%" PRIu64 ",%s,,,,,,,,1,%s,%s,", s->lane->number, h->offset,
               h->exact ? "exact" : "or more", names[i], unit_name(s, unit));
        put_number(in_unit(s, unit, values[i]));
        printf(",,,,,,,,,\n");
    }
}

void stats_csv(const struct stats *s) {
    struct wf_stats_row row;
    for (uint64_t at = 0; stats_next(s, &at, &row);) {
        for (unsigned i = 0; i < row.count; ++i) figure_csv(s, &row, &row.figures[i]);
    }
    for (size_t i = 0; i < s->about.holes_kept; ++i) hole_csv(s, &s->about.holes[i]);
}
