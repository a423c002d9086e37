// SPDX-License-Identifier: MIT
// One character of UTF-8. Texts of a trace are bytes as the target sent them: UTF-8 or not.
#ifndef WF_UTF8_H
#define WF_UTF8_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Decodes the first character of a text; zero, controls and U+FFFF are characters, too.
//   text, len  bytes; need not end with a zero, and nothing after len is read
//   code       set to its number if there is one; may be null
//   returns    its length, 1 to 4 bytes; 0: there is none, as len is 0 or the first byte begins no
//              character, or one that is cut short, overlong, a surrogate or above U+10FFFF.
//              Skip one byte then.
size_t wf_utf8_decode(const char *text, size_t len, uint32_t *code);
// The same for characters that may be sent to a terminal: also 0 for controls (U+0000 to U+001F,
// U+007F to U+009F), separators of lines and paragraphs (U+2028, U+2029) and marks of the direction
// of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
size_t wf_utf8_shown(const char *text, size_t len);
// Makes any text printable: replaces what wf_utf8_shown() rejects by a visible escape, \x1b for a
// byte (a control, or not UTF-8), \u202e for a longer character. A backslash stays as it is.
//   to       set to the text, without a zero; has room for 4 * len bytes
//   returns  its length
size_t wf_utf8_show(const char *text, size_t len, char *to);
// Returns the number of bytes from the start that wf_utf8_show() does not change.
size_t wf_utf8_plain_length(const char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
