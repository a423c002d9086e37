// SPDX-License-Identifier: MIT
// `wallfly info`: describes a trace and its loss ledger, as text or JSON.

#include <stdio.h>
#include <string.h>

#include "info.h"

enum { INFO_JSON = STREAM_OPTIONS, INFO_ONCE };

static const struct option_row options[] = {
    STREAM_OPTION_ROWS,
    {"json", 0, NULL, "as JSON"},
    {"once", 0, NULL, "end when the first target has disconnected"},
    {NULL, 0, NULL, NULL},
};

const struct wf_row *info_row(const struct lane *s, unsigned id) {
    const struct wf_row *row = NULL;
    for (unsigned i = 0; i < wf_row_count; ++i) {
        bool fits = wf_session_target(s->session)->version >= wf_rows[i].since;
        if (wf_rows[i].id == id && (!row || fits)) row = &wf_rows[i];
    }
    return row;
}

const char *info_record_name(const struct lane *s, unsigned id, char text[64]) {
    const char *user = wf_session_user_name(s->session, id);
    const struct wf_row *row = info_row(s, id);
    if (user || !row) return user ? user : id >= WF_USER_FIRST ? "user" : "unknown";
    if (row->select < 0) return row->name;
    snprintf(text, 64, "%.*s_*", (int)strcspn(row->name, "_"), row->name);
    return text;
}

enum wf_lane_format info_format(const struct stream *s) {
    enum wf_lane_format format = WF_LANE_FRAMES;
    for (unsigned i = 0; i < s->lane_count; ++i) {
        if (s->lanes[i]->slots) return WF_LANE_SLOTS;
        enum wf_lane_format one = wf_lane_get_format(s->lanes[i]->of);
        if (one > format) format = one;
    }
    return format;
}

static void on_item(struct lane *l, const struct wf_item *item) {
    if (item->kind != WF_ITEM_LOSS || item->loss.kind != WF_LOSS_BEGINNING) return;
    l->begins_in_ring = true;
    l->overwritten = item->loss.overwritten;
}

static int run(const struct args *args) {
    struct stream s = {.on_item = on_item};
    int code = stream_open(&s, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run(&s, args->value[INFO_ONCE] != NULL);
    bool any = s.recording;
    for (unsigned i = 0; i < s.lane_count; ++i) {
        const struct wf_lane_slots *slots = s.lanes[i]->slots;
        any |= slots ? wf_slots_get_ledger(slots->slots)->slots != 0
                     : wf_session_ledger(s.lanes[i]->session)->records != 0;
    }
    if (code == EXIT_GOOD && any) {
        if (args->value[INFO_JSON])
            info_json(&s);
        else
            info_text(&s);
    }
    if (code == EXIT_GOOD) code = stream_verdict(&s);
    stream_close(&s);
    return code;
}

const struct cmd cmd_info = {
    "info", run,    "FILE|SOURCE",
    0,      1,      "Shows a trace's target, time span, record counts and losses.",
    NULL,   options};
