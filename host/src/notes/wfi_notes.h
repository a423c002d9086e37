// SPDX-License-Identifier: MIT
// Notes in memory.
#ifndef WFI_NOTES_H
#define WFI_NOTES_H

#include "wallfly_host/wf_notes.h"

enum { WFI_NOTES_VERSION = 1, WFI_KIND_MAX = 20 };

// A marker has a tick and a note; a rename has texts for kind, name and new name.
struct wfi_note {
    uint64_t tick;
    char *texts[3];
};
struct wfi_note_list {
    struct wfi_note *notes; // in order
    size_t count, cap;
};
struct wf_notes {
    struct wfi_note_list markers, renames;
};

#endif
