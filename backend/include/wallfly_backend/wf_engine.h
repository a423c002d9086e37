// SPDX-License-Identifier: MIT
// A ClickHouse server, by its HTTP interface (libcurl, which is loaded when an engine is opened).
//
//   e = wf_engine_open(&options, &error)
//   wf_engine_run(e, &(struct wf_statement){.sql = "SELECT 1"}, &error); wf_engine_answer(e, &len)
//
// A build without libcurl has these functions, too: wf_engine_open names the missing package.
// All functions of one object are for one thread; wf_engine_run waits for the answer.
#ifndef WF_ENGINE_H
#define WF_ENGINE_H

#include "wallfly_host/wf_error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_engine;

struct wf_engine_options {
    size_t size;          // sizeof(struct wf_engine_options)
    const char *url;      // http://[USER@]HOST[:PORT], or https
    const char *user;     // null: of the URL, or the default one of the engine
    const char *password; // null: none
    // How long a statement is sent again, unchanged, while the failure may pass: no answer, and
    // HTTP 408, 429 and 5xx but for codes that do not. 0: it is not; UINT64_MAX: for ever.
    uint64_t give_up_s;
    // Reports such a failure, once until there is another one. May be null.
    void (*failed)(void *ctx, const char *text);
    // Asked before a statement is sent again: true ends it with the failure. May be null.
    bool (*stopped)(void *ctx);
    void *ctx;
    // Asked about once a second while an answer is waited for: true ends the statement with
    // WF_ERR_STOPPED. May be null.
    bool (*cancelled)(void *ctx);
};

// Makes no connection yet, follows no redirection. Texts are copied.
//   returns  null with `error`: WF_ERR_USAGE (the URL is not valid, or has a password),
//   WF_ERR_NOMEM,
//            WF_ERR_LINK (built without libcurl, or it is not installed)
struct wf_engine *wf_engine_open(const struct wf_engine_options *options, struct wf_error *error);
void wf_engine_close(struct wf_engine *e);

struct wf_statement {
    const char *sql;
    const char *settings; // name=value&..., for this statement alone; null: none
    const void *body;     // data of an INSERT; null: none
    size_t len;
};

// Sends a statement and waits for the answer.
//   returns  WF_OK
//            WF_ERR_LINK    no answer: `error` says why. The engine may have got the statement
//            WF_ERR_ENGINE  the engine refuses it: `error` has its words
//            WF_ERR_STOPPED as `cancelled` says
//            WF_ERR_NOMEM
int wf_engine_run(struct wf_engine *e, const struct wf_statement *statement,
                  struct wf_error *error);
// The same for a statement without settings and data.
int wf_engine_ask(struct wf_engine *e, const char *sql, struct wf_error *error);
// Gets whether the engine has a setting. of: system.settings or system.merge_tree_settings. Returns
// as wf_engine_run.
int wf_engine_has(struct wf_engine *e, const char *of, const char *setting, bool *has,
                  struct wf_error *error);
// Returns the answer of the last statement, terminated, without its last line feed, valid until the
// next one. len: may be null.
const char *wf_engine_answer(const struct wf_engine *e, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
