// SPDX-License-Identifier: MIT
// The inside of a program: a table of symbols, filled by one of three readers.
#ifndef WFI_PROGRAM_H
#define WFI_PROGRAM_H

#include <libelf.h>

#include "wallfly_host/wf_program.h"
#include "util/wfi_image.h"

enum wfi_machine { WFI_MACHINE_ANY, WFI_MACHINE_THUMB, WFI_MACHINE_AVR };

// AVR's memories have one address space in ELF files.
enum { WFI_AVR_DATA = 0x800000, WFI_AVR_EEPROM = 0x810000, WFI_AVR_END = 0x820000 };

enum wfi_binding { WFI_GLOBAL, WFI_WEAK, WFI_LOCAL, WFI_PLACE };

struct wfi_symbol {
    uint64_t address, size; // in the file; size 0: not known
    const char *name;
    const char *file;      // source of a local symbol of an ELF file; null: not known
    bool object, function; // both: the file does not have the kind
    bool thumb;            // bit 0 of a pointer to it is set
    uint8_t binding;       // WFI_PLACE: no symbol, but part of a section of an object file
};

// A section whose contents are constant.
struct wfi_constant {
    uint64_t address, len;
    const uint8_t *bytes;
};

struct wfi_members; // debug data, loaded when first needed

struct wf_program {
    struct wf_program_info info;
    enum wfi_machine machine;
    const uint8_t *bytes;
    size_t len;
    Elf *elf; // null: none
    struct wfi_symbol *symbols;
    uint64_t *reach; // by symbol: the highest end of it and all before
    size_t count, cap;
    const struct wfi_symbol **by_name; // made when first needed
    struct wfi_constant *constants;
    size_t constant_count;
    uint64_t ram; // AVR: where data starts
    char *pool;   // names from text files
    size_t pool_used, pool_cap;
    struct wfi_members *members;
    bool members_tried;
    bool bare; // an ELF file without symbols is no error
    bool nomem;
    struct wf_error *error; // of wf_program_open
};

// As wf_program_open. bare: also opens an ELF file without symbols.
struct wf_program *wfi_program_open(const uint8_t *bytes, size_t len, bool bare,
                                    struct wf_error *error);
// Returns the smallest symbol of a kind whose range contains the address of the file; null: none.
const struct wfi_symbol *wfi_program_at(const struct wf_program *p, enum wf_program_what what,
                                        uint64_t address);

// The readers. Return false on an error: see error or nomem.
bool wfi_program_read_elf(struct wf_program *p);
bool wfi_program_read_map(struct wf_program *p);
bool wfi_program_read_nm(struct wf_program *p);

bool wfi_program_add(struct wf_program *p, const struct wfi_symbol *symbol);
// Copies a name into the pool. Returns null when out of memory.
const char *wfi_program_keep(struct wf_program *p, const char *text, size_t len);
bool wfi_program_wrong(struct wf_program *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// For text files of an AVR: finds the start of data from the symbols.
void wfi_program_find_ram(struct wf_program *p);

// A line of a text file, split into words.
enum { WFI_WORDS_MAX = 6 };
struct wfi_line {
    const char *at, *end; // without the end of line
    unsigned number;
    size_t indent;
    struct {
        const char *at;
        size_t len;
    } word[WFI_WORDS_MAX]; // the first ones
    unsigned words;
};
bool wfi_program_line(const struct wf_program *p, struct wfi_line *line);
// Parses a hexadecimal number with or without 0x. Returns false when it is none.
bool wfi_program_hex(const char *text, size_t len, uint64_t *value);

// Writes "[3].lock" for an offset into a symbol to text, "[0]" for the first of several structures.
// Returns 0 when debug data has no name for it.
size_t wfi_members_name(struct wf_program *p, const struct wfi_symbol *symbol, uint64_t offset,
                        char *text, size_t cap);
// Returns the name of the type of the variable at an address, without qualifiers; null: not known.
const char *wfi_members_type(struct wf_program *p, uint64_t address);
void wfi_members_close(struct wfi_members *m);

// Returns a demangled C++ name in new memory; null when it is no C++ name.
char *wfi_demangle(const char *name);

#endif
