// SPDX-License-Identifier: MIT
// JSON output for commands with the option --json, and for answers to the page.
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

// Writes a string with its quotes, as wf_table_json_text: UTF-8 is not escaped.
void json_text(FILE *out, const char *text);
void json_bytes(FILE *out, const char *text, size_t len);

#endif
