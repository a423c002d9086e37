// SPDX-License-Identifier: MIT
// The transmission text (docs/text-trace.md): lines such as "p 1000 JR 87c" that tiny systems send
// in place of frames. A session of text returns the same records as one of frames, so every
// printer, writer and model works on it.
//
//   wf_session_take_text(s); then wf_session_feed, wf_session_next, wf_session_end as usual
#ifndef WF_TEXT_TRACE_H
#define WF_TEXT_TRACE_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_TEXT_TELLS = 4096 }; // with this many bytes the result is never PERHAPS

enum wf_text_trace_is { WF_TEXT_NOT, WF_TEXT_PERHAPS, WF_TEXT_YES };

// Returns whether these are the first bytes of a transmission text, and not of frames: YES from the
// first whole line that can be parsed, whatever comes before it; NOT from the first good frame, or
// if there is neither in WF_TEXT_TELLS bytes. Context: any thread.
enum wf_text_trace_is wf_text_trace_is(const void *bytes, size_t len);

// Sets the session to transmission text. Call it after wf_session_open, before the first
// wf_session_feed.
//   returns  WF_OK; WF_ERR_NOMEM
// Time stamps are microseconds (or wf_session_options.hz) of 32 bits whose wraps are counted, or
// longer. Dropped text becomes a LOSS item with place and reason; bytes == good + idle + bad in the
// ledger, with empty lines as idle. A line may make several records: the first has its length.
int wf_session_take_text(struct wf_session *s);
bool wf_session_takes_text(const struct wf_session *s);

#ifdef __cplusplus
}
#endif
#endif
