// SPDX-License-Identifier: MIT
// Direct branches of machines, and pairs of instructions that load an address, as their manuals
// define them: what a compiler emits to call or tail-call a function, or to take its address. No
// flow of control is followed. Data between the code can look like a branch, but hardly ever to the
// first byte of one of a few functions.

#include <elf.h>

#include "util/wfi_cursor.h"
#include "wfi_firmware.h"

// Extends the sign of a number of `bits` bits.
static uint64_t extend(uint64_t value, unsigned bits) {
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    value &= (sign << 1) - 1;
    return (value ^ sign) - sign;
}

static unsigned bit(uint32_t word, unsigned n) { return word >> n & 1; }

static bool has(const struct wfi_code *code, size_t at, size_t len) {
    return at <= code->len && len <= code->len - at;
}

// The second half of a pair follows within a few instructions.
enum { PAIR_BYTES = 16 };

// MOVW (T3) or MOVT (T1): sets the register and the 16 bits.
static bool decode_move(const struct wfi_code *code, size_t at, uint32_t opcode, uint32_t *rd,
                        uint32_t *value) {
    if (!has(code, at, 4)) return false;
    const uint32_t a = (uint32_t)wfi_load(code->bytes + at, 2);
    const uint32_t b = (uint32_t)wfi_load(code->bytes + at + 2, 2);
    if ((a & 0xFBF0) != opcode || bit(b, 15)) return false;
    *rd = b >> 8 & 15;
    *value = (a & 15) << 12 | bit(a, 10) << 11 | (b >> 4 & 0x700) | (b & 0xFF);
    return true;
}

static bool decode_move_pair(const struct wfi_code *code, size_t at, uint64_t *target) {
    uint32_t rd, other, low, high;
    if (!decode_move(code, at, 0xF240, &rd, &low)) return false;
    for (size_t to = at + 4; to <= at + PAIR_BYTES; to += 2) {
        if (!decode_move(code, to, 0xF2C0, &other, &high) || other != rd) continue;
        *target = (high << 16 | low) & ~UINT32_C(1);
        return true;
    }
    return false;
}

// ARM ARM v7-M: B (T2, T3, T4), BL, BLX (T2).
static bool decode_thumb(const struct wfi_code *code, size_t at, uint64_t *target) {
    const uint64_t pc = code->address + at + 4;
    if (!has(code, at, 2)) return false;
    const uint32_t a = (uint32_t)wfi_load(code->bytes + at, 2);
    if ((a & 0xF800) == 0xE000) {
        *target = pc + extend((uint64_t)a << 1, 12);
        return true;
    }
    if ((a & 0xF800) != 0xF000 || !has(code, at, 4)) return false;
    const uint32_t b = (uint32_t)wfi_load(code->bytes + at + 2, 2), s = bit(a, 10);
    const uint64_t low = (uint64_t)(b & 0x7FF) << 1;
    if ((b & 0xD000) == 0x8000) { // conditional
        if ((a & 0x380) == 0x380) return false;
        *target = pc + extend((uint64_t)s << 20 | (uint64_t)bit(b, 11) << 19 |
                                  (uint64_t)bit(b, 13) << 18 | (uint64_t)(a & 0x3F) << 12 | low,
                              21);
        return true;
    }
    const bool exchange = (b & 0xD001) == 0xC000;
    if ((b & 0x9000) != 0x9000 && !exchange) return false;
    const uint64_t i1 = !(bit(b, 13) ^ s), i2 = !(bit(b, 11) ^ s);
    *target =
        (exchange ? pc & ~UINT64_C(3) : pc) +
        extend((uint64_t)s << 24 | i1 << 23 | i2 << 22 | (uint64_t)(a & 0x3FF) << 12 | low, 25);
    return true;
}

// Thumb, or at multiples of four A32: B, BL, BLX.
static bool decode_arm(const struct wfi_code *code, size_t at, uint64_t *target) {
    if (decode_thumb(code, at, target) || decode_move_pair(code, at, target)) return true;
    if ((code->address + at) % 4 || !has(code, at, 4)) return false;
    const uint32_t w = (uint32_t)wfi_load(code->bytes + at, 4);
    if ((w & 0x0E000000) != 0x0A000000) return false;
    *target = code->address + at + 8 + extend((uint64_t)w << 2, 26);
    if (w >> 28 == 0xF) *target += bit(w, 24) * 2;
    return true;
}

// CALL, JMP, Jcc, and LEA relative to RIP.
static bool decode_x86(const struct wfi_code *code, size_t at, uint64_t *target) {
    const uint8_t *p = code->bytes + at;
    size_t skip = 2;
    if (!has(code, at, 6)) {
        if (!has(code, at, 5) || (*p & 0xFE) != 0xE8) return false;
    }
    if ((*p & 0xFE) == 0xE8)
        skip = 1;
    else if (!(*p == 0x0F && (p[1] & 0xF0) == 0x80) && !(*p == 0x8D && (p[1] & 0xC7) == 0x05))
        return false;
    *target = code->address + at + skip + 4 + extend(wfi_load(p + skip, 4), 32);
    return true;
}

// ADRP, then ADD of the low 12 bits.
static bool decode_page(const struct wfi_code *code, size_t at, uint32_t w, uint64_t *target) {
    const uint64_t pages = extend((uint64_t)(w >> 5 & 0x7FFFF) << 2 | (w >> 29 & 3), 21);
    for (size_t to = at + 4; to <= at + PAIR_BYTES && has(code, to, 4); to += 4) {
        const uint32_t add = (uint32_t)wfi_load(code->bytes + to, 4);
        if ((add & 0xFFC00000) != 0x91000000 || (add >> 5 & 31) != (w & 31)) continue;
        *target = ((code->address + at) & ~UINT64_C(0xFFF)) + (pages << 12) + (add >> 10 & 0xFFF);
        return true;
    }
    return false;
}

// B, BL, ADRP with ADD.
static bool decode_aarch64(const struct wfi_code *code, size_t at, uint64_t *target) {
    if (!has(code, at, 4)) return false;
    const uint32_t w = (uint32_t)wfi_load(code->bytes + at, 4);
    if ((w & 0x9F000000) == 0x90000000) return decode_page(code, at, w, target);
    if ((w & 0x7C000000) != 0x14000000) return false;
    *target = code->address + at + extend((uint64_t)w << 2, 28);
    return true;
}

static uint64_t riscv_jal(uint32_t w) {
    return extend((uint64_t)bit(w, 31) << 20 | (w & 0xFF000) | (uint64_t)bit(w, 20) << 11 |
                      (w >> 20 & 0x7FE),
                  21);
}

// C.J and C.JAL.
static uint64_t riscv_short(uint32_t h) {
    return extend((uint64_t)bit(h, 12) << 11 | (uint64_t)bit(h, 8) << 10 | (h >> 1 & 0x300) |
                      (uint64_t)bit(h, 6) << 7 | (uint64_t)bit(h, 7) << 6 |
                      (uint64_t)bit(h, 2) << 5 | (uint64_t)bit(h, 11) << 4 | (h >> 2 & 0xE),
                  12);
}

// JAL; AUIPC or LUI with JALR or ADDI; C.J, C.JAL.
static bool decode_riscv(const struct wfi_code *code, size_t at, uint64_t *target) {
    const uint64_t pc = code->address + at;
    if (!has(code, at, 2)) return false;
    const uint32_t h = (uint32_t)wfi_load(code->bytes + at, 2);
    if ((h & 0x6003) == 0x2001) {
        *target = pc + riscv_short(h);
        return true;
    }
    if (!has(code, at, 4)) return false;
    const uint32_t w = (uint32_t)wfi_load(code->bytes + at, 4);
    if ((w & 0x7F) == 0x6F) {
        *target = pc + riscv_jal(w);
        return true;
    }
    const bool relative = (w & 0x7F) == 0x17;
    if ((!relative && (w & 0x7F) != 0x37) || !has(code, at, 8)) return false;
    const uint32_t next = (uint32_t)wfi_load(code->bytes + at + 4, 4);
    const bool follows = (next & 0x707F) == 0x67 || (next & 0x707F) == 0x13;
    if (!follows || (next >> 15 & 31) != (w >> 7 & 31)) return false;
    *target = (relative ? pc : 0) + extend(w & 0xFFFFF000, 32) + extend(next >> 20, 12);
    return true;
}

// LDI of the two bytes of a function's address in words.
static bool decode_ldi(const struct wfi_code *code, size_t at, uint32_t low, uint64_t *target) {
    if ((low & 0xF000) != 0xE000 || !has(code, at, 4)) return false;
    const uint32_t high = (uint32_t)wfi_load(code->bytes + at + 2, 2);
    if ((high & 0xF000) != 0xE000 || (high >> 4 & 15) != (low >> 4 & 15) + 1) return false;
    *target =
        2 * (uint64_t)((high & 0xF00) << 4 | (high & 15) << 8 | (low >> 4 & 0xF0) | (low & 15));
    return true;
}

// CALL, JMP, RCALL, RJMP.
static bool decode_avr(const struct wfi_code *code, size_t at, uint64_t *target) {
    if (!has(code, at, 2)) return false;
    const uint32_t h = (uint32_t)wfi_load(code->bytes + at, 2);
    if ((h & 0xE000) == 0xC000) {
        *target = code->address + at + 2 + extend((uint64_t)h << 1, 13);
        return true;
    }
    if ((h & 0xFE0C) != 0x940C || !has(code, at, 4)) return decode_ldi(code, at, h, target);
    const uint32_t high = (h >> 4 & 0x1F) << 1 | (h & 1);
    *target = ((uint64_t)high << 16 | wfi_load(code->bytes + at + 2, 2)) * 2;
    return true;
}

// A word of AVR's memory is too short to be a function's address beyond doubt.
static const struct wfi_branches machines[] = {
    {EM_ARM, 2, true, decode_arm},     {EM_386, 1, true, decode_x86},
    {EM_X86_64, 1, true, decode_x86},  {EM_AARCH64, 4, true, decode_aarch64},
    {EM_RISCV, 2, true, decode_riscv}, {EM_AVR, 2, false, decode_avr},
};

const struct wfi_branches *wfi_branches_of(unsigned machine, bool big) {
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        if (machines[i].machine == machine && !big) return &machines[i];
    }
    return NULL;
}
