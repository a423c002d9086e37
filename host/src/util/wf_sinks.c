// SPDX-License-Identifier: MIT
// Groups of sinks: one model for all of them.

#include "wfi_sinks.h"

#include <stdlib.h>
#include <string.h>

struct wf_sinks {
    struct wf_session *s;
    struct wf_model *model; // null: no sink needs one
    struct wfi_sink *first;
    bool before; // a sink has a call before the model takes the item
    bool ended;
};

struct wf_sinks *wf_sinks_open(struct wf_session *s) {
    struct wf_sinks *g = calloc(1, sizeof *g);
    if (g) g->s = s;
    return g;
}

void wf_sinks_close(struct wf_sinks *g) {
    if (!g) return;
    wf_model_close(g->model);
    free(g);
}

struct wf_model *wfi_sinks_model(struct wf_sinks *g) {
    if (!g->model) g->model = wf_model_open(g->s);
    return g->model;
}

void wf_sinks_item(struct wf_sinks *g, const struct wf_item *item) {
    if (item->kind == WF_ITEM_SLOT || item->kind == WF_ITEM_CHUNK) return;
    for (struct wfi_sink *sink = g->before ? g->first : NULL; sink; sink = sink->next) {
        if (sink->before) sink->before(sink, item);
    }
    if (g->model) wf_model_take(g->model, item);
    for (struct wfi_sink *sink = g->first; sink; sink = sink->next) sink->item(sink, item);
}

void wf_sinks_end(struct wf_sinks *g) {
    if (g->ended) return;
    g->ended = true;
    for (struct wfi_sink *sink = g->first; sink; sink = sink->next) {
        if (sink->before_end) sink->before_end(sink);
    }
    if (g->model) wf_model_end(g->model);
    for (struct wfi_sink *sink = g->first; sink; sink = sink->next) sink->end(sink);
}

// ---- for sinks

struct wf_sinks *wfi_sink_join(struct wfi_sink *sink, struct wf_session *s, struct wf_sinks *shared,
                               struct wf_sinks **own) {
    struct wf_sinks *g = shared ? shared : wf_sinks_open(s);
    *own = shared ? NULL : g;
    if (!g) return NULL;
    struct wfi_sink **last = &g->first;
    while (*last) last = &(*last)->next;
    *last = sink;
    g->before |= sink->before != NULL;
    return g;
}

void wfi_sink_leave(struct wfi_sink *sink, struct wf_sinks *g, struct wf_sinks *own) {
    for (struct wfi_sink **at = g ? &g->first : NULL; at && *at; at = &(*at)->next) {
        if (*at != sink) continue;
        *at = sink->next;
        break;
    }
    wf_sinks_close(own);
}

void *wfi_per_add(struct wfi_per_entity *x, unsigned i, size_t size) {
    if (i >= x->cap) {
        unsigned cap = x->cap ? x->cap : 16;
        while (cap <= i) cap *= 2;
        void **at = realloc(x->at, cap * sizeof *at);
        if (!at) return NULL;
        memset(at + x->cap, 0, (cap - x->cap) * sizeof *at);
        x->at = at;
        x->cap = cap;
    }
    x->at[i] = calloc(1, size);
    return x->at[i];
}

void wfi_per_close(struct wfi_per_entity *x) {
    for (unsigned i = 0; i < x->cap; ++i) free(x->at[i]);
    free(x->at);
}
