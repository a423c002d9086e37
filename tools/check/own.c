// SPDX-License-Identifier: MIT
// Results of rules that the library does not know: queries and functions.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"

bool own_fail(struct own_result *own, const struct wf_check_failure *at, const char *text,
              unsigned most) {
    struct wf_check_result *r = &own->result;
    ++r->failure_count;
    if (r->kept >= most) return true;
    if (r->kept == own->room) {
        unsigned room = own->room ? 2 * own->room : 8;
        struct wf_check_failure *more = realloc(own->failures, room * sizeof *more);
        if (!more) return false;
        own->failures = more;
        own->room = room;
    }
    struct wf_check_failure *f = &own->failures[r->kept++];
    *f = *at;
    snprintf(f->text, sizeof f->text, "%s", text);
    r->failures = own->failures;
    return true;
}

void own_end(struct own_result *own, const struct check_rule *rule, uint64_t holes,
             enum wf_check_loss loss, const char *counted) {
    struct wf_check_result *r = &own->result;
    r->holes = holes;
    bool hole = holes && !rule->exact && loss != WF_CHECK_LOSS_IGNORED;
    if (r->failure_count) {
        r->verdict = WF_CHECK_FAILED;
        snprintf(r->text, sizeof r->text, "%" PRIu64 " failure%s", r->failure_count,
                 r->failure_count > 1 ? "s" : "");
    } else if (hole) {
        r->verdict = loss == WF_CHECK_LOSS_FAILS ? WF_CHECK_FAILED : WF_CHECK_UNDECIDED;
        snprintf(r->text, sizeof r->text,
                 "no failure, but %" PRIu64 " hole%s in the data may hide one", holes,
                 holes > 1 ? "s" : "");
    } else {
        r->verdict = WF_CHECK_PASSED;
        snprintf(r->text, sizeof r->text, "no failure in %" PRIu64 " %s", r->count, counted);
    }
}

void own_close(struct own_result *own) {
    for (unsigned i = 0; i < own->result.kept; ++i) free((void *)(uintptr_t)own->failures[i].task);
    free(own->failures);
}
