// SPDX-License-Identifier: MIT
// The server for uploads, over sockets: bodies come whole, answers go out when they are given, and
// nothing is left of clients that leave or of a server that is closed (the build with sanitizers
// reports leaks).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wallfly_backend/wf_upload.h"

enum { MOST = 100000, HELD_MAX = 8, TEXT_MAX = 4096, TURNS = 200000, IMPATIENT_MS = 500 };

#define HEAD "POST /a/b?c HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer word\r\nContent-Length: "

static struct wf_upload *server;
static struct wf_upload_request *held[HELD_MAX];
static unsigned held_count, heads;
static bool refusing;
static const char *path;
static unsigned patience_ms;
static char type[WF_UPLOAD_TYPE_MAX + 1]; // of the last body

static void on_head(void *ctx, struct wf_upload_request *r) {
    const struct wf_upload_answer a = {.status = 401, .text = "no"};
    (void)ctx;
    ++heads;
    assert_string_equal(r->path, path);
    assert_string_equal(r->token, "word");
    assert_null(r->body);
    if (refusing) wf_upload_answer(r, &a);
}

static void on_body(void *ctx, struct wf_upload_request *r) {
    (void)ctx;
    for (size_t i = 0; i < r->len; ++i) assert_int_equal(r->body[i], (uint8_t)(i * 7));
    assert_true(held_count < HELD_MAX);
    memcpy(type, r->type, sizeof type);
    held[held_count++] = r;
}

static struct wf_upload *open_server(const char *listen, struct wf_error *error) {
    const struct wf_upload_options o = {.size = sizeof o,
                                        .listen = listen,
                                        .most = MOST,
                                        .head = on_head,
                                        .body = on_body,
                                        .patience_ms = patience_ms};
    return wf_upload_open(&o, error);
}

static int begin(void **state) {
    struct wf_error error;
    (void)state;
    held_count = heads = 0;
    refusing = false;
    path = "/a/b";
    server = open_server("0", &error);
    return server ? 0 : -1;
}

static int begin_impatient(void **state) {
    patience_ms = IMPATIENT_MS;
    int failed = begin(state);
    patience_ms = 0;
    return failed;
}

static int end(void **state) {
    (void)state;
    wf_upload_close(server);
    return 0;
}

// ---- a client

static int dial(void) {
    const int port = atoi(strrchr(wf_upload_url(server), ':') + 1);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void send_all(int fd, const void *bytes, size_t len) {
    const char *p = bytes;
    for (unsigned turn = 0; len; ++turn) {
        assert_true(turn < TURNS);
        ssize_t n = send(fd, p, len, MSG_NOSIGNAL);
        if (n > 0) {
            p += n;
            len -= (size_t)n;
        }
        wf_upload_step(server, 1, -1);
    }
}

static void send_upload(int fd, size_t len) {
    char head[256];
    uint8_t *body = malloc(len + 1);
    assert_non_null(body);
    for (size_t i = 0; i < len; ++i) body[i] = (uint8_t)(i * 7);
    snprintf(head, sizeof head, HEAD "%zu\r\n\r\n", len);
    send_all(fd, head, strlen(head));
    send_all(fd, body, len);
    free(body);
}

static void wait_for_bodies(unsigned count) {
    for (unsigned turn = 0; held_count < count; ++turn) {
        assert_true(turn < TURNS);
        wf_upload_step(server, 1, -1);
    }
}

// Returns what the server has sent when a text has come, or when it has ended the connection.
static const char *receive(int fd, const char *wanted) {
    static char text[TEXT_MAX];
    size_t len = 0;
    text[0] = 0;
    for (unsigned turn = 0; !*wanted || !strstr(text, wanted); ++turn) {
        assert_true(turn < TURNS && len < TEXT_MAX - 1);
        wf_upload_step(server, 1, -1);
        ssize_t n = recv(fd, text + len, TEXT_MAX - 1 - len, 0);
        if (n == 0) break;
        if (n > 0) len += (size_t)n;
        text[len] = 0;
    }
    return text;
}

static void answer(unsigned n, unsigned status, const char *text) {
    const struct wf_upload_answer a = {.status = status, .text = text};
    wf_upload_answer(held[n], &a);
}

// ---- tests

static void uploads_are_answered_later_and_in_any_order(void **state) {
    (void)state;
    int first = dial(), second = dial();
    for (unsigned round = 0; round < 3; ++round) { // on connections that stay
        held_count = 0;
        send_upload(first, MOST);
        wait_for_bodies(1);
        send_upload(second, 1);
        wait_for_bodies(2);
        assert_int_equal(held[0]->len, MOST);
        answer(1, 200, "second");
        assert_non_null(strstr(receive(second, "second\n"), "HTTP/1.1 200 "));
        answer(0, 409, "first");
        assert_non_null(strstr(receive(first, "first\n"), "HTTP/1.1 409 "));
    }
    assert_int_equal(heads, 6);
    close(first);
    close(second);
}

static void an_answer_may_have_one_more_header(void **state) {
    char longest[100] = {0}, cut[160];
    (void)state;
    int fd = dial();
    memset(longest, 'x', sizeof longest - 1);
    snprintf(cut, sizeof cut, "\r\n%.63s: %.63s\r\n", longest, longest);
    const struct wf_upload_answer answers[] = {
        {.status = 200, .text = "one", .header = "Wallfly-Test", .header_value = "a=1/2"},
        {.status = 409, .text = "two", .header = "Wallfly-Test", .header_value = ""},
        {.status = 200, .text = "three", .header = longest, .header_value = longest},
        {.status = 200, .text = "four", .header_value = "without a name"}};
    const char *const found[] = {"\r\nwallfly-test: a=1/2\r\n", "\r\nwallfly-test: \r\n", cut,
                                 "content-length: 5\r\n\r\nfour"};
    for (unsigned i = 0; i < 4; ++i) {
        char text[TEXT_MAX], end[16];
        held_count = 0;
        send_upload(fd, 1);
        wait_for_bodies(1);
        wf_upload_answer(held[0], &answers[i]);
        snprintf(end, sizeof end, "%s\n", answers[i].text);
        snprintf(text, sizeof text, "%s", receive(fd, end));
        for (char *c = text; *c; ++c) *c = (char)tolower((unsigned char)*c);
        assert_non_null(strstr(text, found[i]));
    }
    close(fd);
}

static void what_is_refused_by_its_header_is_not_kept(void **state) {
    (void)state;
    int fd = dial();
    refusing = true;
    send_upload(fd, MOST);
    assert_non_null(strstr(receive(fd, "no\n"), "HTTP/1.1 401 "));
    refusing = false;
    send_upload(fd, MOST + 1);
    assert_non_null(strstr(receive(fd, "too long\n"), "HTTP/1.1 413 "));
    send_upload(fd, 5);
    wait_for_bodies(1);
    answer(0, 200, "good");
    assert_non_null(strstr(receive(fd, "good\n"), "HTTP/1.1 200 "));
    close(fd);
}

static void one_path_does_not_take_the_room_of_others(void **state) {
    (void)state;
    static const char other[] =
        "POST /a/c HTTP/1.1\r\nAuthorization: Bearer word\r\nContent-Length: 1\r\n\r\n";
    int fd[WF_UPLOAD_AT_PATH_MAX];
    for (unsigned i = 0; i < WF_UPLOAD_AT_PATH_MAX; ++i) {
        fd[i] = dial();
        send_upload(fd[i], 1000);
        wait_for_bodies(i + 1);
    }
    int further = dial();
    send_upload(further, 1000);
    const char *text = receive(further, ""); // its connection is not kept
    assert_non_null(strstr(text, "HTTP/1.1 429 "));
    assert_non_null(strstr(text, "retry-after: 1\r\n"));
    close(further);
    path = "/a/c";
    further = dial();
    send_all(further, other, sizeof other); // with the zero as its body
    wait_for_bodies(WF_UPLOAD_AT_PATH_MAX + 1);
    path = "/a/b";
    answer(1, 200, "good");
    assert_non_null(strstr(receive(fd[1], "good\n"), "HTTP/1.1 200 "));
    send_upload(fd[1], 1000);
    wait_for_bodies(WF_UPLOAD_AT_PATH_MAX + 2);
    for (unsigned i = 0; i < WF_UPLOAD_AT_PATH_MAX; ++i) close(fd[i]);
    close(further);
}

// Sends a header, and returns when the server has made room for the body, or has refused it.
static int begin_upload(const char *at, size_t len, unsigned status) {
    char head[256], expected[32];
    path = at;
    heads = 0;
    int fd = dial();
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nAuthorization: Bearer word\r\nContent-Length: %zu\r\n\r\n", at,
             len);
    send_all(fd, head, strlen(head));
    for (unsigned turn = 0; !heads; ++turn) {
        assert_true(turn < TURNS);
        wf_upload_step(server, 1, -1);
    }
    snprintf(expected, sizeof expected, "HTTP/1.1 %u ", status);
    if (status == 429) assert_non_null(strstr(receive(fd, ""), expected));
    return fd;
}

// Long bodies of few devices must not take the room of all others.
static void long_bodies_leave_room_for_others(void **state) {
    (void)state;
    enum { LONG = 15 << 20 };
    static uint8_t body[LONG];
    struct wf_error error;
    int fd[4];
    wf_upload_close(server);
    const struct wf_upload_options o = {.size = sizeof o,
                                        .listen = "0",
                                        .most = 16 << 20,
                                        .head = on_head,
                                        .body = on_body,
                                        .usual = 1 << 20};
    server = wf_upload_open(&o, &error);
    assert_non_null(server);
    fd[0] = begin_upload("/1", LONG, 0);
    close(begin_upload("/1", LONG, 429)); // of one path
    fd[1] = begin_upload("/1", 1 << 20, 0);
    fd[2] = begin_upload("/2", LONG, 0);
    fd[3] = begin_upload("/3", LONG, 0);
    send_all(fd[3], body, LONG);
    assert_non_null(strstr(receive(fd[3], "at once\n"), "HTTP/1.1 503 "));
    close(fd[0]);
    for (unsigned turn = 0; turn < 20; ++turn) wf_upload_step(server, 1, -1);
    close(fd[3]);
    fd[3] = begin_upload("/3", LONG, 0);
    for (size_t i = 0; i < LONG; ++i) body[i] = (uint8_t)(i * 7);
    send_all(fd[3], body, LONG);
    wait_for_bodies(1);
    answer(0, 200, "good");
    assert_non_null(strstr(receive(fd[3], "good\n"), "HTTP/1.1 200 "));
    for (unsigned i = 1; i < 4; ++i) close(fd[i]);
}

static void a_body_has_its_type(void **state) {
    (void)state;
    static const char *const types[][2] = {{"", ""},
                                           {"Content-Type: a/b\r\n", "a/b"},
                                           {"content-type:  A/b+c;charset=x\r\n", "A/b+c"},
                                           {"Content-Type: a/b ; x\r\n", "a/b"},
                                           {"Content-Type:\r\n", ""}};
    char head[512], long_type[200];
    int fd = dial();
    for (unsigned i = 0; i <= 5; ++i) {
        held_count = 0;
        snprintf(long_type, sizeof long_type, "Content-Type: %0100d\r\n", 1);
        snprintf(head, sizeof head,
                 "POST /a/b HTTP/1.1\r\nAuthorization: Bearer word\r\n%sContent-Length: 1\r\n\r\n",
                 i < 5 ? types[i][0] : long_type);
        send_all(fd, head, strlen(head) + 1); // with the zero as its body
        wait_for_bodies(1);
        assert_string_equal(type, i < 5 ? types[i][1] : "");
        answer(0, 200, "good");
        (void)receive(fd, "good\n");
    }
    close(fd);
}

static void clients_may_leave_before_their_answer(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; ++i) {
        int fd = dial();
        send_upload(fd, 1000);
        wait_for_bodies(i + 1);
        close(fd);
    }
    for (unsigned turn = 0; turn < 20; ++turn) wf_upload_step(server, 1, -1);
    answer(0, 200, "nobody");
    answer(1, 503, "nobody"); // the third is freed with the server
}

// libwebsockets would read in vain for ever.
static void what_comes_before_the_answer_ends_the_connection(void **state) {
    (void)state;
    static const char twice[] = HEAD "1\r\n\r\n\0" HEAD "1\r\n\r\n\0";
    int fd = dial();
    send(fd, twice, sizeof twice - 1, MSG_NOSIGNAL);
    assert_string_equal(receive(fd, ""), "");
    assert_int_equal(held_count, 1);
    answer(0, 200, "nobody");
    close(fd);
    refusing = true;
    fd = dial();
    send(fd, twice, sizeof twice - 1, MSG_NOSIGNAL);
    (void)receive(fd, "");
    close(fd);
}

// Sends a byte at each turn. Returns what was received when the server has closed the connection.
static const char *send_slowly(int fd, const char *head, char byte) {
    static char text[TEXT_MAX];
    size_t len = 0;
    ssize_t n = -1;
    send(fd, head, strlen(head), MSG_NOSIGNAL);
    for (unsigned turn = 0; n != 0; ++turn) {
        assert_true(turn < TURNS && len < TEXT_MAX - 1);
        if (turn < MOST - 1) (void)!send(fd, &byte, 1, MSG_NOSIGNAL);
        wf_upload_step(server, 1, -1);
        n = recv(fd, text + len, TEXT_MAX - 1 - len, 0);
        if (n < 0 && errno != EAGAIN) break; // reset: it does not read the rest
        if (n > 0) len += (size_t)n;
    }
    text[len] = 0;
    close(fd);
    return text;
}

// Each byte would begin the timeouts of libwebsockets anew.
static void slow_clients_have_a_deadline(void **state) {
    (void)state;
    assert_string_equal(send_slowly(dial(), HEAD "100000\r\n\r\n", 0), "");
    refusing = true;
    assert_non_null(strstr(send_slowly(dial(), HEAD "100000\r\n\r\n", 0), "HTTP/1.1 401 "));
    assert_string_equal(send_slowly(dial(), "POST /a/b", 'b'), "");
    assert_int_equal(heads, 2);
    assert_int_equal(held_count, 0);
}

// One that the caller has is not late.
static void a_late_answer_is_sent(void **state) {
    (void)state;
    int fd = dial();
    send_upload(fd, 10);
    wait_for_bodies(1);
    for (unsigned turn = 0; turn < IMPATIENT_MS * 3 / 2; ++turn) wf_upload_step(server, 1, -1);
    answer(0, 200, "late");
    assert_non_null(strstr(receive(fd, "late\n"), "HTTP/1.1 200 "));
    close(fd);
}

static void a_port_in_use_is_named(void **state) {
    struct wf_error error;
    (void)state;
    assert_null(open_server(strrchr(wf_upload_url(server), ':') + 1, &error));
    assert_int_equal(error.code, WF_ERR_LINK);
    assert_non_null(strstr(error.text, "is in use by another program; --http=PORT"));
    assert_null(open_server("no port", &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
}

int main(void) {
#define WF_X(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        WF_X(uploads_are_answered_later_and_in_any_order),
        WF_X(what_is_refused_by_its_header_is_not_kept),
        WF_X(one_path_does_not_take_the_room_of_others),
        WF_X(long_bodies_leave_room_for_others),
        WF_X(a_body_has_its_type),
        WF_X(an_answer_may_have_one_more_header),
        WF_X(clients_may_leave_before_their_answer),
        WF_X(what_comes_before_the_answer_ends_the_connection),
        cmocka_unit_test_setup_teardown(slow_clients_have_a_deadline, begin_impatient, end),
        cmocka_unit_test_setup_teardown(a_late_answer_is_sent, begin_impatient, end),
        WF_X(a_port_in_use_is_named),
    };
#undef WF_X
    return cmocka_run_group_tests(tests, NULL, NULL);
}
