// SPDX-License-Identifier: MIT
// State of the importer of SEGGER SystemView. A recording has a stream of packets for each core;
// names, tasks and descriptions of events are those of the whole recording.
#ifndef WFI_SYSVIEW_H
#define WFI_SYSVIEW_H

#include "core/wfi_import.h"
#include "import/systemview/wfi_sysview_packet.h"
#include "util/wfi_keys.h"

enum {
    WFI_SV_TASKS = 65536,
    WFI_SV_OBJECTS = 65536,
    WFI_SV_BLOCKS = 65536, // of heaps
    WFI_SV_NAMES = 81920,  // with those of markers, data, timers
    WFI_SV_MODULES = 64,
    WFI_SV_NAME_MAX = 255,  // longer names are cut
    WFI_SV_CALLS = 6,       // nested calls of a task that are tracked
    WFI_SV_ELEMENT_MAX = 9, // of a number
    WFI_SV_OS_FIRST = 32,
    WFI_SV_MODULE_FIRST = 512
};

// ---- descriptions of events (wf_sysview_describe.c)

enum wfi_sv_type {
    WFI_SV_ANY, // a number that is not described
    WFI_SV_UNSIGNED,
    WFI_SV_SIGNED,
    WFI_SV_HEX,
    WFI_SV_ID, // of a task, a resource, or a pointer: shrunk
    WFI_SV_STRING,
    WFI_SV_NAMED // a value of `named`
};

struct wfi_sv_named { // a set of names for values ("NamedType", "TaskState")
    char *name;
    uint32_t mask; // of the value before it is looked up
    struct wfi_sv_value {
        uint32_t value;
        char *text;
    } * values;
    size_t count, cap;
};

struct wfi_sv_param {
    uint8_t *name; // an element, a text; null: no name
    uint32_t name_len;
    enum wfi_sv_type type;
    uint32_t named; // index, for NAMED
};

// What an event of an RTOS means for the model (wf_sysview_freertos.c).
enum wfi_sv_meaning {
    WFI_SV_NOTHING, // may change an object
    WFI_SV_HARMLESS,
// clang-format off
#define WFI_SV_MEANINGS(M) \
    M(SEND) M(SEND_ISR) M(GIVE_ISR) M(RECEIVE) M(TAKE) M(RECEIVE_ISR) M(TAKE_RECURSIVE) \
    M(GIVE_RECURSIVE) M(CREATE) M(CREATE_MUTEX) M(CREATE_COUNTING) M(DELETE_QUEUE) M(DELAY) \
    M(NOTIFY_TAKE) M(NOTIFY_WAIT) M(PRIORITY) M(INHERIT) M(DISINHERIT) M(HELD) M(PLACE) \
    M(PLACE_UNORDERED) M(PLACE_RESTRICTED) M(LIST_REMOVE) M(WAKE) M(SUSPEND_ALL) M(RESUME_ALL) \
    M(DELETE_TASK)
// clang-format on
#define WFI_SV_X(name) WFI_SV_##name,
    WFI_SV_MEANINGS(WFI_SV_X)
#undef WFI_SV_X
};

struct wfi_sv_call {
    char *name;
    size_t len;
    uint8_t meaning;
    uint8_t number; // of its event; 0: not yet
    size_t most;    // bytes of its elements, without its payload's texts
    uint64_t hash;  // of its description; 0: it has none
    uint64_t text;  // of wfi_import_text, its name; 0: not yet
    unsigned count;
    struct wfi_sv_param params[WFI_IMPORT_ARGS], result;
};

// ---- tasks and objects

struct wfi_sv_open { // a call that has not returned
    uint8_t meaning;
    bool done;     // its effect is emitted
    bool held;     // TAKE: the object is a mutex
    bool waited;   // a wait is emitted
    bool locked;   // the scheduler is suspended in it
    bool infinite; // it waits for ever
    bool null_item, overwrite;
    uint64_t object;
    uint32_t with, operations; // second argument; operations of the object when it was called
};

struct wfi_sv_calls {
    unsigned depth;
    struct wfi_sv_open at[WFI_SV_CALLS];
};

struct wfi_sv_task {
    uint64_t key;
    uint64_t name_hash;
    uint32_t epoch;       // the state below is of the part of the trace since that loss
    int prio, base, told; // as far as it is known; told: in its last TASK_INFO
    bool named, ended;
    bool seen;      // its switch-in or create was recorded, so that its later blocking is recorded
    bool outside;   // its open calls are known
    bool blocked;   // it is in a list of waiting tasks, without an event that says so
    bool doubtful;  // it may be
    bool leaving;   // TASK_STOP_READY was recorded
    uint8_t reason; // then
    uint64_t readied; // tick of its last TASK_START_READY
    struct wfi_sv_calls calls;
};

struct wfi_sv_object { // a queue, semaphore or mutex of FreeRTOS
    uint64_t key;
    uint32_t epoch;
    uint8_t kind;         // enum wfi_sv_kind
    bool counted, nested; // `count`, `nest` are known
    uint32_t count, length, nest, operations;
};
enum wfi_sv_kind { WFI_SV_KIND_UNKNOWN, WFI_SV_QUEUE, WFI_SV_SEMAPHORE, WFI_SV_MUTEX };

// A list with an index of its keys.
struct wfi_sv_tasks {
    struct wfi_keys keys;
    struct wfi_sv_task *list;
    size_t cap;
};
struct wfi_sv_objects {
    struct wfi_keys keys;
    struct wfi_sv_object *list;
    size_t cap;
};

// Markers, data samples, timers by number; blocks of heaps by address.
enum wfi_sv_names_of { WFI_SV_MARKER, WFI_SV_DATA, WFI_SV_TIMER, WFI_SV_HEAP, WFI_SV_BLOCK };
struct wfi_sv_name {
    uint64_t text; // of wfi_import_text; 0: none yet
    uint32_t type, size;
    char *name; // null: none
};
struct wfi_sv_names {
    struct wfi_keys keys;
    struct wfi_sv_name *list;
    size_t cap;
};

struct wfi_sv_module {
    char *name;
    uint32_t first;
    bool esp_heap; // events 0 and 1 are alloc and free of Espressif's heap tracing
};

// ---- the recording

struct wfi_sv_core {
    uint64_t tick;
    bool timed;        // `tick` has a base: later deltas may be negative
    bool stopped;      // TRACE_STOP
    bool based;        // `drops` is known
    bool started;      // TRACE_START since the last loss
    uint32_t drops;    // the last cumulative count
    uint32_t task;     // number of the running task in `tasks`; 0: idle, or not known
    unsigned switches; // in the present interrupt
    uint64_t ram_base;
    unsigned shift;
    uint64_t timer; // that runs; 0: none
    struct wfi_sv_calls irq_calls;
};

enum wfi_sv_state { WFI_SV_HEADER, WFI_SV_BEGIN, WFI_SV_PACKETS, WFI_SV_DAMAGED };

struct wfi_sv {
    enum wfi_sv_state state;
    uint64_t skipped, skipped_at; // DAMAGED: bytes rejected so far; BEGIN: searched
    bool joined;                  // DAMAGED: there was no packet before
    struct wfi_sv_core cores[WFI_IMPORT_CORES];
    unsigned core_count;
    bool several; // cores, with a stream each
    uint32_t hz;
    uint32_t epoch;
    // The operating system, by the system description.
    bool freertos, returns; // O=FreeRTOS; END_CALL was recorded
    bool v11;               // both
    bool lists;             // calls of list functions are recorded
    unsigned told;          // items of the system description that were emitted, by letter
    struct wfi_sv_tasks tasks;
    struct wfi_sv_objects objects;
    struct wfi_sv_names names;
    struct wfi_sv_call *calls[WFI_SV_EVENTS];
    struct wfi_sv_module modules[WFI_SV_MODULES];
    bool modules_esp; // one of them is Espressif's heap tracing
    struct wfi_sv_named *named;
    size_t named_count, named_cap;
    uint8_t returned; // number of the event "return"; 0: not yet
    size_t states;    // TaskState in `named` + 1; 0: none
    // The next packets of the cores of a file with several (wf_sysview_cores.c).
    struct wfi_sv_lane {
        size_t at, end;
        bool ready;
        struct wfi_sv_packet packet;
    } lanes[WFI_IMPORT_CORES];
    size_t dump_len, dump_at; // a memory dump: its ring, from the oldest byte on
    uint8_t *dump;
};

static inline struct wfi_sv *wfi_sv(const struct wfi_import *im) { return im->state; }
static inline struct wfi_sv_core *wfi_sv_core(const struct wfi_import *im) {
    return &wfi_sv(im)->cores[im->core];
}

// Restores the address of a shrunk one. Key 0 is idle, so the address 0 has another key.
static inline uint64_t wfi_sv_address(const struct wfi_sv_core *c, uint32_t id) {
    return (uint32_t)((id << c->shift) + (uint32_t)c->ram_base);
}
static inline uint64_t wfi_sv_key(const struct wfi_sv_core *c, uint32_t id) {
    uint64_t address = wfi_sv_address(c, id);
    return address ? address : UINT64_C(1) << 32;
}

// ---- wf_import_sysview.c, wf_sysview_resync.c

int wfi_sv_open_state(struct wfi_import *im);
void wfi_sv_close(struct wfi_import *im);
size_t wfi_sv_header(const uint8_t *bytes, size_t len, bool *complete); // bytes of `;` lines
// Decodes a stream of im->core from bytes, which begin at im->at. As decode of the interface.
size_t wfi_sv_decode(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last);
extern const char *const wfi_sv_lacks[];
// Takes the next packet of im->core.
void wfi_sv_take(struct wfi_import *im, struct wfi_sv_packet *k);
// The same as wfi_sv_decode for a file with several cores, in one call (wf_sysview_cores.c).
size_t wfi_sv_decode_cores(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last);

// Returns the offset of the first synchronisation (ten zeros) that begins before `len`; SIZE_MAX:
// none. start: the bytes after it are those of a recording's start.
size_t wfi_sv_find_sync(const uint8_t *bytes, size_t len, bool start);
// Whether a synchronisation with the first packets of a recording begins at these bytes.
enum wfi_sniff wfi_sv_is_start(const uint8_t *bytes, size_t len);
// Finds where packets begin, in bytes that may begin in the middle of one. Returns true when
// decided: *at is the place, or len - as far as bytes were rejected - with *found false.
bool wfi_sv_resync(const uint8_t *bytes, size_t len, bool last, size_t *at, bool *found);

// ---- wf_sysview_events.c

void wfi_sv_packet(struct wfi_import *im, struct wfi_sv_packet *k);
// Forgets what a loss may have changed.
void wfi_sv_forget(struct wfi_import *im);
// The task, added if needed; null when there are too many.
struct wfi_sv_task *wfi_sv_task(struct wfi_import *im, uint64_t key);
void wfi_sv_delete_task(struct wfi_import *im, uint64_t key);
struct wfi_sv_task *wfi_sv_running(struct wfi_import *im); // null: idle, or not known

// ---- wf_sysview_notes.c

void wfi_sv_message(struct wfi_import *im, struct wfi_sv_packet *k);
void wfi_sv_extended(struct wfi_import *im, struct wfi_sv_packet *k);
void wfi_sv_data(struct wfi_import *im, uint32_t id, uint32_t bits);
void wfi_sv_marker(struct wfi_import *im, enum wfi_sv_names_of of, uint64_t key, bool begin);
void wfi_sv_description(struct wfi_import *im, const char *text, size_t len);
void wfi_sv_heap_alloc(struct wfi_import *im, uint64_t heap, uint64_t block, uint32_t size);
void wfi_sv_heap_free(struct wfi_import *im, uint64_t heap, uint64_t block);
struct wfi_sv_name *wfi_sv_name(struct wfi_import *im, enum wfi_sv_names_of of, uint64_t key);
bool wfi_sv_set_name(struct wfi_import *im, struct wfi_sv_name *n, const char *text, size_t len);

// ---- wf_sysview_calls.c

// Appends a text as an element, up to a zero in it. Returns its end.
uint8_t *wfi_sv_put_text(uint8_t *p, const char *text, size_t len);
void wfi_sv_call_event(struct wfi_import *im, struct wfi_sv_packet *k);
void wfi_sv_end_call(struct wfi_import *im, struct wfi_sv_packet *k);
void wfi_sv_module(struct wfi_import *im, uint32_t module, uint32_t first, const char *text,
                   size_t len);

// ---- wf_sysview_describe.c

// The description of event `id`, below WFI_SV_EVENTS; added if needed. Null: out of memory.
struct wfi_sv_call *wfi_sv_add_call(struct wfi_import *im, uint32_t id);
static inline struct wfi_sv_call *wfi_sv_describe(struct wfi_import *im, uint32_t id) {
    struct wfi_sv_call *c = wfi_sv(im)->calls[id];
    return c ? c : wfi_sv_add_call(im, id);
}
// Parses a line "name par=%u ... | Returns %u" of a description.
void wfi_sv_describe_line(struct wfi_import *im, uint32_t id, const char *text, size_t len);
// Parses the user's description file.
void wfi_sv_describe_file(struct wfi_import *im, const char *text, size_t len);
const char *wfi_sv_value_text(const struct wfi_sv_named *n, uint32_t value); // null: none
void wfi_sv_describe_free(struct wfi_sv *v);
char *wfi_sv_copy(struct wfi_import *im, const char *text, size_t len);

// ---- wf_sysview_freertos.c, wf_sysview_objects.c

void wfi_sv_set_v11(struct wfi_import *im); // by the system and the events so far
// Adds the names of some events of FreeRTOS V11.
void wfi_sv_freertos_describe(struct wfi_import *im);
uint8_t wfi_sv_meaning(const char *name, size_t len);
void wfi_sv_enter(struct wfi_import *im, uint8_t meaning, const uint32_t *args, unsigned count);
void wfi_sv_return(struct wfi_import *im, uint8_t meaning, bool has_value, uint32_t value);
// The innermost open call of the task; null: none.
struct wfi_sv_open *wfi_sv_innermost(struct wfi_sv_calls *c);
// Why the running task leaves, emitting its wait if that is only known now.
unsigned wfi_sv_leave_reason(struct wfi_import *im, struct wfi_sv_task *t);

struct wfi_sv_object *wfi_sv_object(struct wfi_import *im, uint64_t key);
struct wfi_sv_object *wfi_sv_find_object(struct wfi_import *im, uint64_t key); // null: none
void wfi_sv_emit_wait(struct wfi_import *im, struct wfi_sv_open *c);
void wfi_sv_emit_done(struct wfi_import *im, struct wfi_sv_open *c); // it has succeeded
void wfi_sv_emit_failed(struct wfi_import *im, struct wfi_sv_open *c);
void wfi_sv_emit_nested(struct wfi_import *im, struct wfi_sv_open *c, bool take);
void wfi_sv_deleted(struct wfi_import *im, uint64_t key);
void wfi_sv_created(struct wfi_import *im, const struct wfi_sv_open *c, uint64_t key);

#endif
