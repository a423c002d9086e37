// SPDX-License-Identifier: MIT
// Compares the program file with the target of a look. Build ids decide. Without them the options
// that the target reports can show that it runs another build, but never that it runs this one.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elf.h"

// Returns whether the build ids are known, and so nothing else need be compared.
static bool compare_build_ids(struct doctor *d, const struct wf_target *t) {
    const struct wf_firmware_info *f = &d->firmware;
    if (!f->has_build_id) return false;
    if (!t->build_id) {
        bool reported = t->hz != 0; // in the same record
        if (reported)
            doctor_find(d, DOCTOR_BUILD_ID_NOT_SENT, NULL,
                        "%08" PRIX32 " in the file, none in the trace", f->build_id);
        return false;
    }
    if (t->build_id != f->build_id)
        doctor_find(d, DOCTOR_OTHER_BUILD, NULL,
                    "build id %08" PRIX32 " in the file, %08" PRIX32 " in the trace", f->build_id,
                    t->build_id);
    return true;
}

static void add_difference(char text[DOCTOR_TEXT], const char *what, const char *unit, int file,
                           unsigned trace) {
    size_t len = strlen(text);
    snprintf(text + len, DOCTOR_TEXT - len, "%s%s: %d %sin the file, %u in the trace",
             len ? "; " : "", what, file, unit, trace);
}

static void compare_sizes(const struct doctor *d, const struct wf_target *t,
                          char text[DOCTOR_TEXT]) {
    static const struct {
        enum wf_firmware_option option;
        enum wf_type type;
    } sizes[] = {{WF_FIRMWARE_TIME, WF_TYPE_TIME}, {WF_FIRMWARE_OBJ, WF_TYPE_OBJ},
                 {WF_FIRMWARE_FUN, WF_TYPE_FUN},   {WF_FIRMWARE_SIG, WF_TYPE_SIG},
                 {WF_FIRMWARE_EVT, WF_TYPE_EVS},   {WF_FIRMWARE_QUEUE, WF_TYPE_EQC},
                 {WF_FIRMWARE_POOL, WF_TYPE_MPC},  {WF_FIRMWARE_BLOCK, WF_TYPE_MPS},
                 {WF_FIRMWARE_TIMER, WF_TYPE_TEC}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        int file = d->firmware.options[sizes[i].option];
        unsigned trace = t->bytes[sizes[i].type];
        if (file >= 0 && (unsigned)file != trace)
            add_difference(text, wf_types[sizes[i].type].sentence, "bytes ", file, trace);
    }
    int qs = d->firmware.options[WF_FIRMWARE_QS];
    if (t->known && qs >= 0 && t->version != (unsigned)qs)
        add_difference(text, "QS version", "", qs, t->version);
}

static void compare_kinds(const struct doctor *d, char text[DOCTOR_TEXT]) {
    enum wf_lane_format format = wf_lane_get_format(d->look.lane);
    enum wf_firmware_recorder recorder = d->firmware.recorder;
    size_t len = strlen(text);
    bool frames = format == WF_LANE_FRAMES && recorder == WF_FIRMWARE_SLOTS;
    bool slots = format == WF_LANE_SLOTS && recorder == WF_FIRMWARE_FRAMES;
    if (frames || slots)
        snprintf(text + len, DOCTOR_TEXT - len, "%s%s in the file, %s in the trace",
                 len ? "; " : "", frames ? "slots" : "frames", frames ? "frames" : "slots");
}

void elf_compare(struct doctor *d) {
    char text[DOCTOR_TEXT] = "";
    if (!d->look.session || !look_has_trace(&d->look)) return;
    if (wf_lane_format_is_foreign(wf_lane_get_format(d->look.lane))) return;
    const struct wf_target *t = wf_session_target(d->look.session);
    if (compare_build_ids(d, t)) return;
    if (t->sizes_known) compare_sizes(d, t, text);
    compare_kinds(d, text);
    if (*text) doctor_find(d, DOCTOR_OTHER_OPTIONS, NULL, "%s", text);
}
