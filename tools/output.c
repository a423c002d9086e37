// SPDX-License-Identifier: MIT
// Output files and folders of writers.

#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wallfly_server/store.h"

static const char *shown_name(const struct output *o) {
    return o->name ? o->name : "standard output";
}

static int report(struct output *o, int err, const char *why) {
    if (!o->failed) diag_error(exit_code_of(err), "%s", why);
    o->failed = true;
    return exit_code_of(err);
}

static int report_errno(struct output *o, const char *what) {
    if (!o->failed) diag_error(EXIT_INPUT, "%s: %s", what, strerror(errno));
    o->failed = true;
    return EXIT_INPUT;
}

static char *join(const char *base, const char *middle, const char *end) {
    size_t len = strlen(base) + strlen(middle) + strlen(end) + 1;
    char *text = malloc(len);
    if (text) snprintf(text, len, "%s%s%s", base, middle, end);
    return text;
}

// ---- open: at the first write, so that an old file stays if there is no output

char *output_name(const char *input, const char *suffix) {
    const char *slash = strrchr(input, '/'), *dot = strrchr(input, '.');
    bool has = dot && dot != input && dot != slash + 1 && (!slash || dot > slash);
    size_t len = has ? (size_t)(dot - input) : strlen(input), cap = len + strlen(suffix) + 1;
    char *name = malloc(cap);
    if (name) snprintf(name, cap, "%.*s%s", (int)len, input, suffix);
    return name;
}

// Returns whether a format writes a file of this name into its folder.
static bool is_member(const struct wf_format *format, const char *name) {
    unsigned n;
    int end = 0;
    if (strcmp(format->name, "ctf") == 0) {
        return strcmp(name, "metadata") == 0 ||
               (sscanf(name, "stream_%u%n", &n, &end) == 1 && !name[end]);
    }
    for (unsigned i = 0; i < wf_table_count; ++i) {
        size_t len = strlen(wf_tables[i].name);
        if (strncmp(name, wf_tables[i].name, len) == 0 && strcmp(name + len, ".csv") == 0)
            return true;
    }
    return false;
}

// Returns whether all files in a folder have names that the format makes, and none is an input.
static bool all_members(const struct output *o) {
    DIR *dir = opendir(o->name);
    bool all = dir != NULL;
    for (const struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        char *name = join(o->name, "/", d->d_name);
        all &= is_member(o->format, d->d_name) && name && !wf_files_has(o->files, name);
        free(name);
    }
    if (dir) closedir(dir);
    return all;
}

// The new folder replaces the old one as a whole: a stream of the old one would be read as part of
// the trace. A folder with any other file is not replaced.
static int check_folder(const struct output *o) {
    struct stat st;
    if (stat(o->name, &st) != 0) return EXIT_GOOD;
    if (!S_ISDIR(st.st_mode))
        return diag_error(EXIT_INPUT, "%s: is not a folder, which --to=%s makes", o->name,
                          o->format->name);
    if (all_members(o)) return EXIT_GOOD;
    return diag_error(EXIT_USAGE, "%s: holds other files; take a new folder for --to=%s", o->name,
                      o->format->name);
}

static int open_output(struct output *o, enum wf_outfile_mode mode) {
    struct wf_error error;
    int err = wf_outfile_open(o->name, mode, o->files, &o->output, &error);
    return err == WF_OK ? EXIT_GOOD : report(o, err, error.text);
}

static int open_folder(struct output *o) {
    int code = check_folder(o);
    return code == EXIT_GOOD ? open_output(o, WF_MODE_FOLDER) : code;
}

static int open_file(struct output *o) {
    o->file = stdout;
    if (!o->name) return EXIT_GOOD;
    int code = open_output(o, WF_MODE_BESIDE);
    o->file = code == EXIT_GOOD ? wf_outfile_stream(o->output) : NULL;
    return o->file || code != EXIT_GOOD ? code : report_errno(o, o->name);
}

static int open_database(struct output *o) {
    struct wf_error error;
    int err = wf_database_open(o->name, o->files, &o->database, &error);
    return err == WF_OK ? EXIT_GOOD : report(o, err, error.text);
}

// Opens the output at the first call. Returns whether it is open.
static bool ensure_open(struct output *o) {
    if (!o->opened) {
        int code = o->format->output == WF_OUTPUT_FOLDER ? open_folder(o)
                   : o->format->output == WF_OUTPUT_ROWS ? open_database(o)
                                                         : open_file(o);
        o->failed |= code != EXIT_GOOD;
        o->code = code;
    }
    o->opened = true;
    return !o->failed;
}

// ---- writing

static bool write_file(void *ctx, const char *bytes, size_t len) {
    struct output *o = ctx;
    if (!ensure_open(o) || fwrite(bytes, 1, len, o->file) == len) return !o->failed;
    report_errno(o, shown_name(o));
    return false;
}

// Parts to be joined are files without a name next to the output, where there is space for it, or
// among temporary files.
static FILE *open_piece(struct output *o) {
    char *name =
        o->name ? join(o->name, ".part", "XXXXXX") : join(temporary_folder(), "/wallfly", "XXXXXX");
    int fd = name ? mkstemp(name) : -1;
    FILE *f = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (fd >= 0) unlink(name);
    if (!f) report_errno(o, name ? name : shown_name(o));
    free(name);
    return f;
}

static FILE *open_member(struct output *o, const char *member) {
    char *name = join(wf_outfile_path(o->output), "/", member);
    FILE *f = name ? fopen(name, "wb") : NULL;
    if (!f) report_errno(o, name ? name : o->name);
    free(name);
    return f;
}

static bool write_part(void *ctx, unsigned part, const char *name, const char *bytes, size_t len) {
    struct output *o = ctx;
    if (!ensure_open(o)) return false;
    if (part >= OUTPUT_PARTS) {
        errno = EMFILE;
        report_errno(o, shown_name(o));
        return false;
    }
    if (part >= o->part_count) o->part_count = part + 1;
    bool folder = o->format->output == WF_OUTPUT_FOLDER;
    if (!o->parts[part]) o->parts[part] = folder ? open_member(o, name) : open_piece(o);
    if (!o->parts[part]) return false;
    if (fwrite(bytes, 1, len, o->parts[part]) == len) return true;
    report_errno(o, shown_name(o));
    return false;
}

static bool write_row(void *ctx, const struct wf_table *table, const struct wf_cell *cells) {
    struct output *o = ctx;
    return ensure_open(o) && wf_database_row(o->database, table, cells);
}

void output_use(struct wf_writer_options *options, wf_write_fn *write) {
    *write = write_file;
    options->part = write_part;
    options->row = write_row;
}

// ---- begin and end

int output_open(struct output *o, const struct wf_format *format, const char *name, bool in_base,
                const char *base, struct wf_files *files) {
    bool to_stdout = name ? strcmp(name, "-") == 0 : !base;
    bool stream = format->output == WF_OUTPUT_STREAM || format->output == WF_OUTPUT_JOINED;
    *o = (struct output){.format = format};
    if (to_stdout && !stream)
        return diag_error(EXIT_USAGE, "--to=%s makes %s; give --output=NAME", format->name,
                          format->output == WF_OUTPUT_FOLDER ? "a folder" : "a database");
    if (to_stdout && format->binary && isatty(STDOUT_FILENO))
        return diag_error(EXIT_USAGE,
                          "--to=%s makes bytes, which are no text for a terminal; "
                          "give --output=NAME",
                          format->name);
    if (!to_stdout)
        o->name = name && !in_base ? strdup(name) : join(name ? name : base, "", format->suffix);
    if (!to_stdout && !o->name) return out_of_memory();
    o->files = files;
    struct wf_error error;
    return !o->name || wf_files_check(files, o->name, &error) == WF_OK
               ? EXIT_GOOD
               : diag_error(EXIT_USAGE, "%s", error.text);
}

bool output_is_terminal(const struct output *o) { return !o->name && isatty(STDOUT_FILENO); }

static bool append(struct output *o, FILE *piece) {
    char block[65536];
    rewind(piece);
    for (size_t n; (n = fread(block, 1, sizeof block, piece)) != 0;) {
        if (fwrite(block, 1, n, o->file) != n) return false;
    }
    return !ferror(piece);
}

static void close_parts(struct output *o) {
    for (unsigned i = 0; i < o->part_count; ++i) {
        FILE *part = o->parts[i];
        if (!part) continue;
        bool good = fflush(part) == 0;
        if (o->file && !o->failed) good &= append(o, part);
        if (fclose(part) != 0 || !good) report_errno(o, shown_name(o));
        o->parts[i] = NULL;
    }
}

static void close_database(struct output *o, bool whole) {
    struct wf_error error;
    int err = o->database ? wf_database_close(o->database, whole, &error) : WF_OK;
    if (err != WF_OK) report(o, err, error.text);
}

static void close_output(struct output *o, bool whole) {
    struct wf_error error;
    if (!o->output) return;
    bool folder = o->format->output == WF_OUTPUT_FOLDER;
    if (folder && whole && check_folder(o) != EXIT_GOOD) o->failed = true; // it may have changed
    int err = wf_outfile_close(o->output, whole && !o->failed, &error);
    if (err != WF_OK) report(o, err, error.text);
}

int output_close(struct output *o, bool whole) {
    if (whole) ensure_open(o); // for an empty output
    close_parts(o);
    close_database(o, whole);
    close_output(o, whole);
    if (o->file == stdout && fflush(stdout) != 0) report_errno(o, shown_name(o));
    free(o->name);
    int code = o->code != EXIT_GOOD ? o->code : o->failed ? EXIT_INPUT : EXIT_GOOD;
    *o = (struct output){.failed = o->failed};
    return code;
}
