// SPDX-License-Identifier: MIT
// One function for each predefined record, made from the schema, for packed frames: in place of
// those of wf_records.c. A record of an RTOS is an event with a kind of its own; the fields of any
// other record are copied as they are.

#include "wfi_packed.h"

#include "wallfly/wf_fields.h"

#if WF_CFG_PACKED

enum {
#define WFI_X(name, letter, bytes, sentence) WFI_TYPE_##name,
    WF_TYPES(WFI_X)
#undef WFI_X
#define WFI_X(name, sentence) WFI_FIELD_##name,
        WF_KINDS(WFI_X)
#undef WFI_X
};

// clang-format off
#define WFI_LAY(value, bytes) wfi_put_le(body + at, (value), (bytes)); at += (bytes);
#define WFI_LAY_CORE          WFI_LAY(wf_port_core(), 1)

// The value of a field as an operand; fields of these types only.
#define WFI_V_OBJ(f)   (uintptr_t)(f)
#define WFI_V_U8(f)    (f)
#define WFI_V_U16(f)   (f)
#define WFI_V_U32(f)   (f)
#define WFI_V_TIME(f)  0
#define WFI_V_WHICH(f) 0
#define WFI_V_CORE(f)  0
#define WFI_V_ELEMS(f) 0
#define WFI_V_FUN(f)   0
#define WFI_V_SIG(f)   0
#define WFI_V_EVS(f)   0
#define WFI_V_EQC(f)   0
#define WFI_V_MPC(f)   0
#define WFI_V_MPS(f)   0
#define WFI_V_TEC(f)   0
#define WFI_V_U64(f)   0
#define WFI_V_BUILD(f) 0
#define WFI_V_STR(f)   0
#define WFI_V_ITEMS(f) 0

// The kind of operand of a field. Its names are pasted where it is named: a program may have macros
// of these names.
#define WFI_OP_OF(type, kind)                                                                      \
    ((type) == WFI_TYPE_OBJ ? ((kind) == WFI_FIELD_ACTOR     ? WFI_OP_ACTOR                        \
                               : (kind) == WFI_FIELD_ADDRESS ? WFI_OP_POINTER                      \
                                                             : WFI_OP_NUMBER)                      \
     : (type) == WFI_TYPE_U8 ? WFI_OP_BYTE                                                         \
     : (type) == WFI_TYPE_U16 || (type) == WFI_TYPE_U32                                            \
         ? ((kind) == WFI_FIELD_SIGNED ? WFI_OP_SIGNED : WFI_OP_VALUE)                             \
         : WFI_OP_NONE)
#define WFI_OPERAND(name, type, kind)                                                              \
    {                                                                                              \
        const unsigned op = WFI_OP_OF((unsigned)WFI_TYPE_##type, (unsigned)WFI_FIELD_##kind);      \
        if (op != WFI_OP_NONE) {                                                                   \
            ops |= (uint32_t)op << (WFI_OP_SHIFT + WFI_OP_BITS * operands);                        \
            v[operands & 3] = (wfi_value)WFI_V_##type(name);                                       \
            ++operands;                                                                            \
        }                                                                                          \
    }
// clang-format on

// Selectors of records that have short kinds.
enum {
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_SELECTS_##name = WFI_WHICH_##host,
    WF_RECORDS(WFI_X)
#undef WFI_X
        WFI_ENTERS = WFI_SELECTS_irq_enter,
    WFI_EXITS = WFI_SELECTS_irq_exit,
    WFI_TAKES = WFI_SELECTS_mutex_take,
    WFI_GIVES = WFI_SELECTS_mutex_give
};

#if WF_CFG_FAST
// Adds an operand of one byte to those of the fast path. Returns false when it takes more.
WFI_ALWAYS_INLINE bool lay_fast(unsigned op, wfi_value v, uint32_t *bytes, unsigned *len) {
    uint32_t byte = (uint8_t)v;
    bool good = true;
    if (op == WFI_OP_NUMBER) {
        byte = wfi_number_found((const void *)(uintptr_t)v);
        good = byte != 0;
    } else if (op == WFI_OP_VALUE || op == WFI_OP_SIGNED) {
        uint32_t n = (uint32_t)v;
        if (op == WFI_OP_SIGNED) n = n << 1 ^ (uint32_t)((int32_t)n >> 31);
        byte = n << 2;
        good = n < 1u << 6;
    } else if (op != WFI_OP_BYTE) {
        return op != WFI_OP_POINTER;
    }
    *bytes |= byte << 8 * *len;
    ++*len;
    return good;
}

// The fast path of an event, when all its operands have one byte and the acting task is the running
// one. All but the values are constants, so that only shifts and stores remain.
WFI_ALWAYS_INLINE bool put_fast(uint32_t what, uint32_t kind, const wfi_value *v) {
    uint32_t bytes = 0, ops = what >> WFI_OP_SHIFT;
    unsigned len = 0;
    const void *actor = NULL;
    bool acts = false, good = true;
    WFI_UNROLL
    for (unsigned i = 0; i < 4; ++i, ops >>= WFI_OP_BITS) {
        const unsigned op = ops & 7;
        if (op == WFI_OP_NONE) continue;
        if (op == WFI_OP_ACTOR) {
            acts = true;
            actor = (const void *)(uintptr_t)v[i];
        }
        if (!lay_fast(op, v[i], &bytes, &len)) good = false;
    }
    return good && len <= 4 &&
           wfi_put_event(kind | (what & (WFI_HELD | WFI_CHANGES)), bytes, len, acts, actor, v[0]);
}
#else
static inline bool put_fast(uint32_t what, uint32_t kind, const wfi_value *v) {
    (void)what, (void)kind, (void)v;
    return false;
}
#endif

// A short kind stands for the value of the last operand, which is left out.
WFI_ALWAYS_INLINE void put_short(uint32_t what, uint32_t kind, const wfi_value *v) {
    if (put_fast(what, kind, v)) return;
    wfi_event(what | kind, v[0], v[1], 0, 0);
}

#define WFI_OP_1(op) ((uint32_t)(op) << WFI_OP_SHIFT)
#define WFI_OP_2(op) ((uint32_t)(op) << (WFI_OP_SHIFT + WFI_OP_BITS))

WFI_ALWAYS_INLINE void put_event(unsigned id, unsigned which, uint32_t ops, const wfi_value *v) {
    const uint32_t held = ops & WFI_HELD, kind = (id - WF_PACKED_FIRST) << 4 | which;
    const uint32_t by = WFI_OP_1(WFI_OP_NUMBER) | WFI_OP_2(WFI_OP_ACTOR);
    if (id == WF_ID_task_switch) {
        // A switch has its reason in its kind, unless it is one that a later version adds.
        if (v[1] < 8)
            put_short(held | WFI_SWITCH | WFI_OP_1(WFI_OP_NUMBER), WF_PACKED_SWITCH | (uint8_t)v[1],
                      v);
        else
            wfi_event(ops | WFI_SWITCH | kind, v[0], v[1], 0, 0);
        return;
    } else if (id == WF_ID_irq_enter && which == WFI_ENTERS) {
        ops |= WFI_ENTER;
        if (v[1] == 1) {
            put_short(held | WFI_ENTER | WFI_OP_1(WFI_OP_VALUE), WF_PACKED_IRQ_ENTER, v);
            return;
        }
    } else if (id == WF_ID_irq_exit && which == WFI_EXITS && v[1] == 1) {
        ops |= WFI_EXIT;
        if (put_fast(held | WFI_EXIT, WF_PACKED_IRQ_EXIT, v)) return;
    } else if (id == WF_ID_mutex_take && which == WFI_TAKES && v[2] == 1) {
        put_short(held | by, WF_PACKED_TAKE, v);
        return;
    } else if (id == WF_ID_mutex_give && which == WFI_GIVES && v[2] == 0) {
        put_short(held | by, WF_PACKED_GIVE, v);
        return;
    }
    if (!put_fast(ops, kind, v)) wfi_event(ops | kind, v[0], v[1], v[2], v[3]);
}

#define WFI_EMIT(function, HELD, id, layout, which)                                                \
    void function(WFI_PARAMS(void WF_FIELDS_##layout(WFI_PARAM))) {                                \
        enum { WFI_F_LEN = 0 WF_FIELDS_##layout(WFI_BYTES) };                                      \
        enum { WFI_F_TAILS = 0 WF_FIELDS_##layout(WFI_TAILS), WFI_F_WHICH = (which) };             \
        enum { WFI_F_TIMED = 0 WF_FIELDS_##layout(WFI_STAMPS) };                                   \
        enum { WFI_F_EVENT = (id) >= WF_PACKED_FIRST && (id) < WF_ID_log };                        \
        const unsigned what = (id) | (HELD) | (WFI_F_TIMED ? WFI_TIMED : 0u);                      \
        if (WFI_F_EVENT) {                                                                         \
            wfi_value v[4] = {0, 0, 0, 0};                                                         \
            uint32_t ops = (HELD);                                                                 \
            unsigned operands = 0;                                                                 \
            WF_FIELDS_##layout(WFI_OPERAND)(void) operands;                                        \
            put_event((id), (which), ops, v);                                                      \
            return;                                                                                \
        }                                                                                          \
        uint8_t body[WFI_F_LEN + 1];                                                               \
        const void *tail = NULL;                                                                   \
        unsigned at = 0, tail_len = 0;                                                             \
        body[WFI_F_LEN] = 0; /* also of a record without fields */                                 \
        WF_FIELDS_##layout(WFI_STORE)(void) at;                                                    \
        if (!WFI_F_TAILS)                                                                          \
            wfi_event_bytes(what, body, WFI_F_LEN);                                                \
        else                                                                                       \
            wfi_put(what, body, WFI_F_LEN, tail, tail_len);                                        \
    }
#define WFI_X(id, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)        \
    WFI_EMIT(wfi_emit_##name, 0, id, layout, WFI_WHICH_##host)                                     \
    WFI_EMIT(wfi_held_##name, WFI_HELD, id, layout, WFI_WHICH_##host)
WF_RECORDS(WFI_X)
#undef WFI_X
#undef WFI_EMIT
#undef WFI_LAY
#undef WFI_LAY_CORE
#endif
