// SPDX-License-Identifier: MIT
// The TCP transport against a socket of the same process: both directions, without blocking, and
// with a reason when the other end has disconnected.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "wf_file.h"
#include "wf_tcp.h"

// From the recorder's test port; nothing is recorded here.
uint64_t fake_clock, fake_clock_step;
int fake_lock_depth, fake_lock_count, fake_lock_errors;

static struct wf_tcp tcp;
static int peer;

static int set_up(void **state) {
    (void)state;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    char address[40];
    const char *why;
    snprintf(address, sizeof address, "127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
    assert_int_equal(wf_tcp_open(&tcp, address, &why), 0);
    peer = accept(listener, NULL, NULL);
    assert_true(peer >= 0);
    close(listener);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    if (peer >= 0) close(peer);
    wf_tcp_transport.close(&tcp);
    return 0;
}

// Retries, as the kernel may need a moment.
static int32_t read_soon(uint8_t *bytes, uint32_t max) {
    int32_t n = 0;
    for (int tries = 0; tries < 2000 && n == 0; ++tries) {
        n = wf_tcp_transport.read(&tcp, bytes, max);
        if (n == 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return n;
}

static void reads_what_has_come_and_does_not_wait(void **state) {
    uint8_t bytes[8];
    (void)state;
    assert_int_equal(wf_tcp_transport.read(&tcp, bytes, sizeof bytes), 0);
    assert_int_equal(write(peer, "abcde", 5), 5);
    assert_int_equal(read_soon(bytes, 3), 3);
    assert_memory_equal(bytes, "abc", 3);
    assert_int_equal(wf_tcp_transport.read(&tcp, bytes, 0), 0);
    assert_int_equal(wf_tcp_transport.read(&tcp, bytes, sizeof bytes), 2);
    assert_memory_equal(bytes, "de", 2);
    assert_int_equal(wf_tcp_transport.read(&tcp, bytes, sizeof bytes), 0);
}

static void the_last_bytes_come_before_the_end(void **state) {
    uint8_t bytes[8];
    (void)state;
    assert_int_equal(write(peer, "x", 1), 1);
    close(peer);
    peer = -1;
    assert_int_equal(read_soon(bytes, sizeof bytes), 1);
    errno = 0;
    assert_true(read_soon(bytes, sizeof bytes) < 0);
    assert_int_equal(errno, ENOTCONN);
}

static void a_write_that_fails_says_why(void **state) {
    (void)state;
    close(peer);
    peer = -1;
    int32_t n = 0;
    for (int tries = 0; tries < 2000 && n >= 0; ++tries) { // first fills the kernel's buffer
        errno = 0;
        n = wf_tcp_transport.write(&tcp, (const uint8_t *)"x", 1);
        if (n >= 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    assert_true(n < 0);
    assert_true(errno == EPIPE || errno == ECONNRESET);
}

static void a_full_socket_takes_nothing(void **state) {
    static const uint8_t bytes[65536];
    (void)state;
    int32_t n = 1;
    for (int i = 0; i < 10000 && n > 0; ++i) n = wf_tcp_transport.write(&tcp, bytes, sizeof bytes);
    assert_int_equal(n, 0);
}

static void a_file_goes_one_way_and_says_why_it_fails(void **state) {
    struct wf_file full;
    (void)state;
    assert_null(wf_file_transport.read);
    assert_int_equal(access("/dev/full", W_OK), 0);
    assert_int_equal(wf_file_open(&full, "/dev/full"), 0);
    errno = 0;
    assert_true(wf_file_transport.write(&full, (const uint8_t *)"x", 1) < 0);
    assert_int_equal(errno, ENOSPC);
    wf_file_transport.close(&full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_what_has_come_and_does_not_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_bytes_come_before_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_write_that_fails_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_socket_takes_nothing, set_up, tear_down),
        cmocka_unit_test(a_file_goes_one_way_and_says_why_it_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
