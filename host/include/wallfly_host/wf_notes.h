// SPDX-License-Identifier: MIT
// What a user notes about a trace: markers, and rows that were given other names. The text of a
// file of notes is in docs/notes.md.
#ifndef WF_NOTES_H
#define WF_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_MARKERS_MAX = 200,
    WF_RENAMES_MAX = 1000,
    WF_NOTE_MAX = 1200,       // bytes of a note or a name
    WF_NOTES_SIZE = 12000000, // bytes of a file: more than the limits above need
};

struct wf_notes;

// The trace that the notes are of: tick of its first record with a time, and rate (0: unknown).
struct wf_notes_trace {
    uint64_t first, hz;
};

struct wf_notes *wf_notes_open(void); // null: out of memory
void wf_notes_close(struct wf_notes *n);

// Reads the text of a file. A line that occurs twice counts once, as after a merge.
//   trace    set to the trace in the file
//   error    on an error the message, with the line
//   returns  null on an error: WF_ERR_BAD_NOTES, WF_ERR_NOMEM
struct wf_notes *wf_notes_read(const char *text, size_t len, struct wf_notes_trace *trace,
                               struct wf_error *error);
// Returns the text of a file, which the caller frees; null: out of memory. The same notes give the
// same text.
char *wf_notes_write(const struct wf_notes *n, const struct wf_notes_trace *trace, size_t *len);

// Sets the note at a tick, instead of the one that is there; null removes it.
//   returns  WF_OK; WF_ERR_TOO_MANY; WF_ERR_USAGE: the note is too long; WF_ERR_NOMEM
int wf_notes_mark(struct wf_notes *n, uint64_t tick, const char *note);
// Gives a row another name; null: its own again. kind: lower-case letters, as of rows of the page.
int wf_notes_rename(struct wf_notes *n, const char *kind, const char *name, const char *as);

struct wf_note_marker {
    uint64_t tick;
    const char *note;
};
struct wf_note_rename {
    const char *kind, *name, *as;
};
// In the order of ticks, and of kinds and names. Returns false at the end. Texts are valid until
// the next change.
bool wf_notes_marker(const struct wf_notes *n, size_t number, struct wf_note_marker *marker);
bool wf_notes_renamed(const struct wf_notes *n, size_t number, struct wf_note_rename *rename);

#ifdef __cplusplus
}
#endif
#endif
