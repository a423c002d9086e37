// SPDX-License-Identifier: MIT
// Addresses, behind the token:
//   ""                                               the list of devices
//   "device/DEVICE?at=TIME", "?from=TIME&until=TIME"  lead to a window, with "&stream=NUMBER"
//   "device/DEVICE/from=TIME,until=TIME/"            a window, and the page's files in its folder
// They are untrusted text.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"
#include "wallfly_server/devices_page.h"
#include "wallfly_server/memory.h"

static const uint64_t around_ns = 5000000000; // of a window, on either side of a moment
static const char device[] = "device/";

// ---- answers

static const char *base_of(const struct fleet_server *s) {
    const char *url = s->group.server ? wf_page_url(s->group.server) : "http:///";
    return strchr(url + sizeof "http://" - 1, '/');
}

void serve_refuse(const struct fleet_server *s, struct wf_page_request *r, unsigned status,
                  const char *text) {
    char *page = NULL;
    size_t len = 0;
    FILE *out = memory_stream(&page, &len);
    if (out) devices_page_put_error(out, status, text, base_of(s));
    const bool good = out && memory_close(out);
    wf_page_answer(r, &(struct wf_page_answer){.status = status,
                                               .policy = devices_page_policy,
                                               .bytes = good ? page : "",
                                               .len = good ? len : 0});
    free(page);
}

void serve_refuse_error(const struct fleet_server *s, struct wf_page_request *r,
                        const struct wf_error *error) {
    static const struct {
        int code;
        unsigned status;
    } rows[] = {{WF_ERR_USAGE, 400},  {WF_ERR_READ, 404}, {WF_ERR_TOO_MANY, 413},
                {WF_ERR_ENGINE, 502}, {WF_ERR_LINK, 503}, {WF_ERR_STOPPED, 503}};
    unsigned status = 500;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (rows[i].code == error->code) status = rows[i].status;
    }
    serve_refuse(s, r, status, error->text);
}

void serve_redirect(struct wf_page_request *r, const char *location) {
    wf_page_answer(
        r, &(struct wf_page_answer){
               .status = 303, .location = location, .policy = devices_page_policy, .bytes = ""});
}

// ---- addresses

static bool copy(char *to, size_t cap, const char *from, size_t len) {
    if (len >= cap) return false;
    memcpy(to, from, len);
    to[len] = 0;
    return true;
}

// Only & and % are not decoded yet.
static void decode(char *value) {
    char *to = value;
    for (; *value; ++value) {
        const bool is_and = strncmp(value, "%26", 3) == 0;
        *to++ = (char)(is_and ? '&' : *value);
        if (is_and || strncmp(value, "%25", 3) == 0) value += 2;
    }
    *to = 0;
}

bool serve_take_field(const char **query, char name[SERVE_NAME_MAX], char value[SERVE_VALUE_MAX]) {
    const size_t len = strcspn(*query, "&");
    const char *equals = memchr(*query, '=', len);
    const size_t name_len = equals ? (size_t)(equals - *query) : len;
    const size_t value_len = equals ? len - name_len - 1 : 0;
    const bool good = copy(name, SERVE_NAME_MAX, *query, name_len) &&
                      copy(value, SERVE_VALUE_MAX, *query + len - value_len, value_len);
    *query += len + ((*query)[len] == '&');
    if (good) decode(value);
    return good;
}

static bool parse_field(struct serve_place *p, const char *name, const char *value) {
    const size_t len = strlen(value);
    if (strcmp(name, "at") == 0) return wf_window_bound_parse(value, len, &p->at);
    if (strcmp(name, "from") == 0) return wf_window_bound_parse(value, len, &p->from);
    if (strcmp(name, "until") == 0) return wf_window_bound_parse(value, len, &p->until);
    return strcmp(name, "stream") == 0 && !p->stream &&
           wf_window_stream_parse(value, len, &p->stream);
}

// Returns null, or what is wrong.
static const char *parse_fields(struct serve_place *p, const char *query) {
    char name[SERVE_NAME_MAX], value[SERVE_VALUE_MAX];
    while (*query) {
        if (!serve_take_field(&query, name, value) || !parse_field(p, name, value))
            return "The address has something else than at=TIME, or from=TIME and until=TIME, and "
                   "stream=NUMBER. A TIME is 12.5 or 30ms since the beginning of the stream, "
                   "2026-01-02T03:04:05Z, or in ms since 1970.";
    }
    if (p->at.given && (p->from.given || p->until.given))
        return "The address has at= and from= or until=: one of them is enough.";
    if (p->from.given && p->until.given && p->from.utc == p->until.utc && p->until.ns < p->from.ns)
        return "The address has an until= before its from=.";
    if (!p->at.given) return NULL;
    p->from = p->until = p->at;
    p->from.ns -= p->from.ns < around_ns ? p->from.ns : around_ns;
    p->until.ns += p->until.ns < UINT64_MAX - around_ns ? around_ns : 0;
    return NULL;
}

static size_t put_bound(char *to, size_t cap, const char *name, const struct wf_window_bound *b,
                        const char *comma) {
    char text[WF_WINDOW_BOUND_MAX] = "";
    if (!b->given) return 0;
    wf_window_bound_put(b, text);
    return (size_t)snprintf(to, cap, "%s%s=%s", comma, name, text);
}

void serve_put_folder(const struct serve_place *p, char folder[WF_PAGE_FOLDER_MAX + 1]) {
    const size_t cap = WF_PAGE_FOLDER_MAX + 1;
    size_t len = (size_t)snprintf(folder, cap, "device/%s/", p->device);
    const size_t begin = len;
    len += put_bound(folder + len, cap - len, "from", &p->from, "");
    len += put_bound(folder + len, cap - len, "until", &p->until, len > begin ? "," : "");
    if (p->stream)
        len += (size_t)snprintf(folder + len, cap - len, "%sstream=%" PRIu64,
                                len > begin ? "," : "", p->stream);
    snprintf(folder + len, cap - len, "/");
}

// ---- requests

// What is behind "device/". Texts are as in the address.
struct address {
    char device[WF_FLEET_DEVICE_MAX + 1];
    char bounds[WF_PAGE_FOLDER_MAX + 1]; // of a folder
    bool in_folder;
    const char *file; // in the folder; "": its page
};

// Returns false if there cannot be such a page.
static bool split_address(const char *path, struct address *a) {
    const size_t device_len = strcspn(path, "/");
    const char *bounds = path + device_len;
    a->in_folder = *bounds == '/';
    a->file = "";
    a->bounds[0] = 0;
    if (!copy(a->device, sizeof a->device, path, device_len)) a->device[0] = 0; // no name
    if (!a->in_folder) return true;
    const size_t len = strcspn(++bounds, "/");
    a->file = bounds + len + 1;
    return bounds[len] == '/' && copy(a->bounds, sizeof a->bounds, bounds, len);
}

// The files of a page are the same in all folders.
static bool answer_file(struct wf_page_request *r, const char *name) {
    if (strcmp(name, "page.js") != 0 && strcmp(name, "page.css") != 0) return false;
    wf_page_answer_file(r, name);
    return true;
}

// A window has one address: others lead to it.
static void answer_place(struct fleet_server *s, struct wf_page_request *r,
                         const struct serve_place *place, const char *path) {
    char folder[WF_PAGE_FOLDER_MAX + 1];
    serve_put_folder(place, folder);
    if (place->from.given || place->until.given)
        serve_window(s, r, place, strcmp(path, folder) != 0);
    else
        serve_newest(s, r, place);
}

// path: behind the token
static void answer_device(struct fleet_server *s, struct wf_page_request *r, const char *path,
                          const char *query) {
    static const char none[] = "There is no such page.";
    struct serve_place place = {.stream = 0};
    struct address a;
    if (!split_address(path + sizeof device - 1, &a)) {
        serve_refuse(s, r, 404, none);
        return;
    }
    snprintf(place.device, sizeof place.device, "%s", a.device);
    // libwebsockets takes no & in a path.
    for (char *comma = a.bounds; (comma = strchr(comma, ',')) != NULL;) *comma = '&';
    const char *wrong = wf_fleet_is_device(place.device)
                            ? parse_fields(&place, a.in_folder ? a.bounds : query)
                            : "This is no name of a device.";
    if (wrong)
        serve_refuse(s, r, 400, wrong);
    else if (!*a.file)
        answer_place(s, r, &place, path);
    else if (!answer_file(r, a.file))
        serve_refuse(s, r, 404, none);
}

void serve_request(void *ctx, struct wf_page_request *r, const char *path, const char *query) {
    struct fleet_server *s = ctx;
    if (!*path)
        serve_list(s, r, query);
    else if (strcmp(path, "devices.css") == 0)
        wf_page_answer_file(r, path);
    else if (strncmp(path, device, sizeof device - 1) == 0)
        answer_device(s, r, path, query);
    else
        serve_refuse(s, r, 404, "There is no such page.");
}
