// SPDX-License-Identifier: MIT
// Units of bounds. A number without its unit is refused: 5 may be meant as ms or as us.

#include "units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double times,
        per; // in the unit of wf_check_rule: value * times / per, so that 5 ms is 5 / 1000
};
static const struct unit times[] = {{"s", 1, 1},    {"ms", 1, 1e3}, {"us", 1, 1e6}, {"µs", 1, 1e6},
                                    {"ns", 1, 1e9}, {"min", 60, 1}, {"h", 3600, 1}, {.name = NULL}};
static const struct unit shares[] = {{"%", 1, 1}, {.name = NULL}};
static const struct unit sizes[] = {
    {"B", 1, 1}, {"KiB", 1 << 10, 1}, {"MiB", 1 << 20, 1}, {"GiB", 1 << 30, 1}, {.name = NULL}};

static const struct {
    const struct unit *units;
    const char *example;
} rows[] = {
    [WF_CHECK_TIME] = {times, "is not a time, as \"5 ms\"; its units are ns, us, ms, s, min, h"},
    [WF_CHECK_SHARE] = {shares, "is not a share, as \"40 %\""},
    [WF_CHECK_BYTES] = {sizes, "is not a size, as \"512 B\"; its units are B, KiB, MiB, GiB"},
    [WF_CHECK_NUMBER] = {NULL, "is not a number without a unit, as 12"},
};

const char *unit_parse(enum wf_check_unit unit, const char *text, double *value) {
    char *end;
    double number = strtod(text, &end);
    const char *wrong = rows[unit].example;
    // strtod takes hexadecimal numbers, "inf" and "nan", too.
    if (end == text || strspn(text, "0123456789.eE+- ") < (size_t)(end - text)) return wrong;
    if (!isfinite(number)) return wrong;
    end += strspn(end, " ");
    *value = number;
    if (!rows[unit].units) return *end ? wrong : NULL;
    if (number < 0) return "is negative";
    for (const struct unit *u = rows[unit].units; u->name; ++u) {
        if (strcmp(end, u->name) != 0) continue;
        *value = number * u->times / u->per;
        return NULL;
    }
    return wrong;
}

static const char *time_text(double seconds, char text[UNIT_TEXT]) {
    static const char *const names[] = {"ns", "us", "ms", "s"};
    double value = seconds * 1e9;
    unsigned i = 0;
    while (i < 3 && fabs(value) >= 999.95) {
        value /= 1000;
        ++i;
    }
    snprintf(text, UNIT_TEXT, fabs(value) < 1000 ? "%.4g %s" : "%.0f %s", value, names[i]);
    return text;
}

const char *unit_text(enum wf_check_unit unit, double value, char text[UNIT_TEXT]) {
    switch (unit) {
    case WF_CHECK_TIME: return time_text(value, text);
    case WF_CHECK_SHARE: snprintf(text, UNIT_TEXT, "%.4g %%", value); break;
    case WF_CHECK_BYTES: snprintf(text, UNIT_TEXT, "%.10g B", value); break;
    default: snprintf(text, UNIT_TEXT, "%.10g", value);
    }
    return text;
}
