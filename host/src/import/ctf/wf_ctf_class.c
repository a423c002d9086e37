// SPDX-License-Identifier: MIT
// Classes of events: their fields, and the actions that a mapping has for them.

#include <stdlib.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_ctf.h"

enum { CLASS_BYTES_MAX = 64 << 20 }; // of all classes

// ---- taking a class

static struct ctf_slice take_text(struct wfi_cursor *c) {
    uint64_t len = wfi_take_upto(c, WF_EVENTS_TEXT_MAX);
    const uint8_t *text = wfi_take_bytes(c, len);
    return (struct ctf_slice){(const char *)text, c->bad ? 0 : (size_t)len};
}

// Copies a text with a 0 behind it. Returns the copy.
static char *copy_text(char **to, struct ctf_slice text) {
    char *copy = *to;
    if (text.len) memcpy(copy, text.text, text.len);
    copy[text.len] = 0;
    *to += text.len + 1;
    return copy;
}

static bool fill_class(struct ctf_class *k, struct wfi_cursor *c, struct ctf_slice name,
                       size_t room) {
    k->text = malloc(room);
    k->fields = calloc(k->count ? k->count : 1, sizeof *k->fields);
    if (!k->text || !k->fields) return false;
    char *to = k->text;
    k->name = (struct ctf_slice){copy_text(&to, name), name.len};
    for (unsigned i = 0; i < k->count && !c->bad; ++i) {
        const uint8_t *scope = wfi_take_bytes(c, 1);
        struct ctf_slice text = take_text(c);
        if (c->bad) break;
        k->fields[i].scope = *scope;
        k->fields[i].len = text.len;
        k->fields[i].name = copy_text(&to, text);
    }
    return true;
}

static void free_class(struct ctf_class *k) {
    free(k->text);
    free(k->fields);
    free(k->bound);
}

void wfi_ctf_free_classes(struct ctf *s) {
    for (size_t i = 0; i < s->class_count; ++i) free_class(&s->classes[i]);
    free(s->classes);
}

bool wfi_ctf_take_class(struct wfi_import *im, struct wfi_cursor *c) {
    struct ctf *s = im->state;
    struct ctf_class k = {.cpu = -1, .task = -1, .task_name = -1};
    struct ctf_slice name = take_text(c);
    k.level = (unsigned)wfi_take_upto(c, 255);
    k.count = (unsigned)wfi_take_upto(c, WF_EVENTS_FIELDS_MAX);
    // Each text has its length in the record, so their copies with zeros are not longer than it.
    size_t room = name.len + (size_t)(c->end - c->p) + 2;
    if (c->bad || s->class_count == WF_EVENTS_CLASS_MAX) return false;
    s->class_bytes += room + k.count * sizeof *k.fields;
    if (s->class_bytes > CLASS_BYTES_MAX) {
        wfi_import_fail(im, im->offset, "more than %d bytes of event classes", CLASS_BYTES_MAX);
        return true;
    }
    bool good =
        fill_class(&k, c, name, room) && WFI_GROW(s->classes, &s->class_cap, s->class_count + 1);
    if (good && !c->bad) {
        s->classes[s->class_count++] = k;
        return true;
    }
    free_class(&k);
    if (!good) wf_error_code(&im->error, WF_ERR_NOMEM);
    return !good;
}

// ---- fields

int wfi_ctf_find_field(const struct ctf_class *k, struct ctf_slice name) {
    for (unsigned i = 0; i < k->count && name.text; ++i) {
        if (wfi_ctf_slice_is(name, k->fields[i].name, k->fields[i].len)) return (int)i;
    }
    return -1;
}

// The field that the mapping names, else one of the usual names in a context.
static int16_t find_context(const struct ctf_class *k, struct ctf_slice name,
                            const char *const *usual) {
    if (name.text) return (int16_t)wfi_ctf_find_field(k, name);
    for (; *usual; ++usual) {
        for (unsigned i = 0; i < k->count; ++i) {
            if (k->fields[i].scope != WF_EVENTS_SCOPE_PAYLOAD &&
                strcmp(k->fields[i].name, *usual) == 0)
                return (int16_t)i;
        }
    }
    return -1;
}

// ---- actions

static bool is_event(struct ctf_slice pattern, struct ctf_slice name) {
    if (pattern.len && pattern.text[pattern.len - 1] == '*')
        return name.len >= pattern.len - 1 && memcmp(pattern.text, name.text, pattern.len - 1) == 0;
    return wfi_ctf_slice_is(pattern, name.text, name.len);
}

// A field that the user's mapping names must be there. In a ready one the action does not apply.
static bool miss_field(struct wfi_import *im, const struct ctf_class *k, unsigned line,
                       struct ctf_slice name) {
    const struct ctf *s = im->state;
    if (s->map.users)
        wfi_import_fail(im, im->offset, "line %u of the mapping: event '%.60s' has no field '%.*s'",
                        line, k->name.text, (int)(name.len < 60 ? name.len : 60), name.text);
    return false;
}

static bool bind_action(struct wfi_import *im, const struct ctf_class *k, size_t number,
                        struct ctf_bound *b) {
    const struct ctf *s = im->state;
    const struct ctf_action *a = &s->map.actions[number];
    uint32_t required = wfi_ctf_role_required(a);
    b->action = number;
    b->when = (int16_t)wfi_ctf_find_field(k, a->when);
    if (a->when.text && b->when < 0) return miss_field(im, k, a->line, a->when);
    for (unsigned i = 0; i < CTF_PARAM_END; ++i) {
        const struct ctf_param *p = &a->param[i];
        bool field = p->kind == CTF_FIELD;
        b->field[i] = field ? (int16_t)wfi_ctf_find_field(k, p->text) : (int16_t)-1;
        if (!field || b->field[i] >= 0) continue;
        if (s->map.users || required >> i & 1) return miss_field(im, k, a->line, p->text);
    }
    return true;
}

bool wfi_ctf_bind(struct wfi_import *im, struct ctf_class *k) {
    static const char *const cpus[] = {"cpu_id", "cpu", "core_id", "core", NULL};
    static const char *const tasks[] = {"vtid", "tid", "thread_id", NULL};
    static const char *const names[] = {"procname", "comm", NULL};
    const struct ctf *s = im->state;
    size_t cap = 0;
    k->is_bound = true;
    k->cpu = find_context(k, s->map.cpu, cpus);
    k->task = find_context(k, s->map.task, tasks);
    k->task_name = find_context(k, s->map.task_name, names);
    for (size_t i = 0; i < s->map.count; ++i) {
        if (!is_event(s->map.actions[i].event, k->name)) continue;
        if (!WFI_GROW(k->bound, &cap, k->bound_count + 1)) {
            wf_error_code(&im->error, WF_ERR_NOMEM);
            return false;
        }
        if (bind_action(im, k, i, &k->bound[k->bound_count])) ++k->bound_count;
        if (im->error.code != WF_OK) return false;
    }
    return true;
}
