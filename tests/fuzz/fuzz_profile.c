// SPDX-License-Identifier: MIT
// Profiles with any contents, and conditions on comparisons. The first byte: 0, the rest is the
// contents of a profile, of which a profile is made here; 1, the rest is a profile; else a
// condition. A profile that is read must be written and read again the same, joined with itself and
// compared.

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "wallfly_host/wf_diff.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good) {
    if (!good) abort();
}

static void check_condition(const struct wf_diff *d, const char *text) {
    struct wf_diff_condition c;
    struct wf_error error;
    struct wf_diff_figure f;
    enum wf_diff_answer answer;
    int err = wf_diff_condition_parse(text, &c, &error);
    require(err == WF_OK || (err == WF_ERR_USAGE && error.text[0]));
    require(!strchr(error.text, 0x1B));
    if (err != WF_OK || !d) return;
    for (size_t at = 0; wf_diff_condition_next(d, &c, &at, &f, &answer);)
        require(answer == WF_DIFF_FAILS || answer == WF_DIFF_CANNOT_TELL);
}

static void check_diff(const struct wf_profile *a, const struct wf_profile *b) {
    struct wf_diff_figure f;
    struct wf_diff_about about;
    struct wf_error error;
    size_t count = 0;
    struct wf_diff *d = wf_diff_open(a, b, NULL, &error);
    require(d || error.code == WF_ERR_USAGE);
    if (!d) return;
    for (size_t at = 0; wf_diff_next(d, &at, &f); ++count) {
        for (unsigned m = 0; m < WF_DIFF_MEASURES; ++m)
            require(!f.measures[m].known || (f.measures[m].p >= 0 && f.measures[m].p <= 1));
    }
    wf_diff_report(d, &about);
    require(about.figures == count);
    check_condition(d, "response p99 +10 %");
    check_condition(d, "cpu[*] -1 pp");
    wf_diff_close(d);
}

static void check_join(const struct wf_profile *p) {
    struct wf_profile *twice = wf_profile_open(NULL);
    struct wf_error error;
    require(twice && wf_profile_join(twice, p, &error) == WF_OK);
    int err = wf_profile_join(twice, p, &error);
    require(err == WF_OK || err == WF_ERR_TOO_MANY);
    if (err == WF_OK) check_diff(p, twice);
    wf_profile_close(twice);
}

static void check_profile(const uint8_t *bytes, size_t len) {
    struct wf_error error;
    struct wf_stats_row row;
    unsigned lane;
    struct wf_profile *p = wf_profile_read(bytes, len, &error);
    require(p || (error.code == WF_ERR_BAD_PROFILE && error.text[0]));
    if (!p) return;
    for (uint64_t at = 0; wf_profile_next(p, &at, &lane, &row);)
        require(row.count <= WF_FIGURES_MAX);
    size_t size, again;
    uint8_t *written = wf_profile_write(p, &size, NULL);
    struct wf_profile *q = wf_profile_read(written, size, NULL);
    require(q != NULL);
    uint8_t *same = wf_profile_write(q, &again, NULL);
    require(size == again && memcmp(written, same, size) == 0);
    check_diff(p, q);
    check_join(p);
    free(written);
    free(same);
    wf_profile_close(p);
    wf_profile_close(q);
}

static void check_contents(const uint8_t *contents, size_t size) {
    size_t cap = ZSTD_compressBound(size);
    uint8_t *bytes = calloc(1, 12 + cap);
    require(bytes != NULL);
    memcpy(bytes, "wfstats\1", 8);
    for (unsigned i = 0; i < 4; ++i) bytes[8 + i] = (uint8_t)(size >> 8 * i);
    size_t len = ZSTD_compress(bytes + 12, cap, contents, size, 1);
    require(!ZSTD_isError(len));
    check_profile(bytes, 12 + len);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    if (data[0] == 0) {
        check_contents(data + 1, size - 1);
    } else if (data[0] == 1) {
        check_profile(data + 1, size - 1);
    } else {
        char *text = calloc(1, size + 1);
        require(text != NULL);
        memcpy(text, data, size);
        check_condition(NULL, text);
        free(text);
    }
    return 0;
}
