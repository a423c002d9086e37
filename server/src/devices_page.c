// SPDX-License-Identifier: MIT
// See devices_page.h. In narrow windows each row is a card: its cells have their column's name as
// an attribute.

#include "wallfly_server/devices_page.h"

#include <inttypes.h>
#include <string.h>

#include "html.h"
#include "wallfly_backend/wf_window.h"

enum { COLUMNS_MAX = 4 }; // of kinds

const char devices_page_policy[] =
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'";

// ---- words

// base: what leads to the list.
static void put_head(FILE *out, const char *base, const char *title) {
    fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
          out);
    html_text(out, title);
    fprintf(out,
            "</title>\n<link rel=\"icon\" href=\"data:,\">\n"
            "<link rel=\"stylesheet\" href=\"%sdevices.css\">\n<body>\n",
            base);
}

// With a comma between thousands.
static void put_count(FILE *out, uint64_t n) {
    if (n >= 1000) {
        put_count(out, n / 1000);
        fprintf(out, ",%03u", (unsigned)(n % 1000));
    } else {
        fprintf(out, "%u", (unsigned)n);
    }
}

// Three digits and a unit.
static void put_length(FILE *out, uint64_t ns) {
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "&micro;s"}, {1, "ns"}};
    unsigned i = 0;
    while (i < 3 && ns < units[i].ns) ++i;
    const double value = (double)ns / (double)units[i].ns;
    const int digits = i == 3 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    fprintf(out, "%.*f %s", digits, value, units[i].name);
}

static double rate_of(int64_t missing, uint64_t records) {
    return missing > 0 ? (double)missing / ((double)missing + (double)records) : 0;
}

static void put_rate(FILE *out, int64_t missing, uint64_t records) {
    const double percent = 100 * rate_of(missing, records);
    if (percent > 0 && percent < 0.01)
        fputs("&lt; 0.01 %", out);
    else
        fprintf(out, "%.*f %%", percent > 0 ? 2 : 0, percent);
}

static void put_ago(FILE *out, time_t seconds) {
    static const struct {
        time_t seconds;
        const char *name;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    unsigned i = 0;
    while (i < 3 && seconds < 2 * units[i].seconds) ++i;
    fprintf(out, "%lld %s ago", (long long)(seconds / units[i].seconds), units[i].name);
}

static void put_seen(FILE *out, uint64_t ns, time_t now) {
    const time_t seconds = (time_t)(ns / 1000000000);
    char machine[32] = "", words[32] = "";
    struct tm t;
    if (!gmtime_r(&seconds, &t)) return;
    strftime(machine, sizeof machine, "%Y-%m-%dT%H:%M:%SZ", &t);
    strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S", &t);
    fprintf(out, "<time datetime=\"%s\">%s</time> <small>", machine, words);
    if (seconds <= now) put_ago(out, now - seconds);
    fputs("</small>", out);
}

// ---- addresses

static void put_time(FILE *out, const char *name, uint64_t ns) {
    char text[WF_WINDOW_BOUND_MAX] = "";
    wf_window_bound_put(&(struct wf_window_bound){true, true, ns}, text);
    fprintf(out, "%s=%s", name, text);
}

// Begins a link to a place of a device; its newest one, if there is no other.
static void begin_link(FILE *out, const struct wf_device *d, const struct wf_device_place *at) {
    fputs("<a href=\"device/", out);
    html_address(out, d->name);
    if (at && at->until_ns) {
        putc('?', out);
        if (at->from_ns == at->until_ns) {
            put_time(out, "at", at->from_ns);
        } else {
            put_time(out, "from", at->from_ns);
            put_time(out, "&amp;until", at->until_ns);
        }
        fprintf(out, "&amp;stream=%" PRIu64, at->stream);
    }
    fputs("\">", out);
}

static const char *order_name(enum wf_devices_order order) {
    static const char *const names[WF_DEVICES_ORDER_END] = {
#define WF_X(id, name, words, sql) name,
        WF_DEVICES_ORDERS(WF_X)
#undef WF_X
    };
    return names[order];
}

// The address of another list: with this version (null: any) and begin.
static void put_list_address(FILE *out, const struct devices_page *p, const char *version,
                             uint64_t from) {
    fprintf(out, "?order=%s", order_name(p->asked->order));
    if (p->asked->part) {
        fputs("&amp;find=", out);
        html_address(out, p->asked->part);
    }
    if (version) {
        fputs("&amp;version=", out);
        html_address(out, version);
    }
    if (from) fprintf(out, "&amp;first=%" PRIu64, from);
}

// ---- the form

static void put_orders(FILE *out, enum wf_devices_order chosen) {
#define WF_X(id, name, words, sql)                                                                 \
    fprintf(out, "<option value=\"%s\"%s>%s</option>", name,                                       \
            chosen == WF_DEVICES_BY_##id ? " selected" : "", words);
    WF_DEVICES_ORDERS(WF_X)
#undef WF_X
}

static void put_form(FILE *out, const struct devices_page *p) {
    const struct wf_devices_options *o = p->asked;
    fputs("<form>\n<label>Name <input type=\"search\" name=\"find\" maxlength=\"64\" value=\"",
          out);
    if (o->part) html_text(out, o->part);
    fputs("\"></label>\n<label>Order <select name=\"order\">", out);
    put_orders(out, o->order);
    fputs("</select></label>\n", out);
    if (o->version) {
        fputs("<input type=\"hidden\" name=\"version\" value=\"", out);
        html_text(out, o->version);
        fputs("\">\n", out);
    }
    fputs("<button>Show</button>\n</form>\n", out);
    if (!o->version) return;
    fputs("<p class=\"chosen\">Version ", out);
    html_text(out, *o->version ? o->version : "unknown");
    fputs(" only. <a href=\"", out);
    put_list_address(out, p, NULL, 0);
    fputs("\">All versions</a></p>\n", out);
}

// ---- the table

// Chooses the kinds that the devices have. Returns how many.
static unsigned choose_kinds(const struct wf_devices *devices, unsigned kinds[COLUMNS_MAX]) {
    unsigned count = 0;
    for (unsigned k = 0; k < WF_DEVICES_KINDS && count < COLUMNS_MAX; ++k) {
        size_t i = 0;
        while (i < devices->count && !devices->list[i].worst[k].count) ++i;
        if (i < devices->count) kinds[count++] = k;
    }
    return count;
}

static void put_missing(FILE *out, const struct wf_device *d) {
    fputs("<td data-of=\"Missing\">", out);
    if (d->loss.until_ns) begin_link(out, d, &d->loss);
    put_rate(out, d->missing, d->records);
    if (d->loss.until_ns) fputs("</a>", out);
    fputs(" <small>", out);
    if (d->missing > 0) {
        put_count(out, (uint64_t)d->missing);
        fputs(" of ", out);
        put_count(out, (uint64_t)d->missing + d->records);
    }
    if (d->damaged) {
        fputs(d->missing > 0 ? ", " : "", out);
        put_count(out, d->damaged);
        fputs(" bytes damaged", out);
    }
    fputs("</small></td>\n", out);
}

static void put_worst(FILE *out, const struct wf_device *d, unsigned kind) {
    const struct wf_device_worst *w = &d->worst[kind];
    fprintf(out, "<td data-of=\"Longest %s\">", wf_devices_kinds[kind]);
    if (w->count) {
        if (w->place.until_ns) begin_link(out, d, &w->place);
        put_length(out, w->longest_ns);
        if (w->place.until_ns) fputs("</a>", out);
        fputs(" <small>", out);
        html_text(out, w->name);
        fputs(", p99 ", out);
        put_length(out, w->p99_ns);
        fputs("</small>", out);
    }
    fputs("</td>\n", out);
}

static void put_device(FILE *out, const struct devices_page *p, const struct wf_device *d,
                       const unsigned *kinds, unsigned kind_count) {
    fputs("<tr><th scope=\"row\">", out);
    begin_link(out, d, NULL);
    html_text(out, d->name);
    fputs("</a></th>\n<td data-of=\"Version\">", out);
    fputs("<a href=\"", out);
    put_list_address(out, p, d->version, 0);
    fputs("\">", out);
    html_text(out, *d->version ? d->version : "unknown");
    fputs("</a></td>\n<td data-of=\"Last seen (UTC)\">", out);
    put_seen(out, d->seen_ns, p->now);
    fputs("</td>\n", out);
    put_missing(out, d);
    for (unsigned i = 0; i < kind_count; ++i) put_worst(out, d, kinds[i]);
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct devices_page *p) {
    unsigned kinds[COLUMNS_MAX];
    const unsigned count = choose_kinds(p->devices, kinds);
    fputs("<table>\n<thead><tr><th scope=\"col\">Device</th><th scope=\"col\">Version</th>"
          "<th scope=\"col\">Last seen (UTC)</th><th scope=\"col\">Missing</th>",
          out);
    for (unsigned i = 0; i < count; ++i)
        fprintf(out, "<th scope=\"col\">Longest %s</th>", wf_devices_kinds[kinds[i]]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < p->devices->count; ++i)
        put_device(out, p, &p->devices->list[i], kinds, count);
    fputs("</tbody>\n</table>\n", out);
}

static void put_pages(FILE *out, const struct devices_page *p) {
    const struct wf_devices_options *o = p->asked;
    const uint64_t next = o->from + p->devices->count;
    if (!o->from && next >= p->devices->all) return;
    fputs("<nav>", out);
    if (o->from) {
        fputs("<a href=\"", out);
        put_list_address(out, p, o->version, o->from > o->most ? o->from - o->most : 0);
        fputs("\">Previous</a> ", out);
    }
    if (p->devices->count) {
        put_count(out, o->from + 1);
        fputs(" to ", out);
        put_count(out, next);
    }
    if (next < p->devices->all) {
        fputs(" <a href=\"", out);
        put_list_address(out, p, o->version, next);
        fputs("\">Next</a>", out);
    }
    fputs("</nav>\n", out);
}

void devices_page_put(FILE *out, const struct devices_page *p) {
    char title[WF_FLEET_PROJECT_MAX + 32];
    const struct wf_devices *d = p->devices;
    snprintf(title, sizeof title, "%s: devices - wallfly", p->project);
    put_head(out, "", title);
    fputs("<h1>Devices of ", out);
    html_text(out, p->project);
    fputs("</h1>\n<p>", out);
    put_count(out, d->all);
    fputs(d->all == 1 ? " device, " : " devices, ", out);
    put_count(out, d->records);
    fputs(" records, ", out);
    put_rate(out, d->missing, d->records);
    fputs(" missing. Times and figures lead to the time line.</p>\n", out);
    put_form(out, p);
    if (d->count)
        put_table(out, p);
    else
        fputs("<p>No such device.</p>\n", out);
    put_pages(out, p);
}

void devices_page_put_error(FILE *out, unsigned status, const char *text, const char *base) {
    put_head(out, base, "wallfly");
    fprintf(out, "<h1>%u</h1>\n<p>", status);
    html_text(out, text);
    fprintf(out, "</p>\n<p><a href=\"%s\">All devices</a></p>\n", base);
}
