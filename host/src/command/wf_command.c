// SPDX-License-Identifier: MIT
// Converts a row of the table and its words to frames: each word is appended to the payload by the
// function of its argument's kind.

#include "wallfly_host/wf_command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wfi_command.h"

struct wf_commander *wf_commander_open(struct wf_session *s) {
    struct wf_commander *c = calloc(1, sizeof *c);
    if (c) c->session = s;
    return c;
}

void wf_commander_close(struct wf_commander *c) { free(c); }
void wf_commander_assume(struct wf_commander *c) { c->assume = true; }

bool wfi_wrong(struct wfi_making *m, enum wf_made made, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(m->out->problem, sizeof m->out->problem, format, list);
    va_end(list);
    m->made = made;
    return false;
}

struct wf_frame *wfi_frame(struct wfi_making *m) {
    return &m->out->frame[m->out->count - 1];
}

static bool take_number(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t value = 0;
    bool whole = a->bytes == 4 && a->min == 0; // a 32-bit number may be given with a sign
    return (!word ||
            wfi_number(m, a->name, word, whole ? INT32_MIN : (int64_t)a->min, a->max, &value)) &&
           wfi_add(m, value, a->bytes);
}

static bool take_size(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    if (strlen(word) != 1 || !strchr("124", *word))
        return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' is not 1, 2 or 4", a->name, word);
    m->size = (unsigned)(*word - '0');
    return wfi_add(m, m->size, 1);
}

static bool take_item(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t value, top = UINT64_C(1) << (8 * m->size - 1);
    return wfi_number(m, a->name, word, (int64_t)(0 - top), 2 * top - 1, &value) &&
           wfi_add(m, value, m->size);
}

// The count comes before the first item.
static bool take_items(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    bool first = wfi_frame(m)->len == WFI_ITEM_AT;
    return (!first || wfi_add_count(m, m->count - 2)) && take_item(m, a, word);
}

static bool take_kind(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    bool new = wf_session_target(m->c->session)->version >= WFI_EP_KIND_SINCE;
    for (unsigned i = 0; i < WFI_OBJ_KINDS; ++i) {
        if (i > a->max || strcasecmp(wfi_object_kinds[i], word) != 0) continue;
        if (i < WFI_OBJ_KINDS - 1 || new) return wfi_add(m, i, 1);
    }
    return wfi_wrong(m, WF_MADE_WRONG, "%s: '%s' is not sm, ao, mp, eq, te%s", a->name, word,
                     a->max < 6 ? " or ap" : ", ap or sm-ao");
}

static bool take_object(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t object;
    (void)a;
    return wfi_object(m, word, &object) && wfi_add_object(m, object);
}

static bool take_switched(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t object;
    if (*word != '+' && *word != '-')
        return wfi_wrong(m, WF_MADE_WRONG, "%s: say +%s or -%s", m->row->name, word, word);
    if (!wfi_object(m, word + 1, &object)) return false;
    if (!object) return wfi_wrong(m, WF_MADE_WRONG, "%s: 0 is no active object", m->row->name);
    (void)a;
    return wfi_add_switched(m, *word == '-', object);
}

// The function is first in the words and last in the frame.
static bool take_function(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t function, data;
    (void)a;
    if (!wfi_named(m, WFI_FUNCTIONS, WF_TYPE_FUN, word, &function)) return false;
    if (!function) return wfi_wrong(m, WF_MADE_WRONG, "%s: 0 is no function", m->row->name);
    if (m->count < 2) return true; // the caller reports it
    return wfi_number(m, "DATA", m->word[1], INT32_MIN, UINT32_MAX, &data) &&
           wfi_add_probe(m, function, data);
}

static bool take_command(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    uint64_t id;
    (void)a;
    return wfi_named(m, WFI_APP_COMMANDS, WF_TYPE_U8, word, &id) && wfi_add(m, id, 1);
}

static bool take_word(struct wfi_making *m, const struct wf_argument *a, const char *word) {
    static bool (*const take[])(struct wfi_making *, const struct wf_argument *, const char *) = {
        [WF_ARG_NUMBER] = take_number,
        [WF_ARG_SIZE] = take_size,
        [WF_ARG_ITEM] = take_item,
        [WF_ARG_ITEMS] = take_items,
        [WF_ARG_KIND] = take_kind,
        [WF_ARG_OBJECT] = take_object,
        [WF_ARG_SWITCHED] = take_switched,
        [WF_ARG_FUNCTION] = take_function,
        [WF_ARG_COMMAND] = take_command,
        [WF_ARG_SIGNAL] = wfi_take_signal,
        [WF_ARG_PARAMETERS] = wfi_take_parameter,
        [WF_ARG_RECORDS] = wfi_take_records,
        [WF_ARG_IDS] = wfi_take_ids,
    };
    return take[a->kind](m, a, word);
}

static bool report_usage(struct wfi_making *m, const char *what) {
    char text[128];
    wf_command_usage(m->row, text, sizeof text);
    return wfi_wrong(m, WF_MADE_WRONG, "%s: %s; usage: %s", m->row->name, what, text);
}

// Returns whether there are as many words as arguments.
static bool check_count(struct wfi_making *m) {
    unsigned least = 0, most = 0;
    for (const struct wf_argument *a = m->row->arguments; a->kind; ++a) {
        least += !a->optional;
        most = a->many ? WF_WORDS_MAX : most + 1;
    }
    if (m->count > most) {
        char what[100];
        snprintf(what, sizeof what, "what is '%.60s'?", m->word[most]);
        return report_usage(m, what);
    }
    if (m->count >= least) return true;
    char what[100];
    snprintf(what, sizeof what, "%s is missing", m->row->arguments[m->count].name);
    return report_usage(m, what);
}

bool wfi_check_version(struct wfi_making *m) {
    bool by_id = m->row->record == WF_COMMAND_LOC_FILTER || m->row->record == WF_COMMAND_AO_FILTER;
    uint16_t version = wf_session_target(m->c->session)->version;
    if (!by_id || version >= WFI_QS_ID_SINCE) return true;
    return wfi_wrong(m, WF_MADE_WRONG, "%s: a target of QS %u.%u has no filter by QS-ID",
                     m->row->name, version / 100, version / 10 % 10);
}

static bool append_words(struct wfi_making *m) {
    if (!check_count(m) || !wfi_check_version(m)) return false;
    unsigned n = 0;
    for (const struct wf_argument *a = m->row->arguments; a->kind; ++a) {
        if (m->row->record == WF_COMMAND_TEST_PROBE && n == 1) break; // DATA was added before
        const char *word = n < m->count ? m->word[n] : NULL;
        // `init to:NAME` leaves the signal out.
        bool left_out = a->optional && !a->many && word && strncmp(word, "to:", 3) == 0;
        if (!a->many && !take_word(m, a, left_out ? NULL : word)) return false;
        n += !a->many && !left_out;
        while (a->many && n < m->count) {
            if (!take_word(m, a, m->word[n++])) return false;
        }
    }
    return true;
}

enum wf_made wf_command_make(struct wf_commander *c, char *const word[], unsigned count,
                             struct wf_request *request) {
    struct wfi_making m = {.c = c, .out = request};
    *request = (struct wf_request){.row = count ? wf_command_find(word[0]) : NULL};
    if (!request->row) {
        wf_command_known(count ? word[0] : "", request->problem, sizeof request->problem);
        return WF_MADE_WRONG;
    }
    m.row = request->row;
    m.word = word + 1;
    m.count = count - 1;
    m.made = WF_MADE;
    request->count = 1;
    request->frame[0].record = m.row->record;
    if (!append_words(&m)) request->count = 0;
    return m.made;
}

void wf_command_sent(struct wf_commander *c, const struct wf_frame *f) {
    bool bits = f->len == 1 + WF_FILTER_BYTES && f->payload[0] == WF_FILTER_BYTES;
    if (f->record == WF_COMMAND_GLB_FILTER && bits) {
        memcpy(c->records, f->payload + 1, WF_FILTER_BYTES);
        c->records_known = true;
    } else if (f->record == WF_COMMAND_LOC_FILTER && bits) {
        memcpy(c->ids, f->payload + 1, WF_FILTER_BYTES);
        c->ids_known = true;
    } else if (f->record == WF_COMMAND_CURR_OBJ && f->len) {
        unsigned kind = f->payload[0];
        if (kind != 0 && kind != 1 && kind != 6) return;
        c->machine = 0;
        for (size_t i = 1; i < f->len && i <= 8; ++i)
            c->machine |= (uint64_t)f->payload[i] << 8 * (i - 1);
    }
}

void wf_command_reset(struct wf_commander *c, bool keep) {
    c->machine = 0;
    if (!keep) c->records_known = c->ids_known = false;
}
