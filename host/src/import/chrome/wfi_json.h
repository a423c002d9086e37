// SPDX-License-Identifier: MIT
// A scanner of JSON in memory: no tree, no allocation. It moves over values; what it has found is
// a part of the text. docs/decisions/0006-json.md.
#ifndef WFI_JSON_H
#define WFI_JSON_H

#include "import/wfi_import_text.h"

enum { WFI_JSON_DEPTH = 64 }; // of nested values; deeper ones are an error

struct wfi_json {
    const char *text;
    size_t at, len;
    bool bad; // text[at] is no JSON, or the text ends inside a value; nothing moves any more
};

enum wfi_json_kind {
    WFI_JSON_NONE, // at the end of a list, or bad
    WFI_JSON_STRING,
    WFI_JSON_NUMBER,
    WFI_JSON_WORD, // true, false, null
    WFI_JSON_OBJECT,
    WFI_JSON_ARRAY
};

// Blanks and line ends.
void wfi_json_blanks(struct wfi_json *j);
// Takes the character. Returns false if another one follows.
bool wfi_json_take(struct wfi_json *j, char c);
// Takes a value. value: its text; of a string without the quotes, with its escapes.
enum wfi_json_kind wfi_json_value(struct wfi_json *j, struct wfi_part *value);
// Takes the next member of an object whose "{" has been taken, or the "}". Returns NONE after it.
enum wfi_json_kind wfi_json_member(struct wfi_json *j, struct wfi_part *name,
                                   struct wfi_part *value);
// Writes a string without its escapes, in UTF-8, cut to `room`. Returns it; the same if it has
// none.
struct wfi_part wfi_json_text(struct wfi_part string, char *to, size_t room);

#endif
