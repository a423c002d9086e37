// SPDX-License-Identifier: MIT
// One function for each predefined record, made from the schema. The fields after the stamp are put
// into a few words, which stay in registers if the CPU has enough; a text or block at the end is
// not copied. A second function for each record is for callers that hold the critical section. With
// -ffunction-sections only the functions in use remain in the image.

#include "wfi_core.h"

#include "wallfly/wf_fields.h"

#if !WF_CFG_SLOTS && !WF_CFG_PACKED // else: wf_packed_records.c

// clang-format off
// Stores a field: into words, or into bytes.
#if WF_CFG_FAST
#define WFI_LAY(value, bytes)                                                                      \
    if (WFI_F_IN_WORDS) wfi_lay(frame, at, (value), (bytes));                                      \
    else wfi_put_le(body + at - WFI_F_FROM, (value), (bytes));                                     \
    at += (bytes);
#else
#define WFI_LAY(value, bytes) wfi_put_le(body + at, (value), (bytes)); at += (bytes);
#endif
// clang-format on

#if WF_CFG_FAST
// The body begins directly after the head where that saves a word, else at a word, which is faster.
#define WFI_N_WORDS(bytes) (((bytes) + WFI_WORD - 1) / WFI_WORD)
#define WFI_BODY                                                                                   \
    enum {                                                                                         \
        WFI_F_HEAD = WFI_F_TIMED ? WFI_HEAD_MAX : 2,                                               \
        WFI_F_APART = WFI_N_WORDS(WFI_F_HEAD) + WFI_N_WORDS(WFI_F_LEN)                             \
    };                                                                                             \
    enum {                                                                                         \
        WFI_F_FROM = WFI_N_WORDS(WFI_F_HEAD + WFI_F_LEN) < WFI_F_APART                             \
                         ? WFI_F_HEAD                                                              \
                         : WFI_N_WORDS(WFI_F_HEAD) * WFI_WORD                                      \
    };                                                                                             \
    enum {                                                                                         \
        WFI_F_WORDS = WFI_N_WORDS(WFI_F_FROM + WFI_F_LEN),                                         \
        WFI_F_IN_WORDS = !WFI_F_TAILS && WFI_F_WORDS <= 8                                          \
    };                                                                                             \
    wfi_word frame[WFI_F_IN_WORDS ? WFI_F_WORDS : 1];                                              \
    uint8_t body[WFI_F_IN_WORDS ? 1 : WFI_F_LEN + 1];                                              \
    unsigned at = WFI_F_FROM;                                                                      \
    WFI_UNROLL                                                                                     \
    for (unsigned i = 0; WFI_F_IN_WORDS && i < WFI_F_WORDS; ++i) frame[i] = 0;
#define WFI_PUT                                                                                    \
    if (WFI_F_IN_WORDS)                                                                            \
        wfi_put_made(what, frame, WFI_F_FROM, WFI_F_LEN);                                          \
    else
#else
#define WFI_BODY                                                                                   \
    enum { WFI_F_HEAD = WFI_F_TIMED ? WFI_HEAD_MAX : 2 };                                          \
    uint8_t frame[WFI_F_HEAD + WFI_F_LEN];                                                         \
    uint8_t *const body = frame + WFI_F_HEAD;                                                      \
    unsigned at = 0;
#define WFI_PUT                                                                                    \
    if (!WFI_F_TAILS)                                                                              \
        (what & WFI_HELD ? wfi_put_whole_held : wfi_put_whole)(what, frame,                        \
                                                               WFI_F_HEAD + WFI_F_LEN);            \
    else
#endif

#define WFI_LAY_CORE WFI_LAY(wf_port_core(), 1)
#define WFI_EMIT(function, HELD, id, layout, which)                                                \
    void function(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM))) {                                \
        enum { WFI_F_LEN = 0 WF_FIELDS_##layout(WFI_BYTES) };                                      \
        enum { WFI_F_TAILS = 0 WF_FIELDS_##layout(WFI_TAILS), WFI_F_WHICH = (which) };             \
        enum { WFI_F_TIMED = 0 WF_FIELDS_##layout(WFI_STAMPS) };                                   \
        const unsigned what = (id) | (HELD) | (WFI_F_TIMED ? WFI_TIMED : 0u);                      \
        WFI_BODY                                                                                   \
        const void *tail = NULL;                                                                   \
        unsigned tail_len = 0;                                                                     \
        WF_FIELDS_##layout(WFI_STORE)(void) at;                                                    \
        (void)WFI_F_TAILS;                                                                         \
        WFI_PUT wfi_put(what, body, WFI_F_LEN, tail, tail_len);                                    \
    }
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_EMIT(wfi_emit_##name, 0, id, layout, WFI_WHICH_##host)                                     \
    WFI_EMIT(wfi_held_##name, WFI_HELD, id, layout, WFI_WHICH_##host)
WF_RECORDS(WFI_X)
#endif
