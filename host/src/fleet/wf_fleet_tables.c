// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_fleet.h"

#include "util/wfi_blocks.h"

#define WF_X(name, type, sentence) {#name, sentence, WF_FLEET_##type},
static const struct wf_fleet_column stream_columns[] = {WF_FLEET_STREAM(WF_X)};
static const struct wf_fleet_column segment_columns[] = {WF_FLEET_SEGMENT(WF_X)};
static const struct wf_fleet_column figure_columns[] = {WF_FLEET_FIGURE(WF_X)};
static const struct wf_fleet_column loss_columns[] = {WF_FLEET_LOSS(WF_X)};
static const struct wf_fleet_column hole_columns[] = {WF_FLEET_HOLE(WF_X)};
static const struct wf_fleet_column record_columns[] = {WF_FLEET_RECORD(WF_X)};
#undef WF_X

const struct wf_fleet_table wf_fleet_tables[WF_FLEET_TABLE_END] = {
#define WF_X(table, name, sentence, key, days)                                                     \
    {#name, sentence, key, name##_columns, sizeof name##_columns / sizeof *name##_columns, days},
    WF_FLEET_TABLES(WF_X)
#undef WF_X
};

const struct wf_fleet_type_info wf_fleet_types[WF_FLEET_TYPE_END] = {
#define WF_X(type, name, bytes) {name, bytes, (name)[0] == 'A'},
    WF_FLEET_TYPES(WF_X)
#undef WF_X
};

unsigned wf_fleet_class_of(uint64_t length) { return wfi_class_of(length); }
uint64_t wf_fleet_class_begin(unsigned class_number) { return wfi_class_begin(class_number); }
