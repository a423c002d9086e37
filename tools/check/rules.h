// SPDX-License-Identifier: MIT
// Internal: the parts of tools/check.
#ifndef CHECK_INTERNAL_H
#define CHECK_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>

#include "../lua/bounds.h"
#include "check_rules.h"
#include "units.h"

// ---- rules (rules.c)

struct text_block;

struct check_rules {
    struct check_rule **list;
    unsigned count;
    unsigned functions; // rules of the form FUNCTION
    unsigned queries;   // ... SQL
    const char **scripts;
    unsigned *script_functions; // rules of the form FUNCTION of each
    unsigned script_count;
    struct text_block *texts;
    double limit_s;
    struct bounds bounds;
    uint64_t deadline; // of the script that runs
    const char *now;   // the file of that script
};

// Copies a text, which is freed with the rules. Returns null when out of memory.
const char *rules_text(struct check_rules *r, const char *text);
// Returns room that is freed with the rules; null when out of memory.
void *rules_room(struct check_rules *r, size_t size);
// Adds a copy of the rule. Returns false when out of memory.
bool rules_add(struct check_rules *r, const struct check_rule *rule);

// ---- scripts (script.c)

// A script in a state of its own. At first it only adds rules; for each lane it is run again, since
// the variables of its functions belong to the lane.
struct script {
    struct check_rules *rules;
    const char *file;
    lua_State *L;
    bool collects;          // rules are added; else its functions are kept
    unsigned functions;     // rules of the form FUNCTION so far
    struct wf_error *error; // of the script that is opened
};

static inline struct script *script_of(lua_State *L) {
    return *(struct script **)lua_getextraspace(L);
}

// Runs the script. Returns WF_OK or an error, as check_load.
int script_open(struct script *s, struct check_rules *r, const char *file, bool collects,
                struct wf_error *error);
void script_close(struct script *s);
// Calls the function on the stack. On an error, sets `error` with its place and leaves nothing on
// the stack. Returns WF_OK or an error.
int script_call(struct script *s, int args, int results, struct wf_error *error);
// Pushes a function of rule(): the `index`th of the script, "each" or "at_end"; nil: it has none.
void script_push_function(const struct script *s, unsigned index, const char *name);
// Keeps the functions at these indices of the stack, for script_push_function.
void script_keep_functions(lua_State *L, int each, int at_end);

// ---- functions of scripts that make rules (verbs.c)

void verbs_add(lua_State *L);
// Raises an error for a name that is not a variable of the script: with the nearest name.
int verbs_unknown(lua_State *L);

// ---- keys of a rule (keys.c)

// Read the table at index 1 into the rule: title and lane alone, or all keys of a rule of the
// library. Errors are raised with the place of the call.
void keys_read_common(lua_State *L, struct check_rule *rule);
void keys_read(lua_State *L, struct check_rule *rule);
// Makes the title of a rule without one from its keys; cut if it is too long.
enum { KEYS_TITLE = 240 };
void keys_title(lua_State *L, const struct check_rule *rule, char title[KEYS_TITLE]);

// ---- results of SQL and of functions (own.c)

struct own_result {
    struct wf_check_result result;
    struct wf_check_failure *failures;
    unsigned room;
};

// Adds a failure. text: cut if it is too long. Returns false when out of memory.
bool own_fail(struct own_result *own, const struct wf_check_failure *at, const char *text,
              unsigned most);
// Makes verdict and text. holes: that touch it.
void own_end(struct own_result *own, const struct check_rule *rule, uint64_t holes,
             enum wf_check_loss loss, const char *counted);
void own_close(struct own_result *own);

// ---- a lane (lane.c)

struct functions;
struct queries;

struct check_lane {
    struct check_rules *rules;
    struct wf_session *session;
    unsigned number;
    struct wf_check_options options;
    struct wf_sinks *sinks;
    struct wf_check *check;      // null: no rules of the library
    struct functions *functions; // null: none
    struct queries *queries;     // null: none
    unsigned *of;                // number of results: index of each one's rule
    unsigned *within;            // ... index in check, or among functions or queries
    unsigned count;
    unsigned checked; // rules of the library
    uint64_t items;   // records, losses and events so far
    uint64_t holes;   // in the window
    uint64_t in_window;
    struct wf_error error;
    bool ended;
    void (*on_failure)(void *ctx, unsigned rule, const struct wf_check_failure *failure);
    void *ctx; // of on_failure
};

// Returns the time of an item, and whether it lies in the window of the options.
bool lane_tick(const struct check_lane *c, const struct wf_item *item, uint64_t *tick);

// Functions of the lane (functions.c). Return WF_OK or an error, with its place.
int functions_open(struct check_lane *c, struct wf_error *error);
int functions_take(struct check_lane *c, const struct wf_item *item, struct wf_error *error);
int functions_end(struct check_lane *c, struct wf_error *error);
const struct wf_check_result *functions_result(const struct check_lane *c, unsigned index);
void functions_close(struct check_lane *c);

// Queries of the lane (queries.c).
int queries_open(struct check_lane *c, struct wf_error *error);
int queries_end(struct check_lane *c, struct wf_error *error);
const struct wf_check_result *queries_result(const struct check_lane *c, unsigned index);
void queries_close(struct check_lane *c);

#endif
