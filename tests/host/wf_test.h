// SPDX-License-Identifier: MIT
// Shared by the host's tests: cmocka, an independent frame encoder (docs/wire-format.md), and
// input that ends at an unreadable page.
#ifndef WF_TEST_H
#define WF_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "wallfly_host/wf_writer.h"

struct stream {
    uint8_t bytes[1 << 17];
    size_t len;
    uint8_t seq; // of the last frame
};

static inline void put_raw(struct stream *s, uint8_t byte) { s->bytes[s->len++] = byte; }

static inline void put_byte(struct stream *s, uint8_t byte) {
    if (byte == 0x7D || byte == 0x7E) {
        put_raw(s, 0x7D);
        byte ^= 0x20;
    }
    put_raw(s, byte);
}

static inline void put_frame_seq(struct stream *s, uint8_t seq, uint8_t id, const void *payload,
                                 size_t len) {
    const uint8_t *p = payload;
    uint8_t sum = (uint8_t)(seq + id);
    s->seq = seq;
    put_byte(s, seq);
    put_byte(s, id);
    for (size_t i = 0; i < len; ++i) {
        put_byte(s, p[i]);
        sum = (uint8_t)(sum + p[i]);
    }
    put_byte(s, (uint8_t)~sum);
    put_raw(s, 0x7E);
}

static inline void put_frame(struct stream *s, uint8_t id, const void *payload, size_t len) {
    put_frame_seq(s, (uint8_t)(s->seq + 1), id, payload, len);
}

// An object dictionary entry: sizes and names can be checked with it.
static inline void put_name(struct stream *s, uint32_t obj, const char *name) {
    uint8_t p[256];
    for (int i = 0; i < 4; ++i) p[i] = (uint8_t)(obj >> 8 * i);
    size_t len = strlen(name) + 1;
    memcpy(p + 4, name, len);
    put_frame(s, 61, p, 4 + len);
}

// A copy of the bytes that ends at the end of a page; the next page is unreadable.
struct guarded {
    uint8_t *map, *bytes;
    size_t size;
};

static inline struct guarded guard(const uint8_t *bytes, size_t len) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (len + page - 1) / page * page;
    struct guarded g = {.size = room + page};
    g.map = mmap(NULL, g.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.map != MAP_FAILED);
    assert_int_equal(mprotect(g.map + room, page, PROT_NONE), 0);
    g.bytes = g.map + room - len;
    if (len) memcpy(g.bytes, bytes, len);
    return g;
}

static inline void unguard(struct guarded *g) { munmap(g->map, g->size); }

struct text {
    char *bytes;
    size_t len;
};

static inline bool keep_text(void *ctx, const char *bytes, size_t len) {
    struct text *t = ctx;
    t->bytes = realloc(t->bytes, t->len + len + 1);
    memcpy(t->bytes + t->len, bytes, len);
    t->len += len;
    t->bytes[t->len] = 0;
    return true;
}

// The stream in a format, read with these options. The caller frees it.
static inline char *convert_read(const struct stream *s, const char *format,
                                 const struct wf_writer_options *wo,
                                 const struct wf_session_options *read, size_t piece) {
    const struct wf_format *f = wf_format_find(format);
    struct wf_session_options options = *read;
    options.size = sizeof options;
    options.dialect = f->dialect;
    options.info8 = f->info8;
    options.all_names = f->all_names;
    struct text text = {NULL, 0};
    struct wf_item item;
    struct wf_session *session = wf_session_open(&options, NULL);
    struct wf_writer *w = wf_writer_open(f, session, wo, keep_text, &text, NULL);
    assert_non_null(w);
    for (size_t at = 0; at < s->len; at += piece) {
        wf_session_feed(session, s->bytes + at, s->len - at < piece ? s->len - at : piece);
        while (wf_session_next(session, &item)) wf_writer_item(w, &item);
    }
    wf_session_end(session);
    while (wf_session_next(session, &item)) wf_writer_item(w, &item);
    assert_int_equal(wf_writer_close(w), WF_OK);
    wf_session_close(session);
    return text.bytes ? text.bytes : calloc(1, 1);
}

// The stream in a format, fed in pieces of `piece` bytes. The caller frees it.
static inline char *convert(const struct stream *s, const char *format,
                            const struct wf_writer_options *wo, uint16_t version, size_t piece) {
    struct wf_session_options read = {.size = sizeof read, .version = version};
    return convert_read(s, format, wo, &read, piece);
}

// The same with sizes (by enum wf_type, 0: default) until the target reports its own.
static inline char *convert_sized(const struct stream *s, const char *format,
                                  const uint8_t bytes[WF_TYPE_END]) {
    struct wf_session_options read = {.size = sizeof read};
    memcpy(read.bytes, bytes, sizeof read.bytes);
    return convert_read(s, format, NULL, &read, 4096);
}

static inline void expect_text(const struct stream *s, const char *format, const char *want) {
    for (size_t piece = 1; piece < 100000; piece = piece * 7 + 3) {
        char *got = convert(s, format, NULL, 0, piece);
        assert_string_equal(got, want);
        free(got);
    }
}

#endif
