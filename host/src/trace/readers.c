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

const struct wfi_reader *wfi_detect(const uint8_t *bytes, size_t len, bool whole) {
    for (unsigned i = 0; i < READERS; ++i) {
        enum wfi_sniff sniff = readers[i]->sniff ? readers[i]->sniff(bytes, len) : WFI_SNIFF_NO;
        if (sniff == WFI_SNIFF_YES) return readers[i];
        if (sniff == WFI_SNIFF_PERHAPS && !whole) return NULL;
    }
    return NULL;
}

const struct wfi_reader *wfi_detect_file(const uint8_t *bytes, size_t len) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->is_file && readers[i]->is_file(bytes, len)) return readers[i];
    }
    return NULL;
}

const struct wfi_reader *wfi_reader_of(enum wf_lane_format format) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->format == format) return readers[i];
    }
    return NULL;
}

void wfi_close_readers(struct wf_lane *l) {
    for (unsigned i = 0; i < READERS; ++i) {
        if (readers[i]->close) readers[i]->close(l);
    }
}
