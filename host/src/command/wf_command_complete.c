// SPDX-License-Identifier: MIT
// Completes the last word of a command: the table defines its kind, the dictionaries have the
// names.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "wfi_command.h"

// Offers the names that begin with the word, with the prefix before it ("+", "only:", "to:").
struct offering {
    const char *word; // the part typed so far, after the prefix
    char before[96];
    wf_offer_fn offer;
    void *ctx;
};

static void offer_match(void *ctx, const char *name) {
    struct offering *o = ctx;
    char text[256];
    if (strncasecmp(name, o->word, strlen(o->word)) != 0) return;
    snprintf(text, sizeof text, "%s%s", o->before, name);
    o->offer(o->ctx, text);
}

// Moves a prefix from the word to `before`; returns whether there was one.
static bool take_prefix(struct offering *o, const char *prefix) {
    size_t len = strlen(prefix), have = strlen(o->before);
    if (strncmp(o->word, prefix, len) != 0 || have + len >= sizeof o->before) return false;
    memcpy(o->before + have, prefix, len + 1);
    o->word += len;
    return true;
}

// Offers signs and bases first, then the names that may follow them; in a list, the last name.
static void offer_filter(struct offering *o, const struct wf_session *s, bool records) {
    static const char *const starts[] = {"all", "none", "only:"};
    if (!take_prefix(o, "+") && !take_prefix(o, "-") && !take_prefix(o, "only:")) {
        for (unsigned i = 0; i < 3; ++i) offer_match(o, starts[i]);
        return;
    }
    const char *comma = strrchr(o->word, ',');
    char list[80];
    if (comma && (size_t)(comma + 1 - o->word) < sizeof list) {
        snprintf(list, sizeof list, "%.*s", (int)(comma + 1 - o->word), o->word);
        take_prefix(o, list);
    }
    if (records)
        wfi_offer_records(s, offer_match, o);
    else
        wfi_offer_ids(offer_match, o);
}

static void offer_argument(struct offering *o, const struct wf_commander *c,
                           const struct wf_argument *a) {
    const struct wf_session *s = c->session;
    switch (a->kind) {
    case WF_ARG_SIZE:
        for (unsigned i = 0; i < 3; ++i) offer_match(o, (const char *const[]){"1", "2", "4"}[i]);
        break;
    case WF_ARG_KIND:
        for (unsigned i = 0; i <= a->max && i < 7; ++i) offer_match(o, wfi_object_kinds[i]);
        break;
    case WF_ARG_OBJECT:
        wfi_offer_dict(s, WFI_OBJECTS, offer_match, o);
        offer_match(o, "none");
        break;
    case WF_ARG_SWITCHED:
        if (take_prefix(o, "+") || take_prefix(o, "-"))
            wfi_offer_dict(s, WFI_OBJECTS, offer_match, o);
        break;
    case WF_ARG_FUNCTION: wfi_offer_dict(s, WFI_FUNCTIONS, offer_match, o); break;
    case WF_ARG_COMMAND: wfi_offer_dict(s, WFI_APP_COMMANDS, offer_match, o); break;
    case WF_ARG_SIGNAL: wfi_offer_dict(s, WFI_SIGNALS, offer_match, o); break;
    case WF_ARG_PARAMETERS:
        if (take_prefix(o, "to:")) {
            wfi_offer_dict(s, WFI_OBJECTS, offer_match, o);
            break;
        }
        offer_match(o, "to:");
        wfi_offer_types(offer_match, o);
        break;
    case WF_ARG_RECORDS: offer_filter(o, s, true); break;
    case WF_ARG_IDS: offer_filter(o, s, false); break;
    default: break;
    }
}

void wf_command_complete(const struct wf_commander *c, const char *line, wf_offer_fn offer_fn,
                         void *ctx) {
    const char *from = strrchr(line, ';');
    from = from ? from + 1 : line;
    from += strspn(from, " \t");
    const char *word = from + strlen(from);
    while (word > from && word[-1] != ' ' && word[-1] != '\t') --word;
    struct offering o = {.word = word, .offer = offer_fn, .ctx = ctx};
    if (word == from) {
        for (unsigned i = 0; i < wf_command_row_count; ++i)
            offer_match(&o, wf_command_rows[i].name);
        return;
    }
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(from, " \t"), from);
    const struct wf_command_row *row = wf_command_find(name);
    if (!row) return;
    unsigned n = 0; // the argument's index
    for (const char *p = from; p < word; p += strspn(p, " \t")) {
        p += strcspn(p, " \t");
        ++n;
    }
    const struct wf_argument *a = row->arguments;
    for (; n > 1 && a->kind && !a->many; --n) ++a;
    if (a->kind) offer_argument(&o, c, a);
}
