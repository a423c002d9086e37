// SPDX-License-Identifier: MIT
// Chooses the mapping: the user's, or else all ready ones whose tracer or events the trace has.

#include <stdlib.h>
#include <string.h>

#include "wfi_ctf.h"

static bool has_event(const struct ctf *s, struct ctf_slice name) {
    for (size_t i = 0; i < s->class_count; ++i) {
        const struct ctf_slice *is = &s->classes[i].name;
        if (wfi_ctf_slice_is(name, is->text, is->len)) return true;
    }
    return false;
}

// A trace of several tracers has several values of an environment name.
static bool has_tracer(const struct ctf *s, struct ctf_slice tracer) {
    for (unsigned i = 0; i < s->env_count; ++i) {
        if (strcmp(s->env[i].name, "tracer_name") == 0 &&
            wfi_ctf_slice_is(tracer, s->env[i].value, strlen(s->env[i].value)))
            return true;
    }
    return false;
}

static bool is_for(const struct ctf *s, const struct ctf_map *ready) {
    struct ctf_slice events = ready->events;
    if (!ready->tracer.text && !events.text) return false;
    if (ready->tracer.text && !has_tracer(s, ready->tracer)) return false;
    for (struct ctf_slice name; (name = wfi_ctf_next_item(&events)).text;) {
        if (!has_event(s, name)) return false;
    }
    return true;
}

static bool add_map(struct wfi_import *im, const char *text, size_t len) {
    struct ctf *s = im->state;
    struct ctf_map_fault fault;
    if (wfi_ctf_map_parse(&s->map, text, len, &fault)) return true;
    if (fault.no_memory)
        wf_error_code(&im->error, WF_ERR_NOMEM);
    else
        wfi_import_fail(im, im->offset, "line %u of the mapping: %s", fault.line, fault.text);
    return false;
}

bool wfi_ctf_choose_map(struct wfi_import *im) {
    struct ctf *s = im->state;
    s->mapped = true;
    if (im->options.describe) {
        s->map.users = true;
        return add_map(im, im->options.describe, im->options.describe_len);
    }
    for (const char *const *ready = wfi_ctf_ready_maps; *ready; ++ready) {
        struct ctf_map head = {.count = 0};
        size_t len = strlen(*ready);
        wfi_ctf_map_peek(*ready, len, &head);
        if (is_for(s, &head) && !add_map(im, *ready, len)) return false;
    }
    return true;
}
