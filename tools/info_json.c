// SPDX-License-Identifier: MIT
// `wallfly info --json`: one object (docs/cli/info.md).

#include <inttypes.h>
#include <stdio.h>

#include "info.h"
#include "wallfly_server/json.h"

static void target_json(const struct lane *s, const struct wf_target *t) {
    static const char *const fits[] = {"none", "unchecked", "fits", "other build", "unplaced"};
    printf("\"target\":{\"known\":%s,\"qs_version\":%u,\"big_endian\":%s,"
           "\"starts\":%u,\"hz\":%" PRIu64 ",\"build_id\":%u,\"sizes\":{",
           t->known ? "true" : "false", t->version, t->big_endian ? "true" : "false", t->resets,
           t->hz, t->build_id);
    const char *comma = "";
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (!wf_types[i].letter) continue;
        printf("%s\"%c\":%u", comma, wf_types[i].letter, t->bytes[i]);
        comma = ",";
    }
    printf("}");
    if (s->stream->names.program)
        printf(",\"program\":\"%s\"", fits[wf_program_fit(s->session, NULL)]);
    printf("},");
}

// Writes the members of a lane's object, without braces.
static void lane_json(const struct lane *s) {
    const struct wf_ledger *l = wf_session_ledger(s->session);
    const char *comma = "";
    if (s->slots) info_slots_json(s);
    if (info_is_foreign(s))
        info_foreign_json(s);
    else
        target_json(s, wf_session_target(s->session));
    printf("\"tick_first\":%" PRIu64 ",\"tick_last\":%" PRIu64 ",\"records\":[", s->tick_first,
           s->tick_last);
    for (unsigned id = 0; id < 256; ++id) {
        char text[64];
        if (!l->by_id[id]) continue;
        printf("%s{\"id\":%u,\"name\":", comma, id);
        json_text(stdout, info_record_name(s, id, text));
        printf(",\"count\":%" PRIu64 "}", l->by_id[id]);
        comma = ",";
    }
    printf("],\"ledger\":{");
#define N(name) "\"" #name "\":%" PRIu64 ","
    printf(N(bytes) N(bytes_good) N(bytes_idle) N(bytes_bad) N(bytes_repeated) N(bytes_lost)
               N(records) N(missing) N(given_up) N(late) N(repeated) N(back) N(malformed) N(unknown)
                   N(holes) N(packed_frames),
           l->bytes, l->bytes_good, l->bytes_idle, l->bytes_bad, l->bytes_repeated, l->bytes_lost,
           l->records, l->missing, l->given_up, l->late, l->repeated, l->back, l->malformed,
           l->unknown, l->holes, l->packed_frames);
#undef N
    printf("\"bad_checksum\":%" PRIu64 ",\"too_short\":%" PRIu64 ",\"too_long\":%" PRIu64
           ",\"cut_off\":%" PRIu64 ",\"cut_by_target\":%" PRIu64 ",\"exact\":%s}",
           l->damage[WF_DAMAGE_BAD_SUM], l->damage[WF_DAMAGE_TOO_SHORT],
           l->damage[WF_DAMAGE_TOO_LONG], l->damage[WF_DAMAGE_CUT], l->damage[WF_DAMAGE_BY_TARGET],
           l->exact ? "true" : "false");
}

static void connections_json(const struct stream *s) {
    char from[40], to[40];
    printf("\"sessions\":[");
    for (unsigned i = 0; i < s->connection_count; ++i) {
        const struct connection *v = &s->connections[i];
        recording_time(s, v->from_us, from);
        recording_time(s, v->to_us, to);
        printf("%s{\"lane\":%u,\"peer\":", i ? "," : "", v->lane);
        json_text(stdout, v->peer);
        printf(",\"continues\":%s,\"nameless\":%s,\"from\":\"%s\",\"to\":\"%s\",\"why\":",
               v->continues ? "true" : "false", v->nameless ? "true" : "false", from, to);
        json_text(stdout, v->why);
        printf(",\"bytes\":%" PRIu64 ",\"records\":%" PRIu64 ",\"missing\":%" PRIu64 "}", v->bytes,
               v->records, v->missing);
    }
    printf("]");
}

static void recording_json(const struct stream *s) {
    const struct wf_recording_info *r = s->recording;
    char from[40], to[40];
    recording_time(s, r->first_us, from);
    recording_time(s, r->last_us, to);
    printf(",\"recording\":{\"tool\":");
    json_text(stdout, r->head.tool);
    printf(",\"part\":%u,\"blocks\":%" PRIu64 ",\"damaged\":%s,\"complete\":%s,"
           "\"from\":\"%s\",\"to\":\"%s\",",
           r->head.part, r->blocks, s->damaged ? "true" : "false", s->cut ? "false" : "true", from,
           to);
    connections_json(s);
    printf("}");
}

// Writes a single lane's members into the object itself, several lanes into "lanes".
void info_json(const struct stream *s) {
    enum wf_lane_format format = info_format(s);
    printf("{\"version\":1,\"trace\":");
    json_text(stdout, s->name);
    printf(",\"format\":\"%s\"", wf_lane_format_name(format));
    if (s->recording) recording_json(s);
    putchar(',');
    if (!s->prefix) {
        lane_json(s->lanes[0]);
    } else {
        const char *comma = "";
        printf("\"lanes\":[");
        for (unsigned i = 0; i < s->lane_count; ++i) {
            if (!wf_lane_bytes(s->lanes[i]->of)) continue;
            printf("%s{\"lane\":%u,", comma, s->lanes[i]->number);
            lane_json(s->lanes[i]);
            printf("}");
            comma = ",";
        }
        printf("]");
    }
    printf("}\n");
}
