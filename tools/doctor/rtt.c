// SPDX-License-Identifier: MIT
// Diagnoses of an RTT server. It passes on the bytes of one channel and no other information: a
// server that has found no control block looks like one whose channel is empty. The program file
// tells more: which memory the server must search, and whether the program fills the channel.

#include <stdio.h>
#include <string.h>

#include "look.h"

typedef unsigned long long ull;

// The memory to search, for OpenOCD: from the lowest to the highest address that the program
// writes, in one command for each segment.
static void search_text(const struct doctor *d, char text[DOCTOR_TEXT]) {
    const struct wf_firmware_info *f = &d->firmware;
    *text = 0;
    for (unsigned i = 0; d->program && i < f->ram_count; ++i) {
        size_t len = strlen(text);
        snprintf(text + len, DOCTOR_TEXT - len, "%s`rtt setup 0x%llX 0x%llX \"SEGGER RTT\"`",
                 len ? " or " : "; for this program: ", (ull)f->ram[i].from,
                 (ull)(f->ram[i].to - f->ram[i].from));
    }
}

// What the program file says of the channel.
static const char *program_text(const struct doctor *d) {
    if (!d->program) return "";
    switch (d->firmware.uses[WF_FIRMWARE_RTT]) {
    case WF_FIRMWARE_ABSENT: return "; wf_rtt_poll is not in the program";
    case WF_FIRMWARE_UNUSED: return "; nothing calls wf_rtt_poll in the program";
    default: return "";
    }
}

static void find_silent(struct doctor *d) {
    char setup[DOCTOR_TEXT];
    const bool jlink = strstr(d->look.why, "J-Link's banner") != NULL;
    search_text(d, setup);
    doctor_find(d, DOCTOR_RTT_SILENT, NULL, "%s: %s0 bytes of the target%s%s", d->look.peer,
                jlink ? "J-Link's banner, then " : "", program_text(d), jlink ? "" : setup);
}

static void check_channel(struct doctor *d) {
    if (d->look.lane && wf_lane_get_format(d->look.lane) == WF_LANE_SYSTEMVIEW)
        doctor_find(d, DOCTOR_RTT_CHANNEL, NULL, "SystemView's records");
    else if (doctor_has(d, DOCTOR_IS_TEXT))
        doctor_find(d, DOCTOR_RTT_CHANNEL, NULL, "text, as of a terminal's channel 0");
}

void doctor_rtt(struct doctor *d) {
    char setup[DOCTOR_TEXT];
    if (d->look.err || d->code != EXIT_GOOD) return; // reported with the link
    search_text(d, setup);
    if (!d->look.connected)
        doctor_find(d, DOCTOR_RTT_REFUSED, NULL, "%s%s", d->look.why, setup);
    else if (!d->look.bytes)
        find_silent(d);
    else
        check_channel(d);
}
