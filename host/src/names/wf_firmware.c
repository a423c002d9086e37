// SPDX-License-Identifier: MIT
// Reads what the sections, segments and symbols of a program show of the recorder. The text of
// wf_note.h has priority: it is also in a stripped file, and where link-time optimization has put
// functions into others.

#include "wallfly_host/wf_firmware.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_firmware.h"

static const char *const use_names[WF_FIRMWARE_USE_COUNT][5] = {
#define WF_X(name, ...) {__VA_ARGS__, NULL},
    WF_FIRMWARE_USES(WF_X)
#undef WF_X
};

bool wfi_firmware_sections(const struct wf_program *p, bool code_only,
                           bool (*take)(void *ctx, const struct wfi_code *section), void *ctx) {
    GElf_Shdr h;
    uint64_t room = p->len; // sections of a real file do not overlap
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_PROGBITS || !(h.sh_flags & SHF_ALLOC))
            continue;
        if (code_only && !(h.sh_flags & SHF_EXECINSTR)) continue;
        if (h.sh_offset >= p->len || h.sh_size > p->len - h.sh_offset) continue;
        if (h.sh_size > room) continue;
        room -= h.sh_size;
        struct wfi_code section = {h.sh_addr, p->bytes + h.sh_offset, (size_t)h.sh_size,
                                   p->info.big_endian};
        if (!take(ctx, &section)) return false;
    }
    return true;
}

static void add_ram(struct wf_firmware_info *info, const GElf_Phdr *h) {
    if (info->ram_count == WF_FIRMWARE_RAM_MAX || h->p_vaddr > UINT64_MAX - h->p_memsz) return;
    info->ram[info->ram_count++] = (struct wf_firmware_range){h->p_vaddr, h->p_vaddr + h->p_memsz};
}

static void read_segments(const struct wf_program *p, struct wf_firmware_info *info) {
    size_t count;
    GElf_Phdr h;
    if (elf_getphdrnum(p->elf, &count) != 0 || count > p->len) return;
    for (size_t i = 0; i < count; ++i) {
        if (!gelf_getphdr(p->elf, (int)i, &h)) continue;
        info->on_os |= h.p_type == PT_INTERP || h.p_type == PT_DYNAMIC;
        if (h.p_type == PT_LOAD && (h.p_flags & PF_W) && h.p_memsz) add_ram(info, &h);
    }
}

static bool has_section(const struct wf_program *p, const char *const *names) {
    GElf_Shdr h;
    size_t strings;
    if (elf_getshdrstrndx(p->elf, &strings) != 0) return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) ? elf_strptr(p->elf, strings, h.sh_name) : NULL;
        for (const char *const *n = names; name && *n; ++n) {
            if (strcmp(*n, name) == 0) return true;
        }
    }
    return false;
}

static bool have_object(const struct wf_program *p, const char *name) {
    for (size_t i = 0; i < p->count; ++i) {
        if (p->symbols[i].object && strcmp(p->symbols[i].name, name) == 0) return true;
    }
    return false;
}

// Without the text of wf_note.h: the recorder's variables; or a transport without them, which is
// compiled to nothing but its own functions.
static enum wf_firmware_recorder by_symbols(const struct wfi_calls *c) {
    if (have_object(c->p, "wfi_slots")) return WF_FIRMWARE_SLOTS;
    if (have_object(c->p, "wfi")) return WF_FIRMWARE_FRAMES;
    if (!c->p->count) return WF_FIRMWARE_UNKNOWN_RECORDER;
    static const char *const transports[] = {"wf_rtt_poll",
                                             "wf_rtt_init",
                                             "wf_uart_poll",
                                             "wf_uart_kick",
                                             "wf_uart_dma_kick",
                                             "wf_freertos_drain_start",
                                             NULL};
    for (const char *const *t = transports; *t; ++t) {
        if (wfi_calls_have(c, *t)) return WF_FIRMWARE_OFF;
    }
    return WF_FIRMWARE_NO_RECORDER;
}

// With the text, symbols only show that its headers were included and nothing more.
static enum wf_firmware_recorder recorder_of(const struct wfi_calls *c,
                                             const struct wf_firmware_info *info) {
    if (!info->version[0]) return by_symbols(c);
    if (info->options[WF_FIRMWARE_ON] == 0) return WF_FIRMWARE_OFF;
    if (c->p->count && !c->inlined && !have_object(c->p, "wfi") && !have_object(c->p, "wfi_slots"))
        return WF_FIRMWARE_NO_RECORDER;
    return info->options[WF_FIRMWARE_SLOTS_OPTION] == 1 ? WF_FIRMWARE_SLOTS : WF_FIRMWARE_FRAMES;
}

static bool fill(struct wf_program *p, struct wf_firmware_info *info) {
    static const char *const debug[] = {".debug_info", ".zdebug_info", NULL};
    static const char *const abi[] = {".note.ABI-tag", NULL};
    struct wfi_calls calls;
    info->machine = p->info.machine;
    info->bits = p->info.bits;
    info->big_endian = p->info.big_endian;
    info->has_build_id = p->info.has_build_id;
    info->build_id = p->info.build_id;
    info->symbols = !p->count               ? WF_FIRMWARE_STRIPPED
                    : has_section(p, debug) ? WF_FIRMWARE_DEBUG
                                            : WF_FIRMWARE_NAMES;
    read_segments(p, info);
    info->on_os |= has_section(p, abi);
    info->segger_rtt = have_object(p, "_SEGGER_RTT");
    wfi_firmware_notes(p, info);
    bool good = wfi_calls_open(&calls, p);
    if (good) {
        info->recorder = recorder_of(&calls, info);
        for (unsigned i = 0; i < WF_FIRMWARE_USE_COUNT; ++i)
            info->uses[i] = wfi_calls_use(&calls, use_names[i]);
        wfi_firmware_kernel(&calls, info);
        wfi_firmware_ring(&calls, info);
    }
    wfi_calls_close(&calls);
    return good;
}

bool wf_firmware_read(const uint8_t *bytes, size_t len, struct wf_firmware_info *info,
                      struct wf_error *error) {
    struct wf_error own;
    struct wf_program *p = wfi_program_open(bytes, len, true, error ? error : &own);
    *info = (struct wf_firmware_info){.machine = ""};
    if (!p) return false;
    bool elf = p->info.kind == WF_PROGRAM_ELF;
    if (!elf) {
        wf_error_set(error, WF_ERR_BAD_PROGRAM,
                     "is a %s, which does not contain the program; give the ELF file",
                     p->info.kind_name);
    } else if (!fill(p, info)) {
        elf = false;
        wf_error_code(error, WF_ERR_NOMEM);
    }
    wf_program_close(p);
    return elf;
}
