// SPDX-License-Identifier: MIT
// Patterns of names, and the names nearest to one that is not in the trace.

#include "wfi_check.h"

#include "wallfly_host/wf_near.h"
#include "wallfly_host/wf_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool wfi_name_fits(const char *pattern, const char *name) {
    return !pattern || (name && wfi_glob(pattern, name, strlen(name)));
}

bool wfi_name_is_number(const char *name) {
    return (name[0] == '0' && name[1] == 'x') || (name[0] >= '0' && name[0] <= '9');
}

const char *wfi_check_irq_name(struct wf_check *c, int irq, char to[40]) {
    const char *name = irq < 0 ? NULL : wf_session_name(c->s, WF_EFFECT_NAME_IRQ, (uint64_t)irq, 0);
    if (irq == WF_IRQ_UNKNOWN) return "unknown";
    if (name && *name) return name;
    snprintf(to, 40, "%d", irq);
    return to;
}

bool wfi_irq_fits(struct wf_check *c, const char *pattern, int irq) {
    char number[40], name[40];
    snprintf(number, sizeof number, "%d", irq);
    return !pattern || (irq >= 0 && (wfi_name_fits(pattern, wfi_check_irq_name(c, irq, name)) ||
                                     wfi_name_fits(pattern, number)));
}

const char *wfi_check_text_name(struct wf_check *c, uint64_t address, char *to, size_t cap) {
    const char *text;
    size_t len;
    if (wf_session_text_at(c->s, address, &text, &len) && len)
        snprintf(to, cap, "%.*s", (int)(len < cap ? len : cap), text);
    else
        snprintf(to, cap, "0x%" PRIX64, address);
    return to;
}

const char *wfi_check_state_name(struct wf_check *c, uint64_t state, char to[40]) {
    const char *name = wf_session_name(c->s, WF_EFFECT_NAME_FUNCTION, state, 0);
    if (name && *name) return name;
    snprintf(to, 40, "0x%" PRIX64, state);
    return to;
}

// ---- near names

enum { LONGEST = WF_NEAR_MOST - 1 };

void wfi_check_near_offer(struct wfi_check_near *n, const char *name) {
    if (!n->text || !name || !*name) return;
    unsigned d = wf_near_distance(n->text, name), at = n->count;
    for (unsigned i = 0; i < n->count; ++i) {
        if (strncmp(n->name[i], name, LONGEST) == 0) return;
    }
    while (at > 0 && d < n->distance[at - 1]) --at;
    if (at == 3) return;
    if (n->count < 3) ++n->count;
    for (unsigned i = n->count - 1; i > at; --i) {
        n->distance[i] = n->distance[i - 1];
        memcpy(n->name[i], n->name[i - 1], sizeof n->name[i]);
    }
    n->distance[at] = d;
    snprintf(n->name[at], sizeof n->name[at], "%s", name);
}

void wfi_check_near_list(const struct wfi_check_near *n, char *to, size_t cap) {
    size_t len = 0;
    to[0] = 0;
    for (unsigned i = 0; i < n->count && len < cap; ++i)
        len += (size_t)snprintf(to + len, cap - len, "%s%s", i ? ", " : "", n->name[i]);
}
