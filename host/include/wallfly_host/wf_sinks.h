// SPDX-License-Identifier: MIT
// A group of sinks: writers (wf_writer.h), statistics (wf_stats.h) and timelines (wf_timeline.h)
// that take the same items and share one model (wf_model.h), so that it runs only once.
//
//   g = wf_sinks_open(session); open sinks with options.sinks = g
//   for each item: wf_sinks_item(g, &item)
//   wf_sinks_end(g); close the sinks; wf_sinks_close(g)
//
// A sink opened without a group makes one for itself: its function for items then calls
// wf_sinks_item. A group is for its session's thread.
#ifndef WF_SINKS_H
#define WF_SINKS_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_sinks;

// Returns null when out of memory. The session must outlive the group, the group its sinks. Sinks
// are opened before the first item.
struct wf_sinks *wf_sinks_open(struct wf_session *s);
void wf_sinks_close(struct wf_sinks *g);
// Passes an item to all sinks, in the order wf_session_next returns items, before the next
// wf_session_next. Items of the kinds SLOT and CHUNK are ignored.
void wf_sinks_item(struct wf_sinks *g, const struct wf_item *item);
// Ends the trace: the sinks get the last changes of the model. Later calls do nothing.
void wf_sinks_end(struct wf_sinks *g);

#ifdef __cplusplus
}
#endif
#endif
