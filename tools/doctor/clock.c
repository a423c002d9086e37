// SPDX-License-Identifier: MIT
// The target's clock.

#include <math.h>
#include <stdio.h>

#include "records.h"

enum { STAMPS_MIN = 16 };
static const double span_min_s = 1, off_max = 0.25;

// Rounds to three digits: more are not measured.
static uint64_t round_rate(double hz) {
    uint64_t unit = 1, rate = (uint64_t)(hz + 0.5);
    while (rate / unit >= 1000) unit *= 10;
    return (rate + unit / 2) / unit * unit;
}

// Returns the greatest distance of an arrival from where the rate has it, in seconds: delays of
// buffers, and of a busy computer, change during the look by as much.
static double find_delay(const struct doctor_seen *s, double rate) {
    const struct seen_arrival *first = &s->arrivals[0];
    double most = 0;
    for (unsigned i = 0; i < s->arrival_count; ++i) {
        double due = first->at + ((double)s->arrivals[i].tick - (double)first->tick) / rate;
        double delay = fabs(s->arrivals[i].at - due);
        if (delay > most) most = delay;
    }
    return most;
}

static void compare_rate(struct doctor *d, uint64_t hz) {
    const struct doctor_seen *s = d->look.seen;
    const struct seen_arrival *first = &s->arrivals[0];
    char option[64], command[DOCTOR_COMMAND];
    if (!d->live || !s->arrival_count) return;
    double span = s->at_last - first->at;
    if (span < span_min_s || s->tick_last <= first->tick) return;
    double ticks = (double)(s->tick_last - first->tick), measured = ticks / span;
    double off = fabs(ticks / (double)hz - span);
    if (off <= off_max * span + 2 * find_delay(s, measured)) return;
    snprintf(option, sizeof option, "--rate=%llu", (unsigned long long)round_rate(measured));
    doctor_command(d, "print", d->source, option, command);
    doctor_find(d, DOCTOR_CLOCK_WRONG, command,
                "the target reports %llu ticks/s; %.3g ticks/s were measured in %.1f s",
                (unsigned long long)hz, measured, span);
}

// A counter that is set back looks like one that wraps, but it wraps too often for its rate.
static bool wraps_too_often(const struct doctor *d, uint64_t hz) {
    const struct doctor_seen *s = d->look.seen;
    const struct wf_target *t = wf_session_target(d->look.session);
    unsigned bits = 8u * t->bytes[WF_TYPE_TIME];
    double period = 1;
    for (unsigned i = 0; i < bits; ++i) period *= 2;
    return d->live && hz && (double)s->wraps > 2 + (double)hz * (s->at_last - s->at_first) / period;
}

void clock_check(struct doctor *d) {
    const struct doctor_seen *s = d->look.seen;
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    uint64_t hz = wf_session_target(d->look.session)->hz;
    char command[DOCTOR_COMMAND];
    if (s->stamped >= STAMPS_MIN && s->tick_first == s->tick_last) {
        doctor_find(d, DOCTOR_CLOCK_STANDS, NULL, "%llu records with the time %llu",
                    (unsigned long long)s->stamped, (unsigned long long)s->tick_last);
        return;
    }
    // One damaged record whose checksum is right by chance may have any time.
    bool damaged = doctor_has(d, DOCTOR_LOSS_ON_LINK) || doctor_has(d, DOCTOR_TEXT_BETWEEN);
    if ((l->back || wraps_too_often(d, hz)) && !damaged)
        doctor_find(d, DOCTOR_CLOCK_BACK, NULL, "%llu of %llu times are lower than the one before",
                    (unsigned long long)(l->back + s->wraps),
                    (unsigned long long)(s->stamped + l->back));
    else if (hz && !damaged)
        compare_rate(d, hz);
    if (hz || !s->stamped) return;
    doctor_command(d, "print", d->source, "--rate=HZ", command);
    doctor_find(d, DOCTOR_NO_CLOCK_RATE, NULL, "%llu times, no rate",
                (unsigned long long)s->stamped);
}
