// SPDX-License-Identifier: MIT
// One character of UTF-8. Texts of a trace are bytes as the target sent them: UTF-8 or not.
#ifndef WF_UTF8_H
#define WF_UTF8_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The character that a text begins with: zero, controls and U+FFFF are characters, too.
//   text, len  bytes; need not end with a zero, and nothing behind len is read
//   code       gets its number if there is one; may be null
//   returns    its length, 1 to 4 bytes | 0: there is none, as len is 0 or the first byte begins no
//              character, or one that is cut short, longer than it needs to be, a surrogate or
//              above U+10FFFF. One byte is to be passed over then.
size_t wf_utf8(const char *text, size_t len, uint32_t *code);
// The same, of characters a terminal may be sent: 0 for controls, too, U+0080 to U+009F among them.
size_t wf_utf8_shown(const char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
