// SPDX-License-Identifier: MIT
// Messages to pages; those without a request are the description of the trace, and its status.

#include <inttypes.h>
#include <stdlib.h>

#include "page_notes.h"
#include "page_parts.h"
#include "wallfly_server/json.h"
#include "wallfly_server/memory.h"

char *page_message(page_put_fn *put, const void *ctx, size_t *len) {
    char *text = NULL;
    FILE *out = memory_stream(&text, len);
    if (!out) return NULL;
    put(out, ctx);
    if (memory_close(out)) return text;
    free(text);
    return NULL;
}

void page_send(struct wf_page_client *c, page_put_fn *put, const void *ctx) {
    size_t len;
    char *text = page_message(put, ctx, &len);
    if (text) wf_page_text(c, text, len);
    free(text);
}

static const char *record_name(unsigned id) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id) return wf_rows[i].name;
    }
    return NULL;
}

static void put_names(FILE *out) {
    enum { RECORDS = 128 };
    fputs(",\"groups\":[", out);
    for (unsigned i = 0; i < WF_GROUP_END; ++i)
        fprintf(out, "%s\"%s\"", i ? "," : "", wf_groups[i].name);
    fputs("],\"records\":[", out);
    for (unsigned i = 0; i < RECORDS; ++i) {
        const char *name = record_name(i);
        fprintf(out, "%s%s%s%s", i ? "," : "", name ? "\"" : "", name ? name : "null",
                name ? "\"" : "");
    }
    putc(']', out);
}

// Another tracer's format, and what it does not record.
static void put_format(FILE *out, const struct wf_lane *l) {
    enum wf_lane_format format = l ? wf_lane_get_format(l) : WF_LANE_UNKNOWN;
    const char *comma = "";
    if (!wf_lane_format_is_foreign(format)) {
        fputs(",\"format\":null", out);
        return;
    }
    fputs(",\"format\":{\"title\":", out);
    json_text(out, wf_lane_format_title(format));
    fputs(",\"lacks\":[", out);
    for (const char *const *lacks = wf_lane_lacks(l); *lacks; ++lacks) {
        fputs(comma, out);
        json_text(out, *lacks);
        comma = ",";
    }
    fputs("]}", out);
}

static void put_or_null(FILE *out, const char *name, const char *text) {
    fprintf(out, ",\"%s\":", name);
    if (text && *text)
        json_text(out, text);
    else
        fputs("null", out);
}

static void put_around(FILE *out, const struct page_around *around) {
    if (!around) return;
    fputs(",\"around\":{\"list\":", out);
    json_text(out, around->list);
    put_or_null(out, "earlier", around->earlier);
    put_or_null(out, "later", around->later);
    putc('}', out);
}

static const char *bool_name(bool b) { return b ? "true" : "false"; }

void page_put_hello(FILE *out, const void *ctx) {
    const struct page_hello *h = ctx;
    struct wf_timeline_span span;
    wf_timeline_extent(h->about->timeline, &span);
    fputs("{\"hello\":{\"version\":\"" WALLFLY_VERSION "\",\"source\":", out);
    json_text(out, h->about->source);
    fprintf(out, ",\"live\":%s,\"commands\":%s,\"kept\":%s,\"hz\":%" PRIu64, bool_name(h->live),
            bool_name(h->commands), bool_name(h->kept), span.hz);
    if (span.known)
        fprintf(out, ",\"t0\":\"%" PRIu64 "\"", span.first);
    else
        fputs(",\"t0\":null", out);
    fprintf(out, ",\"ended\":%s,\"clock\":\"%s\",\"before\":\"%" PRIu64 "\"",
            bool_name(h->about->ended), h->about->target_clock ? "target" : "start",
            h->about->before);
    put_format(out, h->about->of);
    fputs(",\"wall\":", out);
    arrivals_put(out, h->about->ended ? h->about->arrivals : NULL, span.first);
    put_names(out);
    put_around(out, h->around);
    fputs("}}", out);
}

struct losses {
    uint64_t missing, bad;
    bool exact;
};

static struct losses count_losses(const struct page *p) {
    const struct wf_ledger *l = wf_session_ledger(p->session);
    const struct wf_lane_slots *slots = wf_lane_get_slots(p->source.lane);
    if (!slots) return (struct losses){l->missing, l->bytes_bad, l->exact};
    const struct wf_slots_ledger *s = wf_slots_get_ledger(slots->slots);
    return (struct losses){s->lost + s->refused, 16 * s->damaged, s->exact};
}

void page_put_status(FILE *out, const void *ctx) {
    const struct page *p = ctx;
    struct wf_timeline_span span;
    struct losses l = count_losses(p);
    wf_timeline_extent(p->timeline, &span);
    uint64_t kept = span.kept > span.first ? span.kept - span.first : 0;
    fprintf(out,
            "{\"status\":{\"last\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"records\":%" PRIu64
            ",\"missing\":%" PRIu64 ",\"exact\":%s,\"bad\":%" PRIu64 ",\"rev\":%" PRIu64
            ",\"marks\":%" PRIu64 ",\"notes\":%" PRIu64 ",\"up\":%s",
            span.last - span.first, kept, span.records, l.missing, bool_name(l.exact), l.bad,
            wf_timeline_revision(p->timeline), marks_revision(p->marks),
            page_notes_revision(p->notes), bool_name(p->up));
    if (p->of)
        fprintf(out, ",\"progress\":[%" PRIu64 ",%" PRIu64 "]", p->done, p->of);
    else
        fputs(",\"progress\":null", out);
    if (*p->recording.name) {
        fputs(",\"recording\":{\"file\":", out);
        json_text(out, p->recording.name);
        fprintf(out, ",\"bytes\":%" PRIu64 ",\"seconds\":%.0f}", p->recording.bytes,
                p->recording.seconds);
    } else {
        fputs(",\"recording\":null", out);
    }
    put_or_null(out, "note", p->note);
    put_or_null(out, "error", p->error);
    fputs("}}", out);
}
