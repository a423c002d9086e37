// SPDX-License-Identifier: MIT
// ELF files: functions and objects of the symbol table, constant sections, the build id. libelf
// parses them; offsets into the file are checked against its length.

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "util/wfi_cursor.h"
#include "wfi_program.h"

static const struct {
    unsigned number;
    const char *name;
} machines[] = {
    {EM_386, "i386"},   {EM_X86_64, "x86-64"},   {EM_ARM, "ARM"},     {EM_AARCH64, "AArch64"},
    {EM_AVR, "AVR"},    {EM_RISCV, "RISC-V"},    {EM_PPC, "PowerPC"}, {EM_PPC64, "PowerPC64"},
    {EM_MIPS, "MIPS"},  {EM_XTENSA, "Xtensa"},   {EM_SPARC, "SPARC"}, {EM_MSP430, "MSP430"},
    {EM_S390, "S/390"}, {EM_TRICORE, "TriCore"},
};

static void set_machine(struct wf_program *p, unsigned number) {
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        if (machines[i].number == number) p->info.machine = machines[i].name;
    }
    if (number == EM_ARM) p->machine = WFI_MACHINE_THUMB;
    if (number == EM_AVR) p->machine = WFI_MACHINE_AVR;
}

// Reads the headers; returns whether it is a program at all.
static bool read_header(struct wf_program *p) {
    GElf_Ehdr h;
    const char *why = p->elf ? NULL : elf_errmsg(-1);
    if (why && strstr(why, "memory")) {
        p->nomem = true;
        return false;
    }
    if (!p->elf || !gelf_getehdr(p->elf, &h)) {
        return wfi_program_wrong(p, "byte 0: begins like an ELF file, but its header is damaged; "
                                    "build it again");
    }
    set_machine(p, h.e_machine);
    p->info.bits = gelf_getclass(p->elf) == ELFCLASS64 ? 64 : 32;
    p->info.big_endian = h.e_ident[EI_DATA] == ELFDATA2MSB;
    p->info.moves = h.e_type == ET_DYN;
    if (h.e_type == ET_REL)
        return wfi_program_wrong(p, "byte 16: is an object file, its addresses are not final; "
                                    "give the linked program");
    if (h.e_type == ET_CORE)
        return wfi_program_wrong(p, "byte 16: is a core; give the program that left it");
    size_t entry = h.e_shentsize ? h.e_shentsize : 1;
    if (h.e_shoff >= p->len || h.e_shnum > (p->len - h.e_shoff) / entry) {
        return wfi_program_wrong(p,
                                 "byte %llu: the section headers lie after the end of the file; "
                                 "it was cut, copy it again",
                                 (unsigned long long)h.e_shoff);
    }
    return true;
}

static bool add_symbol(struct wf_program *p, const GElf_Sym *s, const char *name,
                       const char *file) {
    unsigned type = GELF_ST_TYPE(s->st_info), bind = GELF_ST_BIND(s->st_info);
    bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
    bool object = type == STT_OBJECT || type == STT_COMMON;
    if ((!function && !object) || s->st_shndx == SHN_UNDEF || !name || !*name) return true;
    bool thumb = p->machine == WFI_MACHINE_THUMB && function && (s->st_value & 1);
    struct wfi_symbol symbol = {.address = s->st_value - thumb,
                                .size = s->st_size,
                                .name = name,
                                .object = object,
                                .function = function,
                                .thumb = thumb};
    if (bind == STB_LOCAL) symbol.file = file;
    symbol.binding = bind == STB_LOCAL ? WFI_LOCAL : bind == STB_WEAK ? WFI_WEAK : WFI_GLOBAL;
    return wfi_program_add(p, &symbol);
}

static bool read_symbols(struct wf_program *p) {
    GElf_Shdr h;
    GElf_Sym s;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_SYMTAB || !h.sh_entsize) continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        const char *file = NULL; // comes before its local symbols
        for (int i = 0; data && gelf_getsym(data, i, &s); ++i) {
            const char *name = elf_strptr(p->elf, h.sh_link, s.st_name);
            if (GELF_ST_TYPE(s.st_info) == STT_FILE)
                file = name;
            else if (!add_symbol(p, &s, name, file))
                return false;
        }
    }
    return true;
}

// A section that is loaded from the file and not written to by the program. An AVR has its
// constants in .data, unless they are placed in program memory.
static bool is_constant(const struct wf_program *p, const GElf_Shdr *h) {
    bool loaded = (h->sh_flags & SHF_ALLOC) && h->sh_type == SHT_PROGBITS;
    bool avr = p->machine == WFI_MACHINE_AVR && h->sh_addr >= WFI_AVR_DATA;
    bool inside = h->sh_offset < p->len && h->sh_size <= p->len - h->sh_offset;
    return loaded && inside && h->sh_size && (avr || !(h->sh_flags & SHF_WRITE));
}

static bool read_sections(struct wf_program *p) {
    GElf_Shdr h;
    size_t count;
    if (elf_getshdrnum(p->elf, &count) != 0) return true;
    p->ram = WFI_AVR_EEPROM;
    p->constants = calloc(count + 1, sizeof *p->constants);
    if (!p->constants) {
        p->nomem = true;
        return false;
    }
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        if (!gelf_getshdr(scn, &h)) continue;
        bool data = (h.sh_flags & SHF_ALLOC) && h.sh_addr >= WFI_AVR_DATA;
        if (data && h.sh_addr < p->ram) p->ram = h.sh_addr;
        if (!is_constant(p, &h) || p->constant_count == count) continue;
        p->constants[p->constant_count++] =
            (struct wfi_constant){h.sh_addr, h.sh_size, p->bytes + h.sh_offset};
    }
    return true;
}

// Returns true when it found the build id.
static bool read_notes(struct wf_program *p, Elf_Data *data) {
    GElf_Nhdr n;
    size_t name, desc;
    for (size_t at = 0, next; data && (next = gelf_getnote(data, at, &n, &name, &desc)) > 0;
         at = next) {
        const uint8_t *bytes = data->d_buf;
        bool gnu = n.n_namesz == 4 && memcmp(bytes + name, "GNU", 4) == 0;
        if (!gnu || n.n_type != NT_GNU_BUILD_ID || n.n_descsz < 4) continue;
        p->info.build_id = (uint32_t)wfi_load(bytes + desc, 4);
        p->info.has_build_id = p->info.build_id != 0;
        return true;
    }
    return false;
}

static void read_build_id(struct wf_program *p) {
    GElf_Shdr h;
    GElf_Phdr ph;
    size_t count;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_NOTE) continue;
        if (read_notes(p, elf_getdata(scn, NULL))) return;
    }
    if (elf_getphdrnum(p->elf, &count) != 0 || count > p->len) return;
    for (size_t i = 0; i < count; ++i) {
        if (!gelf_getphdr(p->elf, (int)i, &ph) || ph.p_type != PT_NOTE) continue;
        if (ph.p_offset > INT64_MAX) continue;
        Elf_Data *data =
            elf_getdata_rawchunk(p->elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_NHDR);
        if (read_notes(p, data)) return;
    }
}

bool wfi_program_read_elf(struct wf_program *p) {
    p->info.kind = WF_PROGRAM_ELF;
    p->info.kind_name = "ELF file";
    p->elf = wfi_elf_open(p->bytes, p->len);
    if (!read_header(p) || !read_sections(p)) return false;
    read_build_id(p);
    if (!read_symbols(p)) return false;
    if (p->count || p->bare) return true;
    return wfi_program_wrong(p,
                             "has no symbol table of functions and objects, it was stripped; give "
                             "the file as the linker left it");
}
