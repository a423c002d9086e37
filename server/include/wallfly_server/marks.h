// SPDX-License-Identifier: MIT
// Marks: places of a trace that a page points at, each with the rule that it belongs to. Failures
// of a check are marks, and so are the changes of a comparison. Queries about them are in
// docs/page-protocol.md.
#ifndef MARKS_H
#define MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_timeline.h"

// Kinds, the most severe first. A rule has one as its verdict, or MARK_PASS.
enum mark_kind { MARK_FAIL, MARK_UNDECIDED, MARK_NOTE, MARK_KINDS, MARK_PASS = MARK_KINDS };
extern const char *const mark_kind_names[MARK_KINDS + 1]; // "fail", "cannot tell", "note", "pass"

enum { MARKS_MAX = 1000000, MARK_RULES_MAX = 10000 };

struct mark_rule {
    const char *title; // as the user wrote it
    const char *text;  // a sentence: what was found
    enum mark_kind verdict;
    bool has_margin;
    double margin;     // to the bound, in per cent of it; negative: exceeded
    uint64_t failures; // all of them, also those that have no mark
    bool live;         // its failures become marks while the trace goes on
};

struct mark {
    enum mark_kind kind;
    unsigned rule;        // number of its rule
    uint64_t from, until; // ticks of the target; equal: a moment
    const char *row;      // name of its row on the page; null: it has none
    enum wf_row_kind row_kind;
    int core;         // -1: unknown
    const char *text; // a sentence
};

struct marks;

struct marks *marks_open(void); // null when out of memory
void marks_close(struct marks *m);

// Texts are copied. Rules are numbered from 0 in the order in which they are added.
//   returns  WF_OK, WF_ERR_NOMEM, WF_ERR_TOO_MANY
int marks_add_rule(struct marks *m, const struct mark_rule *rule);
// Replaces all but the title of a rule that was added.
int marks_set_rule(struct marks *m, unsigned number, const struct mark_rule *rule);
// Marks are numbered from 0 in the order in which they are added: of a rule the worst first. Beyond
// MARKS_MAX they are only counted (marks_left).
int marks_add(struct marks *m, const struct mark *mark);
// Removes all marks, but no rule.
void marks_clear(struct marks *m);
// Removes the oldest marks, up to `count` of them; the numbers of the others become smaller.
//   returns  WF_OK, WF_ERR_NOMEM: none is removed
int marks_drop(struct marks *m, size_t count);

unsigned marks_rules(const struct marks *m);
size_t marks_count(const struct marks *m);
uint64_t marks_left(const struct marks *m);
uint64_t marks_removed(const struct marks *m); // by marks_drop and marks_clear
uint64_t marks_of_kind(const struct marks *m, enum mark_kind kind);
uint64_t marks_revision(const struct marks *m); // changes with the marks and the rules
// Valid until the next change. False: there is no such number.
bool marks_get_rule(const struct marks *m, unsigned number, struct mark_rule *rule);
bool marks_get(const struct marks *m, size_t number, struct mark *mark);

// Calls `each` with the marks that touch from..until, in the order of their begins, until it
// returns false. Costs one comparison a mark, from the first that touches on; the first query after
// marks were added out of order sorts them.
//   returns  WF_OK, WF_ERR_NOMEM
int marks_within(struct marks *m, uint64_t from, uint64_t until,
                 bool (*each)(void *ctx, size_t number, const struct mark *mark), void *ctx);

// A place in the order of begins; marks with the same begin are in the order of their numbers.
struct mark_place {
    bool before_all; // else
    bool has_number;
    size_t number; // of a mark, or
    uint64_t at;   // a tick
};
struct mark_step {
    bool found;
    size_t number;
    uint64_t place, of; // from 1: which one it is of those of its kind
};
// Finds the next (way > 0) or previous mark of a kind.
int marks_step(struct marks *m, const struct mark_place *from, int way, enum mark_kind kind,
               struct mark_step *step);

#endif
