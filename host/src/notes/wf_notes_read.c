// SPDX-License-Identifier: MIT
// Reads a file of notes, line by line. Nothing is skipped: a file with a line that is not
// understood is not read, because it would be lost when the file is written again.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_notes.h"
#include "wfi_notes.h"

struct reader {
    const char *p, *end; // the rest of the line
    struct wf_notes *notes;
    struct wf_notes_trace *trace;
    const char *problem;
    int err; // of memory and limits
};

static bool take_word(struct reader *r, const char *word) {
    size_t len = strlen(word);
    if ((size_t)(r->end - r->p) < len || memcmp(r->p, word, len) != 0) return false;
    r->p += len;
    return true;
}

static bool take_number(struct reader *r, uint64_t *value) {
    const char *begin = r->p;
    for (*value = 0; r->p < r->end && *r->p >= '0' && *r->p <= '9'; ++r->p) {
        unsigned digit = (unsigned)(*r->p - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = *value * 10 + digit;
    }
    return r->p > begin;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Takes what is behind a backslash. Returns 0 when it is not valid.
static char take_escape(struct reader *r) {
    if (r->p == r->end) return 0;
    char c = *r->p++;
    if (c == '"' || c == '\\') return c;
    if (c != 'x' || r->end - r->p < 2) return 0;
    int high = hex_digit(r->p[0]), low = hex_digit(r->p[1]);
    r->p += 2;
    if (high < 0 || low < 0) return 0;
    return (char)(high << 4 | low);
}

// Takes a text in quotes, of at most WF_NOTE_MAX bytes.
static bool take_text(struct reader *r, char text[WF_NOTE_MAX + 1]) {
    size_t len = 0;
    if (!take_word(r, "\"")) return false;
    while (r->p < r->end && *r->p != '"') {
        char c = *r->p++;
        if (c == '\\') c = take_escape(r);
        if (!c || len == WF_NOTE_MAX) return false;
        text[len++] = c;
    }
    text[len] = 0;
    return take_word(r, "\"");
}

static bool take_marker(struct reader *r) {
    char note[WF_NOTE_MAX + 1];
    uint64_t tick;
    if (!take_number(r, &tick) || !take_word(r, " ") || !take_text(r, note) || r->p != r->end)
        return false;
    r->err = wf_notes_mark(r->notes, tick, note);
    return r->err == WF_OK;
}

static bool take_rename(struct reader *r) {
    char kind[WFI_KIND_MAX + 1], name[WF_NOTE_MAX + 1], as[WF_NOTE_MAX + 1];
    size_t len = 0;
    while (r->p < r->end && *r->p >= 'a' && *r->p <= 'z' && len < WFI_KIND_MAX)
        kind[len++] = *r->p++;
    kind[len] = 0;
    if (!len || !take_word(r, " ") || !take_text(r, name) || !take_word(r, " ") ||
        !take_text(r, as) || r->p != r->end)
        return false;
    r->err = wf_notes_rename(r->notes, kind, name, as);
    return r->err == WF_OK;
}

static bool take_trace(struct reader *r) {
    return take_word(r, "trace first=") && take_number(r, &r->trace->first) &&
           take_word(r, " hz=") && take_number(r, &r->trace->hz) && r->p == r->end;
}

static bool take_head(struct reader *r) {
    uint64_t version;
    if (!take_word(r, "wallfly-notes ") || !take_number(r, &version) || r->p != r->end)
        r->problem = "not a file of notes: its first line is not \"wallfly-notes 1\"";
    else if (version != WFI_NOTES_VERSION)
        r->problem = "notes of a newer version of wallfly";
    return !r->problem;
}

static bool take_line(struct reader *r, uint64_t line) {
    if (line == 1) return take_head(r);
    if (line == 2) {
        if (take_trace(r)) return true;
        r->problem = "not the trace of the notes, as in: trace first=TICK hz=RATE";
    } else if (take_word(r, "marker ")) {
        if (take_marker(r)) return true;
        r->problem = "not a marker, as in: marker TICK \"note\"";
    } else if (take_word(r, "rename ")) {
        if (take_rename(r)) return true;
        r->problem = "not a name, as in: rename task \"old\" \"new\"";
    } else {
        r->problem = "neither a marker nor a name; after a merge, remove the lines of git";
    }
    if (r->err == WF_ERR_TOO_MANY) r->problem = "too many markers or names";
    return false;
}

static int set_error(const struct reader *r, uint64_t line, struct wf_error *error) {
    if (r->err == WF_ERR_NOMEM) return wf_error_code(error, WF_ERR_NOMEM);
    wf_error_set(error, WF_ERR_BAD_NOTES, "%s", r->problem);
    if (error) {
        error->place = WF_AT_LINE;
        error->at = line;
    }
    return WF_ERR_BAD_NOTES;
}

struct wf_notes *wf_notes_read(const char *text, size_t len, struct wf_notes_trace *trace,
                               struct wf_error *error) {
    struct reader r = {.notes = wf_notes_open(), .trace = trace};
    const char *end = text + len;
    uint64_t line = 0;
    bool good = r.notes != NULL;
    *trace = (struct wf_notes_trace){0};
    if (!good) r.err = WF_ERR_NOMEM;
    while (good && (text < end || line < 2)) {
        const char *next = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
        r.p = text;
        r.end = next ? next : end;
        if (r.end > r.p && r.end[-1] == '\r') --r.end;
        good = take_line(&r, ++line);
        text = next ? next + 1 : end;
    }
    if (good) return r.notes;
    set_error(&r, line, error);
    wf_notes_close(r.notes);
    return NULL;
}
