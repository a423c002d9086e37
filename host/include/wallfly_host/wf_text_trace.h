// SPDX-License-Identifier: MIT
// Transmission text (docs/text-trace.md): lines such as "p 1000 JR 87c" that tiny systems send in
// place of frames. A session of text returns the same records as one of frames, so every writer and
// the model work on it.
//
//   wf_session_take_text(s); then wf_session_feed, wf_session_next, wf_session_end as usual
#ifndef WF_TEXT_TRACE_H
#define WF_TEXT_TRACE_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_TEXT_DETECT_BYTES = 4096 }; // this many bytes are never PERHAPS

enum wf_text_trace_is { WF_TEXT_NOT, WF_TEXT_PERHAPS, WF_TEXT_YES };

// Detects transmission text by its first bytes. YES: they contain a whole line that can be parsed.
// NOT: they contain a valid frame before any such line, or neither in WF_TEXT_DETECT_BYTES bytes.
// PERHAPS: more bytes are needed. Context: any thread.
enum wf_text_trace_is wf_text_trace_is(const void *bytes, size_t len);

// Sets the session to transmission text. Call it after wf_session_open, before the first
// wf_session_feed. Returns WF_OK, WF_ERR_NOMEM.
// Time stamps are in us, or in ticks of wf_session_options.hz. They have 32 bits, with wraps
// counted, until a larger one appears; from then on they have 64. Dropped text becomes a LOSS item
// with place and reason. In the ledger bytes == good + idle + bad; empty lines are idle. If a line
// makes several records, the first has its length.
int wf_session_take_text(struct wf_session *s);
bool wf_session_takes_text(const struct wf_session *s);

// How a task or mutex is drawn, from an nT or nM line. Null: not given, or no session of text.
struct wf_text_style {
    const char *colour, *pattern;
};
struct wf_text_style wf_text_trace_style(const struct wf_session *s, uint64_t key);
// Returns true if application records of that number have colours and patterns as their elements.
bool wf_text_trace_is_style(const struct wf_session *s, uint8_t id);

#ifdef __cplusplus
}
#endif
#endif
