// SPDX-License-Identifier: MIT
// What runs scripts: the state of the present test, shared by the functions scripts call.
#ifndef TEST_RUNNER_H
#define TEST_RUNNER_H

#include <lauxlib.h>
#include <lua.h>

#include "bounds.h"
#include "report.h"
#include "target.h"

enum { TEXT_MAX = 1024 };

// A test is flat when it has no function: it goes on to the next test() of the script, and what
// follows a failure does nothing.
enum state {
    OUTSIDE, // of any test
    RUNNING,
    PASSING_BY // the rest of a flat test that has failed or is skipped
};

struct runner {
    struct target target;
    struct report report;
    double timeout_s, limit_s; // of a line, of a whole test
    const char *filter;        // null: all tests
    volatile sig_atomic_t stopped;

    const char *script;
    enum state state;
    bool flat;
    struct result *now; // of the test that runs, else null
    bool failed;
    bool clean;               // the test before has passed, so NORESET may go on from there
    bool unclear;             // it has failed, and the target was not started anew since
    uint64_t began, deadline; // uv_hrtime
    unsigned skip;            // so many tests more
    uint32_t clock;           // stamps counted since set-up
    bool asserted;            // an expected assertion: the target resets itself
    uint64_t machine;         // current state machine, for names of signals
    char last[TEXT_MAX];      // line
    struct bounds bounds;
    void (*give_up)(struct runner *r); // as bounds_open() says
    const struct args *args;
    uint64_t began_run; // uv_hrtime
    bool warns;         // warn() of the script is on
    char *warning;      // what of one has come, or null
};

static inline struct runner *runner_of(lua_State *L) {
    return *(struct runner **)lua_getextraspace(L);
}

// Runs one script; complains itself. Returns false if it could not be read or broke.
bool script_run(struct runner *r, const char *file);
// The script does not come back: the test that runs has failed, else the script is broken.
void script_stuck(struct runner *r);

// Fails the present test, from a function called by the script: says where, what, and unless null
// what was expected and what came. Returns 0, or does not return (tests with a function).
int fail(lua_State *L, const char *expected, const char *came, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Leaves the test, if it is not flat.
int leave_test(lua_State *L);
// Calls what is on the stack with no results. An error fails the present test; without one it is
// left on the stack. Returns whether there was none.
bool guarded(lua_State *L, struct runner *r, int args);
// Of the error that is on the stack: "message" or "detail"; to be freed, may be null.
char *field_copy(lua_State *L, const char *name);

// The limit of time begins; what is timed does, too.
void start_limit(struct runner *r);
void start_clock(struct runner *r);
// The present test, if there is one, ends: tear-down, its result.
void end_test(lua_State *L, struct runner *r);
void report_now(struct runner *r, enum verdict verdict);
// Nothing more is to be run.
bool is_over(const struct runner *r);

// The functions of scripts, by file.
struct verb {
    const char *name;
    int (*run)(lua_State *L, struct runner *r);
    bool anywhere; // also outside of a test
};
extern const struct verb verbs_send[], verbs_filter[], verbs_expect[], verbs_record[], verbs_test[],
    verbs_script[], verbs_pack[], verbs_print[];
// Lua's warnings go to standard error; off until the script says "@on".
void warnings_set(lua_State *L, struct runner *r);
struct constant {
    const char *name;
    long value;
};
extern const struct constant constants[];

enum { NORESET = 1, SCREEN = 1, TRACE = 2 };

// The next line; false after the test was failed, which says what was expected in its place.
// expected: as in fail(), null: nothing special
bool take_line(lua_State *L, struct runner *r, const char *expected, double seconds,
               struct arrival **a);
// The next line must be this one.
bool expect_line(lua_State *L, struct runner *r, const char *pattern);
// The value of an argument: a number, or a name of that dictionary. False after the test failed.
bool value_of(lua_State *L, struct runner *r, int arg, enum wf_effect dict, uint64_t with,
              uint64_t *value);
// Sends a command (by its name in wf_command_rows; null: without values), and if it is one that is
// acknowledged expects that.
int send_acked(lua_State *L, struct runner *r, const char *command, const struct wf_values *v);

#endif
