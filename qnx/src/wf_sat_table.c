// SPDX-License-Identifier: MIT
// The table of kernel-event logs (schema/wf_sat.h) as rows, and its numbers in both directions.

#include "wfi_sat.h"

#define E(cls, event, name, label, words) {WF_SLOT_CLASS_##cls, event, #name, label, words},
const struct wfi_sat_row wfi_sat_rows[] = {WF_SAT_EVENTS(E)};
#undef E
#define K(number, name, enter, leave) {number, #name, enter, leave},
const struct wfi_sat_call wfi_sat_calls[] = {WF_SAT_CALLS(K)};
#undef K
#define S(number, does, old, new8) {number, WF_SAT_##does, old, new8},
const struct wf_sat_state wfi_sat_states[] = {WF_SAT_STATES(S)};
#undef S
const unsigned wfi_sat_row_count = sizeof wfi_sat_rows / sizeof *wfi_sat_rows;
const unsigned wfi_sat_call_count = sizeof wfi_sat_calls / sizeof *wfi_sat_calls;
const unsigned wfi_sat_state_count = sizeof wfi_sat_states / sizeof *wfi_sat_states;

struct class_row {
    const char *name;
    uint8_t internal, rule, word;
    uint16_t base, count;
};

#define C(external, name, internal, rule, base, count, word)                                       \
    {#name, WF_SLOT_CLASS_##internal, WF_SAT_##rule, word, base, count},
static const struct class_row classes[] = {WF_SAT_CLASSES(C)};
#undef C
enum { CLASS_COUNT = sizeof classes / sizeof *classes, VARIES = 0xEB4 }; // bits of classes
_Static_assert((int)CLASS_COUNT == (int)WF_SAT_CLASS_END,
               "external classes are numbered without a gap");

enum wf_sat_release wf_sat_release_of(const char *text) {
    unsigned major = 0;
    for (unsigned i = 0; text && i < 3 && text[i] >= '0' && text[i] <= '9'; ++i) {
        major = major * 10 + (unsigned)(text[i] - '0');
    }
    return major >= 8 ? WF_SAT_RELEASE_8 : major == 7 ? WF_SAT_RELEASE_7 : WF_SAT_RELEASE_6;
}

bool wfi_sat_varies(unsigned cls) { return cls < WFI_SAT_CLASSES && (uint32_t)VARIES >> cls & 1; }

unsigned wf_sat_plain_event(const struct wf_slot_event *e) {
    return wfi_sat_varies(e->cls) ? e->event & ~(unsigned)WF_SAT_64 : e->event;
}

unsigned wf_sat_thread_states(enum wf_sat_release release) {
    return release == WF_SAT_RELEASE_8 ? 64 : 26;
}

const char *wf_sat_state_name(const struct wf_sat_state *state, enum wf_sat_release release) {
    const char *name = release == WF_SAT_RELEASE_8 ? state->new8 : state->old;
    return *name ? name : NULL;
}

// The number of events of the internal class that belong to this one, in this release.
static unsigned count_of(unsigned cls, enum wf_sat_release release) {
    if (release == WF_SAT_RELEASE_8 && cls == WF_SAT_THREAD) return wf_sat_thread_states(release);
    if (release == WF_SAT_RELEASE_8 && cls == WF_SAT_VTHREAD) return 0;
    return classes[cls].count;
}

// The external event that is `at` events after the base; returns false if there is none.
static bool outward(const struct class_row *c, enum wf_sat_release release, unsigned at,
                    const struct wf_slot_event *e, unsigned *event) {
    switch (c->rule) {
    case WF_SAT_PLUS: *event = at; return true;
    case WF_SAT_BIT: *event = release == WF_SAT_RELEASE_8 ? at : 1u << at; return true;
    case WF_SAT_STEP: *event = 1u << at / c->base; return at % c->base == 0;
    case WF_SAT_FIXED: *event = e->count > c->word ? e->words[c->word] : 0; return true;
    default: return false;
    }
}

bool wf_sat_external(enum wf_sat_release release, const struct wf_slot_event *e,
                     struct wf_sat_number *to) {
    unsigned event = e->event;
    to->wide = wfi_sat_varies(e->cls) && event & WF_SAT_64;
    if (to->wide) event &= ~(unsigned)WF_SAT_64;
    if (e->cls == WF_SLOT_CLASS_INT && (event == 5 || event == 6)) {
        to->wide = true;
        event = event == 5 ? 1 : 3;
    }
    for (unsigned i = 0; i < CLASS_COUNT; ++i) {
        const struct class_row *c = &classes[i];
        if (c->internal != e->cls || event < c->base) continue;
        if (event - c->base >= count_of(i, release)) continue;
        to->cls = i;
        return outward(c, release, event - c->base, e, &to->event);
    }
    return false;
}

// The number of the only bit that is set; 32: several or none.
static unsigned bit_of(unsigned v) {
    unsigned bit = 0;
    while (bit < 32 && v != 1u << bit) ++bit;
    return bit;
}

bool wf_sat_internal(enum wf_sat_release release, unsigned cls, unsigned event, uint8_t *to_cls,
                     uint16_t *to_event) {
    if (cls >= CLASS_COUNT) return false;
    const struct class_row *c = &classes[cls];
    unsigned at = event, count = count_of(cls, release);
    if (c->rule == WF_SAT_FIXED) at = 0;
    if (c->rule == WF_SAT_STEP) at = bit_of(event) * c->base;
    if (c->rule == WF_SAT_BIT && release != WF_SAT_RELEASE_8) at = bit_of(event);
    if (at >= count) return false;
    *to_cls = c->internal;
    *to_event = (uint16_t)(c->base + at);
    return true;
}

const char *wf_sat_class_name(unsigned cls) { return cls < CLASS_COUNT ? classes[cls].name : NULL; }

static const char *call_name(enum wf_sat_release release, unsigned event) {
    if (release == WF_SAT_RELEASE_8 || event >= 3 * WF_SAT_CALL_END) return NULL;
    for (unsigned i = 0; i < wfi_sat_call_count; ++i) {
        if (wfi_sat_calls[i].number == event % WF_SAT_CALL_END) return wfi_sat_calls[i].name;
    }
    return NULL;
}

const struct wf_sat_state *wf_sat_state(enum wf_sat_release release, unsigned event) {
    for (unsigned i = 0; i < wfi_sat_state_count; ++i) {
        const struct wf_sat_state *state = &wfi_sat_states[i];
        if (state->number != event) continue;
        return event < wf_sat_thread_states(release) && wf_sat_state_name(state, release) ? state
                                                                                          : NULL;
    }
    return NULL;
}

static const char *thread_name(enum wf_sat_release release, unsigned event) {
    if (release != WF_SAT_RELEASE_8) {
        if (event >= 2 * wf_sat_thread_states(release)) return NULL;
        event %= wf_sat_thread_states(release); // those of virtual threads are the same
    }
    const struct wf_sat_state *state = wf_sat_state(release, event);
    return state ? wf_sat_state_name(state, release) : NULL;
}

const char *wf_sat_event_name(enum wf_sat_release release, unsigned cls, unsigned event) {
    if (wfi_sat_varies(cls)) event &= ~(unsigned)WF_SAT_64;
    if (cls == WF_SLOT_CLASS_KERCALL) return call_name(release, event);
    if (cls == WF_SLOT_CLASS_PR_TH && event < 64) return thread_name(release, event);
    for (unsigned i = 0; i < wfi_sat_row_count; ++i) {
        if (wfi_sat_rows[i].cls == cls && wfi_sat_rows[i].event == event) {
            return wfi_sat_rows[i].name;
        }
    }
    return NULL;
}
