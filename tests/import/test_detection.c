// SPDX-License-Identifier: MIT
// Detection by content: each capture of another tracer has its format, whatever number of first
// bytes is known; and no importer takes our own streams, texts or noise.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wfi_import.h"
#include "wallfly_host/wf_trace.h"

enum { MOST = 1 << 16 };

static const struct {
    const struct wfi_import_format *format;
    enum wf_lane_format lane;
} formats[] = {
#define X(name, lane) {&wfi_import_##name, WF_LANE_##lane},
    WFI_IMPORTS(X)
#undef X
};
enum { FORMATS = sizeof formats / sizeof *formats };

static uint8_t bytes[MOST];

// Fails if a format other than `lane` takes the first len bytes. Returns whether `lane` takes them.
static bool sniff_all(const char *name, size_t len, bool whole, enum wf_lane_format lane) {
    uint8_t *copy = malloc(len ? len : 1);
    bool found = false;
    memcpy(copy, bytes, len);
    for (unsigned i = 0; i < FORMATS && !found; ++i) {
        enum wfi_sniff sniff = formats[i].format->sniff(copy, len, whole);
        if (sniff != WFI_SNIFF_YES) continue;
        if (formats[i].lane != lane)
            fail_msg("%s: %zu bytes are taken for %s", name, len, formats[i].format->name);
        found = true;
    }
    free(copy);
    return found;
}

static size_t step_at(size_t len) { return len < 300 ? 1 : len / 7; }

static void check_prefixes(const char *name, size_t len, enum wf_lane_format lane) {
    for (size_t n = 0; n <= len; n += step_at(n)) {
        (void)sniff_all(name, n, false, lane);
        (void)sniff_all(name, n, true, lane);
    }
    assert_int_equal(sniff_all(name, len, true, lane), lane != WF_LANE_UNKNOWN);
}

static bool is_capture(const char *name) {
    static const char *const others[] = {".md", ".json", ".csv", ".txt"};
    size_t len = strlen(name);
    bool text_capture = strcmp(name, "trace.txt") == 0;
    for (unsigned i = 0; i < sizeof others / sizeof *others; ++i) {
        size_t n = strlen(others[i]);
        if (len > n && strcmp(name + len - n, others[i]) == 0 && !text_capture) return false;
    }
    return name[0] != '.';
}

static void captures_have_their_format(void **state) {
    unsigned count = 0;
    (void)state;
    for (enum wf_lane_format lane = WF_LANE_SYSTEMVIEW; lane < WF_LANE_END; ++lane) {
        char path[1024];
        snprintf(path, sizeof path, WF_TEST_DATA "/import/%s", wf_lane_format_name(lane));
        DIR *dir = opendir(path);
        for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
            char file[2048];
            snprintf(file, sizeof file, "%s/%s", path, e->d_name);
            FILE *f = is_capture(e->d_name) ? fopen(file, "rb") : NULL;
            size_t len = f ? fread(bytes, 1, MOST, f) : 0;
            if (f) fclose(f);
            if (!len) continue; // a folder
            check_prefixes(file, len, lane);
            ++count;
        }
        if (dir) closedir(dir);
    }
    assert_true(count >= 5);
}

// A frame of our own stream: sequence, number, payload, checksum, with escapes.
static size_t put_frame(uint8_t *to, uint8_t seq, unsigned seed) {
    uint8_t raw[40], sum = 0;
    size_t len = 0, n = 2 + seed % 20;
    raw[0] = seq;
    raw[1] = (uint8_t)(1 + seed % 120);
    for (size_t i = 2; i < n; ++i) raw[i] = (uint8_t)(seed * 31 >> i);
    for (size_t i = 0; i < n; ++i) sum = (uint8_t)(sum + raw[i]);
    raw[n++] = (uint8_t)~sum;
    for (size_t i = 0; i < n; ++i) {
        bool escape = raw[i] == 0x7E || raw[i] == 0x7D;
        if (escape) to[len++] = 0x7D;
        to[len++] = escape ? raw[i] ^ 0x20 : raw[i];
    }
    to[len++] = 0x7E;
    return len;
}

static void our_own_frames_are_not_taken(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 40; ++seed) {
        size_t len = 0;
        srand(seed);
        for (unsigned i = 0; i < 200; ++i)
            len += put_frame(bytes + len, (uint8_t)(seed + i), (unsigned)rand());
        check_prefixes("frames", len, WF_LANE_UNKNOWN);
    }
}

static void noise_and_texts_are_not_taken(void **state) {
    static const char *const texts[] = {"\n",
                                        "hello\nworld\n",
                                        ";\n",
                                        "; a comment\n[section]\nkey=1\n",
                                        "# a comment\n",
                                        "{}\n",
                                        "[]\n",
                                        "{\"a\":[1,2,3]}\n",
                                        "p 150 JR 330\np 400 AM 330 20e3\n",
                                        "TRACE_HEADER_BEGIN::\n",
                                        "time,source,value\n1,2,3\n",
                                        "0000018300 AO-Post  Sdr=00000000,Obj=table\n"};
    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
        memcpy(bytes, texts[i], strlen(texts[i]));
        check_prefixes(texts[i], strlen(texts[i]), WF_LANE_UNKNOWN);
    }
    for (unsigned seed = 1; seed < 60; ++seed) {
        srand(seed);
        for (size_t i = 0; i < 6000; ++i) bytes[i] = (uint8_t)(rand() >> 7);
        check_prefixes("noise", 6000, WF_LANE_UNKNOWN);
        memset(bytes, (int)seed - 1, 6000);
        check_prefixes("one byte", 6000, WF_LANE_UNKNOWN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_have_their_format),
        cmocka_unit_test(our_own_frames_are_not_taken),
        cmocka_unit_test(noise_and_texts_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
