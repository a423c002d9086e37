// SPDX-License-Identifier: MIT
// Shared by the tests of commands: a session whose target has told its version, sizes and a few
// names, and commands made from text.
#ifndef WF_TEST_COMMAND_H
#define WF_TEST_COMMAND_H

#include "wf_test.h"

#include "wallfly_host/wf_command.h"

static struct stream s;
static struct wf_session *session;
static struct wf_commander *commander;
static struct wf_request request;

static inline void feed(void) {
    struct wf_item item;
    wf_session_feed(session, s.bytes, s.len);
    while (wf_session_next(session, &item)) {
    }
    s.len = 0;
}

static inline void put_info(uint16_t version, uint8_t reset) {
    uint8_t p[16] = {reset,
                     (uint8_t)version,
                     (uint8_t)(version >> 8),
                     0x22,
                     0x41,
                     0x22,
                     0x44,
                     4,
                     16,
                     0x11,
                     1,
                     2,
                     3,
                     4,
                     5,
                     26};
    put_frame(&s, 64, p, sizeof p);
}

static inline void put_signal(uint16_t sig, uint32_t obj, const char *name) {
    uint8_t p[64] = {(uint8_t)sig, (uint8_t)(sig >> 8)};
    for (int i = 0; i < 4; ++i) p[2 + i] = (uint8_t)(obj >> 8 * i);
    memcpy(p + 6, name, strlen(name) + 1);
    put_frame(&s, 60, p, 7 + strlen(name));
}

static inline void put_small(uint8_t id, uint8_t a, int b, const char *name) {
    uint8_t p[64] = {a, (uint8_t)b};
    unsigned n = b < 0 ? 1 : 2;
    memcpy(p + n, name, strlen(name) + 1);
    put_frame(&s, id, p, n + 1 + strlen(name));
}

static inline void open_version(uint16_t version) {
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    memset(&s, 0, sizeof s);
    session = wf_session_open(&options, NULL);
    commander = wf_commander_open(session);
    if (!version) return;
    put_info(version, 1);
    put_name(&s, 0x1000, "table");
    put_name(&s, 0x2000, "philo[0]");
    put_name(&s, 0x2040, "philo[1]");
    put_frame(&s, 62, "\x40\x30\0\0on_eating", 14);
    put_signal(5, 0, "EAT_SIG");
    put_signal(6, 0x1000, "OWN_SIG");
    put_signal(7, 0x2000, "OWN_SIG");
    put_signal(8, 0x2000, "ONE_SIG");
    put_small(63, 100, -1, "PHILO_STAT");
    put_small(63, 3, -1, "OLD_CMD");
    put_small(54, 1, 7, "CMD_PAUSE");
    feed();
}

static inline void close_all(void) {
    wf_commander_close(commander);
    wf_session_close(session);
}

static inline enum wf_made make(const char *line) {
    static struct wf_words w;
    assert_true(wf_words_next(&line, &w));
    assert_false(wf_words_next(&line, &(struct wf_words){.count = 0}));
    return wf_command_make(commander, w.word, w.count, &request);
}

static inline void sends(const char *line) {
    if (make(line) != WF_MADE) fail_msg("%s: %s", line, request.problem);
    for (unsigned f = 0; f < request.count; ++f) wf_command_sent(commander, &request.frame[f]);
}

#endif
