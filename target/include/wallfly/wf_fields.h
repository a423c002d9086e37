// SPDX-License-Identifier: MIT
// Inside; not for users. For each field type of the schema: its bytes, whether its length varies,
// and how it is stored. The including file defines WFI_LAY(value, bytes).
#ifndef WF_FIELDS_H
#define WF_FIELDS_H

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
#define WFI_N_WHICH                 1
#define WFI_N_CORE                  (WF_CFG_SLOTS ? 0 : 1) // slots contain the core already
#define WFI_N_U8                    1
#define WFI_N_U16                   2
#define WFI_N_U32                   4
#define WFI_N_U64                   8
#define WFI_N_BUILD                 6
#define WFI_BYTES(name, type, kind) +WFI_N_##type

// The value of a WHICH field: the number in column `host` of the schema row.
#define WFI_WHICH_BOTH       0
#define WFI_WHICH_OWN        0
#define WFI_WHICH_SEL(n)     (n)
#define WFI_WHICH_OWN_SEL(n) (n)

// clang-format off
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
#define WFI_S_WHICH(f) WFI_LAY(WFI_F_WHICH, 1) // defined by the including function
#define WFI_S_CORE(f)  WFI_LAY_CORE
#define WFI_S_U8(f)    WFI_LAY(f, 1)
#define WFI_S_U16(f)   WFI_LAY(f, 2)
#define WFI_S_U32(f)   WFI_LAY(f, 4)
#define WFI_S_U64(f)   WFI_LAY(f, 8)
#define WFI_S_BUILD(f) for (unsigned i = 0; i < 6; ++i) { WFI_LAY(f[i], 1) }
#define WFI_S_STR(f)   tail = f; tail_len = wfi_text_len(f);
#define WFI_S_ITEMS(f) tail = f; tail_len = (unsigned)size * num;
#define WFI_STORE(name, type, kind) WFI_S_##type(name)
// clang-format on

// Counts the stamps, and the fields of variable length, of a layout.
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
    WFI_C_WHICH = 0,
    WFI_C_CORE = 0,
    WFI_C_U8 = 0,
    WFI_C_U16 = 0,
    WFI_C_U32 = 0,
    WFI_C_U64 = 0,
    WFI_C_BUILD = 0
};

#endif
