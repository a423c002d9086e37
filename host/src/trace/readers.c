// SPDX-License-Identifier: MIT
// Readers of frames and text, and the detection of formats. Input of no known format is read as
// frames, whose reader reports damage.

#include <string.h>

#include "wfi_trace.h"

bool wfi_next_of_session(struct wf_lane *l, struct wf_item *item) {
    return wf_session_next(l->session, item);
}

static void feed_session(struct wf_lane *l, const uint8_t *bytes, size_t len) {
    wf_session_feed(l->session, bytes, len);
}

// ---- frames

static enum wfi_sniff sniff_frames(const uint8_t *bytes, size_t len) {
    (void)bytes;
    (void)len;
    return WFI_SNIFF_YES;
}

static int open_frames(struct wf_lane *l) {
    (void)l;
    return WF_OK;
}

const struct wfi_reader wfi_reader_frames = {
    .format = WF_LANE_FRAMES,
    .sniff = sniff_frames,
    .open = open_frames,
    .feed = feed_session,
    .next = wfi_next_of_session,
};

// ---- transmission text

static enum wfi_sniff sniff_text(const uint8_t *bytes, size_t len) {
    switch (wf_text_trace_is(bytes, len)) {
    case WF_TEXT_YES: return WFI_SNIFF_YES;
    case WF_TEXT_NOT: return WFI_SNIFF_NO;
    default: return WFI_SNIFF_PERHAPS;
    }
}

static int open_text(struct wf_lane *l) { return wf_session_take_text(l->session); }

const struct wfi_reader wfi_reader_text = {
    .format = WF_LANE_TEXT,
    .sniff = sniff_text,
    .open = open_text,
    .feed = feed_session,
    .next = wfi_next_of_session,
    .stays = true,
};

// ---- detection

static const struct wfi_reader *const readers[] = {
#define R(name) &wfi_reader_##name,
    WFI_READERS(R)
#undef R
};
enum { READERS = sizeof readers / sizeof *readers };

static enum wfi_sniff sniff_stream(const struct wfi_reader *r, const uint8_t *bytes, size_t len,
                                   bool whole) {
    enum wfi_sniff sniff = r->sniff ? r->sniff(bytes, len) : WFI_SNIFF_NO;
    return sniff == WFI_SNIFF_PERHAPS && whole ? WFI_SNIFF_NO : sniff;
}

// Another tracer's format. A good frame is stronger than what only may be one.
static const struct wfi_reader *detect_import(const uint8_t *bytes, size_t len, bool whole,
                                              bool *perhaps) {
    bool frame = !whole && len < WFI_SNIFF_MAX && wf_text_trace_is(bytes, len) == WF_TEXT_NOT;
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        enum wfi_sniff sniff = wfi_import_readers[i].import->sniff(bytes, len, whole);
        if (sniff == WFI_SNIFF_YES) return &wfi_import_readers[i];
        *perhaps |= sniff == WFI_SNIFF_PERHAPS && !whole && !frame && len < WFI_SNIFF_MAX;
    }
    return NULL;
}

const struct wfi_reader *wfi_detect(const uint8_t *bytes, size_t len, bool whole) {
    bool perhaps = false;
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i] == &wfi_reader_text) { // imports come before text
            const struct wfi_reader *import = detect_import(bytes, len, whole, &perhaps);
            if (import) return import;
        }
        enum wfi_sniff sniff = sniff_stream(readers[i], bytes, len, whole);
        if (sniff == WFI_SNIFF_PERHAPS) return NULL;
        if (sniff == WFI_SNIFF_YES)
            return perhaps && readers[i] == &wfi_reader_frames ? NULL : readers[i];
    }
    return NULL;
}

const struct wfi_reader *wfi_detect_file(const uint8_t *bytes, size_t len) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->is_file && readers[i]->is_file(bytes, len)) return readers[i];
    }
    for (unsigned i = 0; len && i < wfi_import_reader_count; ++i) {
        if (wfi_import_readers[i].import->sniff(bytes, len, true) == WFI_SNIFF_YES)
            return &wfi_import_readers[i];
    }
    return NULL;
}

const struct wfi_reader *wfi_reader_of(enum wf_lane_format format) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->format == format) return readers[i];
    }
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        if (wfi_import_readers[i].format == format) return &wfi_import_readers[i];
    }
    return NULL;
}

// Of several importers the one that reads streams takes what none of them detects.
static const struct wfi_reader *choose_import(enum wf_lane_format format, const uint8_t *bytes,
                                              size_t len, bool whole) {
    const struct wfi_reader *perhaps = NULL, *any = NULL;
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        const struct wfi_reader *r = &wfi_import_readers[i];
        if (r->format != format) continue;
        enum wfi_sniff sniff = r->import->sniff(bytes, len, whole);
        if (sniff == WFI_SNIFF_YES) return r;
        if (sniff == WFI_SNIFF_PERHAPS && !perhaps) perhaps = r;
        if (!any || (any->import->whole && !r->import->whole)) any = r;
    }
    if (!whole && len < WFI_SNIFF_MAX) return NULL;
    return perhaps ? perhaps : any;
}

const struct wfi_reader *wfi_reader_for(enum wf_lane_format format, const uint8_t *bytes,
                                        size_t len, bool whole) {
    const struct wfi_reader *r = wfi_reader_of(format);
    unsigned count = 0;
    if (!r || !r->import) return r;
    for (unsigned i = 0; i < wfi_import_reader_count; ++i)
        count += wfi_import_readers[i].format == format;
    return count > 1 ? choose_import(format, bytes, len, whole) : r;
}

const struct wfi_reader *wfi_reader_of_file(enum wf_lane_format format, const uint8_t *bytes,
                                            size_t len) {
    for (unsigned i = 0; i < wfi_import_reader_count; ++i) {
        const struct wfi_reader *r = &wfi_import_readers[i];
        if (r->format == format && r->import->sniff(bytes, len, true) == WFI_SNIFF_YES) return r;
    }
    return NULL;
}

void wfi_close_readers(struct wf_lane *l) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->close) readers[i]->close(l);
    }
    wfi_import_free(l);
}

// ---- names of the formats

static const struct {
    const char *name, *title;
} format_names[WF_LANE_END] = {
#define X(lane, name, title) [WF_LANE_##lane] = {name, title},
    WF_LANE_FORMATS(X)
#undef X
};

const char *wf_lane_format_name(enum wf_lane_format format) {
    return (unsigned)format < WF_LANE_END ? format_names[format].name : "unknown";
}

const char *wf_lane_format_title(enum wf_lane_format format) {
    return (unsigned)format < WF_LANE_END ? format_names[format].title : "unknown";
}

bool wf_lane_find_format(const char *name, enum wf_lane_format *format) {
    for (unsigned i = 1; i < WF_LANE_END; ++i) {
        if (strcmp(format_names[i].name, name) != 0) continue;
        *format = (enum wf_lane_format)i;
        return wfi_reader_of(*format) != NULL;
    }
    return false;
}

bool wf_lane_format_is_foreign(enum wf_lane_format format) {
    return format > WF_LANE_TEXT && format < WF_LANE_END;
}

enum wf_lane_format wf_trace_foreign_format(const uint8_t *bytes, size_t len) {
    const struct wfi_reader *r = wf_recording_is(bytes, len) ? NULL : wfi_detect_file(bytes, len);
    return r && r->import ? r->format : WF_LANE_UNKNOWN;
}

bool wf_trace_is_file(const uint8_t *bytes, size_t len) {
    return !wf_recording_is(bytes, len) && wfi_detect_file(bytes, len) != NULL;
}
