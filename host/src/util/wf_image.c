// SPDX-License-Identifier: MIT
// libelf reads the headers; their offsets are checked against the size of the image.

#include "wfi_image.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

Elf *wfi_elf_open(const uint8_t *bytes, size_t len) {
    if (len < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0) return NULL;
    if (elf_version(EV_CURRENT) == EV_NONE) return NULL;
    // libelf only reads it, although the parameter is not const.
    Elf *elf = elf_memory((char *)(uintptr_t)bytes, len);
    if (elf && elf_kind(elf) == ELF_K_ELF) return elf;
    elf_end(elf);
    return NULL;
}

static bool add_pieces(struct wfi_image *image, Elf *elf) {
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0 || count > image->len) count = 0;
    image->pieces = calloc(count + 1, sizeof *image->pieces);
    if (!image->pieces) return false;
    for (size_t i = 0; i < count; ++i) {
        GElf_Phdr h;
        if (!gelf_getphdr(elf, (int)i, &h) || h.p_type != PT_LOAD) continue;
        if (h.p_offset >= image->len || !h.p_filesz) continue;
        uint64_t room = image->len - h.p_offset;
        image->pieces[image->count++] =
            (struct wfi_piece){h.p_vaddr, h.p_offset, h.p_filesz < room ? h.p_filesz : room};
    }
    return true;
}

bool wfi_image_open(struct wfi_image *image, const uint8_t *bytes, size_t len) {
    *image = (struct wfi_image){.bytes = bytes, .len = len};
    Elf *elf = wfi_elf_open(bytes, len);
    bool good = !elf || add_pieces(image, elf);
    if (elf) elf_end(elf);
    image->elf = image->count != 0;
    if (!good || image->elf) return good;
    free(image->pieces);
    image->pieces = calloc(1, sizeof *image->pieces);
    if (!image->pieces) return false;
    image->pieces[0].len = len;
    image->count = 1;
    return true;
}

void wfi_image_close(struct wfi_image *image) { free(image->pieces); }

static const struct wfi_piece *find_piece(const struct wfi_image *image, uint64_t address) {
    for (size_t i = 0; i < image->count; ++i) {
        if (address - image->pieces[i].address < image->pieces[i].len) return &image->pieces[i];
    }
    return NULL;
}

bool wfi_image_copy(const struct wfi_image *image, uint64_t address, uint8_t *to, uint64_t len) {
    while (len) {
        const struct wfi_piece *piece = find_piece(image, address);
        if (!piece) return false;
        uint64_t at = address - piece->address, n = piece->len - at;
        if (n > len) n = len;
        if (to) memcpy(to, image->bytes + piece->offset + at, n);
        if (to) to += n;
        address += n;
        len -= n;
    }
    return true;
}

uint64_t wfi_image_offset(const struct wfi_image *image, uint64_t address) {
    const struct wfi_piece *piece = find_piece(image, address);
    return piece ? piece->offset + (address - piece->address) : 0;
}

size_t wfi_image_search(const struct wfi_image *image, size_t from, const char *pattern,
                        size_t len) {
    while (from < image->len && len <= image->len - from) {
        const uint8_t *p = memchr(image->bytes + from, pattern[0], image->len - from - len + 1);
        if (!p) break;
        if (memcmp(p, pattern, len) == 0) return (size_t)(p - image->bytes);
        from = (size_t)(p - image->bytes) + 1;
    }
    return SIZE_MAX;
}

static const struct wfi_piece *piece_at(const struct wfi_image *image, uint64_t offset) {
    for (size_t i = 0; i < image->count; ++i) {
        const struct wfi_piece *piece = &image->pieces[i];
        if (offset >= piece->offset && offset - piece->offset < piece->len) return piece;
    }
    return NULL;
}

uint64_t wfi_image_room(const struct wfi_image *image, uint64_t offset) {
    const struct wfi_piece *piece = piece_at(image, offset);
    return piece ? piece->len - (offset - piece->offset) : 0;
}

bool wfi_image_address(const struct wfi_image *image, uint64_t offset, uint64_t *address) {
    const struct wfi_piece *piece = image->elf ? piece_at(image, offset) : NULL;
    if (piece) *address = piece->address + (offset - piece->offset);
    return piece != NULL;
}

static bool find_symbol(Elf *elf, Elf_Scn *section, const char *symbol,
                        struct wfi_program *program) {
    GElf_Shdr h;
    if (!gelf_getshdr(section, &h) || h.sh_type != SHT_SYMTAB || !h.sh_entsize) return false;
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym s;
    for (int i = 0; data && gelf_getsym(data, i, &s); ++i) {
        const char *name = elf_strptr(elf, h.sh_link, s.st_name);
        if (!name || strcmp(name, symbol) != 0 || GELF_ST_TYPE(s.st_info) != STT_OBJECT) continue;
        program->has_symbol = s.st_size != 0;
        program->address = s.st_value;
        program->size = s.st_size;
        return true;
    }
    return false;
}

void wfi_program_read(struct wfi_program *program, const uint8_t *bytes, size_t len,
                      const char *symbol) {
    GElf_Ehdr h;
    memset(program, 0, sizeof *program);
    Elf *elf = wfi_elf_open(bytes, len);
    if (!elf) return;
    if (gelf_getehdr(elf, &h)) {
        program->elf = true;
        program->bits = gelf_getclass(elf) == ELFCLASS64 ? 64 : 32;
        program->big_endian = h.e_ident[EI_DATA] == ELFDATA2MSB;
        program->moves = h.e_type == ET_DYN;
        for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
            if (find_symbol(elf, s, symbol, program)) break;
        }
    }
    elf_end(elf);
}
