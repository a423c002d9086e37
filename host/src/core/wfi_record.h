// SPDX-License-Identifier: MIT
// A record for those that show it: whether it is whole, its name, a value by its kind.
#ifndef WFI_RECORD_H
#define WFI_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "wallfly_host/wf_session.h"

// In the table, and of the right length.
static inline bool wfi_is_whole(const struct wf_record *r) {
    return r->row && !r->left && !r->missing;
}
// The value of a record's first field of a kind; 0: it has none.
static inline uint64_t wfi_value(const struct wf_record *r, enum wf_kind kind) {
    int at = wf_row_place(r->row, kind);
    return at < 0 ? 0 : r->value[at];
}
// user+N and record+N are names of records that have no other.
struct wfi_record_name {
    const char *text; // terminated; valid until the next item
    size_t len;
    char number[24];
};
void wfi_record_name(struct wf_session *s, const struct wf_record *r, struct wfi_record_name *name);

#endif
