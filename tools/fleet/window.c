// SPDX-License-Identifier: MIT
// See window.h.

#include "window.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { URL_MAX = 512 };

// ---- temporary files

// One folder of the program, with a file for each operand.
static struct folder {
    char name[512];
    char (*files)[512 + WF_FLEET_DEVICE_MAX + 32];
    int count;
} folder;

static void remove_files(void) {
    for (int i = 0; i < folder.count; ++i) unlink(folder.files[i]);
    if (*folder.name) rmdir(folder.name);
}

// Commands that read a link have handlers of their own later, and end as usual.
static void on_signal(int number) {
    remove_files();
    signal(number, SIG_DFL);
    raise(number);
}

// A signal that the caller ignores stays so.
static void catch_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; ++i) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            signal(signals[i], on_signal);
    }
}

static int make_folder(int files) {
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary) temporary = "/tmp";
    if (strlen(temporary) > sizeof folder.name - 16)
        return diag_error(EXIT_USAGE, "TMPDIR: is longer than %zu bytes", sizeof folder.name - 16);
    snprintf(folder.name, sizeof folder.name, "%s/wallfly-XXXXXX", temporary);
    folder.files = calloc((size_t)files, sizeof *folder.files);
    if (!folder.files) return out_of_memory();
    if (!mkdtemp(folder.name)) {
        int code = diag_error(EXIT_INPUT, "%s: %s", folder.name, strerror(errno));
        *folder.name = 0;
        return code;
    }
    atexit(remove_files);
    catch_signals();
    return EXIT_GOOD;
}

// Two windows of a device have files of different names.
static FILE *create_file(const char *device, const char *ending) {
    char *name = folder.files[folder.count];
    snprintf(name, sizeof *folder.files, "%s/%s%s", folder.name, device, ending);
    for (int n = 2; access(name, F_OK) == 0; ++n)
        snprintf(name, sizeof *folder.files, "%s/%s-%d%s", folder.name, device, n, ending);
    FILE *f = fopen(name, "wbx");
    if (f) ++folder.count;
    return f;
}

static bool write_file(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

// ---- the URL

struct source {
    const char *url;
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

// 2026-01-02T03:04:05.678Z
static bool parse_utc(const char *text, size_t len, uint64_t *ns) {
    struct tm t = {0};
    char copy[48], *end;
    double fraction = 0;
    if (len >= sizeof copy) return false;
    memcpy(copy, text, len);
    copy[len] = 0;
    const char *rest = strptime(copy, "%Y-%m-%dT%H:%M", &t);
    if (!rest) return false;
    if (*rest == ':') {
        t.tm_sec = (int)strtol(rest + 1, &end, 10);
        if (end != rest + 3 || t.tm_sec > 60) return false;
        rest = end;
    }
    if (*rest == '.') {
        fraction = strtod(rest, &end);
        rest = end;
    }
    const struct tm given = t;
    time_t seconds = timegm(&t); // makes March of February 30
    if (t.tm_mday != given.tm_mday || t.tm_hour != given.tm_hour) return false;
    *ns = (uint64_t)seconds * 1000000000 + (uint64_t)(fraction * 1e9 + 0.5);
    return strcmp(rest, "Z") == 0 && seconds >= 0;
}

// 12.5, 12.5s, 30ms, 40us, 7ns, 5m, 2h
static bool parse_span(const char *text, size_t len, uint64_t *ns) {
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"", 1e9}, {"s", 1e9},  {"ms", 1e6},  {"us", 1e3},
                 {"ns", 1}, {"m", 6e10}, {"h", 3.6e12}};
    char *end;
    double value = strtod(text, &end);
    if (strspn(text, "0123456789.") < (size_t)(end - text) || end == text || end > text + len)
        return false; // no 0x10, 1e5 or -1
    size_t rest = (size_t)(text + len - end);
    for (unsigned i = 0; i < sizeof units / sizeof *units; ++i) {
        if (strlen(units[i].name) != rest || strncmp(units[i].name, end, rest) != 0) continue;
        value *= units[i].ns;
        *ns = (uint64_t)(value + 0.5);
        return value < 1e19;
    }
    return false;
}

static bool parse_bound(const char *text, size_t len, struct wf_window_bound *b) {
    if (b->given) return false; // twice
    b->given = true;
    b->utc = len && text[len - 1] == 'Z';
    return b->utc ? parse_utc(text, len, &b->ns) : parse_span(text, len, &b->ns);
}

static bool parse_stream(const char *text, size_t len, uint64_t *stream) {
    char *end;
    errno = 0;
    *stream = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && end == text + len && !errno && *stream;
}

static int parse_query(struct source *s, const char *query) {
    char what[128];
    for (size_t len; *query; query += len + (query[len] == '&')) {
        len = strcspn(query, "&");
        const char *value = memchr(query, '=', len);
        size_t name = value ? (size_t)(value - query) : len;
        bool good = false;
        if (value && name == 4 && strncmp(query, "from", name) == 0)
            good = parse_bound(value + 1, len - name - 1, &s->o.from);
        else if (value && name == 5 && strncmp(query, "until", name) == 0)
            good = parse_bound(value + 1, len - name - 1, &s->o.until);
        else if (value && name == 6 && strncmp(query, "stream", name) == 0)
            good = parse_stream(value + 1, len - name - 1, &s->o.stream);
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

static int write_error(struct wf_error *error) {
    return wf_error_set(error, WF_ERR_WRITE, "%s: %s", folder.name, strerror(errno));
}

static int fetch_window(struct source *s, struct wf_window_found *found, struct wf_error *error) {
    FILE *f = create_file(s->device, ".wfr");
    int err = f ? wf_window_read(&s->o, write_file, f, found, error) : write_error(error);
    if (f && fclose(f) != 0 && err == WF_OK) err = write_error(error);
    return err;
}

// Gets the program for the names of a window.
//   file  set to its name; null: none is stored
static int fetch_program(struct source *s, const struct wf_window_found *found, const char **file,
                         struct wf_error *error) {
    size_t len = 0;
    FILE *f = create_file(s->device, ".elf");
    int err = f ? wf_window_program(&s->o, found, write_file, f, &len, error) : write_error(error);
    if (f && fclose(f) != 0 && err == WF_OK) err = write_error(error);
    *file = len ? folder.files[folder.count - 1] : NULL;
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
    const int file = folder.count;
    if (code == EXIT_GOOD) code = fetch(&s, &found, named ? &program : NULL);
    if (code != EXIT_GOOD) return code;
    args->operand[i] = folder.files[file];
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
    code = make_folder(windows + 1);
    for (int i = 0; i < args->operands && code == EXIT_GOOD; ++i)
        if (is_window(args->operand[i])) code = take_operand(args, i, windows == 1);
    return code;
}
