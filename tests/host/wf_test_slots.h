// SPDX-License-Identifier: MIT
// Shared by the tests of slots: slots made by hand, and the reader's items as text.
#ifndef WF_TEST_SLOTS_H
#define WF_TEST_SLOTS_H

#include <inttypes.h>
#include <stdarg.h>

#include "wf_test.h"
#include "wallfly_host/wf_slots.h"

#ifndef WF_TEST_TRACE_MAX
#define WF_TEST_TRACE_MAX (1 << 20)
#endif

struct trace {
    uint8_t bytes[WF_TEST_TRACE_MAX];
    size_t len;
    bool big;
};

static inline void put_text(struct trace *t, const char *text) {
    memcpy(t->bytes + t->len, text, strlen(text));
    t->len += strlen(text);
}

static inline void put_word(struct trace *t, uint32_t v) {
    for (int i = 0; i < 4; ++i) t->bytes[t->len++] = (uint8_t)(v >> (t->big ? 24 - 8 * i : 8 * i));
}

static inline void put_slot(struct trace *t, uint32_t head, uint32_t time, uint32_t a, uint32_t b) {
    put_word(t, head);
    put_word(t, time);
    put_word(t, a);
    put_word(t, b);
}

// Heads, from the layout of the reference: structure 30, core 24, class 10.
#define HEAD(core, cls, event) ((uint32_t)(core) << 24 | (uint32_t)(cls) << 10 | (uint32_t)(event))
#define FIRST(head)            (UINT32_C(1) << 30 | (head))
#define MIDDLE(head)           (UINT32_C(2) << 30 | (head))
#define LAST(head)             (UINT32_C(3) << 30 | (head))

static inline void put_time(struct trace *t, unsigned core, uint64_t tick) {
    put_slot(t, HEAD(core, 1, 1), (uint32_t)tick, (uint32_t)(tick >> 32), (uint32_t)tick);
}
static inline void put_buffer(struct trace *t, unsigned core, uint32_t time, uint32_t number) {
    put_slot(t, HEAD(core, 1, 2), time, number, 64);
}
static inline void put_own(struct trace *t, unsigned core, unsigned event, uint32_t time,
                           uint64_t value) {
    put_slot(t, HEAD(core, 25, event), time, (uint32_t)value, (uint32_t)(value >> 32));
}

#define QNX_HEADER(order, cpus, extra)                                                             \
    "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::a.kevTRACE_DATE::Wed Jun 24 10:52:58 2009"               \
    "TRACE_VER_MAJOR::1TRACE_VER_MINOR::01TRACE_" order "_ENDIAN::TRUE"                            \
    "TRACE_ENCODING::16 byte eventsTRACE_BOOT_DATE::Tue Jun 23 11:47:46 2009"                      \
    "TRACE_CYCLES_PER_SEC::736629000TRACE_CPU_NUM::" cpus                                          \
    "TRACE_SYSNAME::QNXTRACE_NODENAME::localhostTRACE_SYS_RELEASE::6.4.1"                          \
    "TRACE_SYS_VERSION::2009/05/20-17:35:56EDTTRACE_MACHINE::x86pc" extra "TRACE_HEADER_END::"
#define OWN_HEADER(cpus)                                                                           \
    "TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CYCLES_PER_SEC::1000000000TRACE_CPU_"      \
    "NUM::" cpus "TRACE_WALLFLY::T8O8F8TRACE_HEADER_END::"

__attribute__((format(printf, 2, 3))) static inline void say(struct text *t, const char *format,
                                                             ...) {
    char line[512];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    keep_text(t, line, (size_t)n);
}

static inline void say_item(struct text *t, const struct wf_slots_item *i) {
    static const char *const kinds[] = {"no-first", "no-last", "too-long", "bad-core",
                                        "no-slot",  "cut",     "header"};
    const struct wf_slot_event *e = &i->event;
    const struct wf_slots_loss *l = &i->loss;
    switch (i->kind) {
    case WF_SLOTS_HEADER: say(t, "header\n"); break;
    case WF_SLOTS_EVENT:
        say(t, "%s%u %u/%u %" PRIx64, e->timed ? "c" : "untimed c", e->core, e->cls, e->event,
            e->tick);
        for (unsigned n = 0; n < e->count && n < 8; ++n) say(t, " %" PRIx32, e->words[n]);
        if (e->count > 8) say(t, " +%u", e->count - 8);
        if (e->len != 4 * e->count) say(t, " (%u)", e->len);
        say(t, "\n");
        break;
    case WF_SLOTS_LOSS:
        say(t, "loss c%u", l->core);
        if (l->events) say(t, " %s%" PRIu64, l->exact ? "" : ">=", l->events);
        if (l->slots) say(t, " slots %" PRIu64, l->slots);
        if (l->refused) say(t, " refused %" PRIu64, l->refused);
        if (l->chunks) say(t, " chunks %" PRIu64, l->chunks);
        say(t, "\n");
        break;
    case WF_SLOTS_DAMAGE:
        say(t, "%s %" PRIu64 "+%" PRIu64, kinds[i->damage.kind], i->damage.offset, i->damage.len);
        if (i->damage.kind == WF_SLOTS_BAD_HEADER) say(t, " %s", i->damage.why);
        assert_true(i->damage.why[0]);
        say(t, "\n");
        break;
    }
}

// The reader's items as text, fed in pieces; each piece is in memory of its own that ends there.
static inline struct text read_trace(const struct trace *t, const struct wf_slots_options *o,
                                     size_t piece, struct wf_slots_ledger *ledger) {
    struct text text = {calloc(1, 1), 0};
    struct wf_slots_item item;
    struct wf_slots *s = wf_slots_open(o, NULL);
    for (size_t at = 0; at < t->len; at += piece) {
        size_t n = t->len - at < piece ? t->len - at : piece;
        uint8_t *copy = malloc(n);
        memcpy(copy, t->bytes + at, n);
        wf_slots_feed(s, copy, n);
        while (wf_slots_next(s, &item)) say_item(&text, &item);
        free(copy);
    }
    wf_slots_feed(s, NULL, 0);
    wf_slots_end(s);
    while (wf_slots_next(s, &item)) say_item(&text, &item);
    assert_int_equal(wf_slots_error(s), WF_OK);
    if (ledger) *ledger = *wf_slots_get_ledger(s);
    wf_slots_close(s);
    return text;
}

static inline struct wf_slots_ledger expect(const struct trace *t, const struct wf_slots_options *o,
                                            const char *want) {
    static const size_t pieces[] = {1, 7, 16, 100, 1 << 20};
    struct wf_slots_ledger ledger;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
        struct text got = read_trace(t, o, pieces[i], &ledger);
        assert_string_equal(got.bytes, want);
        free(got.bytes);
        assert_int_equal(ledger.bytes, t->len);
    }
    return ledger;
}

#endif
