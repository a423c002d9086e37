// SPDX-License-Identifier: MIT
// Compares a line of the target with a pattern, for `expect`.
#ifndef TEST_MATCH_H
#define TEST_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns whether the whole line matches: '*' stands for any characters, '?' for any one, other
// characters for themselves.
bool match_line(const char *pattern, const char *line);

// The rule of time stamps: a pattern that begins with "@timestamp" or nine digits is for a record
// with a stamp, and advances the clock. "@timestamp" is replaced by the clock as ten digits.
//   out   the pattern to compare with, cut at cap - 1 characters
void match_stamp(const char *pattern, uint32_t *clock, char *out, size_t cap);

#endif
