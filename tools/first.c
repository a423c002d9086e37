// SPDX-License-Identifier: MIT
// Slots begin with a fixed word, text has lines that can be read, and all else is taken for frames,
// whose reader says what is wrong with it.

#include "first.h"

#include <string.h>

static const char slots_word[] = "TRACE_HEADER_BEGIN::";
enum { WORD = sizeof slots_word - 1 };

static enum first_is tell(const struct first *f) {
    size_t n = f->len < WORD ? f->len : WORD;
    bool slots = memcmp(f->bytes, slots_word, n) == 0;
    if (slots) return n == WORD ? FIRST_SLOTS : FIRST_UNKNOWN;
    switch (wf_text_is(f->bytes, f->len)) {
    case WF_TEXT_YES: return FIRST_TEXT;
    case WF_TEXT_NOT: return FIRST_FRAMES;
    default: return FIRST_UNKNOWN;
    }
}

enum first_is first_take(struct first *first, const uint8_t **bytes, size_t *len) {
    size_t room = sizeof first->bytes - first->len;
    size_t n = *len < room ? *len : room;
    if (!n) return first->len ? tell(first) : FIRST_UNKNOWN;
    memcpy(first->bytes + first->len, *bytes, n);
    first->len += n;
    *bytes += n;
    *len -= n;
    return tell(first);
}

// A beginning of the word is no slots yet, and nothing else either.
enum first_is first_end(const struct first *first) {
    enum first_is is = first->len ? tell(first) : FIRST_FRAMES;
    return is == FIRST_UNKNOWN ? FIRST_FRAMES : is;
}
