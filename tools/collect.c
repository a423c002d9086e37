// SPDX-License-Identifier: MIT
// See collect.h. Statistics and behaviour share a model, in the lane's group of sinks: the stream
// passes it all items but the first, which opens it.

#include "collect.h"

#include <stdlib.h>
#include <string.h>

#include "stats.h"

static void report(struct lane *l, const struct wf_error *error) {
    if (l->stream->code == EXIT_GOOD) l->stream->code = diag_error(EXIT_INPUT, "%s", error->text);
}

static bool open_lane(struct lane *l, const struct wf_stats_options *options,
                      struct wf_behaviour *to, struct wf_error *error) {
    struct wf_stats_options stats = *options;
    const struct wf_behaviour_options behaviour = {.size = sizeof behaviour,
                                                   .source = l->stream->name,
                                                   .lane = l->number,
                                                   .has_from = stats.has_from,
                                                   .has_until = stats.has_until,
                                                   .from_s = stats.from_s,
                                                   .until_s = stats.until_s,
                                                   .target_clock = stats.target_clock};
    wf_error_code(error, WF_ERR_NOMEM);
    l->sinks = wf_sinks_open(l->session);
    if (!l->sinks) return false;
    stats.sinks = l->sinks;
    l->user = wf_stats_open(l->session, &stats, error);
    if (!l->user || !to) return l->user != NULL;
    struct wf_behaviour_options shared = behaviour;
    shared.sinks = l->sinks;
    l->behaviour = wf_behaviour_sink_open(to, l->session, &shared, error);
    return l->behaviour != NULL;
}

void collect_item(struct lane *l, const struct wf_item *item,
                  const struct wf_stats_options *options, struct wf_behaviour *to) {
    struct wf_error error;
    if (l->sinks || l->stream->code != EXIT_GOOD) return;
    if (open_lane(l, options, to, &error))
        wf_sinks_item(l->sinks, item);
    else
        report(l, &error);
}

int collect_end(const struct stream *stream, struct wf_profile *p, struct wf_error *error) {
    struct stats s;
    unsigned added = 0;
    for (unsigned i = 0; i < stream->lane_count; ++i) {
        struct lane *l = stream->lanes[i];
        if (!stats_end_lane(l, NULL, &s)) continue;
        int err = l->behaviour ? wf_behaviour_sink_error(l->behaviour) : WF_OK;
        if (err != WF_OK) return wf_error_code(error, err);
        err = wf_profile_add(p, s.figures, s.lane, error);
        if (err != WF_OK) return err;
        ++added;
    }
    if (added) return WF_OK;
    return wf_error_set(error, WF_ERR_READ,
                        "%s: the trace has no records, so there is nothing to save or compare",
                        stream->name);
}

uint8_t *collect_write(const struct wf_profile *p, const struct wf_behaviour *b, size_t *len,
                       struct wf_error *error) {
    size_t head_len = 0, raw_len = 0, part_len = 0;
    uint8_t *head = wf_profile_write(p, &head_len, error), *part = NULL, *all = NULL;
    uint8_t *raw = head ? wf_behaviour_write(b, &raw_len, error) : NULL;
    if (raw) part = wf_profile_write_part(WF_PROFILE_BEHAVIOUR, raw, raw_len, &part_len, error);
    if (part) {
        all = realloc(head, head_len + part_len);
        if (!all) wf_error_code(error, WF_ERR_NOMEM);
    }
    if (all) {
        memcpy(all + head_len, part, part_len);
        *len = head_len + part_len;
    } else {
        free(head);
    }
    free(raw);
    free(part);
    return all;
}

void collect_close(const struct stream *stream) {
    for (unsigned i = 0; i < stream->lane_count; ++i) {
        struct lane *l = stream->lanes[i];
        wf_behaviour_sink_close(l->behaviour);
        if (l->user) wf_stats_close(l->user);
        l->behaviour = NULL;
        l->user = NULL;
    }
}
