// SPDX-License-Identifier: MIT
// Markers of the application: messages, spans and values, by the number that its name has.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_tonband.h"

enum { NAME_MAX_BYTES = 64 };

static void set_name(struct wfi_import *im, struct wfi_tonband_entity *m,
                     const struct wfi_tonband_event *e) {
    size_t len = e->len < WFI_IMPORT_TEXT_MAX ? e->len : WFI_IMPORT_TEXT_MAX;
    char *name = m && len ? malloc(len) : NULL;
    if (!m || !len) return;
    if (!name) {
        wf_error_code(&im->error, WF_ERR_NOMEM);
        return;
    }
    memcpy(name, e->text, len);
    free(m->name);
    m->name = name;
    m->name_len = len;
}

// The name, or the number if it has none.
static const char *name_of(const struct wfi_tonband_entity *m, const char *kind, uint64_t id,
                           char *room, size_t *len) {
    *len = m && m->name ? m->name_len : 0;
    if (*len) return m->name;
    *len = (size_t)snprintf(room, NAME_MAX_BYTES, "%s %u", kind, (unsigned)id);
    return room;
}

static void write_message(struct wfi_import *im, const char *name, size_t len,
                          const struct wfi_tonband_event *e) {
    const struct wfi_import_field args[] = {{NULL, WFI_FIELD_TEXT, 0, name, len},
                                            {NULL, WFI_FIELD_TEXT, 0, e->text, e->len}};
    if (e->len)
        wfi_import_log(im, "%s: %s", 6, args, 2);
    else
        wfi_import_message(im, name, len);
}

// A span belongs to the task that began it, also if another one ends it.
static void end_span(struct wfi_import *im, const struct wfi_tonband_entity *m, const char *name,
                     size_t len) {
    struct wfi_import_core *c = &im->cores[im->core];
    const struct wfi_import_core now = *c;
    if (m && m->actor && m->actor != wfi_import_actor(im)) {
        c->known = true;
        c->task = m->actor;
        c->irqs = 0;
    }
    wfi_import_span(im, false, name, len);
    *c = now;
}

static void take_event_marker(struct wfi_import *im, struct wfi_tonband_entity *m,
                              const struct wfi_tonband_event *e) {
    char room[NAME_MAX_BYTES];
    size_t len;
    const char *name = name_of(m, "marker", e->value[0], room, &len);
    switch (e->id) {
    case TBI_MARKER_BEGIN:
    case TBI_TASK_MARKER_BEGIN:
        if (m) m->actor = wfi_import_actor(im);
        wfi_import_span(im, true, name, len);
        if (e->len) write_message(im, name, len, e);
        break;
    case TBI_MARKER_END:
    case TBI_TASK_MARKER_END: end_span(im, m, name, len); break;
    default: write_message(im, name, len, e);
    }
}

static void take_value(struct wfi_import *im, const struct wfi_tonband_entity *m,
                       const struct wfi_tonband_event *e) {
    char room[NAME_MAX_BYTES];
    size_t len;
    const char *name = name_of(m, "value", e->value[0], room, &len);
    wfi_import_counter(im, name, len, (int64_t)e->value[1]);
}

// A name that is not the application's, but of a task: the numbers of each task are its own.
void wfi_tonband_take_marker(struct wfi_import *im, const struct wfi_tonband_event *e) {
    const struct wfi_import_core *c = &im->cores[im->core];
    bool local = e->id >= TBI_TASK_MARKER_NAME;
    bool names = e->id == TBI_TASK_MARKER_NAME || e->id == TBI_TASK_VALUE_NAME;
    bool value = e->id == TBI_VALUE_NAME || e->id == TBI_VALUE || e->id == TBI_TASK_VALUE_NAME ||
                 e->id == TBI_TASK_VALUE;
    uint64_t task = !local ? 0 : names ? e->value[1] : c->known ? c->task & UINT32_MAX : 0;
    struct wfi_tonband_entity *m =
        wfi_tonband_entity(im, value ? TBI_VALUE_OF : TBI_MARKER_OF, e->value[0], task);
    if (names || e->id == TBI_MARKER_NAME || e->id == TBI_VALUE_NAME)
        set_name(im, m, e);
    else if (value)
        take_value(im, m, e);
    else
        take_event_marker(im, m, e);
}
