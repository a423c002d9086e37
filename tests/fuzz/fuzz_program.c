// SPDX-License-Identifier: MIT
// Program files: ELF, maps, listings. All their names are looked up, at and inside of their
// addresses, and a session uses them.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OBJ_DICT = 61, NAMES_MAX = 64 };

struct asked {
    struct wf_program *p;
    struct wf_session *s;
    enum wf_program_what what;
    unsigned count;
};

static void ask(void *ctx, const char *name) {
    struct asked *a = ctx;
    char text[WF_PROGRAM_NAME];
    uint64_t address;
    const char *at;
    size_t len;
    if (++a->count > NAMES_MAX || !wf_program_find(a->p, a->what, name, &address)) return;
    for (unsigned i = 0; i < 20; i += i < 4 ? 1 : 5) {
        if (wf_program_name(a->p, a->what, address + i, text) != strlen(text)) abort();
        if (wf_program_text(a->p, address + i, &at, &len) && strlen(at) != len) abort();
        const char *known = wf_session_name(
            a->s, a->what == WF_PROGRAM_OBJECT ? WF_EFFECT_NAME_OBJECT : WF_EFFECT_NAME_FUNCTION,
            address + i, 0);
        if (known && wf_program_fit(a->s, NULL) == WF_PROGRAM_UNPLACED) abort();
    }
    uint8_t payload[80] = {0};
    for (unsigned i = 0; i < 4; ++i) payload[i] = (uint8_t)(address >> 8 * i);
    len = strlen(name) < 60 ? strlen(name) : 60;
    memcpy(payload + 4, name, len);
    wf_session_learn(a->s, OBJ_DICT, payload, 4 + len + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[WF_PROGRAM_NAME];
    struct wf_session_options options = {.size = sizeof options, .dialect = WF_DIALECT_WALLFLY};
    struct wf_error error;
    struct wf_program *p = wf_program_open(data, size, &error);
    if (!p) {
        if (error.code == WF_OK || !error.text[0]) abort();
        return 0;
    }
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!s) abort();
    struct asked a = {p, s, WF_PROGRAM_OBJECT, 0};
    wf_session_use_program(s, p, NULL);
    wf_program_each(p, WF_PROGRAM_OBJECT, ask, &a);
    a.what = WF_PROGRAM_FUNCTION;
    a.count = 0;
    wf_program_each(p, WF_PROGRAM_FUNCTION, ask, &a);
    for (uint64_t address = 1; address; address <<= 1) {
        wf_program_name(p, WF_PROGRAM_OBJECT, address, text);
        wf_program_name(p, WF_PROGRAM_FUNCTION, address, text);
    }
    wf_session_close(s);
    wf_program_close(p);
    return 0;
}
