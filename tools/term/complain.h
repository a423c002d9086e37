// SPDX-License-Identifier: MIT
// Messages on standard error, and foreign text that is safe to print.
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include <stddef.h>

// Prints "wallfly: " and the message on one line of standard error, escaped. Returns code.
int complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same as a handler of a library's messages. ctx is not used.
void complain_text(void *ctx, const char *text);

// Makes foreign text safe to print (wf_utf8_show). The result is valid for the next seven calls.
const char *shown_text(const char *text);

// Returns the number of UTF-8 characters in a text.
size_t shown_width(const char *text);

#endif
