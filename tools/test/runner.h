// SPDX-License-Identifier: MIT
// Runs scripts: the state of the current test, shared by the functions that scripts call.
#ifndef TEST_RUNNER_H
#define TEST_RUNNER_H

#include <lauxlib.h>
#include <lua.h>

#include "../lua/bounds.h"
#include "../report/report.h"
#include "target.h"

enum { TEXT_MAX = 1024 };

// A test without a function is flat: it continues to the next test() of the script, and calls after
// a failure do nothing.
enum state {
    OUTSIDE, // outside of any test
    RUNNING,
    PASSING_BY // the rest of a flat test that has failed or is skipped
};

struct runner {
    struct target target;
    struct report report;
    double timeout_s, limit_s; // for a line, for a whole test
    const char *filter;        // null: all tests
    volatile sig_atomic_t stopped;

    const char *script;
    enum state state;
    bool flat;
    struct result *now; // result of the running test, else null
    bool failed;
    bool clean;               // the previous test has passed, so NORESET may continue from it
    bool unclear;             // it has failed, and the target was not restarted since
    uint64_t began, deadline; // uv_hrtime
    unsigned skip;            // number of tests to skip
    uint32_t clock;           // stamps counted since set-up
    bool asserted;            // an expected assertion occurred: the target resets itself
    uint64_t machine;         // current state machine, for signal names
    char last[TEXT_MAX];      // line
    struct bounds bounds;
    const struct args *args; // the operands are the scripts
    const char *junit;       // file name, or null
    uint64_t began_run;      // uv_hrtime
    bool warns;              // warn() of the script is switched on
    char *warning;           // the parts received so far, or null
};

static inline struct runner *runner_of(lua_State *L) {
    return *(struct runner **)lua_getextraspace(L);
}

// Runs the scripts and prints results, in TAP or as text. Returns an exit code.
int runner_run(struct runner *r, bool tap);
// For the bounds. over: fails the running test; without one it is an error of the script. give_up:
// ends the program in another thread, with the results so far, as a script does not return.
void runner_over(lua_State *L, void *ctx);
void runner_give_up(void *ctx);

// Runs one script; prints errors itself. Returns false if it could not be read or has an error.
bool script_run(struct runner *r, const char *file);
// The script does not return: fails the running test, or else reports the script as broken.
void script_stuck(struct runner *r);

// Fails the current test, from a function called by the script: prints the place, the message, and,
// unless null, expected and received text. Returns 0, or does not return (tests with a function).
int fail(lua_State *L, const char *expected, const char *received, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Ends the test with an error, unless it is flat.
int leave_test(lua_State *L);
// Calls the function on the stack, without results. An error fails the current test; without a test
// it stays on the stack. Returns whether there was no error.
bool guarded(lua_State *L, struct runner *r, int args);
// Returns "message" or "detail" of the error on the stack; the caller frees it. May be null.
char *field_copy(lua_State *L, const char *name);

// start_limit begins the time limit; start_clock also begins the measured time.
void start_limit(struct runner *r);
void start_clock(struct runner *r);
// Ends the current test, if any: tear-down and result.
void end_test(lua_State *L, struct runner *r);
void report_now(struct runner *r, enum verdict verdict);
// Returns whether the run must end.
bool is_over(const struct runner *r);

// V(NAME, ANYWHERE): the functions of scripts; anywhere: allowed outside of a test too. Each is a
// verb_NAME in script.c or a verbs_*.c, and returns as a lua_CFunction. `then` is a keyword of Lua.
// clang-format off
#define VERBS(V) \
    V(include, true) V(required, true) V(test, true) V(skip, true) V(note, true) V(print, true) \
    V(scenario, true) V(given, true) V(when, true) V(then_, true) \
    V(expect, false) V(expect_any, false) V(expect_none, false) V(expect_pause, false) \
    V(expect_run, false) V(ensure, false) V(last_rec, true) V(wait, false) \
    V(next_rec, false) V(expect_rec, false) \
    V(glb_filter, false) V(loc_filter, false) V(ao_filter, false) \
    V(command, false) V(init, false) V(dispatch, false) V(post, false) V(publish, false) \
    V(current_obj, false) V(query_curr, false) V(probe, false) V(tick, false) \
    V(peek, false) V(poke, false) V(fill, false) V(continue_test, false) V(pack_le, true)
// clang-format on
typedef int verb_fn(lua_State *L, struct runner *r);
#define V(name, anywhere) verb_fn verb_##name;
VERBS(V)
#undef V
// Lua's warnings are printed on standard error; off until the script calls warn("@on").
void warnings_set(lua_State *L, struct runner *r);
struct constant {
    const char *name;
    long value;
};
extern const struct constant constants[];

enum { NORESET = 1, SCREEN = 1, TRACE = 2 };

// Takes the next line. Returns false after failing the test, with the expected text in the message.
// expected: as in fail(), null: nothing special
bool take_line(lua_State *L, struct runner *r, const char *expected, double seconds,
               struct arrival **a);
// Notes an assertion of the target, which was expected.
void note_assertion(struct runner *r, const struct arrival *a);
// Checks that the next line matches the pattern.
bool expect_line(lua_State *L, struct runner *r, const char *pattern);
// Reads an argument: a number, or a name of that dictionary. Returns false after failing the test.
bool value_of(lua_State *L, struct runner *r, int arg, enum wf_effect dict, uint64_t with,
              uint64_t *value);
// Sends a command (by its name in wf_command_rows; null: without values), and checks its
// acknowledge, if it has one.
int send_acked(lua_State *L, struct runner *r, const char *command, const struct wf_values *v);

#endif
