// SPDX-License-Identifier: MIT
// ELF files: what they show of the recorder.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_firmware.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_terminated(const char *text, size_t cap) {
    if (!memchr(text, 0, cap)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wf_firmware_info info;
    struct wf_error error;
    if (!wf_firmware_read(data, size, &info, &error)) {
        if (error.code == WF_OK || !error.text[0]) abort();
        return 0;
    }
    is_terminated(info.version, sizeof info.version);
    is_terminated(info.mixed_options, sizeof info.mixed_options);
    is_terminated(info.ring.name, sizeof info.ring.name);
    if (info.ram_count > WF_FIRMWARE_RAM_MAX) abort();
    if (info.mixed && !info.version[0]) abort();
    if (info.symbols == WF_FIRMWARE_STRIPPED && info.ring.known) abort();
    for (unsigned i = 0; i < WF_FIRMWARE_USE_COUNT; ++i) {
        if (info.symbols == WF_FIRMWARE_STRIPPED && info.uses[i] != WF_FIRMWARE_UNDECIDED) abort();
    }
    return 0;
}
