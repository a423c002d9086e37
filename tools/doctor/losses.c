// SPDX-License-Identifier: MIT
// Losses, by where they happen: in the target's ring, or between the target and this machine.

#include <stdio.h>

#include "records.h"
#include "source.h"

typedef unsigned long long ull;

// Returns the length of the trace in seconds; 0: not known.
static double length_s(const struct doctor *d) {
    const struct doctor_seen *s = d->look.seen;
    uint64_t hz = wf_session_target(d->look.session)->hz;
    if (d->live) return d->look.seconds;
    return hz ? (double)(s->tick_last - s->tick_first) / (double)hz : 0;
}

// Returns whether a serial line is in use nearly all the time: 10 bits a byte.
static bool is_saturated(const struct doctor *d, double seconds, unsigned *baud) {
    enum { PERCENT = 90, BITS = 10 };
    char device[256];
    if (!d->live || seconds <= 0 || !serial_parse(d->source, device, baud)) return false;
    return (double)d->look.bytes / seconds * BITS * 100 >= (double)*baud * PERCENT;
}

static void check_target(struct doctor *d) {
    const struct doctor_seen *s = d->look.seen;
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    double seconds = length_s(d);
    char rate[128] = "";
    unsigned baud;
    if (!l->given_up) return;
    double came = seconds > 0 ? (double)l->bytes / seconds : 0;
    double made = seconds > 0 ? (double)(l->bytes + s->total_bytes) / seconds : 0;
    if (seconds > 0)
        snprintf(rate, sizeof rate, "; %.0f bytes/s are made, %.0f arrive", made, came);
    if (is_saturated(d, seconds, &baud)) {
        doctor_find(d, DOCTOR_LINK_SATURATED, NULL,
                    "%llu of %llu records given up by the target%s, and %u baud carry at most %u",
                    (ull)l->given_up, (ull)(l->records + l->missing), rate, baud, baud / 10);
        return;
    }
    if (!s->bursts) { // another tracer's, or counted before the look
        doctor_find(d, DOCTOR_RING_OVERFLOWS, NULL, "%llu of %llu records given up by the target%s",
                    (ull)l->given_up, (ull)(l->records + l->missing), rate);
        return;
    }
    doctor_find(d, DOCTOR_RING_OVERFLOWS, NULL,
                "%llu of %llu records (%llu bytes) given up by the target in %llu bursts%s; a ring "
                "that is %llu bytes larger would have held the largest burst",
                (ull)l->given_up, (ull)(l->records + l->missing), (ull)s->total_bytes,
                (ull)s->bursts, rate, (ull)s->burst_bytes);
}

enum { TEXTS_MIN = 3 }; // fewer pieces may look like text by chance

static void check_link(struct doctor *d) {
    const struct doctor_seen *s = d->look.seen;
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    uint64_t damages = l->damage[WF_DAMAGE_BAD_SUM] + l->damage[WF_DAMAGE_TOO_SHORT] +
                       l->damage[WF_DAMAGE_TOO_LONG];
    uint64_t missing = l->missing > l->given_up ? l->missing - l->given_up : 0;
    if (d->live && s->begins_within && damages) --damages; // the look began within a frame
    if (s->texts >= TEXTS_MIN && s->texts * 2 >= damages) {
        doctor_find(d, DOCTOR_TEXT_BETWEEN, NULL, "%llu pieces of text between frames, as: %s",
                    (ull)s->texts, s->text);
        return;
    }
    if (!damages && missing && missing <= s->unreported) {
        doctor_find(d, DOCTOR_LOSS_NOT_REPORTED, NULL, "%llu of %llu records are missing%s",
                    (ull)missing, (ull)(l->records + l->missing), l->exact ? "" : " or more");
        return;
    }
    if (!damages && !missing) return;
    doctor_find(d, DOCTOR_LOSS_ON_LINK, NULL,
                "%llu records missing%s that the target did not give up (it gave up %llu); %llu "
                "damaged pieces, %llu of %llu bytes",
                (ull)missing, l->exact ? "" : " or more", (ull)l->given_up, (ull)damages,
                (ull)l->bytes_bad, (ull)l->bytes);
}

static void check_slots(struct doctor *d, const struct wf_lane_slots *slots) {
    const struct wf_slots_ledger *l = wf_slots_get_ledger(slots->slots);
    if (wf_slots_ledger_is_lossy(l))
        doctor_find(d, DOCTOR_SLOTS_LOST, NULL, "%llu events; %s", (ull)l->events,
                    slots_missing(l).text);
}

static void check_file(struct doctor *d) {
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    const struct doctor_look *look = &d->look;
    if (d->live || !(look->cut || look->damaged || l->damage[WF_DAMAGE_CUT])) return;
    doctor_find(d, DOCTOR_TRUNCATED, NULL, "%s",
                look->damaged ? "parts of the recording are damaged"
                : look->cut   ? "the recording ends without its index"
                              : "the last frame is cut");
}

void losses_check(struct doctor *d) {
    const struct wf_lane_slots *slots = wf_lane_get_slots(d->look.lane);
    check_file(d);
    if (slots) {
        check_slots(d, slots);
        return;
    }
    check_target(d);
    check_link(d);
}
