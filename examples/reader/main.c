// SPDX-License-Identifier: MIT
// Prints when which task ran, from a trace of any format: lane, core, begin and end in ticks, name.
#include <inttypes.h>
#include <stdio.h>
#include <wallfly_host/wf_model.h>
#include <wallfly_host/wf_trace.h>

static int64_t read_at(void *file, uint64_t offset, void *to, size_t len) {
    if (fseek(file, (long)offset, SEEK_SET) != 0) return -1;
    size_t n = fread(to, 1, len, file);
    return ferror((FILE *)file) ? -1 : (int64_t)n;
}

static void print_slices(struct wf_model *m, const struct wf_item *item) {
    struct wf_change c;
    wf_model_take(m, item);
    while (wf_model_next(m, &c)) {
        if (c.kind == WF_CHANGE_TASK && c.was == WF_TASK_RUNNING)
            printf("%u %u %" PRIu64 " %" PRIu64 " %s\n", wf_lane_number(item->lane), c.core, c.from,
                   c.tick, wf_task_name(m, c.task));
    }
}

int main(int argc, char **argv) {
    static struct wf_model *models[WF_TRACE_LANES];
    const struct wf_trace_options options = {.size = sizeof options};
    struct wf_merge_source source = {argc > 1 ? fopen(argv[1], "rb") : NULL, read_at};
    struct wf_error error = {.code = WF_ERR_USAGE, .text = "usage: reader FILE"};
    struct wf_item item;
    struct wf_trace *t = source.ctx ? wf_trace_open(&options, &error) : NULL;
    if (t) wf_trace_read(t, 0, &source, &error);
    while (t && wf_trace_next(t, &item)) {
        struct wf_model **m = item.lane ? &models[wf_lane_number(item.lane)] : NULL;
        if (m && !*m) *m = wf_model_open(wf_lane_session(item.lane));
        if (m && *m) print_slices(*m, &item);
    }
    if (t && error.code == WF_OK) wf_trace_error(t, &error);
    for (unsigned i = 0; i < WF_TRACE_LANES; ++i) wf_model_close(models[i]);
    wf_trace_close(t);
    if (source.ctx) fclose(source.ctx);
    if (error.code != WF_OK) fprintf(stderr, "%s\n", error.text);
    return error.code != WF_OK;
}
