// SPDX-License-Identifier: MIT
// What `expect` compares: a line of the target with a pattern.
#ifndef TEST_MATCH_H
#define TEST_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether all of the line fits: '*' stands for any characters, '?' for any one, others for
// themselves.
bool match_line(const char *pattern, const char *line);

// The rule of time stamps: a pattern that begins with "@timestamp" or nine digits is about a record
// with a stamp, and counts the clock up; "@timestamp" becomes the count as ten digits.
//   out   the pattern to compare with, cut at cap - 1 characters
void match_stamp(const char *pattern, uint32_t *clock, char *out, size_t cap);

#endif
