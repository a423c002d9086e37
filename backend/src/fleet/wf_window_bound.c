// SPDX-License-Identifier: MIT
// Times of windows as text.

#include "wallfly_backend/wf_window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// 2026-01-02T03:04:05.678Z
static bool parse_utc(const char *text, size_t len, uint64_t *ns) {
    struct tm t = {0};
    char copy[48], *end;
    double fraction = 0;
    if (len >= sizeof copy) return false;
    memcpy(copy, text, len);
    copy[len] = 0;
    const char *rest = strptime(copy, "%Y-%m-%dT%H:%M", &t);
    if (!rest) return false;
    if (*rest == ':') {
        t.tm_sec = (int)strtol(rest + 1, &end, 10);
        if (end != rest + 3 || t.tm_sec > 60) return false;
        rest = end;
    }
    if (*rest == '.') {
        fraction = strtod(rest, &end);
        rest = end;
    }
    const struct tm given = t;
    time_t seconds = timegm(&t); // makes March of February 30
    if (t.tm_mday != given.tm_mday || t.tm_hour != given.tm_hour) return false;
    if (strcmp(rest, "Z") != 0 || seconds < 0) return false;
    if ((uint64_t)seconds >= UINT64_MAX / 1000000000) return false; // in the year 2554
    *ns = (uint64_t)seconds * 1000000000 + (uint64_t)(fraction * 1e9 + 0.5);
    return true;
}

// 12.5, 12.5s, 30ms, 40us, 7ns, 5m, 2h; no 0x10, 1e5 or -1
static bool parse_span(const char *text, size_t len, uint64_t *ns) {
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"", 1000000000}, {"s", 1000000000},  {"ms", 1000000},     {"us", 1000},
                 {"ns", 1},        {"m", 60000000000}, {"h", 3600000000000}};
    const size_t whole = strspn(text, "0123456789"), point = text[whole] == '.';
    const size_t digits = point ? strspn(text + whole + 1, "0123456789") : 0;
    const char *unit = text + whole + point + digits;
    if (whole + digits == 0 || unit > text + len) return false;
    const size_t rest = (size_t)(text + len - unit);
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i) {
        if (strlen(units[i].name) != rest || strncmp(units[i].name, unit, rest) != 0) continue;
        const uint64_t n = whole ? strtoull(text, NULL, 10) : 0;
        const double fraction = digits ? strtod(text + whole, NULL) : 0;
        if (n >= UINT64_MAX / units[i].ns) return false;
        *ns = n * units[i].ns + (uint64_t)(fraction * (double)units[i].ns + 0.5);
        return true;
    }
    return false;
}

// As dashboards write a time; no stream has as many seconds.
static bool parse_ms(const char *text, size_t len, uint64_t *ns) {
    if (len < 12 || len > 13 || strspn(text, "0123456789") < len) return false;
    *ns = strtoull(text, NULL, 10) * 1000000;
    return true;
}

bool wf_window_bound_parse(const char *text, size_t len, struct wf_window_bound *b) {
    if (b->given) return false; // twice
    b->given = true;
    if (parse_ms(text, len, &b->ns)) return b->utc = true;
    b->utc = len && text[len - 1] == 'Z';
    return b->utc ? parse_utc(text, len, &b->ns) : parse_span(text, len, &b->ns);
}

bool wf_window_stream_parse(const char *text, size_t len, uint64_t *stream) {
    char *end;
    errno = 0;
    *stream = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && end == text + len && !errno && *stream;
}

// Without zeros at the end.
static void put_fraction(uint64_t ns, char *to, size_t cap) {
    size_t len = (size_t)snprintf(to, cap, ".%09" PRIu64, ns);
    while (to[len - 1] == '0') --len;
    to[len == 1 ? 0 : len] = 0;
}

void wf_window_bound_put(const struct wf_window_bound *b, char to[WF_WINDOW_BOUND_MAX]) {
    const uint64_t second = 1000000000;
    const time_t seconds = (time_t)(b->ns / second);
    char fraction[16], day[32] = "";
    struct tm t;
    put_fraction(b->ns % second, fraction, sizeof fraction);
    if (!b->utc)
        snprintf(to, WF_WINDOW_BOUND_MAX, "%" PRIu64 "%s", b->ns / second, fraction);
    else if (gmtime_r(&seconds, &t) && strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &t))
        snprintf(to, WF_WINDOW_BOUND_MAX, "%s%sZ", day, fraction);
}
