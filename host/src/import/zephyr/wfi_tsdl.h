// SPDX-License-Identifier: MIT
// Tokens and types of TSDL.
#ifndef WFI_TSDL_H
#define WFI_TSDL_H

#include "wfi_zephyr_meta.h"

enum wfi_tsdl_token {
    TSDL_END,
    TSDL_WORD,
    TSDL_NUMBER,
    TSDL_TEXT,
    TSDL_ASSIGN,
    TSDL_IS,
    TSDL_DOTS,
    TSDL_SIGN
};

enum { TSDL_DEPTH = 8, TSDL_WORDS = 96 }; // nested types; length of a name of a type

// A name of a type. Structs and enumerations have name spaces of their own.
struct wfi_tsdl_named {
    char space; // 'a' alias, 's' struct, 'e' enumeration
    uint32_t name;
    struct wfi_tsdl_type *type;
};

struct wfi_tsdl_type {
    bool is_struct, bad;
    bool text;                     // an integer that is a character
    struct wfi_zephyr_field field; // if it is no struct
    struct wfi_zephyr_list list;   // if it is one
};

struct wfi_tsdl_parser {
    struct wfi_zephyr_meta *meta;
    const char *p, *end;
    unsigned line;
    // The token that comes next.
    enum wfi_tsdl_token token;
    char sign; // SIGN
    const char *at;
    size_t len;
    uint64_t number;
    struct wfi_tsdl_named *named;
    size_t named_count, named_cap;
    uint16_t sets; // enumerations
    struct wfi_zephyr_error *error;
};

// These return false on an error; wfi_tsdl_fail always does.
bool wfi_tsdl_fail(struct wfi_tsdl_parser *p, const char *why);
bool wfi_tsdl_next(struct wfi_tsdl_parser *p);
bool wfi_tsdl_expect(struct wfi_tsdl_parser *p, char sign);
// Skips to the end of the statement, over blocks.
bool wfi_tsdl_skip(struct wfi_tsdl_parser *p);

static inline bool wfi_tsdl_is_sign(const struct wfi_tsdl_parser *p, char sign) {
    return p->token == TSDL_SIGN && p->sign == sign;
}
bool wfi_tsdl_is_word(const struct wfi_tsdl_parser *p, const char *word);

// A field's name, after its type: `text` is null if there is none.
struct wfi_tsdl_declarator {
    const char *text;
    size_t len;
};

// Parses a type. declarator: the last word after it is a name; null: all words are the type's.
bool wfi_tsdl_type(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type,
                   struct wfi_tsdl_declarator *declarator, unsigned depth);
bool wfi_tsdl_integer(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type);
bool wfi_tsdl_float(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type);
bool wfi_tsdl_enum(struct wfi_tsdl_parser *p, struct wfi_tsdl_type *type, unsigned depth);
// typealias and typedef.
bool wfi_tsdl_alias(struct wfi_tsdl_parser *p);
bool wfi_tsdl_typedef(struct wfi_tsdl_parser *p);
bool wfi_tsdl_define(struct wfi_tsdl_parser *p, char space, const char *name, size_t len,
                     const struct wfi_tsdl_type *type);
bool wfi_tsdl_find(struct wfi_tsdl_parser *p, char space, const char *name, size_t len,
                   struct wfi_tsdl_type *type);
void wfi_tsdl_close(struct wfi_tsdl_parser *p);

#endif
