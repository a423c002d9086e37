// SPDX-License-Identifier: MIT
// JSON on standard output, for commands that have an option --json.
#ifndef JSON_H
#define JSON_H

// A string with its quotes.
void json_string(const char *text);

#endif
