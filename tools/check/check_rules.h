// SPDX-License-Identifier: MIT
// Rules of `wallfly check` (docs/check.md): read from scripts in Lua, applied to lanes, with
// results and failures. For all commands that take a file of rules.
//
//   r = check_rules_open(10); check_load(r, "rules.lua", &error)
//   c = check_lane_open(r, session, lane, &options, &error)
//   for each item of the lane: check_lane_take(c, &item)
//   check_lane_end(c, &error); check_lane_result(c, i, &result), check_lane_failures(c, &count)
//   check_lane_close(c); check_rules_close(r)
//
// Nothing is printed but the script's own print(), on standard error. All functions are for one
// thread. A script that does not return (a pattern that matches for years) ends the program with
// exit code 2 and a message.
#ifndef CHECK_RULES_H
#define CHECK_RULES_H

#include "wallfly_host/wf_check.h"

enum check_form {
    CHECK_KIND,    // of the library
    CHECK_SQL,     // the rows of a query are the failures
    CHECK_FUNCTION // a function of the script
};

struct check_rule {
    enum check_form form;
    const char *name;        // of the function that made it: "response", "sql", "rule"
    const char *title;       // the user's, or made from its keys
    const char *script;      // file
    int line;                // of the call in it
    int lane;                // -1: every lane
    bool exact;              // SQL, FUNCTION: a hole does not make the result undecidable
    struct wf_check_rule of; // KIND
    const char *sql;         // SQL
};

struct check_rules;

// limit_s: longest time of a script, and of a call of one of its functions, in seconds. Returns
// null when out of memory or without a thread.
struct check_rules *check_rules_open(double limit_s);
void check_rules_close(struct check_rules *r);
// Adds the rules of a script. Returns WF_OK; WF_ERR_USAGE: an error in the script, with its place;
// WF_ERR_READ, WF_ERR_NOMEM.
int check_load(struct check_rules *r, const char *file, struct wf_error *error);
unsigned check_rule_count(const struct check_rules *r);
const struct check_rule *check_rule_at(const struct check_rules *r, unsigned index);

// ---- a lane

struct check_lane;

// The rules must outlive the lane, and get no more scripts meanwhile. options->sinks is not used.
// With options->on_failure, which gets an index for check_lane_rule, only rules of the library are
// applied. Returns null on an error: WF_ERR_USAGE (a rule or script), WF_ERR_WRITE (the temporary
// database of rules in SQL), WF_ERR_NOMEM.
struct check_lane *check_lane_open(struct check_rules *r, struct wf_session *s, unsigned lane,
                                   const struct wf_check_options *options, struct wf_error *error);
void check_lane_close(struct check_lane *c);
void check_lane_take(struct check_lane *c, const struct wf_item *item);
// Ends the trace and makes the results. Returns WF_OK or the first error: WF_ERR_USAGE (an error in
// a function or query, with its place), WF_ERR_WRITE, WF_ERR_READ, WF_ERR_NOMEM.
int check_lane_end(struct check_lane *c, struct wf_error *error);
// Whether there was an error, so that more items are in vain.
bool check_lane_failed(const struct check_lane *c);

// The rules for this lane, in the order of the scripts.
const struct check_rule *check_lane_rule(const struct check_lane *c, unsigned index);

struct check_result {
    const struct check_rule *rule;
    struct wf_check_result of; // its `rule` is null for SQL and functions
};
// Of each rule for this lane. Valid until check_lane_close. Of one that was not applied the text is
// empty.
unsigned check_lane_results(const struct check_lane *c);
void check_lane_result(const struct check_lane *c, unsigned index, struct check_result *result);

// A broken rule at a place, for marks on a time line.
struct check_failure {
    unsigned lane;
    const char *title; // of its rule
    uint64_t from, to; // ticks
    const char *text;  // a sentence
    unsigned rule;     // index for check_rule_at
};
// All failures that are kept, in the order of time. The array is the caller's to free, the texts
// are valid until check_lane_close. Returns null when out of memory; *count is 0 if there are none.
struct check_failure *check_lane_failures(const struct check_lane *c, unsigned *count);

#endif
