// SPDX-License-Identifier: MIT
// The agent's queue of whole traces: what was put is there, whole and in order, until it is
// removed: over restarts, kills at any moment and a full disk.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spool_tests.h"
#include "wallfly_backend/wf_file_queue.h"

enum { FILE_MOST = 5000 };

static struct wf_file_queue *open_queue(void) {
    struct wf_error error;
    struct wf_file_queue *q = wf_file_queue_open(folder, &error);
    if (!q) fail_msg("%s", error.text);
    return q;
}

// File n, which follows from its number.
static size_t make(uint32_t n, uint8_t bytes[FILE_MOST], char device[16]) {
    const size_t len = 1 + n * 977 % FILE_MOST;
    for (size_t i = 0; i < len; ++i) bytes[i] = byte_of(n, i);
    snprintf(device, 16, "%u.dev-x.wfr", n % 7);
    return len;
}

static int put(struct wf_file_queue *q, uint32_t n, struct wf_error *error) {
    uint8_t bytes[FILE_MOST];
    char device[16];
    const size_t len = make(n, bytes, device);
    return wf_file_queue_put(q, device, n % 2 ? WF_FILE_IMAGE : WF_FILE_RECORDING, bytes, len,
                             error);
}

static void expect(const struct wf_queued_file *f, uint32_t n) {
    uint8_t bytes[FILE_MOST], found[FILE_MOST + 1];
    char device[16];
    const size_t len = make(n, bytes, device);
    assert_string_equal(f->device, device);
    assert_int_equal(f->kind, n % 2 ? WF_FILE_IMAGE : WF_FILE_RECORDING);
    assert_int_equal(f->len, len);
    FILE *file = fopen(f->path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), len);
    assert_memory_equal(found, bytes, len);
    fclose(file);
}

// Takes all files, of which the first is number `n`. Returns the number behind the last one.
static uint32_t take_all(struct wf_file_queue *q, uint32_t n) {
    struct wf_queued_file f;
    for (; wf_file_queue_first(q, &f); ++n) {
        expect(&f, n);
        assert_int_equal(wf_file_queue_remove(q, NULL), WF_OK);
        assert_int_not_equal(access(f.path, F_OK), 0);
    }
    return n;
}

static void expect_empty(struct wf_file_queue *q) {
    assert_true(wf_file_queue_is_empty(q));
    assert_int_equal(wf_file_queue_bytes(q), 0);
}

static unsigned count_files(void) {
    char path[80];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/files", folder);
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d)) ++count;
    closedir(d);
    return count - 2;
}

// ---- tests

static void files_come_in_order_over_restarts(void **state) {
    (void)state;
    struct wf_queued_file f;
    struct stat st;
    struct wf_file_queue *q = open_queue();
    assert_false(wf_file_queue_first(q, &f));
    uint64_t bytes = 0;
    uint32_t first = 0, n = 0;
    for (unsigned round = 0; round < 10; ++round) {
        for (unsigned i = 0; i < 20; ++i) assert_int_equal(put(q, n++, NULL), WF_OK);
        for (unsigned i = 0; i < 15; ++i) {
            assert_true(wf_file_queue_first(q, &f));
            expect(&f, first++);
            assert_int_equal(wf_file_queue_remove(q, NULL), WF_OK);
        }
        bytes = wf_file_queue_bytes(q);
        wf_file_queue_close(q);
        q = open_queue();
        assert_int_equal(wf_file_queue_bytes(q), bytes);
    }
    assert_int_equal(count_files(), n - first);
    assert_true(wf_file_queue_first(q, &f) && stat(f.path, &st) == 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(take_all(q, first), n);
    assert_int_equal(count_files(), 0);
    expect_empty(q);
    wf_file_queue_close(q);
}

static void other_files_are_left_alone(void **state) {
    (void)state;
    static const char *const names[] = {"0000000000000001-.wfr",
                                        "0000000000000001-a b.wfr",
                                        "0000000000000001-..wfr",
                                        "0000000000000001-dev",
                                        "0000000000000001-dev.wfx",
                                        "000000000000001-dev.wfr",
                                        "000000000000000g-dev.wfr",
                                        "0000000000000001dev.wfr",
                                        ".0000000000000001-dev.wfr.wallfly-abcdef",
                                        "notes"};
    char path[200];
    struct wf_file_queue *q = open_queue();
    assert_int_equal(put(q, 0, NULL), WF_OK);
    wf_file_queue_close(q);
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        snprintf(path, sizeof path, "%s/files/%s", folder, names[i]);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fclose(file);
    }
    q = open_queue();
    assert_int_equal(put(q, 1, NULL), WF_OK); // which removes what a kill has left
    assert_int_equal(take_all(q, 0), 2);
    assert_int_equal(count_files(), sizeof names / sizeof *names - 1);
    wf_file_queue_close(q);
}

static void a_full_disk_leaves_nothing(void **state) {
    (void)state;
    struct wf_error error;
    struct rlimit was, few;
    struct wf_file_queue *q = open_queue();
    assert_int_equal(put(q, 0, NULL), WF_OK);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    few = was;
    few.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &few);
    assert_int_equal(put(q, 1, &error), WF_ERR_WRITE);
    assert_non_null(strstr(error.text, "File too large"));
    setrlimit(RLIMIT_FSIZE, &was);
    assert_int_equal(count_files(), 1);
    assert_int_equal(put(q, 1, NULL), WF_OK);
    assert_int_equal(take_all(q, 0), 2);
    wf_file_queue_close(q);
    assert_null(wf_file_queue_open("absent/spool", &error));
    assert_int_equal(error.code, WF_ERR_WRITE);
    assert_string_equal(error.text, "absent/spool/files: No such file or directory");
}

// A child reports each file that is safe; it is killed at any moment.
static void kills_lose_nothing_that_was_safe(void **state) {
    (void)state;
    uint32_t n = 0;
    for (unsigned round = 0; round < 20; ++round) {
        int report[2];
        uint32_t k;
        assert_int_equal(pipe(report), 0);
        pid_t child = fork();
        if (child == 0) {
            struct wf_file_queue *q = wf_file_queue_open(folder, NULL);
            for (k = n; q; ++k)
                if (put(q, k, NULL) != WF_OK || write(report[1], &k, sizeof k) != sizeof k) break;
            _exit(1);
        }
        close(report[1]);
        assert_int_equal(read(report[0], &k, sizeof k), sizeof k);
        usleep(150 * round);
        kill(child, SIGKILL);
        uint32_t safe = k + 1;
        while (read(report[0], &k, sizeof k) == sizeof k) safe = k + 1;
        close(report[0]);
        waitpid(child, NULL, 0);
        struct wf_file_queue *q = open_queue();
        const uint32_t there = take_all(q, n);
        assert_true(there == safe || there == safe + 1);
        n = there;
        wf_file_queue_close(q);
    }
}

static void *put_many(void *queue) {
    for (uint32_t n = 0; n < 300; ++n)
        if (put(queue, n, NULL) != WF_OK) return NULL;
    return queue;
}

static void one_thread_puts_while_another_removes(void **state) {
    (void)state;
    pthread_t thread;
    void *good;
    struct wf_file_queue *q = open_queue();
    assert_int_equal(pthread_create(&thread, NULL, put_many, q), 0);
    uint32_t n = 0;
    while (n < 100) n = take_all(q, n);
    pthread_join(thread, &good);
    assert_non_null(good);
    assert_int_equal(take_all(q, n), 300);
    expect_empty(q);
    wf_file_queue_close(q);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(files_come_in_order_over_restarts),
        TEST(other_files_are_left_alone),
        TEST(a_full_disk_leaves_nothing),
        TEST(kills_lose_nothing_that_was_safe),
        TEST(one_thread_puts_while_another_removes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
