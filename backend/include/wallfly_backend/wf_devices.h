// SPDX-License-Identifier: MIT
// Lists the devices of a project's tables (wf_loader.h): newest version, last record, losses, and
// the longest intervals of some kinds. Places are times of the day, for a window (wf_window.h).
//
// Context: one thread; waits for the engine.
#ifndef WF_DEVICES_H
#define WF_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// O(NAME, "name", "in words", SQL)
#define WF_DEVICES_ORDERS(O)                                                                       \
    O(LOSS, "loss", "most missing first", "rate DESC, damaged DESC")                               \
    O(SEEN, "seen", "last seen first", "seen DESC")                                                \
    O(SILENT, "silent", "longest silent first", "seen")                                            \
    O(NAME, "name", "by name", "device")

enum wf_devices_order {
#define WF_DEVICES_ENUM(id, name, words, sql) WF_DEVICES_BY_##id,
    WF_DEVICES_ORDERS(WF_DEVICES_ENUM)
#undef WF_DEVICES_ENUM
        WF_DEVICES_ORDER_END
};

// The kinds of figures (wf_fleet.h) whose longest interval is listed.
enum { WF_DEVICES_KINDS = 8, WF_DEVICES_MOST = 200, WF_DEVICES_TEXT_MAX = 255 };
extern const char *const wf_devices_kinds[WF_DEVICES_KINDS];

struct wf_devices_options {
    size_t size;         // sizeof(struct wf_devices_options)
    const char *part;    // of the names of devices, at most 64 bytes; null: all
    const char *version; // the newest one of the devices, at most WF_DEVICES_TEXT_MAX; null: any
    enum wf_devices_order order;
    uint64_t from; // how many devices are left out before
    unsigned most; // devices, 1 to WF_DEVICES_MOST
};

// In ns since 1970 UTC; both are 0 if there is none, as when its segment has expired.
struct wf_device_place {
    uint64_t stream, from_ns, until_ns;
};

struct wf_device_worst {
    uint64_t count; // intervals; 0: there are none
    uint64_t longest_ns;
    uint64_t p99_ns;                    // exact to 1/64
    char name[WF_DEVICES_TEXT_MAX + 1]; // of the task, object or interrupt; longer ones are cut
    struct wf_device_place place;       // the segment in which the longest one ends
};

struct wf_device {
    char name[WF_FLEET_DEVICE_MAX + 1];
    char version[WF_DEVICES_TEXT_MAX + 1]; // of its newest segment
    uint64_t seen_ns;                      // time of its newest record, in ns since 1970 UTC
    uint64_t streams, records, damaged;    // damaged: bytes
    int64_t missing;
    struct wf_device_place loss;                    // where most records are missing at once
    struct wf_device_worst worst[WF_DEVICES_KINDS]; // with its newest version, by wf_devices_kinds
};

struct wf_devices {
    struct wf_device *list;
    size_t count;
    uint64_t all, records; // of all devices that match
    int64_t missing;
};

// Names of devices and versions are as they are in the tables, but zero bytes, which end them.
//   to       set; wf_devices_free frees it in any case
//   returns  WF_OK, the errors of wf_engine_run, WF_ERR_NOMEM, WF_ERR_USAGE (the project's name is
//            not valid, or a text is too long)
int wf_devices_read(struct wf_engine *engine, const char *project,
                    const struct wf_devices_options *options, struct wf_devices *to,
                    struct wf_error *error);
void wf_devices_free(struct wf_devices *devices);

// Gets the time of a device's newest record, in ns since 1970 UTC.
//   stream   of this stream; 0: of all
//   returns  as wf_devices_read, and WF_ERR_READ: there is no such device or stream
int wf_devices_seen(struct wf_engine *engine, const char *project, const char *device,
                    uint64_t stream, uint64_t *seen_ns, struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
