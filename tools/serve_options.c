// SPDX-License-Identifier: MIT
// Parses the options of `wallfly serve`.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "serve.h"

static bool parse_files(const char *list, unsigned *files) {
    static const char *const names[] = {"text", "binary", "matlab", "sequence", NULL};
    for (const char *p = list; p && *p;) {
        size_t len = strcspn(p, ",");
        unsigned i;
        if (!parse_word("--files", p, len, names, &i)) return false;
        *files |= 1u << i;
        p += len + (p[len] == ',');
    }
    return true;
}

static bool equals(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

// Parses "500M" to bytes.
static bool parse_size(const char *what, const char *text, uint64_t min, uint64_t *bytes) {
    static const struct {
        char letter;
        uint64_t bytes;
    } units[] = {{'K', 1000}, {'M', 1000000}, {'G', 1000000000}};
    char *end;
    uint64_t n = strtoull(text, &end, 10);
    bool good = *text >= '0' && *text <= '9' && n <= 1000000;
    for (unsigned i = 0; good && i < sizeof units / sizeof *units; ++i) {
        if (*end != units[i].letter || end[1]) continue;
        *bytes = n * units[i].bytes;
        if (*bytes >= min) return true;
    }
    diag_error(EXIT_USAGE, "%s: '%s' is not a size of %" PRIu64 "M or more, as in 500M or 4G", what,
               text, min / 1000000);
    return false;
}

static bool parse_fronts(const struct args *args, struct wf_front_options *o,
                         struct screen *screen) {
    const char *idle = args->value[SERVE_IDLE], *every = args->value[SERVE_EVERY];
    const char *folder = args->value[SERVE_OUT], *objects = args->value[SERVE_OBJECTS];
    uint64_t n = 0, lines = 0;
    struct stat st;
    bool commands = args->value[SERVE_ALLOW] || args->value[SERVE_KEEP_FILTERS];
    if (!source_ask(args->value[STREAM_ASK], commands, &o->ask) ||
        !stream_options(args, 0, &o->session) ||
        !parse_files(args->value[SERVE_FILES], &o->files) ||
        !screen_parse(args->value[SERVE_COLOUR], screen)) {
        return false;
    }
    if (idle && !parse_number("--idle", idle, 1, 1000000, &n)) return false;
    if (every && !parse_number("--every", every, 1, 99, &lines)) return false;
    if (folder && (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))) {
        diag_error(EXIT_USAGE, "--out: '%s' is not a folder", folder);
        return false;
    }
    if ((o->files & WF_FRONT_SEQUENCE) && !objects) {
        diag_error(EXIT_USAGE, "--files: sequence needs --objects=LIST, the names to draw");
        return false;
    }
    o->size = sizeof *o;
    o->command_files = args->files;
    o->listen = args->value[SERVE_FRONT];
    o->allow_commands = args->value[SERVE_ALLOW] != NULL;
    o->keep_filters = args->value[SERVE_KEEP_FILTERS] != NULL;
    o->idle_s = (unsigned)n;
    o->folder = folder;
    o->dic = args->value[STREAM_DIC];
    o->objects = objects;
    o->once = args->value[SERVE_ONCE] != NULL;
    screen->every = (unsigned)lines;
    return true;
}

static bool parse_page(const struct args *args, struct page_options *o) {
    enum { MEGA = 1000000 };
    const char *keep = args->value[SERVE_KEEP], *sql = args->value[SERVE_SQL];
    o->commands = args->value[SERVE_ALLOW] != NULL;
    o->keep_filters = args->value[SERVE_KEEP_FILTERS] != NULL;
    o->keep = UINT64_C(1000) * MEGA;
    o->sql = equals(sql, "off") ? 0 : UINT64_C(4000) * MEGA;
    return time_parse(args->value[SERVE_TIME], NULL, &o->target_clock) &&
           (!keep || parse_size("--keep", keep, 16 * MEGA, &o->keep)) &&
           (!sql || !o->sql || parse_size("--sql", sql, MEGA, &o->sql));
}

static bool parse_capture(const struct args *args, struct serve_options *o) {
    o->record = args->value[SERVE_RECORD];
    o->capture =
        (struct wf_capture_options){.tool = "wallfly " WALLFLY_VERSION, .files = args->files};
    if (!capture_parse(args, SERVE_CAPTURE, &o->capture)) return false;
    bool all =
        o->record || !(o->capture.overwrite || o->capture.split_bytes || o->capture.split_us);
    if (!all) diag_error(EXIT_USAGE, "--split, --ring and --force go with --record=FILE");
    return all;
}

// Several files are served to pages only.
static bool check_several(const struct args *args) {
    const char *notes = args->value[SERVE_NOTES], *front = args->value[SERVE_FRONT];
    if (args->operands < 2) return true;
    for (int i = 0; i < args->operands; ++i) {
        const char *name = args->operand[i];
        if (wf_link_is_file(name) && !wf_link_is_live(name) && !equals(name, "-")) continue;
        diag_error(EXIT_USAGE, "%s: only files can be served together: record a target first",
                   equals(name, "-") ? "standard input" : name);
        return false;
    }
    if (front && !equals(front, "off")) {
        diag_error(EXIT_USAGE, "--front goes with one file or a target");
        return false;
    }
    if (notes && !equals(notes, "off")) {
        diag_error(EXIT_USAGE, "--notes=FILE goes with one trace; each of several has its own, as "
                               "TRACE.notes");
        return false;
    }
    return true;
}

// A file is served to pages, unless front ends are requested: then it is played to them once.
static bool parse_services(const struct args *args, struct serve_options *o, bool file) {
    static const unsigned fronts[] = {SERVE_ALLOW,   SERVE_KEEP,   SERVE_KEEP_FILTERS, SERVE_IDLE,
                                      SERVE_BEGIN,   SERVE_RECORD, SERVE_OUT,          SERVE_FILES,
                                      SERVE_OBJECTS, SERVE_EVERY};
    const char *front = args->value[SERVE_FRONT], *page = args->value[SERVE_PAGE];
    o->fronts = file ? front && !equals(front, "off") : !equals(front, "off");
    o->pages = !equals(page, "off") && !(file && o->fronts);
    if (!o->fronts && !o->pages) {
        diag_error(EXIT_USAGE, "--page=off --front=off: nothing is left to serve");
        return false;
    }
    if (args->value[SERVE_AT] && !o->pages) {
        diag_error(EXIT_USAGE, "--at shows a place on the page; there is none");
        return false;
    }
    if (file && o->fronts && page && !equals(page, "off")) {
        diag_error(EXIT_USAGE, "--page and --front: a file is served to one of them");
        return false;
    }
    if (args->value[SERVE_RULES] && !o->pages) {
        diag_error(EXIT_USAGE, "--rules shows failures on the page, and there is none: use "
                               "`wallfly check`");
        return false;
    }
    for (unsigned i = 0; file && !o->fronts && i < sizeof fronts / sizeof *fronts; ++i) {
        if (!args->value[fronts[i]]) continue;
        diag_error(EXIT_USAGE, "--%s goes with a target, or with --front=PORT",
                   args->cmd->options[fronts[i]].name);
        return false;
    }
    return true;
}

static void use_input(struct serve_options *o) {
    struct wf_front_options *f = &o->front;
    f->format = o->input.format;
    f->describe = o->input.describe;
    f->describe_len = o->input.describe_len;
    f->start = start_command(o->args->value[SERVE_BEGIN]);
    f->start_len = f->start ? strlen(f->start) : 0;
    o->capture.format = input_recorded(&o->input);
}

int serve_parse(struct serve_options *o) {
    const struct args *args = o->args;
    const char *name = args->operands ? args->operand[0] : NULL;
    bool file = !name || (wf_link_is_file(name) && !wf_link_is_live(name) && !equals(name, "-"));
    o->quiet = args->value[SERVE_QUIET] != NULL;
    if (!parse_fronts(args, &o->front, &o->screen) || !parse_page(args, &o->page) ||
        !place_parse(args->value[SERVE_AT], &o->at) || !parse_capture(args, o) ||
        !check_several(args) || !parse_services(args, o, file))
        return EXIT_USAGE;
    o->page.live = !file;
    if (file && !o->fronts) o->page.keep = 0; // all of it
    if (!file)                                // of files: each trace has its own
        o->page.notes =
            notes_name(args->value[SERVE_NOTES], o->record, NULL, o->notes, sizeof o->notes);
    int code = input_parse(args, STREAM_INPUT, &o->input);
    if (code == EXIT_GOOD && !input_start(&o->input, args->value[SERVE_BEGIN])) code = EXIT_USAGE;
    if (code == EXIT_GOOD) use_input(o);
    return code;
}
