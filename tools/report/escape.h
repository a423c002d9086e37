// SPDX-License-Identifier: MIT
// Foreign text in the output and the log of tests, for a terminal and for YAML.
#ifndef TEST_ESCAPE_H
#define TEST_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

// Writes control characters as visible escapes (wf_utf8_show), but not tabs.
void put_shown(FILE *f, const char *text, size_t len);
// Writes `prefix` before each line of the text.
void put_shown_lines(FILE *f, const char *prefix, const char *text, size_t len);

#endif
