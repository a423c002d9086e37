// SPDX-License-Identifier: MIT
// Entries are read as they were written and changed, those in the file and those in memory.

#include "event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "wf_test.h"

enum { ENTRIES = 5 * EVENT_FILE_BUFFER + 7 };

struct entry {
    uint64_t number, value;
};

static void entries_are_those_written_and_changed(void **state) {
    struct event_file f;
    struct wf_error error;
    struct entry e;
    (void)state;
    assert_true(event_file_open(&f, sizeof e, &error));
    for (uint64_t i = 0; i < ENTRIES; ++i) {
        e = (struct entry){i, i * i};
        assert_true(event_file_add(&f, &e));
        if (i % 3) continue;
        e.value = 7;
        assert_true(event_file_set(&f, i / 2, &e)); // some in the file, some in memory
        e = (struct entry){i / 2, i / 2};
        assert_true(event_file_set(&f, i / 2, &e));
    }
    assert_int_equal(f.count, ENTRIES);
    for (uint64_t i = 0; i < ENTRIES; ++i) {
        bool changed =
            (2 * i < ENTRIES && 2 * i % 3 == 0) || (2 * i + 1 < ENTRIES && (2 * i + 1) % 3 == 0);
        assert_true(event_file_get(&f, i, &e));
        assert_int_equal(e.number, i);
        assert_int_equal(e.value, changed ? i : i * i);
    }
    event_file_close(&f);
    event_file_close(&f); // does nothing
}

static void a_file_that_cannot_be_written_or_read_is_reported(void **state) {
    struct event_file f;
    struct wf_error error;
    struct entry e = {0, 0};
    (void)state;
    assert_true(event_file_open(&f, sizeof e, &error));
    close(f.fd);
    f.fd = open("/dev/null", O_RDONLY);
    assert_true(f.fd >= 0);
    for (unsigned i = 0; i < EVENT_FILE_BUFFER; ++i) assert_true(event_file_add(&f, &e));
    assert_false(event_file_add(&f, &e));
    assert_int_equal(f.count, EVENT_FILE_BUFFER);
    f.written = EVENT_FILE_BUFFER; // as if it had been written
    assert_false(event_file_get(&f, 0, &e));
    assert_false(event_file_set(&f, 0, &e));
    event_file_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_those_written_and_changed),
        cmocka_unit_test(a_file_that_cannot_be_written_or_read_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
