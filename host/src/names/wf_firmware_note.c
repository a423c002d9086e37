// SPDX-License-Identifier: MIT
// The texts of wf_note.h in .comment, and the kernel in the program.

#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfi_firmware.h"

const char *const wf_firmware_options[WF_FIRMWARE_OPTION_COUNT] = {
#define WF_X(option, name) name,
    WF_FIRMWARE_OPTIONS(WF_X)
#undef WF_X
};

enum { NOTE_MAX = 1024, NOTES_MAX = 64 };
static const char start[] = "wallfly ";

struct note {
    char version[24];
    int options[WF_FIRMWARE_OPTION_COUNT];
};

static void set_option(struct note *note, const char *name, const char *value) {
    char *end;
    for (unsigned i = 0; i < WF_FIRMWARE_OPTION_COUNT; ++i) {
        if (strcmp(wf_firmware_options[i], name) != 0) continue;
        long v = strtol(value, &end, 0);
        if (end != value && !*end && v >= 0 && v <= INT_MAX) note->options[i] = (int)v;
    }
}

// Parses "wallfly 0.1.0 on=1 slots=0". A value that is no number, such as an expression that the
// user gave, stays unknown.
static bool parse_note(const char *text, size_t len, struct note *note) {
    char copy[NOTE_MAX], *rest = NULL;
    const size_t skip = sizeof start - 1;
    if (len >= sizeof copy || len <= skip || memcmp(text, start, skip) != 0) return false;
    memcpy(copy, text + skip, len - skip);
    copy[len - skip] = 0;
    char *word = strtok_r(copy, " ", &rest);
    if (!word || !strchr("0123456789", *word) || strlen(word) >= sizeof note->version) return false;
    if (word[strspn(word, "0123456789.abcdefghijklmnopqrstuvwxyz-+")]) return false;
    snprintf(note->version, sizeof note->version, "%s", word);
    for (unsigned i = 0; i < WF_FIRMWARE_OPTION_COUNT; ++i) note->options[i] = -1;
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        if (!value) continue;
        *value = 0;
        set_option(note, word, value + 1);
    }
    return true;
}

static void add_difference(struct wf_firmware_info *info, const char *what, const char *a,
                           const char *b) {
    size_t len = strlen(info->mixed_options);
    char text[80];
    snprintf(text, sizeof text, "%s%s=%s and %s=%s", len ? ", " : "", what, a, what, b);
    if (len + strlen(text) >= sizeof info->mixed_options || strstr(info->mixed_options, text))
        return;
    snprintf(info->mixed_options + len, sizeof info->mixed_options - len, "%s", text);
}

static void compare_note(struct wf_firmware_info *info, const struct note *note) {
    char a[12], b[12];
    if (strcmp(info->version, note->version) != 0) {
        info->mixed = true;
        add_difference(info, "version", info->version, note->version);
    }
    for (unsigned i = 0; i < WF_FIRMWARE_OPTION_COUNT; ++i) {
        if (info->options[i] == note->options[i]) continue;
        info->mixed = true;
        snprintf(a, sizeof a, "%d", info->options[i]);
        snprintf(b, sizeof b, "%d", note->options[i]);
        add_difference(info, wf_firmware_options[i], info->options[i] < 0 ? "?" : a,
                       note->options[i] < 0 ? "?" : b);
    }
}

// The first note of a part that records is the program's.
static void take_note(struct wf_firmware_info *info, const struct note *note) {
    const bool first = !info->version[0];
    if (!first) compare_note(info, note);
    if (!first && (info->options[WF_FIRMWARE_ON] || !note->options[WF_FIRMWARE_ON])) return;
    memcpy(info->version, note->version, sizeof info->version);
    memcpy(info->options, note->options, sizeof info->options);
}

void wfi_firmware_notes(struct wf_program *p, struct wf_firmware_info *info) {
    GElf_Shdr h;
    size_t strings;
    unsigned count = 0;
    for (unsigned i = 0; i < WF_FIRMWARE_OPTION_COUNT; ++i) info->options[i] = -1;
    if (elf_getshdrstrndx(p->elf, &strings) != 0) return;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(p->elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) ? elf_strptr(p->elf, strings, h.sh_name) : NULL;
        if (!name || strcmp(name, ".comment") != 0 || h.sh_type == SHT_NOBITS) continue;
        if (h.sh_offset >= p->len || h.sh_size > p->len - h.sh_offset) continue;
        const char *at = (const char *)p->bytes + h.sh_offset, *end = at + h.sh_size;
        while (at < end) {
            const char *stop = memchr(at, 0, (size_t)(end - at));
            struct note note;
            if (!stop) stop = end;
            if (count < NOTES_MAX && parse_note(at, (size_t)(stop - at), &note)) {
                take_note(info, &note);
                ++count;
            }
            at = stop + 1;
        }
    }
}

// marks: functions of the kernel; own: one of the port, that no kernel has
static const struct kernel {
    const char *name, *mark, *port, *own, *hooks[3], *remedy;
} kernels[] = {
    {"FreeRTOS",
     "vTaskSwitchContext",
     "ports/rtos/freertos",
     NULL,
     {"wf_freertos_in"},
     "include wf_freertos.h as the last line of FreeRTOSConfig.h, add wf_freertos.c, and build the "
     "kernel again: its sources expand the hooks"},
    {"ThreadX",
     "_tx_thread_system_suspend",
     "ports/rtos/threadx",
     NULL,
     {"wf_threadx_event"},
     "include wf_threadx.h in tx_user.h, build the kernel with TX_INCLUDE_USER_DEFINE_FILE, and "
     "add wf_threadx.c"},
    {"Zephyr",
     "z_cstart",
     "ports/rtos/zephyr",
     "wf_zephyr_self",
     {"wf_zephyr_switched_in", "sys_trace_thread_switched_in_user"},
     "set CONFIG_WALLFLY=y, CONFIG_TRACING=y, and CONFIG_WALLFLY_FORMAT=y or "
     "CONFIG_TRACING_USER=y"},
    {"Atomthreads",
     "atomSched",
     "ports/rtos/atomthreads",
     NULL,
     {"wf_atom_switch"},
     "apply atomthreads.patch to the kernel's sources, and add wf_atomthreads.c"},
    {"RT-Thread", "rt_schedule", NULL, NULL, {NULL}, NULL},
    {"NuttX", "nx_start", NULL, NULL, {NULL}, NULL},
    {"ChibiOS", "chSchGoSleepS", NULL, NULL, {NULL}, NULL},
    {"CMSIS-RTX", "osRtxThreadDispatch", NULL, NULL, {NULL}, NULL},
    {"uC/OS", "OSIntCtxSw", NULL, NULL, {NULL}, NULL},
};

void wfi_firmware_kernel(const struct wfi_calls *c, struct wf_firmware_info *info) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
        const struct kernel *k = &kernels[i];
        if (!wfi_calls_have(c, k->mark)) continue;
        info->kernel = (struct wf_firmware_kernel){k->name, k->port, k->hooks[0], k->remedy,
                                                   WF_FIRMWARE_UNDECIDED};
        if (!k->port) return;
        info->kernel.use = wfi_calls_use(c, k->hooks);
        if (k->own && !c->inlined && !wfi_calls_have(c, k->own))
            info->kernel.use = WF_FIRMWARE_ABSENT;
        return;
    }
}
