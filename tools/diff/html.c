// SPDX-License-Identifier: MIT
// The report consists of three parts for the viewer: the changes, and an export of each trace. The
// time lines have the changes as marks.

#include "html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../page_file.h"
#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"

enum { TRIES = 24 }; // of a part of the trace that fits; each has a quarter of the length before

static const char *const labels[DIFF_HTML_SIDES] = {"good", "new"};

struct text {
    char *bytes;
    size_t len;
};

struct report {
    const struct diff_html *d;
    struct text sides[DIFF_HTML_SIDES], changes;
    int64_t from[DIFF_HTML_SIDES], until[DIFF_HTML_SIDES]; // what the file has, in ticks since t0
    bool part[DIFF_HTML_SIDES];
};

// ---- marks

static int add_change(struct marks *m, const struct diff_html_change *c, unsigned side) {
    const struct diff_html_place *at = &c->at[side];
    const struct mark_rule rule = {.title = c->title, .text = c->text, .verdict = c->kind};
    int err = marks_add_rule(m, &rule);
    if (err != WF_OK || !at->known) return err;
    const struct mark mark = {.kind = c->kind,
                              .rule = marks_rules(m) - 1,
                              .from = at->from,
                              .until = at->until,
                              .row = c->row,
                              .row_kind = c->row_kind,
                              .core = -1,
                              .text = c->text};
    return marks_add(m, &mark);
}

static int add_marks(const struct diff_html *d) {
    int err = WF_OK;
    for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side) {
        if (!d->side[side].page) continue;
        for (unsigned i = 0; i < d->count && err == WF_OK; ++i)
            err = add_change(d->side[side].page->marks, &d->changes[i], side);
    }
    return err == WF_OK ? EXIT_GOOD : diag_error(EXIT_INPUT, "--html: %s", wf_err_text(err));
}

// ---- the traces

static int64_t time_of(const struct page *p, uint64_t tick) {
    return (int64_t)page_query_time(&p->about, tick);
}

// Returns the change at whose places the time lines correspond; null: there is none.
static const struct diff_html_change *common_change(const struct diff_html *d) {
    for (unsigned i = 0; i < d->count; ++i) {
        if (d->changes[i].at[DIFF_HTML_GOOD].known && d->changes[i].at[DIFF_HTML_NEW].known)
            return &d->changes[i];
    }
    return NULL;
}

// The place that the file has in any case, in ticks since t0.
static int64_t centre_of(const struct diff_html *d, unsigned side) {
    const struct page *p = d->side[side].page;
    const struct diff_html_change *common = common_change(d);
    if (d->aligned) return time_of(p, d->align[side]);
    if (common) return time_of(p, common->at[side].from);
    for (unsigned i = 0; i < d->count; ++i) {
        if (d->changes[i].at[side].known) return time_of(p, d->changes[i].at[side].from);
    }
    return 0;
}

// Takes a part of this length around the centre, within 0..last.
static void take_part(struct page_export *k, int64_t centre, int64_t length, int64_t last) {
    k->from = centre - length / 2;
    if (k->from > last - length) k->from = last - length;
    if (k->from < 0) k->from = 0;
    k->until = k->from + length;
}

static int export_side(struct report *r, unsigned side) {
    const struct page *p = r->d->side[side].page;
    const uint64_t size_mb = r->d->size_mb ? r->d->size_mb : DIFF_HTML_SIZE_MB;
    struct page_export k = {.a = &p->about,
                            .most = r->d->most ? r->d->most : DIFF_HTML_MOST,
                            .size_max = size_mb * 1000000 / DIFF_HTML_SIDES,
                            .view = "panel=none",
                            .compact = true};
    struct wf_timeline_span span;
    struct wf_error error;
    wf_timeline_extent(p->timeline, &span);
    if (!span.known)
        return diag_error(EXIT_INPUT, "%s: no record has a time stamp, so there is nothing to draw",
                          p->source.name);
    const int64_t last = (int64_t)(span.last - span.first), centre = centre_of(r->d, side);
    int err = WF_ERR_TOO_MANY;
    int64_t length = last;
    for (unsigned i = 0; i < TRIES && err == WF_ERR_TOO_MANY; ++i, length /= 4) {
        free(r->sides[side].bytes);
        take_part(&k, centre, length, last);
        err = page_export_make(&k, p, &r->sides[side].bytes, &r->sides[side].len, &error);
        r->part[side] = i > 0;
    }
    r->from[side] = k.from;
    r->until[side] = k.until;
    if (err == WF_OK) return EXIT_GOOD;
    return diag_error(EXIT_INPUT, "%s: %s", p->source.name,
                      *error.text ? error.text : wf_err_text(err));
}

static void note_part(const struct report *r, unsigned side) {
    const struct page *p = r->d->side[side].page;
    const double hz = p->about.hz ? (double)p->about.hz : 1;
    if (r->part[side])
        diag_note("%s: the report has only a part of the time line, from %.9g to %.9g%s after its "
                  "beginning",
                  p->source.name, (double)r->from[side] / hz, (double)r->until[side] / hz,
                  p->about.hz ? " s" : " ticks");
}

// ---- the changes

static void put_side(FILE *out, const struct diff_html_side *s, const char *label) {
    fprintf(out, "{\"label\":\"%s\",\"name\":", label);
    json_text(out, s->name);
    fputs(",\"note\":", out);
    json_text(out, s->page ? "" : s->note ? s->note : "it was not read");
    putc('}', out);
}

// A place that is not in the file is null.
static void put_place(const struct report *r, FILE *out, const struct diff_html_place *at,
                      unsigned side) {
    const struct page *p = r->d->side[side].page;
    if (!p || !at->known || time_of(p, at->from) > r->until[side] ||
        time_of(p, at->until) < r->from[side])
        fputs("null", out);
    else
        fprintf(out, "{\"from\":%" PRId64 ",\"until\":%" PRId64 "}", time_of(p, at->from),
                time_of(p, at->until));
}

static void put_change(const struct report *r, FILE *out, const struct diff_html_change *c) {
    fputs("{\"title\":", out);
    json_text(out, c->title);
    fputs(",\"text\":", out);
    json_text(out, c->text);
    fprintf(out, ",\"kind\":\"%s\",\"at\":[", mark_kind_names[c->kind]);
    put_place(r, out, &c->at[DIFF_HTML_GOOD], DIFF_HTML_GOOD);
    putc(',', out);
    put_place(r, out, &c->at[DIFF_HTML_NEW], DIFF_HTML_NEW);
    fputs("]}", out);
}

static void put_alignment(const struct report *r, FILE *out) {
    const struct diff_html *d = r->d;
    if (!d->aligned || !d->side[DIFF_HTML_GOOD].page || !d->side[DIFF_HTML_NEW].page)
        fputs("null", out);
    else
        fprintf(out, "[%" PRId64 ",%" PRId64 "]", centre_of(d, DIFF_HTML_GOOD),
                centre_of(d, DIFF_HTML_NEW));
}

static void put_report(const struct report *r, FILE *out) {
    fputs("{\"report\":1,\"title\":", out);
    json_text(out, r->d->title);
    fputs(",\"text\":", out);
    json_text(out, r->d->text);
    fputs(",\n\"sides\":[", out);
    for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side) {
        if (side) putc(',', out);
        put_side(out, &r->d->side[side], labels[side]);
    }
    fputs("],\n\"align\":", out);
    put_alignment(r, out);
    fputs(",\n\"changes\":[", out);
    for (unsigned i = 0; i < r->d->count; ++i) {
        if (i) fputs(",\n", out);
        put_change(r, out, &r->d->changes[i]);
    }
    fputs("]}\n", out);
}

static int make_changes(struct report *r) {
    FILE *out = memory_stream(&r->changes.bytes, &r->changes.len);
    if (!out) return out_of_memory();
    put_report(r, out);
    return memory_close(out) ? EXIT_GOOD : out_of_memory();
}

// ---- the file

static int write_report(const struct report *r) {
    static const char *const ids[DIFF_HTML_SIDES] = {"side-0", "side-1"};
    const struct page_file_options o = {.name = (char *)r->d->file, .files = r->d->files};
    struct page_export_part parts[1 + DIFF_HTML_SIDES] = {
        {"report", r->changes.bytes, r->changes.len}};
    unsigned count = 1;
    for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side) {
        if (!r->d->side[side].page) continue;
        parts[count++] =
            (struct page_export_part){ids[side], r->sides[side].bytes, r->sides[side].len};
    }
    return page_file_write(&o, parts, count);
}

int diff_html(const struct diff_html *d) {
    struct report r = {.d = d};
    int code = add_marks(d);
    for (unsigned side = 0; side < DIFF_HTML_SIDES && code == EXIT_GOOD; ++side) {
        if (!d->side[side].page) continue;
        code = export_side(&r, side);
        if (code == EXIT_GOOD) note_part(&r, side);
    }
    if (code == EXIT_GOOD) code = make_changes(&r);
    if (code == EXIT_GOOD) code = write_report(&r);
    for (unsigned side = 0; side < DIFF_HTML_SIDES; ++side) free(r.sides[side].bytes);
    free(r.changes.bytes);
    return code;
}
