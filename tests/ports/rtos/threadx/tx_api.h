// SPDX-License-Identifier: MIT
// Stand-in for ThreadX' headers: the names used by the port, by the documentation and the trace
// interface. No text of ThreadX.
#ifndef TX_API_H
#define TX_API_H

#include <stdbool.h>
#include <stddef.h>

#include "wf_threadx.h"

typedef unsigned int UINT;
typedef unsigned long ULONG;
typedef unsigned char UCHAR;

enum { TX_SUCCESS = 0, TX_NO_INSTANCE = 13, TX_NO_WAIT = 0, TX_OR = 0, TX_AND = 2 };
enum {
    TX_READY,
    TX_COMPLETED,
    TX_TERMINATED,
    TX_SUSPENDED,
    TX_SLEEP,
    TX_QUEUE_SUSP,
    TX_SEMAPHORE_SUSP,
    TX_EVENT_FLAG,
    TX_BLOCK_MEMORY,
    TX_BYTE_MEMORY,
    TX_MUTEX_SUSP = 13,
    TX_PRIORITY_CHANGE
};

struct TX_MUTEX_STRUCT;
typedef struct TX_THREAD_STRUCT {
    const char *tx_thread_name;
    UINT tx_thread_state, tx_thread_suspend_status, tx_thread_priority;
    const void *tx_thread_suspend_control_block;
    ULONG tx_thread_suspend_info;
    struct TX_MUTEX_STRUCT *tx_thread_owned_mutex_list; // a circular list
    ULONG tx_thread_id;
    void *tx_thread_stack_start, *tx_thread_stack_highest_ptr;
    ULONG tx_thread_stack_size;
    struct TX_THREAD_STRUCT *tx_thread_created_next; // a circular list
} TX_THREAD;
typedef struct TX_MUTEX_STRUCT {
    const char *tx_mutex_name;
    UINT tx_mutex_ownership_count;
    TX_THREAD *tx_mutex_owner;
    struct TX_MUTEX_STRUCT *tx_mutex_owned_next;
} TX_MUTEX;
typedef struct {
    const char *tx_semaphore_name;
    ULONG tx_semaphore_count, tx_semaphore_suspended_count;
} TX_SEMAPHORE;
typedef struct {
    const char *tx_queue_name;
    UINT tx_queue_capacity, tx_queue_enqueued, tx_queue_available_storage;
} TX_QUEUE;
typedef struct {
    const char *tx_event_flags_group_name;
    ULONG tx_event_flags_group_current;
} TX_EVENT_FLAGS_GROUP;

// Used by the drain thread.
enum { TX_AUTO_START = 1, TX_NO_TIME_SLICE = 0, TX_MAX_PRIORITIES = 32 };
#define TX_WAIT_FOREVER 0xFFFFFFFFul
UINT tx_thread_create(TX_THREAD *thread, char *name, void (*entry)(ULONG), ULONG arg, void *stack,
                      ULONG bytes, UINT prio, UINT threshold, ULONG slice, UINT start);
UINT tx_thread_sleep(ULONG ticks);
UINT tx_semaphore_create(TX_SEMAPHORE *semaphore, char *name, ULONG count);
UINT tx_semaphore_get(TX_SEMAPHORE *semaphore, ULONG ticks);
UINT tx_semaphore_put(TX_SEMAPHORE *semaphore);

// Used by wf_threadx_marks.h.
#define TX_THREAD_ID 0x54485244ul
#define TX_INTERRUPT_SAVE_AREA
#ifndef TX_DISABLE
#define TX_DISABLE
#define TX_RESTORE
#endif
extern TX_THREAD *_tx_thread_created_ptr;
extern ULONG _tx_thread_created_count;

extern TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;
extern ULONG _tx_thread_system_state;
#define TX_THREAD_GET_SYSTEM_STATE() _tx_thread_system_state

enum {
    TX_TRACE_THREAD_RESUME = 1,
    TX_TRACE_THREAD_SUSPEND = 2,
    TX_TRACE_TIME_SLICE = 5,
    TX_TRACE_EVENT_FLAGS_CREATE = 30,
    TX_TRACE_EVENT_FLAGS_DELETE,
    TX_TRACE_EVENT_FLAGS_GET,
    TX_TRACE_EVENT_FLAGS_SET = 36,
    TX_TRACE_MUTEX_CREATE = 50,
    TX_TRACE_MUTEX_DELETE,
    TX_TRACE_MUTEX_GET,
    TX_TRACE_MUTEX_PUT = 57,
    TX_TRACE_QUEUE_CREATE = 60,
    TX_TRACE_QUEUE_DELETE,
    TX_TRACE_QUEUE_FRONT_SEND = 63,
    TX_TRACE_QUEUE_RECEIVE = 68,
    TX_TRACE_QUEUE_SEND,
    TX_TRACE_SEMAPHORE_CEILING_PUT = 80,
    TX_TRACE_SEMAPHORE_CREATE,
    TX_TRACE_SEMAPHORE_DELETE,
    TX_TRACE_SEMAPHORE_GET,
    TX_TRACE_SEMAPHORE_PUT = 88,
    TX_TRACE_THREAD_CREATE = 100,
    TX_TRACE_THREAD_PRIORITY_CHANGE = 108,
    TX_TRACE_THREAD_RELINQUISH,
    TX_TRACE_THREAD_RESET,
    TX_TRACE_THREAD_TERMINATE = 115
};

#endif
