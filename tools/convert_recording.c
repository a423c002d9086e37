// SPDX-License-Identifier: MIT
// Recordings are made by the recorder, as for `wallfly record FILE`; but the output is complete or
// not there at all, as that of every conversion.

#include "convert_recording.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "recorder.h"
#include "stream.h"
#include "term/signals.h"

const char convert_recording_format[] = "wfr";
const char convert_recording_sentence[] = "a recording with the bytes of the input unchanged";

// A recording has all bytes, whatever options say of the items.
static bool options_fit(const struct args *args) {
    for (unsigned i = STREAM_OPTIONS; args->cmd->options[i].name; ++i) {
        const char *name = args->cmd->options[i].name;
        bool fits =
            strcmp(name, "to") == 0 || strcmp(name, "output") == 0 || strcmp(name, "progress") == 0;
        if (fits || !args->value[i]) continue;
        diag_error(EXIT_USAGE, "--%s does not go with --to=wfr: a recording has all bytes", name);
        return false;
    }
    if (!args->value[STREAM_LANE] && !args->value[STREAM_IMAGE]) return true;
    diag_error(EXIT_USAGE, "--%s does not go with --to=wfr",
               args->value[STREAM_LANE] ? "lane" : "ram-image");
    return false;
}

static int write_recording(const struct args *args, const struct convert_recording *c,
                           const char *output) {
    struct input_options input;
    struct recorder_options o = {
        .source = c->input,
        .out = output,
        .capture = {.size = sizeof o.capture,
                    .tool = "wallfly " WALLFLY_VERSION,
                    .complete = true,
                    .files = args->files},
        .ask = WF_ASK_NEVER,
        .input = &input,
        .only_trace = true,
        .progress = isatty(2) || c->progress,
    };
    struct recorder_totals totals = {.sessions = 0};
    int code = input_parse(args, STREAM_INPUT, &input);
    if (code == EXIT_GOOD) code = recorder_run(&o, &totals);
    input_close(&input);
    bool lossy = totals.frames.missing || totals.frames.bytes_bad || totals.damaged ||
                 wf_slots_ledger_is_lossy(&totals.slots);
    if (code == EXIT_GOOD && args->value[STREAM_STRICT] && lossy)
        code = diag_error(EXIT_LOSS, "%s: something was lost or damaged (--strict)", c->input);
    return code;
}

int convert_recording(const struct args *args, const struct convert_recording *c) {
    if (!options_fit(args)) return EXIT_USAGE;
    if (!c->input)
        return diag_error(EXIT_USAGE, "convert: --to=wfr takes a FILE; `wallfly record SOURCE` "
                                      "records standard input and targets");
    if (c->output && strcmp(c->output, "-") == 0)
        return diag_error(EXIT_USAGE, "--output: a recording goes to a file");
    char *name = c->output ? NULL : output_name(c->input, ".wfr");
    if (!c->output && !name) return out_of_memory();
    signals_ignore_pipes();
    int code = write_recording(args, c, c->output ? c->output : name);
    free(name);
    return code;
}
