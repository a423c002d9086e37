// SPDX-License-Identifier: MIT
// An image of a memory by addresses, whether raw or ELF, and where a program has a symbol.
#ifndef WFI_IMAGE_H
#define WFI_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wfi_piece {
    uint64_t address, offset, len; // offset + len never exceeds the image
};

struct wfi_image {
    const uint8_t *bytes;
    size_t len;
    bool elf; // else it is one piece whose addresses are offsets
    struct wfi_piece *pieces;
    size_t count;
};

// Null when these are no ELF file. The bytes must stay until elf_end.
Elf *wfi_elf_open(const uint8_t *bytes, size_t len);

// Returns false when out of memory.
bool wfi_image_open(struct wfi_image *image, const uint8_t *bytes, size_t len);
void wfi_image_close(struct wfi_image *image);

// Copies what lies at an address, over adjacent pieces; to: null only looks. False: not all of it
// is in the image.
bool wfi_image_copy(const struct wfi_image *image, uint64_t address, uint8_t *to, uint64_t len);
// Where a byte at an address lies in the image; 0 when it is not there.
uint64_t wfi_image_offset(const struct wfi_image *image, uint64_t address);

struct wfi_program {
    bool elf;               // it is one
    unsigned bits;          // 32, 64
    bool big_endian, moves; // moves: its addresses are relative to where it is loaded
    bool has_symbol;        // the recorder's block
    uint64_t address, size; // of that
};

void wfi_program_look(struct wfi_program *program, const uint8_t *bytes, size_t len,
                      const char *symbol);

#endif
