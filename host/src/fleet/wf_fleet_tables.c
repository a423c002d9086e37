// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_fleet.h"

#include <string.h>

#include "util/wfi_blocks.h"
#include "util/wfi_cursor.h"

#define WF_X(name, type, sentence) {#name, sentence, WF_FLEET_##type},
static const struct wf_fleet_column stream_columns[] = {WF_FLEET_STREAM(WF_X)};
static const struct wf_fleet_column segment_columns[] = {WF_FLEET_SEGMENT(WF_X)};
static const struct wf_fleet_column figure_columns[] = {WF_FLEET_FIGURE(WF_X)};
static const struct wf_fleet_column loss_columns[] = {WF_FLEET_LOSS(WF_X)};
static const struct wf_fleet_column hole_columns[] = {WF_FLEET_HOLE(WF_X)};
static const struct wf_fleet_column record_columns[] = {WF_FLEET_RECORD(WF_X)};
static const struct wf_fleet_column build_columns[] = {WF_FLEET_BUILD(WF_X)};
static const struct wf_fleet_column device_columns[] = {WF_FLEET_DEVICE(WF_X)};
static const struct wf_fleet_column command_columns[] = {WF_FLEET_COMMAND(WF_X)};
#undef WF_X

const struct wf_fleet_table wf_fleet_tables[WF_FLEET_TABLE_END] = {
#define WF_X(table, name, sentence, key, days)                                                     \
    {#name, sentence, key, name##_columns, sizeof name##_columns / sizeof *name##_columns, days},
    WF_FLEET_TABLES(WF_X)
#undef WF_X
};

const struct wf_fleet_table wf_fleet_command_table = {"command",
                                                      "a command that was sent to a device",
                                                      "device, sent",
                                                      command_columns,
                                                      sizeof command_columns /
                                                          sizeof *command_columns,
                                                      0};

const struct wf_fleet_type_info wf_fleet_types[WF_FLEET_TYPE_END] = {
#define WF_X(type, name, bytes) {name, bytes, (name)[0] == 'A'},
    WF_FLEET_TYPES(WF_X)
#undef WF_X
};

unsigned wf_fleet_class_of(uint64_t length) { return wfi_class_of(length); }
uint64_t wf_fleet_class_begin(unsigned class_number) { return wfi_class_begin(class_number); }

void wf_fleet_write_sizes(const uint8_t bytes[WF_TYPE_END], char letters[WF_FLEET_SIZES_MAX]) {
    for (unsigned t = 0; t < WF_TYPE_END; ++t) {
        if (!bytes[t]) continue;
        *letters++ = wf_types[t].letter;
        *letters++ = (char)('0' + bytes[t]);
    }
    *letters = 0;
}

bool wf_fleet_read_sizes(const char *letters, uint8_t bytes[WF_TYPE_END]) {
    memset(bytes, 0, WF_TYPE_END);
    for (; *letters; letters += 2) {
        unsigned t = 0;
        while (t < WF_TYPE_END && wf_types[t].letter != *letters) ++t;
        if (t == WF_TYPE_END || !letters[1] || !strchr("1248", letters[1])) return false;
        bytes[t] = (uint8_t)(letters[1] - '0');
    }
    return true;
}

// FNV-1a over words of 8 bytes, the last one filled with zeros, and the length; then the bits are
// mixed, as the high bits of a word do not reach the low ones.
uint64_t wf_fleet_hash(const void *bytes, size_t len) {
    const uint8_t *p = bytes;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < len; i += 8) {
        const unsigned n = len - i < 8 ? (unsigned)(len - i) : 8;
        h = (h ^ (n == 8 ? wfi_load(p + i, 8) : wfi_load(p + i, n))) * 1099511628211u;
        h ^= h >> 32;
    }
    h = (h ^ len) * 1099511628211u;
    return h ^ h >> 29;
}
