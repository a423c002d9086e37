// SPDX-License-Identifier: MIT
// Resolves numbers and names in commands; suggests the nearest name when there is no match.

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wallfly_host/wf_near.h"
#include "wfi_command.h"

static bool contains_text(const char *text, const char *part) {
    size_t len = strlen(part);
    for (; *text; ++text) {
        if (strncasecmp(text, part, len) == 0) return true;
    }
    return false;
}

void wfi_near_offer(void *ctx, const char *name) {
    struct wfi_near *near = ctx;
    size_t len = strlen(near->wrong);
    unsigned d = wf_near_distance(near->wrong, name), at = WFI_NEAR;
    if (len >= 3 && contains_text(name, near->wrong)) d = 1; // a part of it
    if (d > 1 + len / 3 || strlen(name) >= sizeof *near->name) return;
    for (unsigned i = 0; i < WFI_NEAR; ++i) {
        if (strcmp(near->name[i], name) == 0) return;
    }
    while (at > 0 && (!near->name[at - 1][0] || d < near->distance[at - 1])) --at;
    if (at == WFI_NEAR) return;
    for (unsigned i = WFI_NEAR - 1; i > at; --i) {
        memcpy(near->name[i], near->name[i - 1], sizeof *near->name);
        near->distance[i] = near->distance[i - 1];
    }
    snprintf(near->name[at], sizeof *near->name, "%s", name);
    near->distance[at] = d;
}

const struct wfi_dict *wfi_dict_of(const struct wf_session *s, enum wfi_which dict) {
    // Before QS 7.2 commands had their names among those of application records.
    bool old = s->target.version < WFI_ENUM_COMMANDS_SINCE;
    switch (dict) {
    case WFI_OBJECTS: return &s->names.objects;
    case WFI_FUNCTIONS: return &s->names.functions;
    case WFI_SIGNALS: return &s->names.signals;
    case WFI_APP_COMMANDS:
        if (!old) return &s->names.enums[WFI_ENUM_COMMANDS];
        break;
    case WFI_USERS: break;
    }
    return &s->names.users;
}

const struct wfi_name *wfi_dict_find(const struct wfi_dict *d, const char *text) {
    const struct wfi_name *best = NULL;
    for (size_t i = 0; i < d->count; ++i) {
        bool same = strcmp(d->names[i].text, text) == 0;
        if (same && (!best || d->names[i].key < best->key)) best = &d->names[i];
    }
    return best;
}

// Returns true if the program may have names of this kind that the dictionaries lack.
static bool can_use_program(const struct wf_session *s, enum wfi_which dict,
                            enum wf_program_what *what) {
    *what = dict == WFI_FUNCTIONS ? WF_PROGRAM_FUNCTION : WF_PROGRAM_OBJECT;
    return s->use.on && (dict == WFI_OBJECTS || dict == WFI_FUNCTIONS);
}

static void offer_program(const struct wf_session *s, enum wfi_which dict, wf_offer_fn offer,
                          void *ctx) {
    enum wf_program_what what;
    if (can_use_program(s, dict, &what)) wf_program_each(s->use.program, what, offer, ctx);
}

void wfi_offer_dict(const struct wf_session *s, enum wfi_which dict, wf_offer_fn offer, void *ctx) {
    const struct wfi_dict *d = wfi_dict_of(s, dict);
    for (size_t i = 0; i < d->count; ++i) offer(ctx, d->names[i].text);
    offer_program(s, dict, offer, ctx);
}

void wfi_near_dict(struct wfi_near *near, const struct wfi_dict *d) {
    for (size_t i = 0; i < d->count; ++i) wfi_near_offer(near, d->names[i].text);
}

const char *wfi_near_text(const struct wfi_near *near, char text[224]) {
    const char *between = "; is it ";
    text[0] = 0;
    for (unsigned i = 0; i < WFI_NEAR && near->name[i][0]; ++i) {
        bool last = i + 1 == WFI_NEAR || !near->name[i + 1][0];
        size_t len = strlen(text);
        snprintf(text + len, 224 - len, "%s%s%s", i && last ? " or " : between, near->name[i],
                 last ? "?" : "");
        between = ", ";
    }
    return text;
}

bool wfi_is_number(const char *text) {
    if (*text == '-') ++text;
    return isdigit((unsigned char)*text) != 0;
}

bool wfi_number(struct wfi_making *m, const char *what, const char *text, int64_t min, uint64_t max,
                uint64_t *value) {
    bool negative = *text == '-';
    const char *digits = text + negative;
    bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
    if (hex) digits += 2;
    char *end = (char *)(uintptr_t) "?";
    errno = 0;
    *value = 0;
    if (hex ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits))
        *value = strtoull(digits, &end, hex ? 16 : 10);
    bool fits = negative ? min < 0 && *value <= 0 - (uint64_t)min
                         : *value <= max && (min <= 0 || *value >= (uint64_t)min);
    if (*end || errno || !fits) {
        return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' is not a number from %" PRId64 " to %" PRIu64,
                         what, text, min, max);
    }
    if (negative) *value = 0 - *value;
    return true;
}

bool wfi_size(struct wfi_making *m, enum wf_type type, unsigned *bytes) {
    const struct wf_target *t = wf_session_target(m->c->session);
    if (!t->sizes_known && !m->c->assume)
        return wfi_wrong(m, WF_MADE_NO_INFO, "the target has not reported its sizes");
    *bytes = t->bytes[type];
    if (*bytes == 0 || *bytes > 8) {
        return wfi_wrong(m, WF_MADE_WRONG, "%s: of the target this has %u bytes",
                         wf_types[type].sentence, *bytes);
    }
    return true;
}

static uint64_t max_value(unsigned bytes) {
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

static const char *const dict_words[] = {
    [WFI_OBJECTS] = "object",
    [WFI_FUNCTIONS] = "function",
    [WFI_USERS] = "application record",
    [WFI_SIGNALS] = "signal",
    [WFI_APP_COMMANDS] = "command of the application",
};

static bool report_unknown(struct wfi_making *m, enum wfi_which dict, const char *text) {
    const struct wfi_dict *d = wfi_dict_of(m->c->session, dict);
    struct wfi_near near = {.wrong = text};
    char words[224];
    wfi_near_dict(&near, d);
    offer_program(m->c->session, dict, wfi_near_offer, &near);
    if (!d->count && !near.name[0][0]) {
        return wfi_wrong(m, WF_MADE_NO_NAME, "no %s '%s': no names of this kind are known",
                         dict_words[dict], text);
    }
    return wfi_wrong(m, WF_MADE_NO_NAME, "no %s is called '%s'%s", dict_words[dict], text,
                     wfi_near_text(&near, words));
}

bool wfi_named(struct wfi_making *m, enum wfi_which dict, enum wf_type type, const char *text,
               uint64_t *value) {
    unsigned bytes = 1;
    if (type != WF_TYPE_U8 && !wfi_size(m, type, &bytes)) return false;
    if (wfi_is_number(text))
        return wfi_number(m, dict_words[dict], text, 0, max_value(bytes), value);
    const struct wfi_name *name = wfi_dict_find(wfi_dict_of(m->c->session, dict), text);
    enum wf_program_what what;
    if (name)
        *value = name->key;
    else if (!can_use_program(m->c->session, dict, &what) ||
             !wfi_use_find(m->c->session, what, text, value))
        return report_unknown(m, dict, text);
    *value &= max_value(bytes);
    return true;
}

bool wfi_object(struct wfi_making *m, const char *text, uint64_t *value) {
    *value = 0;
    if (strcasecmp(text, "none") == 0 || strcmp(text, "NULL") == 0) return true;
    return wfi_named(m, WFI_OBJECTS, WF_TYPE_OBJ, text, value);
}

static void describe_owner(const struct wf_session *s, uint64_t obj, char text[80]) {
    const struct wfi_name *name = wfi_dict_get(&s->names.objects, obj);
    if (!obj)
        snprintf(text, 80, "any object");
    else if (name)
        snprintf(text, 80, "%s", name->text);
    else
        snprintf(text, 80, "0x%" PRIX64, obj);
}

static bool report_ambiguous(struct wfi_making *m, const char *text) {
    const struct wfi_dict *d = &m->c->session->names.signals;
    char list[300] = "", owner[80];
    const char *between = "";
    for (size_t i = 0; i < d->count; ++i) {
        size_t len = strlen(list);
        if (strcmp(d->names[i].text, text) != 0 || len + 110 > sizeof list) continue;
        describe_owner(m->c->session, d->names[i].obj, owner);
        snprintf(list + len, sizeof list - len, "%s%" PRIu64 " for %s", between, d->names[i].key,
                 owner);
        between = ", ";
    }
    return wfi_wrong(m, WF_MADE_WRONG,
                     "signal %s is %s; give the number, or set the current state machine: "
                     "current sm NAME",
                     text, list);
}

// Looks for signals of the given object and of any object; if there is none, for those of all
// objects. More than one number is ambiguous.
bool wfi_signal(struct wfi_making *m, const char *text, uint64_t object, uint64_t *value) {
    const struct wfi_dict *d = &m->c->session->names.signals;
    unsigned near = 0, all = 0, bytes = 0;
    uint64_t one = 0;
    if (!wfi_size(m, WF_TYPE_SIG, &bytes)) return false;
    if (wfi_is_number(text)) return wfi_number(m, "signal", text, 0, max_value(bytes), value);
    for (size_t i = 0; i < d->count; ++i) {
        const struct wfi_name *name = &d->names[i];
        if (strcmp(name->text, text) != 0) continue;
        if (name->obj == 0 || name->obj == object) {
            near += !near || name->key != *value;
            *value = name->key;
        }
        all += !all || name->key != one;
        one = name->key;
    }
    if (!near && all == 1) *value = one;
    if (near > 1 || (!near && all > 1)) return report_ambiguous(m, text);
    return near || all || report_unknown(m, WFI_SIGNALS, text);
}
