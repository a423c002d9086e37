// SPDX-License-Identifier: MIT
// Foreign text in the output and the log of tests, for a terminal and for YAML.
#ifndef TEST_SHOWN_LINES_H
#define TEST_SHOWN_LINES_H

#include <stddef.h>
#include <stdio.h>

// Writes controls as visible escapes (wf_utf8_show); tabs stay.
void put_shown(FILE *f, const char *text, size_t len);
// Writes each line of the text behind `prefix`.
void put_shown_lines(FILE *f, const char *prefix, const char *text, size_t len);

#endif
