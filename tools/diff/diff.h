// SPDX-License-Identifier: MIT
// `wallfly diff`: read.c reads the two sides, result.c compares them and decides, text.c, lines.c,
// json.c, junit.c and html_result.c show the result. An output gets a `struct diff_result` and
// nothing else: a further one is a function of that kind and a row in cmd_diff.c.
#ifndef DIFF_H
#define DIFF_H

#include "../stream.h"
#include "wallfly_host/wf_behaviour.h"
#include "wallfly_host/wf_diff.h"

// Indexes of the command's options.
enum {
    DIFF_FROM = STREAM_OPTIONS,
    DIFF_UNTIL,
    DIFF_TIME,
    DIFF_GOOD,
    DIFF_NEW,
    DIFF_GOOD_ELF,
    DIFF_GOOD_MAP,
    DIFF_GOOD_DIC,
    DIFF_FAIL_ON,
    DIFF_ALL,
    DIFF_JSON,
    DIFF_JUNIT,
    DIFF_HTML
};

enum { DIFF_SIDE_GOOD, DIFF_SIDE_NEW, DIFF_SIDES };

struct diff_source {
    char *name;
    bool saved; // a profile
};

struct diff_side {
    const char *label; // "good", "new"
    struct diff_source *sources;
    unsigned count;
    struct wf_profile *profile;
    struct wf_behaviour *behaviour;
    bool without_behaviour; // a profile has none, so behaviour is not compared
    bool lossy;             // --strict: something was lost
};

enum diff_state { DIFF_CHANGED, DIFF_CANNOT_TELL, DIFF_SUSPECTED, DIFF_SAME, DIFF_STATES };
extern const char *const diff_states[DIFF_STATES]; // "changed", "cannot tell", ...

// A line of the result.
struct diff_entry {
    enum diff_state state;
    bool is_figure, timed; // timed: times of the figure are in seconds, else in ticks
    bool follows;          // a change before it explains it: shown with --all only
    struct wf_diff_figure figure;
    struct wf_behaviour_difference behaviour;
};

// A value of --fail-on.
struct diff_condition {
    char *text;
    bool behaviour; // any change of behaviour
    struct wf_diff_condition of;
    enum wf_diff_answer answer;
    struct diff_entry *entries; // that it is about
    size_t count;
};

struct diff_result {
    const struct args *args;
    struct diff_side sides[DIFF_SIDES];
    struct wf_diff *figures;
    struct wf_behaviour_diff *behaviour; // null: not compared
    const char *without_behaviour;       // why not; null: a profile was saved without it
    struct diff_entry *entries;          // all, the most important first
    size_t count;
    size_t states[DIFF_STATES]; // entries in each state
    size_t marked;              // figures without a verdict, as lost data may have changed them
    struct diff_condition *conditions;
    size_t condition_count;
    enum diff_state verdict; // CHANGED, CANNOT_TELL, SAME
    int code;                // exit code
};

// Reads both sides (read.c). Returns an exit code, after an error message.
int diff_read(struct diff_result *r);
int diff_read_side(struct diff_side *side, const struct args *args, bool good);
// Adds a saved profile, with its behaviour, to a side; `name` is for messages.
int diff_add_saved(struct diff_side *side, const char *name, const uint8_t *bytes, size_t len);

// Reads the new side in a process of its own, at the same time as the good one (read_process.c).
struct diff_process {
    long pid;                // 0: there is none
    FILE *result, *messages; // unnamed files
};
// Does nothing if that is not possible or of no use; then diff_read_side reads it afterwards.
void diff_process_start(struct diff_process *p, struct diff_side *side, const struct args *args);
// Waits for its end, shows its messages and reads its result. Returns an exit code, after an error
// message.
int diff_process_end(struct diff_process *p, struct diff_side *side);
void diff_process_stop(struct diff_process *p); // ends it early
// Parses --fail-on; call before diff_read (conditions.c). Returns false after an error message.
bool diff_conditions(struct diff_result *r, const char *text);
// Decides all conditions. Returns false when out of memory.
bool diff_decide_conditions(struct diff_result *r);
// Compares them and decides (result.c). Returns an exit code, after an error message: of errors
// only; r->code is that of the verdict.
int diff_compare(struct diff_result *r);
void diff_close(struct diff_result *r);
// Returns whether the rate of a lane is known.
bool diff_is_timed(const struct diff_result *r, unsigned lane);

// ---- texts (lines.c)
enum { DIFF_TEXT = 1024 };
enum { DIFF_LABEL = 320, DIFF_VALUE = 32 };
// "control", "lock_bus: comm", "interrupt 5".
void diff_label(const struct wf_diff_figure *f, char text[DIFF_LABEL]);
// A value of a figure's measure with its unit.
void diff_value(const struct diff_entry *e, enum wf_diff_measure m, double value,
                char text[DIFF_VALUE]);
// "control: execution mean 570 us -> 627 us, +10.1 %", or the sentence of a change of behaviour.
void diff_sentence(const struct diff_entry *e, char text[DIFF_TEXT]);
// "chance 1e-12", "lost data: no verdict", ...
void diff_certainty(const struct diff_entry *e, char text[DIFF_TEXT]);
// The command that shows a place; "" if the place is not known.
void diff_command(const struct wf_behaviour_place *place, char text[DIFF_TEXT]);

// ---- outputs
void diff_text(const struct diff_result *r);
void diff_json(const struct diff_result *r);
// Returns an exit code, after an error message.
int diff_junit(const struct diff_result *r, const char *file);
int diff_write_html(const struct diff_result *r, const char *file); // (html_result.c)

#endif
