// SPDX-License-Identifier: MIT
// Prints lines on standard output as QSPY does, with its colours and its options for less output.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_writer.h"

struct screen {
    unsigned palette; // 0: no colour, 1: for a dark terminal, 2: for a light one
    unsigned every;   // 0: show all; else only each n-th record, dots for the others
    unsigned left;    // lines of records until the next one is shown
    bool plain;       // print terminal control characters as '?'
};

// Parses WHEN: auto, never, dark or light (null: auto). Prints an error and returns false if
// invalid.
bool screen_parse(const char *when, struct screen *screen);
void screen_line(struct screen *screen, enum wf_line_class line, uint8_t record, const char *text,
                 size_t len);
void screen_clear(const struct screen *screen);

#endif
