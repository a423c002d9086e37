// SPDX-License-Identifier: MIT
// Messages on standard error, and foreign text that is safe to print.
#ifndef DIAG_H
#define DIAG_H

#include <stddef.h>

// Print "wallfly: " and the message on one line of standard error, escaped. diag_error returns
// code.
int diag_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Returns the message of the last diag_error, escaped, at most 255 bytes of it.
const char *diag_last_error(void);
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The same as a handler of a library's messages. ctx is not used.
void diag_text(void *ctx, const char *text);

// Makes foreign text safe to print (wf_utf8_show). The result is valid for the next seven calls.
const char *shown_text(const char *text);

// Returns the number of UTF-8 characters in a text.
size_t shown_width(const char *text);

#endif
