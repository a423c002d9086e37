// SPDX-License-Identifier: MIT
// See window.h.

#include "window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { URL_MAX = 512 };

// ---- the URL

struct source {
    const char *url;
    const char *trace; // its file
    char engine[URL_MAX], project[WF_FLEET_PROJECT_MAX + 1], device[WF_FLEET_DEVICE_MAX + 1];
    struct wf_window_options o;
};

const char fleet_window_source[] =
    "clickhouse://[USER@]HOST[:PORT]/PROJECT/DEVICE[?from=TIME&until=TIME&stream=NUMBER]";
const char fleet_window_sentence[] = "a device's traces in ClickHouse (docs/fleet.md)";

static const char scheme[] = "clickhouse://", secure[] = "clickhouses://";

static bool is_window(const char *operand) {
    return strncmp(operand, scheme, sizeof scheme - 1) == 0 ||
           strncmp(operand, secure, sizeof secure - 1) == 0;
}

static int usage(const struct source *s, const char *what) {
    return diag_error(EXIT_USAGE, "%s: %s; it is %s", s->url, what, fleet_window_source);
}

static int parse_query(struct source *s, const char *query) {
    char what[128];
    for (size_t len; *query; query += len + (query[len] == '&')) {
        len = strcspn(query, "&");
        const char *value = memchr(query, '=', len);
        size_t name = value ? (size_t)(value - query) : len;
        bool good = false;
        if (value && name == 4 && strncmp(query, "from", name) == 0)
            good = wf_window_bound_parse(value + 1, len - name - 1, &s->o.from);
        else if (value && name == 5 && strncmp(query, "until", name) == 0)
            good = wf_window_bound_parse(value + 1, len - name - 1, &s->o.until);
        else if (value && name == 6 && strncmp(query, "stream", name) == 0)
            good = wf_window_stream_parse(value + 1, len - name - 1, &s->o.stream);
        if (good) continue;
        snprintf(what, sizeof what,
                 "'%.*s' is no from, until or stream; a time is 12.5, 30ms or "
                 "2026-01-02T03:04:05Z",
                 (int)(len < 40 ? len : 40), query);
        return usage(s, what);
    }
    return EXIT_GOOD;
}

// Copies a part of a path. Returns false if it is empty or too long.
static bool copy_part(char *to, size_t cap, const char *from, size_t len) {
    if (!len || len >= cap) return false;
    memcpy(to, from, len);
    to[len] = 0;
    return true;
}

static int parse_url(struct source *s) {
    const bool tls = strncmp(s->url, secure, sizeof secure - 1) == 0;
    const char *host = s->url + (tls ? sizeof secure : sizeof scheme) - 1;
    size_t host_len = strcspn(host, "/");
    const char *user = memrchr(host, '@', host_len), *name = user ? user + 1 : host;
    const char *bracket = memrchr(name, ']', host_len - (size_t)(name - host)); // of [::1]
    const char *digits = bracket ? bracket : name;
    const bool has_port = memchr(digits, ':', host_len - (size_t)(digits - host)) != NULL;
    const char *project = host + host_len + (host[host_len] == '/');
    size_t project_len = strcspn(project, "/?");
    const char *device = project + project_len + (project[project_len] == '/');
    size_t device_len = strcspn(device, "?");
    int len = snprintf(s->engine, sizeof s->engine, "http%s://%.*s%s", tls ? "s" : "",
                       (int)(host_len < URL_MAX ? host_len : URL_MAX), host,
                       has_port ? ""
                       : tls    ? ":8443"
                                : ":8123");
    if (!host_len || len >= (int)sizeof s->engine) return usage(s, "has no host");
    if (!copy_part(s->project, sizeof s->project, project, project_len) ||
        !wf_fleet_is_project(s->project))
        return usage(s, "has no project");
    if (!copy_part(s->device, sizeof s->device, device, device_len) ||
        !wf_fleet_is_device(s->device))
        return usage(s, "has no device");
    const char *query = device + device_len;
    return *query ? parse_query(s, query + 1) : EXIT_GOOD;
}

// ---- reading

static bool write_file(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

static int write_error(struct wf_error *error) {
    return wf_error_set(error, WF_ERR_WRITE, "%s: %s", fleet_files_folder(), strerror(errno));
}

static int fetch_window(struct source *s, struct wf_window_found *found, struct wf_error *error) {
    FILE *f = fleet_file_create(s->device, ".wfr", &s->trace);
    int err = f ? wf_window_read(&s->o, write_file, f, found, error) : write_error(error);
    if (f && fclose(f) != 0 && err == WF_OK) err = write_error(error);
    return err;
}

// Gets the program for the names of a window.
//   file  set to its name; null: none is stored
static int fetch_program(struct source *s, const struct wf_window_found *found, const char **file,
                         struct wf_error *error) {
    size_t len = 0;
    FILE *f = fleet_file_create(s->device, ".elf", file);
    int err = f ? wf_window_program(&s->o, found, write_file, f, &len, error) : write_error(error);
    if (f && fclose(f) != 0 && err == WF_OK) err = write_error(error);
    if (!len) *file = NULL;
    return err;
}

// program: set to the file of a program for its names, null: none; itself null: it is not asked for
static int fetch(struct source *s, struct wf_window_found *found, const char **program) {
    struct wf_error error;
    const struct wf_engine_options options = {
        .size = sizeof options, .url = s->engine, .password = getenv("WALLFLY_PASSWORD")};
    s->o.engine = wf_engine_open(&options, &error);
    if (!s->o.engine) return diag_error(exit_code_of(error.code), "%s: %s", s->url, error.text);
    int err = fetch_window(s, found, &error);
    if (err == WF_OK && program) err = fetch_program(s, found, program, &error);
    wf_engine_close(s->o.engine);
    return err == WF_OK ? EXIT_GOOD : diag_error(exit_code_of(err), "%s: %s", s->url, error.text);
}

static int find_option(const struct args *args, const char *name) {
    for (int i = 0; args->cmd->options[i].name; ++i)
        if (strcmp(args->cmd->options[i].name, name) == 0) return i;
    return -1;
}

// Sets an option of the command that was not given, if it has it.
static void set_option(struct args *args, const char *name, const char *value) {
    const int i = find_option(args, name);
    if (i >= 0 && !args->value[i]) args->value[i] = value;
}

// Whether names of a stored program can be used: the command takes a program, and none was given.
static bool lacks_program(const struct args *args) {
    const int elf = find_option(args, "elf"), map = find_option(args, "map");
    return elf >= 0 && !args->value[elf] && (map < 0 || !args->value[map]);
}

// A window has whole segments: commands that can show a part of a trace show just the window, or
// open there.
static void set_bounds(struct args *args, const struct source *s,
                       const struct wf_window_found *found) {
    static char from[32], until[32], at[80];
    const uint64_t second = 1000000000;
    snprintf(from, sizeof from, "%" PRIu64 ".%09" PRIu64, found->from_ns / second,
             found->from_ns % second);
    snprintf(until, sizeof until, "%" PRIu64 ".%09" PRIu64, found->until_ns / second,
             found->until_ns % second);
    snprintf(at, sizeof at, "%s..%s", from, until);
    if (s->o.from.given) set_option(args, "from", from);
    if (s->o.until.given) set_option(args, "until", until);
    if (s->o.from.given && s->o.until.given) set_option(args, "at", at);
}

static int take_operand(struct args *args, int i, bool single) {
    struct source s = {.url = args->operand[i]};
    struct wf_window_found found = {0};
    const char *program = NULL;
    s.o = (struct wf_window_options){.size = sizeof s.o,
                                     .project = s.project,
                                     .device = s.device,
                                     .tool = "wallfly " WALLFLY_VERSION};
    int code = parse_url(&s);
    const bool named = single && lacks_program(args);
    if (code == EXIT_GOOD) code = fetch(&s, &found, named ? &program : NULL);
    if (code != EXIT_GOOD) return code;
    args->operand[i] = (char *)s.trace;
    if (program) set_option(args, "elf", program);
    set_option(args, "notes", "off"); // there is no file beside which they could be
    if (single && found.streams == 1)
        set_bounds(args, &s, &found);
    else if (s.o.from.given || s.o.until.given)
        diag_note("%s: %" PRIu64 " segments, of which the window is a part", s.url, found.segments);
    return EXIT_GOOD;
}

int fleet_window_operands(struct args *args) {
    int windows = 0, code = EXIT_GOOD;
    for (int i = 0; i < args->operands; ++i) windows += is_window(args->operand[i]);
    if (!windows) return EXIT_GOOD;
    if (strncmp(args->cmd->name, "fleet ", 6) == 0)
        return diag_error(EXIT_USAGE, "%s: takes no clickhouse:// source", args->cmd->name);
    code = fleet_files_open(windows + 1);
    for (int i = 0; i < args->operands && code == EXIT_GOOD; ++i)
        if (is_window(args->operand[i])) code = take_operand(args, i, windows == 1);
    return code;
}
