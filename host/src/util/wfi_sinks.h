// SPDX-License-Identifier: MIT
// Interface of a sink to its group, and the data of sinks for tasks and objects.
#ifndef WFI_SINKS_H
#define WFI_SINKS_H

#include "wallfly_host/wf_model.h"
#include "wallfly_host/wf_sinks.h"

struct wfi_sink {
    struct wfi_sink *next;
    // Called before the model takes an item, and before it takes the end; may be null.
    void (*before)(struct wfi_sink *sink, const struct wf_item *item);
    void (*before_end)(struct wfi_sink *sink);
    // Called afterwards: wf_model_changes has the changes.
    void (*item)(struct wfi_sink *sink, const struct wf_item *item);
    void (*end)(struct wfi_sink *sink);
};

// Joins `shared`, or a new group in *own if `shared` is null. Returns null when out of memory.
struct wf_sinks *wfi_sink_join(struct wfi_sink *sink, struct wf_session *s, struct wf_sinks *shared,
                               struct wf_sinks **own);
// Leaves the group, and closes the sink's own one. `own` may be null.
void wfi_sink_leave(struct wfi_sink *sink, struct wf_sinks *g, struct wf_sinks *own);
// The group's model, opened by the first call. Returns null when out of memory.
struct wf_model *wfi_sinks_model(struct wf_sinks *g);

// The data of a sink for each task or object, by index.
struct wfi_per_entity {
    void **at;
    unsigned cap;
};
static inline void *wfi_per_get(const struct wfi_per_entity *x, unsigned i) {
    return i < x->cap ? x->at[i] : NULL;
}
// A new entry of `size` bytes, all zero, for an index that has none. Returns null when out of
// memory.
void *wfi_per_add(struct wfi_per_entity *x, unsigned i, size_t size);
// The entry of an index, new if there is none. Returns null when out of memory.
static inline void *wfi_per_entry(struct wfi_per_entity *x, unsigned i, size_t size) {
    void *entry = wfi_per_get(x, i);
    return entry ? entry : wfi_per_add(x, i, size);
}
void wfi_per_close(struct wfi_per_entity *x); // frees the entries, too

#endif
