// SPDX-License-Identifier: MIT
// The text sender, for systems that are too small for the recorder: tasks, switches and mutexes as
// lines of text, in the form of the thesis' transmission text (docs/text-events.md). Events wait in
// a fixed array; the reader gets the text byte by byte. If the array is full, the event is lost,
// counted, and reported in the text: `p TIME lost N`.
//
// The macros of wf_rtos.h feed it. Send the text from the idle loop or from a task:
//   for (int byte; (byte = wf_text_get_byte()) >= 0;) uart_put((uint8_t)byte);
#ifndef WF_TEXT_EVENTS_H
#define WF_TEXT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "wallfly/wf_config.h"
#include "wallfly/wf_part.h"
#include "wf_schema.h"

#ifdef __cplusplus
extern "C" {
#endif

// The events, inside. A switch is one event and makes up to two lines.
enum wfi_text_type {
    WFI_TEXT_TASK,     // task, its name; priority in place of the time
    WFI_TEXT_MUTEX,    // mutex, its name
    WFI_TEXT_ARRIVED,  // task
    WFI_TEXT_PREEMPT,  // old, new task
    WFI_TEXT_COMPLETE, // old, new task
    WFI_TEXT_ACQUIRED, // mutex, task
    WFI_TEXT_RELEASED, // mutex, task
    WFI_TEXT_USER      // name, number
};

// The schema rows of the records of wf_rtos.h.
enum wfi_row {
#define WFI_X(id, name, ...) WFI_ROW_##name,
    WF_RECORDS(WFI_X)
#undef WFI_X
};

#if WF_CFG_TEXT

#define WFI_TEXT(call)                                                                             \
    do {                                                                                           \
        call;                                                                                      \
    } while (0)

// Starts sending. Events are stored before, but not sent. hz: ticks per second of wf_port_now(),
// 1..2000000000. Context: any.
void wf_text_start(uint32_t hz);

// Returns the next byte to send, or -1 when there is none now. Call it at least once before the
// clock's low 32 bits wrap, or time is lost. Context: one reader (task, idle loop or interrupt).
int wf_text_get_byte(void);

// Returns the number of events lost since the start. Context: any.
uint32_t wf_text_lost(void);

// Adds an event of the program: `p TIME name number`. name: no blanks; must stay valid; up to 12
// characters are sent. number: sent in decimal. Context: any.
void wf_text_event(const char *name, uintptr_t number);

void wfi_text_put(enum wfi_text_type type, const void *a, const void *b);
void wfi_text_task(const void *task, int prio, const char *name);
void wfi_text_name(const void *thing, const char *name);
void wfi_text_switch(const struct wf_part_switch *s);

// Only the outermost take and give of a mutex make an event.
static inline void wfi_text_by(enum wfi_row row, const void *obj, const void *task, uint32_t n) {
    if (row == WFI_ROW_mutex_take && n == 1) wfi_text_put(WFI_TEXT_ACQUIRED, obj, task);
    if (row == WFI_ROW_mutex_give && n == 0) wfi_text_put(WFI_TEXT_RELEASED, obj, task);
}

static inline void wfi_text_object(enum wfi_row row, const void *obj) {
    if (row == WFI_ROW_mutex_create) wfi_text_put(WFI_TEXT_MUTEX, obj, NULL);
}

#else

#define WFI_TEXT(call) ((void)0)
static inline void wf_text_start(uint32_t hz) { (void)hz; }
static inline int wf_text_get_byte(void) { return -1; }
static inline uint32_t wf_text_lost(void) { return 0; }
static inline void wf_text_event(const char *name, uintptr_t number) { (void)name, (void)number; }

#endif

#define WFI_TRACES (WF_CFG_PART && (WF_CFG_ON || WF_CFG_TEXT)) // the macros call wf_part.h

#ifdef __cplusplus
}
#endif
#endif
