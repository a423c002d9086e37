// SPDX-License-Identifier: MIT
// Parts of the diagnosis of a source, by its kind.
#ifndef SOURCE_DIAGNOSIS_H
#define SOURCE_DIAGNOSIS_H

#include "look.h"

enum { BAUD_DEFAULT = 115200, RUN_S = 2 }; // RUN_S: a look after its first byte

// The parts of serial:DEV@BAUD. Returns false if the source is not of this form.
bool serial_parse(const char *source, char device[256], unsigned *baud);
// Before the look: whether the device can be opened (serial.c).
void serial_check(struct doctor *d);

// (baud.c) What the bytes are, if they are no trace; tries other rates.
void bytes_check(struct doctor *d);
// (baud.c) Tries other rates of a serial line without bytes: a byte of a much slower target is a
// break at the given rate, and the system drops breaks. Returns whether there is a finding.
bool baud_search(struct doctor *d, unsigned *tried);
// (baud.c) Sets the command of a finding of a wrong rate, once all findings are made.
void baud_command(struct doctor *d);
// (baud.c) Whether the frames are right by chance only: a parity bit in the place of the top bit
// leaves half of the checksums right.
void bytes_suspect(struct doctor *d);

// (net.c) A link over the network that could not be opened, or that nobody came to.
void net_closed(struct doctor *d);
void net_silent(struct doctor *d);

struct wf_system_holder;
// Formats "picocom (pid 1234), wallfly (pid 99)".
void holders_text(const struct wf_system_holder *holders, unsigned count, char *text, size_t cap);
bool source_is(const struct doctor *d, const char *kind); // "serial"

#endif
