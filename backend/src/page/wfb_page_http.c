// SPDX-License-Identifier: MIT
// Access checks. Any web page that the user visits can make the browser send requests here, under a
// host name that resolves to this computer, but it cannot know the token. Host and Origin are
// checked as well, so that even a leaked token is of no use to it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "wfb_page.h"

enum { BLOCK = 16384 };

// Compares in constant time.
static bool same_token(const char *token, const char *text, size_t len) {
    size_t want = strlen(token);
    unsigned char differs = want != len;
    for (size_t i = 0; i < want; ++i)
        differs |= (unsigned char)(token[i] ^ (i < len ? text[i] : 0));
    return !differs;
}

// Returns the local address of this connection, as written in a URL.
static void local_name(struct lws *wsi, char name[WFB_PEER_NAME_MAX]) {
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    name[0] = 0;
    if (getsockname(lws_get_socket_fd(wsi), (struct sockaddr *)&address, &len) == 0)
        wfb_address_name((const struct sockaddr *)&address, name);
    char *colon = strrchr(name, ':');
    if (colon) *colon = 0;
}

// Accepts names of this computer, and the configured address. The port is not checked: it differs
// behind an ssh tunnel.
static bool host_is_good(struct lws *wsi, const char *host) {
    static const char *const own[] = {"127.0.0.1", "localhost", "[::1]"};
    const struct wf_page *page = wfb_page_of(wsi);
    char local[WFB_PEER_NAME_MAX];
    const char *end = strrchr(host, ':');
    if (!end || strchr(end, ']')) end = host + strlen(host);
    if (*end && strspn(end + 1, "0123456789") != strlen(end + 1)) return false;
    size_t len = (size_t)(end - host);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (strlen(own[i]) == len && strncasecmp(own[i], host, len) == 0) return true;
    }
    local_name(wsi, local);
    return len && ((strlen(local) == len && strncasecmp(local, host, len) == 0) ||
                   (strlen(page->host) == len && strncasecmp(page->host, host, len) == 0));
}

// Accepts the origin of this server's page, or none: programs send none.
static bool origin_is_good(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    size_t len = sizeof scheme - 1;
    return !*origin || (strncmp(origin, scheme, len) == 0 && strcmp(origin + len, host) == 0);
}

// Reads a header, "" if there is none. Returns false if it is too long or occurs twice.
static bool read_header(struct lws *wsi, enum lws_token_indexes which, char *text, size_t cap) {
    int len = lws_hdr_total_length(wsi, which);
    text[0] = 0;
    return len <= 0 || lws_hdr_copy(wsi, text, (int)cap, which) == len;
}

// Returns the path after the token, and sets whether a slash ends the token. Null: wrong token.
static const char *behind_token(const struct wf_page *page, const char *path, bool *slash) {
    if (*path != '/') return NULL;
    const char *begin = path + 1;
    size_t len = strcspn(begin, "/");
    if (!same_token(page->token, begin, len)) return NULL;
    *slash = begin[len] == '/';
    return begin + len + *slash;
}

// Parses "ws" and "ws/NUMBER", in a folder. Returns the length of the folder, or -1.
static int parse_socket(const char *name, int *part) {
    size_t end = strlen(name), digits = 0;
    while (digits < end && name[end - 1 - digits] >= '0' && name[end - 1 - digits] <= '9') ++digits;
    *part = WF_PAGE_NO_PART;
    if (digits >= 1 && digits <= 3 && digits < end && name[end - 1 - digits] == '/') {
        *part = atoi(name + end - digits);
        end -= digits + 1;
    }
    if (end < 2 || end > WF_PAGE_FOLDER_MAX || strncmp(name + end - 2, "ws", 2) != 0) return -1;
    return end == 2 || name[end - 3] == '/' ? (int)end - 2 : -1;
}

struct refusal {
    unsigned status;
    const char *text;
};

static const struct refusal wrong_host = {
    403, "This is wallfly. Use the address that it has printed.\n"};
static const struct refusal wrong_origin = {
    403, "This is wallfly. Pages of other servers may not read its trace.\n"};
static const struct refusal wrong_token = {
    403, "This is wallfly. The token of this address is missing or wrong: copy the whole line that "
         "`wallfly serve` prints.\n"};
static const struct refusal not_found = {404, "wallfly: no such file.\n"};
static const struct refusal wrong_method = {405, "wallfly: only GET and HEAD are supported.\n"};
static const struct refusal no_upgrade = {426, "wallfly: this path is for WebSockets only.\n"};
static const struct refusal too_many = {503, "wallfly: too many pages are open; close one.\n"};

// Returns null if the request is allowed.
static const struct refusal *check_request(struct lws *wsi) {
    char host[256], origin[300];
    bool good = read_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    if (!good || !host_is_good(wsi, host)) return &wrong_host;
    good = read_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    return good && origin_is_good(origin, host) ? NULL : &wrong_origin;
}

static bool add_field(struct lws *wsi, const char *name, const char *value, unsigned char **p,
                      unsigned char *end) {
    return !value || lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                                 (const unsigned char *)value, (int)strlen(value),
                                                 p, end) == 0;
}

bool wfb_page_send_head(struct lws *wsi, const struct wfb_answer *a) {
    unsigned char room[LWS_PRE + 2048], *begin = room + LWS_PRE, *p = begin;
    unsigned char *end = room + sizeof room;
    const struct wf_page *page = wfb_page_of(wsi);
    return lws_add_http_common_headers(wsi, a->status, a->type, a->len, &p, end) == 0 &&
           add_field(wsi, "content-security-policy:", a->policy ? a->policy : page->policy, &p,
                     end) &&
           add_field(wsi, "cache-control:", "no-store", &p, end) &&
           add_field(wsi, "vary:", "accept-encoding", &p, end) &&
           add_field(wsi, "content-encoding:", a->encoding, &p, end) &&
           add_field(wsi, "location:", a->location, &p, end) &&
           lws_finalize_write_http_header(wsi, begin, &p, end) == 0;
}

// Sends a response that is short enough for one write.
static bool send_text(struct lws *wsi, unsigned status, const char *text, const char *location) {
    unsigned char room[LWS_PRE + 512];
    size_t len = strlen(text);
    struct wfb_answer a = {status, "text/plain; charset=utf-8", NULL, location, NULL, len};
    memcpy(room + LWS_PRE, text, len);
    return wfb_page_send_head(wsi, &a) &&
           lws_write(wsi, room + LWS_PRE, len, LWS_WRITE_HTTP_FINAL) == (int)len;
}

static int send_refusal(struct lws *wsi, const struct refusal *r) {
    if (!send_text(wsi, r->status, r->text, NULL)) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

// Checks only for q=0: clients refuse gzip in no other way.
static bool takes_gzip(struct lws *wsi) {
    char text[256];
    if (!read_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, text, sizeof text)) return false;
    const char *gzip = strstr(text, "gzip");
    return gzip && strncmp(gzip + 4, ";q=0", 4) != 0;
}

const struct wf_page_file *wfb_page_find_file(const struct wf_page *page, const char *path) {
    for (unsigned i = 0; i < page->file_count; ++i) {
        if (strcmp(page->files[i].path, path) == 0) return &page->files[i];
    }
    return NULL;
}

int wfb_page_send_file(struct lws *wsi, struct wfb_page_session *s, const struct wf_page_file *f,
                       bool head) {
    bool gzip = f->gzip && takes_gzip(wsi);
    struct wfb_answer a = {200,  f->type, gzip ? "gzip" : NULL,
                           NULL, NULL,    gzip ? f->gzip_len : f->len};
    if (!wfb_page_send_head(wsi, &a)) return -1;
    s->body = gzip ? f->gzip : f->bytes;
    s->len = head ? 0 : a.len;
    if (s->len == 0) return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

int wfb_page_send_body(struct lws *wsi, struct wfb_page_session *s) {
    unsigned char room[LWS_PRE + BLOCK];
    if (!s->body) return 0;
    do {
        size_t n = s->len < BLOCK ? s->len : BLOCK;
        memcpy(room + LWS_PRE, s->body, n);
        if (lws_write(wsi, room + LWS_PRE, n, n == s->len ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
            (int)n)
            return -1;
        s->body += n;
        s->len -= n;
    } while (s->len && !lws_send_pipe_choked(wsi));
    if (s->len) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    s->body = NULL;
    wfb_page_end_request(s);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int send_redirect(struct lws *wsi) {
    char url[WFB_PAGE_URL_MAX];
    snprintf(url, sizeof url, "/%s/", wfb_page_of(wsi)->token);
    if (!send_text(wsi, 301, "wallfly: the address ends with a slash.\n", url)) return -1;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

int wfb_page_http(struct lws *wsi, enum lws_callback_reasons reason, struct wfb_page_session *s,
                  const char *path) {
    const struct wf_page *page = wfb_page_of(wsi);
    bool slash, head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (reason == LWS_CALLBACK_HTTP_WRITEABLE)
        return s->request && !s->body ? wfb_page_send_answer(wsi, s) : wfb_page_send_body(wsi, s);
    const struct refusal *no = check_request(wsi);
    if (no) return send_refusal(wsi, no);
    const char *name = behind_token(page, path, &slash);
    if (!name) return send_refusal(wsi, &wrong_token);
    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return send_refusal(wsi, &wrong_method);
    if (!slash) return send_redirect(wsi);
    if (page->on.request) return wfb_page_request(wsi, s, name, head);
    int part;
    if (parse_socket(name, &part) == 0) return send_refusal(wsi, &no_upgrade);
    const struct wf_page_file *file = wfb_page_find_file(page, name);
    return file ? wfb_page_send_file(wsi, s, file, head) : send_refusal(wsi, &not_found);
}

// Returns null if the path is below the token and a WebSocket's.
static const struct refusal *read_socket(struct lws *wsi, char folder[WF_PAGE_FOLDER_MAX + 1],
                                         int *part) {
    char path[WF_PAGE_TOKEN_MAX + WF_PAGE_FOLDER_MAX + 16];
    const struct wf_page *page = wfb_page_of(wsi);
    bool slash;
    const char *name = NULL;
    if (read_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path))
        name = behind_token(page, path, &slash);
    if (!name) return &wrong_token;
    const int len = parse_socket(name, part);
    if (len < 0) return &not_found;
    snprintf(folder, WF_PAGE_FOLDER_MAX + 1, "%.*s", len, name);
    if (page->on.folder) return page->on.folder(page->on.ctx, folder) ? NULL : &not_found;
    return len ? &not_found : NULL;
}

bool wfb_page_socket_path(struct lws *wsi, char folder[WF_PAGE_FOLDER_MAX + 1], int *part) {
    return !read_socket(wsi, folder, part);
}

int wfb_page_upgrade(struct lws *wsi, const char *protocol) {
    const struct wf_page *page = wfb_page_of(wsi);
    char folder[WF_PAGE_FOLDER_MAX + 1];
    int part;
    const struct refusal *no = check_request(wsi);
    if (!no) no = read_socket(wsi, folder, &part);
    if (!no && strcmp(protocol, "websocket") != 0) no = &no_upgrade;
    if (!no && page->client_count >= WF_PAGE_CLIENTS_MAX) no = &too_many;
    if (!no) return 0;
    return send_text(wsi, no->status, no->text, NULL) ? 1 : -1;
}
