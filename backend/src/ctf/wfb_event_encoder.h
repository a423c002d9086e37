// SPDX-License-Identifier: MIT
// Encodes a stream of events (wallfly_host/wf_event_stream.h).
#ifndef WFB_EVENT_ENCODER_H
#define WFB_EVENT_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_event_stream.h"

struct wfb_encoder {
    uint8_t *bytes; // finished records from `at` to `len`
    size_t at, len, cap;
    bool no_memory;
    int64_t time; // the last one
    size_t used;  // of the record that is being made
    uint8_t record[WF_EVENTS_RECORD_MAX];
};

void wfb_encoder_open(struct wfb_encoder *e); // puts the magic
void wfb_encoder_close(struct wfb_encoder *e);

void wfb_record_begin(struct wfb_encoder *e, enum wf_events_kind kind);
void wfb_record_end(struct wfb_encoder *e);
// Parts of a record. Texts are cut so that the record has room for all its numbers.
void wfb_put_byte(struct wfb_encoder *e, unsigned byte);
void wfb_put_unsigned(struct wfb_encoder *e, uint64_t v);
void wfb_put_signed(struct wfb_encoder *e, int64_t v);
void wfb_put_double(struct wfb_encoder *e, double v);
void wfb_put_text(struct wfb_encoder *e, const char *text, size_t len);
void wfb_put_time(struct wfb_encoder *e, int64_t ns);

#endif
