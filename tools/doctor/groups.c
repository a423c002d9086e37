// SPDX-License-Identifier: MIT
// Which groups of records occur. The filters of a target cannot be read, so a silent group is
// switched off, or nothing of its kind has happened.

#include <stdio.h>
#include <string.h>

#include "records.h"

// Groups that filters switch, as one family each: a program uses those of QP or of an RTOS.
#define WF_X(name, sentence) {WF_GROUP_##name, #name},
static const struct {
    enum wf_group group;
    const char *name;
} qp[] = {WF_QP_GROUPS(WF_X)}, own[] = {WF_OWN_GROUPS(WF_X)};
#undef WF_X

enum { FAMILY_QP = sizeof qp / sizeof *qp, FAMILY_OWN = sizeof own / sizeof *own };

static bool is_switched(enum wf_group group) {
    return group != WF_GROUP_WF && group != WF_GROUP_INFO && group != WF_GROUP_DICT &&
           group != WF_GROUP_TEST && group != WF_GROUP_FAIL && group != WF_GROUP_NONE;
}

static enum wf_group group_of(unsigned id) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].id == id) return wf_rows[i].group;
    }
    return id >= WF_USER_FIRST ? WF_GROUP_USER : WF_GROUP_NONE;
}

static void count_groups(const struct doctor_look *look, uint64_t counts[WF_GROUP_END]) {
    const struct wf_ledger *l = wf_session_ledger(look->session);
    memset(counts, 0, WF_GROUP_END * sizeof *counts);
    for (unsigned id = 0; id < 256; ++id) counts[group_of(id)] += l->by_id[id];
}

bool groups_any(const struct doctor_look *look) {
    uint64_t counts[WF_GROUP_END];
    count_groups(look, counts);
    for (unsigned i = 0; i < WF_GROUP_END; ++i) {
        if (counts[i] && is_switched((enum wf_group)i)) return true;
    }
    return false;
}

static void add_silent(enum wf_group group, const char *name, const uint64_t *counts, char *text,
                       size_t cap) {
    size_t len = strlen(text);
    if (is_switched(group) && !counts[group])
        snprintf(text + len, cap - len, "%s%s", len ? ", " : "", name);
}

static void list_silent(const uint64_t *counts, char *text, size_t cap) {
    bool any_qp = false, any_own = false;
    *text = 0;
    for (unsigned i = 0; i < FAMILY_QP; ++i) any_qp |= counts[qp[i].group] != 0;
    for (unsigned i = 0; i < FAMILY_OWN; ++i)
        any_own |= is_switched(own[i].group) && counts[own[i].group];
    for (unsigned i = 0; any_qp && i < FAMILY_QP; ++i)
        add_silent(qp[i].group, qp[i].name, counts, text, cap);
    for (unsigned i = 0; any_own && i < FAMILY_OWN; ++i)
        add_silent(own[i].group, own[i].name, counts, text, cap);
}

// `wallfly send --to=SOURCE 'filter all'`
static void filter_command(const struct doctor *d, char command[DOCTOR_COMMAND]) {
    char to[DOCTOR_COMMAND];
    *command = 0;
    if (!records_commandable(d)) return;
    snprintf(to, sizeof to, "--to=%s", d->source);
    doctor_command(d, "send", NULL, to, command);
    doctor_word(command, "filter all");
}

void groups_check(struct doctor *d) {
    uint64_t counts[WF_GROUP_END];
    char silent[160], command[DOCTOR_COMMAND];
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    count_groups(&d->look, counts);
    filter_command(d, command);
    if (wf_session_holds_frames(d->look.session)) return;
    if (!groups_any(&d->look)) {
        doctor_find(d, DOCTOR_FILTERS_OFF, command,
                    "%llu records, all of groups that are always on (information, names, "
                    "synchronisation); all other groups are silent",
                    (unsigned long long)l->records);
        return;
    }
    list_silent(counts, silent, sizeof silent);
    if (*silent) doctor_find(d, DOCTOR_GROUPS_SILENT, command, "silent: %s", silent);
}
