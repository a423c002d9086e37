// SPDX-License-Identifier: MIT
// Commands to a target as text. Turns a line into record numbers and payloads, with the names,
// sizes and version that a session knows, and the target's answers into text. It sends nothing,
// waits for nothing and prints nothing. A commander is for its session's thread.
//
// The parser, help, completion and docs/command-list.md all read one table, wf_command_rows.
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
    uint8_t code;   // EVENT: the destination
    const char *sentence;
    const char *more;    // null, or further lines of its help
    const char *refused; // a possible reason when the target answers with an error
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
    unsigned count; // 0: only blanks or a comment
    char *word[WF_WORDS_MAX];
    char text[WF_LINE_MAX];
    char problem[160];
};

// Parses the next command of a line. Blanks separate words, ";" ends a command, "#" starts a
// comment, double quotes keep blanks in a word (\" \\ \n \t \xHH inside).
//   at       the position in the line; moved after the command
//   returns  false at the end of the line, or on a syntax error (problem is then not empty)
bool wf_words_next(const char **at, struct wf_words *w);

// ---- from words to frames

struct wf_commander;

// Returns null when out of memory. The session must outlive the commander.
struct wf_commander *wf_commander_open(struct wf_session *s);
void wf_commander_close(struct wf_commander *c);
// Uses the session's sizes even without a TARGET_INFO.
void wf_commander_assume(struct wf_commander *c);

struct wf_frame {
    uint8_t record; // enum wf_command
    size_t len;
    uint8_t payload[WF_PAYLOAD_MAX];
};

// Writes a frame as it goes over a link (docs/wire-format.md), of a command or of any record.
//   to       has at least 2 * len + 8 bytes
//   payload  len bytes; may be null if there are none
//   returns  its length
size_t wf_frame_write(uint8_t *to, uint8_t seq, uint8_t record, const void *payload, size_t len);
// Reads a frame of bytes as wf_frame_write makes them, whatever its sequence number. Moves *at
// behind it. Returns false if no whole frame begins there: it is cut, its sum is wrong, or its
// payload is longer than WF_PAYLOAD_MAX.
bool wf_frame_read(const uint8_t **at, const uint8_t *end, struct wf_frame *frame);

enum wf_made {
    WF_MADE,         // send the frames in order, each after the one before was acknowledged
    WF_MADE_WRONG,   // the command is invalid
    WF_MADE_NO_NAME, // a name is not known; a dictionary record may still come
    WF_MADE_NO_INFO  // the target's sizes are not known; ask it (INFO)
};

struct wf_request {
    const struct wf_command_row *row; // null: no such command
    unsigned count;
    struct wf_frame frame[2];
    char problem[512]; // when not WF_MADE: the fault and the remedy
};

enum wf_made wf_command_make(struct wf_commander *c, char *const word[], unsigned count,
                             struct wf_request *request);

// The values of a command, for callers that have numbers and bytes instead of words. They are sent
// unchecked, cut to the lengths of TARGET_INFO; the target decides what it allows.
struct wf_values {
    uint64_t value[WF_ARGUMENTS_MAX]; // of the row's arguments, 0 where one is left out
    bool off;                         // SWITCHED
    const void *bytes;                // the repeated argument: items or parameters as they are in
    size_t len;                       // the target's memory, or the WF_FILTER_BYTES of a filter
};
// Like wf_command_make, for the row's command (events: post goes to the current active object).
enum wf_made wf_command_from(struct wf_commander *c, const struct wf_command_row *row,
                             const struct wf_values *values, struct wf_request *request);

// Switch bits of a filter: a range of numbers; or the records of a group ("SM", "U0") in the
// target's version, except those that are always on. Returns false when there is no such group.
void wf_filter_switch(uint8_t bits[WF_FILTER_BYTES], unsigned first, unsigned last, bool on);
bool wf_filter_group(const struct wf_target *t, const char *name, uint8_t bits[WF_FILTER_BYTES],
                     bool on);

// Call it with each frame that was sent to the target: later commands start from its filters and
// its current state machine.
void wf_command_sent(struct wf_commander *c, const struct wf_frame *frame);
// Call it after a restart of the target. keep: the caller sets the filters again, so that later
// changes of filters begin from them.
void wf_command_reset(struct wf_commander *c, bool keep);

// Offers every word that can complete the end of `line`, the text up to the cursor.
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
    bool gap;                      // the target missed frames before this one; it executed this one
    unsigned resets;               // of the target, counted when the frame was sent
    const struct wf_row *row;      // of the record with the data, or null
    uint64_t value[WF_FIELDS_MAX]; // its fields
    uint32_t item[256];            // PEEK
    unsigned item_count;
    char text[4096]; // a description; set in every state
};

// Starts to wait for the answer to a frame of a request, which was just sent.
void wf_answer_begin(struct wf_answer *a, const struct wf_session *s,
                     const struct wf_command_row *row, const struct wf_frame *frame);
// Call it with every item of the session, at once. The caller decides how long to wait.
enum wf_answer_state wf_answer_take(struct wf_answer *a, struct wf_session *s,
                                    const struct wf_item *item);
// Call it when the link to the target has ended, which answers a RESET.
enum wf_answer_state wf_answer_down(struct wf_answer *a);
// Prints a field of the answer, with known names. Returns false if it is the number in `value`.
bool wf_answer_field(const struct wf_answer *a, struct wf_session *s, unsigned field, char *text,
                     size_t cap);
// Describes the target: version, sizes, build.
void wf_target_text(const struct wf_target *t, char *text, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
