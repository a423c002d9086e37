// SPDX-License-Identifier: MIT
// Reads the sides of a comparison: traces, saved profiles, folders of both.

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../collect.h"
#include "../filter_options.h"
#include "diff.h"
#include "wallfly_backend/wf_folder.h"

struct job {
    struct stream stream; // the first member
    struct wf_stats_options options;
    struct diff_side *side;
};

// ---- names

static bool add_name(struct diff_side *side, const char *name, size_t len) {
    struct diff_source *more = realloc(side->sources, (side->count + 1) * sizeof *more);
    char *copy = malloc(len + 1);
    if (more) side->sources = more;
    if (!more || !copy) {
        free(copy);
        return false;
    }
    memcpy(copy, name, len);
    copy[len] = 0;
    side->sources[side->count++] = (struct diff_source){.name = copy};
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct diff_source *)a)->name, ((const struct diff_source *)b)->name);
}

static bool add_member(struct diff_side *side, const char *folder, const char *name) {
    struct stat st;
    size_t len = strlen(folder);
    while (len > 1 && folder[len - 1] == '/') --len;
    size_t cap = len + strlen(name) + 2;
    char *path = malloc(cap);
    if (!path) return false;
    snprintf(path, cap, "%.*s/%s", (int)len, folder, name);
    bool good = stat(path, &st) != 0 || !S_ISREG(st.st_mode) || add_name(side, path, cap - 1);
    free(path);
    return good;
}

// The files of a folder, by name. Hidden ones and those that are no regular files are left out.
static int add_folder(struct diff_side *side, const char *folder) {
    DIR *dir = opendir(folder);
    unsigned before = side->count;
    bool good = true;
    if (!dir) return diag_error(EXIT_INPUT, "%s: %s", folder, strerror(errno));
    for (const struct dirent *e; good && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] != '.') good = add_member(side, folder, e->d_name);
    }
    closedir(dir);
    if (!good) return out_of_memory();
    if (side->count == before) return diag_error(EXIT_INPUT, "%s: has no files", folder);
    qsort(side->sources + before, side->count - before, sizeof *side->sources, by_name);
    return EXIT_GOOD;
}

// A folder may itself be a trace: of CTF.
static bool is_folder(const char *name) {
    struct wf_folder_info info;
    return wf_folder_is(name) && wf_folder_look(name, &info, NULL) != WF_OK;
}

static int add_source(struct diff_side *side, const char *name) {
    if (strcmp(name, "-") != 0 && wf_link_is_live(name))
        return diag_error(EXIT_USAGE, "%s: diff compares files: record it first (wallfly record)",
                          name);
    if (is_folder(name)) return add_folder(side, name);
    return add_name(side, name, strlen(name)) ? EXIT_GOOD : out_of_memory();
}

// list: further names, separated by commas, or null.
static int add_sources(struct diff_side *side, const char *name, const char *list) {
    char one[4096];
    int code = add_source(side, name);
    while (code == EXIT_GOOD && list && *list) {
        size_t len = strcspn(list, ",");
        snprintf(one, sizeof one, "%.*s", (int)len, list);
        if (len >= sizeof one) return diag_error(EXIT_USAGE, "a name of a file is too long");
        if (len) code = add_source(side, one);
        list += len + (list[len] == ',');
    }
    return code;
}

// ---- profiles

enum { SAVED_MOST = 256 << 20 };

static uint8_t *read_bytes(FILE *f, const char *name, size_t *len, int *code) {
    enum { PIECE = 1 << 16 };
    uint8_t *bytes = NULL;
    size_t cap = 0, got = 1;
    *len = 0;
    while (got && *len < SAVED_MOST) {
        uint8_t *more = cap - *len < PIECE ? realloc(bytes, cap = 2 * cap + PIECE) : bytes;
        if (!more) {
            *code = out_of_memory();
            return bytes;
        }
        bytes = more;
        got = fread(bytes + *len, 1, cap - *len, f);
        *len += got;
    }
    if (ferror(f)) *code = diag_error(EXIT_INPUT, "%s: %s", name, strerror(errno));
    if (*len >= SAVED_MOST) *code = diag_error(EXIT_INPUT, "%s: longer than 256 MiB", name);
    return bytes;
}

// Returns the bytes of a file that is a profile. *code is an exit code: EXIT_GOOD with null means
// that it is none. A pipe can be read only once, so it is a trace.
static uint8_t *read_saved(const char *name, size_t *len, int *code) {
    struct stat st;
    uint8_t *bytes = NULL, head[8];
    *code = EXIT_GOOD;
    if (stat(name, &st) != 0 || !S_ISREG(st.st_mode)) return NULL;
    errno = 0;
    FILE *f = fopen(name, "rb");
    if (!f && errno == ENOMEM) *code = out_of_memory();
    size_t got = f ? fread(head, 1, sizeof head, f) : 0;
    if (f && wf_profile_is(head, got)) {
        rewind(f);
        bytes = read_bytes(f, name, len, code);
    }
    if (f) fclose(f);
    return bytes;
}

static int add_behaviour(struct diff_side *side, const uint8_t *bytes, size_t len,
                         struct wf_error *error) {
    size_t part_len;
    uint8_t *part = wf_profile_read_part(bytes, len, WF_PROFILE_BEHAVIOUR, &part_len, error);
    if (!part) {
        side->without_behaviour |= error->code == WF_OK;
        return error->code;
    }
    int err = wf_behaviour_read(side->behaviour, part, part_len, error);
    free(part);
    return err;
}

int diff_add_saved(struct diff_side *side, const char *name, const uint8_t *bytes, size_t len) {
    struct wf_error error;
    struct wf_profile *p = wf_profile_read(bytes, len, &error);
    int err = p ? wf_profile_join(side->profile, p, &error) : error.code;
    if (err == WF_OK) err = add_behaviour(side, bytes, len, &error);
    wf_profile_close(p);
    if (err == WF_OK) return EXIT_GOOD;
    return diag_error(exit_code_of(err), "%s: %s", name, error.text);
}

// ---- traces

static void on_item(struct lane *l, const struct wf_item *item) {
    struct job *job = (struct job *)(void *)l->stream;
    collect_item(l, item, &job->options, job->side->behaviour);
}

static int read_stream(struct job *job, const struct args *args) {
    struct wf_error error;
    bool window = job->options.has_from || job->options.has_until;
    int code = window ? stream_rate(args, &job->stream.rate) : EXIT_GOOD;
    if (code == EXIT_GOOD) code = stream_open(&job->stream, args);
    if (code != EXIT_GOOD) return code;
    code = stream_run_shown(&job->stream, false, args->operand[0]);
    if (code == EXIT_GOOD) code = stream_verdict(&job->stream);
    job->side->lossy |= code == EXIT_LOSS;
    if (code == EXIT_LOSS) code = EXIT_GOOD;
    if (code == EXIT_GOOD) {
        int err = collect_end(&job->stream, job->side->profile, &error);
        if (err != WF_OK) code = diag_error(exit_code_of(err), "%s", error.text);
    }
    if (code == EXIT_GOOD) code = job->stream.code;
    collect_close(&job->stream);
    stream_close(&job->stream);
    return code;
}

// The command's options for one file: the good side may have a program of its own.
static int read_trace(struct diff_side *side, const struct args *args, bool good, char *name) {
    struct args one = *args;
    struct window w;
    struct job job = {.stream = {.on_item = on_item}, .side = side};
    struct wf_stats_options *o = &job.options;
    o->size = sizeof *o;
    o->blocks = true;
    one.operand = &name;
    one.operands = 1;
    if (good && args->value[DIFF_GOOD_ELF]) one.value[STREAM_ELF] = args->value[DIFF_GOOD_ELF];
    if (good && args->value[DIFF_GOOD_MAP]) one.value[STREAM_MAP] = args->value[DIFF_GOOD_MAP];
    if (good && args->value[DIFF_GOOD_DIC]) one.value[STREAM_DIC] = args->value[DIFF_GOOD_DIC];
    if (!window_parse(args->value[DIFF_FROM], args->value[DIFF_UNTIL], &w) ||
        !time_parse(args->value[DIFF_TIME], NULL, &o->target_clock))
        return EXIT_USAGE;
    o->has_from = w.has_from;
    o->has_until = w.has_until;
    o->from_s = w.from_s;
    o->until_s = w.until_s;
    return read_stream(&job, &one);
}

static int read_source(struct diff_side *side, const struct args *args, bool good,
                       struct diff_source *source) {
    size_t len = 0;
    int code;
    uint8_t *bytes = read_saved(source->name, &len, &code);
    bool window = args->value[DIFF_FROM] || args->value[DIFF_UNTIL];
    source->saved = bytes != NULL;
    if (code == EXIT_GOOD && bytes && window)
        code =
            diag_error(EXIT_USAGE, "%s: is a profile, of which --from and --until select nothing",
                       source->name);
    else if (code == EXIT_GOOD && bytes)
        code = diff_add_saved(side, source->name, bytes, len);
    else if (code == EXIT_GOOD)
        code = read_trace(side, args, good, source->name);
    free(bytes);
    return code;
}

int diff_read_side(struct diff_side *side, const struct args *args, bool good) {
    int code = EXIT_GOOD;
    for (unsigned i = 0; i < side->count && code == EXIT_GOOD; ++i)
        code = read_source(side, args, good, &side->sources[i]);
    return code;
}

static bool open_side(struct diff_side *side, const char *label) {
    struct wf_error error;
    side->label = label;
    side->profile = wf_profile_open(&error);
    side->behaviour = wf_behaviour_open(&error);
    return side->profile && side->behaviour;
}

// Both at the same time if possible. Messages are in the order of the sides.
static int read_sides(struct diff_side *good, struct diff_side *now, const struct args *args) {
    struct diff_process process;
    diff_process_start(&process, now, args);
    int code = diff_read_side(good, args, true);
    if (code == EXIT_GOOD)
        code = process.pid ? diff_process_end(&process, now) : diff_read_side(now, args, false);
    diff_process_stop(&process);
    return code;
}

int diff_read(struct diff_result *r) {
    const struct args *args = r->args;
    struct diff_side *good = &r->sides[DIFF_SIDE_GOOD], *now = &r->sides[DIFF_SIDE_NEW];
    if (!open_side(good, "good") || !open_side(now, "new")) return out_of_memory();
    if (args->value[STREAM_IMAGE])
        return diag_error(EXIT_USAGE, "--ram-image: diff reads traces; `wallfly stats --ram-image "
                                      "--save=FILE` makes a profile of an image");
    int code = add_sources(good, args->operand[0], args->value[DIFF_GOOD]);
    if (code == EXIT_GOOD) code = add_sources(now, args->operand[1], args->value[DIFF_NEW]);
    return code == EXIT_GOOD ? read_sides(good, now, args) : code;
}
