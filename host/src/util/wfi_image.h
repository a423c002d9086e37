// SPDX-License-Identifier: MIT
// A memory image by addresses, raw or ELF, and the address of a symbol of a program.
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

// Returns null when the bytes are no ELF file. They must stay valid until elf_end.
Elf *wfi_elf_open(const uint8_t *bytes, size_t len);

// Returns false when out of memory.
bool wfi_image_open(struct wfi_image *image, const uint8_t *bytes, size_t len);
void wfi_image_close(struct wfi_image *image);

// Copies the bytes at an address, across adjacent pieces; to: null only checks. Returns false when
// not all of them are in the image.
bool wfi_image_copy(const struct wfi_image *image, uint64_t address, uint8_t *to, uint64_t len);
// Returns the offset in the image of the byte at an address; 0 when it is not in the image.
uint64_t wfi_image_offset(const struct wfi_image *image, uint64_t address);

// Returns the offset of the first of these bytes at or after `from`; SIZE_MAX: there are none.
size_t wfi_image_search(const struct wfi_image *image, size_t from, const char *pattern,
                        size_t len);
// Returns the number of bytes from an offset to the end of its piece, 0 outside of all pieces.
uint64_t wfi_image_room(const struct wfi_image *image, uint64_t offset);
// Returns false if the offset has no address: in a raw image, or outside of all pieces.
bool wfi_image_address(const struct wfi_image *image, uint64_t offset, uint64_t *address);

struct wfi_program {
    bool elf;               // it is an ELF file
    unsigned bits;          // 32, 64
    bool big_endian, moves; // moves: position-independent, addresses without the load address
    bool has_symbol;        // of the recorder's block
    uint64_t address, size; // of that symbol
};

void wfi_program_read(struct wfi_program *program, const uint8_t *bytes, size_t len,
                      const char *symbol);

#endif
