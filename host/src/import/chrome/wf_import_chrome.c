// SPDX-License-Identifier: MIT
// Chrome trace events in JSON. Threads are tasks, but not on cores: the trace has no runs. Times
// are microseconds with a fraction; ticks are nanoseconds.

#include <stdlib.h>

#include "wfi_chrome.h"

static const char *const lacks[] = {"which thread runs on which core", "states of threads",
                                    "interrupts", "losses", NULL};

// ---- detection

// "ph" is in each event, and in no other JSON that is likely to be read.
static bool has_event(struct wfi_part p) {
    struct wfi_part after, name;
    while (wfi_part_find(p, "\"ph\"", NULL, &after)) {
        p = after;
        while (after.len && memchr(" \t\r\n", after.at[0], 4)) wfi_part_drop(&after, 1);
        if (!wfi_part_skip(&after, ":")) continue;
        while (after.len && memchr(" \t\r\n", after.at[0], 4)) wfi_part_drop(&after, 1);
        if (!wfi_part_skip(&after, "\"")) continue;
        name = wfi_part_cut(&after, '"');
        if (name.len == 1) return true;
    }
    return false;
}

static enum wfi_sniff sniff_chrome(const uint8_t *bytes, size_t len, bool whole) {
    struct wfi_part p = {(const char *)bytes, len};
    if (!wfi_import_is_text(bytes, len)) return WFI_SNIFF_NO;
    (void)wfi_part_skip(&p, "\xEF\xBB\xBF");
    while (p.len && memchr(" \t\r\n", p.at[0], 4)) wfi_part_drop(&p, 1);
    if (p.len && p.at[0] != '[' && p.at[0] != '{') return WFI_SNIFF_NO;
    if (has_event(p)) return WFI_SNIFF_YES;
    if (p.len && p.at[0] == '{' && wfi_part_find(p, "\"traceEvents\"", NULL, NULL))
        return WFI_SNIFF_YES;
    return whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}

// ---- decoding

static size_t decode_chrome(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    (void)last;
    if (!c->begun) {
        c->begun = true;
        wfi_import_target(im, 1000000000, 8, 0);
        wfi_chrome_index(im, (const char *)bytes, len);
    }
    for (; c->next < c->count; ++c->next) {
        if (wfi_import_is_full(im)) return 0;
        const struct wfi_chrome_entry *entry = &c->entries[c->next];
        struct wfi_json j = {(const char *)bytes, (size_t)entry->at + 1, len, false};
        struct wfi_chrome_event e;
        if (entry->at >= len || !wfi_chrome_read(&j, &e)) continue; // it was read before
        im->offset = entry->at;
        im->tick = (uint64_t)entry->ts - (uint64_t)c->zero;
        wfi_chrome_emit(im, entry, &e);
    }
    wfi_chrome_damage(im);
    return len;
}

static void close_chrome(struct wfi_import *im) {
    struct wfi_chrome *c = wfi_chrome_of(im);
    for (size_t i = 0; i < c->thread_count; ++i) free(c->threads[i].spans);
    free(c->threads);
    free(c->processes);
    free(c->entries);
    wfi_index_close(&c->thread_index);
    wfi_index_close(&c->process_index);
}

const struct wfi_import_format wfi_import_chrome = {
    .name = "Chrome trace events",
    .sniff = sniff_chrome,
    .whole = true,
    .size = sizeof(struct wfi_chrome),
    .decode = decode_chrome,
    .close = close_chrome,
    .lacks = lacks,
};
