// SPDX-License-Identifier: MIT
// The binary ring of FreeRTOS-BTF-Trace ("BTF2", version 1.4): a header of 44 bytes, a table of
// task names, and events of 16 bytes. Source of the layout: that project's TRACE_FORMAT.md. Tasks
// are identified by FreeRTOS' task number; the recorder has no interrupts and no reasons.

#include <string.h>

#include "util/wfi_cursor.h"
#include "util/wfi_image.h"
#include "wfi_btf.h"

enum { HEADER = 44, EVENT = 16, TASKS_MAX = 65536, NAME_MAX_BYTES = 4096, VERSION = 0x00010004 };

// Types of events (bits 0 to 23 of the last word).
enum {
    TASK_IN = 1,
    TASK_OUT,
    TASK_CREATE,
    TASK_DELETE,
    TASK_SUSPEND,
    TASK_RESUME,
    TASK_RESUME_ISR,
    QUEUE_CREATE,
    QUEUE_SEND,
    QUEUE_RECEIVE,
    QUEUE_DELETE,
    TICK,
    INTERVAL_BEGIN,
    INTERVAL_END,
    PRIORITY,
    INHERIT,
    DISINHERIT,
    TAG_FIRST = 90,
    TAG_LAST = 97
};

struct ring {
    bool begun;
    uint32_t cores, task_slots, name_bytes, event_slots, events, current;
    uint32_t next;    // event that is decoded next, from the oldest on
    uint32_t missing; // events before it that the file does not have
    bool timed;
    uint32_t last_stamp;
    uint64_t tick;
    bool left[WFI_IMPORT_CORES]; // a task has left the core, and none has followed
    uint64_t left_at[WFI_IMPORT_CORES];
};

static const char *const lacks[] = {"interrupts", "the reason why a task leaves the processor",
                                    "fill levels of queues", "holders of mutexes", NULL};

static enum wfi_sniff sniff_ring(const uint8_t *bytes, size_t len, bool whole) {
    static const uint8_t magic[] = {'B', 'T', 'F', '2', 1, 0, 0, 0};
    size_t n = len < sizeof magic ? len : sizeof magic;
    if (memcmp(bytes, magic, n) != 0) return WFI_SNIFF_NO;
    if (n >= 4) return WFI_SNIFF_YES; // "BTF2", also of a file that ends there
    return whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}

static uint32_t get32(const uint8_t *p) { return (uint32_t)wfi_load(p, 4); }

static bool find_ring(const struct wfi_image *image, size_t from, struct wfi_import_found *found) {
    for (size_t at = from; (at = wfi_image_search(image, at, "BTF2\1\0\0", 8)) != SIZE_MAX; ++at) {
        const uint8_t *p = image->bytes + at;
        uint64_t room = wfi_image_room(image, at);
        if (room < HEADER || get32(p + 8) != VERSION) continue;
        uint64_t tasks = get32(p + 20), name_bytes = get32(p + 24), slots = get32(p + 28);
        if (tasks > TASKS_MAX || name_bytes > NAME_MAX_BYTES || get32(p + 36) > slots) continue;
        uint64_t size = HEADER + tasks * name_bytes + slots * EVENT;
        if (size > room) continue;
        *found = (struct wfi_import_found){.at = at, .data = p, .len = (size_t)size};
        return true;
    }
    return false;
}

static bool read_header(struct wfi_import *im, const uint8_t *bytes, size_t len) {
    struct ring *r = im->state;
    if (len < HEADER) {
        wfi_import_fail(im, len, "the header has 44 bytes, the file ends before");
        return false;
    }
    uint32_t version = get32(bytes + 8), hz = get32(bytes + 12);
    r->cores = get32(bytes + 16);
    r->task_slots = get32(bytes + 20);
    r->name_bytes = get32(bytes + 24);
    r->event_slots = get32(bytes + 28);
    r->events = get32(bytes + 36);
    r->current = get32(bytes + 40);
    uint64_t names = (uint64_t)r->task_slots * r->name_bytes;
    if (version != VERSION)
        wfi_import_fail(im, 8, "version 0x%08X, only 0x%08X can be read", version, VERSION);
    else if (r->cores < 1 || r->cores > WFI_IMPORT_CORES)
        wfi_import_fail(im, 16, "%u cores", r->cores);
    else if (r->task_slots > TASKS_MAX || r->name_bytes > NAME_MAX_BYTES)
        wfi_import_fail(im, 20, "%u tasks with names of %u bytes", r->task_slots, r->name_bytes);
    else if (r->events > r->event_slots)
        wfi_import_fail(im, 36, "%u events in a ring of %u", r->events, r->event_slots);
    else if (len < HEADER + names)
        wfi_import_fail(im, len, "the file ends in the table of names");
    if (im->error.code != WF_OK) return false;
    wfi_import_target(im, hz, 4, r->cores);
    return true;
}

static void name_tasks(struct wfi_import *im, const uint8_t *names) {
    const struct ring *r = im->state;
    for (uint32_t i = 0; i < r->task_slots; ++i) {
        const uint8_t *name = names + (size_t)i * r->name_bytes;
        im->offset = HEADER + (uint64_t)i * r->name_bytes;
        if (r->name_bytes && name[0])
            wfi_import_name(im, wfi_btf_task_key(i), (const char *)name, r->name_bytes);
    }
}

// ---- events

// The task that left is followed by the next one that runs on the core; the reason is not recorded.
static void switch_to(struct wfi_import *im, uint32_t number) {
    struct ring *r = im->state;
    r->left[im->core] = false;
    wfi_import_switch(im, wfi_btf_task_key(number), WF_REASON_unknown);
}

// The first event of a core may be that its task leaves.
static void leave(struct wfi_import *im, uint32_t number) {
    struct ring *r = im->state;
    const struct wfi_import_core *c = &im->cores[im->core];
    if (!c->known || c->task != wfi_btf_task_key(number)) switch_to(im, number);
    r->left[im->core] = true;
    r->left_at[im->core] = im->tick;
}

// At the end: no task has followed.
static void end_runs(struct wfi_import *im) {
    struct ring *r = im->state;
    for (unsigned i = 0; i < r->cores; ++i) {
        if (!r->left[i]) continue;
        im->core = i;
        im->tick = r->left_at[i];
        wfi_import_switch(im, 0, WF_REASON_unknown);
        r->left[i] = false;
    }
}

static void take_queue(struct wfi_import *im, uint32_t type, uint32_t kind, uint32_t queue) {
    static const enum wfi_btf_call calls[] = {WFI_BTF_CREATE, WFI_BTF_SEND, WFI_BTF_RECEIVE,
                                              WFI_BTF_DELETE};
    if (kind > WFI_BTF_RECURSIVE) kind = WFI_BTF_QUEUE;
    wfi_btf_queue_call(im, calls[type - QUEUE_CREATE], (enum wfi_btf_queue)kind, queue);
}

static void take_unknown(struct wfi_import *im, uint32_t type, uint32_t p1, uint32_t p2) {
    const struct wfi_import_field fields[] = {{"type", WFI_FIELD_UNSIGNED, type, NULL, 0},
                                              {"p1", WFI_FIELD_HEX, p1, NULL, 0},
                                              {"p2", WFI_FIELD_HEX, p2, NULL, 0}};
    wfi_import_event(im, "event", 5, fields, 3);
}

static void take_event(struct wfi_import *im, const uint8_t *e) {
    struct ring *r = im->state;
    uint32_t p1 = get32(e + 4), p2 = get32(e + 8), word = get32(e + 12), type = word & 0xFFFFFF;
    if (word >> 24 >= r->cores) {
        wfi_import_damage(im, im->offset, EVENT, "a core that is not there");
        memset(r->left, 0, sizeof r->left);
        return;
    }
    im->core = word >> 24;
    switch (type) {
    case TASK_IN: switch_to(im, p1); break;
    case TASK_OUT: leave(im, p1); break;
    case TASK_CREATE: WFI_IMPORT(im, task_create, wfi_btf_task_key(p1), p2); break;
    case TASK_DELETE: WFI_IMPORT(im, task_delete, wfi_btf_task_key(p1)); break;
    case TASK_SUSPEND: WFI_IMPORT(im, task_suspend, wfi_btf_task_key(p1)); break;
    case TASK_RESUME:
    case TASK_RESUME_ISR: WFI_IMPORT(im, task_ready, wfi_btf_task_key(p1)); break;
    case QUEUE_CREATE:
    case QUEUE_SEND:
    case QUEUE_RECEIVE:
    case QUEUE_DELETE: take_queue(im, type, p1, p2); break;
    case TICK: wfi_btf_tick(im, p1); break;
    case INTERVAL_BEGIN: wfi_btf_interval(im, true, p1); break;
    case INTERVAL_END: wfi_btf_interval(im, false, p1); break;
    case PRIORITY:
    case INHERIT:
    case DISINHERIT: WFI_IMPORT(im, task_priority, wfi_btf_task_key(p1), p2); break;
    default:
        if (type >= TAG_FIRST && type <= TAG_LAST)
            wfi_btf_tag(im, type - TAG_FIRST, p1);
        else
            take_unknown(im, type, p1, p2);
    }
}

// Of a file that is shorter than its header says.
static void report_missing(struct wfi_import *im) {
    struct ring *r = im->state;
    if (!r->missing) return;
    wfi_import_loss(im, r->missing, true, "the file is too short for its events");
    memset(r->left, 0, sizeof r->left);
    r->missing = 0;
}

static size_t decode_ring(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last) {
    struct ring *r = im->state;
    (void)last;
    if (!r->begun) {
        if (!read_header(im, bytes, len)) return len;
        r->begun = true;
        name_tasks(im, bytes + HEADER);
        if (r->events == r->event_slots && r->events) wfi_import_beginning(im, 0);
    }
    size_t first = HEADER + (size_t)r->task_slots * r->name_bytes;
    for (; r->next < r->events; ++r->next) {
        if (wfi_import_is_full(im)) return 0;
        uint32_t oldest = r->events == r->event_slots ? r->current % r->event_slots : 0;
        size_t at = first + (size_t)((oldest + (uint64_t)r->next) % r->event_slots) * EVENT;
        im->offset = at;
        if (at + EVENT > len) {
            ++r->missing;
            continue;
        }
        report_missing(im);
        uint32_t stamp = get32(bytes + at);
        r->tick = r->timed ? r->tick + (uint32_t)(stamp - r->last_stamp) : stamp;
        r->timed = true;
        r->last_stamp = stamp;
        im->tick = r->tick;
        take_event(im, bytes + at);
    }
    report_missing(im);
    end_runs(im);
    return len;
}

const struct wfi_import_format wfi_import_btf_ring = {
    .name = "FreeRTOS-BTF-Trace ring",
    .sniff = sniff_ring,
    .find = find_ring,
    .whole = true,
    .size = sizeof(struct ring),
    .decode = decode_ring,
    .lacks = lacks,
};
