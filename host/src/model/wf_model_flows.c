// SPDX-License-Identifier: MIT
// Flows: a number follows an event from where it is put into a queue to where it is taken, and a
// wake-up to the run of the task. A queue is first in, first out, except for events put at its
// front. Its content is certain from its creation, from a start of the target, or from when it is
// empty, until the next hole; otherwise there are no flow numbers.

#include "wfi_model.h"

#include <stdlib.h>
#include <string.h>

enum { FLOWS_MOST = 4096 }; // in one queue; with more it is not tracked until it is empty

uint64_t wfi_flow_new(struct wf_model *m) { return ++m->flow_count; }

static struct wfi_flows *flows_of(struct wf_model *m, struct wf_object *o) {
    struct wfi_object *own = wfi_object(o);
    if (own->flows) return own->flows;
    own->flows = calloc(1, sizeof *own->flows);
    if (!own->flows)
        m->err = WF_ERR_NOMEM;
    else
        own->flows->sure = m->from_start;
    return own->flows;
}

void wfi_flows_invalidate(struct wf_object *o) {
    struct wfi_flows *f = wfi_object(o)->flows;
    if (f) f->sure = false;
}

void wfi_flows_set_empty(struct wf_model *m, struct wf_object *o) {
    struct wfi_flows *f = flows_of(m, o);
    if (!f) return;
    f->count = f->first = 0;
    f->sure = true;
    wfi_object_inform(m, o); // a hole makes it unknown
}

// Makes room for one more at either end.
static bool grow_flows(struct wf_model *m, struct wfi_flows *f) {
    if (f->count < f->cap) return true;
    unsigned cap = f->cap ? 2 * f->cap : 8;
    if (cap > FLOWS_MOST) return false;
    uint64_t *ids = malloc(cap * sizeof *ids);
    if (!ids) {
        m->err = WF_ERR_NOMEM;
        return false;
    }
    for (unsigned i = 0; i < f->count; ++i) ids[i] = f->ids[(f->first + i) % f->cap];
    free(f->ids);
    f->ids = ids;
    f->cap = cap;
    f->first = 0;
    return true;
}

uint64_t wfi_flow_in(struct wf_model *m, struct wf_object *o, bool in_front) {
    struct wfi_flows *f = flows_of(m, o);
    if (!f || !f->sure) return 0;
    wfi_object_inform(m, o);
    if (!grow_flows(m, f)) {
        f->sure = false;
        return 0;
    }
    if (in_front) f->first = (f->first + f->cap - 1) % f->cap;
    uint64_t id = wfi_flow_new(m);
    f->ids[(f->first + (in_front ? 0 : f->count)) % f->cap] = id;
    ++f->count;
    return id;
}

uint64_t wfi_flow_out(struct wf_model *m, struct wf_object *o) {
    struct wfi_flows *f = flows_of(m, o);
    if (!f || !f->sure) return 0;
    if (!f->count) { // the record of its put is missing
        f->sure = false;
        return 0;
    }
    uint64_t id = f->ids[f->first];
    f->first = (f->first + 1) % f->cap;
    --f->count;
    return id;
}

bool wfi_flows_check(struct wf_model *m, struct wf_object *o, uint64_t count) {
    struct wfi_flows *f = flows_of(m, o);
    if (!f) return false;
    if (f->sure && f->count != count) f->sure = false;
    if (count == 0) wfi_flows_set_empty(m, o);
    return f->sure;
}

void wfi_flows_close(struct wf_object *o) {
    struct wfi_object *own = wfi_object(o);
    if (own->flows) free(own->flows->ids);
    free(own->flows);
    own->flows = NULL;
}
