// SPDX-License-Identifier: MIT
// A parsed line of the transmission text. Shared by its reader and by the detection of the format.
#ifndef WFI_TEXT_LINE_H
#define WFI_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_rows.h"

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

#endif
