// SPDX-License-Identifier: MIT
// Part tracing after recording: hides tasks from the items of a session, as the target's wf_part.h
// does during recording. Records of hidden tasks are left out; switches through them become the
// switches of the view. Writers and the model get only the remaining items.
//
//   wf_task_filter_take(h, &item); while (wf_task_filter_next(h, &shown)) ...; at the end
//   wf_task_filter_end and wf_task_filter_next
//
// One is for its session's thread.
#ifndef WF_TASK_FILTER_H
#define WF_TASK_FILTER_H

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_task_filter;

enum wf_task_filter_view {
    WF_TASK_FILTER_DIRECT,   // from the last task shown to the next one shown, when that one runs
    WF_TASK_FILTER_GAP,      // the same, and a switch to no task when a hidden one takes over
    WF_TASK_FILTER_PUBLISHED // as the thesis' published tracer, including its faults; for
                             // comparison
};

// Returns null when out of memory. The session must outlive it.
struct wf_task_filter *wf_task_filter_open(struct wf_session *s, enum wf_task_filter_view view);
void wf_task_filter_close(struct wf_task_filter *h);

// Adds a rule: which tasks are hidden, or shown after all. The last rule that matches a task
// decides; without one it is shown. May be called at any time.
//   task     0x and an address, prio:N or prio:N..M, or a name; len characters
//   returns  WF_OK, WF_ERR_USAGE (an invalid rule), WF_ERR_NOMEM
int wf_task_filter_rule(struct wf_task_filter *h, const char *task, size_t len, bool shown);
// Returns the next rule that has matched no task so far, null after the last. *at starts as 0.
const char *wf_task_filter_unused(const struct wf_task_filter *h, size_t *at);

// wf_task_filter_take takes an item; call it before the session's next wf_session_next.
// wf_task_filter_next returns the next item to show, valid until the next call of either. The
// create of a task is held back until the next item, which may have its name.
void wf_task_filter_take(struct wf_task_filter *h, const struct wf_item *item);
void wf_task_filter_end(struct wf_task_filter *h);
bool wf_task_filter_next(struct wf_task_filter *h, struct wf_item *item);

uint64_t wf_task_filter_count(const struct wf_task_filter *h); // records left out so far
// Returns WF_OK; WF_ERR_NOMEM: tasks that appear from now on are shown.
int wf_task_filter_error(const struct wf_task_filter *h);

#ifdef __cplusplus
}
#endif
#endif
