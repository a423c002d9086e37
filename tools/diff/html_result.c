// SPDX-License-Identifier: MIT
// The result as a report of html.c: changes with their places, and the time line of the first trace
// of each side.

#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "html.h"

struct html_texts {
    char title[DIFF_TEXT], text[DIFF_TEXT + DIFF_TEXT];
};

// The place of what has changed; of a side on which it never occurs, that of the run there instead.
static const struct wf_behaviour_place *place_on(const struct diff_entry *e, unsigned side) {
    const struct wf_behaviour_side *s = &e->behaviour.sides[side];
    for (unsigned i = 0; i < s->line_count; ++i) {
        if (s->lines[i].changed) return &s->lines[i].place;
    }
    return &s->first;
}

// The report has one trace of each side.
static void set_place(struct diff_html_place *to, const struct wf_behaviour_place *from,
                      const struct diff_side *side) {
    if (!from->known || strcmp(from->source, side->sources[0].name) != 0) return;
    *to = (struct diff_html_place){.known = true, .from = from->tick, .until = from->tick};
}

static void set_change(struct diff_html_change *to, struct html_texts *texts,
                       const struct diff_result *r, const struct diff_entry *e) {
    char certainty[DIFF_TEXT];
    const char *hint = e->is_figure ? NULL : e->behaviour.hint;
    diff_sentence(e, texts->title);
    diff_certainty(e, certainty);
    snprintf(texts->text, sizeof texts->text, "%s%s%s", certainty, hint ? "; " : "",
             hint ? hint : "");
    *to = (struct diff_html_change){.title = texts->title, .text = texts->text};
    to->kind = e->state == DIFF_CHANGED       ? MARK_FAIL
               : e->state == DIFF_CANNOT_TELL ? MARK_UNDECIDED
                                              : MARK_NOTE;
    to->row = e->is_figure ? e->figure.task : e->behaviour.actor;
    to->row_kind = WF_ROW_TASK;
    for (unsigned side = 0; side < DIFF_SIDES && !e->is_figure; ++side)
        set_place(&to->at[side], place_on(e, side), &r->sides[side]);
}

// Reads a side again, for its time line.
static int read_page(struct page_reader *reader, struct args *args, const struct diff_result *r,
                     unsigned side, struct diff_html_side *to) {
    static const struct page_options options = {.live = false};
    const struct diff_source *source = &r->sides[side].sources[0];
    const char *elf = r->args->value[DIFF_GOOD_ELF];
    *args = *r->args;
    if (side == DIFF_SIDE_GOOD && elf) args->value[STREAM_ELF] = elf;
    to->name = source->name;
    to->note = source->saved ? "a saved profile has no time line"
                             : "standard input cannot be read a second time";
    if (source->saved || strcmp(source->name, "-") == 0) return EXIT_GOOD;
    int code = page_read(reader, args, source->name, &options, false);
    to->page = reader->open ? &reader->page : NULL;
    return code == EXIT_LOSS ? EXIT_GOOD : code;
}

static const char *const verdicts[DIFF_STATES] = {
    [DIFF_CHANGED] = "Changed.",
    [DIFF_CANNOT_TELL] = "It cannot be told, because of lost data, whether anything changed.",
    [DIFF_SAME] = "Nothing changed beyond chance."};

static int write_report(const struct diff_result *r, const char *file,
                        struct diff_html_change *changes, unsigned count) {
    struct page_reader readers[DIFF_SIDES] = {{.open = false}};
    struct args args[DIFF_SIDES];
    char title[512];
    struct diff_html d = {.title = title,
                          .text = verdicts[r->verdict],
                          .changes = changes,
                          .count = count,
                          .file = file,
                          .files = r->args->files};
    snprintf(title, sizeof title, "%.250s and %.250s", r->sides[DIFF_SIDE_GOOD].sources[0].name,
             r->sides[DIFF_SIDE_NEW].sources[0].name);
    int code = EXIT_GOOD;
    for (unsigned side = 0; side < DIFF_SIDES && code == EXIT_GOOD; ++side)
        code = read_page(&readers[side], &args[side], r, side, &d.side[side]);
    if (code == EXIT_GOOD) code = diff_html(&d);
    for (unsigned side = 0; side < DIFF_SIDES; ++side) page_read_close(&readers[side]);
    return code;
}

int diff_write_html(const struct diff_result *r, const char *file) {
    struct diff_html_change *changes = calloc(r->count + 1, sizeof *changes);
    struct html_texts *texts = calloc(r->count + 1, sizeof *texts);
    unsigned count = 0;
    for (size_t i = 0; changes && texts && i < r->count; ++i) {
        const struct diff_entry *e = &r->entries[i];
        if (e->state == DIFF_SAME || e->follows) continue;
        set_change(&changes[count], &texts[count], r, e);
        ++count;
    }
    int code = changes && texts ? write_report(r, file, changes, count) : out_of_memory();
    free(changes);
    free(texts);
    return code;
}
