// SPDX-License-Identifier: MIT
// Connects clients with the pages that they are for.

#include "wallfly_server/site.h"

#include <stdio.h>
#include <string.h>

#include "page_parts.h"
#include "wallfly_server/bundle.h"
#include "wallfly_server/json.h"

static void put_list(FILE *out, const void *ctx) {
    const struct site *s = ctx;
    fputs("{\"site\":{\"version\":\"" WALLFLY_VERSION "\",\"traces\":[", out);
    for (unsigned i = 0; i < s->count; ++i) {
        if (i) putc(',', out);
        json_text(out, s->pages[i]->about.source);
    }
    fputs("]}}", out);
}

// Returns null for a client that gets the list.
static struct page *page_of(const struct site *s, int part) {
    if (part == WF_PAGE_NO_PART && s->count == 1) return s->pages[0];
    return part >= 0 && (unsigned)part < s->count ? s->pages[part] : NULL;
}

static void on_up(void *ctx, struct wf_page_client *c) {
    struct site *s = ctx;
    struct page *p = page_of(s, wf_page_part(c));
    *wf_page_user(c) = p;
    ++s->clients;
    if (p)
        page_client_up(p, c);
    else
        page_send(c, put_list, s);
}

static void on_message(void *ctx, struct wf_page_client *c, const char *text, size_t len) {
    (void)ctx;
    struct page *p = *wf_page_user(c);
    if (p) page_client_message(p, c, text, len);
}

static void on_down(void *ctx, struct wf_page_client *c) {
    struct site *s = ctx;
    struct page *p = *wf_page_user(c);
    --s->clients;
    if (p) page_client_down(p, c);
}

static int open_server(struct wf_page **server, uv_loop_t *loop, const char *listen,
                       const char *token, const struct wf_page_handlers *on, unsigned file_count,
                       struct wf_error *error) {
    struct wf_page_file files[BUNDLE_FILES];
    struct wf_page_options o = {sizeof o, listen, token, files, file_count};
    bundle_get(files);
    int err = wf_page_open(loop, &o, on, server, error);
    page_recv_watch(*server);
    return err;
}

static void close_server(struct wf_page **server) {
    page_recv_watch(NULL);
    if (*server) wf_page_close(*server);
    *server = NULL;
}

int site_open(struct site *s, uv_loop_t *loop, const char *listen, const char *token,
              void (*warn)(void *ctx, const char *text), struct wf_error *error) {
    const struct wf_page_handlers on = {
        .ctx = s, .up = on_up, .message = on_message, .down = on_down, .report = warn};
    *s = (struct site){.loop = loop};
    return open_server(&s->server, loop, listen, token, &on, BUNDLE_PAGE, error);
}

int site_add(struct site *s, struct page *p) {
    if (s->count == SITE_PAGES_MAX) return WF_ERR_TOO_MANY;
    s->pages[s->count++] = p;
    return WF_OK;
}

void site_close(struct site *s) { close_server(&s->server); }

struct page *site_page(const struct site *s, unsigned i) {
    if (!s->group) return i < s->count ? s->pages[i] : NULL;
    for (s = s->group->first; s; i -= s->count, s = s->next) {
        if (i < s->count) return s->pages[i];
    }
    return NULL;
}

static bool has_work(const struct site *s) {
    struct page *p;
    for (unsigned i = 0; (p = site_page(s, i)); ++i) {
        if (p->jobs && !p->job && !p->stop) return true;
    }
    return false;
}

// The pages take turns: one background job each. A job may be queued for an earlier page while that
// of a later one runs the loop.
void site_work(struct site *s) {
    struct page *p;
    do {
        for (unsigned i = 0; (p = site_page(s, i)); ++i) {
            page_work(p);
            page_push(p);
        }
    } while (has_work(s));
}

// ---- several sites

static struct site *find_site(const struct site_group *g, const char *folder) {
    struct site *s = g->first;
    while (s && strcmp(s->folder, folder) != 0) s = s->next;
    return s;
}

static bool is_folder(void *ctx, const char *folder) { return find_site(ctx, folder) != NULL; }

// libwebsockets has asked for the folder when the connection was upgraded, in the same turn of the
// loop.
static void on_up_in(void *ctx, struct wf_page_client *c) {
    struct site *s = find_site(ctx, wf_page_folder(c));
    if (s) on_up(s, c);
}

static void on_down_in(void *ctx, struct wf_page_client *c) {
    struct site *s = find_site(ctx, wf_page_folder(c));
    if (s) on_down(s, c);
}

static void on_request(void *ctx, struct wf_page_request *r, const char *path, const char *query) {
    const struct site_group *g = ctx;
    g->request(g->ctx, r, path, query);
}

int site_group_open(struct site_group *g, uv_loop_t *loop, const char *listen, const char *token,
                    void (*warn)(void *ctx, const char *text), struct wf_error *error) {
    const struct wf_page_handlers on = {.ctx = g,
                                        .up = on_up_in,
                                        .message = on_message,
                                        .down = on_down_in,
                                        .report = warn,
                                        .request = on_request,
                                        .folder = is_folder};
    g->loop = loop;
    return open_server(&g->server, loop, listen, token, &on, BUNDLE_FILES, error);
}

void site_group_add(struct site_group *g, struct site *s, const char *folder) {
    *s = (struct site){.loop = g->loop, .server = g->server, .group = g, .next = g->first};
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    g->first = s;
}

void site_group_remove(struct site_group *g, struct site *s) {
    struct site **at = &g->first;
    while (*at && *at != s) at = &(*at)->next;
    if (*at) *at = s->next;
    s->next = NULL;
}

void site_group_work(struct site_group *g) {
    if (g->first) site_work(g->first);
}

void site_group_close(struct site_group *g) { close_server(&g->server); }
