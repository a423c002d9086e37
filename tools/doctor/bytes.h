// SPDX-License-Identifier: MIT
// What bytes look like that are not frames of a trace. Pure functions of a sample of the bytes, in
// the order in which they arrived.
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bytes_kind {
    BYTES_UNKNOWN,
    // These are decided by checks that other bytes do not pass.
    BYTES_TEXT,
    BYTES_SEVEN_BITS,
    BYTES_HDLC,
    BYTES_COBS,
    // These may be bytes received at a wrong rate: try other rates first.
    BYTES_SLIP,
    BYTES_INVERTED
};

enum { BYTES_MIN = 64, BYTES_EVIDENCE = 256 };

// A guess needs at least BYTES_MIN bytes.
enum bytes_kind bytes_guess(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]);
// Returns whether the bytes are text: printable, but for few of them.
bool bytes_are_text(const uint8_t *bytes, size_t len);
// Finds the longest piece of printable bytes. Returns its length; *at is set to its place.
size_t bytes_find_text(const uint8_t *bytes, size_t len, size_t *at);
// Makes a sample of text: its last whole lines, with escapes for what is not printable.
void bytes_quote(const uint8_t *bytes, size_t len, char *text, size_t cap);
// Makes a sample in hexadecimal: "80 f8 00".
void bytes_hex(const uint8_t *bytes, size_t len, char *text, size_t cap);

// (bytes_inverted.c) Returns whether the line is inverted; then *evidence is set.
bool bytes_are_inverted(const uint8_t *bytes, size_t len, char evidence[BYTES_EVIDENCE]);

#endif
