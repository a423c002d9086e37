// SPDX-License-Identifier: MIT
// Matrices of a level 4 MAT file: a header of 20 bytes, the name, the values column by column;
// little-endian.
#ifndef WFI_OCTAVE_H
#define WFI_OCTAVE_H

#include "writers/wfi_writer.h"

enum { WFI_OCTAVE_NAME_MAX = 255 }; // bytes of a name that are kept

// Header of a matrix of rows x columns, doubles or characters.
void wfi_octave_header(struct wfi_strbuf *t, const char *name, bool text, uint64_t rows,
                       uint64_t columns);
void wfi_octave_value(struct wfi_strbuf *t, double value);
void wfi_octave_scalar(struct wfi_strbuf *t, const char *name, double value);
// Writes a matrix of characters: a row for each line of `lines` (each ends with a zero), padded
// with blanks.
void wfi_octave_lines(struct wfi_strbuf *t, const char *name, const char *lines, uint64_t count);

#endif
