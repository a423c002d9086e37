// SPDX-License-Identifier: MIT
// Tests records for texts in their names and words (the columns of the table record,
// docs/tables.md). Most records are decided by their type and the names of their objects, so that
// only few must be described: several times as fast as writing and testing each.
#ifndef WF_MATCHER_H
#define WF_MATCHER_H

#include "wf_error.h"
#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_matcher;

enum { WF_MATCH_TERMS_MAX = 8 };

// A text that a record must have in its name or its words. The case of ASCII letters is ignored.
struct wf_match_term {
    const char *text;
    bool absent; // the record must not have it
};

struct wf_matcher_options {
    size_t size; // sizeof(struct wf_matcher_options)
    const struct wf_match_term *terms;
    unsigned count;
    bool group; // terms are also sought in the group's name; of rows without a group, in their kind
};

// All terms must be met. The options may be freed afterwards.
//   returns  null when out of memory, and for 0 or too many terms or an empty one (`error`)
struct wf_matcher *wf_matcher_open(const struct wf_matcher_options *options,
                                   struct wf_error *error);
void wf_matcher_close(struct wf_matcher *m);

// The next items are those of this session, from its next one on.
void wf_matcher_use(struct wf_matcher *m, struct wf_session *s);
// Takes the next item of the session. Returns whether it matches; false for damage, which has no
// row, and after an error.
bool wf_matcher_item(struct wf_matcher *m, const struct wf_item *item);

// A row of the table record in short. Texts are not terminated, and valid until the next call.
struct wf_match_text {
    const char *bytes;
    size_t len;
};
struct wf_match_row {
    struct wf_match_text kind, group, name, words; // group: empty if it has none
};
// Describes a record, an event or a loss. Returns false when out of memory.
bool wf_matcher_describe(struct wf_matcher *m, const struct wf_item *item,
                         struct wf_match_row *row);
// Returns WF_OK, or WF_ERR_NOMEM: results are incomplete.
int wf_matcher_error(const struct wf_matcher *m);

#ifdef __cplusplus
}
#endif
#endif
