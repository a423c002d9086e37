// SPDX-License-Identifier: MIT
// A ThreadX trace buffer in an image of a target's memory: its header has its own address.

#include "util/wfi_image.h"
#include "wfi_threadx.h"

static bool is_buffer(const struct wfi_image *image, size_t at, struct wfi_import_found *found) {
    struct wfi_threadx_header h;
    unsigned wrong;
    uint64_t room = wfi_image_room(image, at);
    if (room < TXI_HEADER || wfi_threadx_header(image->bytes + at, &h, &wrong)) return false;
    if (h.events_end > room || h.current < h.events || h.current > h.events_end) return false;
    *found = (struct wfi_import_found){.at = at,
                                       .address = h.base,
                                       .has_address = true,
                                       .data = image->bytes + at,
                                       .len = h.events_end};
    return true;
}

bool wfi_threadx_find(const struct wfi_image *image, size_t from, struct wfi_import_found *found) {
    // In both byte orders of the id: BTXT, TXTB.
    for (size_t at = from; (at = wfi_image_search(image, at, "TXT", 3)) != SIZE_MAX; ++at) {
        if (at > from && image->bytes[at - 1] == 'B' && is_buffer(image, at - 1, found))
            return true;
        if (is_buffer(image, at, found)) return true;
    }
    return false;
}
