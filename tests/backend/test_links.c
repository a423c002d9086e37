// SPDX-License-Identifier: MIT
// Two connected links of different kinds: each receives what the other sends; closing leaves
// nothing open (the loop must run empty, and the sanitizer's build reports leaks).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "wallfly_backend/wf_link.h"

struct end {
    struct wf_link *link;
    struct wf_peer *peer;
    char said[256];
    uint8_t got[256];
    size_t len;
    unsigned ups, downs;
    bool done, fails; // fails: the link must end with an error
};

static void on_up(void *ctx, struct wf_peer *peer) {
    struct end *e = ctx;
    e->peer = peer;
    ++e->ups;
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct end *e = ctx;
    assert_ptr_equal(peer, e->peer);
    assert_true(e->len + len <= sizeof e->got);
    memcpy(e->got + e->len, bytes, len);
    e->len += len;
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct end *e = ctx;
    assert_ptr_equal(peer, e->peer);
    assert_non_null(why);
    e->peer = NULL;
    ++e->downs;
}

static void on_say(void *ctx, const char *text) {
    struct end *e = ctx;
    snprintf(e->said, sizeof e->said, "%s", text);
}

static void on_done(void *ctx, int err) {
    struct end *e = ctx;
    assert_int_equal(err, e->fails ? WF_ERR_LINK : WF_OK);
    e->done = true;
}

static int open_end(uv_loop_t *loop, struct end *e, const char *source, bool once,
                    struct wf_error *error) {
    struct wf_link_options options = {.size = sizeof options, .once = once};
    struct wf_link_handlers on = {.ctx = e,
                                  .up = on_up,
                                  .bytes = on_bytes,
                                  .down = on_down,
                                  .report = on_say,
                                  .done = on_done};
    memset(e, 0, sizeof *e);
    return wf_link_open(loop, source, &options, &on, &e->link, error);
}

enum { TICK_MS = 10, TICKS_MAX = 3000 };

static void on_tick(uv_timer_t *timer) {
    unsigned *ticks = timer->data;
    if (++*ticks > TICKS_MAX) fail_msg("waited in vain");
}

// Runs the loop until the condition is true; fails after a timeout.
#define RUN_UNTIL(loop, condition)                                                                 \
    do {                                                                                           \
        uv_timer_t tick;                                                                           \
        unsigned ticks = 0;                                                                        \
        uv_timer_init(loop, &tick);                                                                \
        tick.data = &ticks;                                                                        \
        uv_timer_start(&tick, on_tick, TICK_MS, TICK_MS);                                          \
        while (!(condition)) uv_run(loop, UV_RUN_ONCE);                                            \
        uv_close((uv_handle_t *)&tick, NULL);                                                      \
        uv_run(loop, UV_RUN_NOWAIT);                                                               \
    } while (0)

static void close_all(uv_loop_t *loop, struct end *a, struct end *b) {
    wf_link_close(a->link);
    if (b) wf_link_close(b->link);
    assert_int_equal(uv_run(loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(loop), 0);
    assert_int_equal(a->ups, a->downs);
    if (b) assert_int_equal(b->ups, b->downs);
}

// A command with every byte that needs an escape, encoded by hand: seq 1, then 2.
static const uint8_t payload[] = {0x7E, 0x00, 0x7D};
static const uint8_t first_frame[] = {1, 5, 0x7D, 0x5E, 0, 0x7D, 0x5D, 0xFE, 0x7E};
static const uint8_t second_frame[] = {2, 5, 0x7D, 0x5E, 0, 0x7D, 0x5D, 0xFD, 0x7E};

static void talk(uv_loop_t *loop, struct end *from, struct end *to) {
    size_t len = sizeof first_frame;
    to->len = 0;
    assert_int_equal(wf_peer_send(from->peer, 5, payload, sizeof payload), WF_OK);
    assert_int_equal(wf_peer_send(from->peer, 5, payload, sizeof payload), WF_OK);
    RUN_UNTIL(loop, to->len == 2 * len);
    assert_memory_equal(to->got, first_frame, len);
    assert_memory_equal(to->got + len, second_frame, len);
    wf_peer_restart(from->peer);
    assert_int_equal(wf_peer_send(from->peer, 5, payload, sizeof payload), WF_OK);
    RUN_UNTIL(loop, to->len == 3 * len);
    assert_memory_equal(to->got + 2 * len, first_frame, len);
}

static void join(const char *listener, const char *client_format) {
    uv_loop_t loop;
    struct end a, b;
    struct wf_error error = {.text = ""};
    char name[256];
    uv_loop_init(&loop);
    assert_int_equal(open_end(&loop, &a, listener, false, &error), WF_OK);
    const char *where = strstr(a.said, "waiting for a target on ");
    assert_non_null(where);
    snprintf(name, sizeof name, client_format, where + strlen("waiting for a target on "));
    assert_int_equal(open_end(&loop, &b, name, false, &error), WF_OK);
    RUN_UNTIL(&loop, a.peer && b.peer);
    talk(&loop, &b, &a);
    talk(&loop, &a, &b);
    close_all(&loop, &a, &b);
}

static void tcp_client_and_server_talk(void **state) {
    (void)state;
    join("tcp-listen:0", "tcp:%s");
    join("tcp-listen:[::1]:0", "tcp:%s");
}

static void rtt_client_talks(void **state) {
    (void)state;
    join("tcp-listen:0", "rtt:%s");
}

static void pseudo_terminal_and_serial_device_talk(void **state) {
    (void)state;
    join("pty", "serial:%s@921600");
}

static int lowest_free_fd(void) {
    int fd = dup(0);
    close(fd);
    return fd;
}

// A device that exists is reported as a target only after the caller has the link and its loop
// runs.
static void no_target_comes_before_the_loop_runs(void **state) {
    uv_loop_t loop;
    struct end p, s;
    struct wf_error error = {.text = ""};
    char source[300];
    (void)state;
    uv_loop_init(&loop);
    assert_int_equal(open_end(&loop, &p, "pty", false, &error), WF_OK);
    snprintf(source, sizeof source, "serial:%s", strrchr(p.said, ' ') + 1);
    assert_int_equal(open_end(&loop, &s, source, false, &error), WF_OK);
    assert_int_equal(s.ups, 0);
    RUN_UNTIL(&loop, s.ups == 1);
    close_all(&loop, &p, &s);
    // The device opened first is closed with a link that never ran.
    uv_loop_init(&loop);
    int before = lowest_free_fd();
    assert_int_equal(open_end(&loop, &p, "pty", false, &error), WF_OK);
    snprintf(source, sizeof source, "serial:%s", strrchr(p.said, ' ') + 1);
    assert_int_equal(open_end(&loop, &s, source, false, &error), WF_OK);
    wf_link_close(p.link);
    wf_link_close(s.link);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(lowest_free_fd(), before);
    uv_loop_close(&loop);
}

static void a_datagram_can_be_answered(void **state) {
    uv_loop_t loop;
    struct end u;
    struct wf_error error;
    unsigned port;
    uint8_t got[64];
    (void)state;
    uv_loop_init(&loop);
    assert_int_equal(open_end(&loop, &u, "udp:0", false, &error), WF_OK);
    assert_int_equal(sscanf(strrchr(u.said, ':'), ":%u", &port), 1);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sendto(s, "abc", 3, 0, (struct sockaddr *)&to, sizeof to);
    RUN_UNTIL(&loop, u.len == 3);
    assert_int_equal(wf_peer_send(u.peer, 5, payload, sizeof payload), WF_OK);
    assert_int_equal(recv(s, got, sizeof got, 0), sizeof first_frame);
    assert_memory_equal(got, first_frame, sizeof first_frame);
    close(s);
    close_all(&loop, &u, NULL);
}

// A link that waits for a missing peer can be closed at any time.
static void what_is_not_there_can_be_closed(void **state) {
    static const char *const sources[] = {
        "tcp:127.0.0.1:1", "rtt:127.0.0.1:1/3", "serial:/dev/wf-no-such-device", "pty",
        "udp:0",           "tcp-listen:0"};
    (void)state;
    for (unsigned i = 0; i < sizeof sources / sizeof *sources; ++i) {
        for (unsigned turns = 0; turns < 4; ++turns) {
            uv_loop_t loop;
            struct end e;
            struct wf_error error;
            uv_loop_init(&loop);
            assert_int_equal(open_end(&loop, &e, sources[i], false, &error), WF_OK);
            for (unsigned n = 0; n < turns; ++n) uv_run(&loop, UV_RUN_NOWAIT);
            close_all(&loop, &e, NULL);
            assert_int_equal(e.ups, 0);
        }
    }
}

static void wrong_names_say_what_is_wrong(void **state) {
    static const struct {
        const char *source;
        int err;
        const char *text;
    } cases[] = {
        {"tcp:here", WF_ERR_USAGE, "'here' is not HOST:PORT"},
        {"tcp:127.0.0.1:99999", WF_ERR_USAGE, "port '99999' is not a number from 0 to 65535"},
        {"rtt:127.0.0.1:1/x", WF_ERR_USAGE, "channel 'x' is not a number from 0 to 255"},
        {"udp:x", WF_ERR_USAGE, "port 'x' is not a number from 0 to 65535"},
        {"serial:/dev/null@fast", WF_ERR_USAGE,
         "baud rate 'fast' is not a number from 1 to 100000000"},
        {"serial:", WF_ERR_USAGE, "serial: names a device, as in serial:/dev/ttyUSB0@115200"},
        {"serial:/dev/null", WF_ERR_LINK, "/dev/null: is not a serial device"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
        uv_loop_t loop;
        struct end e;
        struct wf_error error = {.text = ""};
        uv_loop_init(&loop);
        assert_int_equal(open_end(&loop, &e, cases[i].source, false, &error), cases[i].err);
        assert_string_equal(error.text, cases[i].text);
        uv_run(&loop, UV_RUN_DEFAULT);
        assert_int_equal(uv_loop_close(&loop), 0);
    }
}

// A peer that closes with unread bytes resets the connection: the poll reports the reset while
// bytes still wait before it.
static void bytes_before_an_error_are_read_and_the_error_ends_the_input(void **state) {
    uv_loop_t loop;
    struct end e;
    struct wf_error error;
    int pair[2], standard_input = dup(0);
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(dup2(pair[0], 0), 0);
    assert_int_equal(write(pair[0], "?", 1), 1);
    assert_int_equal(write(pair[1], "wait", 4), 4);
    close(pair[0]);
    close(pair[1]);
    uv_loop_init(&loop);
    assert_int_equal(open_end(&loop, &e, "-", false, &error), WF_OK);
    e.fails = true;
    RUN_UNTIL(&loop, e.done);
    assert_int_equal(e.len, 4);
    assert_string_equal(e.said, "standard input: Connection reset by peer");
    close_all(&loop, &e, NULL);
    dup2(standard_input, 0);
    close(standard_input);
}

static void what_is_live_is_known_from_the_name(void **state) {
    (void)state;
    assert_true(wf_link_is_live("pty"));
    assert_true(wf_link_is_live("serial:/dev/ttyS0"));
    assert_false(wf_link_is_live("/etc/passwd"));
    assert_true(wf_link_is_file("./pty"));
    assert_true(wf_link_is_file("pty:x")); // a file with a colon in its name
    assert_false(wf_link_is_file("pty"));
    assert_true(wf_link_is_file("tcp"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tcp_client_and_server_talk),
        cmocka_unit_test(rtt_client_talks),
        cmocka_unit_test(pseudo_terminal_and_serial_device_talk),
        cmocka_unit_test(no_target_comes_before_the_loop_runs),
        cmocka_unit_test(a_datagram_can_be_answered),
        cmocka_unit_test(what_is_not_there_can_be_closed),
        cmocka_unit_test(wrong_names_say_what_is_wrong),
        cmocka_unit_test(bytes_before_an_error_are_read_and_the_error_ends_the_input),
        cmocka_unit_test(what_is_live_is_known_from_the_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
