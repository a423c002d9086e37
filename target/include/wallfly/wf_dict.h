// SPDX-License-Identifier: MIT
// Dictionaries: records that give the host the names of objects as written in the source text. Each
// is sent once, and again if there is a table of names (wf_names.h). They cannot be filtered out.
// Context: any; best at start-up.
#ifndef WF_DICT_H
#define WF_DICT_H

#include "wallfly/wf_names.h"
#include "wallfly/wf_records.h"

#ifdef __cplusplus
extern "C" {
#endif

#if WF_CFG_ON
#define WFI_DICT(call) (call)
#else
#define WFI_DICT(call)                                                                             \
    do {                                                                                           \
        if (0) call;                                                                               \
    } while (0)
#endif

// A leading & is left out of the name. WF_SIG_DICTIONARY: obj is null unless only that object uses
// the signal. record: WF_USER + 0 .. 24; value: 0..255; group: 0..7, as in wf_enum.
#define WF_SIG_DICTIONARY(sig, obj) WFI_DICT(wfi_sig_dict((sig), (obj), #sig))
#define WF_OBJ_DICTIONARY(obj)      WFI_DICT(wfi_obj_dict((obj), #obj))
#define WF_FUN_DICTIONARY(fun)      WFI_DICT(wfi_fun_dict(WF_FUN(fun), #fun))
#define WF_USR_DICTIONARY(record)   WFI_DICT(wfi_usr_dict((uint8_t)(record), #record))
#define WF_ENUM_DICTIONARY(value, group)                                                           \
    WFI_DICT(wfi_enum_dict((uint8_t)(value), (uint8_t)(group), #value))
// For an element of an array: obj as in &philo[i].timer; idx is shown between the brackets.
#define WF_OBJ_ARR_DICTIONARY(obj, idx) WFI_DICT(wfi_obj_arr_dict((obj), (idx), #obj))

void wfi_sig_dict(uint32_t sig, const void *obj, const char *name);
void wfi_obj_dict(const void *obj, const char *name);
void wfi_fun_dict(wf_function fun, const char *name);
void wfi_usr_dict(uint8_t record, const char *name);
void wfi_enum_dict(uint8_t value, uint8_t group, const char *name);
void wfi_irq_dict(uint16_t irq, const char *name);
void wfi_obj_arr_dict(const void *obj, unsigned idx, const char *name);

#ifdef __cplusplus
}
#endif
#endif
