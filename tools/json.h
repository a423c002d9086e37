// SPDX-License-Identifier: MIT
// JSON for commands that have an option --json, and for what the page asks.
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

// A string with its quotes, as wf_table_json_text: UTF-8 stays what it is.
void json_text(FILE *out, const char *text);

#endif
