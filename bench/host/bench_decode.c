// SPDX-License-Identifier: MIT
// Measures how fast a recorded stream is decoded, without output and to text, compared with memcpy
// of the same bytes in the same run. Usage: bench_decode [--once | --search=TEXT] FILE [PREFIX].
// Each figure is the best of five. --once: decodes once, without output, and prints the number of
// records. --search: the same, and tests each record for the text. PREFIX: of the figures' names.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "wallfly_host/wf_matcher.h"
#include "wallfly_host/wf_writer.h"

enum { BLOCK = 65536, RUNS = 5 };

static uint8_t *data;
static size_t size;

static uint64_t lines, text_bytes;

static bool count_text(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    text_bytes += len;
    for (const char *p = bytes; (p = memchr(p, '\n', len - (size_t)(p - bytes))) != NULL; ++p)
        ++lines;
    return true;
}

static bool drop_text(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    (void)bytes;
    text_bytes += len;
    return true;
}

// One pass; format null: no output. Returns the number of records.
static uint64_t pass(const char *format, wf_write_fn write, double *seconds) {
    const struct wf_format *f = format ? wf_format_find(format) : NULL;
    struct wf_session_options options = {.size = sizeof options,
                                         .dialect = f ? f->dialect : WF_DIALECT_WALLFLY};
    struct wf_writer_options wo = {.size = sizeof wo};
    struct wf_session *s = wf_session_open(&options, NULL);
    struct wf_writer *w = f ? wf_writer_open(f, s, &wo, write, NULL, NULL) : NULL;
    struct wf_item item;
    double start = now();
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) {
            if (w) wf_writer_item(w, &item);
        }
    }
    if (w) wf_writer_flush(w);
    *seconds = now() - start;
    uint64_t records = wf_session_ledger(s)->records;
    if (w) wf_writer_close(w);
    wf_session_close(s);
    return records;
}

// One pass that tests each record for a text. Returns the number of records.
static uint64_t search(const char *text) {
    const struct wf_match_term term = {.text = text};
    const struct wf_matcher_options o = {.size = sizeof o, .terms = &term, .count = 1};
    struct wf_matcher *m = wf_matcher_open(&o, NULL);
    struct wf_session *s = wf_session_open(NULL, NULL);
    struct wf_item item;
    if (!m || !s) return 0;
    wf_matcher_use(m, s);
    for (size_t at = 0; at < size; at += BLOCK) {
        wf_session_feed(s, data + at, size - at < BLOCK ? size - at : BLOCK);
        while (wf_session_next(s, &item)) lines += wf_matcher_item(m, &item);
    }
    uint64_t records = wf_session_ledger(s)->records;
    wf_matcher_close(m);
    wf_session_close(s);
    return records;
}

static double best(const char *format, uint64_t *records) {
    double least = 1e9, seconds;
    for (int i = 0; i < RUNS; ++i) {
        *records = pass(format, drop_text, &seconds);
        if (seconds < least) least = seconds;
    }
    return least;
}

int main(int argc, char **argv) {
    const char *text = argc > 1 && strncmp(argv[1], "--search=", 9) == 0 ? argv[1] + 9 : NULL;
    const bool once = text || (argc > 1 && strcmp(argv[1], "--once") == 0);
    argc -= once;
    argv += once;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    const char *const prefix = argc > 2 ? argv[2] : "";
    if (!f) {
        fprintf(stderr, "usage: bench_decode [--once | --search=TEXT] FILE [PREFIX]\n");
        return 2;
    }
    fseek(f, 0, SEEK_END);
    size = (size_t)ftell(f);
    rewind(f);
    data = malloc(size);
    if (!data || fread(data, 1, size, f) != size) return 3;
    fclose(f);
    uint64_t records;
    double seconds;
    if (once) {
        records = text ? search(text) : pass(NULL, drop_text, &seconds);
        printf("%llu\n", (unsigned long long)records);
        return 0;
    }
    double copy = copy_best(data, size);
    pass("qspy", count_text, &seconds);
    uint64_t qspy_lines = lines;
    lines = 0;
    pass("text", count_text, &seconds);
    uint64_t own_lines = lines;
    double decode = best(NULL, &records);
    printf("host-%sdecode,%.1f M records/s,%.0f MB/s,%.3f of memcpy\n", prefix,
           (double)records / decode / 1e6, (double)size / decode / 1e6, copy / decode);
    double qspy = best("qspy", &records);
    printf("host-%stext-qspy,%.1f M lines/s,%.0f MB/s,%.3f of memcpy\n", prefix,
           (double)qspy_lines / qspy / 1e6, (double)size / qspy / 1e6, copy / qspy);
    double own = best("text", &records);
    printf("host-%stext,%.1f M lines/s,%.0f MB/s,%.3f of memcpy\n", prefix,
           (double)own_lines / own / 1e6, (double)size / own / 1e6, copy / own);
    return 0;
}
