// SPDX-License-Identifier: MIT
// Names for dictionaries: the source text of the macro's argument, cleaned up.

#include "wfi_core.h"

enum { WFI_NAME_MAX = 80 };

static const char *plain(const char *name) { return *name == '&' ? name + 1 : name; }

// Called before the record: so the entry's record number shows whether an image can hold the
// record.
static void keep(unsigned id, uint32_t value, uintptr_t of, const char *name) {
    if (wfi.names) wfi.names->put(id, value, of, name);
}

void wfi_sig_dict(uint32_t sig, const void *obj, const char *name) {
    name = plain(name);
    keep(WF_ID_sig_dict, sig, (uintptr_t)obj, name);
    wfi_emit_sig_dict(sig, obj, name);
}

static void name_object(const void *obj, const char *name) {
    keep(WF_ID_obj_dict, 0, (uintptr_t)obj, name);
    wfi_emit_obj_dict(obj, name);
}

void wfi_obj_dict(const void *obj, const char *name) { name_object(obj, plain(name)); }

void wfi_fun_dict(wf_function fun, const char *name) {
    name = plain(name);
    keep(WF_ID_fun_dict, 0, (uintptr_t)fun, name);
    wfi_emit_fun_dict(fun, name);
}

void wfi_usr_dict(uint8_t record, const char *name) {
    keep(WF_ID_usr_dict, record, 0, name);
    wfi_emit_usr_dict(record, name);
}

void wfi_enum_dict(uint8_t value, uint8_t group, const char *name) {
    keep(WF_ID_enum_dict, value, group, name);
    wfi_emit_enum_dict(value, group, name);
}

void wfi_irq_dict(uint16_t irq, const char *name) {
    keep(WF_ID_irq_dict, irq, 0, name);
    wfi_emit_irq_dict(irq, name);
}

// "philo[n].timer" with 7: "philo[7].timer". Without a bracket the number is appended.
void wfi_obj_arr_dict(const void *obj, unsigned idx, const char *name) {
    char text[WFI_NAME_MAX], digits[10];
    unsigned len = 0, count = 0;
    for (name = plain(name); *name && len < WFI_NAME_MAX - 12;) {
        text[len++] = *name++;
        if (text[len - 1] == '[') break;
    }
    do {
        digits[count++] = (char)('0' + idx % 10);
        idx /= 10;
    } while (idx);
    while (count) text[len++] = digits[--count];
    while (*name && *name != ']') ++name;
    while (*name && len < WFI_NAME_MAX - 1) text[len++] = *name++;
    text[len] = 0;
    name_object(obj, text);
}
