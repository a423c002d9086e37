// SPDX-License-Identifier: MIT
// The page's web server, tested over sockets: answers, refusals, messages, and that nothing is left
// when it is closed (the loop must run empty, and the sanitizer's build reports leaks).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "wallfly_backend/wf_page.h"

#define TOKEN "0123456789abcdef-_XYZ"

enum { WAIT_MS = 20000, TEXT_MAX = 4 << 20 };

static const struct wf_page_file files[] = {
    {"", "text/html; charset=utf-8", (const uint8_t *)"<p>plain", 8, NULL, 0},
    {"page.js", "text/javascript; charset=utf-8", (const uint8_t *)"plain script", 12,
     (const uint8_t *)"\x1f\x8bpacked", 8},
};

struct server {
    uv_loop_t loop;
    struct wf_page *page;
    struct wf_page_client *clients[WF_PAGE_CLIENTS_MAX];
    unsigned ups, downs, messages, says;
    size_t last_len;
    char said[256];
    bool echo;
    int port;
};

static void on_up(void *ctx, struct wf_page_client *c) {
    struct server *s = ctx;
    assert_true(s->ups - s->downs < WF_PAGE_CLIENTS_MAX);
    s->clients[s->ups % WF_PAGE_CLIENTS_MAX] = c;
    ++s->ups;
    *wf_page_user(c) = s;
    assert_true(wf_page_text(c, "hello", 5));
}

static void on_message(void *ctx, struct wf_page_client *c, const char *text, size_t len) {
    struct server *s = ctx;
    assert_ptr_equal(*wf_page_user(c), s);
    ++s->messages;
    s->last_len = len;
    if (s->echo) assert_true(wf_page_bytes(c, text, len));
}

static void on_down(void *ctx, struct wf_page_client *c) {
    struct server *s = ctx;
    assert_ptr_equal(*wf_page_user(c), s);
    ++s->downs;
}

static void on_say(void *ctx, const char *text) {
    struct server *s = ctx;
    ++s->says;
    snprintf(s->said, sizeof s->said, "%s", text);
}

static int open_server(struct server *s, const char *listen, const char *token,
                       struct wf_error *error) {
    struct wf_page_options o = {sizeof o, listen, token, files, sizeof files / sizeof files[0]};
    struct wf_page_handlers on = {
        .ctx = s, .up = on_up, .message = on_message, .down = on_down, .report = on_say};
    *s = (struct server){.echo = true};
    uv_loop_init(&s->loop);
    int err = wf_page_open(&s->loop, &o, &on, &s->page, error);
    if (err == WF_OK) s->port = atoi(strchr(wf_page_url(s->page) + 7, ':') + 1);
    return err;
}

static void begin(struct server *s) {
    struct wf_error error = {.text = ""};
    int err = open_server(s, NULL, TOKEN, &error);
    if (err != WF_OK) fail_msg("%s", error.text);
}

// The loop must run empty.
static void finish(struct server *s) {
    if (s->page) wf_page_close(s->page);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_int_equal(s->ups, s->downs);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

// ---- a client

static int dial(int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

struct heard {
    char *text;
    size_t len;
    bool ended;
};

static struct heard heard;

static void turn(struct server *s) {
    uv_run(&s->loop, UV_RUN_NOWAIT);
    usleep(200);
}

static void hear(int fd) {
    if (!heard.text) heard.text = malloc(TEXT_MAX + 1);
    ssize_t n = recv(fd, heard.text + heard.len, TEXT_MAX - heard.len, 0);
    if (n > 0) heard.len += (size_t)n;
    if (n == 0 || (n < 0 && errno != EAGAIN)) heard.ended = true;
    heard.text[heard.len] = 0;
}

// Returns true when the body has the length stated in the headers.
static bool whole(void) {
    const char *body = strstr(heard.text, "\r\n\r\n");
    const char *length = strstr(heard.text, "content-length: ");
    if (!body || !length || length > body) return false;
    return heard.len >= (size_t)(body + 4 - heard.text) + (size_t)atoi(length + 16);
}

static void forget(void) { heard = (struct heard){.text = heard.text}; }

static void send_all(struct server *s, int fd, const void *bytes, size_t len) {
    const char *p = bytes;
    for (int i = 0; len && i < WAIT_MS; ++i) {
        ssize_t n = send(fd, p, len, MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN) return; // closed by the server; the caller checks it
        if (n > 0) {
            p += n;
            len -= (size_t)n;
        }
        turn(s);
    }
}

#define WAIT_FOR(s, fd, condition)                                                                 \
    do {                                                                                           \
        for (int i_ = 0; !(condition); ++i_) {                                                     \
            if (i_ == WAIT_MS) fail_msg("waited in vain for " #condition);                         \
            turn(s);                                                                               \
            hear(fd);                                                                              \
        }                                                                                          \
    } while (0)

static const char *ask(struct server *s, const char *text) {
    int fd = dial(s->port);
    forget();
    send_all(s, fd, text, strlen(text));
    hear(fd);
    WAIT_FOR(s, fd, heard.ended || whole());
    close(fd);
    return heard.text;
}

static const char *get(struct server *s, const char *path, const char *host, const char *more) {
    static char text[4096];
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: %s:%d\r\n%s\r\n", path, host, s->port,
             more);
    return ask(s, text);
}

static unsigned status(const char *answer) {
    unsigned n = 0;
    return sscanf(answer, "HTTP/1.%*[01] %u", &n) == 1 ? n : 0;
}

static const char *body(const char *answer) {
    const char *at = strstr(answer, "\r\n\r\n");
    return at ? at + 4 : "";
}

// ---- a WebSocket

static int shake_hands(struct server *s, const char *path, const char *host, const char *origin) {
    char text[1024];
    int fd = dial(s->port);
    forget();
    snprintf(text, sizeof text,
             "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             path, host, s->port, origin);
    send_all(s, fd, text, strlen(text));
    hear(fd);
    WAIT_FOR(s, fd,
             heard.ended || whole() || (status(heard.text) == 101 && strstr(heard.text, "hello")));
    return fd;
}

static int open_socket(struct server *s) {
    int fd = shake_hands(s, "/" TOKEN "/ws", "127.0.0.1", "");
    assert_int_equal(status(heard.text), 101);
    assert_non_null(strstr(heard.text, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    forget();
    return fd;
}

static void send_frame(struct server *s, int fd, unsigned first, const void *bytes, size_t len) {
    uint8_t head[14] = {(uint8_t)first, 0x80};
    size_t at = 2;
    if (len < 126) {
        head[1] |= (uint8_t)len;
    } else {
        unsigned n = len < 65536 ? 2 : 8;
        head[1] |= n == 2 ? 126 : 127;
        for (unsigned i = 0; i < n; ++i) head[at++] = (uint8_t)((uint64_t)len >> (8 * (n - 1 - i)));
    }
    send_all(s, fd, head, at + 4); // a mask of zeros
    send_all(s, fd, bytes, len);
}

// Copies the messages received, without frame heads.
static size_t messages(uint8_t *to) {
    const uint8_t *p = (const uint8_t *)heard.text, *end = p + heard.len;
    size_t len = 0;
    while (end - p >= 2) {
        uint64_t n = p[1] & 127;
        unsigned wide = n == 126 ? 2 : n == 127 ? 8 : 0;
        if ((size_t)(end - p) < 2 + wide) break;
        if (wide) n = 0;
        for (unsigned i = 0; i < wide; ++i) n = n << 8 | p[2 + i];
        p += 2 + wide;
        if ((uint64_t)(end - p) < n) break;
        memcpy(to + len, p, n);
        len += n;
        p += n;
    }
    return len;
}

// ---- tests

static void serves_files(void **state) {
    struct server s;
    (void)state;
    begin(&s);
    const char *a = get(&s, "/" TOKEN "/", "127.0.0.1", "");
    assert_int_equal(status(a), 200);
    assert_string_equal(body(a), "<p>plain");
    assert_non_null(strstr(a, "content-type: text/html; charset=utf-8\r\n"));
    assert_non_null(strstr(a, "x-content-type-options: nosniff\r\n"));
    assert_non_null(strstr(a, "referrer-policy: no-referrer\r\n"));
    assert_non_null(strstr(a, "cache-control: no-store\r\n"));
    assert_non_null(strstr(a, "cross-origin-resource-policy: same-origin\r\n"));
    assert_non_null(strstr(a, "content-security-policy: default-src 'none'; script-src 'self'; "
                              "style-src 'self'; connect-src 'self' ws://127.0.0.1:"));
    assert_null(strstr(a, "content-encoding"));
    a = get(&s, "/" TOKEN "/page.js", "localhost", "Accept-Encoding: deflate, gzip\r\n");
    assert_non_null(strstr(a, "content-encoding: gzip\r\n"));
    assert_string_equal(body(a), "\x1f\x8bpacked");
    a = get(&s, "/" TOKEN "/page.js", "[::1]", "");
    assert_string_equal(body(a), "plain script");
    a = get(&s, "/" TOKEN "/page.js", "[::1]", "Accept-Encoding: gzip;q=0\r\n");
    assert_string_equal(body(a), "plain script");
    finish(&s);
}

static void answers_head_and_more_on_a_connection(void **state) {
    struct server s;
    char text[512];
    (void)state;
    begin(&s);
    snprintf(text, sizeof text,
             "HEAD /%s/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
             "GET /%s/page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
             TOKEN, TOKEN);
    int fd = dial(s.port);
    forget();
    send_all(&s, fd, text, strlen(text));
    hear(fd);
    WAIT_FOR(&s, fd, heard.ended || strstr(heard.text, "plain script"));
    assert_null(strstr(heard.text, "<p>plain"));
    assert_non_null(strstr(heard.text, "content-length: 8\r\n"));
    close(fd);
    finish(&s);
}

static void refuses_strangers(void **state) {
    static const struct {
        const char *path, *host, *more;
        unsigned status;
    } cases[] = {
        {"/", "127.0.0.1", "", 403},
        {"/0123456789abcdef-_XYz/", "127.0.0.1", "", 403},  // one character differs
        {"/0123456789abcdef-_XY/", "127.0.0.1", "", 403},   // too short
        {"/0123456789abcdef-_XYZ0/", "127.0.0.1", "", 403}, // too long
        {"/x/../" TOKEN "x/", "127.0.0.1", "", 403},
        {"/page.js", "127.0.0.1", "", 403},
        {"/" TOKEN "/", "evil.example", "", 403},
        {"/" TOKEN "/", "127.0.0.1.evil.example", "", 403},
        {"/" TOKEN "/", "localhost.", "", 403},
        {"/" TOKEN "/", "127.0.0.1:80:", "", 403},
        {"/" TOKEN "/", "", "", 403},
        {"/" TOKEN "/", "127.0.0.1", "Origin: http://evil.example\r\n", 403},
        {"/" TOKEN "/", "127.0.0.1", "Origin: null\r\n", 403},
        {"/" TOKEN "/ws", "127.0.0.1", "", 426},
        {"/" TOKEN "/ws/7", "127.0.0.1", "", 426},
        {"/" TOKEN "/none", "127.0.0.1", "", 404},
        {"/" TOKEN "/page.js/", "127.0.0.1", "", 404},
        {"/" TOKEN, "127.0.0.1", "", 301},
        {"/" TOKEN "/", "127.0.0.1", "", 200},
    };
    struct server s;
    (void)state;
    begin(&s);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *a = get(&s, cases[i].path, cases[i].host, cases[i].more);
        if (status(a) != cases[i].status)
            fail_msg("%s of %s: %.300s", cases[i].path, cases[i].host, a);
        if (cases[i].status == 403) {
            assert_non_null(strstr(a, "content-type: text/plain"));
            assert_memory_equal(body(a), "This is wallfly. ", 17);
            assert_null(strstr(a, TOKEN));
        }
        assert_non_null(strstr(a, "x-content-type-options: nosniff"));
    }
    const char *a = ask(&s, "POST /" TOKEN "/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                            "\r\n");
    assert_int_equal(status(a), 405);
    finish(&s);
}

static void refuses_sockets_of_strangers(void **state) {
    static const struct {
        const char *path, *host, *origin;
        unsigned status;
    } cases[] = {
        {"/" TOKEN "x/ws", "127.0.0.1", "", 403},
        {"/ws", "127.0.0.1", "", 403},
        {"/" TOKEN "/", "127.0.0.1", "", 404},
        {"/" TOKEN "/ws/", "127.0.0.1", "", 404},
        {"/" TOKEN "/ws/1/", "127.0.0.1", "", 404},
        {"/" TOKEN "/ws/1000", "127.0.0.1", "", 404},
        {"/" TOKEN "x/ws/1", "127.0.0.1", "", 403},
        {"/" TOKEN "/ws", "evil.example", "", 403},
        {"/" TOKEN "/ws", "127.0.0.1", "Origin: http://evil.example\r\n", 403},
        {"/" TOKEN "/ws", "127.0.0.1", "Origin: http://127.0.0.1:1\r\n", 403},
        {"/" TOKEN "/ws", "127.0.0.1", "Origin: null\r\n", 403},
    };
    struct server s;
    char origin[64];
    (void)state;
    begin(&s);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        close(shake_hands(&s, cases[i].path, cases[i].host, cases[i].origin));
        if (status(heard.text) != cases[i].status)
            fail_msg("%u: %s of %s: %.300s", i, cases[i].path, cases[i].host, heard.text);
    }
    assert_int_equal(s.ups, 0);
    snprintf(origin, sizeof origin, "Origin: http://localhost:%d\r\n", s.port);
    close(shake_hands(&s, "/" TOKEN "/ws", "localhost", origin));
    assert_int_equal(status(heard.text), 101);
    finish(&s);
}

static void carries_messages(void **state) {
    static const size_t lens[] = {1, 125, 126, 65535, 65536, 300000, WF_PAGE_REQUEST_MAX};
    struct server s;
    (void)state;
    char *text = malloc(WF_PAGE_REQUEST_MAX);
    uint8_t *got = malloc(TEXT_MAX);
    for (size_t i = 0; i < WF_PAGE_REQUEST_MAX; ++i) text[i] = (char)('a' + i * 7919 % 26);
    begin(&s);
    int fd = open_socket(&s);
    for (unsigned i = 0; i < sizeof lens / sizeof lens[0]; ++i) {
        forget();
        send_frame(&s, fd, 0x81, text, lens[i]);
        hear(fd);
        WAIT_FOR(&s, fd, messages(got) >= lens[i]);
        assert_int_equal(s.last_len, lens[i]);
        assert_int_equal(messages(got), lens[i]);
        assert_memory_equal(got, text, lens[i]);
    }
    forget(); // in three fragments
    send_frame(&s, fd, 0x01, "one", 3);
    send_frame(&s, fd, 0x00, "two", 3);
    send_frame(&s, fd, 0x80, "three", 5);
    WAIT_FOR(&s, fd, messages(got) >= 11);
    assert_memory_equal(got, "onetwothree", 11);
    assert_int_equal(s.messages, sizeof lens / sizeof lens[0] + 1);
    close(fd);
    finish(&s);
    free(text);
    free(got);
}

// Too long, not text, not UTF-8: each closes its connection, without other effects.
static void drops_bad_messages(void **state) {
    struct server s;
    (void)state;
    char *text = calloc(1, WF_PAGE_REQUEST_MAX + 1);
    memset(text, 'x', WF_PAGE_REQUEST_MAX + 1);
    begin(&s);
    int good = open_socket(&s);
    for (unsigned i = 0; i < 4; ++i) {
        int fd = open_socket(&s);
        unsigned before = s.messages;
        if (i == 0) send_frame(&s, fd, 0x81, text, WF_PAGE_REQUEST_MAX + 1);
        if (i == 1) send_frame(&s, fd, 0x82, text, 10);
        if (i == 2) send_frame(&s, fd, 0x81, "\xff\xfe", 2);
        if (i == 3) send_all(&s, fd, "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10);
        WAIT_FOR(&s, fd, heard.ended || s.downs == i + 1);
        WAIT_FOR(&s, fd, s.downs == i + 1);
        assert_int_equal(s.messages, before);
        if (i == 0) assert_non_null(strstr(s.said, "over 1 MiB"));
        if (i == 1) assert_non_null(strstr(s.said, "binary"));
        close(fd);
    }
    send_frame(&s, good, 0x81, "still here", 10);
    WAIT_FOR(&s, good, s.messages == 1);
    close(good);
    finish(&s);
    free(text);
}

static void takes_many_pages(void **state) {
    struct server s;
    int fd[WF_PAGE_CLIENTS_MAX];
    (void)state;
    begin(&s);
    for (unsigned i = 0; i < WF_PAGE_CLIENTS_MAX; ++i) fd[i] = open_socket(&s);
    close(shake_hands(&s, "/" TOKEN "/ws", "127.0.0.1", ""));
    assert_int_equal(status(heard.text), 503);
    close(fd[3]);
    WAIT_FOR(&s, fd[0], s.downs == 1);
    fd[3] = open_socket(&s);
    for (unsigned i = 0; i < WF_PAGE_CLIENTS_MAX; ++i) {
        send_frame(&s, fd[i], 0x81, "x", 1);
        WAIT_FOR(&s, fd[i], s.messages == i + 1);
    }
    finish(&s); // with all connections open
    for (unsigned i = 0; i < WF_PAGE_CLIENTS_MAX; ++i) close(fd[i]);
}

// The number of connections is limited, so idle ones cannot block others for ever.
static void bounds_connections(void **state) {
    struct server s;
    int fd[120];
    unsigned ended = 0;
    char byte;
    (void)state;
    begin(&s);
    for (unsigned i = 0; i < 120; ++i) {
        fd[i] = dial(s.port);
        turn(&s);
    }
    for (unsigned i = 0; i < 20; ++i) turn(&s);
    for (unsigned i = 0; i < 120; ++i) ended += recv(fd[i], &byte, 1, 0) == 0;
    assert_in_range(ended, 1, 60);
    for (unsigned i = 0; i < 120; ++i) close(fd[i]);
    for (unsigned i = 0; i < 50; ++i) turn(&s);
    assert_int_equal(status(get(&s, "/" TOKEN "/", "127.0.0.1", "")), 200);
    finish(&s);
}

// A client that does not read is dropped before its queue fills the memory.
static void drops_who_does_not_read(void **state) {
    struct server s;
    (void)state;
    enum { BLOCK = 1 << 20 };
    char *block = calloc(1, BLOCK);
    begin(&s);
    int slow = open_socket(&s);
    struct wf_page_client *c = s.clients[0];
    bool taken = true;
    for (unsigned i = 0; i < 100 && taken; ++i) {
        taken = wf_page_bytes(c, block, BLOCK);
        assert_true(wf_page_queued(c) <= WF_PAGE_QUEUE_MAX);
        turn(&s);
    }
    assert_false(taken);
    assert_non_null(strstr(s.said, "its queue is full"));
    for (int i = 0; s.downs == 0 && i < WAIT_MS; ++i) turn(&s);
    assert_int_equal(s.downs, 1);
    close(slow);
    finish(&s);
    free(block);
}

static void opens_where_it_is_told(void **state) {
    struct server s, other;
    struct wf_error error = {.text = ""};
    char listen[32], url[256];
    (void)state;
    assert_int_equal(open_server(&s, "127.0.0.1:0", NULL, &error), WF_OK);
    snprintf(url, sizeof url, "%s", wf_page_url(s.page));
    assert_int_equal(strlen(strrchr(strchr(url + 7, '/'), '/')), 1);
    assert_int_equal(strlen(strchr(url + 7, '/')), 34); // 128 bits in hex, two slashes
    snprintf(listen, sizeof listen, "%d", s.port);
    assert_int_equal(open_server(&other, listen, NULL, &error), WF_ERR_LINK);
    assert_non_null(strstr(error.text, "is in use by another program"));
    finish(&other);
    assert_int_equal(open_server(&other, "nonsense", NULL, &error), WF_ERR_USAGE);
    finish(&other);
    assert_int_equal(open_server(&other, NULL, "short", &error), WF_ERR_USAGE);
    finish(&other);
    assert_int_equal(open_server(&other, NULL, "0123456789abcdef/", &error), WF_ERR_USAGE);
    finish(&other);
    assert_int_equal(open_server(&other, NULL, NULL, &error), WF_OK);
    assert_string_not_equal(strchr(url + 7, '/'), strchr(wf_page_url(other.page) + 7, '/'));
    finish(&other);
    finish(&s);
}

// Listening on all addresses, the local address is valid as host; other names are refused.
static void listens_to_all(void **state) {
    struct server s;
    struct wf_error error;
    (void)state;
    assert_int_equal(open_server(&s, "0.0.0.0:0", TOKEN, &error), WF_OK);
    assert_non_null(strstr(wf_page_url(s.page), "http://127.0.0.1:"));
    assert_int_equal(status(get(&s, "/" TOKEN "/", "127.0.0.1", "")), 200);
    assert_int_equal(status(get(&s, "/" TOKEN "/", "0.0.0.0", "")), 403);
    assert_int_equal(status(get(&s, "/" TOKEN "/", "evil.example", "")), 403);
    finish(&s);
}

// Garbage and damaged requests: none gets a 200 it must not get, and the server continues.
static void survives_garbage(void **state) {
    static const char request[] =
        "GET /" TOKEN "/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade"
        "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        "\x81\x85\0\0\0\0hello\x89\x80\0\0\0\0\x88\x82\0\0\0\0\x03\xe8";
    struct server s;
    char text[sizeof request + 64];
    unsigned seed = 1;
    (void)state;
    begin(&s);
    s.echo = false;
    for (unsigned i = 0; i < 1500; ++i) {
        size_t len = sizeof request - 1;
        memcpy(text, request, len);
        for (unsigned k = (seed = seed * 1103515245 + 12345) >> 16 & 7; k > 0; --k) {
            seed = seed * 1103515245 + 12345;
            text[(seed >> 16) % len] = (char)(seed >> 8);
        }
        seed = seed * 1103515245 + 12345;
        if (seed >> 30 == 0) len = (seed >> 8) % len;
        int fd = dial(s.port);
        send(fd, text, len, MSG_NOSIGNAL);
        uv_run(&s.loop, UV_RUN_NOWAIT);
        uv_run(&s.loop, UV_RUN_NOWAIT);
        close(fd);
        uv_run(&s.loop, UV_RUN_NOWAIT);
    }
    for (unsigned i = 0; i < 200; ++i) turn(&s);
    assert_true(s.ups > 100 && s.messages > 50);
    assert_int_equal(s.ups, s.downs);
    assert_int_equal(status(get(&s, "/" TOKEN "/", "127.0.0.1", "")), 200);
    finish(&s);
}

static int free_heard(void **state) {
    (void)state;
    free(heard.text);
    return 0;
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_files),
        cmocka_unit_test(answers_head_and_more_on_a_connection),
        cmocka_unit_test(refuses_strangers),
        cmocka_unit_test(refuses_sockets_of_strangers),
        cmocka_unit_test(carries_messages),
        cmocka_unit_test(drops_bad_messages),
        cmocka_unit_test(takes_many_pages),
        cmocka_unit_test(bounds_connections),
        cmocka_unit_test(drops_who_does_not_read),
        cmocka_unit_test(opens_where_it_is_told),
        cmocka_unit_test(listens_to_all),
        cmocka_unit_test(survives_garbage),
    };
    return cmocka_run_group_tests(tests, NULL, free_heard);
}
