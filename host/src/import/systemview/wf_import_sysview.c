// SPDX-License-Identifier: MIT
// SEGGER SystemView: a stream of packets as of the RTT channel, or a file (.SVDat) with a header of
// lines that begin with ';'. Sources: SEGGER's user manual of SystemView, and recordings. The
// packets have no checksum; a number of 7-bit groups that does not end, an unknown number or an
// impossible length is damage, and reading goes on where packets are plausible again.

#include <stdlib.h>
#include <string.h>

#include "import/systemview/wfi_sysview.h"

enum {
    HEADER_MAX = 16384, // of the header's lines
    SYNC_WITHIN = 32768 // bytes in which the first synchronisation is looked for
};
#define STEPPED_BACK 0xFF000000u // deltas from here on are of a clock that stepped back

const char *const wfi_sv_lacks[] = {
    "the reason why a task leaves the processor, except for kernels that record their calls "
    "(FreeRTOS V11) or that a task waits",
    "holders of mutexes and fill levels of queues, except for FreeRTOS V11",
    "the end, if events were lost at the end of the recording",
    NULL,
};

int wfi_sv_open_state(struct wfi_import *im) {
    struct wfi_sv *v = wfi_sv(im);
    v->core_count = 1;
    if (im->options.describe)
        wfi_sv_describe_file(im, im->options.describe, im->options.describe_len);
    return im->error.code == WF_ERR_NOMEM ? WF_ERR_NOMEM : WF_OK;
}

void wfi_sv_close(struct wfi_import *im) {
    struct wfi_sv *v = wfi_sv(im);
    for (size_t i = 0; i < v->names.cap; ++i) free(v->names.list[i].name);
    for (unsigned i = 0; i < WFI_SV_MODULES; ++i) free(v->modules[i].name);
    wfi_keys_close(&v->names.keys);
    wfi_keys_close(&v->tasks.keys);
    wfi_keys_close(&v->objects.keys);
    free(v->names.list);
    free(v->tasks.list);
    free(v->objects.list);
    free(v->dump);
    wfi_sv_describe_free(v);
}

// ---- the header

size_t wfi_sv_header(const uint8_t *bytes, size_t len, bool *complete) {
    size_t at = 0;
    *complete = false;
    while (at < len && bytes[at] == ';') {
        const uint8_t *end = memchr(bytes + at, '\n', len - at);
        if (!end) return at;
        at = (size_t)(end - bytes) + 1;
    }
    *complete = at < len;
    return at;
}

static bool skip_header(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last,
                        size_t *used) {
    bool complete;
    *used = wfi_sv_header(bytes, len, &complete);
    if (!complete && !last && len < HEADER_MAX) {
        *used = 0;
        return false;
    }
    if (!complete && *used < len)
        wfi_import_fail(im, im->at + *used, "the header has a line without an end");
    wfi_sv(im)->state = WFI_SV_BEGIN;
    return true;
}

// ---- the beginning, and damage

// The bytes before the first synchronisation are the rest of a packet of a ring, or of a stream
// that was joined; zeros are memory that was not written.
static void begin_at(struct wfi_import *im, const uint8_t *bytes, size_t at) {
    size_t zeros = 0;
    while (zeros < at && bytes[zeros] == 0) ++zeros;
    im->offset = im->at + at;
    if (zeros < at) wfi_import_beginning(im, 0);
    wfi_sv(im)->state = WFI_SV_PACKETS;
}

// Returns the number of bytes before the first packet; 0: more are needed.
static size_t find_beginning(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    size_t from = v->skipped < len ? (size_t)v->skipped : 0;
    size_t within = len < SYNC_WITHIN ? len : SYNC_WITHIN;
    size_t at = from < within ? wfi_sv_find_sync(bytes + from, within - from, false) : SIZE_MAX;
    if (at != SIZE_MAX) {
        v->skipped = 0;
        begin_at(im, bytes, from + at);
        return from + at;
    }
    // Zeros at the end may belong to a synchronisation that is not complete.
    size_t scanned = within;
    while (scanned && bytes[scanned - 1] == 0) --scanned;
    v->skipped = scanned;
    if (len < SYNC_WITHIN && !last) return 0;
    v->skipped = 0;
    v->skipped_at = im->at;
    v->state = WFI_SV_DAMAGED;
    v->joined = true;
    return 0;
}

static void report_skipped(struct wfi_import *im) {
    struct wfi_sv *v = wfi_sv(im);
    im->offset = v->skipped_at;
    if (v->joined)
        wfi_import_beginning(im, 0);
    else
        wfi_import_damage(im, v->skipped_at, v->skipped,
                          "not packets of SystemView; times after it are too early");
    wfi_sv_forget(im);
    v->joined = false;
    v->skipped = 0;
    v->state = WFI_SV_PACKETS;
}

static size_t find_packets(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    size_t at;
    bool found, decided = wfi_sv_resync(bytes, len, last, &at, &found);
    v->skipped += at;
    if (!decided) return at;
    if (!found) v->joined = false; // nothing in it is SystemView's
    if (v->skipped) report_skipped(im);
    v->state = WFI_SV_PACKETS;
    return at;
}

// ---- packets

static void advance_time(struct wfi_import *im, uint32_t delta) {
    struct wfi_sv_core *c = wfi_sv_core(im);
    if (delta < STEPPED_BACK || !c->timed)
        c->tick += delta;
    else
        c->tick -= c->tick < (uint32_t)-delta ? c->tick : (uint32_t)-delta;
    c->timed = true;
    im->tick = c->tick;
}

void wfi_sv_take(struct wfi_import *im, struct wfi_sv_packet *k) {
    advance_time(im, k->delta);
    wfi_sv_packet(im, k);
}

// A run of zeros. Returns the bytes used; 0: more are needed, as the run may go on.
static size_t skip_zeros(const uint8_t *p, size_t len, bool last, bool *sync) {
    size_t n = 0;
    while (n < len && p[n] == 0) ++n;
    *sync = n >= WFI_SV_SYNC || (n == len && last);
    if (n < len || last) return *sync ? n : 0;
    *sync = true;
    return n > 2 * WFI_SV_SYNC ? n - WFI_SV_SYNC : 0;
}

static size_t read_packets(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    const uint8_t *p = bytes, *end = bytes + len;
    while (p < end && !wfi_import_is_full(im)) {
        struct wfi_sv_packet k;
        if (*p == 0) {
            bool sync;
            size_t n = skip_zeros(p, (size_t)(end - p), last, &sync);
            p += n;
            if (n) continue;
            if (sync) break;
        }
        enum wfi_sv_framed how = wfi_sv_frame(p, end, &k);
        if (how == WFI_SV_MORE) {
            if (!last || end - p < 64) break;
            how = WFI_SV_BAD;
        }
        im->offset = im->at + (uint64_t)(p - bytes);
        if (how == WFI_SV_BAD || !wfi_sv_sound(&k)) {
            v->skipped = 0;
            v->skipped_at = im->offset;
            v->state = WFI_SV_DAMAGED;
            break;
        }
        p += k.len;
        wfi_sv_take(im, &k);
    }
    return (size_t)(p - bytes);
}

size_t wfi_sv_decode(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_sv *v = wfi_sv(im);
    const uint64_t first = im->at;
    size_t at = 0, n;
    for (;;) {
        const enum wfi_sv_state before = v->state;
        im->at = first + at;
        switch (before) {
        case WFI_SV_HEADER: (void)skip_header(im, bytes, len, last, &n); break;
        case WFI_SV_BEGIN: n = find_beginning(im, bytes + at, len - at, last); break;
        case WFI_SV_DAMAGED: n = find_packets(im, bytes + at, len - at, last); break;
        default: n = read_packets(im, bytes + at, len - at, last);
        }
        at += n;
        if (v->state == before || wfi_import_is_full(im)) break;
    }
    im->at = first;
    return at;
}

// ---- detection

// A header of a file: SYNC_WITHIN is more than it has. several: of a file with several cores.
static enum wfi_sniff sniff_header(const uint8_t *bytes, size_t len, bool whole, bool several) {
    static const char word[] = "SystemView", offset[] = "Offset Core1 ";
    bool complete, named = false, cores = false;
    size_t header = wfi_sv_header(bytes, len, &complete);
    for (size_t at = 0; at + sizeof offset - 1 <= header; ++at) {
        named |= memcmp(bytes + at, word, sizeof word - 1) == 0;
        cores |= memcmp(bytes + at, offset, sizeof offset - 1) == 0;
    }
    if (!complete && !whole && len < HEADER_MAX) return WFI_SNIFF_PERHAPS;
    if (cores != several) return WFI_SNIFF_NO;
    if (named) return WFI_SNIFF_YES;
    return wfi_sv_is_start(bytes + header, len - header);
}

static enum wfi_sniff sniff_stream(const uint8_t *bytes, size_t len, bool whole) {
    if (len && bytes[0] == ';') return sniff_header(bytes, len, whole, false);
    enum wfi_sniff sniff = wfi_sv_is_start(bytes, len);
    if (sniff != WFI_SNIFF_NO) return sniff == WFI_SNIFF_PERHAPS && whole ? WFI_SNIFF_NO : sniff;
    return wfi_sv_find_sync(bytes, len, true) == SIZE_MAX ? WFI_SNIFF_NO : WFI_SNIFF_YES;
}

static enum wfi_sniff sniff_cores(const uint8_t *bytes, size_t len, bool whole) {
    return len && bytes[0] == ';' ? sniff_header(bytes, len, whole, true) : WFI_SNIFF_NO;
}

const struct wfi_import_format wfi_import_systemview = {
    .name = "SystemView",
    .sniff = sniff_stream,
    .size = sizeof(struct wfi_sv),
    .open = wfi_sv_open_state,
    .decode = wfi_sv_decode,
    .close = wfi_sv_close,
    .lacks = wfi_sv_lacks,
};

const struct wfi_import_format wfi_import_systemview_cores = {
    .name = "SystemView",
    .sniff = sniff_cores,
    .whole = true,
    .size = sizeof(struct wfi_sv),
    .open = wfi_sv_open_state,
    .decode = wfi_sv_decode_cores,
    .close = wfi_sv_close,
    .lacks = wfi_sv_lacks,
};
