// SPDX-License-Identifier: MIT
// Parses --input and --describe. The files of several --describe are joined, a line feed after
// each, so that one may add to another.

#include "input_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_backend/wf_folder.h"
#include "wallfly_backend/wf_link.h"

enum { DESCRIBE_MAX = 16 << 20 }; // bytes of all files

static int parse_format(const char *text, enum wf_lane_format *format) {
    char all[512] = "";
    size_t n = 0;
    if (!text || wf_lane_find_format(text, format)) return EXIT_GOOD;
    for (unsigned i = WF_LANE_UNKNOWN + 1; i < WF_LANE_END; ++i) {
        const char *name = wf_lane_format_name((enum wf_lane_format)i);
        enum wf_lane_format known;
        if (n >= sizeof all || !wf_lane_find_format(name, &known)) continue;
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", name);
    }
    return diag_error(EXIT_USAGE, "--input: no format '%s'; there are %s", text, all);
}

// Appends the contents of a file.
static int add_file(struct input_options *o, const char *name) {
    enum { PIECE = 1 << 16 };
    FILE *f = fopen(name, "rb");
    size_t n = 1;
    if (!f) return diag_error(EXIT_INPUT, "--describe: %s: %s", name, strerror(errno));
    while (n && o->describe_len <= DESCRIBE_MAX) {
        char *more = realloc(o->describe, o->describe_len + PIECE + 1);
        if (!more) break;
        o->describe = more;
        n = fread(more + o->describe_len, 1, PIECE, f);
        o->describe_len += n;
    }
    int err = ferror(f) ? errno : 0;
    fclose(f);
    if (err) return diag_error(EXIT_INPUT, "--describe: %s: %s", name, strerror(err));
    if (o->describe_len > DESCRIBE_MAX)
        return diag_error(EXIT_INPUT, "--describe: %s: more than %d bytes", name, DESCRIBE_MAX);
    if (n) return out_of_memory();
    o->describe[o->describe_len++] = '\n';
    return EXIT_GOOD;
}

static int read_files(const struct args *args, const char *list, struct input_options *o) {
    int code = EXIT_GOOD;
    for (const char *p = list; p && code == EXIT_GOOD;) {
        size_t len = strcspn(p, ",");
        char *name = malloc(len + 1);
        if (!name) return out_of_memory();
        memcpy(name, p, len);
        name[len] = 0;
        bool noted = !args->files || wf_files_add(args->files, name);
        code = noted ? add_file(o, name) : out_of_memory();
        free(name);
        p = p[len] ? p + len + 1 : NULL;
    }
    return code;
}

int input_parse(const struct args *args, unsigned first, struct input_options *o) {
    *o = (struct input_options){.format = WF_LANE_UNKNOWN};
    int code = parse_format(args->value[first + INPUT_FORMAT], &o->format);
    if (code == EXIT_GOOD) code = read_files(args, args->value[first + INPUT_DESCRIBE], o);
    if (code != EXIT_GOOD) input_close(o);
    return code;
}

int input_look(struct input_options *o, const char *source) {
    struct wf_folder_info info;
    struct wf_error error;
    if (!wf_link_is_file(source) || !wf_folder_is(source)) return EXIT_GOOD;
    int err = wf_folder_look(source, &info, &error);
    if (err != WF_OK) return diag_error(exit_code_of(err), "%s", error.text);
    if (!o->format) o->format = info.format;
    if (!o->describe && o->format == info.format) {
        o->describe = info.describe;
        o->describe_len = info.describe_len;
        info.describe = NULL;
    }
    wf_folder_info_free(&info);
    return EXIT_GOOD;
}

// The recorder reads one byte from its down channel.
const char *start_command(const char *text) { return text ? "\x01" : NULL; }

bool input_start(struct input_options *o, const char *start) {
    if (!start) return true;
    if (!o->format) o->format = WF_LANE_SYSTEMVIEW;
    if (o->format == WF_LANE_SYSTEMVIEW) return true;
    diag_error(EXIT_USAGE, "--start goes with --input=systemview");
    return false;
}

const struct wf_recording_format *input_recorded(struct input_options *o) {
    if (!o->format && !o->describe) return NULL;
    o->recorded =
        (struct wf_recording_format){.name = o->format ? wf_lane_format_name(o->format) : "",
                                     .describe = (const uint8_t *)o->describe,
                                     .describe_len = o->describe_len};
    return &o->recorded;
}

void input_close(struct input_options *o) {
    free(o->describe);
    o->describe = NULL;
    o->describe_len = 0;
}
