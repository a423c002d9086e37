// SPDX-License-Identifier: MIT
// Commands to a target in words: a line goes in, record numbers and payloads come out, by the
// names, sizes and version that a session knows. And what the target answers, in words again.
// It sends nothing, waits for nothing and prints nothing. A commander is for its session's thread.
//
// One table, wf_command_rows, is what the parser, help, completion and docs/commands.md read.
#ifndef WF_COMMAND_H
#define WF_COMMAND_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_ARGUMENTS_MAX = 5,
    WF_WORDS_MAX = 280, // of a command; a poke of 255 items is the longest
    WF_LINE_MAX = 8192,
    WF_PARAMETERS_MAX = 1024, // bytes of an event's parameters
    WF_PAYLOAD_MAX = 1040,
    WF_FILTER_BYTES = 16
};

enum wf_argument_kind {
    WF_ARG_END,
    WF_ARG_NUMBER,     // min..max, in `bytes` bytes
    WF_ARG_SIZE,       // of an item: 1, 2 or 4
    WF_ARG_ITEM,       // of the length that SIZE gives
    WF_ARG_ITEMS,      // the same, any number of them
    WF_ARG_KIND,       // of an object: sm, ao, ...
    WF_ARG_OBJECT,     // name or address, 0 or none
    WF_ARG_SWITCHED,   // +OBJECT or -OBJECT
    WF_ARG_FUNCTION,   // name or address
    WF_ARG_COMMAND,    // of the application: name or number
    WF_ARG_SIGNAL,     // name or number
    WF_ARG_PARAMETERS, // of an event, u8:1 and so on; to:OBJECT or to:PRIO
    WF_ARG_RECORDS,    // of the global filter
    WF_ARG_IDS         // of the local filter
};

struct wf_argument {
    const char *name; // as help shows it
    uint8_t kind;     // enum wf_argument_kind
    uint8_t bytes;    // NUMBER
    bool optional, many;
    uint32_t min, max; // NUMBER and KIND
};

struct wf_command_row {
    const char *name;
    uint8_t record; // enum wf_command
    uint8_t code;   // EVENT: where to
    const char *sentence;
    const char *more;    // null, or lines for its own help
    const char *refused; // what it may mean when the target answers with an error
    struct wf_argument arguments[WF_ARGUMENTS_MAX];
};

extern const struct wf_command_row wf_command_rows[];
extern const unsigned wf_command_row_count;
const struct wf_command_row *wf_command_find(const char *name); // null if unknown
// Whether there is a command of this name; if not, the text lists similar names.
bool wf_command_known(const char *name, char *text, size_t cap);

// "peek OFFSET SIZE NUM"
void wf_command_usage(const struct wf_command_row *row, char *text, size_t cap);

// ---- words

struct wf_words {
    unsigned count; // 0: nothing but blanks or a comment
    char *word[WF_WORDS_MAX];
    char text[WF_LINE_MAX];
    char problem[160];
};

// Takes the next command off a line: words between blanks, ";" ends a command, "#" starts a
// comment, double quotes hold blanks together (\" \\ \n \t \0 \xHH inside).
//   at       where to go on; points into the line
//   returns  false: the line is at its end, or makes no sense (problem is then not empty)
bool wf_words_next(const char **at, struct wf_words *w);

// ---- from words to frames

struct wf_commander;

// Null when out of memory. The session must outlive it.
struct wf_commander *wf_commander_open(struct wf_session *s);
void wf_commander_close(struct wf_commander *c);
// Uses the session's sizes as the target's although no TARGET_INFO has come.
void wf_commander_assume(struct wf_commander *c);

struct wf_frame {
    uint8_t record; // enum wf_command
    size_t len;
    uint8_t payload[WF_PAYLOAD_MAX];
};

enum wf_made {
    WF_MADE,         // send the frames in order, each when the one before was acknowledged
    WF_MADE_WRONG,   // it will never be right
    WF_MADE_NO_NAME, // a name is not known; it may still come
    WF_MADE_NO_INFO  // the target's sizes are not known; ask it (INFO)
};

struct wf_request {
    const struct wf_command_row *row; // null: no such command
    unsigned count;
    struct wf_frame frame[2];
    char problem[512]; // what is wrong and what would be right, when not WF_MADE
};

enum wf_made wf_command_make(struct wf_commander *c, char *const word[], unsigned count,
                             struct wf_request *request);

// What a command is made of, for programs that have numbers and bytes instead of words. They go as
// they are, cut to the lengths of TARGET_INFO; the target decides what it allows.
struct wf_values {
    uint64_t value[WF_ARGUMENTS_MAX]; // of the row's arguments, 0 where one is left out
    bool off;                         // SWITCHED
    const void *bytes; // the argument that there are many of: items or parameters as they lie in
    size_t len;        // the target's memory, or the WF_FILTER_BYTES of a filter
};
// As wf_command_make, of the row's one command (events: post goes to the current active object).
enum wf_made wf_command_from(struct wf_commander *c, const struct wf_command_row *row,
                             const struct wf_values *values, struct wf_request *request);

// The bits of filters: these numbers; or the records that a group ("SM", "U0") has in the target's
// version, but for those that are always on. False: there is no such group.
void wf_filter_switch(uint8_t bits[WF_FILTER_BYTES], unsigned first, unsigned last, bool on);
bool wf_filter_group(const struct wf_target *t, const char *name, uint8_t bits[WF_FILTER_BYTES],
                     bool on);

// Call it with each frame that went to the target: filters and the current state machine are
// what later commands start from.
void wf_command_sent(struct wf_commander *c, const struct wf_frame *frame);
// The target has started anew. keep: its filters are set again as they were.
void wf_command_reset(struct wf_commander *c, bool keep);

// Offers every word that could stand at the end of a line, which begins with what stands there
// already. The line is that up to the cursor.
typedef void (*wf_offer_fn)(void *ctx, const char *word);
void wf_command_complete(const struct wf_commander *c, const char *line, wf_offer_fn offer,
                         void *ctx);

// ---- answers

enum wf_answer_state { WF_ANSWER_WAITING, WF_ANSWER_GOOD, WF_ANSWER_REFUSED };

struct wf_answer {
    enum wf_answer_state state;
    uint8_t record;   // of the frame that is answered
    const char *name; // of the command
    const char *refused;
    bool acked;
    uint8_t error;                 // REFUSED: the code, without bit 7
    bool gap;                      // the target missed frames before this one; it was obeyed
    unsigned resets;               // of the target when it was sent
    const struct wf_row *row;      // of the record with the data, or null
    uint64_t value[WF_FIELDS_MAX]; // its fields
    uint32_t item[256];            // PEEK
    unsigned item_count;
    char text[4096]; // for people; set in every state
};

// A frame of a request has been sent: what is waited for from now on.
void wf_answer_begin(struct wf_answer *a, const struct wf_session *s,
                     const struct wf_command_row *row, const struct wf_frame *frame);
// Call it with every item of the session, at once. The caller decides how long to wait.
enum wf_answer_state wf_answer_take(struct wf_answer *a, struct wf_session *s,
                                    const struct wf_item *item);
// The link to the target has ended, which answers a RESET.
enum wf_answer_state wf_answer_down(struct wf_answer *a);
// A field of the answer in words, with names for what has one. False: it is the number in value.
bool wf_answer_field(const struct wf_answer *a, struct wf_session *s, unsigned field, char *text,
                     size_t cap);
// What the target is: version, sizes, build.
void wf_target_text(const struct wf_target *t, char *text, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
