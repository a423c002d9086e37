// SPDX-License-Identifier: MIT
// Selects the displayed part of a trace, from the command line.

#include "filter_options.h"

#include <stdlib.h>
#include <string.h>

#include "source.h"

#define MOST_S 1e19 // of --at: any 64-bit tick

static bool parse_range(const char *text, size_t len, unsigned *first, unsigned *last) {
    char copy[16], *end;
    if (len >= sizeof copy || *text < '0' || *text > '9') return false;
    memcpy(copy, text, len);
    copy[len] = 0;
    *first = *last = (unsigned)strtoul(copy, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9') *last = (unsigned)strtoul(end + 1, &end, 10);
    return !*end && *first <= *last && *last < 256;
}

bool record_list_parse(const char *option, const char *list, bool on, bool id[256]) {
    for (const char *p = list; *p;) {
        size_t len = strcspn(p, ",");
        unsigned group, first, last;
        if (parse_range(p, len, &first, &last)) {
            for (; first <= last; ++first) id[first] = on;
        } else if (len && wf_rows_find_name(p, len, &group, &first)) {
            for (unsigned i = 0; group < WF_GROUP_END && i < wf_row_count; ++i) {
                if (wf_rows[i].group == group) id[wf_rows[i].id] = on;
            }
            for (unsigned i = WF_USER_FIRST; group == WF_GROUP_USER && i < 256; ++i) id[i] = on;
            if (group == WF_GROUP_END) id[first] = on;
        } else {
            diag_error(EXIT_USAGE, "%s: '%.*s' is no record, group or number; see `wallfly schema`",
                       option, (int)len, p);
            return false;
        }
        p += len + (p[len] == ',');
    }
    return true;
}

static bool parse_time(const char *option, const char *text, bool *given, double *seconds) {
    static const struct {
        const char *name;
        double per_second;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"µs", 1e6}, {"ns", 1e9}};
    char *end;
    *given = text != NULL;
    if (!text) return true;
    *seconds = strtod(text, &end);
    bool number = end != text && *seconds >= 0;
    if (number) end += strspn(end, " ");
    for (unsigned i = 0; number && i < sizeof units / sizeof *units; ++i) {
        if (strcmp(end, units[i].name) != 0) continue;
        *seconds /= units[i].per_second;
        return true;
    }
    diag_error(EXIT_USAGE, "%s: '%s' is not a time in seconds, or with a unit as 2.5ms", option,
               text);
    return false;
}

bool time_parse(const char *text, enum wf_time_unit *unit, bool *target_clock) {
    static const char *const units[] = {"auto", "s", "ms", "us", "ticks"};
    *target_clock = false;
    if (unit) *unit = WF_TIME_AUTO;
    for (const char *p = text; p && *p;) {
        size_t len = strcspn(p, ",");
        unsigned i = 0, count = unit ? sizeof units / sizeof *units : 0;
        while (i < count && (strlen(units[i]) != len || strncmp(p, units[i], len) != 0)) ++i;
        bool target = len == 6 && strncmp(p, "target", len) == 0;
        if (i < count) {
            *unit = (enum wf_time_unit)i;
        } else if (target || (len == 5 && strncmp(p, "start", len) == 0)) {
            *target_clock = target;
        } else {
            diag_error(EXIT_USAGE, "--time: '%.*s' is not %sstart or target", (int)len, p,
                       unit ? "s, ms, us, ticks, " : "");
            return false;
        }
        p += len + (p[len] == ',');
    }
    return true;
}

bool window_parse(const char *from, const char *until, struct window *w) {
    *w = (struct window){0};
    if (!parse_time("--from", from, &w->has_from, &w->from_s) ||
        !parse_time("--until", until, &w->has_until, &w->until_s))
        return false;
    if (!from || !until || w->from_s <= w->until_s) return true;
    diag_error(EXIT_USAGE, "--until: lies before --from");
    return false;
}

// Appends a time as digits with a point at most, as addresses of pages have it. Digits of the user
// stay as they are, since a number cannot hold all of those of a long clock.
static void put_time(char *out, size_t cap, const char *text, size_t len, double seconds) {
    size_t digits = strspn(text, "0123456789"), used = strlen(out);
    size_t part = text[digits] == '.' ? strspn(text + digits + 1, "0123456789") : 0;
    size_t whole = part ? digits + 1 + part : digits;
    bool plain = digits && digits <= 20 && part <= 12 && (whole == len || text[whole] == 's');
    if (plain)
        snprintf(out + used, cap - used, "%.*s", (int)whole, text);
    else
        snprintf(out + used, cap - used, "%.9f", seconds);
}

const char *notes_name(const char *option, const char *trace, const char *lane, char *name,
                       size_t cap) {
    if (option) return strcmp(option, "off") == 0 ? NULL : option;
    size_t len = trace && strcmp(trace, "-") != 0 ? strlen(trace) : 0;
    while (len > 1 && trace[len - 1] == '/') --len;
    if (!len || len > cap - sizeof ".lane4294967295.notes") return NULL;
    bool one = !lane || source_lanes(trace) < 2;
    snprintf(name, cap, "%.*s%s%s.notes", (int)len, trace, one ? "" : ".lane", one ? "" : lane);
    return name;
}

bool place_parse(const char *text, struct place *p) {
    char copy[64] = "";
    bool given;
    *p = (struct place){.text = ""};
    if (!text) return true;
    const char *range = strstr(text, "..");
    size_t len = range ? (size_t)(range - text) : strlen(text);
    // A text that is too long is no time, whatever it begins with.
    snprintf(copy, sizeof copy, "%.*s", len < sizeof copy ? (int)len : 0, text);
    if (!parse_time("--at", copy, &given, &p->from_s) ||
        !parse_time("--at", range ? range + 2 : copy, &given, &p->until_s))
        return false;
    if (p->until_s > MOST_S || p->from_s > p->until_s) {
        diag_error(EXIT_USAGE,
                   p->until_s > MOST_S ? "--at: '%s' is too far"
                                       : "--at: '%s' ends before it begins",
                   text);
        return false;
    }
    put_time(p->text, sizeof p->text, copy, len, p->from_s);
    if (!range) return true;
    size_t used = strlen(p->text);
    snprintf(p->text + used, sizeof p->text - used, "..");
    put_time(p->text, sizeof p->text, range + 2, strlen(range + 2), p->until_s);
    return true;
}

bool shown_parse(const struct args *args, unsigned first, struct wf_filter *filter, bool *used) {
    const char *const *value = &args->value[first];
    const char *only = value[SHOWN_ONLY], *not = value[SHOWN_NOT], *object = value[SHOWN_OBJECT];
    *filter = (struct wf_filter){.size = sizeof *filter};
    memset(filter->id, !only, sizeof filter->id);
    if (only && !record_list_parse("--only", only, true, filter->id)) return false;
    if (not &&!record_list_parse("--not", not, false, filter->id)) return false;
    if (object && strlen(object) >= sizeof filter->object) {
        diag_error(EXIT_USAGE, "--object: the name is longer than %zu", sizeof filter->object - 1);
        return false;
    }
    if (object) strcpy(filter->object, object);
    filter->has_object = object != NULL;
    filter->no_events = only != NULL;
    *used = only || not || object || value[SHOWN_FROM] || value[SHOWN_UNTIL];
    struct window w;
    if (!window_parse(value[SHOWN_FROM], value[SHOWN_UNTIL], &w)) return false;
    filter->has_from = w.has_from;
    filter->has_until = w.has_until;
    filter->from_s = w.from_s;
    filter->until_s = w.until_s;
    return true;
}
