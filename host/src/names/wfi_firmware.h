// SPDX-License-Identifier: MIT
// The inside of wf_firmware_read: its parts, and the graph of calls.
#ifndef WFI_FIRMWARE_H
#define WFI_FIRMWARE_H

#include "wallfly_host/wf_firmware.h"
#include "wfi_program.h"

// A piece of code or data with its contents.
struct wfi_code {
    uint64_t address;
    const uint8_t *bytes;
    size_t len;
    bool big;
};

// How direct branches are read. decode: returns whether a branch or the address of a function is at
// an offset, which is a multiple of `step`, and sets its target.
struct wfi_branches {
    unsigned machine, step; // EM_...
    bool words;             // data that equals a function's address is one
    bool (*decode)(const struct wfi_code *code, size_t at, uint64_t *target);
};
// Returns null for a machine whose branches are not read; all big-endian ones.
const struct wfi_branches *wfi_branches_of(unsigned machine, bool big);

struct wfi_call {
    uint32_t from, to; // numbers of functions; from: WFI_OUTSIDE, the caller is none of the graph's
    const struct wfi_symbol *caller; // null: data, or code without a symbol
};
#define WFI_OUTSIDE UINT32_MAX

// The recorder's functions, and which calls reach them.
struct wfi_calls {
    struct wf_program *p;
    const struct wfi_branches *branches; // null: not read
    const struct wfi_symbol **functions; // by address
    bool *used;                          // by function
    size_t count, cap;
    struct wfi_call *calls; // by caller
    size_t call_count, call_cap;
    bool inlined; // functions may be part of their callers: optimized when linked
};

// Returns false when out of memory.
bool wfi_calls_open(struct wfi_calls *c, struct wf_program *p);
void wfi_calls_close(struct wfi_calls *c);
// names: ends with a null
enum wf_firmware_use wfi_calls_use(const struct wfi_calls *c, const char *const *names);
// Returns whether this function is in the program, called or not.
bool wfi_calls_have(const struct wfi_calls *c, const char *name);
// Returns whether a function that calls one of the names has this word in its code.
bool wfi_calls_with_word(const struct wfi_calls *c, uint64_t word, const char *const *names);

// Reads the texts of wf_note.h; sets version, options and mixed.
void wfi_firmware_notes(struct wf_program *p, struct wf_firmware_info *info);
void wfi_firmware_ring(const struct wfi_calls *c, struct wf_firmware_info *info);
void wfi_firmware_kernel(const struct wfi_calls *c, struct wf_firmware_info *info);

// Calls `take` for each section with contents that is loaded. Stops when it returns false.
bool wfi_firmware_sections(const struct wf_program *p, bool code_only,
                           bool (*take)(void *ctx, const struct wfi_code *section), void *ctx);
// Returns the bytes of a pointer.
static inline unsigned wfi_firmware_word(const struct wf_program *p) {
    return p->machine == WFI_MACHINE_AVR ? 2 : p->info.bits / 8;
}

#endif
