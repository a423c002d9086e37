// SPDX-License-Identifier: MIT
// One function for each predefined record, made from the schema: the fields behind the stamp are
// laid into a few words, which stay in registers if the CPU has enough; a text or block at the end
// stays where it is. A second function each is for callers that hold the critical section. With
// -ffunction-sections only those in use remain in the image.

#include "wfi_core.h"

// Bytes a field takes in the buffer, by its type.
#define WFI_N_TIME                  0
#define WFI_N_ELEMS                 0
#define WFI_N_STR                   0
#define WFI_N_ITEMS                 0
#define WFI_N_OBJ                   WF_CFG_OBJ_SIZE
#define WFI_N_FUN                   WF_CFG_FUN_SIZE
#define WFI_N_SIG                   WF_CFG_SIG_SIZE
#define WFI_N_EVS                   WF_CFG_EVT_SIZE
#define WFI_N_EQC                   WF_CFG_QUEUE_CTR_SIZE
#define WFI_N_MPC                   WF_CFG_POOL_CTR_SIZE
#define WFI_N_MPS                   WF_CFG_POOL_BLK_SIZE
#define WFI_N_TEC                   WF_CFG_TIMEEVT_CTR_SIZE
#define WFI_N_U8                    1
#define WFI_N_U16                   2
#define WFI_N_U32                   4
#define WFI_N_U64                   8
#define WFI_N_BUILD                 6
#define WFI_BYTES(name, type, kind) +WFI_N_##type

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
#define WFI_S_TIME(f)
#define WFI_S_ELEMS(f)
#define WFI_S_OBJ(f)   WFI_LAY((uintptr_t)f, WF_CFG_OBJ_SIZE)
#define WFI_S_FUN(f)   WFI_LAY((uintptr_t)f, WF_CFG_FUN_SIZE)
#define WFI_S_SIG(f)   WFI_LAY(f, WF_CFG_SIG_SIZE)
#define WFI_S_EVS(f)   WFI_LAY(f, WF_CFG_EVT_SIZE)
#define WFI_S_EQC(f)   WFI_LAY(f, WF_CFG_QUEUE_CTR_SIZE)
#define WFI_S_MPC(f)   WFI_LAY(f, WF_CFG_POOL_CTR_SIZE)
#define WFI_S_MPS(f)   WFI_LAY(f, WF_CFG_POOL_BLK_SIZE)
#define WFI_S_TEC(f)   WFI_LAY(f, WF_CFG_TIMEEVT_CTR_SIZE)
#define WFI_S_U8(f)    WFI_LAY(f, 1)
#define WFI_S_U16(f)   WFI_LAY(f, 2)
#define WFI_S_U32(f)   WFI_LAY(f, 4)
#define WFI_S_U64(f)   WFI_LAY(f, 8)
#define WFI_S_BUILD(f) for (unsigned i = 0; i < 6; ++i) { WFI_LAY(f[i], 1) }
#define WFI_S_STR(f)   tail = f; tail_len = wfi_text_len(f);
#define WFI_S_ITEMS(f) tail = f; tail_len = (unsigned)size * num;
#define WFI_STORE(name, type, kind) WFI_S_##type(name)
// clang-format on

// Counts the stamps, and the fields of any length, of a layout.
#define WFI_STAMPS(name, type, kind) +(WFI_C_##type == 1)
#define WFI_TAILS(name, type, kind)  +(WFI_C_##type == 2)
enum {
    WFI_C_TIME = 1,
    WFI_C_STR = 2,
    WFI_C_ITEMS = 2,
    WFI_C_ELEMS = 0,
    WFI_C_OBJ = 0,
    WFI_C_FUN = 0,
    WFI_C_SIG = 0,
    WFI_C_EVS = 0,
    WFI_C_EQC = 0,
    WFI_C_MPC = 0,
    WFI_C_MPS = 0,
    WFI_C_TEC = 0,
    WFI_C_U8 = 0,
    WFI_C_U16 = 0,
    WFI_C_U32 = 0,
    WFI_C_U64 = 0,
    WFI_C_BUILD = 0
};

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

#define WFI_EMIT(function, HELD, id, layout)                                                       \
    void function(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM))) {                                \
        enum { LEN = 0 WF_FIELDS_##layout(WFI_BYTES) };                                            \
        enum { TAILS = 0 WF_FIELDS_##layout(WFI_TAILS) };                                          \
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
    WFI_EMIT(wfi_emit_##name, 0, id, layout)                                                       \
    WFI_EMIT(wfi_held_##name, WFI_HELD, id, layout)
WF_RECORDS(WFI_X)
