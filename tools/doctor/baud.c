// SPDX-License-Identifier: MIT
// Bytes that are no trace: says what they are, and on a serial line tries other rates.

#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "source.h"

// The likely ones first.
static const unsigned rates[] = {115200,  921600,  9600,  57600,  38400,  460800,  230400,
                                 1000000, 2000000, 19200, 500000, 250000, 1500000, 3000000};

static const enum doctor_id diagnoses[] = {
    [BYTES_TEXT] = DOCTOR_IS_TEXT, [BYTES_SEVEN_BITS] = DOCTOR_NOT_EIGHT_BITS,
    [BYTES_HDLC] = DOCTOR_IS_HDLC, [BYTES_COBS] = DOCTOR_IS_COBS,
    [BYTES_SLIP] = DOCTOR_IS_SLIP, [BYTES_INVERTED] = DOCTOR_INVERTED};

struct guess {
    enum bytes_kind kind;
    unsigned baud; // 0: the source has none
    char evidence[BYTES_EVIDENCE];
};

static void guess_bytes(const struct doctor_look *look, unsigned baud, struct guess *g) {
    g->baud = baud;
    g->kind = bytes_guess(look->sample, look->sample_len, g->evidence);
}

static void find_guess(struct doctor *d, const struct guess *g, unsigned given) {
    if (g->baud && g->baud != given)
        doctor_find(d, diagnoses[g->kind], NULL, "at %u baud %s", g->baud, g->evidence);
    else
        doctor_find(d, diagnoses[g->kind], NULL, "%s", g->evidence);
}

// Another tracer's stream that was joined in its middle, where its format is not detected.
static bool reads_as(const struct doctor_look *look, enum wf_lane_format format,
                     char evidence[BYTES_EVIDENCE]) {
    enum { EVENTS_MIN = 16 };
    const struct wf_trace_options options = {.size = sizeof options, .format = format};
    struct wf_error error;
    struct wf_item item;
    struct wf_trace *t = wf_trace_open(&options, &error);
    if (!t) return false;
    wf_trace_feed(t, 0, look->sample, look->sample_len);
    while (wf_trace_next(t, &item)) continue;
    struct wf_lane *lane = wf_trace_lane(t, 0, &error);
    const struct wf_ledger *l = lane ? wf_session_ledger(wf_lane_session(lane)) : NULL;
    bool reads = l && l->records >= EVENTS_MIN && l->bytes_bad * 20 <= l->bytes && !l->unknown;
    if (reads)
        snprintf(evidence, BYTES_EVIDENCE,
                 "as %s they have %llu events, with %llu of %llu bytes damaged",
                 wf_lane_format_title(format), (unsigned long long)l->records,
                 (unsigned long long)l->bytes_bad, (unsigned long long)l->bytes);
    wf_trace_close(t);
    return reads;
}

static bool find_format(struct doctor *d, const struct doctor_look *look, const char *source) {
    static const enum wf_lane_format formats[] = {WF_LANE_SYSTEMVIEW, WF_LANE_TONBANDGERAET};
    char evidence[BYTES_EVIDENCE], option[64], command[DOCTOR_COMMAND];
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; ++i) {
        if (!reads_as(look, formats[i], evidence)) continue;
        snprintf(option, sizeof option, "--input=%s", wf_lane_format_name(formats[i]));
        doctor_command(d, "print", source, option, command);
        doctor_find(d, DOCTOR_OTHER_FORMAT, command, "%s", evidence);
        return true;
    }
    return false;
}

static void find_noise(struct doctor *d, unsigned baud, unsigned tried) {
    char hex[80], rate[64] = "", tries[64] = "";
    bytes_hex(d->look.sample, d->look.sample_len, hex, sizeof hex);
    if (baud) snprintf(rate, sizeof rate, " at %u baud", baud);
    if (tried) snprintf(tries, sizeof tries, "; no frames at %u other rates", tried);
    doctor_find(d, DOCTOR_NOISE, NULL, "%llu bytes%s, as: %s%s", (unsigned long long)d->look.bytes,
                rate, hex, tries);
}

// The look at the right rate takes the place of the first one, so that its records are diagnosed.
static void find_rate(struct doctor *d, const char *device, unsigned given, unsigned baud,
                      struct doctor_look *look) {
    char source[320], command[DOCTOR_COMMAND];
    const struct wf_ledger *l = wf_session_ledger(look->session);
    snprintf(source, sizeof source, "serial:%s@%u", device, baud);
    doctor_command(d, "print", source, NULL, command);
    doctor_find(d, DOCTOR_WRONG_BAUD, command,
                "at %u baud %llu bytes without frames; at %u baud %llu good frames", given,
                (unsigned long long)d->look.bytes, baud, (unsigned long long)l->records);
    look_free(&d->look);
    d->look = *look;
}

// Returns whether there are frames at another rate. Keeps the most decisive guess of all rates.
static bool try_rates(struct doctor *d, const char *device, unsigned given, struct guess *best,
                      unsigned *tried) {
    static const double first_s = 0.4, run_s = 0.6;
    for (unsigned i = 0; i < sizeof rates / sizeof *rates; ++i) {
        struct look_limits limits = {.first_s = first_s, .run_s = run_s, .trial = true};
        struct doctor_look look;
        struct guess guess;
        char source[320];
        if (rates[i] == given) continue;
        if (look_seconds_left(d) <= 0 || d->look.interrupted) break;
        snprintf(source, sizeof source, "serial:%s@%u", device, rates[i]);
        look_at(d, source, &limits, &look);
        ++*tried;
        d->look.interrupted |= look.interrupted;
        if (look_has_trace(&look)) {
            find_rate(d, device, given, rates[i], &look);
            return true;
        }
        guess_bytes(&look, rates[i], &guess);
        if (guess.kind && (!best->kind || guess.kind < best->kind)) *best = guess;
        look_free(&look);
    }
    return false;
}

void bytes_check(struct doctor *d) {
    char device[256];
    unsigned given = 0, tried = 0;
    struct guess guess;
    bool serial = serial_parse(d->source, device, &given);
    guess_bytes(&d->look, given, &guess);
    bool decided = guess.kind && guess.kind < BYTES_SLIP;
    if (!decided && find_format(d, &d->look, d->source)) return;
    if (!decided && serial && try_rates(d, device, given, &guess, &tried)) return;
    if (guess.kind)
        find_guess(d, &guess, given);
    else
        find_noise(d, given, tried);
}
