// SPDX-License-Identifier: MIT
// Connects clients with the pages that they are for.

#include "wallfly_server/site.h"

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
    (void)ctx;
    struct page *p = *wf_page_user(c);
    if (p) page_client_down(p, c);
}

int site_open(struct site *s, uv_loop_t *loop, const char *listen, const char *token,
              void (*warn)(void *ctx, const char *text), struct wf_error *error) {
    struct wf_page_file files[BUNDLE_FILES];
    struct wf_page_options o = {sizeof o, listen, token, files, BUNDLE_FILES};
    struct wf_page_handlers on = {s, on_up, on_message, on_down, warn};
    *s = (struct site){.loop = loop};
    bundle_get(files);
    int err = wf_page_open(loop, &o, &on, &s->server, error);
    page_recv_watch(s->server);
    return err;
}

int site_add(struct site *s, struct page *p) {
    if (s->count == SITE_PAGES_MAX) return WF_ERR_TOO_MANY;
    s->pages[s->count++] = p;
    return WF_OK;
}

void site_close(struct site *s) {
    page_recv_watch(NULL);
    if (s->server) wf_page_close(s->server);
    s->server = NULL;
}

static bool has_work(const struct site *s) {
    for (unsigned i = 0; i < s->count; ++i) {
        const struct page *p = s->pages[i];
        if (p->jobs && !p->job && !p->stop) return true;
    }
    return false;
}

// The pages take turns: one background job each. A job may be queued for an earlier page while that
// of a later one runs the loop.
void site_work(struct site *s) {
    do {
        for (unsigned i = 0; i < s->count; ++i) {
            page_work(s->pages[i]);
            page_push(s->pages[i]);
        }
    } while (has_work(s));
}
