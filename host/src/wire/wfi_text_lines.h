// SPDX-License-Identifier: MIT
// Internals of the transmission text: a parsed line, the state between lines, and the records made
// from a line.
#ifndef WFI_TEXT_LINES_H
#define WFI_TEXT_LINES_H

#include "core/wfi_session.h"

// ---- a line

enum { WFI_LINE_MAX = 512, WFI_LINE_WORDS = WFI_LINE_MAX / 2 + 1 };

enum wfi_line_kind {
    WFI_LINE_EMPTY,
    WFI_LINE_NEW_TASK,
    WFI_LINE_NEW_MUTEX,
    WFI_LINE_ACQUIRED,
    WFI_LINE_RELEASED,
    WFI_LINE_ARRIVED,
    WFI_LINE_COMPLETED,
    WFI_LINE_PREEMPTED,
    WFI_LINE_RESUMED,
    WFI_LINE_LOST,
    WFI_LINE_USER
};

struct wfi_line {
    enum wfi_line_kind kind;
    uint64_t time;                       // except in NEW_...
    uint64_t id[2];                      // tasks, mutexes
    unsigned ids;                        // the number of them
    uint64_t count;                      // LOST
    int prio;                            // NEW_TASK; WF_PRIO_UNKNOWN: not given
    const char *name, *colour, *pattern; // NEW_...; null: not given
    const char *word[WFI_LINE_WORDS];    // of the whole line; of USER the third is its name
    unsigned words;
};

// Parses a line, in place.
//   text     without its end of line, zero-terminated; len at most WFI_LINE_MAX
//   returns  null, or the reason why it is no line
const char *wfi_line_read(char *text, size_t len, struct wfi_line *line);

// ---- records

// A word of n characters takes n + 2 bytes as an element, in the line n + 1.
enum { WFI_MADE_MAX = 8, WFI_MADE_LEN = 2 * WFI_LINE_MAX + 32, WFI_TEXT_USERS = 24 };

struct wfi_entity { // a task or a mutex, by its index in `keys`
    bool task, mutex, announced;
    int prio;
    unsigned epoch; // of `owner` and `nest`
    uint64_t owner;
    uint8_t nest;
    char *colour, *pattern;
};

struct wfi_moment { // time and place of a line
    uint64_t tick, stamp;
    bool known, back;
    uint64_t offset, raw_len;
};

struct wfi_made {
    uint8_t id;
    struct wfi_moment at;
    size_t len;
    uint8_t payload[WFI_MADE_LEN + WFI_PAD];
};

struct wfi_leave { // a JP or JC that waits for its JR
    bool open, has_target;
    uint8_t reason;
    uint64_t task, target;
    struct wfi_moment at;
};

struct wfi_lines {
    char text[WFI_LINE_MAX + 1];
    size_t len;
    uint64_t offset, raw_len; // of the line that is being read
    bool relinked;            // the link was interrupted since
    uint64_t lost;            // bytes lost on the link since
    bool broken;              // it was interrupted at any time: what was sent then is not known
    struct wfi_line line;
    struct wfi_moment now;
    struct wfi_leave leave;
    bool running_known;
    uint64_t running;
    unsigned epoch; // changes with every hole
    struct wfi_dict keys;
    struct wfi_entity *entities;
    size_t entities_cap;
    char *users[WFI_TEXT_USERS]; // names of application records
    unsigned user_count;
    uint8_t look;   // the number of the application record with colours; 0: none yet
    bool loss_made; // a loss follows the records that were made
    struct wf_loss loss;
    unsigned made, returned;
    struct wfi_made out[WFI_MADE_MAX];
};

struct wfi_values { // by the kinds of fields
    uint64_t task, object;
    uint16_t prio;
    uint8_t reason, nest;
    const char *name;
};

// Find the state of an identifier; the second one adds it, or returns null when out of memory.
struct wfi_entity *wfi_entity_find(const struct wfi_lines *l, uint64_t key);
struct wfi_entity *wfi_entity_of(struct wf_session *s, uint64_t key);
// Changes all identifiers to 64 bits from here on if the line has one of more than 32 bits.
void wfi_lines_widen(struct wf_session *s, const struct wfi_line *line);

// Makes a record of the effect's first row; of objects the row of mutexes.
struct wfi_made *wfi_make(struct wf_session *s, enum wf_effect effect, struct wfi_moment *at,
                          const struct wfi_values *v);
void wfi_make_name(struct wf_session *s, uint64_t key, const char *name); // null: none
void wfi_make_switch(struct wf_session *s, struct wfi_moment *at, uint64_t task, uint8_t reason);
// Makes an application record of that name, to which elements are appended.
struct wfi_made *wfi_make_user(struct wf_session *s, const char *name);
void wfi_made_put(struct wfi_made *m, uint64_t value, unsigned bytes);
void wfi_made_word(struct wfi_made *m, const char *word);

#endif
