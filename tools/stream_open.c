// SPDX-License-Identifier: MIT
// Opens a trace for a command: its options, names, format and first lane.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

int stream_no_lane(const struct stream *s, unsigned lanes) {
    char which[32] = "only lane 0";
    if (lanes > 1) snprintf(which, sizeof which, "lanes 0 to %u", lanes - 1);
    return diag_error(EXIT_USAGE, "%s: has no lane %u; there %s %s", s->name, s->lane,
                      lanes > 1 ? "are" : "is", which);
}

static int find_lanes(struct stream *s) {
    struct wf_error error;
    unsigned lanes = s->image ? 0 : source_lanes(s->args->operand[0]);
    bool file = s->image || (wf_link_is_file(s->args->operand[0]) && !s->live);
    if (s->lane && file && !lanes) return stream_no_lane(s, 1); // not a recording
    if (lanes > 1 && s->single && !s->one_lane) {
        return diag_error(EXIT_USAGE, "%s: has %u lanes; --lane=N takes one of them", s->name,
                          lanes);
    }
    s->prefix = lanes > 1 && !s->one_lane;
    if (stream_new_lane(s, s->lane, &error)) return EXIT_GOOD;
    return diag_error(error.code == WF_ERR_NOMEM ? EXIT_INPUT : EXIT_USAGE, "%s", error.text);
}

static int open_trace(struct stream *s) {
    const struct wf_trace_options options = {.size = sizeof options,
                                             .session = &s->options,
                                             .format = s->format ? s->format : s->input.format,
                                             .describe = s->input.describe,
                                             .describe_len = s->input.describe_len,
                                             .clock = s->clock,
                                             .raw_slots = s->raw_slots,
                                             .one_lane = s->one_lane,
                                             .lane = s->lane,
                                             .chunk_bytes = SIZE_MAX,
                                             .ring_symbol = s->image ? s->ring_symbol : NULL};
    struct wf_error error;
    s->trace = wf_trace_open(&options, &error);
    return s->trace ? EXIT_GOOD : diag_error(EXIT_INPUT, "%s", error.text);
}

int stream_open(struct stream *s, const struct args *args) {
    const struct wf_format *format = s->out_count ? s->outs[0].format : NULL;
    s->options.dialect = format ? format->dialect : WF_DIALECT_WALLFLY;
    s->options.info8 = format && format->info8;
    s->options.all_names = format && format->all_names;
    s->image = args->value[STREAM_IMAGE];
    s->ring_symbol = args->value[STREAM_RAM_SYMBOL];
    if (!s->image == !args->operands) {
        return diag_error(EXIT_USAGE,
                          "usage: wallfly %s %s, or --ram-image=IMAGE; see `wallfly help %s`",
                          args->cmd->name, args->cmd->operands, args->cmd->name);
    }
    if (!source_ask(args->value[STREAM_ASK], false, &s->ask) ||
        !stream_options(args, 0, &s->options) || !stream_lane_option(s, args->value[STREAM_LANE]) ||
        !slots_clock(args->value[STREAM_CLOCK], &s->clock))
        return EXIT_USAGE;
    int code = input_parse(args, STREAM_INPUT, &s->input);
    if (code == EXIT_GOOD && !s->image) code = input_look(&s->input, args->operand[0]);
    if (code == EXIT_GOOD && !s->look) code = stream_names(args, &s->names);
    if (code != EXIT_GOOD) {
        input_close(&s->input);
        return code;
    }
    if (s->rate) s->options.hz = s->rate;
    s->args = args;
    s->strict = args->value[STREAM_STRICT] != NULL;
    s->name = s->image ? s->image : args->operand[0];
    s->live = !s->image && wf_link_is_live(s->name);
    if (!s->image && strcmp(s->name, "-") == 0) s->name = "standard input";
    code = open_trace(s);
    if (code == EXIT_GOOD) code = find_lanes(s);
    if (code != EXIT_GOOD) stream_close(s);
    return code;
}
