// SPDX-License-Identifier: MIT
// Listings of nm, with or without sizes (-S), sorted or not, C++ names plain or demangled (-C):
//     20000010 00000004 b uart_mutex
// A symbol that avr-gcc puts into every object file identifies an AVR.

#include <string.h>

#include "wfi_program.h"

// The kinds of the letters. A weak symbol may be either; absolute, debug and undefined ones name
// nothing.
static bool kind_of(char letter, struct wfi_symbol *s) {
    char any = letter | 0x20;
    bool weak = any == 'w' || any == 'v';
    s->function = strchr("Ttiw", letter) || any == 'w';
    s->object = strchr("DdBbGgSsCcRruVv", letter) || any == 'w';
    s->binding = weak                                              ? WFI_WEAK
                 : letter >= 'a' && letter != 'u' && letter != 'i' ? WFI_LOCAL
                                                                   : WFI_GLOBAL;
    return s->function || s->object;
}

// A line without an address: of an undefined symbol, or the name of the file.
static bool is_other(const struct wfi_line *line) {
    if (line->words == 0 || line->end[-1] == ':') return true;
    return line->indent && line->word[0].len == 1 && strchr("UwvN", *line->word[0].at);
}

static bool read_line(struct wf_program *p, const struct wfi_line *line) {
    struct wfi_symbol s = {.size = 0};
    unsigned at = 1;
    bool address = line->words >= 3 && line->word[0].len >= 8 &&
                   wfi_program_hex(line->word[0].at, line->word[0].len, &s.address);
    // A letter can be a hexadecimal digit, but not eight of them.
    if (address && line->word[1].len >= 8 && line->words >= 4 &&
        wfi_program_hex(line->word[1].at, line->word[1].len, &s.size))
        at = 2;
    if (!address || line->word[at].len != 1) {
        size_t len = (size_t)(line->end - line->at);
        return wfi_program_wrong(p,
                                 "line %u: '%.*s' is not of a listing of nm (address, letter, "
                                 "name), nor is this a map of GNU ld (-Wl,-Map) or an ELF file",
                                 line->number, (int)(len < 40 ? len : 40), line->at);
    }
    const char *name = line->word[at + 1].at, *end = line->end;
    const char *tab = memchr(name, '\t', (size_t)(end - name)); // nm -l: file and line
    if (tab) end = tab;
    while (end > name && end[-1] == ' ') --end;
    size_t len = (size_t)(end - name);
    if (*line->word[at].at == 'a' && len == 8 && memcmp(name, "__SREG__", 8) == 0)
        p->machine = WFI_MACHINE_AVR;
    if (!kind_of(*line->word[at].at, &s) || len == 0) return true;
    s.name = wfi_program_keep(p, name, len);
    return s.name && wfi_program_add(p, &s);
}

bool wfi_program_read_nm(struct wf_program *p) {
    struct wfi_line line = {.at = NULL};
    p->info.kind = WF_PROGRAM_NM;
    p->info.kind_name = "nm listing";
    while (wfi_program_line(p, &line)) {
        if (!is_other(&line) && !read_line(p, &line)) return false;
    }
    if (p->machine == WFI_MACHINE_AVR) {
        p->info.machine = "AVR";
        wfi_program_find_ram(p);
    }
    if (p->count) return true;
    return wfi_program_wrong(p, "line %u: ends without a symbol; make it with nm -S PROGRAM",
                             line.number);
}
