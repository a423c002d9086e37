// SPDX-License-Identifier: MIT
// Windows of devices: each is fetched as a recording (wf_window.h) and read as `wallfly serve`
// reads a file, once for all browsers that show it. It is closed when none has shown it for --idle.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "serve.h"

// BYTES_MAX: a whole trace, however large, and what else is in its window.
enum { BYTES_MAX = WF_SEGMENT_WHOLE_MAX + (1 << 20), LOCATION_MAX = WF_PAGE_FOLDER_MAX + 128 };

// A request for a window that is not open yet.
struct waiter {
    struct waiter *next;
    struct wf_page_request *request;
    bool redirect;
    struct wf_window_bound at;
};

enum state { FETCHING, FETCHED, OPEN, FAILED };

struct serve_window {
    struct serve_window *next;
    struct fleet_server *server;
    struct serve_place place;
    char folder[WF_PAGE_FOLDER_MAX + 1];
    enum state state;
    bool evicted; // its place is needed for another window
    struct waiter *waiters;
    uint64_t used_ns;

    // Of the thread that fetches it, until it is fetched:
    struct serve_job job;
    FILE *to[2];
    struct wf_window_found found;
    bool has_program;
    struct wf_error error; // also of traces

    const char *files[2]; // the recording, and the program for its names
    struct file_server traces;
    struct args args;
    char *operand[1];
    char earlier[LOCATION_MAX], later[LOCATION_MAX];
    struct page_around around;
};

static bool is_open(const struct serve_window *w) { return w->state == OPEN; }

// All clients that waited for it have left: a later request makes another window.
static bool is_left(const struct serve_window *w) { return atomic_load(&w->job.cancelled); }

static bool nobody_waits(const struct serve_job *job) {
    const struct serve_window *w = job->of;
    const struct waiter *waiter = w->waiters;
    while (waiter && wf_page_client_left(waiter->request)) waiter = waiter->next;
    return !waiter;
}

static bool is_watched(const struct serve_window *w) {
    return w->state != FAILED && (!is_open(w) || w->traces.site.clients);
}

// ---- answers

static void put_seconds(char *to, size_t cap, uint64_t ns) {
    const uint64_t second = 1000000000;
    snprintf(to, cap, "%" PRIu64 ".%09" PRIu64, ns / second, ns % second);
}

// The place that the page begins at, which counts from the first time of the first trace.
static void put_hash(const struct serve_window *w, const struct wf_window_bound *at, char *to,
                     size_t cap) {
    const struct wf_window_found *f = &w->found;
    char from[32], until[32];
    if (!w->place.from.given || !w->place.until.given) return;
    const uint64_t behind = at->given ? w->place.until.ns - at->ns : 0;
    put_seconds(from, sizeof from, f->from_ns);
    put_seconds(until, sizeof until, f->until_ns > behind ? f->until_ns - behind : 0);
    if (at->given)
        snprintf(to, cap, "#at=%s", until);
    else
        snprintf(to, cap, "#at=%s..%s", from, until);
}

static void answer(struct serve_window *w, struct wf_page_request *r, bool redirect,
                   const struct wf_window_bound *at) {
    char location[LOCATION_MAX], hash[96] = "";
    w->used_ns = uv_hrtime();
    if (!redirect) {
        wf_page_answer_file(r, "");
        return;
    }
    put_hash(w, at, hash, sizeof hash);
    snprintf(location, sizeof location, "%s%s", w->folder, hash);
    serve_redirect(r, location);
}

static void answer_waiters(struct serve_window *w) {
    for (struct waiter *next; w->waiters; w->waiters = next) {
        struct waiter *waiter = w->waiters;
        next = waiter->next;
        if (is_open(w))
            answer(w, waiter->request, waiter->redirect, &waiter->at);
        else
            serve_refuse_error(w->server, waiter->request, &w->error);
        free(waiter);
    }
}

static void fail(struct serve_window *w) {
    w->state = FAILED;
    answer_waiters(w);
}

// ---- fetching, in a thread

static bool write_trace(void *ctx, const char *bytes, size_t len) {
    const struct serve_window *w = ctx;
    return fwrite(bytes, 1, len, w->to[0]) == len;
}

static bool write_program(void *ctx, const char *bytes, size_t len) {
    const struct serve_window *w = ctx;
    return fwrite(bytes, 1, len, w->to[1]) == len;
}

static int fetch_from(struct serve_window *w, struct wf_engine *engine) {
    size_t program_len = 0;
    const struct wf_window_options o = {.size = sizeof o,
                                        .engine = engine,
                                        .project = w->server->fleet->project,
                                        .device = w->place.device,
                                        .stream = w->place.stream,
                                        .from = w->place.from,
                                        .until = w->place.until,
                                        .tool = "wallfly " WALLFLY_VERSION,
                                        .most_bytes = BYTES_MAX};
    int err = wf_window_read(&o, write_trace, w, &w->found, &w->error);
    if (err == WF_OK && w->found.streams == 1 && w->found.from_ns > w->found.last_ns)
        return wf_error_set(&w->error, WF_ERR_READ, "%s: device %s has nothing in this time",
                            o.project, o.device);
    if (err == WF_OK)
        err = wf_window_program(&o, &w->found, write_program, w, &program_len, &w->error);
    w->has_program = program_len != 0;
    return err;
}

static void close_file(FILE **f) {
    if (*f) fclose(*f);
    *f = NULL;
}

static void fetch(struct serve_job *job) {
    struct serve_window *w = job->of;
    struct wf_engine *engine = serve_engine(job, &w->error);
    int err = engine ? fetch_from(w, engine) : w->error.code;
    for (unsigned i = 0; i < 2; ++i) {
        if (fclose(w->to[i]) != 0 && err == WF_OK)
            err = wf_error_set(&w->error, WF_ERR_WRITE, "%s: %s", fleet_files_folder(),
                               strerror(errno));
        w->to[i] = NULL;
    }
    w->error.code = err;
    wf_engine_close(engine);
}

// It may be called while another window is read: then this one is opened afterwards.
static void on_fetched(struct serve_job *job) {
    struct serve_window *w = job->of;
    for (unsigned i = 0; i < 2; ++i) close_file(&w->to[i]); // it was skipped
    if (atomic_load(&w->server->stop) || is_left(w)) wf_error_code(&w->error, WF_ERR_STOPPED);
    if (w->error.code == WF_OK)
        w->state = FETCHED;
    else
        fail(w);
    uv_stop(&w->server->loop); // so that its caller opens it
}

// ---- making and finding

static struct serve_window *find_window(const struct fleet_server *s, const char *folder) {
    struct serve_window *w = s->windows;
    while (w && (w->state == FAILED || is_left(w) || strcmp(w->folder, folder) != 0)) w = w->next;
    return w;
}

// Makes room for one more: closes the window that was used least recently.
// Returns false if all are in use.
static bool make_room(struct fleet_server *s) {
    struct serve_window *oldest = NULL;
    unsigned count = 0;
    for (struct serve_window *w = s->windows; w; w = w->next) {
        if (w->evicted || w->state == FAILED) continue;
        ++count;
        if (!is_watched(w) && (!oldest || w->used_ns < oldest->used_ns)) oldest = w;
    }
    if (count < s->windows_max) return true;
    if (oldest) oldest->evicted = true;
    return oldest != NULL;
}

static void drop_files(struct serve_window *w) {
    for (unsigned i = 0; i < 2; ++i) {
        close_file(&w->to[i]);
        fleet_file_remove(w->files[i]);
    }
}

static struct serve_window *make_window(struct fleet_server *s, const struct serve_place *place,
                                        const char *folder) {
    struct serve_window *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->server = s;
    w->place = *place;
    snprintf(w->folder, sizeof w->folder, "%s", folder);
    w->to[0] = fleet_file_create(place->device, ".wfr", &w->files[0]);
    w->to[1] = fleet_file_create(place->device, ".elf", &w->files[1]);
    w->job =
        (struct serve_job){.of = w, .ask = fetch, .done = on_fetched, .nobody_waits = nobody_waits};
    wf_error_code(&w->error, WF_ERR_STOPPED); // until it is fetched
    if (w->to[0] && w->to[1]) return w;
    drop_files(w);
    free(w);
    return NULL;
}

static bool add_waiter(struct serve_window *w, struct wf_page_request *r, bool redirect,
                       const struct wf_window_bound *at) {
    struct waiter *waiter = malloc(sizeof *waiter);
    if (!waiter) return false;
    *waiter = (struct waiter){w->waiters, r, redirect, *at};
    w->waiters = waiter;
    return true;
}

// Returns null, or what is wrong.
static const char *fetch_window(struct fleet_server *s, struct wf_page_request *r,
                                const struct serve_place *place, const char *folder,
                                bool redirect) {
    static const char no_memory[] = "There is no memory, or no room for temporary files.";
    if (!make_room(s))
        return "All windows that this server has (--windows) are open in browsers; close one.";
    struct serve_window *w = make_window(s, place, folder);
    if (!w) return no_memory;
    const bool good = add_waiter(w, r, redirect, &place->at);
    if (good && serve_job_add(s, &w->job)) { // it may be done already
        w->next = s->windows;
        s->windows = w;
        return NULL;
    }
    drop_files(w);
    free(w->waiters);
    free(w);
    return good ? serve_busy : no_memory;
}

void serve_window(struct fleet_server *s, struct wf_page_request *r,
                  const struct serve_place *place, bool redirect) {
    char folder[WF_PAGE_FOLDER_MAX + 1];
    const char *wrong = NULL;
    serve_put_folder(place, folder);
    struct serve_window *w = find_window(s, folder);
    if (w) w->evicted = false;
    if (w && is_open(w))
        answer(w, r, redirect, &place->at);
    else if (!w)
        wrong = fetch_window(s, r, place, folder, redirect);
    else if (!add_waiter(w, r, redirect, &place->at))
        wrong = "There is no memory.";
    if (wrong) serve_refuse(s, r, 503, wrong);
}

// ---- opening

// Writes the address of a window of the same length, from the folder of this one.
static void put_neighbour(const struct serve_window *w, bool later, char to[LOCATION_MAX]) {
    struct wf_window_bound from = w->place.from, until = w->place.until;
    const uint64_t length = until.ns - from.ns;
    char a[WF_WINDOW_BOUND_MAX] = "", b[WF_WINDOW_BOUND_MAX] = "", stream[40] = "";
    from.ns = later ? until.ns : from.ns - (from.ns < length ? from.ns : length);
    until.ns = from.ns + length;
    wf_window_bound_put(&from, a);
    wf_window_bound_put(&until, b);
    if (w->place.stream) snprintf(stream, sizeof stream, "&stream=%" PRIu64, w->place.stream);
    snprintf(to, LOCATION_MAX, "../../%s?from=%s&until=%s%s", w->place.device, a, b, stream);
}

static void set_around(struct serve_window *w) {
    const struct serve_place *p = &w->place;
    w->around.list = "../../../";
    if (!p->from.given || !p->until.given || p->from.utc != p->until.utc) return;
    put_neighbour(w, true, w->later);
    w->around.later = w->later;
    if (!w->found.from_ns) return; // nothing is earlier
    put_neighbour(w, false, w->earlier);
    w->around.earlier = w->earlier;
}

// As `wallfly serve` opens a file.
static int open_traces(struct serve_window *w) {
    struct serve_options o = {.args = &w->args};
    w->operand[0] = (char *)w->files[0];
    w->args = (struct args){
        .cmd = &cmd_serve, .files = w->server->args->files, .operand = w->operand, .operands = 1};
    w->args.value[SERVE_NOTES] = "off";
    if (w->has_program) w->args.value[STREAM_ELF] = w->files[1];
    int code = serve_parse(&o);
    set_around(w);
    o.page.title = w->place.device;
    o.page.around = &w->around;
    if (code == EXIT_GOOD) code = traces_open(&w->traces, &o);
    input_close(&o.input);
    return code;
}

static void open_window(struct serve_window *w) {
    bool served;
    site_group_add(&w->server->group, &w->traces.site, w->folder);
    if (open_traces(w) != EXIT_GOOD) {
        wf_error_set(&w->error, WF_ERR_READ, "%s", diag_last_error());
        site_group_remove(&w->server->group, &w->traces.site);
        fail(w);
        return;
    }
    w->state = OPEN;
    w->used_ns = uv_hrtime();
    answer_waiters(w);
    traces_read(&w->traces, &served); // a page shows what is wrong
}

bool serve_windows_open(struct fleet_server *s) {
    struct serve_window *w = s->windows;
    while (w && w->state != FETCHED) w = w->next;
    if (w) open_window(w);
    return w != NULL;
}

// ---- closing

// Its pages, before the site's memory is freed.
static void close_window(struct serve_window *w) {
    if (is_open(w)) site_group_remove(&w->server->group, &w->traces.site);
    traces_close(&w->traces);
    for (unsigned i = 0; i < 2; ++i) fleet_file_remove(w->files[i]);
}

static void free_window(struct serve_window *w) {
    free(w->traces.traces);
    free(w);
}

static bool is_over(const struct serve_window *w, uint64_t now_ns) {
    if (w->state == FAILED) return true;
    return is_open(w) && !is_watched(w) &&
           (w->evicted || now_ns - w->used_ns >= w->server->idle_ns);
}

void serve_windows_expire(struct fleet_server *s) {
    const uint64_t now_ns = uv_hrtime();
    for (struct serve_window **at = &s->windows; *at;) {
        struct serve_window *w = *at;
        if (is_open(w) && is_watched(w)) w->used_ns = now_ns;
        if (!is_over(w, now_ns)) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        close_window(w);
        free_window(w);
    }
}

void serve_windows_stop(struct fleet_server *s) {
    for (struct serve_window *w = s->windows; w; w = w->next) traces_stop(&w->traces);
}

void serve_windows_close(struct fleet_server *s) {
    for (struct serve_window *w = s->windows; w; w = w->next) {
        if (w->state == FETCHING) continue; // its thread ends soon
        if (w->state == FETCHED) {
            wf_error_code(&w->error, WF_ERR_STOPPED);
            fail(w);
        }
        close_window(w);
    }
}

void serve_windows_free(struct fleet_server *s) {
    for (struct serve_window *next; s->windows; s->windows = next) {
        next = s->windows->next;
        free_window(s->windows);
    }
}
