// SPDX-License-Identifier: MIT
// Diagnoses of the program file: whether the recorder in it can work, by what wf_firmware.h finds.
// Checks that presuppose a recorder, or that the target runs this file, are left out without it.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "elf.h"

typedef unsigned long long ull;

void doctor_elf_open(struct doctor *d) {
    struct wf_input input = {.bytes = NULL};
    struct wf_error error = {.code = WF_OK};
    if (d->elf) {
        d->program = wf_input_open(d->elf, &input, &error) == WF_OK &&
                     wf_firmware_read(input.bytes, input.len, &d->firmware, &error);
        wf_input_close(&input);
        d->failed |= error.code == WF_ERR_NOMEM;
        snprintf(d->elf_why, sizeof d->elf_why, "%s", error.text);
        // Without symbols there are no names, which stream_names reports as an error.
        if (!d->program || d->firmware.symbols == WF_FIRMWARE_STRIPPED) return;
    }
    int code = stream_names(d->args, &d->names);
    if (code != EXIT_GOOD) d->code = code;
}

static enum wf_firmware_use use_of(const struct doctor *d, enum wf_firmware_uses use) {
    return d->firmware.uses[use];
}

static bool is_unused(const struct doctor *d, enum wf_firmware_uses use) {
    return use_of(d, use) == WF_FIRMWARE_ABSENT || use_of(d, use) == WF_FIRMWARE_UNUSED;
}

static const char *missing(enum wf_firmware_use use) {
    return use == WF_FIRMWARE_ABSENT ? "not in the program"
                                     : "in the program, but nothing calls it";
}

static bool is_target_s(const struct doctor *d) {
    return !doctor_has(d, DOCTOR_OTHER_BUILD) && !doctor_has(d, DOCTOR_OTHER_OPTIONS);
}

// Reports what the program has in place of a recorder. Returns whether there is one.
static bool check_recorder(struct doctor *d) {
    const struct wf_firmware_info *f = &d->firmware;
    if (f->recorder == WF_FIRMWARE_OFF) {
        if (f->options[WF_FIRMWARE_TEXT] != 1)
            doctor_find(d, DOCTOR_RECORDER_OFF, NULL, "%s",
                        f->version[0] ? "WF_CFG_ON=0 in all sources that include the recorder"
                                      : "a transport is in the program, the recorder is not");
        return false;
    }
    if (f->recorder == WF_FIRMWARE_NO_RECORDER) {
        doctor_find(d, DOCTOR_NO_RECORDER, NULL, "%s%s",
                    f->version[0]
                        ? "its headers are included, but nothing of it is linked"
                        : "neither its variables nor its text in .comment are in the file",
                    f->on_os ? "; it is a program of an operating system" : "");
        return false;
    }
    return f->recorder != WF_FIRMWARE_UNKNOWN_RECORDER;
}

static void check_start(struct doctor *d) {
    const char *slots = d->firmware.recorder == WF_FIRMWARE_SLOTS ? "wf_slots_start" : "wf_start";
    if (is_unused(d, WF_FIRMWARE_START))
        doctor_find(d, DOCTOR_NOT_STARTED, NULL, "%s is %s", slots,
                    missing(use_of(d, WF_FIRMWARE_START)));
    if (!is_unused(d, WF_FIRMWARE_FILTER) || use_of(d, WF_FIRMWARE_START) != WF_FIRMWARE_USED)
        return;
    enum wf_firmware_use commands = use_of(d, WF_FIRMWARE_COMMANDS);
    if (commands == WF_FIRMWARE_UNDECIDED) return;
    doctor_find(d, commands == WF_FIRMWARE_USED ? DOCTOR_ON_BY_COMMAND : DOCTOR_NOTHING_ON, NULL,
                "wf_filter is %s", missing(use_of(d, WF_FIRMWARE_FILTER)));
}

// Where the bytes leave the target.
static const char *way_out(const struct doctor *d) {
    if (use_of(d, WF_FIRMWARE_UART) == WF_FIRMWARE_USED) return "wf_uart";
    if (use_of(d, WF_FIRMWARE_RTT) == WF_FIRMWARE_USED) return "wf_rtt";
    return use_of(d, WF_FIRMWARE_DRAIN) == WF_FIRMWARE_USED ? "the program" : NULL;
}

static void check_reader(struct doctor *d) {
    const struct wf_firmware_info *f = &d->firmware;
    if (is_unused(d, WF_FIRMWARE_DRAIN)) {
        const bool slots = f->recorder == WF_FIRMWARE_SLOTS;
        const char *reader = slots ? "wf_slots_read" : "wf_get_byte and wf_get_block";
        const bool rtt = use_of(d, WF_FIRMWARE_RTT_INIT) == WF_FIRMWARE_USED;
        const bool memory = slots || f->options[WF_FIRMWARE_BOX] == 1;
        doctor_find(d, memory ? DOCTOR_MEMORY_ONLY : DOCTOR_NOT_READ, NULL, "%s: %s%s", reader,
                    use_of(d, WF_FIRMWARE_DRAIN) == WF_FIRMWARE_ABSENT
                        ? "not in the program"
                        : "in the program, but only functions call them that nothing calls",
                    rtt ? "; wf_rtt_init is called, but not wf_rtt_poll" : "");
    }
    if (use_of(d, WF_FIRMWARE_RTT) == WF_FIRMWARE_USED && is_unused(d, WF_FIRMWARE_RTT_INIT))
        doctor_find(d, DOCTOR_RTT_NOT_STARTED, NULL, "wf_rtt_init is %s",
                    missing(use_of(d, WF_FIRMWARE_RTT_INIT)));
    if (use_of(d, WF_FIRMWARE_RTT) == WF_FIRMWARE_USED && f->segger_rtt)
        doctor_find(d, DOCTOR_TWO_CONTROL_BLOCKS, NULL, "_SEGGER_RTT and wf_rtt_poll");
}

static void check_ring(struct doctor *d) {
    const struct wf_firmware_ring *r = &d->firmware.ring;
    if (r->known && !r->in_ram && d->firmware.ram_count)
        doctor_find(d, DOCTOR_RING_OUTSIDE, NULL, "%s%s%llu bytes at 0x%llX", r->name,
                    r->name[0] ? ": " : "", (ull)r->size, (ull)r->address);
}

static void check_kernel(struct doctor *d) {
    const struct wf_firmware_kernel *k = &d->firmware.kernel;
    if (!k->name) return;
    if (!k->port)
        doctor_find(d, DOCTOR_NO_PORT, NULL, "%s", k->name);
    else if (k->use == WF_FIRMWARE_ABSENT || k->use == WF_FIRMWARE_UNUSED)
        doctor_find(d, DOCTOR_HOOKS_MISSING, NULL, "%s: %s of %s is %s; %s", k->name, k->hook,
                    k->port, missing(k->use), k->remedy);
}

// What the checks above could not decide.
static void check_undecided(struct doctor *d) {
    static const struct {
        enum wf_firmware_uses use;
        const char *what;
    } needed[] = {{WF_FIRMWARE_START, "wf_start"},
                  {WF_FIRMWARE_FILTER, "wf_filter"},
                  {WF_FIRMWARE_DRAIN, "wf_get_byte or wf_get_block"}};
    char list[80] = "";
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        size_t len = strlen(list);
        if (use_of(d, needed[i].use) == WF_FIRMWARE_UNDECIDED)
            snprintf(list + len, sizeof list - len, "%s%s", len ? ", " : "", needed[i].what);
    }
    if (*list && d->firmware.symbols != WF_FIRMWARE_STRIPPED)
        doctor_find(d, DOCTOR_ELF_UNDECIDED, NULL, "whether it calls %s", list);
}

static void check_file(struct doctor *d) {
    const struct wf_firmware_info *f = &d->firmware;
    if (f->symbols == WF_FIRMWARE_STRIPPED)
        doctor_find(d, DOCTOR_ELF_STRIPPED, NULL, "%s",
                    f->version[0] ? "no symbol table"
                                  : "no symbol table, and no text of a recorder in .comment");
    if (f->symbols == WF_FIRMWARE_NAMES)
        doctor_find(d, DOCTOR_NO_DEBUG_DATA, NULL, "no section .debug_info");
    if (!f->has_build_id) doctor_find(d, DOCTOR_NO_BUILD_ID, NULL, "no note with a GNU build id");
    if (f->mixed) doctor_find(d, DOCTOR_OPTIONS_MIXED, NULL, "%s", f->mixed_options);
}

// Appends to a list of facts.
static void add(char text[DOCTOR_TEXT], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(char text[DOCTOR_TEXT], const char *format, ...) {
    size_t len = strlen(text);
    va_list list;
    if (len) len += (size_t)snprintf(text + len, DOCTOR_TEXT - len, ", ");
    if (len >= DOCTOR_TEXT) return;
    va_start(list, format);
    vsnprintf(text + len, DOCTOR_TEXT - len, format, list);
    va_end(list);
}

static void find_good(struct doctor *d) {
    const struct wf_firmware_info *f = &d->firmware;
    const struct wf_firmware_ring *r = &f->ring;
    char text[DOCTOR_TEXT] = "";
    bool slots = f->recorder == WF_FIRMWARE_SLOTS;
    add(text, "%s%swallfly %s", f->machine, f->machine[0] ? ", " : "",
        f->version[0] ? f->version : "of an unknown version");
    add(text, "%s",
        slots                                 ? "slots"
        : f->options[WF_FIRMWARE_PACKED] == 1 ? "packed frames"
                                              : "frames");
    if (r->known) add(text, "%llu bytes at 0x%llX", (ull)r->size, (ull)r->address);
    if (r->known && r->name[0]) add(text, "named %s", r->name);
    if (f->has_build_id) add(text, "build id %08" PRIX32, f->build_id);
    if (f->kernel.use == WF_FIRMWARE_USED) add(text, "%s calls the port", f->kernel.name);
    if (way_out(d)) add(text, "the bytes are sent by %s", way_out(d));
    doctor_find(d, DOCTOR_ELF_GOOD, NULL, "%s", text);
}

void doctor_elf(struct doctor *d) {
    if (!d->program) {
        doctor_find(d, DOCTOR_ELF_UNREADABLE, NULL, "%s", d->elf_why);
        return;
    }
    elf_compare(d);
    check_file(d);
    if (!check_recorder(d)) return;
    check_start(d);
    check_reader(d);
    check_ring(d);
    check_kernel(d);
    check_undecided(d);
    if (is_target_s(d)) find_good(d);
}
