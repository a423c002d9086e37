// SPDX-License-Identifier: MIT
// Maps of GNU ld. After "Linker script and memory map" come sections of the program (no blank
// before them), those of object files (one blank), and symbols (many):
//     .bss            0x20000000       0x40
//      .bss.uart_mutex
//                     0x20000000       0x10 main.o
//      COMMON         0x20000010        0x4 main.o
//                     0x20000010                table
// Symbols have no size, so they name only their own address. An object in a section of its own
// (-fdata-sections) has a size, even if static. All else is named by file and section.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_program.h"

// The beginning of a section's name gives its contents, object or function; no name: either. `own`:
// the rest of the name is that of an object or function. Longer names come before their prefixes.
static const struct prefix {
    const char *name;
    bool object, function, own;
} prefixes[] = {
    {".text.unlikely.", false, true, true},
    {".text.startup.", false, true, true},
    {".text.hot.", false, true, true},
    {".text.exit.", false, true, true},
    {".text.unlikely", false, true, false},
    {".text.startup", false, true, false},
    {".text.hot", false, true, false},
    {".text.", false, true, true},
    {".text", false, true, false},
    {".init_array", true, false, false},
    {".fini_array", true, false, false},
    {".init", false, true, false},
    {".fini", false, true, false},
    {".vectors", false, true, false},
    {".trampolines", false, true, false},
    {".rodata.str", true, false, false},
    {".rodata.cst", true, false, false},
    {".rodata.", true, false, true},
    {".rodata", true, false, false},
    {".data.rel.ro.local.", true, false, true},
    {".data.rel.ro.local", true, false, false},
    {".data.rel.ro.", true, false, true},
    {".data.rel.local.", true, false, true},
    {".data.rel.local", true, false, false},
    {".data.rel.ro", true, false, false},
    {".data.rel.", true, false, true},
    {".data.", true, false, true},
    {".data", true, false, false},
    {".bss.", true, false, true},
    {".bss", true, false, false},
    {".sdata.", true, false, true},
    {".sdata", true, false, false},
    {".sbss.", true, false, true},
    {".sbss", true, false, false},
    {".srodata.", true, false, true},
    {".srodata", true, false, false},
    {".noinit.", true, false, true},
    {".noinit", true, false, false},
    {".progmem.data.", true, false, true},
    {".progmem.", true, false, false},
    {".eeprom", true, false, false},
    {"COMMON", true, false, false},
    {"", true, true, false},
};

// Sections that are only in the file.
static const char *const unloaded[] = {".debug",  ".comment",  ".stab",     ".symtab",
                                       ".strtab", ".shstrtab", ".note",     ".gnu.",
                                       ".rel",    ".riscv.",   ".ARM.attr", "/DISCARD/"};

struct map {
    struct wf_program *p;
    bool begun, loaded;
    const char *pending; // the name of a section whose addresses are on the next line
    size_t pending_len;
    const struct prefix *section; // of the symbols to come
};

static bool begins(const char *text, size_t len, const char *with) {
    size_t n = strlen(with);
    return len >= n && memcmp(text, with, n) == 0;
}

static const struct prefix *prefix_of(const char *name, size_t len) {
    const struct prefix *p = prefixes;
    while (!begins(name, len, p->name)) ++p;
    return p;
}

// "main.o:.bss"
static const char *place_name(struct wf_program *p, const char *section, size_t section_len,
                              const char *file, size_t file_len) {
    for (size_t i = 0; i < file_len; ++i) {
        if (file[i] != '/' && file[i] != '\\') continue;
        file += i + 1;
        file_len -= i + 1;
        i = (size_t)-1;
    }
    char name[256];
    int n = snprintf(name, sizeof name, "%.*s:%.*s", (int)(file_len < 120 ? file_len : 120), file,
                     (int)(section_len < 120 ? section_len : 120), section);
    return wfi_program_keep(p, name, (size_t)n);
}

static bool take_section(struct map *m, const char *name, size_t len, const struct wfi_line *line,
                         unsigned at) {
    struct wfi_symbol s = {.binding = WFI_PLACE};
    m->pending = NULL;
    m->section = NULL;
    if (line->words < at + 3 || !m->loaded ||
        !wfi_program_hex(line->word[at].at, line->word[at].len, &s.address) ||
        !wfi_program_hex(line->word[at + 1].at, line->word[at + 1].len, &s.size))
        return true;
    const struct prefix *p = m->section = prefix_of(name, len);
    if (!s.size) return true;
    s.object = p->object;
    s.function = p->function;
    const char *file = line->word[at + 2].at;
    s.name = place_name(m->p, name, len, file, (size_t)(line->end - file));
    if (!s.name || !wfi_program_add(m->p, &s)) return false;
    size_t skip = strlen(p->name);
    bool texts = len > 5 && strstr(s.name, ".str1.");
    if (!p->own || len == skip || texts) return true;
    s.binding = WFI_LOCAL;
    s.name = wfi_program_keep(m->p, name + skip, len - skip);
    return s.name && wfi_program_add(m->p, &s);
}

// Lines about the location counter, or symbols that the script makes, are no symbols.
static bool is_symbol(const char *name, size_t len) {
    static const char *const others[] = {". = ", "PROVIDE", "HIDDEN", "ASSERT", "[!provide]", "("};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        if (begins(name, len, others[i])) return false;
    }
    for (size_t i = 0; i + 3 <= len; ++i) {
        if (memcmp(name + i, " = ", 3) == 0) return false;
    }
    return len != 0;
}

static bool take_symbol(struct map *m, const struct wfi_line *line) {
    struct wfi_symbol s = {.binding = WFI_GLOBAL};
    if (!m->section || line->words < 2 ||
        !wfi_program_hex(line->word[0].at, line->word[0].len, &s.address))
        return true;
    const char *name = line->word[1].at;
    size_t len = (size_t)(line->end - name);
    if (!is_symbol(name, len)) return true;
    s.object = m->section->object;
    s.function = m->section->function;
    s.name = wfi_program_keep(m->p, name, len);
    return s.name && wfi_program_add(m->p, &s);
}

static bool take_outer(struct map *m, const struct wfi_line *line) {
    m->section = NULL;
    m->loaded = true;
    for (size_t i = 0; i < sizeof unloaded / sizeof *unloaded; ++i) {
        if (begins(line->word[0].at, line->word[0].len, unloaded[i])) m->loaded = false;
    }
    static const char avr[] = "elf32-avr)", arm[] = "arm)";
    if (!begins(line->word[0].at, line->word[0].len, "OUTPUT(") || line->words < 2) return true;
    const char *last = line->end;
    size_t len = (size_t)(last - line->at);
    bool is_avr = len > sizeof avr && memcmp(last - sizeof avr + 1, avr, sizeof avr - 1) == 0;
    bool is_arm = len > sizeof arm && memcmp(last - sizeof arm + 1, arm, sizeof arm - 1) == 0;
    if (is_avr) m->p->machine = WFI_MACHINE_AVR;
    if (is_arm) m->p->machine = WFI_MACHINE_THUMB;
    m->p->info.machine = is_avr ? "AVR" : is_arm ? "ARM" : "";
    return true;
}

static bool take_line(struct map *m, const struct wfi_line *line) {
    const char *word = line->word[0].at;
    size_t len = line->word[0].len;
    static const char head[] = "Linker script and memory map";
    if (!m->begun) {
        m->begun = begins(line->at, (size_t)(line->end - line->at), head);
        return true;
    }
    if (!line->words) return true;
    if (line->indent == 0) {
        m->pending = NULL;
        return take_outer(m, line);
    }
    if (line->indent == 1 && *word != '*') {
        m->pending = line->words == 1 ? word : NULL;
        m->pending_len = len;
        return m->pending || take_section(m, word, len, line, 1);
    }
    if (!begins(word, len, "0x")) return true;
    if (m->pending) return take_section(m, m->pending, m->pending_len, line, 0);
    return take_symbol(m, line);
}

bool wfi_program_read_map(struct wf_program *p) {
    struct map m = {.p = p};
    struct wfi_line line = {.at = NULL};
    p->info.kind = WF_PROGRAM_MAP;
    p->info.kind_name = "linker map";
    while (wfi_program_line(p, &line)) {
        if (!take_line(&m, &line)) return false;
    }
    wfi_program_find_ram(p);
    if (p->count) return true;
    return wfi_program_wrong(
        p, "line %u: %s; write it with -Wl,-Map=FILE when the program is linked", line.number,
        m.begun ? "ends without a section or symbol"
                : "ends before \"Linker script and memory map\"");
}
