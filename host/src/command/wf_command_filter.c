// SPDX-License-Identifier: MIT
// The global filter (records) and the local one (QS-IDs). A command sends all 128 bits: changes
// start from the bits that were set last, and the first command must be absolute (all, none,
// only:).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wfi_command.h"

enum { RECORDS = WF_USER_LAST + 1, IDS = 128 }; // one more than the highest

void wf_filter_switch(uint8_t bits[WF_FILTER_BYTES], unsigned first, unsigned last, bool on) {
    for (unsigned n = first; n <= last; ++n) {
        uint8_t bit = (uint8_t)(1u << n % 8);
        bits[n / 8] = (uint8_t)(on ? bits[n / 8] | bit : bits[n / 8] & ~bit);
    }
}

static void switch_bit(uint8_t *bits, unsigned n, bool on) { wf_filter_switch(bits, n, n, on); }

static bool is_sent(const struct wf_target *t, const struct wf_row *row) {
    return t->version >= row->since && t->version <= row->until;
}

static bool is_in_version(const struct wf_session *s, const struct wf_row *row) {
    return is_sent(wf_session_target(s), row);
}

static bool is_fixed_row(const struct wf_row *row) {
    return row->group >= WF_GROUP_INFO && row->group <= WF_GROUP_FAIL;
}

bool wfi_fixed(const struct wf_session *s, unsigned id) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id && is_in_version(s, &wf_rows[i]) && is_fixed_row(&wf_rows[i]))
            return true;
    }
    return false;
}

static void switch_record(struct wfi_making *m, uint8_t *bits, unsigned id, bool on) {
    if (id < RECORDS && (on || !wfi_fixed(m->c->session, id))) switch_bit(bits, id, on);
}

bool wf_filter_group(const struct wf_target *t, const char *name, uint8_t bits[WF_FILTER_BYTES],
                     bool on) {
    for (unsigned i = 0; i < wf_user_group_count; ++i) {
        const struct wf_numbers *u = &wf_user_groups[i];
        if (strcasecmp(u->name, name) != 0) continue;
        wf_filter_switch(bits, u->first, u->last, on);
        return true;
    }
    unsigned group = 0;
    while (group < WF_GROUP_NONE && strcasecmp(wf_groups[group].name, name) != 0) ++group;
    if (group == WF_GROUP_NONE) return false;
    if (group == WF_GROUP_USER) wf_filter_switch(bits, WF_USER_FIRST, WF_USER_LAST, on);
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        bool stays = !on && is_fixed_row(row);
        if (row->group == group && row->id < RECORDS && is_sent(t, row) && !stays)
            switch_bit(bits, row->id, on);
    }
    return true;
}

// Finds the number of a record by its name, in the target's version.
static bool find_record(struct wfi_making *m, const char *name, unsigned *id) {
    const struct wf_session *s = m->c->session;
    const struct wf_row *other = NULL;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        const struct wf_row *row = &wf_rows[i];
        if (strcasecmp(row->name, name) != 0 && strcasecmp(row->qs_name, name) != 0) continue;
        *id = row->id;
        if (is_in_version(s, row)) return true;
        other = row;
    }
    for (unsigned i = 0; i < wf_alias_count; ++i) {
        *id = wf_aliases[i].id;
        if (strcasecmp(wf_aliases[i].qs_name, name) == 0) return true;
    }
    const struct wfi_name *user = wfi_dict_find(&s->names.users, name);
    if (user && user->key < RECORDS) {
        *id = (unsigned)user->key;
        return true;
    }
    if (other) {
        return wfi_wrong(m, WF_MADE_WRONG, "record %s is not sent by QS %u.%u.%u", name,
                         wf_session_target(s)->version / 100,
                         wf_session_target(s)->version / 10 % 10,
                         wf_session_target(s)->version % 10);
    }
    struct wfi_near near = {.wrong = name};
    char words[224];
    wfi_offer_records(s, wfi_near_offer, &near);
    return wfi_wrong(m, WF_MADE_NO_NAME, "no record or group is called '%s'%s", name,
                     wfi_near_text(&near, words));
}

static bool switch_named_record(struct wfi_making *m, uint8_t *bits, const char *name, bool on) {
    unsigned id = 0;
    if (wf_filter_group(wf_session_target(m->c->session), name, bits, on)) return true;
    if (!find_record(m, name, &id)) return false;
    if (!on && wfi_fixed(m->c->session, id))
        return wfi_wrong(m, WF_MADE_WRONG, "record %s cannot be switched off", name);
    switch_record(m, bits, id, on);
    return true;
}

static bool switch_id_group(struct wfi_making *m, uint8_t *bits, const char *name, bool on) {
    for (unsigned i = 0; i < wf_id_group_count; ++i) {
        if (strcasecmp(wf_id_groups[i].name, name) != 0) continue;
        wf_filter_switch(bits, wf_id_groups[i].first, wf_id_groups[i].last, on);
        return true;
    }
    return wfi_wrong(m, WF_MADE_WRONG,
                     "no group of ids is called '%s'; there are ao, ep, eq and ap (for one active "
                     "object there is ao-filter)",
                     name);
}

// "14" or "100-104"
static bool switch_range(struct wfi_making *m, uint8_t *bits, const char *text, bool on) {
    bool records = m->row->record == WF_COMMAND_GLB_FILTER;
    unsigned limit = records ? RECORDS : IDS;
    char first_text[24];
    const char *dash = strchr(text, '-');
    size_t len = dash ? (size_t)(dash - text) : strlen(text);
    uint64_t first, last;
    snprintf(first_text, sizeof first_text, "%.*s", (int)(len < 20 ? len : 20), text);
    const char *what = records ? "record" : "id";
    if (!wfi_number(m, what, first_text, 0, limit - 1, &first)) return false;
    last = first;
    if (dash && !wfi_number(m, what, dash + 1, (int64_t)first, limit - 1, &last)) return false;
    for (uint64_t n = first; n <= last; ++n) {
        if (records)
            switch_record(m, bits, (unsigned)n, on);
        else
            switch_bit(bits, (unsigned)n, on || n == 0);
    }
    return true;
}

// All bits, or only those that are always on.
static void set_all(struct wfi_making *m, uint8_t *bits, bool on) {
    bool records = m->row->record == WF_COMMAND_GLB_FILTER;
    memset(bits, 0, WF_FILTER_BYTES);
    for (unsigned n = 0; n < (records ? RECORDS : IDS); ++n) {
        bool fixed = records ? wfi_fixed(m->c->session, n) : n == 0;
        if (on || fixed) switch_bit(bits, n, true);
    }
}

static bool switch_list(struct wfi_making *m, uint8_t *bits, const char *text, bool on) {
    bool records = m->row->record == WF_COMMAND_GLB_FILTER;
    for (const char *p = text;;) {
        char name[80];
        size_t len = strcspn(p, ",");
        if (len == 0 || len >= sizeof name) {
            return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' has a name that is %s", m->row->name, text,
                             len ? "too long" : "empty");
        }
        memcpy(name, p, len);
        name[len] = 0;
        bool good = wfi_is_number(name) ? switch_range(m, bits, name, on)
                    : records           ? switch_named_record(m, bits, name, on)
                                        : switch_id_group(m, bits, name, on);
        if (!good) return false;
        if (!p[len]) return true;
        p += len + 1;
    }
}

// With the first word, puts the base of the changes into the frame: the filter that was set last.
// Absolute words replace it.
static bool begin_filter(struct wfi_making *m, bool absolute, bool known, const uint8_t *base) {
    if (m->begun) return true;
    m->begun = true;
    if (!absolute && !known) {
        return wfi_wrong(m, WF_MADE_WRONG,
                         "%s: what is on in the target is not known, as nothing was set from here; "
                         "begin with all, none or only:NAME",
                         m->row->name);
    }
    return wfi_add_filter(m, base);
}

static bool take_filter_word(struct wfi_making *m, const char *word, bool known,
                             const uint8_t *base) {
    bool all = strcasecmp(word, "all") == 0, none = strcasecmp(word, "none") == 0;
    bool only = strncasecmp(word, "only:", 5) == 0, sign = *word == '+' || *word == '-';
    if (!begin_filter(m, all || none || only, known, base)) return false;
    uint8_t *bits = wfi_frame(m)->payload + 1;
    if (all || none || only) set_all(m, bits, all);
    if (all || none) return true;
    if (only) return switch_list(m, bits, word + 5, true);
    if (sign) return switch_list(m, bits, word + 1, *word == '+');
    return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' stands without a sign: +%s, -%s or only:%s",
                     m->row->name, word, word, word, word);
}

bool wfi_take_records(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    (void)a;
    return take_filter_word(m, word, m->c->records_known, m->c->records);
}

bool wfi_take_ids(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    (void)a;
    return take_filter_word(m, word, m->c->ids_known, m->c->ids);
}

void wfi_offer_records(const struct wf_session *s, wf_offer_fn offer, void *ctx) {
    for (unsigned i = 0; i < WF_GROUP_INFO; ++i) offer(ctx, wf_groups[i].name);
    for (unsigned i = 0; i < wf_user_group_count; ++i) offer(ctx, wf_user_groups[i].name);
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (is_in_version(s, &wf_rows[i]) && !is_fixed_row(&wf_rows[i]))
            offer(ctx, wf_rows[i].name);
    }
    wfi_offer_dict(s, WFI_USERS, offer, ctx);
}

void wfi_offer_ids(wf_offer_fn offer, void *ctx) {
    for (unsigned i = 0; i < wf_id_group_count; ++i) offer(ctx, wf_id_groups[i].name);
}
