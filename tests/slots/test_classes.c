// SPDX-License-Identifier: MIT
// Classes: enabled events are kept, in their form; filters and handlers see an event before it
// takes a slot. The host reads the result.

#include "trace.h"

static const struct {
    unsigned rule, count, word;
} rows[] = {
#define X(external, name, internal, rule, base, count, word) {WF_SAT_##rule, count, word},
    WF_SAT_CLASSES(X)
#undef X
};

// The number of events of a class, computed simply.
static unsigned count_of(unsigned cls) {
    if (rows[cls].rule == WF_SAT_FIXED) return 1024;
    return rows[cls].rule == WF_SAT_STEP ? rows[cls].count / 64 : rows[cls].count;
}

// The event's number in the interface.
static unsigned outer(unsigned cls, unsigned event) {
    return rows[cls].rule == WF_SAT_STEP || rows[cls].rule == WF_SAT_BIT ? 1u << event : event;
}

static bool is_shared(unsigned cls, unsigned event) {
    unsigned count = rows[cls].rule == WF_SAT_FIXED ? UINT32_MAX : count_of(cls);
    return count > WF_CFG_CLASS_EVENTS && event >= WF_CFG_CLASS_EVENTS - 1;
}

static bool is_recorded(unsigned cls) {
    return cls > WF_SAT_CONTROL && rows[cls].rule != WF_SAT_ALL;
}

static int all(bool on) { return wf_classes_switch(WF_CLASSES_ALL, WF_CLASSES_ALL, on); }

static int user(uint32_t event, uint32_t first) {
    const uint32_t words[] = {first, ~first};
    return wf_classes_record(WF_SAT_USER, event, words, 2, WF_CLASSES_SAME);
}

static void every_event_of_every_class_comes_out_under_its_number(void **state) {
    (void)state;
    begin(false, NULL);
    assert_int_equal(all(true), 0);
    wf_classes_start(false);
    unsigned n = 0;
    for (unsigned cls = 0; cls < WF_SAT_CLASS_END; ++cls) {
        for (unsigned e = 0; is_recorded(cls) && e < count_of(cls); ++e, ++n) {
            uint32_t words[] = {n, n};
            if (rows[cls].rule == WF_SAT_FIXED) words[rows[cls].word] = e;
            assert_true(wf_classes_wants(cls, e));
            assert_int_equal(wf_classes_record(cls, e, words, 2, WF_CLASSES_SAME), 0);
            drain();
        }
    }
    assert_int_equal(read_events(), n);
    n = 0;
    for (unsigned cls = 0; cls < WF_SAT_CLASS_END; ++cls) {
        for (unsigned e = 0; is_recorded(cls) && e < count_of(cls); ++e, ++n) {
            assert_int_equal(events[n].cls, cls);
            assert_int_equal(events[n].event, outer(cls, e));
            assert_int_equal(events[n].word[!rows[cls].word], n); // not the interrupt's word
            if (cls == WF_SAT_PROCESS && e == 2)
                assert_string_equal(events[n].name, "PROCCREATE_NAME");
            if (cls == WF_SAT_THREAD && e == 13) assert_string_equal(events[n].name, "MUTEX");
            if (cls == WF_SAT_COMM && e == 9) assert_string_equal(events[n].name, "SIGNAL");
            if (cls == WF_SAT_KERCALLEXIT && e == 11)
                assert_string_equal(events[n].name, "MSG_SENDV");
        }
    }
}

static void variants_of_64_bits_have_the_switch_of_their_event(void **state) {
    (void)state;
    const unsigned some[] = {WF_SAT_KERCALLENTER, WF_SAT_KERCALLEXIT, WF_SAT_PROCESS, WF_SAT_THREAD,
                             WF_SAT_VTHREAD,      WF_SAT_SYSTEM,      WF_SAT_COMM};
    const uint32_t words[4] = {1, 2, 3, 4};
    begin(false, NULL);
    wf_classes_start(false);
    for (unsigned i = 0; i < sizeof some / sizeof *some; ++i) {
        wf_classes_switch((int)some[i], 3, true);
        assert_int_equal(wf_classes_record(some[i], 3 | WF_SAT_64, words, 4, 0), 0);
        assert_int_equal(wf_classes_record(some[i], 2 | WF_SAT_64, words, 4, 0), 0);
    }
    assert_int_equal(read_events(), sizeof some / sizeof *some);
    for (unsigned i = 0; i < sizeof some / sizeof *some; ++i) {
        assert_int_equal(events[i].cls, some[i]);
        assert_int_equal(events[i].event, outer(some[i], 3));
        assert_int_equal(events[i].wide, 1);
        assert_int_equal(events[i].count, 4);
    }
}

// ---- switches, against a model ----

static bool model[WF_SAT_CLASS_END][1024];

static bool meant(int cls, unsigned one) {
    if (rows[one].rule == WF_SAT_ALL) return false;
    if (cls == WF_CLASSES_ALL || cls == (int)one) return true;
    if (cls == WF_SAT_KERCALL) return one >= WF_SAT_KERCALLENTER && one <= WF_SAT_KERCALLINT;
    return cls == WF_SAT_INT && (one == WF_SAT_INTENTER || one == WF_SAT_INTEXIT ||
                                 one == WF_SAT_INT_HANDLER_ENTER || one == WF_SAT_INT_HANDLER_EXIT);
}

static int model_error(int cls, int32_t event) {
    if (cls == WF_CLASSES_ALL) return event == WF_CLASSES_ALL ? 0 : WF_CLASSES_NO_CLASS;
    unsigned one = cls == WF_SAT_KERCALL ? WF_SAT_KERCALLENTER
                   : cls == WF_SAT_INT   ? WF_SAT_INTENTER
                                         : (unsigned)cls;
    if (event == WF_CLASSES_ALL) return 0;
    if (rows[one].rule != WF_SAT_FIXED && (unsigned)event >= count_of(one))
        return WF_CLASSES_NO_EVENT;
    return is_shared(one, (unsigned)event) ? WF_CLASSES_SHARED : 0;
}

static void switches_are_as_they_were_last_set(void **state) {
    (void)state;
    begin(false, NULL);
    wf_classes_start(false);
    memset(model, 0, sizeof model);
    srand(1);
    unsigned errors = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        int cls = rand() % 20 == 0 ? WF_CLASSES_ALL : rand() % WF_SAT_CLASS_END;
        int32_t event = rand() % 4 == 0 ? WF_CLASSES_ALL : rand() % (rand() % 2 ? 30 : 1100);
        bool on = rand() % 2;
        int err = model_error(cls, event);
        errors += err != 0;
        assert_int_equal(wf_classes_switch(cls, event, on), err);
        for (unsigned one = 0; one < WF_SAT_CLASS_END; ++one) {
            for (unsigned e = 0; e < 1024; ++e) {
                if (!err && meant(cls, one) && (event < 0 || (unsigned)event == e))
                    model[one][e] = on;
                if (rows[one].rule == WF_SAT_ALL || e >= count_of(one)) continue;
                if (wf_classes_wants(one, e) != model[one][e]) fail_msg("%u %u", one, e);
            }
        }
    }
    assert_true(errors > 100);
}

static void numbers_that_are_none_are_told(void **state) {
    (void)state;
    const uint32_t words[2] = {0};
    begin(false, NULL);
    all(true);
    wf_classes_start(false);
    assert_int_equal(wf_classes_switch(WF_SAT_CLASS_END, 0, true), WF_CLASSES_NO_CLASS);
    assert_int_equal(wf_classes_switch(-2, 0, true), WF_CLASSES_NO_CLASS);
    assert_int_equal(wf_classes_switch(WF_SAT_USER, 1024, true), WF_CLASSES_NO_EVENT);
    assert_int_equal(wf_classes_switch(WF_SAT_USER, -2, true), WF_CLASSES_NO_EVENT);
    assert_int_equal(wf_classes_switch(WF_SAT_THREAD, 26, true), WF_CLASSES_NO_EVENT);
    assert_int_equal(wf_classes_set_form(77, 0, WF_CLASSES_WIDE), WF_CLASSES_NO_CLASS);
    assert_int_equal(wf_classes_switch(WF_SAT_INTENTER, 1 << 20, true), WF_CLASSES_SHARED);
    assert_int_equal(wf_classes_filter(WF_CLASSES_ALL, -1, WF_CLASSES_PID, 1, 0),
                     WF_CLASSES_NO_CLASS);
    assert_int_equal(wf_classes_filter(40, -1, WF_CLASSES_PID, 1, 0), WF_CLASSES_NO_CLASS);
    const unsigned none[] = {WF_SAT_EMPTY, WF_SAT_CONTROL,   WF_SAT_KERCALL,
                             WF_SAT_INT,   WF_SAT_CLASS_END, 99};
    for (unsigned i = 0; i < sizeof none / sizeof *none; ++i) {
        assert_int_equal(wf_classes_record(none[i], 1, words, 2, 0), WF_CLASSES_NO_CLASS);
    }
    assert_int_equal(wf_classes_record(WF_SAT_USER, 1024, words, 2, 0), WF_CLASSES_NO_EVENT);
    assert_int_equal(wf_classes_record(WF_SAT_PROCESS, 7, words, 2, 0), WF_CLASSES_NO_EVENT);
    assert_int_equal(wf_classes_record(WF_SAT_COMM, 0x400, words, 2, 0), WF_CLASSES_NO_EVENT);
    static const uint32_t many[2 * WF_CFG_CHUNK];
    const unsigned most = 2 * (WF_CFG_CHUNK - 5);
    assert_int_equal(wf_classes_record(WF_SAT_USER, 1, many, most + 1, 0), WF_CLASSES_TOO_LONG);
    assert_int_equal(made(), 0);
    assert_int_equal(
        wf_classes_record(WF_SAT_USER, 1, many, most < READ_WORDS ? most : READ_WORDS, 0), 0);
    assert_false(wf_classes_wants(99, 0));
    assert_int_equal(read_events(), 1);
}

// ---- fast and wide ----

static void forms_are_chosen_for_each_event(void **state) {
    (void)state;
    const uint32_t words[] = {10, 11, 12, 13, 14};
    begin(false, NULL);
    all(true);
    wf_classes_start(false);
    const uint32_t fast = WF_CLASSES_FAST2(3, 0);
    wf_classes_record(WF_SAT_COMM, 9, words, 5, fast);
    wf_classes_set_form(WF_SAT_COMM, 9, WF_CLASSES_WIDE);
    wf_classes_record(WF_SAT_COMM, 9, words, 5, fast);
    wf_classes_record(WF_SAT_COMM, 8, words, 5, fast);
    wf_classes_set_form(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_WIDE);
    wf_classes_record(WF_SAT_COMM, 8, words, 5, fast);
    wf_classes_record(WF_SAT_SYSTEM, 6, words, 5, WF_CLASSES_FIRST(3));
    wf_classes_set_form(WF_CLASSES_ALL, WF_CLASSES_ALL, WF_CLASSES_WIDE);
    wf_classes_record(WF_SAT_SYSTEM, 6, words, 5, WF_CLASSES_FIRST(3));
    wf_classes_set_form(WF_CLASSES_ALL, WF_CLASSES_ALL, WF_CLASSES_FAST);
    wf_classes_record(WF_SAT_COMM, 8, words, 5, WF_CLASSES_FAST1(4));
    wf_classes_record(WF_SAT_COMM, 8, words, 5, WF_CLASSES_SAME);
    wf_classes_record(WF_SAT_COMM, 8, words, 1, WF_CLASSES_FAST2(0, 1)); // there is no word 1
    static const struct {
        unsigned count;
        uint32_t word[6];
    } expected[] = {
        {2, {13, 10}},     {6, {10, 11, 12, 13, 14}}, {2, {13, 10}}, {6, {10, 11, 12, 13, 14}},
        {4, {10, 11, 12}}, {6, {10, 11, 12, 13, 14}}, {2, {14, 0}},  {6, {10, 11, 12, 13, 14}},
        {2, {10, 0}}};
    assert_int_equal(read_events(), sizeof expected / sizeof *expected);
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; ++i) {
        assert_int_equal(events[i].count, expected[i].count);
        assert_memory_equal(events[i].word, expected[i].word, 4 * expected[i].count);
    }
}

// ---- filters ----

static bool comes(unsigned cls, unsigned event) {
    const uint32_t words[] = {1, 2};
    uint64_t before = made();
    assert_int_equal(wf_classes_record(cls, event, words, 2, 0), 0);
    drain();
    return made() != before;
}

static void a_filter_lets_its_process_and_thread_pass(void **state) {
    (void)state;
    begin(false, NULL);
    all(true);
    wf_classes_start(false);
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID, 7, 0), 0);
    test_pid = 7;
    assert_true(comes(WF_SAT_COMM, 1));
    test_has_thread = false;
    assert_false(comes(WF_SAT_COMM, 1));
    test_has_thread = true;
    test_pid = 8;
    assert_false(comes(WF_SAT_COMM, 1));
    assert_true(comes(WF_SAT_SYSTEM, 1)); // another class
    assert_true(comes(WF_SAT_USER, 1));
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID, 8, 0),
                     0); // changed
    assert_true(comes(WF_SAT_COMM, 1));
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, 2, WF_CLASSES_TID, 8, 3), 0);
    test_tid = 3;
    assert_true(comes(WF_SAT_COMM, 2));
    test_tid = 4;
    assert_false(comes(WF_SAT_COMM, 2));
    assert_true(comes(WF_SAT_COMM, 1));
    test_pid = 9;
    test_tid = 3;
    assert_int_equal(wf_classes_unfilter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID), 0);
    assert_false(comes(WF_SAT_COMM, 2)); // the thread's process is a different one
    assert_true(comes(WF_SAT_COMM, 1));
    assert_int_equal(wf_classes_unfilter(WF_SAT_COMM, 2, WF_CLASSES_PID), 0); // there is none
    assert_false(comes(WF_SAT_COMM, 2));
    assert_int_equal(wf_classes_unfilter(WF_SAT_COMM, 2, WF_CLASSES_TID), 0);
    assert_true(comes(WF_SAT_COMM, 2));
    unsigned asked = test_thread_asked;
    assert_true(comes(WF_SAT_COMM, 2));
    assert_int_equal(test_thread_asked, asked); // not needed without filters
}

static void only_classes_that_have_a_thread_can_be_filtered(void **state) {
    (void)state;
    for (unsigned cls = 0; cls < WF_SAT_CLASS_END; ++cls) {
        bool has = (cls >= WF_SAT_KERCALL && cls <= WF_SAT_KERCALLINT) || cls == WF_SAT_THREAD ||
                   cls == WF_SAT_VTHREAD || cls == WF_SAT_SYSTEM || cls == WF_SAT_COMM;
        bool fits = cls != WF_SAT_KERCALL || WF_CFG_CLASS_FILTERS >= 3;
        begin(false, NULL);
        int expected = !has ? WF_CLASSES_NO_THREAD : fits ? 0 : WF_CLASSES_NO_ROOM;
        assert_int_equal(wf_classes_filter((int)cls, WF_CLASSES_ALL, WF_CLASSES_PID, 1, 0),
                         expected);
    }
    wf_classes_init(NULL); // without a function for the running thread
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID, 1, 0),
                     WF_CLASSES_NO_THREAD);
}

static void filters_and_handlers_are_bounded(void **state) {
    (void)state;
    begin(false, NULL);
    unsigned n = 0;
    int err;
    while (!(err = wf_classes_filter(WF_SAT_KERCALLENTER + (int)(n / 30), (int)(n % 30),
                                     WF_CLASSES_PID, n, 0)))
        ++n;
    assert_int_equal(err, WF_CLASSES_NO_ROOM);
    assert_int_equal(n, WF_CFG_CLASS_FILTERS);
    assert_int_equal(wf_classes_filter(WF_SAT_KERCALLENTER, 0, WF_CLASSES_PID, 5, 0),
                     0); // an existing one
    assert_int_equal(wf_classes_unfilter(WF_SAT_KERCALLENTER, 0, WF_CLASSES_PID), 0);
    assert_int_equal(wf_classes_filter(WF_SAT_KERCALL, WF_CLASSES_ALL, WF_CLASSES_PID, 5, 0),
                     WF_CLASSES_NO_ROOM); // it takes three filters
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, 1, WF_CLASSES_TID, 5, 0), 0);
    assert_int_equal(wf_classes_filter(WF_SAT_COMM, 2, WF_CLASSES_TID, 5, 0), WF_CLASSES_NO_ROOM);
}

// ---- handlers ----

static struct {
    struct wf_classes_event seen;
    uint32_t words[8];
    char area;
} calls[8];
static unsigned call_count;
static int answer[2];

static int note(struct wf_classes_event *e) {
    assert_true(call_count < 8 && e->count <= 8);
    calls[call_count].seen = *e;
    memcpy(calls[call_count].words, e->words, 4 * e->count);
    calls[call_count++].area = *(char *)e->area;
    return answer[*(char *)e->area == 'e'];
}

static void handlers_see_an_event_before_it_is_kept(void **state) {
    (void)state;
    static char of_class = 'c', of_event = 'e';
    const uint32_t words[] = {21, 22, 23};
    begin(false, NULL);
    all(true);
    wf_classes_start(false);
    assert_int_equal(wf_classes_set_handler(WF_SAT_COMM, 4, note, &of_event), 0);
    assert_int_equal(wf_classes_set_handler(WF_SAT_COMM, WF_CLASSES_ALL, note, &of_class), 0);
    test_pid = 70;
    test_tid = 71;
    answer[0] = answer[1] = -5; // not zero: keep
    call_count = 0;
    assert_true(comes(WF_SAT_COMM, 4));
    assert_int_equal(call_count, 2);
    assert_int_equal(calls[0].area, 'c');
    assert_int_equal(calls[1].area, 'e');
    assert_int_equal(calls[1].seen.head, WF_SLOT_CLASS_COMM << WF_SLOT_CLASS_SHIFT | 4);
    assert_int_equal(calls[1].seen.count, 2);
    assert_int_equal(calls[1].words[1], 2);
    assert_int_equal(calls[1].seen.feature, WF_CLASSES_HAS_PID | WF_CLASSES_HAS_TID);
    assert_int_equal(calls[1].seen.pid, 70);
    assert_int_equal(calls[1].seen.tid, 71);

    answer[1] = 0; // discards
    assert_false(comes(WF_SAT_COMM, 4));
    assert_true(comes(WF_SAT_COMM, 5));
    assert_int_equal(call_count, 5);
    answer[0] = 0; // the second one is no longer called
    call_count = 0;
    assert_false(comes(WF_SAT_COMM, 4));
    assert_int_equal(call_count, 1);

    // The form in which the event would be kept, its structure, and no thread in an interrupt.
    test_has_thread = false;
    call_count = 0;
    wf_classes_set_form(WF_SAT_COMM, 6, WF_CLASSES_WIDE);
    wf_classes_record(WF_SAT_COMM, 6, words, 3, WF_CLASSES_FAST1(2));
    wf_classes_record(WF_SAT_COMM, 7, words, 3, WF_CLASSES_FAST1(2));
    wf_classes_record(WF_SAT_COMM, 7, NULL, 0, WF_CLASSES_SAME);
    assert_int_equal(calls[0].seen.count, 3);
    assert_int_equal(calls[0].seen.head >> WF_SLOT_STRUCTURE_SHIFT, WF_SLOT_FIRST);
    assert_int_equal(calls[0].seen.feature, 0);
    assert_int_equal(calls[1].seen.count, 1);
    assert_int_equal(calls[1].words[0], 23);
    assert_int_equal(calls[2].seen.count, 0);
    assert_non_null(calls[2].seen.words);

    // Filters come first, and disabled events are not passed to handlers.
    call_count = 0;
    wf_classes_switch(WF_SAT_COMM, 6, false);
    wf_classes_record(WF_SAT_COMM, 6, words, 3, 0);
    wf_classes_filter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID, 1, 0);
    wf_classes_record(WF_SAT_COMM, 7, words, 3, 0);
    assert_int_equal(call_count, 0);
    wf_classes_unfilter(WF_SAT_COMM, WF_CLASSES_ALL, WF_CLASSES_PID);
    wf_classes_set_handler(WF_SAT_COMM, WF_CLASSES_ALL, NULL, NULL);
    assert_true(comes(WF_SAT_COMM, 7));
    assert_false(comes(WF_SAT_COMM, 4)); // its own handler remains
    wf_classes_set_handler(WF_SAT_COMM, 4, NULL, NULL);
    assert_true(comes(WF_SAT_COMM, 4));
    assert_int_equal(call_count, 1);
}

static void handlers_are_bounded(void **state) {
    (void)state;
    static const int some[] = {WF_SAT_KERCALLENTER, WF_SAT_KERCALLEXIT, WF_SAT_USER, WF_SAT_SYSTEM,
                               WF_SAT_COMM};
    static char area;
    begin(false, NULL);
    unsigned n = 0;
    int err = 0;
    while (n < 150 && !(err = wf_classes_set_handler(some[n / 30], (int)(n % 30), note, &area)))
        ++n;
    assert_int_equal(n, WF_CFG_CLASS_HANDLERS);
    assert_int_equal(err, WF_CLASSES_NO_ROOM);
    assert_int_equal(wf_classes_set_handler(some[0], 0, note, &area), 0); // an existing one
    assert_int_equal(wf_classes_set_handler(some[0], 0, NULL, NULL), 0);
    assert_int_equal(wf_classes_set_handler(WF_SAT_INT, 1, note, &area),
                     WF_CLASSES_NO_ROOM); // it takes four handlers
    assert_int_equal(wf_classes_set_handler(WF_SAT_PMU, 1, note, &area), 0);
}

// ---- start and stop ----

static void report(void) {
    user(1, 1); // not a class that is reported
    const uint32_t words[] = {1, 2};
    wf_classes_record(WF_SAT_PROCESS, 0, words, 2, 0);
    wf_classes_record(WF_SAT_THREAD, 24, words, 2, 0);
    wf_classes_record(WF_SAT_VTHREAD, 24, words, 2, 0);
    wf_classes_record_text(WF_SAT_PROCESS, 2, words, 2, "proc/boot/example");
}

static void start_reports_what_there_is_first(void **state) {
    (void)state;
    begin(false, report);
    all(true);
    assert_int_equal(user(5, 0), 0); // not started
    assert_int_equal(made(), 0);
    assert_int_equal(wf_classes_start(true), 0);
    user(5, 55);
    wf_classes_stop();
    user(5, 56);
    wf_classes_start(false);
    user(5, 57);
    assert_int_equal(read_events(), 5);
    assert_string_equal(events[0].name, "PROCCREATE");
    assert_string_equal(events[1].name, "CREATE");
    assert_string_equal(events[2].name, "PROCCREATE_NAME");
    assert_string_equal((const char *)&events[2].word[2], "proc/boot/example");
    assert_int_equal(events[3].word[0], 55);
    assert_int_equal(events[4].word[0], 57);
    wf_classes_switch(WF_SAT_PROCESS, WF_CLASSES_ALL, false);
    wf_classes_stop();
    wf_classes_start(true);
    assert_int_equal(read_events(), 6); // only the thread in addition
}

static void texts_end_at_127_bytes(void **state) {
    (void)state;
    static const uint32_t words[WF_CLASSES_TEXT_WORDS + 1] = {1, 2};
    char text[200];
    begin(false, NULL);
    all(true);
    wf_classes_start(false);
    const unsigned most = 8 * (WF_CFG_CHUNK - 5) < 128 ? 8 * (WF_CFG_CHUNK - 5) : 128;
    for (unsigned len = 0; len < most; ++len) {
        memset(text, 'a' + (int)(len % 26), sizeof text);
        text[len] = 0;
        assert_int_equal(wf_classes_record_text(WF_SAT_USER, len, NULL, 0, text), 0);
        drain();
    }
    text[most - 1] = 'x';
    int err = wf_classes_record_text(WF_SAT_USER, 999, NULL, 0, text);
    assert_int_equal(err, most < 128 ? WF_CLASSES_TOO_LONG : 0);
    assert_int_equal(read_events(), most + !err);
    for (unsigned len = 0; len < most; ++len) {
        const char *got = (const char *)events[len].word;
        assert_int_equal(strlen(got), len);
        assert_true(!len || got[len - 1] == 'a' + (int)(len % 26));
        assert_int_equal(events[len].count, len < 8 ? 2 : (len + 8) / 8 * 2);
    }
    if (!err) assert_int_equal(strlen((const char *)events[most].word), 127);
    assert_int_equal(wf_classes_record_text(WF_SAT_USER, 1, words, WF_CLASSES_TEXT_WORDS + 1, ""),
                     WF_CLASSES_TOO_LONG);
    assert_int_equal(wf_classes_record_text(WF_SAT_USER, 1024, NULL, 0, ""), WF_CLASSES_NO_EVENT);
    wf_classes_switch(WF_SAT_USER, 1, false);
    assert_int_equal(wf_classes_record_text(WF_SAT_USER, 1, NULL, 0, "x"), 0);
    assert_int_equal(read_events(), most + !err);
}

// ---- ring and linear ----

static void fill(unsigned n) {
    for (unsigned i = 0; i < n; ++i) user(3, i);
}

static void the_mode_changes_with_the_next_start(void **state) {
    (void)state;
    begin(false, NULL);
    all(true);
    assert_int_equal(wf_classes_held(), 0);
    wf_classes_start(false);
    fill(20 * SLOTS);
    assert_true(wf_classes_held() <= SLOTS && wf_classes_held() > SLOTS - WF_CFG_CHUNK);
    wf_classes_keep_oldest(true);
    assert_int_equal(user(3, 0), 0); // not yet
    wf_classes_stop();
    wf_classes_start(false);
    int err = 0;
    unsigned fit = 0;
    while (!(err = user(4, fit)) && fit < SLOTS) ++fit;
    assert_int_equal(err, WF_CLASSES_REFUSED);
    assert_true(fit <= WF_CFG_CHUNK);
    const uint32_t words[] = {1, 2, 3};
    assert_int_equal(wf_classes_record(WF_SAT_USER, 3, words, 3, 0), WF_CLASSES_REFUSED);
    struct wf_slots_status status;
    wf_slots_get_status(0, &status);
    assert_int_equal(status.refused, 2);
    drain();
    assert_int_equal(wf_classes_held(), 0);
    assert_int_equal(user(3, 1), 0);
    assert_true(wf_classes_held() >= 1);
    wf_classes_stop();
    wf_classes_keep_oldest(false);
    wf_classes_start(false);
    fill(10 * SLOTS);
    wf_slots_get_status(0, &status);
    assert_int_equal(status.refused, 2);
}

static void linear_from_the_beginning_keeps_all_that_fits(void **state) {
    (void)state;
    begin(false, NULL);
    all(true);
    wf_classes_keep_oldest(true);
    wf_classes_start(false);
    unsigned fit = 0;
    while (!user(4, fit)) ++fit;
    assert_int_equal(fit, (SLOTS / WF_CFG_CHUNK) * (WF_CFG_CHUNK - 4));
    assert_int_equal(wf_classes_held(), SLOTS);
    assert_int_equal(read_events(), fit);
    for (unsigned i = 0; i < fit; ++i) assert_int_equal(events[i].word[0], i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_every_class_comes_out_under_its_number),
        cmocka_unit_test(variants_of_64_bits_have_the_switch_of_their_event),
        cmocka_unit_test(switches_are_as_they_were_last_set),
        cmocka_unit_test(numbers_that_are_none_are_told),
        cmocka_unit_test(forms_are_chosen_for_each_event),
        cmocka_unit_test(a_filter_lets_its_process_and_thread_pass),
        cmocka_unit_test(only_classes_that_have_a_thread_can_be_filtered),
        cmocka_unit_test(filters_and_handlers_are_bounded),
        cmocka_unit_test(handlers_see_an_event_before_it_is_kept),
        cmocka_unit_test(handlers_are_bounded),
        cmocka_unit_test(start_reports_what_there_is_first),
        cmocka_unit_test(texts_end_at_127_bytes),
        cmocka_unit_test(the_mode_changes_with_the_next_start),
        cmocka_unit_test(linear_from_the_beginning_keeps_all_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
