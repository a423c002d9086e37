// SPDX-License-Identifier: MIT
// `wallfly info` as text. Each lane: target, sizes, time span, records by type, loss ledger.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"

static const char *group_of(const struct lane *s, unsigned id) {
    const struct wf_row *row = info_row(s, id);
    if (row) return wf_groups[row->group].name;
    return id >= WF_USER_FIRST ? "USER" : "?";
}

static bool is_text(const struct lane *l) { return wf_lane_get_format(l->of) == WF_LANE_TEXT; }

static void target_text(const struct lane *s, const struct wf_target *t) {
    if ((s->slots || is_text(s)) && !t->known) {
        // it is printed from the attributes, or not available
    } else if (!t->known) {
        printf("target      is unknown; sizes are %s\n",
               t->sizes_known ? "from its SYNC records" : "assumed");
    } else {
        const uint8_t *b = t->built;
        printf("target      QS %u.%u.%u%s, %s-endian", t->version / 100, t->version / 10 % 10,
               t->version % 10,
               t->framework == 1   ? " (C)"
               : t->framework == 2 ? " (C++)"
                                   : "",
               t->big_endian ? "big" : "little");
        if (b[5]) {
            printf(", built 20%02u-%02u-%02u %02u:%02u:%02u", b[5], b[4], b[3], b[2], b[1], b[0]);
        }
        if (t->build_id) printf(", build id %08X", t->build_id);
        printf(", %u start%s\n", t->resets, t->resets == 1 ? "" : "s");
    }
    printf("sizes       ");
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (wf_types[i].letter) printf("%c%u ", wf_types[i].letter, t->bytes[i]);
    }
    printf("\n");
}

static void time_text(const struct lane *s, const struct wf_target *t) {
    if (!s->ticks_known) {
        printf("time        no time stamps\n");
    } else if (t->hz) {
        double hz = (double)t->hz;
        printf("time        %.6f s long, %.6f s to %.6f s of the target's clock, %" PRIu64
               " ticks a second\n",
               (double)(s->tick_last - s->tick_first) / hz, (double)s->tick_first / hz,
               (double)s->tick_last / hz, t->hz);
    } else {
        printf("time        tick %" PRIu64 " to %" PRIu64 ", %" PRIu64
               " long, rate unknown (set it by --rate=HZ)\n",
               s->tick_first, s->tick_last, s->tick_last - s->tick_first);
    }
}

static void ledger_text(const struct wf_ledger *l, bool lines) {
    const char *shows = lines ? "sender" : "sequence";
    printf("loss ledger\n");
    printf("  records   %12" PRIu64 " arrived intact\n", l->records);
    printf("            %12" PRIu64 " missing", l->missing);
    if (l->exact)
        printf(", exact by the target's own count\n");
    else if (l->missing)
        printf(" or more: only the %s shows\n", lines ? "sender" : "8-bit sequence");
    else
        printf(" as far as the %s shows\n", shows);
    if (l->missing) {
        printf("            %12" PRIu64 " of them given up by the target\n", l->given_up);
        printf("            %12" PRIu64 " %s\n", l->holes, l->holes == 1 ? "hole" : "holes");
    }
    if (l->late) printf("            %12" PRIu64 " came late\n", l->late);
    if (l->repeated) printf("            %12" PRIu64 " came twice\n", l->repeated);
    if (l->back) printf("            %12" PRIu64 " with a time stamp before the last\n", l->back);
    if (l->malformed) printf("            %12" PRIu64 " of a wrong length\n", l->malformed);
    if (l->unknown) printf("            %12" PRIu64 " of unknown number\n", l->unknown);
    printf("  bytes     %12" PRIu64 " in good records\n", l->bytes_good);
    if (l->packed_frames && l->records) {
        printf("            %12.2f a record, with %" PRIu64 " packed frames\n",
               (double)l->bytes_good / (double)l->records, l->packed_frames);
    }
    printf("            %12" PRIu64 " damaged: %" PRIu64 " %s, %" PRIu64 " too short, %" PRIu64
           " too long, %" PRIu64 " cut off\n",
           l->bytes_bad, l->damage[WF_DAMAGE_BAD_SUM], lines ? "no line of it" : "bad checksum",
           l->damage[WF_DAMAGE_TOO_SHORT], l->damage[WF_DAMAGE_TOO_LONG], l->damage[WF_DAMAGE_CUT]);
    if (l->damage[WF_DAMAGE_BY_TARGET]) {
        printf("            %12" PRIu64 " frames cut by the target, in these bytes\n",
               l->damage[WF_DAMAGE_BY_TARGET]);
    }
    if (l->bytes_repeated) printf("            %12" PRIu64 " repeated\n", l->bytes_repeated);
    if (l->bytes_lost) {
        printf("            %12" PRIu64 " lost in damaged parts of the recording\n", l->bytes_lost);
    }
    if (l->bytes_idle)
        printf("            %12" PRIu64 " %s\n", l->bytes_idle,
               lines ? "of empty lines" : "idle flags");
    printf("            %12" PRIu64 " in all\n", l->bytes);
}

static const char *fit_text(const struct lane *s) {
    switch (wf_program_fit(s->session, NULL)) {
    case WF_PROGRAM_FITS: return "its build id is the target's";
    case WF_PROGRAM_OTHER_BUILD: return "another build than the target's: not used";
    case WF_PROGRAM_UNPLACED: return "not known where it was loaded: not used";
    default: return "build id not compared";
    }
}

static void program_text(const struct lane *s) {
    const struct names *n = &s->stream->names;
    uint64_t at;
    if (!n->program) return;
    const struct wf_program_info *p = wf_program_about(n->program);
    wf_program_fit(s->session, &at);
    printf("program     %s, %s%s%s", shown_text(n->file), p->kind_name, *p->machine ? " for " : "",
           p->machine);
    printf(", %zu objects, %zu functions; %s", p->objects, p->functions, fit_text(s));
    if (at) printf("; loaded at 0x%" PRIX64, at);
    putchar('\n');
}

static void records_text(const struct lane *s) {
    const struct wf_ledger *l = wf_session_ledger(s->session);
    struct wf_name_counts n = wf_session_count_names(s->session);
    printf("names       %zu objects, %zu functions, %zu signals, %zu application records, "
           "%zu enumeration values",
           n.objects, n.functions, n.signals, n.users, n.enums);
    printf(n.irqs ? ", %zu interrupts\n" : "\n", n.irqs);
    program_text(s);
    printf("records     ");
    const char *indent = "";
    for (unsigned id = 0; id < 256; ++id) {
        char text[64];
        if (!l->by_id[id]) continue;
        printf("%s%-5s %-22s %12" PRIu64 "\n", indent, group_of(s, id),
               shown_text(info_record_name(s, id, text)), l->by_id[id]);
        indent = "            ";
    }
    if (!*indent) printf("none\n");
}

static void lane_text(const struct lane *s) {
    const struct wf_ledger *l = wf_session_ledger(s->session);
    const struct wf_target *t = wf_session_target(s->session);
    bool records = !s->slots || l->records, foreign = info_is_foreign(s);
    if (s->slots) info_slots_text(s);
    if (foreign)
        info_foreign_target(s);
    else if (records)
        target_text(s, t);
    time_text(s, t);
    if (records) records_text(s);
    if (foreign)
        info_foreign_losses(s);
    else if (!s->slots)
        ledger_text(l, is_text(s));
    if (foreign) info_foreign_lacks(s);
}

static void connections_text(const struct stream *s) {
    for (unsigned i = 0; i < s->connection_count; ++i) {
        const struct connection *v = &s->connections[i];
        char from[40], to[40];
        recording_time(s, v->from_us, from);
        recording_time(s, v->to_us, to);
        printf("%slane %u: %s%s%s%s\n", i ? "            " : "sessions    ", v->lane,
               shown_text(v->peer),
               v->nameless
                   ? ", from the file before, which has too many names to repeat here (--dic)"
               : v->continues ? ", from the file before"
                              : "",
               *v->why ? ", ended: " : "", shown_text(v->why));
        printf("              %s to %s: %" PRIu64 " bytes, %" PRIu64 " records, %" PRIu64
               " missing\n",
               from, to, v->bytes, v->records, v->missing);
    }
}

static void recording_text(const struct stream *s) {
    const struct wf_recording_info *r = s->recording;
    char from[40], to[40];
    recording_time(s, r->first_us, from);
    recording_time(s, r->last_us, to);
    printf("recording   by %s, part %u, %" PRIu64 " blocks%s%s\n", shown_text(r->head.tool),
           r->head.part, r->blocks, s->cut ? ", ends without its index" : "",
           s->damaged ? ", damaged" : "");
    printf("arrived     %s to %s\n", from, to);
    connections_text(s);
}

static const char *slots_text(const struct stream *s) {
    for (unsigned i = 0; i < s->lane_count; ++i) {
        const struct wf_lane_slots *slots = s->lanes[i]->slots;
        if (slots && wf_slots_find(slots->slots, "WALLFLY")) {
            return "slots of wallfly's recorder";
        }
    }
    return "slots, a kernel-event log of QNX";
}

void info_text(const struct stream *s) {
    enum wf_lane_format format = info_format(s);
    bool slots = format == WF_LANE_SLOTS;
    printf("trace       %s, %s", shown_text(s->name),
           slots ? slots_text(s) : wf_lane_format_title(format));
    if (!s->prefix && !slots)
        printf(", %" PRIu64 " bytes", wf_session_ledger(s->lanes[0]->session)->bytes);
    putchar('\n');
    if (s->recording) recording_text(s);
    for (unsigned i = 0; i < s->lane_count; ++i) {
        const struct lane *l = s->lanes[i];
        uint64_t bytes = wf_lane_bytes(l->of);
        if (!bytes && s->lane_count > 1) continue;
        if (s->prefix)
            printf("\nlane %-6u %" PRIu64 " bytes%s%s\n", l->number, bytes,
                   info_is_foreign(l) ? ", " : "",
                   info_is_foreign(l) ? wf_lane_format_title(wf_lane_get_format(l->of)) : "");
        lane_text(l);
    }
}
