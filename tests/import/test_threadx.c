// SPDX-License-Identifier: MIT
// The importer of ThreadX trace buffers, with buffers that the test writes word by word.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_trace.h"
#include "wallfly_host/wf_writer.h"

enum { BASE = 0x20001000, OBJECTS = 8, NAME = 32, SLOTS = 32 };
enum { REGISTRY = 48, RING = REGISTRY + OBJECTS * (16 + NAME), SIZE = RING + SLOTS * 32 };
enum { A = 0x100, B = 0x200, T = 0x300, SEMA = 0x400, QUEUE = 0x500, MUTEX = 0x600, FLAGS = 0x700 };
#define ISR     0xFFFFFFFF
#define FOREVER 0xFFFFFFFF

static uint8_t ring[SIZE];
static bool big;
static unsigned used, objects; // slots, registry entries
static uint32_t now;

static void word(unsigned at, uint32_t v) {
    for (unsigned i = 0; i < 4; ++i) ring[at + i] = (uint8_t)(v >> 8 * (big ? 3 - i : i));
}

static void set_current(unsigned slot) { word(32, BASE + RING + slot * 32); }

static void begin_with(uint32_t mask) {
    static const uint32_t tail[] = {0xAAAAAAAA, 0xBBBBBBBB, 0xCCCCCCCC};
    memset(ring, 0, sizeof ring);
    used = objects = 0;
    now = 1000;
    word(0, 0x54585442);
    word(4, mask);
    word(8, BASE);
    word(12, BASE + REGISTRY);
    ring[big ? 19 : 18] = NAME;
    word(20, BASE + RING);
    word(24, BASE + RING);
    word(28, BASE + SIZE);
    for (unsigned i = 0; i < 3; ++i) word(36 + 4 * i, tail[i]);
    for (unsigned i = 0; i < OBJECTS; ++i) ring[REGISTRY + i * (16 + NAME)] = 1;
    set_current(0);
}

static void add_object(unsigned type, uint32_t key, unsigned prio, const char *name) {
    unsigned at = REGISTRY + objects++ * (16 + NAME);
    ring[at] = 0;
    ring[at + 1] = (uint8_t)type;
    ring[at + 2] = type == 1 ? 0x80 : 0;
    ring[at + 3] = (uint8_t)prio;
    word(at + 4, key);
    memcpy(ring + at + 16, name, strlen(name));
}

static void begin(void) {
    begin_with(0xFFFFFFFF);
    add_object(1, A, 5, "anna");
    add_object(1, B, 6, "bert");
    add_object(1, T, 0, "timer");
    add_object(4, SEMA, 0, "sema");
    add_object(3, QUEUE, 0, "queue");
    add_object(5, MUTEX, 0, "mutex");
    add_object(6, FLAGS, 0, "flags");
}

static void put(uint32_t context, uint32_t prio_word, uint32_t id, uint32_t i1, uint32_t i2,
                uint32_t i3, uint32_t i4) {
    unsigned at = RING + used++ % SLOTS * 32;
    const uint32_t words[] = {context, prio_word, id, now, i1, i2, i3, i4};
    for (unsigned i = 0; i < 8; ++i) word(at + 4 * i, words[i]);
    set_current(used % SLOTS);
    now += 10;
}

// An event of a thread. Priorities are those of begin().
static void by(uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4) {
    uint32_t prio = thread == A ? 5 : thread == B ? 6 : 0;
    put(thread, 0x80000000 | prio << 16 | prio, id, i1, i2, i3, i4);
}

// An event of an interrupt of this thread.
static void in(uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4) {
    put(ISR, thread, id, i1, i2, i3, i4);
}

enum { RESUME = 1, SUSPEND, ENTER, EXIT, SLICE, RUNNING };

// ---- reading

static char text[1 << 16];
static size_t text_len;
static struct wf_error error;
static struct wf_ledger ledger;

static bool keep(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    assert_true(text_len + len < sizeof text);
    memcpy(text + text_len, bytes, len);
    text_len += len;
    text[text_len] = 0;
    return true;
}

static void drain(struct wf_trace *t) {
    const struct wf_writer_options how = {.size = sizeof how};
    struct wf_item item;
    struct wf_session *s = wf_lane_session(wf_trace_lane(t, 0, NULL));
    struct wf_writer *w = wf_writer_open(wf_format_find("text"), s, &how, keep, NULL, NULL);
    assert_non_null(w);
    while (wf_trace_next(t, &item)) wf_writer_item(w, &item);
    wf_writer_flush(w);
    wf_writer_close(w);
    wf_trace_error(t, &error);
    ledger = *wf_session_ledger(s);
}

static int read_bytes(const uint8_t *bytes, size_t len) {
    uint8_t *copy = malloc(len ? len : 1);
    const struct wf_trace_options options = {.size = sizeof options, .format = WF_LANE_THREADX};
    struct wf_trace *t = wf_trace_open(&options, NULL);
    struct wf_merge_span span = {copy, len};
    const struct wf_merge_source source = {&span, wf_merge_span_at};
    memcpy(copy, bytes, len);
    text_len = 0;
    text[0] = 0;
    int err = wf_trace_read(t, 0, &source, &error);
    if (err == WF_OK) drain(t);
    wf_trace_close(t);
    free(copy);
    return error.code;
}

static void read_ring(void) { assert_int_equal(read_bytes(ring, sizeof ring), WF_OK); }

static int read_image(const uint8_t *image, size_t len, const char *symbol) {
    const struct wf_trace_options options = {.size = sizeof options, .ring_symbol = symbol};
    struct wf_trace *t = wf_trace_open(&options, NULL);
    text_len = 0;
    text[0] = 0;
    int err = wf_trace_read_image(t, 0, image, len, NULL, 0, &error);
    if (err == WF_OK) drain(t);
    wf_trace_close(t);
    return error.code;
}

#define SHOWS(part)                                                                                \
    if (!strstr(text, part)) fail_msg("\"%s\" is not in:\n%s", part, text)
#define HIDES(part)                                                                                \
    if (strstr(text, part)) fail_msg("\"%s\" is in:\n%s", part, text)

// ---- tests

static void names_and_priorities_come_from_the_registry(void **state) {
    static char little[sizeof text];
    (void)state;
    begin();
    ring[REGISTRY + 48] = 1; // bert is deleted: his name stays, as nobody else has his address
    by(A, RUNNING, 0, 0, 0, 0);
    put(B, 0x80000003, RUNNING, 0, 0, 0, 0);
    read_ring();
    SHOWS("anna has priority");
    SHOWS("bert runs on core 0");
    SHOWS("bert has priority 3 now");
    HIDES("the trace begins here");
    memcpy(little, text, sizeof text);
    big = true;
    begin();
    ring[REGISTRY + 48] = 1;
    by(A, RUNNING, 0, 0, 0, 0);
    put(B, 0x80000003, RUNNING, 0, 0, 0, 0);
    read_ring();
    big = false;
    assert_string_equal(text, little);
}

static void the_heir_runs_if_the_next_event_shows_it(void **state) {
    (void)state;
    begin();
    by(A, RUNNING, 0, 0, 0, 0);
    by(A, SUSPEND, A, 4, 0, B); // 1010: before anna leaves, an interrupt makes timer the heir
    in(A, ENTER, 0, 25, 0, 0);
    in(A, RESUME, T, 3, 0, T);
    in(A, EXIT, 0, 25, 0, 0); // 1040
    by(T, SUSPEND, T, 3, 0, B);
    in(B, ENTER, 0, 25, 0, 0); // bert runs since 1050
    in(B, EXIT, 0, 25, 0, 0);
    by(B, SUSPEND, B, 4, 0, 0);
    in(0, ENTER, 0, 25, 0, 0); // idle since 1080
    in(0, EXIT, 0, 25, 0, 0);
    read_ring();
    SHOWS("1040    TASK task_switch      timer runs on core 0, the one before sleeps");
    SHOWS("1050    TASK task_switch      bert runs on core 0, the one before is suspended");
    SHOWS("1080    TASK task_switch      idle runs on core 0, the one before sleeps");
    SHOWS("interrupt 25 begins");
    assert_int_equal(ledger.by_id[WF_RECORD_task_switch], 4);
}

static void interrupts_without_their_own_events(void **state) {
    (void)state;
    begin();
    by(A, RUNNING, 0, 0, 0, 0);
    in(A, 88, SEMA, 2, 0, 0);
    in(A, RESUME, T, 3, 0, T); // 1020
    by(T, SUSPEND, T, 3, 0, A);
    in(A, SLICE, B, 0, 0, 0); // 1040
    by(B, 109, 0, A, 0, 0);   // 1050
    by(A, RUNNING, 0, 0, 0, 0);
    read_ring();
    SHOWS("interrupt ? begins");
    SHOWS("interrupt gives sema, count 3");
    HIDES("timer is ready"); // who woke it, is not shown
    SHOWS("1020    TASK task_switch      timer runs on core 0, the one before was preempted");
    SHOWS("1040    TASK task_switch      bert runs on core 0, the one before had its time slice");
    SHOWS("1050    TASK task_switch      anna runs on core 0, the one before gave way");
}

static void a_turned_ring_begins_at_the_current_slot(void **state) {
    (void)state;
    begin();
    for (unsigned i = 0; i < SLOTS + 5; ++i) by(A, 4096 + i, i, 0, 0, 0);
    read_ring();
    SHOWS("the trace begins here: older events were overwritten");
    HIDES("user 4100 ");
    SHOWS("1050    USER user 4101        info1 5");
    SHOWS("user 4132");
    assert_true(strstr(text, "user 4101") < strstr(text, "user 4132"));
}

static void clocks_wrap_and_count_down(void **state) {
    static const uint32_t masked[] = {0xFFFFF0, 0xFFFFFA, 0x000004, 0x800000};
    static const uint32_t down[] = {0xFE460834, 0xFE460804, 0xFE4607F4};
    static const uint32_t above[] = {0x0000FFF0, 0x00020000, 0x00020010};
    (void)state;
    begin_with(0xFFFFFF);
    for (unsigned i = 0; i < 4; ++i) now = masked[i], by(A, 4096 + i, 0, 0, 0, 0);
    read_ring();
    SHOWS("16777200    USER user 4096");
    SHOWS("16777210    USER user 4097");
    SHOWS("16777220    USER user 4098");
    SHOWS("25165824    USER user 4099");
    begin_with(0xFFFF);
    for (unsigned i = 0; i < 3; ++i) now = down[i], by(A, 4096 + i, 0, 0, 0, 0);
    read_ring();
    SHOWS(" 48    USER user 4097");
    SHOWS(" 64    USER user 4098");
    begin_with(0xFFFF); // the mask is too small: all bits count
    for (unsigned i = 0; i < 3; ++i) now = above[i], by(A, 4096 + i, 0, 0, 0, 0);
    read_ring();
    SHOWS("131072    USER user 4097");
    SHOWS("131088    USER user 4098");
}

static void semaphores_have_their_counts_after(void **state) {
    (void)state;
    begin();
    by(A, 83, SEMA, 0, 2, 0); // get
    by(A, 83, SEMA, 0, 0, 0);
    by(A, 83, SEMA, FOREVER, 0, 0);
    by(A, SUSPEND, A, 6, 0, B);
    by(B, 88, SEMA, 0, 1, 0); // put, anna waits
    by(B, RESUME, A, 6, 0, A);
    by(A, 83, SEMA, 3, 0, 0);
    by(A, SUSPEND, A, 6, 0, B);
    by(B, RUNNING, 0, 0, 0, 0);
    in(B, RESUME, A, 6, 0, A); // without a put: after 3 ticks
    by(A, 80, SEMA, 4, 0, 4);  // put to the ceiling
    read_ring();
    SHOWS("anna takes sema, count 1");
    SHOWS("anna does not get sema");
    SHOWS("1030    SEMA sema_wait        anna waits for sema");
    SHOWS("1040    SEMA sema_give        bert gives sema, count 1");
    SHOWS("1050    SEMA sema_take        anna takes sema, count 0");
    SHOWS("1050    TASK task_ready       anna is ready");
    SHOWS("1090    SEMA sema_timeout");
    SHOWS("tx_semaphore_ceiling_put semaphore sema count 4");
    assert_int_equal(ledger.by_id[WF_RECORD_sema_take], 7);
}

static void results_of_sends_follow_from_the_levels(void **state) {
    (void)state;
    begin();
    by(A, 69, QUEUE, 0, 0, 1); // there is room: later there are 2
    by(A, 69, QUEUE, 0, 0, 2); // there is none: there are never 3
    by(A, 69, QUEUE, 0, FOREVER, 2);
    by(A, SUSPEND, A, 5, 0, B);
    by(B, 68, QUEUE, 0, 0, 2); // makes room for anna's message
    by(B, RESUME, A, 5, 0, A);
    by(A, 68, QUEUE, 0, 0, 2);
    by(A, 69, QUEUE, 0, 0, 2); // not seen again: not known
    by(A, 103, 0, 0, 0, 0);
    read_ring();
    SHOWS("1000    QUE  queue_send       anna sends to queue, 2 in it");
    SHOWS("1010    QUE  queue_send_refused");
    SHOWS("1030    QUE  queue_send_wait");
    SHOWS("1040    QUE  queue_receive    bert receives from queue, 1 left");
    SHOWS("1050    QUE  queue_send       anna sends to queue, 2 in it");
    SHOWS("1070    USER tx_queue_send    queue queue");
    begin();
    by(B, 68, QUEUE, 0, FOREVER, 0);
    by(B, SUSPEND, B, 5, 0, A);
    by(A, 69, QUEUE, 0, 0, 0); // to bert, who waits
    by(A, RESUME, B, 5, 0, A);
    read_ring();
    SHOWS("anna sends to queue, 1 in it");
    SHOWS("bert receives from queue, 0 left");
}

static void mutexes_have_their_depth(void **state) {
    (void)state;
    begin();
    by(A, 52, MUTEX, FOREVER, 0, 0);
    by(A, 52, MUTEX, FOREVER, A, 1);
    by(A, SUSPEND, A, 4, 0, B);
    by(B, 52, MUTEX, 0, A, 2);
    by(B, 52, MUTEX, FOREVER, A, 2);
    by(B, SUSPEND, A, 14, 0, B); // raises anna's priority
    by(B, RESUME, A, 14, 0, B);
    by(B, SUSPEND, B, 13, 0, 0);
    by(A, 57, MUTEX, A, 2, 0);
    by(A, 57, MUTEX, A, 1, 0);
    by(A, RESUME, B, 13, 0, A);
    by(A, 57, MUTEX, B, 1, 0); // not hers
    read_ring();
    SHOWS("anna takes mutex, depth 1");
    SHOWS("anna takes mutex, depth 2");
    SHOWS("bert does not get mutex");
    SHOWS("bert waits for mutex");
    SHOWS("anna gives mutex, depth 0");
    SHOWS("1100    MUT  mutex_take       bert takes mutex, depth 1");
    SHOWS("tx_mutex_put     mutex mutex owner bert depth 1");
    assert_int_equal(ledger.by_id[WF_RECORD_task_ready], 1); // not those of the priority
}

static void flags_are_taken_given_and_cleared(void **state) {
    (void)state;
    begin();
    by(A, 32, FLAGS, 3, 2, 0); // any of 3
    by(A, 32, FLAGS, 3, 2, 2); // all of 3: not there
    by(A, 32, FLAGS, 4, 0, 2);
    by(A, SUSPEND, A, 7, 0, B);
    by(B, 36, FLAGS, 4, 0, 1); // set
    by(B, RESUME, A, 7, 0, A);
    by(A, 36, FLAGS, 0xFFFFFFFE, 2, 0); // clear
    read_ring();
    SHOWS("1000    EVT  flags_take");
    SHOWS("1010    EVT  flags_refused");
    SHOWS("1030    EVT  flags_wait       anna waits for 00000004 of flags");
    SHOWS("1050    EVT  flags_take");
    SHOWS("flags_clear");
}

static void threads_begin_and_end(void **state) {
    (void)state;
    begin();
    put(0xF0F0F0F0, 0, 100, A, 5, 0, 0); // create, in the initialization
    put(0xF0F0F0F0, 0, 88, SEMA, 0, 0, 0);
    put(0xF0F0F0F0, 0, RESUME, A, 3, 0, A);
    by(A, SUSPEND, A, 1, 0, B); // completed
    by(B, 101, A, 0, 0, 0);
    by(B, 100, A, 7, 0, 0); // another thread at the same address
    by(B, 350, A, 1, 2, 3);
    read_ring();
    SHOWS("0x00000100 is created, priority 5");
    SHOWS("anna runs on core 0, the one before left");
    SHOWS("the one before ended");
    SHOWS("is created, priority 7");
    SHOWS("NetX 350         info1 anna info2 0x00000001");
    assert_null(strstr(strstr(text, "is deleted") + 1, "is deleted"));
}

static void damage_has_its_place(void **state) {
    (void)state;
    begin();
    assert_int_equal(read_bytes(ring, 47), WF_ERR_BAD_IMPORT);
    assert_non_null(strstr(error.text, "the header has 48 bytes"));
    assert_int_equal(error.at, 47);
    word(20, BASE);
    assert_int_equal(read_bytes(ring, SIZE), WF_ERR_BAD_IMPORT);
    assert_int_equal(error.at, 20);
    begin();
    by(A, 4096, 0, 0, 0, 0);
    put(A, 0, 70000, 0, 0, 0, 0);
    put(A, 0, 70001, 0, 0, 0, 0);
    by(A, 4097, 0, 0, 0, 0);
    read_ring();
    SHOWS("64 damaged bytes: no event has this number");
    SHOWS("user 4097");
    word(32, BASE + RING + 7);
    read_ring();
    SHOWS("the current event lies outside the ring");
    begin(); // the newest events are missing
    for (unsigned i = 0; i < 9; ++i) by(A, 4096 + i, i, 0, 0, 0);
    assert_int_equal(read_bytes(ring, RING + 5 * 32 + 7), WF_OK);
    SHOWS("user 4100");
    assert_int_equal(ledger.missing, 4);
    for (unsigned i = 0; i < SLOTS; ++i) by(A, 5000 + i, i, 0, 0, 0); // turned: the loss is within
    assert_int_equal(read_bytes(ring, SIZE - 64), WF_OK);
    assert_int_equal(ledger.missing, 2);
    assert_true(strstr(text, "user 5020") < strstr(text, "2 events"));
    assert_true(strstr(text, "2 events") < strstr(text, "user 5023"));
}

static void a_buffer_is_found_in_an_image(void **state) {
    static uint8_t image[3 * SIZE + 1000];
    (void)state;
    begin();
    by(A, 4096, 7, 0, 0, 0);
    memset(image, 0x55, sizeof image);
    memcpy(image + 10, "BTXT is a word, as is TXTB", 26);
    memcpy(image + 333, ring, SIZE);
    assert_int_equal(read_image(image, sizeof image, NULL), WF_OK);
    SHOWS("user 4096        info1 7");
    assert_int_equal(ledger.bytes, SIZE);
    memcpy(image + 333 + SIZE, ring, SIZE); // a copy
    assert_int_equal(read_image(image, sizeof image, NULL), WF_ERR_BAD_BOX);
    assert_non_null(strstr(error.text, "2 buffers of other tracers"));
    assert_int_equal(read_image(image, 333 + SIZE - 1, NULL), WF_ERR_BAD_BOX);
    assert_int_equal(read_image(image, sizeof image, "trace"), WF_ERR_BAD_BOX);
    assert_non_null(strstr(error.text, "needs the program's ELF file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_priorities_come_from_the_registry),
        cmocka_unit_test(the_heir_runs_if_the_next_event_shows_it),
        cmocka_unit_test(interrupts_without_their_own_events),
        cmocka_unit_test(a_turned_ring_begins_at_the_current_slot),
        cmocka_unit_test(clocks_wrap_and_count_down),
        cmocka_unit_test(semaphores_have_their_counts_after),
        cmocka_unit_test(results_of_sends_follow_from_the_levels),
        cmocka_unit_test(mutexes_have_their_depth),
        cmocka_unit_test(flags_are_taken_given_and_cleared),
        cmocka_unit_test(threads_begin_and_end),
        cmocka_unit_test(damage_has_its_place),
        cmocka_unit_test(a_buffer_is_found_in_an_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
