// SPDX-License-Identifier: MIT
// Names for dictionaries: the source text of the macro's argument, made presentable.

#include "wfi_core.h"

enum { WFI_NAME_MAX = 80 };

static const char *plain(const char *name) { return *name == '&' ? name + 1 : name; }

void wfi_sig_dict(uint32_t sig, const void *obj, const char *name) {
    wfi_emit_sig_dict(sig, obj, plain(name));
}

void wfi_obj_dict(const void *obj, const char *name) { wfi_emit_obj_dict(obj, plain(name)); }

void wfi_fun_dict(wf_function fun, const char *name) { wfi_emit_fun_dict(fun, plain(name)); }

// "philo[n].timer" with 7: "philo[7].timer". Without a bracket the number goes to the end.
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
    wfi_emit_obj_dict(obj, text);
}
