// SPDX-License-Identifier: MIT
// Where packets begin: at a synchronisation, or where a chain of packets is plausible. Packets have
// no checksum, but a reader that starts in the middle of one is in step again after few packets.
// So the first packets of a chain are not used.

#include <string.h>

#include "import/systemview/wfi_sysview.h"

enum {
    CHAIN = 24,           // packets of a chain
    CHAIN_LAST = 8,       // at the end of the input
    NOT_USED = 4,         // first packets of a chain
    PLAUSIBLE_LEN = 1024, // of a packet
    PLAUSIBLE_DELTA = 1 << 28
};

// The number of zeros at the front.
static size_t count_zeros(const uint8_t *bytes, size_t len) {
    size_t n = 0;
    while (n < len && bytes[n] == 0) ++n;
    return n;
}

size_t wfi_sv_find_sync(const uint8_t *bytes, size_t len, bool start) {
    for (size_t at = 0; at + WFI_SV_SYNC < len;) {
        const uint8_t *zero = memchr(bytes + at, 0, len - at);
        if (!zero) break;
        at = (size_t)(zero - bytes);
        size_t n = count_zeros(zero, len - at);
        if (n >= WFI_SV_SYNC && at + n < len) {
            size_t sync = at + n - WFI_SV_SYNC;
            if (!start || wfi_sv_is_start(bytes + sync, len - sync) == WFI_SNIFF_YES) return sync;
        }
        at += n;
    }
    return SIZE_MAX;
}

// TRACE_START and INIT, which every recorder sends first.
enum wfi_sniff wfi_sv_is_start(const uint8_t *bytes, size_t len) {
    const uint8_t *end = bytes + len;
    struct wfi_sv_packet k;
    size_t n = count_zeros(bytes, len);
    if (n == len && n <= WFI_SV_SYNC) return WFI_SNIFF_PERHAPS;
    if (n < WFI_SV_SYNC || n == len) return WFI_SNIFF_NO;
    bytes += n;
    static const uint8_t ids[] = {WFI_SV_TRACE_START, WFI_SV_INIT};
    for (unsigned i = 0; i < sizeof ids; ++i) {
        if (bytes < end && *bytes != ids[i]) return WFI_SNIFF_NO;
        enum wfi_sv_framed how = wfi_sv_frame(bytes, end, &k);
        if (how == WFI_SV_MORE) return WFI_SNIFF_PERHAPS;
        if (how == WFI_SV_BAD || !wfi_sv_is_sound(&k)) return WFI_SNIFF_NO;
        bytes += k.len;
    }
    return WFI_SNIFF_YES;
}

// Whether every number of the payload ends; what is after a string is not known.
static bool is_plausible(const struct wfi_sv_packet *packet) {
    struct wfi_sv_packet k = *packet;
    if (k.len > PLAUSIBLE_LEN || k.delta > PLAUSIBLE_DELTA) return false;
    if (k.id == WFI_SV_NOP || k.id == WFI_SV_TASK_TERMINATE + 1) return false;
    if (k.id < WFI_SV_OS_FIRST || k.id >= WFI_SV_MODULE_FIRST) return wfi_sv_is_sound(&k);
    return k.data == k.end || k.end[-1] < 0x80;
}

// Follows packets from the front. Returns MORE if that is not enough to decide.
static enum wfi_sv_framed follow(const uint8_t *bytes, size_t len, bool last, size_t *used_from) {
    size_t at = 0;
    *used_from = 0;
    for (unsigned i = 0; i < CHAIN; ++i) {
        struct wfi_sv_packet k;
        if (i <= NOT_USED) *used_from = at;
        if (count_zeros(bytes + at, len - at) >= WFI_SV_SYNC) return WFI_SV_WHOLE;
        enum wfi_sv_framed how = wfi_sv_frame(bytes + at, bytes + len, &k);
        if (how == WFI_SV_MORE && len - at <= PLAUSIBLE_LEN) {
            if (!last) return WFI_SV_MORE;
            return i >= CHAIN_LAST ? WFI_SV_WHOLE : WFI_SV_BAD;
        }
        if (how != WFI_SV_WHOLE || !is_plausible(&k)) return WFI_SV_BAD;
        at += k.len;
    }
    return WFI_SV_WHOLE;
}

bool wfi_sv_resync(const uint8_t *bytes, size_t len, bool last, size_t *at, bool *found) {
    *found = false;
    for (*at = 0; *at < len; ++*at) {
        size_t from, zeros = count_zeros(bytes + *at, len - *at);
        if (zeros >= WFI_SV_SYNC) {
            *found = true;
            return true;
        }
        if (zeros && *at + zeros == len && !last) return false;
        switch (follow(bytes + *at, len - *at, last, &from)) {
        case WFI_SV_WHOLE:
            *at += from;
            *found = true;
            return true;
        case WFI_SV_MORE: return false;
        default: break;
        }
    }
    return last;
}
