// SPDX-License-Identifier: MIT
// Units of bounds in scripts.
#ifndef CHECK_UNITS_H
#define CHECK_UNITS_H

#include "wallfly_host/wf_check.h"

// Parses "5 ms" to seconds, "40 %" to per cent, "2 KiB" to bytes. Returns null, or what is wrong.
const char *unit_parse(enum wf_check_unit unit, const char *text, double *value);
// Formats a value with its unit, in four digits: "5 ms", "40 %", "2048 B", "12". Returns text.
enum { UNIT_TEXT = 40 };
const char *unit_text(enum wf_check_unit unit, double value, char text[UNIT_TEXT]);

#endif
