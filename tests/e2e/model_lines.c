// SPDX-License-Identifier: MIT
// The timeline of a trace (frames, transmission text, slots) against the model: exit code 1 and a
// line if they differ, otherwise prints the number of times checked.

#include <stdio.h>
#include <stdlib.h>

#include "lines.h"
#include "model_read.h"
#include "wallfly_host/wf_merge.h"
#include "wallfly_host/wf_slot_record.h"

static struct wf_session *s;
static struct wf_model *m;
static struct lines *l;

static void take(const struct wf_item *item) {
    wf_model_take(m, item);
    lines_take(l, m, item);
}

static int read_slots(const char *file) {
    static uint8_t bytes[1 << 26];
    struct wf_slots_item from;
    struct wf_item item;
    struct wf_merge *merge = wf_merge_open(NULL, NULL);
    FILE *f = fopen(file, "rb");
    if (!merge || !f) return 3;
    wf_merge_feed(merge, bytes, fread(bytes, 1, sizeof bytes, f));
    wf_merge_end(merge);
    while (wf_merge_next(merge, &from)) {
        if (wf_session_take_slot(s, wf_merge_slots(merge), &from, &item)) take(&item);
    }
    fclose(f);
    wf_merge_close(merge);
    return 0;
}

int main(int argc, char **argv) {
    int code = 0;
    s = model_open(argc, argv, &m);
    l = lines_open(s);
    if (model_has_slots())
        code = read_slots(argv[1]);
    else
        model_feed(s, take);
    wf_model_end(m);
    const char *bad = lines_end(l);
    if (bad) fprintf(stderr, "%s: %s\n", argv[1], bad);
    printf("%u\n", lines_pictures(l));
    lines_close(l);
    wf_model_close(m);
    wf_session_close(s);
    return bad ? 1 : code;
}
