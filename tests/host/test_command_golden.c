// SPDX-License-Identifier: MIT
// Text commands against the frames that a real host sent to real targets (tests/data/commands: ">
// text" or "! text that is refused here", "H> the frame that was sent", "T< the target's answer").

#include "wf_test.h"

#include "wallfly_host/wf_command.h"

struct played {
    struct wf_session *session;
    struct wf_commander *commander;
    struct wf_request request;
    struct wf_answer answer;
    bool asked;
    unsigned made, refused_here, good, refused, silent;
    const char *file;
    unsigned line;
};

static size_t from_hex(const char *text, uint8_t *bytes) {
    size_t n = 0;
    unsigned byte;
    for (; sscanf(text, "%2x", &byte) == 1; text += 2) bytes[n++] = (uint8_t)byte;
    return n;
}

static void settle(struct played *p) {
    if (!p->asked) return;
    p->asked = false;
    p->good += p->answer.state == WF_ANSWER_GOOD;
    p->refused += p->answer.state == WF_ANSWER_REFUSED;
    p->silent += p->answer.state == WF_ANSWER_WAITING;
}

static void from_target(struct played *p, const uint8_t *bytes, size_t len) {
    struct wf_item item;
    unsigned resets = wf_session_target(p->session)->resets;
    wf_session_feed(p->session, bytes, len);
    while (wf_session_next(p->session, &item)) {
        if (p->asked) wf_answer_take(&p->answer, p->session, &item);
    }
    if (wf_session_target(p->session)->resets != resets) wf_command_reset(p->commander, false);
}

static void words(struct played *p, const char *line, bool good) {
    struct wf_words w;
    settle(p);
    assert_true(wf_words_next(&line, &w));
    enum wf_made made = wf_command_make(p->commander, w.word, w.count, &p->request);
    if (made != (good ? WF_MADE : WF_MADE_WRONG))
        fail_msg("%s:%u: %d %s", p->file, p->line, made, p->request.problem);
    if (!good) {
        assert_int_equal(p->request.count, 0);
        assert_true(*p->request.problem);
        ++p->refused_here;
        return;
    }
    assert_int_equal(p->request.count, 1);
}

// The frame equals the recorded one, except for records that cannot be switched off: the real
// clients clear their bits and the target sets them.
static void sent(struct played *p, const uint8_t *bytes, size_t len) {
    static struct stream s;
    struct wf_frame *f = &p->request.frame[0];
    settle(p);
    if (!p->request.count) return;
    s.len = 0;
    uint8_t original[2100];
    memcpy(original, bytes, len);
    if (f->record == WF_COMMAND_GLB_FILTER && original[3] != 0xFF) {
        struct wf_frame unescaped = *f;
        size_t n = 0, to = 0;
        for (; n < len && original[n] != 0x7E; ++n) {
            if (original[n] == 0x7D) original[++n] ^= 0x20;
            if (to > 1 && to < 2 + f->len) unescaped.payload[to - 2] = original[n];
            ++to;
        }
        unescaped.payload[1] |= 0x01, unescaped.payload[7] |= 0x40;
        unescaped.payload[8] |= 0xFC, unescaped.payload[9] |= 0x7F;
        assert_memory_equal(unescaped.payload, f->payload, f->len);
    } else if (f->record == WF_COMMAND_GLB_FILTER) {
        // It also sets bits without a record; the target ignores them.
        assert_int_equal(f->payload[16], 0x1F);
        for (unsigned i = 1; i < 16; ++i) assert_int_equal(f->payload[i], 0xFF);
    } else {
        put_frame_seq(&s, original[0], f->record, f->payload, f->len);
        if (s.len != len || memcmp(s.bytes, bytes, len) != 0)
            fail_msg("%s:%u: other bytes than those that were sent", p->file, p->line);
    }
    wf_command_sent(p->commander, f);
    wf_answer_begin(&p->answer, p->session, p->request.row, f);
    p->asked = true;
    ++p->made;
    p->request.count = 0;
}

static struct played play(const char *name) {
    static char line[16384];
    static uint8_t bytes[8192];
    char path[512];
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct played p = {.file = name};
    snprintf(path, sizeof path, "%s/commands/%s.txt", WF_TEST_DATA, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    p.session = wf_session_open(&options, NULL);
    p.commander = wf_commander_open(p.session);
    while (fgets(line, sizeof line, f)) {
        ++p.line;
        if (line[0] == '>' || line[0] == '!') words(&p, line + 2, line[0] == '>');
        if (line[0] == 'H') sent(&p, bytes, from_hex(line + 3, bytes));
        if (line[0] == 'T') from_target(&p, bytes, from_hex(line + 3, bytes));
    }
    settle(&p);
    fclose(f);
    wf_commander_close(p.commander);
    wf_session_close(p.session);
    return p;
}

static void expect(const char *name, unsigned made, unsigned refused_here, unsigned good,
                   unsigned refused, unsigned silent) {
    struct played p = play(name);
    if (p.made != made || p.refused_here != refused_here || p.good != good ||
        p.refused != refused || p.silent != silent)
        fail_msg("%s: %u %u %u %u %u", name, p.made, p.refused_here, p.good, p.refused, p.silent);
}

// The target refuses commands without a current object, with too large values or invalid addresses.
static void commands_sent_by_hand(void **state) {
    (void)state;
    expect("rx-7.4-a", 72, 11, 58, 13, 1); // the last is an assertion
}

static void commands_of_a_front_end(void **state) {
    (void)state;
    expect("fe-channels1", 37, 5, 35, 2, 0);
}

static void commands_of_test_scripts(void **state) {
    (void)state;
    expect("qut-own1-7.4", 31, 0, 31, 0, 0);
    expect("qut-own2-7.2", 33, 0, 32, 1, 0);
    expect("qut-ex-blinky", 25, 0, 25, 0, 0);
    expect("qut-ex-philo", 19, 0, 19, 0, 0);
    expect("qut-ex-qhsm", 46, 0, 46, 0, 0);
    expect("qut-ex-self-peek-poke", 35, 0, 35, 0, 0);
    expect("qut-ex-self-command", 4, 0, 4, 0, 0);
    expect("qut-ex-self-last-rec", 4, 0, 4, 0, 0);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_sent_by_hand),
        cmocka_unit_test(commands_of_a_front_end),
        cmocka_unit_test(commands_of_test_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
