// SPDX-License-Identifier: MIT
// Options that select the displayed part of a trace, for the commands that have them.
#ifndef FILTER_OPTIONS_H
#define FILTER_OPTIONS_H

#include "cmd.h"
#include "wallfly_host/wf_writer.h"

// How a time is written.
#define SECONDS_TEXT "in seconds (ticks if the rate is unknown) or with a unit: 2.5ms, 40us"

// The order of their rows.
enum { SHOWN_TIME, SHOWN_ONLY, SHOWN_NOT, SHOWN_OBJECT, SHOWN_FROM, SHOWN_UNTIL, SHOWN_OPTIONS };
#define SHOWN_ROWS                                                                                 \
    {"time", 0, "LIST",                                                                            \
     "unit and clock of times: s (the default when the rate is known), ms, us or ticks. Times "    \
     "count from the trace's beginning; with target, as in us,target, they are those of the "      \
     "target's own clock, as ticks always are"},                                                   \
        {"only", 0, "LIST",                                                                        \
         "show only these records (tran), groups (AO) or numbers (14, 100-104)"},                  \
        {"not", 0, "LIST", "show all but these"},                                                  \
        {"object", 0, "NAME", "only records that concern the object of this name"},                \
        {"from", 0, "S", "only from this time on, " SECONDS_TEXT}, {                               \
        "until", 0, "S", "only up to this time"                                                    \
    }

// Sets the numbers of a list of records, groups and numbers, separated by commas. Returns false
// after an error message.
bool record_list_parse(const char *option, const char *list, bool on, bool id[256]);

// The time span between --from and --until.
struct window {
    bool has_from, has_until;
    double from_s, until_s; // seconds, not negative; ticks if the rate is unknown
};

// The option --time for commands without a choice of the unit.
#define CLOCK_ROW                                                                                  \
    {                                                                                              \
        "time", 0, "CLOCK",                                                                        \
            "start: times count from the trace's beginning (the default); target: they are those " \
            "of the target's own clock"                                                            \
    }

// Parses the value of --time: words separated by commas. unit: null if the command has no choice;
// *target_clock: show the target's time. A null text means the default. Returns false after an
// error message.
bool time_parse(const char *text, enum wf_time_unit *unit, bool *target_clock);

// Parses the values of --from and --until, null if not given. Returns false after an error message.
bool window_parse(const char *from, const char *until, struct window *w);

// The value of --at: a moment, or a time span.
struct place {
    double from_s, until_s; // as in struct window; equal: a moment
    char text[96];          // as in the address of a page; empty: not given
};
// Returns the name of the file of notes: that of the option, or the trace's with .notes; null:
// none.
//   option, trace  may be null
//   lane           a lane that is chosen: of several, each has a file of its own; may be null
//   name           room for the name
const char *notes_name(const char *option, const char *trace, const char *lane, char *name,
                       size_t cap);
#define NOTES_ROW                                                                                  \
    { "notes", 0, "FILE", "markers with their notes (TRACE.notes); off: none" }
#define AT_ROW                                                                                     \
    {                                                                                              \
        "at", 0, "TIME",                                                                           \
            "show this time, " SECONDS_TEXT ", with what is around it; FROM..UNTIL shows a time "  \
            "span"                                                                                 \
    }
// A null text means the default. Returns false after an error message.
bool place_parse(const char *text, struct place *p);

// first: index of the first of these rows. *used: any was given. Returns false after an error
// message.
bool shown_parse(const struct args *args, unsigned first, struct wf_filter *filter, bool *used);

#endif
