// SPDX-License-Identifier: MIT
// Recordings of other tracers. An importer decodes the bytes of one foreign format and emits
// records of our own vocabulary (schema/wf_schema.h); a session gives them as items. This header is
// the interface of an importer: what it implements (struct wfi_import_format), and what it calls.
//
// An importer sets im->core, im->tick and im->offset to the place of the event it decodes, and then
// emits records. It states what the format records and nothing else: a reason or a holder that is
// not recorded stays unknown. Addresses and numbers of the format are keys of tasks and objects;
// key 0 of a task is idle, and two kinds of entities of one format must not have the same key.
#ifndef WFI_IMPORT_H
#define WFI_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_rows.h"
#include "wallfly_host/wf_session.h"

struct wfi_image;
struct wfi_import;

enum wfi_sniff { WFI_SNIFF_NO, WFI_SNIFF_PERHAPS, WFI_SNIFF_YES };

// The foreign formats, in the order of detection: F(reader, LANE_FORMAT).
// clang-format off
#define WFI_IMPORTS(F) \
    F(threadx, THREADX) \
    F(tracerecorder, TRACERECORDER) \
    F(btf_ring, BTF) \
    F(systemview_dump, SYSTEMVIEW) \
    F(systemview_cores, SYSTEMVIEW) \
    F(systemview, SYSTEMVIEW) \
    F(ctf, CTF) \
    F(btf, BTF) \
    F(ftrace, FTRACE) \
    F(chrome, CHROME) \
    F(zephyr, ZEPHYR) \
    F(tonbandgeraet, TONBANDGERAET)
// clang-format on

enum {
    WFI_IMPORT_CORES = 64,
    WFI_IMPORT_FULL = 512,        // items after which decode returns
    WFI_IMPORT_IRQS = 16,         // depth of nested interrupts
    WFI_IMPORT_TEXT_MAX = 4096,   // longer texts are cut
    WFI_IMPORT_TEXTS_MAX = 65536, // different names of spans, counters, formats of a trace
    WFI_IMPORT_ARGS = 16          // most fields of an event, arguments of a message
};

// A format's data in an image of a target's memory.
struct wfi_import_found {
    size_t at; // offset in the image of what identifies it
    // Its address in the target's memory, if it has its own address in it.
    bool has_address;
    uint64_t address;
    // Input for decode: in the image, or a copy that the caller frees (`copy`, the same pointer).
    const uint8_t *data;
    size_t len;
    uint8_t *copy;
};

struct wfi_import_format {
    const char *name; // "SystemView"
    // Checks the first bytes of an input; whole: there are no more, or len is 64 KiB of a file.
    enum wfi_sniff (*sniff)(const uint8_t *bytes, size_t len, bool whole);
    // Finds the first data of the format in an image (util/wfi_image.h) whose identification lies
    // at or after the offset `from`. Returns false if there is none, or when out of memory. May be
    // null.
    //
    // How to write one: search with wfi_image_search for the bytes that a recorder keeps in memory
    // ("SEGGER RTT", a start marker), check all that can be checked, as such bytes are also in
    // programs and in copies, and that the data is complete (wfi_image_room), and set `found`. A
    // ring in one piece that decode takes as it is, is `data` in the image; a ring that is stored
    // elsewhere (follow its pointer with wfi_image_copy, in a raw image by its distance from a
    // pointer that is known) or that must be turned, oldest byte first, is built in `copy`.
    bool (*find)(const struct wfi_image *image, size_t from, struct wfi_import_found *found);
    bool whole;    // decode needs the whole input in one call
    size_t size;   // of im->state, which is zero when open is called
    unsigned most; // longest piece that decode may ask for, in bytes; 0: 64 KiB
    // May be null. Returns WF_OK or WF_ERR_NOMEM.
    int (*open)(struct wfi_import *im);
    // Decodes from bytes, which begin at im->at of the input. Returns the number of bytes used.
    // Stops when wfi_import_is_full, and is called again with the rest. If it uses none and emits
    // nothing, it is called again with more bytes. last: there are no more bytes; it uses all of
    // them before it returns with an empty queue.
    size_t (*decode)(struct wfi_import *im, const uint8_t *bytes, size_t len, bool last);
    void (*close)(struct wfi_import *im); // frees what im->state points to; may be null
    // What the format does not record, for the user ("interrupt numbers"); ends with null.
    const char *const *lacks;
};

struct wfi_import_options {
    const char *describe; // a description or mapping file of the user; null: none
    size_t describe_len;
    uint64_t hz; // ticks per second that the user gives; 0: none
};

struct wfi_import_core {
    bool known;    // `task` is valid
    uint64_t task; // the task that runs; 0: idle
    unsigned irqs; // number of nested interrupts
    uint16_t irq[WFI_IMPORT_IRQS];
};

struct wfi_import {
    struct wf_session *s;
    const struct wfi_import_format *format;
    void *state;
    struct wfi_import_options options;
    uint64_t at; // offset in the input of the bytes that decode is called with
    // The place of the event that is decoded.
    unsigned core;
    uint64_t tick, offset;
    struct wfi_import_core cores[WFI_IMPORT_CORES];
    struct wf_error error; // of wfi_import_fail
    size_t waiting;        // items emitted since the queue was empty
    struct wfi_import_queue *queue;
};

// ---- for importers: the trace

// States the properties of the target. Call before the first record; again when they change.
//   hz             ticks per second; 0: unknown
//   address_bytes  4 or 8: the width in which unnamed addresses are shown
//   cores          number of cores; 0: unknown
void wfi_import_target(struct wfi_import *im, uint64_t hz, unsigned address_bytes, unsigned cores);
// The input cannot be read further. The text has no place; `offset` is the byte in the input.
void wfi_import_fail(struct wfi_import *im, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Returns true once so many items wait that decode must return.
static inline bool wfi_import_is_full(const struct wfi_import *im) {
    return im->waiting >= WFI_IMPORT_FULL || im->error.code != WF_OK;
}

// ---- for importers: losses, of events before the next one

// `events` were lost. exact: there were not more.
void wfi_import_loss(struct wfi_import *im, uint64_t events, bool exact, const char *why);
// `bytes` from `offset` on are damaged; why: a constant sentence.
void wfi_import_damage(struct wfi_import *im, uint64_t offset, uint64_t bytes, const char *why);
// The trace begins here as older events were overwritten in a ring. events: how many, 0: unknown.
void wfi_import_beginning(struct wfi_import *im, uint64_t events);

// ---- for importers: records

// Rows of the table, WFI_ROW_task_switch and so on.
enum wfi_row {
#define WF_X(id, name, ...) WFI_ROW_##name,
    WF_RECORDS(WF_X)
#undef WF_X
};

// Emits a record with a fixed layout. Its stamp, selector, core and acting task (the running one, 0
// in an interrupt) are filled in; `values` are its other fields in order. While the running task is
// unknown (at the start, after a loss) a record of an acting task becomes an event of its name.
// Before the scheduler of the target runs, set cores[0].known with task 0.
void wfi_import_record(struct wfi_import *im, enum wfi_row row, const uint64_t *values);
#define WFI_IMPORT(im, row, ...)                                                                   \
    wfi_import_record((im), WFI_ROW_##row, (const uint64_t[]){__VA_ARGS__, 0})

// The task that acts: the running one; 0 in an interrupt, or if it is unknown.
uint64_t wfi_import_actor(const struct wfi_import *im);
// Switches im->core to `task` (0: idle); reason: why the previous one left (WF_REASON_...).
void wfi_import_switch(struct wfi_import *im, uint64_t task, unsigned reason);
// irq: WF_IRQ_UNKNOWN if the format has no numbers. exit: of the innermost one, ignored if none is
// active. exit_all: of all of them, for formats that record no end before a switch.
void wfi_import_irq_enter(struct wfi_import *im, uint16_t irq);
void wfi_import_irq_exit(struct wfi_import *im);
void wfi_import_irq_exit_all(struct wfi_import *im);
// Names of tasks and objects (after their create), of interrupts.
void wfi_import_name(struct wfi_import *im, uint64_t key, const char *text, size_t len);
void wfi_import_irq_name(struct wfi_import *im, uint16_t irq, const char *text, size_t len);
// Name of a state of a state machine; the record of a machine in a state is init_tran.
void wfi_import_state_name(struct wfi_import *im, uint64_t key, const char *text, size_t len);
// Returns the key of a text (name of a span or counter), and names it at its first use. The same
// text has the same key. Returns the key of "..." when there are too many.
uint64_t wfi_import_text(struct wfi_import *im, const char *text, size_t len);
// span_begin, span_end: of the running task or interrupt.
void wfi_import_span(struct wfi_import *im, bool begin, const char *name, size_t len);
// A value that does not fit in 32 bits becomes an event.
void wfi_import_counter(struct wfi_import *im, const char *name, size_t len, int64_t value);
// A message without arguments.
void wfi_import_message(struct wfi_import *im, const char *text, size_t len);

// A field of an event, or an argument of a message.
struct wfi_import_field {
    const char *name; // of events; null: none
    enum wfi_import_type {
        WFI_FIELD_UNSIGNED,
        WFI_FIELD_SIGNED,
        WFI_FIELD_HEX,
        WFI_FIELD_ADDRESS, // shown by its name if it has one
        WFI_FIELD_FLOAT,   // `value` has the bits of a double
        WFI_FIELD_TEXT
    } type;
    uint64_t value;
    const char *text; // TEXT
    size_t len;
};

// A message: a format as of printf, with at most WFI_IMPORT_ARGS arguments.
void wfi_import_log(struct wfi_import *im, const char *format, size_t len,
                    const struct wfi_import_field *args, unsigned count);
// An event for which the vocabulary has no record: an application record with the event's own name
// and fields.
void wfi_import_event(struct wfi_import *im, const char *name, size_t len,
                      const struct wfi_import_field *fields, unsigned count);
// The same for an importer that writes the elements itself, as it emits millions of them. The
// number of a name does not change; WFI_IMPORT_OTHER: the first element is the name. begin: returns
// room for `most` bytes of elements, null when out of memory. end: after the last one, before any
// other call.
enum { WFI_IMPORT_OTHER = 255 };
uint8_t wfi_import_event_number(struct wfi_import *im, const char *name, size_t len);
uint8_t *wfi_import_begin_event(struct wfi_import *im, uint8_t number, size_t most);
void wfi_import_end_event(struct wfi_import *im, uint8_t *end);

// ---- for the trace

// Returns null when out of memory.
struct wfi_import *wfi_import_open(struct wf_session *s, const struct wfi_import_format *format,
                                   const struct wfi_import_options *options);
void wfi_import_close(struct wfi_import *im);
// The input begins at this offset, for what is reported of it. Before the first bytes.
void wfi_import_start(struct wfi_import *im, uint64_t at);
// Bytes of a stream; they stay valid until wfi_import_next returns false.
void wfi_import_feed(struct wfi_import *im, const uint8_t *bytes, size_t len);
void wfi_import_end(struct wfi_import *im);
bool wfi_import_has_ended(const struct wfi_import *im);
// After the end: the bytes that follow are those of another connection. Texts keep their keys.
// Returns WF_OK or WF_ERR_NOMEM.
int wfi_import_restart(struct wfi_import *im);
// Returns false when it needs more bytes, at the end, and after an error (im->error).
bool wfi_import_next(struct wfi_import *im, struct wf_item *item);

#define WFI_IMPORT_EXTERN(name, lane) extern const struct wfi_import_format wfi_import_##name;
WFI_IMPORTS(WFI_IMPORT_EXTERN)

#endif
