// SPDX-License-Identifier: MIT
// The binary ring of FreeRTOS-BTF-Trace ("BTF2", version 1.4): a header of 44 bytes, a table of
// task names, and events of 16 bytes. Source of the layout: that project's TRACE_FORMAT.md. Tasks
// are identified by FreeRTOS' task number; the recorder has no interrupts and no reasons.

#include <string.h>

#include "core/wfi_import.h"
#include "util/wfi_cursor.h"

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

// Kinds of queues, as FreeRTOS numbers them.
enum { KIND_QUEUE, KIND_MUTEX, KIND_COUNTING, KIND_BINARY, KIND_RECURSIVE };

struct ring {
    bool begun;
    uint32_t cores, task_slots, name_bytes, event_slots, events, current;
    uint32_t next; // event that is decoded next, from the oldest on
    bool timed;
    uint32_t last_stamp;
    uint64_t tick;
    uint64_t left[WFI_IMPORT_CORES]; // the task that left the core; 0: none
};

static const char *const lacks[] = {"interrupts", "the reason why a task leaves the processor",
                                    "fill levels of queues", "holders of mutexes", NULL};

static enum wfi_sniff sniff_ring(const uint8_t *bytes, size_t len, bool whole) {
    static const uint8_t magic[] = {'B', 'T', 'F', '2', 1, 0, 0, 0};
    size_t n = len < sizeof magic ? len : sizeof magic;
    if (memcmp(bytes, magic, n) != 0) return WFI_SNIFF_NO;
    if (n == sizeof magic) return WFI_SNIFF_YES;
    return whole ? WFI_SNIFF_NO : WFI_SNIFF_PERHAPS;
}

static uint32_t get32(const uint8_t *p) { return (uint32_t)wfi_load(p, 4); }

// Tasks, queues and texts have different keys: task numbers are small.
static uint64_t key_of_task(uint32_t number) { return UINT64_C(0x100000000) + number; }

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
            wfi_import_name(im, key_of_task(i), (const char *)name, r->name_bytes);
    }
}

// ---- events

// A task that left is followed by the one that runs on the core; the reason is not recorded.
static void switch_to(struct wfi_import *im, uint32_t number) {
    struct ring *r = im->state;
    r->left[im->core] = 0;
    wfi_import_switch(im, key_of_task(number), WF_REASON_unknown);
}

static void take_queue(struct wfi_import *im, uint32_t type, uint32_t kind, uint64_t queue) {
    static const struct {
        enum wfi_row create, destroy;
    } rows[] = {
        [KIND_QUEUE] = {WFI_ROW_queue_create, WFI_ROW_queue_delete},
        [KIND_MUTEX] = {WFI_ROW_mutex_create, WFI_ROW_mutex_delete},
        [KIND_COUNTING] = {WFI_ROW_sema_create, WFI_ROW_sema_delete},
        [KIND_BINARY] = {WFI_ROW_sema_create, WFI_ROW_sema_delete},
        [KIND_RECURSIVE] = {WFI_ROW_mutex_create, WFI_ROW_mutex_delete},
    };
    static const char *const words[][2] = {
        [KIND_QUEUE] = {"queue send", "queue receive"},
        [KIND_MUTEX] = {"mutex give", "mutex take"},
        [KIND_COUNTING] = {"semaphore give", "semaphore take"},
        [KIND_BINARY] = {"semaphore give", "semaphore take"},
        [KIND_RECURSIVE] = {"mutex give", "mutex take"},
    };
    if (kind > KIND_RECURSIVE) kind = KIND_QUEUE;
    const uint64_t values[] = {queue, 0};
    const struct wfi_import_field field = {"object", WFI_FIELD_ADDRESS, queue, NULL, 0};
    // Calls are recorded whether they succeed or not, without a count: they are events of their own
    // name, so that no holder and no fill level is derived from them.
    switch (type) {
    case QUEUE_CREATE: wfi_import_record(im, rows[kind].create, values); break;
    case QUEUE_DELETE: wfi_import_record(im, rows[kind].destroy, values); break;
    default: {
        const char *word = words[kind][type == QUEUE_RECEIVE];
        wfi_import_event(im, word, strlen(word), &field, 1);
    }
    }
}

static void take_priority(struct wfi_import *im, uint32_t number, uint32_t prio) {
    WFI_IMPORT(im, task_priority, key_of_task(number), prio);
}

static void take_tag(struct wfi_import *im, uint32_t type, uint32_t value) {
    char name[8] = "tag0";
    name[3] = (char)('0' + (type - TAG_FIRST));
    wfi_import_counter(im, name, 4, (int32_t)value);
}

static void take_event(struct wfi_import *im, const uint8_t *e) {
    struct ring *r = im->state;
    uint32_t p1 = get32(e + 4), p2 = get32(e + 8), word = get32(e + 12), type = word & 0xFFFFFF;
    im->core = (word >> 24) % WFI_IMPORT_CORES;
    switch (type) {
    case TASK_IN: switch_to(im, p1); break;
    case TASK_OUT: r->left[im->core] = key_of_task(p1); break;
    case TASK_CREATE: WFI_IMPORT(im, task_create, key_of_task(p1), p2); break;
    case TASK_DELETE: WFI_IMPORT(im, task_delete, key_of_task(p1)); break;
    case TASK_SUSPEND: WFI_IMPORT(im, task_suspend, key_of_task(p1)); break;
    case TASK_RESUME:
    case TASK_RESUME_ISR: WFI_IMPORT(im, task_ready, key_of_task(p1)); break;
    case QUEUE_CREATE:
    case QUEUE_SEND:
    case QUEUE_RECEIVE:
    case QUEUE_DELETE: take_queue(im, type, p1, p2); break;
    case TICK: break;
    case INTERVAL_BEGIN: wfi_import_span(im, true, "interval", 8); break;
    case INTERVAL_END: wfi_import_span(im, false, "interval", 8); break;
    case PRIORITY:
    case INHERIT:
    case DISINHERIT: take_priority(im, p1, p2); break;
    default:
        if (type >= TAG_FIRST && type <= TAG_LAST) take_tag(im, type, p1);
    }
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
            wfi_import_loss(im, r->events - r->next, false, "the file ends before");
            break;
        }
        uint32_t stamp = get32(bytes + at);
        r->tick = r->timed ? r->tick + (uint32_t)(stamp - r->last_stamp) : stamp;
        r->timed = true;
        r->last_stamp = stamp;
        im->tick = r->tick;
        take_event(im, bytes + at);
    }
    r->next = r->events;
    return len;
}

const struct wfi_import_format wfi_import_btf_ring = {
    .name = "FreeRTOS-BTF-Trace ring",
    .sniff = sniff_ring,
    .whole = true,
    .size = sizeof(struct ring),
    .decode = decode_ring,
    .lacks = lacks,
};
