// SPDX-License-Identifier: MIT
// Lines on standard output as QSPY shows them: its colours and its ways of being quiet.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_writer.h"

struct screen {
    unsigned palette; // 0: no colour, 1: for a dark terminal, 2: for a light one
    unsigned every;   // 0: show all; else of the records only every so many, dots for the others
    unsigned left;    // lines of records until the next that is shown
    bool plain;       // characters that control a terminal are shown as '?'
};

// WHEN is auto, never, dark or light (null: auto). Complains and returns false if it is not.
bool screen_parse(const char *when, struct screen *screen);
void screen_line(struct screen *screen, enum wf_line_class line, uint8_t record, const char *text,
                 size_t len);
void screen_clear(const struct screen *screen);

#endif
