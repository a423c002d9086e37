// SPDX-License-Identifier: MIT
// A file of names that a page sends: a program's file or a dictionary, in pieces, as a message has
// a megabyte at most.

#include <stdlib.h>
#include <string.h>

#include "page_parts.h"
#include "wallfly_server/json.h"
#include "wallfly_server/page_search.h"

enum { MOST = 256 << 20, TIMES = 16 }; // bytes of a file; files in all, as readings keep them

struct page_upload {
    struct page *page;
    const struct wf_page_client *client; // null: no file is being sent
    uint8_t *bytes;
    size_t len, of;
    unsigned files; // loaded so far
};

struct page_upload *page_upload_open(struct page *p) {
    struct page_upload *u = calloc(1, sizeof *u);
    if (u) u->page = p;
    return u;
}

static void end(struct page_upload *u) {
    free(u->bytes);
    u->bytes = NULL;
    u->client = NULL;
}

void page_upload_drop(struct page_upload *u, const struct wf_page_client *c) {
    if (u && u->client == c) end(u);
}

void page_upload_close(struct page_upload *u) {
    if (u) end(u);
    free(u);
}

static int refuse(struct wf_error *error, const char *text) {
    return wf_error_set(error, WF_ERR_USAGE, "%s", text);
}

static int value_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// Appends base64. Returns false if it is none, or more than the file has.
static bool append(struct page_upload *u, const char *text) {
    unsigned bits = 0, count = 0;
    size_t end = strcspn(text, "=");
    for (size_t i = 0; i < end; ++i) {
        int value = value_of(text[i]);
        if (value < 0) return false;
        bits = bits << 6 | (unsigned)value;
        count += 6;
        if (count < 8) continue;
        if (u->len == u->of) return false;
        count -= 8;
        u->bytes[u->len++] = (uint8_t)(bits >> count);
    }
    return strspn(text + end, "=") == strlen(text + end);
}

static int begin(struct page_upload *u, const struct page_query_context *a, const cJSON *ask,
                 struct wf_error *error) {
    int64_t of;
    page_upload_drop(u, a->client);
    if (u->client) return refuse(error, "another page sends names: try again when it is done");
    if (!page_query_number(ask, "of", 1, MOST, &of, error)) return WF_ERR_USAGE;
    u->bytes = malloc((size_t)of);
    if (!u->bytes) return wf_error_code(error, WF_ERR_NOMEM);
    u->client = a->client;
    u->len = 0;
    u->of = (size_t)of;
    return WF_OK;
}

// The file is complete. Threads that search have the names of their begin.
static int use(struct page_upload *u, struct wf_error *error) {
    struct page *p = u->page;
    if (page_searches_run(p->about.searches))
        return refuse(error, "a search is running: try again when it is done");
    if (u->files == TIMES)
        return refuse(error, "16 files of names were loaded: start wallfly again");
    uint8_t *bytes = u->bytes;
    u->bytes = NULL;
    int err = p->source.names(p->source.again.ctx, bytes, u->len, error);
    if (err == WF_OK) ++u->files;
    wf_timeline_names_changed(p->timeline); // those before an error are used
    return err;
}

int page_query_names(const struct page_query_context *a, const cJSON *ask, FILE *out,
                     struct wf_error *error) {
    struct page_upload *u = a->upload;
    const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(ask, "bytes");
    int64_t at;
    if (!a->page->source.names) return refuse(error, "names cannot be loaded here");
    if (!page_query_number(ask, "at", 0, MOST, &at, error)) return WF_ERR_USAGE;
    if (!cJSON_IsString(bytes)) return refuse(error, "'bytes' is no text");
    int err = at == 0 ? begin(u, a, ask, error) : WF_OK;
    if (err != WF_OK) return err;
    if (u->client != a->client || u->len != (size_t)at)
        return refuse(error, "the pieces of the file are not in order");
    if (!append(u, bytes->valuestring)) err = refuse(error, "'bytes' is not base64, or too long");
    if (err == WF_OK && u->len == u->of) err = use(u, error);
    if (err == WF_OK) fprintf(out, "\"len\":%zu,\"of\":%zu", u->len, u->of);
    if (err != WF_OK || u->len == u->of) end(u);
    return err;
}
