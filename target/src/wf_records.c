// SPDX-License-Identifier: MIT
// One function for each predefined record, made from the schema: the fields behind the stamp are
// laid into a few words, which stay in registers if the CPU has enough; a text or block at the end
// stays where it is. A second function each is for callers that hold the critical section. With
// -ffunction-sections only those in use remain in the image.

#include "wfi_core.h"

#include "wallfly/wf_fields.h"

#if !WF_CFG_SLOTS

// clang-format off
// Storing one: into words, or into bytes.
#if WF_CFG_FAST
#define WFI_LAY(value, bytes)                                                                      \
    if (IN_WORDS) wfi_lay(frame, at, (value), (bytes));                                                \
    else wfi_put_le(body + at - FROM, (value), (bytes));                                       \
    at += (bytes);
#else
#define WFI_LAY(value, bytes) wfi_put_le(body + at, (value), (bytes)); at += (bytes);
#endif
// clang-format on

#if WF_CFG_FAST
// The body begins right behind the head where that saves a word, else at a word, which is faster.
#define WFI_N_WORDS(bytes) (((bytes) + WFI_WORD - 1) / WFI_WORD)
#define WFI_BODY                                                                                   \
    enum { HEAD = TIMED ? WFI_HEAD_MAX : 2, APART = WFI_N_WORDS(HEAD) + WFI_N_WORDS(LEN) };        \
    enum { FROM = WFI_N_WORDS(HEAD + LEN) < APART ? HEAD : WFI_N_WORDS(HEAD) * WFI_WORD };         \
    enum { WORDS = WFI_N_WORDS(FROM + LEN), IN_WORDS = !TAILS && WORDS <= 8 };                     \
    wfi_word frame[IN_WORDS ? WORDS : 1];                                                          \
    uint8_t body[IN_WORDS ? 1 : LEN + 1];                                                          \
    unsigned at = FROM;                                                                            \
    WFI_UNROLL                                                                                     \
    for (unsigned i = 0; IN_WORDS && i < WORDS; ++i) frame[i] = 0;
#define WFI_PUT                                                                                    \
    if (IN_WORDS)                                                                                  \
        wfi_put_made(what, frame, FROM, LEN);                                                      \
    else
#else
#define WFI_BODY                                                                                   \
    enum { HEAD = TIMED ? WFI_HEAD_MAX : 2 };                                                      \
    uint8_t frame[HEAD + LEN];                                                                     \
    uint8_t *const body = frame + HEAD;                                                            \
    unsigned at = 0;
#define WFI_PUT                                                                                    \
    if (!TAILS)                                                                                    \
        (what & WFI_HELD ? wfi_put_whole_held : wfi_put_whole)(what, frame, HEAD + LEN);           \
    else
#endif

#define WFI_LAY_CORE WFI_LAY(wf_port_core(), 1)
#define WFI_EMIT(function, HELD, id, layout, which)                                                \
    void function(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM))) {                                \
        enum { LEN = 0 WF_FIELDS_##layout(WFI_BYTES) };                                            \
        enum { TAILS = 0 WF_FIELDS_##layout(WFI_TAILS), WHICH = (which) };                         \
        enum { TIMED = 0 WF_FIELDS_##layout(WFI_STAMPS) };                                         \
        const unsigned what = (id) | (HELD) | (TIMED ? WFI_TIMED : 0u);                            \
        WFI_BODY                                                                                   \
        const void *tail = NULL;                                                                   \
        unsigned tail_len = 0;                                                                     \
        WF_FIELDS_##layout(WFI_STORE)(void) at;                                                    \
        (void)TAILS;                                                                               \
        WFI_PUT wfi_put(what, body, LEN, tail, tail_len);                                          \
    }
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_EMIT(wfi_emit_##name, 0, id, layout, WFI_WHICH_##host)                                     \
    WFI_EMIT(wfi_held_##name, WFI_HELD, id, layout, WFI_WHICH_##host)
WF_RECORDS(WFI_X)
#endif
