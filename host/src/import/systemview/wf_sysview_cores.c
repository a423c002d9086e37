// SPDX-License-Identifier: MIT
// A file with the streams of several cores. Each has its own synchronisation and time base; the
// clocks of the cores are one, so packets are merged by time, those of lower cores first.

#include <stdlib.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"

// Reads "; Offset Core1 12262": the place of a stream, from the end of the header on.
static bool read_offset(const char *line, size_t len, unsigned *core, uint64_t *offset) {
    static const char word[] = "Offset Core";
    size_t at = 1;
    *core = 0;
    *offset = 0;
    while (at < len && line[at] == ' ') ++at;
    if (len - at < sizeof word || memcmp(line + at, word, sizeof word - 1) != 0) return false;
    at += sizeof word - 1;
    for (; at < len && line[at] >= '0' && line[at] <= '9'; ++at)
        if (*core < WFI_IMPORT_CORES) *core = 10 * *core + (unsigned)(line[at] - '0');
    if (at == len || line[at] != ' ') return false;
    for (++at; at < len && line[at] >= '0' && line[at] <= '9'; ++at)
        if (*offset < UINT64_C(1) << 48) *offset = 10 * *offset + (unsigned)(line[at] - '0');
    return true;
}

// Each stream ends where the next one begins.
static bool find_streams(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct wfi_sv *v = wfi_sv(im);
    bool complete;
    size_t header = wfi_sv_header(bytes, len, &complete);
    uint64_t before = 0;
    v->core_count = 0;
    for (size_t at = 0; at < header;) {
        const uint8_t *end = memchr(bytes + at, '\n', header - at);
        unsigned core;
        uint64_t offset;
        size_t n = (size_t)(end - bytes) - at;
        if (read_offset((const char *)bytes + at, n, &core, &offset)) {
            if (core != v->core_count || core >= WFI_IMPORT_CORES || offset < before ||
                offset > len - header) {
                wfi_import_fail(im, at, "the stream of core %u begins at %llu of %zu bytes", core,
                                (unsigned long long)offset, len - header);
                return false;
            }
            v->lanes[core].at = header + (size_t)offset;
            if (core) v->lanes[core - 1].end = v->lanes[core].at;
            v->lanes[core].end = len;
            before = offset;
            ++v->core_count;
        }
        at += n + 1;
    }
    return true;
}

// Goes to the next packet of a core, over a synchronisation or damage.
static bool find_packet(struct wfi_import *im, struct wfi_sv_lane *lane, const uint8_t *bytes) {
    while (!lane->ready && lane->at < lane->end) {
        const uint8_t *p = bytes + lane->at, *end = bytes + lane->end;
        struct wfi_sv_packet *k = &lane->packet;
        size_t zeros = 0, at;
        while (p + zeros < end && p[zeros] == 0) ++zeros;
        if (zeros >= WFI_SV_SYNC || p + zeros == end) {
            lane->at += zeros;
            continue;
        }
        lane->ready = wfi_sv_frame(p, end, k) == WFI_SV_WHOLE && wfi_sv_sound(k);
        if (lane->ready) break;
        bool found;
        (void)wfi_sv_resync(p + 1, (size_t)(end - p) - 1, true, &at, &found);
        im->offset = lane->at;
        wfi_import_damage(im, lane->at, at + 1, "not packets of SystemView");
        wfi_sv_forget(im);
        lane->at += at + 1;
    }
    return lane->ready;
}

static uint64_t time_of(const struct wfi_sv *v, unsigned core) {
    return v->cores[core].tick + v->lanes[core].packet.delta;
}

size_t wfi_sv_decode_cores(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    if (v->state == WFI_SV_HEADER) {
        if (!find_streams(im, bytes, len)) return len;
        v->several = v->core_count > 1;
        if (!v->core_count) v->core_count = 1;
        if (v->several) v->state = WFI_SV_PACKETS;
    }
    if (!v->several) return wfi_sv_decode(im, bytes, len, last);
    while (!wfi_import_is_full(im)) {
        unsigned next = v->core_count;
        for (unsigned core = 0; core < v->core_count; ++core) {
            im->core = core;
            if (!find_packet(im, &v->lanes[core], bytes)) continue;
            if (next == v->core_count || time_of(v, core) < time_of(v, next)) next = core;
        }
        if (next == v->core_count) return len;
        struct wfi_sv_lane *lane = &v->lanes[next];
        im->core = next;
        im->offset = lane->at;
        lane->at += lane->packet.len;
        lane->ready = false;
        wfi_sv_take(im, &lane->packet);
    }
    return 0;
}
