// SPDX-License-Identifier: MIT
// Both lists are short and change when a user does something: they are searched from the front.

#include "wallfly_host/wf_notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_strbuf.h"
#include "wallfly_host/wf_utf8.h"
#include "wfi_notes.h"

struct wf_notes *wf_notes_open(void) {
    return calloc(1, sizeof(struct wf_notes));
}

static void free_note(struct wfi_note *note) {
    for (unsigned i = 0; i < 3; ++i) free(note->texts[i]);
}

static void free_list(struct wfi_note_list *l) {
    for (size_t i = 0; i < l->count; ++i) free_note(&l->notes[i]);
    free(l->notes);
}

void wf_notes_close(struct wf_notes *n) {
    if (!n) return;
    free_list(&n->markers);
    free_list(&n->renames);
    free(n);
}

static int compare_text(const char *a, const char *b) { return a && b ? strcmp(a, b) : 0; }

// The key of a marker is its tick, that of a rename its kind and name.
static int compare(const struct wfi_note *a, const struct wfi_note *b, bool named) {
    if (a->tick != b->tick) return a->tick < b->tick ? -1 : 1;
    if (!named) return 0;
    int kinds = compare_text(a->texts[0], b->texts[0]);
    return kinds ? kinds : compare_text(a->texts[1], b->texts[1]);
}

static void remove_at(struct wfi_note_list *l, size_t at) {
    free_note(&l->notes[at]);
    --l->count;
    memmove(&l->notes[at], &l->notes[at + 1], (l->count - at) * sizeof *l->notes);
}

static bool has_room(struct wfi_note_list *l) {
    if (l->count < l->cap) return true;
    size_t cap = l->cap ? 2 * l->cap : 16;
    struct wfi_note *notes = realloc(l->notes, cap * sizeof *notes);
    if (!notes) return false;
    l->notes = notes;
    l->cap = cap;
    return true;
}

// Takes the texts of the note. keep: it is set, else only an old one is removed.
static int put_note(struct wfi_note_list *l, struct wfi_note *note, bool named, bool keep,
                    size_t most) {
    size_t at = 0;
    while (at < l->count && compare(&l->notes[at], note, named) < 0) ++at;
    bool there = at < l->count && compare(&l->notes[at], note, named) == 0;
    int err = keep && !there && l->count >= most ? WF_ERR_TOO_MANY : WF_OK;
    if (err == WF_OK && keep && !there && !has_room(l)) err = WF_ERR_NOMEM;
    if (err != WF_OK || !keep) free_note(note);
    if (err != WF_OK) return err;
    if (there) remove_at(l, at);
    if (!keep) return WF_OK;
    memmove(&l->notes[at + 1], &l->notes[at], (l->count - at) * sizeof *l->notes);
    l->notes[at] = *note;
    ++l->count;
    return WF_OK;
}

static int copy_texts(struct wfi_note *note, const char *const texts[3]) {
    for (unsigned i = 0; i < 3; ++i) {
        if (texts[i] && strlen(texts[i]) > WF_NOTE_MAX) return WF_ERR_USAGE;
    }
    for (unsigned i = 0; i < 3; ++i) {
        note->texts[i] = texts[i] ? strdup(texts[i]) : NULL;
        if (!texts[i] || note->texts[i]) continue;
        free_note(note);
        return WF_ERR_NOMEM;
    }
    return WF_OK;
}

int wf_notes_mark(struct wf_notes *n, uint64_t tick, const char *text) {
    struct wfi_note note = {.tick = tick};
    int err = copy_texts(&note, (const char *const[3]){text, NULL, NULL});
    if (err != WF_OK) return err;
    return put_note(&n->markers, &note, false, text != NULL, WF_MARKERS_MAX);
}

static bool is_kind(const char *kind) {
    size_t len = strspn(kind, "abcdefghijklmnopqrstuvwxyz");
    return len > 0 && len <= WFI_KIND_MAX && !kind[len];
}

int wf_notes_rename(struct wf_notes *n, const char *kind, const char *name, const char *as) {
    struct wfi_note note = {0};
    if (!is_kind(kind)) return WF_ERR_USAGE;
    int err = copy_texts(&note, (const char *const[3]){kind, name, as});
    if (err != WF_OK) return err;
    return put_note(&n->renames, &note, true, as != NULL, WF_RENAMES_MAX);
}

bool wf_notes_marker(const struct wf_notes *n, size_t number, struct wf_note_marker *marker) {
    if (number >= n->markers.count) return false;
    const struct wfi_note *note = &n->markers.notes[number];
    *marker = (struct wf_note_marker){note->tick, note->texts[0]};
    return true;
}

bool wf_notes_renamed(const struct wf_notes *n, size_t number, struct wf_note_rename *rename) {
    if (number >= n->renames.count) return false;
    char *const *texts = n->renames.notes[number].texts;
    *rename = (struct wf_note_rename){texts[0], texts[1], texts[2]};
    return true;
}

// ---- writing

static void put_quoted(struct wfi_strbuf *t, const char *text) {
    size_t len = strlen(text);
    wfi_strbuf_put(t, "\"");
    while (len) {
        size_t n = wf_utf8_shown(text, len);
        if (*text == '"' || *text == '\\')
            wfi_strbuf_printf(t, "\\%c", *text);
        else if (n)
            wfi_strbuf_bytes(text, n, t);
        else
            wfi_strbuf_printf(t, "\\x%02x", (unsigned char)*text);
        text += n ? n : 1;
        len -= n ? n : 1;
    }
    wfi_strbuf_put(t, "\"");
}

static void put_lines(struct wfi_strbuf *t, const struct wf_notes *n) {
    struct wf_note_marker marker;
    struct wf_note_rename rename;
    for (size_t i = 0; wf_notes_marker(n, i, &marker); ++i) {
        wfi_strbuf_printf(t, "marker %" PRIu64 " ", marker.tick);
        put_quoted(t, marker.note);
        wfi_strbuf_put(t, "\n");
    }
    for (size_t i = 0; wf_notes_renamed(n, i, &rename); ++i) {
        wfi_strbuf_printf(t, "rename %s ", rename.kind);
        put_quoted(t, rename.name);
        wfi_strbuf_put(t, " ");
        put_quoted(t, rename.as);
        wfi_strbuf_put(t, "\n");
    }
}

char *wf_notes_write(const struct wf_notes *n, const struct wf_notes_trace *trace, size_t *len) {
    bool failed = false;
    struct wfi_strbuf t;
    if (!wfi_strbuf_open(&t, &failed)) return NULL;
    wfi_strbuf_printf(&t, "wallfly-notes %d\ntrace first=%" PRIu64 " hz=%" PRIu64 "\n",
                      WFI_NOTES_VERSION, trace->first, trace->hz);
    put_lines(&t, n);
    *len = wfi_strbuf_len(&t);
    char *text = failed ? NULL : malloc(*len + 1);
    if (text) {
        memcpy(text, t.buf, *len);
        text[*len] = 0;
    }
    wfi_strbuf_close(&t);
    return text;
}
