// SPDX-License-Identifier: MIT
// The agent's spool: what was synced is read in order, whatever happens: new files, a restart, a
// kill at any moment, a last write cut at any byte, damage, a full disk.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spool_tests.h"
#include "wallfly_backend/wf_spool.h"

static struct wf_spool *open_spool(uint64_t file_bytes, uint64_t most_bytes) {
    const struct wf_spool_options o = {
        .size = sizeof o, .folder = folder, .file_bytes = file_bytes, .most_bytes = most_bytes};
    struct wf_error error;
    struct wf_spool *s = wf_spool_open(&o, &error);
    if (!s) fail_msg("%s", error.text);
    return s;
}

// Chunk n, which follows from its number.
static int put(struct wf_spool *s, uint32_t n) {
    uint8_t bytes[3000];
    char device[16];
    seed = n;
    const size_t len = chance(sizeof bytes);
    for (size_t i = 0; i < len; ++i) bytes[i] = (uint8_t)chance(256);
    snprintf(device, sizeof device, "dev-%u", n % 7);
    const struct wf_fleet_chunk chunk = {.flags = n % 2 ? WF_FLEET_CHUNK_BEGINS : 0,
                                         .stream = n * UINT64_C(0x123456789),
                                         .offset = n,
                                         .arrival_us = n * 1000u,
                                         .bytes = bytes,
                                         .len = len};
    return wf_spool_put(s, device, &chunk);
}

static void expect(const struct wf_spool_entry *e, uint32_t n) {
    char device[16];
    seed = n;
    const size_t len = chance(3000);
    snprintf(device, sizeof device, "dev-%u", n % 7);
    assert_string_equal(e->device, device);
    assert_int_equal(e->chunk.offset, n);
    assert_int_equal(e->chunk.stream, n * UINT64_C(0x123456789));
    assert_int_equal(e->chunk.len, len);
    for (size_t i = 0; i < len; ++i) assert_int_equal(e->chunk.bytes[i], (uint8_t)chance(256));
}

static void sync_all(struct wf_spool *s) {
    struct wf_error error;
    if (wf_spool_sync(s, &error) != WF_OK) fail_msg("%s", error.text);
}

// Reads from a position; entries are from `first` on. Returns the number behind the last one.
static uint32_t read_from(const struct wf_spool *s, uint64_t position, uint32_t first) {
    struct wf_spool_reader *r = wf_spool_reader_open(folder, position, NULL);
    struct wf_spool_entry e;
    assert_non_null(r);
    while (wf_spool_next(r, wf_spool_end(s), &e)) expect(&e, first++);
    assert_int_equal(wf_spool_reader_error(r), WF_OK);
    assert_int_equal(wf_spool_skipped(r), 0);
    wf_spool_reader_close(r);
    return first;
}

// ---- tests

static void entries_are_read_in_order(void **state) {
    (void)state;
    struct wf_spool *s = open_spool(50000, 0);
    uint64_t middle = 0;
    uint32_t n = 0, from = 0;
    for (unsigned batch = 0; batch < 200; ++batch) {
        for (unsigned i = batch % 5; i > 0; --i) assert_int_equal(put(s, n++), WF_OK);
        sync_all(s);
        if (n < 200) {
            middle = wf_spool_end(s);
            from = n;
            assert_int_equal(read_from(s, 0, 0), n);
        }
    }
    assert_int_equal(read_from(s, 0, 0), n);
    assert_int_equal(read_from(s, middle, from), n);
    wf_spool_close(s);
    s = open_spool(50000, 0); // a restart
    assert_int_equal(read_from(s, 0, 0), n);
    for (unsigned i = 0; i < 20; ++i) assert_int_equal(put(s, n++), WF_OK);
    assert_int_equal(read_from(s, 0, 0), n - 20); // not safe yet
    sync_all(s);
    assert_int_equal(read_from(s, 0, 0), n);
    wf_spool_close(s);
}

static void old_files_are_dropped(void **state) {
    (void)state;
    struct wf_spool *s = open_spool(20000, 0);
    uint64_t positions[300];
    for (uint32_t n = 0; n < 300; ++n) {
        positions[n] = wf_spool_end(s);
        assert_int_equal(put(s, n), WF_OK);
        sync_all(s);
    }
    wf_spool_drop(s, positions[150]);
    assert_true(wf_spool_begin(s) > 100000 && wf_spool_begin(s) <= positions[150]);
    assert_int_equal(read_from(s, positions[150], 150), 300);
    const uint64_t begin = wf_spool_begin(s);
    wf_spool_close(s);
    s = open_spool(20000, 0);
    assert_int_equal(wf_spool_begin(s), begin);
    wf_spool_drop(s, wf_spool_end(s));
    assert_true(wf_spool_begin(s) <= positions[299]); // the last file stays
    assert_int_equal(put(s, 300), WF_OK);
    sync_all(s);
    // A reader from before begins with the oldest entry that is there, and counts what is not.
    struct wf_spool_reader *r = wf_spool_reader_open(folder, positions[10], NULL);
    struct wf_spool_entry e;
    assert_true(wf_spool_next(r, wf_spool_end(s), &e));
    assert_int_equal(e.position, wf_spool_begin(s));
    assert_int_equal(wf_spool_skipped(r), wf_spool_begin(s) - positions[10]);
    wf_spool_reader_close(r);
    wf_spool_close(s);
}

static off_t size_of(const char *path) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

// The last write was not whole: the entry is gone, which nothing was acknowledged of; others stay.
static void a_cut_end_is_taken_off(void **state) {
    (void)state;
    char path[128];
    struct wf_spool *s = open_spool(0, 0);
    for (uint32_t n = 0; n < 3; ++n) assert_int_equal(put(s, n), WF_OK);
    sync_all(s);
    const uint64_t third = wf_spool_end(s);
    assert_int_equal(put(s, 3), WF_OK);
    sync_all(s);
    const off_t whole = (off_t)wf_spool_end(s);
    wf_spool_close(s);
    snprintf(path, sizeof path, "%s/0000000000000000.spool", folder);
    assert_int_equal(size_of(path), whole);
    for (off_t cut = whole - 1; cut >= (off_t)third; cut -= cut > (off_t)third + 70 ? 7 : 1) {
        assert_int_equal(truncate(path, cut), 0);
        s = open_spool(0, 0);
        assert_int_equal(wf_spool_end(s), third);
        assert_int_equal(read_from(s, 0, 0), 3);
        wf_spool_close(s);
        assert_int_equal(size_of(path), third);
        int fd = open(path, O_WRONLY | O_APPEND); // zeros, as after a crash of the machine
        assert_true(fd >= 0 && ftruncate(fd, whole) == 0);
        close(fd);
    }
}

static void damage_costs_the_rest_of_its_file(void **state) {
    (void)state;
    char path[128];
    struct wf_spool *s = open_spool(20000, 0);
    for (uint32_t n = 0; n < 100; ++n) {
        assert_int_equal(put(s, n), WF_OK);
        sync_all(s);
    }
    snprintf(path, sizeof path, "%s/0000000000000000.spool", folder);
    const off_t len = size_of(path);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, "xxxx", 4, len / 2), 4);
    close(fd);
    struct wf_spool_reader *r = wf_spool_reader_open(folder, 0, NULL);
    struct wf_spool_entry e;
    uint64_t bytes = 0;
    uint32_t last = 0;
    while (wf_spool_next(r, wf_spool_end(s), &e)) {
        expect(&e, (uint32_t)e.chunk.offset);
        assert_true(e.chunk.offset == 0 || e.chunk.offset > last);
        last = (uint32_t)e.chunk.offset;
        bytes += e.next - e.position;
    }
    assert_int_equal(last, 99);
    assert_true(wf_spool_skipped(r) > 0 && wf_spool_skipped(r) <= (uint64_t)len);
    assert_int_equal(bytes + wf_spool_skipped(r), wf_spool_end(s));
    wf_spool_reader_close(r);
    wf_spool_close(s);
}

static void a_full_spool_takes_nothing(void **state) {
    (void)state;
    struct wf_spool *s = open_spool(10000, 50000);
    uint32_t n = 0;
    while (put(s, n) == WF_OK) {
        sync_all(s);
        ++n;
    }
    assert_int_equal(put(s, n), WF_ERR_TOO_MANY);
    assert_true(wf_spool_end(s) > 45000 && wf_spool_end(s) <= 50000);
    wf_spool_drop(s, wf_spool_end(s));
    assert_int_equal(put(s, n), WF_OK); // there is room again
    sync_all(s);
    const uint64_t used = wf_spool_end(s) - wf_spool_begin(s);
    assert_true(wf_spool_has_room(s, 50000 - used) && !wf_spool_has_room(s, 50001 - used));
    wf_spool_set_others(s, 50000 - used);
    assert_true(wf_spool_has_room(s, 0) && !wf_spool_has_room(s, 1));
    assert_int_equal(put(s, n), WF_ERR_TOO_MANY);
    wf_spool_set_others(s, 0);
    assert_int_equal(put(s, n), WF_OK);
    wf_spool_close(s);
}

// A sync that fails adds nothing; the spool goes on when there is room.
static void a_full_disk_loses_nothing_that_was_safe(void **state) {
    (void)state;
    struct wf_error error;
    struct rlimit was, few;
    struct wf_spool *s = open_spool(0, 0);
    for (uint32_t n = 0; n < 10; ++n) assert_int_equal(put(s, n), WF_OK);
    sync_all(s);
    const uint64_t safe = wf_spool_end(s);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    few = was;
    few.rlim_cur = safe + 2000;
    setrlimit(RLIMIT_FSIZE, &few);
    for (uint32_t n = 100; n < 110; ++n) assert_int_equal(put(s, n), WF_OK);
    assert_int_equal(wf_spool_sync(s, &error), WF_ERR_WRITE);
    assert_non_null(strstr(error.text, "File too large"));
    setrlimit(RLIMIT_FSIZE, &was);
    assert_int_equal(wf_spool_end(s), safe);
    assert_int_equal(read_from(s, 0, 0), 10);
    for (uint32_t n = 10; n < 20; ++n) assert_int_equal(put(s, n), WF_OK);
    sync_all(s);
    assert_int_equal(read_from(s, 0, 0), 20);
    wf_spool_close(s);
}

// The reader comes while a write is not whole yet, which fails then: other bytes come to its place.
static void what_is_not_safe_is_not_read(void **state) {
    (void)state;
    char path[128];
    const uint8_t part[500] = {0};
    struct wf_spool_entry e;
    struct wf_spool *s = open_spool(0, 0);
    for (uint32_t n = 0; n < 10; ++n) assert_int_equal(put(s, n), WF_OK);
    sync_all(s);
    const off_t safe = (off_t)wf_spool_end(s);
    snprintf(path, sizeof path, "%s/0000000000000000.spool", folder);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, part, sizeof part, safe), sizeof part);
    struct wf_spool_reader *r = wf_spool_reader_open(folder, 0, NULL);
    uint32_t n = 0;
    while (wf_spool_next(r, wf_spool_end(s), &e)) expect(&e, n++);
    assert_int_equal(n, 10);
    assert_int_equal(ftruncate(fd, safe), 0);
    close(fd);
    for (uint32_t k = 10; k < 20; ++k) assert_int_equal(put(s, k), WF_OK);
    sync_all(s);
    while (wf_spool_next(r, wf_spool_end(s), &e)) expect(&e, n++);
    assert_int_equal(n, 20);
    assert_int_equal(wf_spool_skipped(r), 0);
    wf_spool_reader_close(r);
    wf_spool_close(s);
}

// A child reports each number that is safe; it is killed at any moment.
static void kills_lose_nothing_that_was_safe(void **state) {
    (void)state;
    uint32_t n = 0;
    for (unsigned round = 0; round < 30; ++round) {
        int report[2];
        assert_int_equal(pipe(report), 0);
        pid_t child = fork();
        if (child == 0) {
            const struct wf_spool_options o = {
                .size = sizeof o, .folder = folder, .file_bytes = 30000};
            struct wf_spool *s = wf_spool_open(&o, NULL);
            for (uint32_t k = n; s; ++k) {
                if (put(s, k) != WF_OK || wf_spool_sync(s, NULL) != WF_OK) break;
                if (write(report[1], &k, sizeof k) != sizeof k) break;
            }
            _exit(1);
        }
        close(report[1]);
        usleep(1000 + 700 * round);
        kill(child, SIGKILL);
        uint32_t safe = n, k;
        while (read(report[0], &k, sizeof k) == sizeof k) safe = k + 1;
        close(report[0]);
        waitpid(child, NULL, 0);
        struct wf_spool *s = open_spool(30000, 0);
        const uint32_t there = read_from(s, 0, 0);
        assert_true(there >= safe && there <= safe + 1);
        n = there;
        wf_spool_close(s);
    }
    assert_true(n > 30);
}

static void one_process_has_a_spool(void **state) {
    (void)state;
    const struct wf_spool_options o = {.size = sizeof o, .folder = folder};
    struct wf_error error;
    struct wf_spool *s = open_spool(0, 0);
    assert_null(wf_spool_open(&o, &error));
    assert_int_equal(error.code, WF_ERR_USAGE);
    assert_non_null(strstr(error.text, "another agent has this spool"));
    wf_spool_close(s);
    const struct wf_spool_options absent = {.size = sizeof absent, .folder = "absent/spool"};
    assert_null(wf_spool_open(&absent, &error));
    assert_string_equal(error.text, "absent/spool: No such file or directory");
    assert_null(wf_spool_reader_open("absent", 0, &error));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(entries_are_read_in_order),        TEST(old_files_are_dropped),
        TEST(a_cut_end_is_taken_off),           TEST(damage_costs_the_rest_of_its_file),
        TEST(a_full_spool_takes_nothing),       TEST(a_full_disk_loses_nothing_that_was_safe),
        TEST(kills_lose_nothing_that_was_safe), TEST(one_process_has_a_spool),
        TEST(what_is_not_safe_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
