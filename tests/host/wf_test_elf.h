// SPDX-License-Identifier: MIT
// Writes small ELF files for tests, of any machine, both classes and both byte orders.
#ifndef WF_TEST_ELF_H
#define WF_TEST_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ELF_CAP = 8192, ELF_SYMBOLS = 32, ELF_SECTIONS = 8 };

struct elf_symbol {
    const char *name;
    uint64_t address, size;
    unsigned type, bind;
};

struct elf_file {
    bool wide, big;
    uint16_t type, machine;
    uint32_t build_id;   // 0: none
    uint64_t text_at;    // address of the constants below
    bool text_written;   // by the program, at run time
    bool text_code;      // it is code
    const char *comment; // contents of .comment; null: no such section
    size_t comment_len;
    const char *text;
    size_t text_len;
    struct elf_symbol symbols[ELF_SYMBOLS];
    uint8_t bytes[ELF_CAP];
    size_t len;
};

static inline void elf_put(struct elf_file *f, uint64_t v, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) {
        f->bytes[f->len++] = (uint8_t)(v >> 8 * (f->big ? bytes - 1 - i : i));
    }
}

static inline void elf_word(struct elf_file *f, uint64_t v) { elf_put(f, v, f->wide ? 8 : 4); }

static inline void elf_section(struct elf_file *f, unsigned name, unsigned type, uint64_t flags,
                               uint64_t at, size_t from, size_t len, unsigned link, size_t entry) {
    elf_put(f, name, 4);
    elf_put(f, type, 4);
    elf_word(f, flags);
    elf_word(f, at);
    elf_word(f, from);
    elf_word(f, len);
    elf_put(f, link, 4);
    elf_put(f, type == SHT_SYMTAB ? 1 : 0, 4);
    elf_word(f, type == SHT_NOTE ? 4 : 1);
    elf_word(f, entry);
}

static inline void elf_header(struct elf_file *f, size_t sections) {
    static const uint8_t ident[4] = {0x7F, 'E', 'L', 'F'};
    f->len = 0;
    memcpy(f->bytes, ident, 4);
    f->len = 4;
    elf_put(f, f->wide ? ELFCLASS64 : ELFCLASS32, 1);
    elf_put(f, f->big ? ELFDATA2MSB : ELFDATA2LSB, 1);
    elf_put(f, EV_CURRENT, 1);
    elf_put(f, 0, 8);
    elf_put(f, 0, 1);
    elf_put(f, f->type, 2);
    elf_put(f, f->machine, 2);
    elf_put(f, EV_CURRENT, 4);
    elf_word(f, 0);
    elf_word(f, 0);
    elf_word(f, sections);
    elf_put(f, 0, 4);
    elf_put(f, f->wide ? 64 : 52, 2);
    elf_put(f, 0, 2);
    elf_put(f, 0, 2);
    elf_put(f, f->wide ? 64 : 40, 2);
    elf_put(f, ELF_SECTIONS - 1, 2);
    elf_put(f, 3, 2);
}

static inline void elf_symbol(struct elf_file *f, const struct elf_symbol *s, size_t name) {
    unsigned info = s->bind << 4 | s->type;
    unsigned section = s->name ? 1 : 0;
    elf_put(f, name, 4);
    if (f->wide) {
        elf_put(f, info, 1);
        elf_put(f, 0, 1);
        elf_put(f, section, 2);
    }
    elf_word(f, s->address);
    elf_word(f, s->size);
    if (f->wide) return;
    elf_put(f, info, 1);
    elf_put(f, 0, 1);
    elf_put(f, section, 2);
}

// Writes the bytes. Sections: none, text, symbols, names, note, data that starts at 0x800100 on
// AVR, .comment.
static inline void elf_make(struct elf_file *f) {
    static const struct elf_symbol none = {NULL, 0, 0, 0, 0};
    size_t name_at[ELF_SYMBOLS], count = 0;
    elf_header(f, 0);
    size_t text = f->len;
    if (f->text_len) memcpy(f->bytes + f->len, f->text, f->text_len);
    f->len += f->text_len;
    size_t names = f->len++;
    f->bytes[names] = 0;
    memcpy(f->bytes + f->len, ".comment", 9);
    f->len += 9;
    for (; count < ELF_SYMBOLS && f->symbols[count].name; ++count) {
        size_t len = strlen(f->symbols[count].name) + 1;
        name_at[count] = f->len - names;
        memcpy(f->bytes + f->len, f->symbols[count].name, len);
        f->len += len;
    }
    size_t symbols = f->len = (f->len + 7) & ~(size_t)7, entry = f->wide ? 24 : 16;
    elf_symbol(f, &none, 0);
    for (size_t i = 0; i < count; ++i) elf_symbol(f, &f->symbols[i], name_at[i]);
    size_t symbols_end = f->len, note = f->len;
    elf_put(f, 4, 4);
    elf_put(f, 8, 4);
    elf_put(f, 3, 4);
    memcpy(f->bytes + f->len, "GNU", 4);
    f->len += 4;
    for (unsigned i = 0; i < 8; ++i) f->bytes[f->len++] = (uint8_t)(f->build_id >> 8 * (i & 3));
    size_t note_end = f->len, comment = f->len;
    if (f->comment) memcpy(f->bytes + f->len, f->comment, f->comment_len);
    f->len += f->comment ? f->comment_len : 0;
    size_t sections = f->len = (f->len + 7) & ~(size_t)7;
    elf_section(f, 0, SHT_NULL, 0, 0, 0, 0, 0, 0);
    elf_section(f, 0, SHT_PROGBITS,
                SHF_ALLOC | (f->text_written ? SHF_WRITE : 0) | (f->text_code ? SHF_EXECINSTR : 0),
                f->text_at, text, f->text_len, 0, 0);
    elf_section(f, 0, SHT_SYMTAB, 0, 0, symbols, symbols_end - symbols, 3, entry);
    elf_section(f, 0, SHT_STRTAB, 0, 0, names, symbols - names, 0, 0);
    elf_section(f, 0, f->build_id ? SHT_NOTE : SHT_NULL, 0, 0, note, note_end - note, 0, 0);
    elf_section(f, 0, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, f->machine == EM_AVR ? 0x800100 : 0x20000,
                note, 64, 0, 0);
    elf_section(f, 1, f->comment ? SHT_PROGBITS : SHT_NULL, 0, 0, comment, f->comment_len, 0, 0);
    size_t end = f->len;
    elf_header(f, sections);
    f->len = end;
}

#endif
