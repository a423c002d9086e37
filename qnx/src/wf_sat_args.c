// SPDX-License-Identifier: MIT
// Prints the words of an event, by the names and forms of its plan, or raw.

#include "wfi_sat.h"

static uint64_t word64(const struct wfi_sat_line *l, unsigned i) {
    uint64_t a = wfi_sat_word(l, i), b = wfi_sat_word(l, i + 1);
    return l->p->options.big_endian ? a << 32 | b : b << 32 | a;
}

// `"abcd" (0x64636261)`
static void message(struct wfi_sat_line *l, unsigned words) {
    const uint8_t *bytes = l->e->bytes + 4 * (size_t)l->at;
    *l->to++ = '"';
    for (unsigned i = 0; i < 4 * words; ++i) {
        *l->to++ = bytes[i] >= ' ' && bytes[i] < 0x7F ? (char)bytes[i] : '.';
    }
    WFI_SAT_PUT(l, "\" (");
    for (unsigned i = 0; i < words; ++i) {
        if (i) *l->to++ = ' ';
        l->to = wfi_sat_0x8(l->to, wfi_sat_word(l, l->at + i));
    }
    *l->to++ = ')';
}

void wfi_sat_value(struct wfi_sat_line *l, char form, unsigned words) {
    switch (form) {
    case 'u': l->to = wfi_dec(l->to, wfi_sat_word(l, l->at)); break;
    case 'x': l->to = wfi_sat_0x8(l->to, wfi_sat_word(l, l->at)); break;
    case 'p':
    case 'Q':
        if (words == 1) {
            l->to = wfi_sat_0x8(l->to, wfi_sat_word(l, l->at));
            break;
        }
        WFI_SAT_PUT(l, "0x");
        l->to = wfi_sat_hex(l->to, word64(l, l->at));
        break;
    case 'l':
    case 'q':
        l->to = words == 1 ? wfi_signed(l->to, (int32_t)wfi_sat_word(l, l->at))
                           : wfi_signed(l->to, (int64_t)word64(l, l->at));
        break;
    case 'm': message(l, words); break;
    case 't': l->to = wf_sat_text(l->to, l->e->bytes + 4 * (size_t)l->at, 4 * (size_t)words); break;
    default: l->to = wfi_signed(l->to, (int32_t)wfi_sat_word(l, l->at)); break;
    }
    l->at += words;
}

unsigned wfi_sat_words(const struct wfi_sat_arg *arg, unsigned set, unsigned left) {
    bool variant = set >= WFI_SAT_FAST_64;
    switch (arg->form) {
    case 'q':
    case 'Q': return 2;
    case 'p':
    case 'l': return variant ? 2 : 1;
    case 'm': return !(set & WFI_SAT_WIDE) ? 1 : left < WFI_SAT_MESSAGE ? left : WFI_SAT_MESSAGE;
    case 't': return left;
    default: return 1;
    }
}

// The number of words in the slots that hold `words`.
static unsigned slots_of(unsigned words) { return words <= 2 ? 2 : (words + 1) & ~1u; }

// The number of words alone determines which words an event has.
static unsigned choose(const struct wfi_sat_plan *plan, unsigned count, bool variant) {
    unsigned first = variant ? WFI_SAT_FAST_64 : WFI_SAT_FAST;
    for (unsigned i = 0; i < WFI_SAT_SETS; ++i) {
        unsigned set = (first + i) % WFI_SAT_SETS, need = slots_of(plan->need[set]);
        bool open = set & WFI_SAT_WIDE ? plan->open : plan->open_fast;
        if (slots_of(count) == need || (open && count > need)) return set;
    }
    return count <= slots_of(plan->need[first]) ? first : first + WFI_SAT_WIDE;
}

void wfi_sat_raw(struct wfi_sat_line *l, const char *separator) {
    while (l->at < l->e->count) {
        char name[16] = "d";
        size_t len = (size_t)(wfi_dec(name + 1, l->at) - name);
        if (l->own_line) {
            *l->to++ = '\n';
            l->to = wfi_sat_blanks(l->to, WFI_SAT_COLUMN - len);
        } else {
            wfi_sat_put(l, separator, strlen(separator));
            separator = " ";
        }
        wfi_sat_put(l, name, len);
        *l->to++ = ':';
        wfi_sat_value(l, 'x', 1);
    }
}

void wfi_sat_rest(struct wfi_sat_line *l) {
    unsigned used = slots_of(l->at);
    if (l->e->count <= used) return;
    l->at = l->at ? used : 0;
    wfi_sat_raw(l, " ");
}

void wfi_sat_args(struct wfi_sat_line *l) {
    const struct wfi_sat_plans *plans = &l->p->plans;
    bool variant = l->e->event & WF_SAT_64 && wfi_sat_varies(l->e->cls);
    unsigned set = choose(l->plan, l->e->count, variant);
    const struct wfi_sat_arg *arg = &plans->arg[l->plan->arg], *end = arg + l->plan->args;
    for (; arg < end; ++arg) {
        if (!arg->fast && !(set & WFI_SAT_WIDE)) continue;
        unsigned left = l->e->count - l->at, words = wfi_sat_words(arg, set, left);
        if (words > left) { // half of 64 bits
            wfi_sat_raw(l, " ");
            return;
        }
        if (!left) break;
        if (l->own_line) {
            l->to = wfi_copy_padded(l->to, plans->text + arg->own_at, arg->own_len);
        } else {
            l->to = wfi_copy_padded(l->to, plans->text + arg->inline_at, arg->inline_len);
        }
        wfi_sat_value(l, arg->form, words);
    }
    wfi_sat_rest(l);
}
