// SPDX-License-Identifier: MIT
// Looks at the source, and says why there is no trace: from what prevents the look to what the
// bytes are.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source.h"

enum { CONNECT_S = 2 };

bool source_is(const struct doctor *d, const char *kind) {
    size_t len = strlen(kind);
    return strncmp(d->source, kind, len) == 0 && (d->source[len] == ':' || !d->source[len]);
}

static void file_closed(struct doctor *d) {
    struct stat st;
    bool standard = strcmp(d->source, "-") == 0;
    if (!standard && access(d->source, F_OK) == 0 && access(d->source, R_OK) != 0)
        doctor_find(d, DOCTOR_NO_PERMISSION, NULL, "%s", strerror(EACCES));
    else if (!standard && stat(d->source, &st) == 0 && S_ISREG(st.st_mode) && !st.st_size)
        doctor_find(d, DOCTOR_EMPTY_FILE, NULL, "0 bytes");
    else
        doctor_find(d, DOCTOR_NOT_READABLE, NULL, "%s", d->look.why);
}

static void source_closed(struct doctor *d) {
    if (d->look.err == WF_ERR_USAGE)
        d->code = diag_error(EXIT_USAGE, "%s", d->look.why);
    else if (d->look.err == WF_ERR_NOMEM)
        d->failed = true;
    else if (wf_link_is_file(d->source))
        file_closed(d);
    else
        net_closed(d);
}

static void source_silent(struct doctor *d) {
    char command[DOCTOR_COMMAND];
    if (!d->look.connected) {
        net_silent(d);
        return;
    }
    if (d->look.ended) {
        doctor_find(d, DOCTOR_EMPTY_FILE, NULL, "0 bytes");
        return;
    }
    unsigned tried = 0;
    char rates[64] = "";
    if (!d->look.interrupted && baud_search(d, &tried)) return;
    if (tried) snprintf(rates, sizeof rates, ", and none at %u other rates", tried);
    bool ask = d->ask != WF_ASK_ALWAYS && !wf_link_is_file(d->source);
    doctor_command(d, "doctor", d->source, "--ask=always", command);
    doctor_find(d, DOCTOR_NO_BYTES, ask ? command : NULL, "%s is open; 0 bytes in %.1f s%s%s%s",
                d->look.peer, d->seconds - look_seconds_left(d), rates,
                d->look.asked ? "; the command INFO was not answered" : "",
                d->look.why[0] ? d->look.why : "");
}

// Links that connect are refused at once; others may wait for the user to start the target. A
// silent serial line needs time for other rates.
static double first_byte_s(const struct doctor *d) {
    static const double share = 0.4;
    bool connects = source_is(d, "tcp") || source_is(d, "spy") || source_is(d, "rtt");
    if (source_is(d, "serial")) return d->seconds * share;
    return connects && d->seconds > CONNECT_S ? CONNECT_S : d->seconds;
}

void doctor_link(struct doctor *d) {
    struct look_limits limits = {.first_s = first_byte_s(d), .run_s = RUN_S};
    d->live = wf_link_is_live(d->source);
    d->began_ns = uv_hrtime();
    if (source_is(d, "serial")) serial_check(d);
    if (doctor_has_fault(d) || d->code != EXIT_GOOD) return;
    look_at(d, d->source, &limits, &d->look);
    bool rtt = source_is(d, "rtt"); // doctor_rtt knows more
    if (d->look.err)
        source_closed(d);
    else if (!d->look.bytes && !rtt)
        source_silent(d);
    else if (d->look.bytes && !look_has_trace(&d->look))
        bytes_check(d);
    else if (d->look.sample_len)
        bytes_suspect(d);
}
