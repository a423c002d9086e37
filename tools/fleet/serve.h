// SPDX-License-Identifier: MIT
// `wallfly fleet serve`: serve.c runs the server, serve_request.c reads addresses and answers them,
// serve_jobs.c asks the engine, serve_list.c has the list of devices, serve_window.c the windows of
// devices, each a site of its own (site.h). Questions to the engine are asked in threads of libuv,
// with an engine of their own; all else is done by the thread of the loop.
#ifndef FLEET_SERVE_H
#define FLEET_SERVE_H

#include <stdatomic.h>

#include "../serve_traces.h"
#include "fleet.h"
#include "wallfly_backend/wf_window.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { FLEET_SERVE_PORT = FLEET_OPTIONS, FLEET_SERVE_TOKEN, FLEET_SERVE_IDLE, FLEET_SERVE_WINDOWS };

enum { SERVE_NAME_MAX = 16, SERVE_VALUE_MAX = 640 };

struct serve_window;
struct fleet_server;

// A question to the engine.
struct serve_job {
    void *of;                            // whose it is
    void (*ask)(struct serve_job *job);  // in a thread
    void (*done)(struct serve_job *job); // afterwards; `ask` was not called if it was skipped
    bool (*nobody_waits)(const struct serve_job *job);
    // Of serve_jobs.c:
    struct serve_job *next;
    struct fleet_server *server;
    uv_work_t work;
    atomic_bool cancelled;
};

struct fleet_server {
    struct fleet *fleet; // its engine is the main thread's, for the start alone
    const struct args *args;
    uv_loop_t loop;
    struct site_group group;
    struct serve_job *running, *waiting; // waiting: the first is the next
    unsigned running_count, waiting_count;
    struct serve_window *windows;
    unsigned windows_max;
    uint64_t idle_ns;
    atomic_bool stop;
};

// A part of a device's traces. Without bounds: its newest seconds.
struct serve_place {
    char device[WF_FLEET_DEVICE_MAX + 1];
    struct wf_window_bound at, from, until; // at: the moment in their middle
    uint64_t stream;                        // 0: all
};

// Runs until a signal or an error. Returns an exit code, after a message.
int fleet_serve(struct fleet_server *s, const char *listen, const char *token);
// Opens an engine for the thread of a question. Returns null with an error.
struct wf_engine *serve_engine(struct serve_job *job, struct wf_error *error);

// (serve_jobs.c) Asks a question, now or later. Returns false if too many wait.
bool serve_job_add(struct fleet_server *s, struct serve_job *job);
// Ends questions whose clients have left. Once a second, in callbacks of the loop.
void serve_jobs_look(struct fleet_server *s);

extern const char serve_busy[]; // for a page, when serve_job_add returns false

// (serve_request.c) Answers a request: handler of the sites. ctx: the server
void serve_request(void *ctx, struct wf_page_request *r, const char *path, const char *query);
// Answers with a page that says why there is nothing else.
void serve_refuse(const struct fleet_server *s, struct wf_page_request *r, unsigned status,
                  const char *text);
// The same for an error of the library, with its status.
void serve_refuse_error(const struct fleet_server *s, struct wf_page_request *r,
                        const struct wf_error *error);
// Sends the browser to another address, behind the token.
void serve_redirect(struct wf_page_request *r, const char *location);
// Takes the next name=value of a query, which is not its end. Returns false if it is too long.
bool serve_take_field(const char **query, char name[SERVE_NAME_MAX], char value[SERVE_VALUE_MAX]);
// Writes the folder of a window: its address behind the token.
void serve_put_folder(const struct serve_place *place, char folder[WF_PAGE_FOLDER_MAX + 1]);

// (serve_list.c) Answer with the list of devices, and with the newest seconds of a device.
void serve_list(struct fleet_server *s, struct wf_page_request *r, const char *query);
void serve_newest(struct fleet_server *s, struct wf_page_request *r,
                  const struct serve_place *place);

// (serve_window.c) Answers with the page of a window, which is opened first if it is not there.
// redirect: its address is another one
void serve_window(struct fleet_server *s, struct wf_page_request *r,
                  const struct serve_place *place, bool redirect);
// Opens the next window that was fetched. Returns false if there is none. Runs the loop.
bool serve_windows_open(struct fleet_server *s);
// Closes windows that no browser has shown for --idle. Not from callbacks of the loop.
void serve_windows_expire(struct fleet_server *s);
void serve_windows_stop(struct fleet_server *s);
// After the server; frees them when the loop has ended.
void serve_windows_close(struct fleet_server *s);
void serve_windows_free(struct fleet_server *s);

#endif
