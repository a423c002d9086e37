// SPDX-License-Identifier: MIT
// The options --split, --ring and --force.

#include "capture_options.h"

#include <stdlib.h>
#include <string.h>

// Parses "100M", "10m": a size or a time, by its unit.
static bool parse_limit(const char *text, size_t len, struct wf_capture_options *o) {
    static const struct {
        char letter;
        uint64_t size, us;
    } units[] = {{'K', 1000, 0},    {'M', 1000000, 0},  {'G', 1000000000, 0},
                 {'s', 0, 1000000}, {'m', 0, 60000000}, {'h', 0, 3600000000}};
    char *end;
    uint64_t n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || end + 1 != text + len || !n || n > 1000000000) return false;
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i) {
        if (units[i].letter != *end) continue;
        if (units[i].size) o->split_bytes = n * units[i].size;
        if (units[i].us) o->split_us = n * units[i].us;
        return true;
    }
    return false;
}

static bool parse_split(const char *text, struct wf_capture_options *o) {
    for (const char *p = text; p && *p;) {
        size_t len = strcspn(p, ",");
        if (!parse_limit(p, len, o)) {
            diag_error(EXIT_USAGE, "--split: '%s' is not a size or a time, as in 100M or 10m",
                       text);
            return false;
        }
        p += len + (p[len] == ',');
    }
    return true;
}

bool capture_parse(const struct args *args, unsigned first, struct wf_capture_options *o) {
    const char *split = args->value[first + 1], *ring = args->value[first + 2];
    uint64_t keep = 0;
    o->size = sizeof *o;
    o->overwrite = args->value[first] != NULL;
    if (!parse_split(split, o)) return false;
    if (ring && !parse_number("--ring", ring, 1, 1000000, &keep)) return false;
    o->keep = (unsigned)keep;
    if (!ring || split) return true;
    diag_error(EXIT_USAGE, "--ring goes with --split, which limits the size or age of a file");
    return false;
}
