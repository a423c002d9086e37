// SPDX-License-Identifier: MIT
// The verdict on a trace: whether it is one, whether its sizes are right, whether it is whole.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wfi_trace.h"

static const struct wf_slots_ledger *slots_ledger(struct wf_lane *l) {
    const struct wf_lane_slots *s = wf_lane_get_slots(l);
    return s ? wf_slots_get_ledger(s->slots) : NULL;
}

static void judge_loss(struct wf_verdict *v, const struct wf_ledger *l,
                       const struct wf_slots_ledger *slots) {
    bool records = l->missing || l->bytes_bad || l->bytes_lost || l->malformed;
    bool events = slots && wf_slots_ledger_is_lossy(slots);
    v->lossy = records || events;
    if (events)
        snprintf(v->loss, sizeof v->loss, "the trace is not whole");
    else if (records)
        snprintf(v->loss, sizeof v->loss,
                 "%" PRIu64 " records missing, %" PRIu64 " bytes damaged, %" PRIu64
                 " records malformed",
                 l->missing, l->bytes_bad + l->bytes_lost, l->malformed);
}

// Describes sizes that would fit: "object looks like 8 bytes, not 4".
static void describe_sizes(struct wf_verdict *v, const struct wf_target *t) {
    for (const char *p = v->sizes; *p; p += 2) {
        for (unsigned i = 0; i < WF_TYPE_END; ++i) {
            size_t at = strlen(v->text);
            if (wf_types[i].letter != *p) continue;
            snprintf(v->text + at, sizeof v->text - at, "%s%s looks like %c byte%s, not %u",
                     p == v->sizes ? ": " : ", ", wf_types[i].sentence, p[1],
                     p[1] == '1' ? "" : "s", t->bytes[i]);
        }
    }
}

static void judge_sizes(struct wf_lane *l, const struct wf_ledger *ledger) {
    struct wf_verdict *v = &l->verdict;
    uint64_t fits;
    bool most = !wf_session_sizes_fit(l->session);
    if (!most && ledger->malformed < WF_VERDICT_MALFORMED_MIN) return;
    v->kind = most ? WF_VERDICT_WRONG_SIZES : WF_VERDICT_MALFORMED;
    snprintf(v->text, sizeof v->text,
             "%" PRIu64 " of %" PRIu64 " records do not have the length that the field sizes "
             "give",
             ledger->malformed, ledger->records);
    if (!wf_session_guess_sizes(l->session, v->sizes, sizeof v->sizes, &fits) ||
        fits * 2 < ledger->malformed)
        v->sizes[0] = 0;
    if (v->sizes[0])
        describe_sizes(v, wf_session_target(l->session));
    else
        strncat(v->text, "; no other sizes fit them", sizeof v->text - strlen(v->text) - 1);
}

const struct wf_verdict *wf_lane_verdict(struct wf_lane *l) {
    const struct wf_ledger *ledger = wf_session_ledger(l->session);
    const struct wf_slots_ledger *slots = slots_ledger(l);
    struct wf_verdict *v = &l->verdict;
    *v = (struct wf_verdict){.kind = WF_VERDICT_GOOD};
    judge_loss(v, ledger, slots);
    // In a later file of a split recording the target may be known, even if no record is left.
    bool none = slots ? slots->bytes && !slots->slots
                      : ledger->bytes && !ledger->records && !wf_session_target(l->session)->known;
    if (!none) {
        judge_sizes(l, ledger);
        return v;
    }
    v->kind = WF_VERDICT_NO_TRACE;
    if (slots)
        snprintf(v->text, sizeof v->text, "not a kernel-event log: no slot in %" PRIu64 " bytes",
                 slots->bytes);
    else if (l->reader && l->reader->import)
        snprintf(v->text, sizeof v->text, "%s: no event in %" PRIu64 " bytes",
                 l->reader->import->name, ledger->bytes);
    else
        snprintf(v->text, sizeof v->text, "not a QP/Spy trace: no good record in %" PRIu64 " bytes",
                 ledger->bytes);
    return v;
}

static void keep_loss(struct wf_verdict *to, const struct wf_verdict *from) {
    if (to->lossy || !from->lossy) return;
    to->lossy = true;
    memcpy(to->loss, from->loss, sizeof to->loss);
}

const struct wf_verdict *wf_trace_verdict(struct wf_trace *t) {
    struct wf_verdict *worst = &t->verdict;
    const struct wf_recording_info *r = wf_trace_recording(t);
    *worst = (struct wf_verdict){.kind = WF_VERDICT_GOOD};
    for (unsigned i = 0; i < t->lane_count; ++i) {
        const struct wf_verdict *v = wf_lane_verdict(t->lanes[i]);
        const struct wf_verdict before = *worst;
        if (v->kind > worst->kind) *worst = *v;
        keep_loss(worst, v);
        keep_loss(worst, &before);
    }
    if (worst->lossy || !r || (!r->damages && (r->complete || !t->recorded->ended))) return worst;
    worst->lossy = true;
    snprintf(worst->loss, sizeof worst->loss, "the recording is not whole");
    return worst;
}
