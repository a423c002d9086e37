// SPDX-License-Identifier: MIT
// Connections: peer, connect and disconnect time, bytes received. They are printed as lines in the
// text of a recording, except in QSPY's style, which has no such lines for files.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stream.h"

void recording_time(const struct stream *s, uint64_t us, char text[40]) {
    uint64_t ns = s->recording->head.start_ns + us * 1000;
    time_t seconds = (time_t)(ns / 1000000000);
    struct tm t;
    gmtime_r(&seconds, &t);
    size_t n = strftime(text, 40, "%Y-%m-%d %H:%M:%S", &t);
    snprintf(text + n, 40 - n, ".%06uZ", (unsigned)(ns / 1000 % 1000000));
}

static void print_line(struct lane *l, const char *peer, const char *what, const char *why,
                       uint64_t time_us) {
    struct stream *s = l->stream;
    char line[512], at[40];
    if (!s->recording || !l->writers || s->qspy || !*peer) return; // of a part there is no name
    recording_time(s, time_us, at);
    snprintf(line, sizeof line, "%18s---- %s %s%s%s, %s", "", peer, what, *why ? ": " : "", why,
             at);
    for (unsigned i = 0; i < s->out_count; ++i) {
        if (strcmp(s->outs[i].format->name, "text") == 0) wf_writer_line(l->writers[i], line);
    }
}

static struct connection *current_connection(struct lane *l) {
    return l->connection ? &l->stream->connections[l->connection - 1] : NULL;
}

void connection_begin(struct lane *l, const char *peer, uint64_t time_us) {
    struct stream *s = l->stream;
    const struct wf_ledger *ledger = wf_session_ledger(l->session);
    struct connection *more = realloc(s->connections, (s->connection_count + 1) * sizeof *more);
    l->announced = false;
    l->connection = 0;
    if (!more) return;
    s->connections = more;
    struct connection *v = &more[s->connection_count];
    *v = (struct connection){.lane = l->number,
                             .from_us = time_us,
                             .bytes = ledger->bytes,
                             .records = ledger->records,
                             .missing = ledger->missing};
    snprintf(v->peer, sizeof v->peer, "%s", peer);
    l->connection = ++s->connection_count;
}

void connection_begun(struct lane *l, bool continues) {
    struct connection *v = current_connection(l);
    if (!v || l->announced) return;
    l->announced = true;
    v->continues = continues;
    print_line(l, v->peer, continues ? "goes on from the file before" : "connected", "",
               v->from_us);
}

void connection_nameless(struct lane *l, bool nameless) {
    struct connection *v = current_connection(l);
    if (v) v->nameless = nameless;
}

void connection_end(struct lane *l, uint64_t time_us, const char *why) {
    const struct wf_ledger *ledger = wf_session_ledger(l->session);
    struct connection *v = current_connection(l);
    if (!v) return;
    connection_begun(l, false);
    v->to_us = time_us;
    v->bytes = ledger->bytes - v->bytes;
    v->records = ledger->records - v->records;
    v->missing = ledger->missing - v->missing;
    snprintf(v->why, sizeof v->why, "%s", why);
    print_line(l, v->peer, "disconnected", why, v->to_us);
    l->connection = 0;
}
