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

// A longer look at the right rate takes the place of the first one, so that its records are
// diagnosed. A rate that gave frames but does not now is still the right one.
static void find_rate(struct doctor *d, const char *source, unsigned given, unsigned baud,
                      uint64_t frames) {
    const struct look_limits limits = {.first_s = RUN_S, .run_s = RUN_S};
    snprintf(d->corrected, sizeof d->corrected, "%s", source);
    d->source = d->corrected; // of all commands from here on
    doctor_find(d, DOCTOR_WRONG_BAUD, NULL,
                "at %u baud %llu bytes without frames; at %u baud %llu good frames", given,
                (unsigned long long)d->look.bytes, baud, (unsigned long long)frames);
    if (look_seconds_left(d) <= 0) return;
    look_free(&d->look);
    look_at(d, source, &limits, &d->look);
}

enum { SPARE = 4 }; // times of a rate that are left for the look at the right one

// Returns whether there are frames at another rate. Keeps the most decisive guess of all rates.
static bool try_rates(struct doctor *d, const char *device, unsigned given, struct guess *best,
                      unsigned *tried) {
    static const double least_s = 0.4, most_s = 2, run_s = 1.2;
    unsigned left = sizeof rates / sizeof *rates + SPARE;
    for (unsigned i = 0; i < sizeof rates / sizeof *rates; ++i) {
        double share = look_seconds_left(d) / left--;
        double first_s = share < least_s ? least_s : share > most_s ? most_s : share;
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
        bool trace = look_has_trace(&look);
        uint64_t frames = trace ? wf_session_ledger(look.session)->records : 0;
        if (!trace) guess_bytes(&look, rates[i], &guess);
        if (!trace && guess.kind && (!best->kind || guess.kind < best->kind)) *best = guess;
        look_free(&look);
        if (!trace) continue;
        find_rate(d, source, given, rates[i], frames);
        return true;
    }
    return false;
}

static bool find_program(struct doctor *d) {
    static const char magic[] = {0x7F, 'E', 'L', 'F'};
    char option[DOCTOR_COMMAND], command[DOCTOR_COMMAND];
    if (d->live || d->look.sample_len < sizeof magic ||
        memcmp(d->look.sample, magic, sizeof magic) != 0)
        return false;
    snprintf(option, sizeof option, "--elf=%s", d->source);
    doctor_command(d, "doctor", NULL, option, command);
    doctor_find(d, DOCTOR_IS_PROGRAM, command, "an ELF file");
    return true;
}

void bytes_check(struct doctor *d) {
    char device[256];
    unsigned given = 0, tried = 0;
    struct guess guess;
    bool serial = serial_parse(d->source, device, &given);
    if (find_program(d)) return;
    guess_bytes(&d->look, given, &guess);
    bool decided = guess.kind && guess.kind < BYTES_SLIP;
    if (!decided && find_format(d, &d->look, d->source)) return;
    if (!decided && serial && try_rates(d, device, given, &guess, &tried)) return;
    if (guess.kind)
        find_guess(d, &guess, given);
    else
        find_noise(d, given, tried);
}

// With another fault the first trace needs another look.
void baud_command(struct doctor *d) {
    bool alone = true;
    for (unsigned i = 0; i < d->count; ++i) {
        enum doctor_id id = d->findings[i].id;
        alone &= id == DOCTOR_WRONG_BAUD || doctor_rows[id].severity > DOCTOR_FAULT;
    }
    for (unsigned i = 0; i < d->count; ++i) {
        struct doctor_finding *f = &d->findings[i];
        if (f->id == DOCTOR_WRONG_BAUD)
            doctor_command(d, alone ? "print" : "doctor", d->source, NULL, f->command);
    }
}

bool baud_search(struct doctor *d, unsigned *tried) {
    char device[256];
    unsigned given;
    struct guess guess = {.kind = BYTES_UNKNOWN};
    if (!serial_parse(d->source, device, &given)) return false;
    if (try_rates(d, device, given, &guess, tried)) return true;
    if (guess.kind) find_guess(d, &guess, given);
    return guess.kind != BYTES_UNKNOWN;
}

void bytes_suspect(struct doctor *d) {
    const struct wf_ledger *l = wf_session_ledger(d->look.session);
    struct guess guess;
    if (d->look.format != WF_LANE_FRAMES || l->bytes_bad * 4 < l->bytes) return;
    guess_bytes(&d->look, 0, &guess);
    if (guess.kind != BYTES_SEVEN_BITS) return;
    find_guess(d, &guess, 0);
    d->look.garbled = true;
}
