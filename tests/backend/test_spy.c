// SPDX-License-Identifier: MIT
// The `spy:` link against a server simulated here, packet by packet: a stock one, ours, and packets
// that no server sends.

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <netinet/in.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>

#include "wallfly_backend/wf_link.h"

enum { TRIES = 2000 };

struct seen {
    unsigned ups, downs, known, says, done;
    struct wf_peer *peer;
    uint8_t bytes[8192];
    size_t len;
    char why[128], said[256];
    uint8_t known_id, known_payload[64];
    size_t known_len;
};

struct bench {
    uv_loop_t loop;
    struct wf_link *link;
    struct seen seen;
    int socket;
    struct sockaddr_in spy; // the source of its last packet
    uint8_t packet[4096];
    ssize_t packet_len;
};

static void on_up(void *ctx, struct wf_peer *peer) {
    struct seen *s = ctx;
    ++s->ups;
    s->peer = peer;
}

static void on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct seen *s = ctx;
    (void)peer;
    assert_true(s->len + len <= sizeof s->bytes);
    memcpy(s->bytes + s->len, bytes, len);
    s->len += len;
}

static void on_down(void *ctx, struct wf_peer *peer, const char *why) {
    struct seen *s = ctx;
    (void)peer;
    ++s->downs;
    s->peer = NULL;
    snprintf(s->why, sizeof s->why, "%s", why);
}

static void on_say(void *ctx, const char *text) {
    struct seen *s = ctx;
    ++s->says;
    snprintf(s->said, sizeof s->said, "%s", text);
}

static void on_done(void *ctx, int err) {
    struct seen *s = ctx;
    (void)err;
    ++s->done;
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct seen *s = ctx;
    (void)peer;
    ++s->known;
    s->known_id = id;
    s->known_len = len;
    if (len <= sizeof s->known_payload) memcpy(s->known_payload, payload, len);
}

static int new_socket(uint16_t port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = port};
    struct timeval wait = {.tv_usec = 1000};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait), 0);
    return fd;
}

static uint16_t port_of(int fd) {
    struct sockaddr_in a;
    socklen_t len = sizeof a;
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
    return a.sin_port;
}

static void turn(struct bench *b) { uv_run(&b->loop, UV_RUN_NOWAIT); }

// Receives the spy's next packet.
static void hear(struct bench *b) {
    socklen_t len = sizeof b->spy;
    for (int i = 0; i < TRIES; ++i) {
        turn(b);
        b->packet_len =
            recvfrom(b->socket, b->packet, sizeof b->packet, 0, (struct sockaddr *)&b->spy, &len);
        if (b->packet_len >= 0) return;
        assert_true(errno == EAGAIN || errno == EWOULDBLOCK);
    }
    fail_msg("nothing came from the spy");
}

static void say(struct bench *b, const void *packet, size_t len) {
    ssize_t sent = sendto(b->socket, packet, len, 0, (struct sockaddr *)&b->spy, sizeof b->spy);
    assert_int_equal(sent, len);
    turn(b);
    turn(b);
}
#define SAY(b, text) say(b, text, sizeof(text) - 1)

static void start(struct bench *b, bool once) {
    struct wf_link_options options = {.size = sizeof options, .once = once};
    struct wf_link_handlers on = {&b->seen, on_up,    on_bytes, on_down, on_say,
                                  on_done,  on_known, NULL,     NULL};
    char source[64];
    struct wf_error error = {.text = ""};
    memset(b, 0, sizeof *b);
    uv_loop_init(&b->loop);
    b->socket = new_socket(0);
    snprintf(source, sizeof source, "spy:127.0.0.1:%u", ntohs(port_of(b->socket)));
    assert_int_equal(wf_link_open(&b->loop, source, &options, &on, &b->link, &error), WF_OK);
    hear(b);
    assert_int_equal(b->packet_len, 3);
    assert_memory_equal(b->packet, "\1\200\5", 3); // ATTACH: binary, and known names
}

static void stop(struct bench *b) {
    wf_link_close(b->link);
    uv_run(&b->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&b->loop), 0);
    close(b->socket);
}

static void expect_bytes(struct bench *b, const char *bytes, size_t len) {
    assert_int_equal(b->seen.len, len);
    assert_memory_equal(b->seen.bytes, bytes, len);
    b->seen.len = 0;
}
#define EXPECT(b, text) expect_bytes(b, text, sizeof(text) - 1)

static void packets_become_frames(void **state) {
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\7\6not yet attached");
    assert_int_equal(b.seen.ups, 0);
    SAY(&b, "\1\200");
    assert_int_equal(b.seen.ups, 1);
    assert_int_equal(wf_peer_lane(b.seen.peer), 0);
    SAY(&b, "\7\6\x7E"); // sequence 7, record 6
    hear(&b);
    assert_int_equal(b.packet_len, 2);
    assert_memory_equal(b.packet, "\2\0", 2); // INFO: the record is held until the answer
    EXPECT(&b, "");
    SAY(&b, "\10\100\0\335\2\42\101\42\104\4\4\21\1\2\3\4\5\6");
    assert_int_equal(b.seen.known, 1);
    assert_int_equal(b.seen.known_id, 64);
    assert_memory_equal(b.seen.bytes, "\7\6\x7D\x5E\x74\x7E\10\100", 8);
    b.seen.len = 0;
    SAY(&b, "\11\6\x7E"); // no record is held any more
    EXPECT(&b, "\11\6\x7D\x5E\x72\x7E");
    SAY(&b, "\2\0\6a line of text");
    SAY(&b, "\2\xC8 of a kind unknown");
    SAY(&b, "\2");
    EXPECT(&b, "");
    stop(&b);
    assert_int_equal(b.seen.downs, 1);
    assert_string_equal(b.seen.why, "");
}

// QSPY does not forward record 0; without it a reset would look like a loss.
static void a_reset_gets_its_start_back(void **state) {
    static const char info[] = "\2\100\377\335\2\42\101\42\104\4\4\21\1\2\3\4\5\6";
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\1\200");
    SAY(&b, info);
    assert_int_equal(b.seen.len, 4 + 20);
    assert_memory_equal(b.seen.bytes, "\1\0\376\x7E", 4);
    b.seen.len = 0;
    say(&b, "\5\100\0\335\2\42\101\42\104\4\4\21\1\2\3\4\5\6", sizeof info - 1); // no reset
    assert_int_equal(b.seen.bytes[0], 5);
    b.seen.len = 0;
    SAY(&b, "\1\360"); // the server is wallfly's: it forwards record 0 itself
    SAY(&b, "\1\363");
    EXPECT(&b, "\1\0\376\x7E");
    SAY(&b, info);
    assert_int_equal(b.seen.bytes[0], 2);
    stop(&b);
}

static void what_is_known_comes_apart(void **state) {
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\1\200");
    SAY(&b, "\2\360\3\0\x3D"
            "ab"
            "\1\0\x3E");
    assert_int_equal(b.seen.known, 2);
    assert_int_equal(b.seen.known_id, 0x3E);
    assert_int_equal(b.seen.known_len, 0);
    SAY(&b, "\3\360\4\0\x3D"
            "abc"
            "\xFF\xFF\x3Dtoo long");
    assert_int_equal(b.seen.known, 3);
    assert_int_equal(b.seen.known_len, 3);
    assert_memory_equal(b.seen.known_payload, "abc", 3);
    SAY(&b, "\3\360\0\0\x3D");
    SAY(&b, "\3\360\0");
    assert_int_equal(b.seen.known, 3);
    stop(&b);
}

static void a_target_leaves_and_comes(void **state) {
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\1\200");
    SAY(&b, "\1\360");
    SAY(&b, "\2\365"); // too short, ignored
    SAY(&b, "\2\365\1");
    assert_int_equal(b.seen.ups, 1);
    SAY(&b, "\7\6x");
    SAY(&b, "\3\365\0pulled\33out");
    assert_int_equal(b.seen.len, 5); // earlier bytes are delivered first
    assert_int_equal(b.seen.downs, 1);
    assert_string_equal(b.seen.why, "pulled?out");
    SAY(&b, "\4\365\0");
    SAY(&b, "\5\360\3\0\77n\0"); // names without a target are dropped
    assert_int_equal(b.seen.downs, 1);
    assert_int_equal(b.seen.known, 0);
    SAY(&b, "\6\365\1");
    assert_int_equal(b.seen.ups, 2);
    b.seen.len = 0;
    SAY(&b, "\7\365\0");
    SAY(&b, "\1\6x"); // a record: the target is connected, without a report
    assert_int_equal(b.seen.ups, 3);
    assert_int_equal(b.seen.len, 5);
    SAY(&b, "\7\365\0");
    SAY(&b, "\1\363");
    assert_int_equal(b.seen.ups, 4);
    SAY(&b, "\7\365\0");
    SAY(&b, "\7\201"); // and the server too: reported only once
    assert_int_equal(b.seen.downs, 4);
    hear(&b); // (sent every second: a keep-alive, or the next ATTACH)
    SAY(&b, "\1\200");
    assert_int_equal(b.seen.ups, 5);
    stop(&b);
    assert_int_equal(b.seen.downs, 5);
}

static void complaints_reach_the_user(void **state) {
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\1\200");
    SAY(&b, "\2\362   no such \033[2Jname");
    assert_non_null(strstr(b.seen.said, ": no such ?[2Jname"));
    SAY(&b, "\2\361\1\2\0\0");
    assert_non_null(strstr(b.seen.said, ": 513 packets lost"));
    SAY(&b, "\2\361\1\2");
    assert_int_equal(b.seen.says, 2);
    stop(&b);
}

static void commands_become_packets(void **state) {
    uint8_t large[4000] = {0};
    struct bench b;
    (void)state;
    start(&b, false);
    SAY(&b, "\1\200");
    assert_int_equal(wf_peer_send(b.seen.peer, 5, "\x7D\x7E\1", 3), WF_OK);
    hear(&b);
    assert_int_equal(b.packet_len, 5);
    assert_memory_equal(b.packet, "\2\5\x7D\x7E\1", 5);
    wf_peer_restart(b.seen.peer); // no effect: the server has the target's sequence
    assert_int_equal(wf_peer_send(b.seen.peer, 0, NULL, 0), WF_OK);
    hear(&b);
    assert_int_equal(b.packet_len, 2);
    assert_memory_equal(b.packet, "\3\0", 2);
    assert_int_equal(wf_peer_send(b.seen.peer, 5, large, sizeof large), WF_ERR_LINK);
    wf_link_close(b.link);
    hear(&b);
    assert_memory_equal(b.packet, "\4\201", 2); // DETACH
    uv_run(&b.loop, UV_RUN_DEFAULT);
    uv_loop_close(&b.loop);
    close(b.socket);
}

static void it_attaches_until_it_is_answered(void **state) {
    struct bench b;
    (void)state;
    start(&b, false);
    hear(&b);
    assert_memory_equal(b.packet, "\2\200\5", 3);
    assert_non_null(strstr(b.seen.said, "waiting for a server"));
    SAY(&b, "\1\200");
    SAY(&b, "\2\201"); // DETACH
    assert_int_equal(b.seen.downs, 1);
    hear(&b);
    SAY(&b, "\1\200");
    assert_int_equal(b.seen.ups, 2);
    // The server's socket is closed: the next send fails.
    uint16_t port = port_of(b.socket);
    close(b.socket);
    assert_int_equal(wf_peer_send(b.seen.peer, 0, NULL, 0), WF_OK);
    for (int i = 0; i < TRIES && b.seen.downs == 1; ++i) uv_run(&b.loop, UV_RUN_ONCE);
    assert_string_equal(b.seen.why, "the server has gone");
    b.socket = new_socket(port);
    hear(&b);
    assert_int_equal(b.packet[1], 0x80);
    stop(&b);
}

static void once_is_once(void **state) {
    struct bench b;
    (void)state;
    start(&b, true);
    SAY(&b, "\1\200");
    assert_int_equal(b.seen.done, 0);
    SAY(&b, "\2\201");
    assert_int_equal(b.seen.done, 1);
    stop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_become_frames),
        cmocka_unit_test(a_reset_gets_its_start_back),
        cmocka_unit_test(what_is_known_comes_apart),
        cmocka_unit_test(a_target_leaves_and_comes),
        cmocka_unit_test(complaints_reach_the_user),
        cmocka_unit_test(commands_become_packets),
        cmocka_unit_test(it_attaches_until_it_is_answered),
        cmocka_unit_test(once_is_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
