// SPDX-License-Identifier: MIT
// Diagnoses of the records of a look.

#include <stdio.h>

#include "records.h"

typedef unsigned long long ull;

bool records_commandable(const struct doctor *d) {
    return d->live && !wf_link_is_file(d->source) && !wf_lane_format_is_foreign(d->look.format);
}

// A command that asks the target, if that may help.
static const char *ask_command(const struct doctor *d, char command[DOCTOR_COMMAND]) {
    if (!records_commandable(d) || d->look.asked) return NULL;
    doctor_command(d, "doctor", d->source, "--ask=always", command);
    return command;
}

static void check_layout(struct doctor *d) {
    const struct wf_verdict *v = wf_lane_verdict(d->look.lane);
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    char option[64], command[DOCTOR_COMMAND];
    bool wrong = v->kind == WF_VERDICT_WRONG_SIZES || v->kind == WF_VERDICT_MALFORMED;
    // Those before the target has sent its sizes were read with assumed ones.
    if (wf_session_target(d->look.session)->sizes_known)
        wrong = d->look.seen->malformed >= WF_VERDICT_MALFORMED_MIN;
    // Damaged records whose checksum is right by chance have a wrong length.
    if (doctor_has(d, DOCTOR_LOSS_ON_LINK) || doctor_has(d, DOCTOR_TEXT_BETWEEN))
        wrong = !wf_session_sizes_fit(d->look.session);
    if (wrong && v->sizes[0]) {
        snprintf(option, sizeof option, "--sizes=%s", v->sizes);
        doctor_command(d, "print", d->source, option, command);
        doctor_find(d, DOCTOR_WRONG_SIZES, command, "%s", v->text);
    } else if (wrong) {
        doctor_find(d, DOCTOR_MALFORMED, NULL, "%s", v->text);
    }
    if (l->unknown)
        doctor_find(d, DOCTOR_UNKNOWN_RECORDS, NULL, "%llu of %llu records", (ull)l->unknown,
                    (ull)l->records);
}

static void check_target(struct doctor *d) {
    enum { VERSION_SYNC = 660, RESETS_MANY = 3 };
    const struct wf_target *t = wf_session_target(d->look.session);
    char command[DOCTOR_COMMAND];
    if (d->live && d->look.seen->resets >= RESETS_MANY)
        doctor_find(d, DOCTOR_RESTARTS, NULL, "%u starts in %.1f s", d->look.seen->resets,
                    d->look.seconds);
    if (!t->known && !t->sizes_known)
        doctor_find(d, DOCTOR_NO_TARGET_INFO, ask_command(d, command), "%s",
                    d->look.asked ? "the command INFO was not answered" : "it was not asked");
    else if (t->known && t->version < VERSION_SYNC)
        doctor_find(d, DOCTOR_OLD_VERSION, NULL, "version %u.%u.%u", t->version / 100u,
                    t->version / 10u % 10, t->version % 10u);
    if (wf_session_holds_frames(d->look.session))
        doctor_find(d, DOCTOR_NUMBERS_MISSING, ask_command(d, command),
                    "frames wait at the end of the look");
}

static void check_names(struct doctor *d) {
    const struct doctor_seen *s = d->look.seen;
    char command[DOCTOR_COMMAND], first[32] = "";
    unsigned missing = 0;
    for (unsigned i = 0; i < s->key_count; ++i) {
        const struct seen_key *k = &s->keys[i];
        if (wf_session_name(d->look.session, k->dict, k->key, 0)) continue;
        if (!missing++) snprintf(first, sizeof first, "0x%llX", (ull)k->key);
    }
    if (missing)
        doctor_find(d, DOCTOR_NAMES_MISSING, ask_command(d, command),
                    "%u of %u objects and functions have no name, as %s", missing, s->key_count,
                    first);
}

static void find_healthy(struct doctor *d) {
    const struct doctor_look *look = &d->look;
    const struct wf_ledger *l = wf_session_ledger(look->session);
    const struct wf_name_counts names = wf_session_count_names(look->session);
    const struct wf_lane_slots *slots = wf_lane_get_slots(look->lane);
    uint64_t records = slots ? wf_slots_get_ledger(slots->slots)->events : l->records;
    unsigned tasks = 0;
    char rate[80] = "", others[64] = "", command[DOCTOR_COMMAND];
    if (look->lane_end > 1)
        snprintf(others, sizeof others, "; lane %u, the one with most bytes, of %u",
                 wf_lane_number(look->lane), look->lane_end);
    for (unsigned i = 0; i < look->seen->key_count; ++i) tasks += look->seen->keys[i].task;
    if (look->seconds > 0)
        snprintf(rate, sizeof rate, " in %.1f s (%.0f records/s, %.0f bytes/s)", look->seconds,
                 (double)records / look->seconds, (double)look->bytes / look->seconds);
    doctor_command(d, "serve", d->source, NULL, command);
    doctor_find(
        d, DOCTOR_HEALTHY, command,
        "%s: %llu records, %llu bytes%s; %zu names of objects, %zu of functions; %u tasks%s",
        wf_lane_format_title(look->format), (ull)records, (ull)wf_lane_bytes(look->lane), rate,
        names.objects, names.functions, tasks, others);
}

void doctor_records(struct doctor *d) {
    if (!look_has_trace(&d->look) || !d->look.seen) return;
    bool frames = d->look.format == WF_LANE_FRAMES;
    d->failed |= d->look.seen->failed;
    losses_check(d);
    if (frames) {
        check_layout(d);
        check_target(d);
        groups_check(d);
        clock_check(d);
        check_names(d);
    }
    if (!doctor_has_fault(d)) find_healthy(d);
}
