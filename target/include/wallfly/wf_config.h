// SPDX-License-Identifier: MIT
// Options of the recorder, each with its unit, range and default. Set them with -D, or in a header
// of your own, given by -DWF_CFG_FILE='"my_wf.h"'. All parts of a program must use the same values.
#ifndef WF_CONFIG_H
#define WF_CONFIG_H

#include <stdint.h>

#ifdef WF_CFG_FILE
#include WF_CFG_FILE
#endif

// Version of the recorder.
#define WF_VERSION "0.1.0"

// 1: record. 0: every macro expands to nothing; arguments are type-checked but never evaluated.
#ifndef WF_CFG_ON
#define WF_CFG_ON 1
#endif

// 1: the slot recorder (wf_slots.h), for many cores. 0: the frame recorder (wf_recorder.h).
#ifndef WF_CFG_SLOTS
#define WF_CFG_SLOTS 0
#endif

// Bytes of a time stamp on the wire and of wf_stamp: 1, 2, 4 or 8; for the slot recorder 4 or 8.
#ifndef WF_CFG_TIME_SIZE
#if WF_CFG_SLOTS && UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_TIME_SIZE 8
#else
#define WF_CFG_TIME_SIZE 4
#endif
#endif

// Slot recorder. WF_CFG_CORES: most cores, a power of two, 1..64. WF_CFG_CHUNK: slots of a chunk, a
// power of two, 16..65536. WF_CFG_DRAFT: most bytes of a record made element by element, 16..500;
// it is assembled on the stack.
#ifndef WF_CFG_CORES
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_CORES 64
#else
#define WF_CFG_CORES 1
#endif
#endif
#ifndef WF_CFG_CHUNK
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_CHUNK 512
#else
#define WF_CFG_CHUNK 64
#endif
#endif
#ifndef WF_CFG_DRAFT
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_DRAFT 256
#else
#define WF_CFG_DRAFT 96
#endif
#endif

// Classes of the slot recorder (wf_classes.h). WF_CFG_CLASS_EVENTS: events of each class that have
// a switch of their own, 32..1024 in steps of 32 (5.25 bytes of RAM each). Most static filters,
// 1..1024, and most handlers, 1..128 (12 bytes each with 32-bit pointers, 24 with 64-bit ones).
// They take no RAM unless they are used.
#ifndef WF_CFG_CLASS_EVENTS
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_CLASS_EVENTS 1024
#else
#define WF_CFG_CLASS_EVENTS 64
#endif
#endif
#ifndef WF_CFG_CLASS_FILTERS
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_CLASS_FILTERS 64
#else
#define WF_CFG_CLASS_FILTERS 8
#endif
#endif
#ifndef WF_CFG_CLASS_HANDLERS
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_CLASS_HANDLERS 128
#else
#define WF_CFG_CLASS_HANDLERS 8
#endif
#endif

// Bytes of an object and of a function pointer on the wire: 1, 2, 4 or 8; higher bytes are cut off.
#ifndef WF_CFG_OBJ_SIZE
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_OBJ_SIZE 8
#elif UINTPTR_MAX > 0xFFFFu
#define WF_CFG_OBJ_SIZE 4
#else
#define WF_CFG_OBJ_SIZE 2
#endif
#endif
#ifndef WF_CFG_FUN_SIZE
#define WF_CFG_FUN_SIZE WF_CFG_OBJ_SIZE
#endif

// Bytes of a signal, an event's size, a queue counter, a pool counter and block size, and of a
// time-event counter: 1, 2 or 4.
#ifndef WF_CFG_SIG_SIZE
#define WF_CFG_SIG_SIZE 2
#endif
#ifndef WF_CFG_EVT_SIZE
#define WF_CFG_EVT_SIZE 2
#endif
#ifndef WF_CFG_QUEUE_CTR_SIZE
#define WF_CFG_QUEUE_CTR_SIZE 1
#endif
#ifndef WF_CFG_POOL_CTR_SIZE
#define WF_CFG_POOL_CTR_SIZE 2
#endif
#ifndef WF_CFG_POOL_BLK_SIZE
#define WF_CFG_POOL_BLK_SIZE 2
#endif
#ifndef WF_CFG_TIMEEVT_CTR_SIZE
#define WF_CFG_TIMEEVT_CTR_SIZE 4
#endif

// 1: SYNC records are sent (exact loss counts, 64-bit time). 0: a pure QP/Spy stream. The default
// is 0 in a test build, whose records are compared one by one.
#ifndef WF_CFG_SYNC
#if defined WF_CFG_TEST && WF_CFG_TEST
#define WF_CFG_SYNC 0
#else
#define WF_CFG_SYNC 1
#endif
#endif

// Longest record in bytes before escaping, including the checksum; longer ones are dropped and
// counted. 64..1024; QSPY reads no more than 512.
#ifndef WF_CFG_RECORD_MAX
#define WF_CFG_RECORD_MAX 512
#endif

// Contents of the target info: QS version (740 is 7.4.0), most active objects, event pools and tick
// rates (0..15 each).
#ifndef WF_CFG_QS_VERSION
#define WF_CFG_QS_VERSION 740
#endif
#ifndef WF_CFG_MAX_ACTIVE
#define WF_CFG_MAX_ACTIVE 64
#endif
#ifndef WF_CFG_MAX_POOLS
#define WF_CFG_MAX_POOLS 3
#endif
#ifndef WF_CFG_MAX_RATES
#define WF_CFG_MAX_RATES 1
#endif

// WF_CFG_WORDS 1: build records word by word; the CPU must be little-endian with words of 32 bits
// or more. 0: byte by byte. WF_CFG_UNALIGNED 1: the CPU also loads and stores words at any address.
// The defaults come from the compiler's macros.
#ifndef WF_CFG_WORDS
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && UINTPTR_MAX > 0xFFFFu
#define WF_CFG_WORDS 1
#else
#define WF_CFG_WORDS 0
#endif
#endif
#ifndef WF_CFG_UNALIGNED
#if defined __x86_64__ || defined __i386__ || defined __aarch64__ || defined __AVR__ ||            \
    defined __ARM_FEATURE_UNALIGNED
#define WF_CFG_UNALIGNED 1
#else
#define WF_CFG_UNALIGNED 0
#endif
#endif

// 1: a record is built in words outside the critical section and only stored inside it (fastest;
// some 200 bytes of code for each record in use). 0: all records share one path, byte by byte
// (smallest). The default is 1 where WF_CFG_WORDS is 1, except with the slot recorder, when
// optimizing for size (-Os), and in a test build.
#ifndef WF_CFG_FAST
#if WF_CFG_WORDS && !WF_CFG_SLOTS && !defined __OPTIMIZE_SIZE__ &&                                 \
    !(defined WF_CFG_TEST && WF_CFG_TEST)
#define WF_CFG_FAST 1
#else
#define WF_CFG_FAST 0
#endif
#endif

// 1: receive commands from the host (wf_rx.h). 0: only send.
#ifndef WF_CFG_RX
#define WF_CFG_RX (!WF_CFG_SLOTS)
#endif

// Memory that PEEK, POKE and FILL can access: 1: the ranges of wf_rx_config, 2: all, as in QS, 0:
// none.
#ifndef WF_CFG_PEEK
#define WF_CFG_PEEK 0
#endif

// 1: a test build with test probes, pause, set-up and tear-down, and stamps that count records.
#ifndef WF_CFG_TEST
#define WF_CFG_TEST 0
#endif

// 1: triggers (wf_trigger.h); costs three more instructions for each record made.
#ifndef WF_CFG_TRIGGER
#define WF_CFG_TRIGGER 0
#endif

// 1: part tracing (wf_part.h): tasks can be hidden. WF_CFG_PART_TASKS: most tasks in the table at a
// time; WF_CFG_PART_RULES: most rules; 1..1000 each. RAM for each task and rule: 16 and 8 bytes
// with 32-bit pointers, 11 and 6 on AVR. WF_CFG_CORES must count all cores, with the frame recorder
// too.
#ifndef WF_CFG_PART
#define WF_CFG_PART 0
#endif
#ifndef WF_CFG_PART_TASKS
#define WF_CFG_PART_TASKS 16
#endif
#ifndef WF_CFG_PART_RULES
#define WF_CFG_PART_RULES 8
#endif

// 1: the text sender (wf_text_events.h), in addition to the recorder, or in its place with
// WF_CFG_ON 0. WF_CFG_TEXT_EVENTS: most waiting events, 4..10000 (13 bytes of RAM each, 9 on AVR).
// WF_CFG_TEXT_TASK_FIRST: mutex lines have the task first (1), as in the thesis' table, or the
// mutex first (0), as in its programs.
#ifndef WF_CFG_TEXT
#define WF_CFG_TEXT 0
#endif
#ifndef WF_CFG_TEXT_EVENTS
#define WF_CFG_TEXT_EVENTS 64
#endif
#ifndef WF_CFG_TEXT_TASK_FIRST
#define WF_CFG_TEXT_TASK_FIRST 0
#endif

// 1: black box: the recorder can be found in an image of the memory. It survives a reset if it and
// the ring lie in memory that the start-up code does not clear. WF_CFG_PLACE puts it there, for
// instance: __attribute__((section(".noinit")))
#ifndef WF_CFG_BOX
#define WF_CFG_BOX 0
#endif
#ifndef WF_CFG_PLACE
#define WF_CFG_PLACE
#endif

// 1: packed frames: many events in a frame, about 5 bytes each in place of 16 (docs/packed.md). For
// hosts of wallfly only: a stock QSPY or QView cannot read them. WF_CFG_PACKED_OBJECTS: most tasks
// and objects that have a number, a power of two, 8..128 (a pointer of RAM each); others are sent
// as pointers.
#ifndef WF_CFG_PACKED
#define WF_CFG_PACKED 0
#endif
#ifndef WF_CFG_PACKED_OBJECTS
#if UINTPTR_MAX > 0xFFFFu
#define WF_CFG_PACKED_OBJECTS 64
#else
#define WF_CFG_PACKED_OBJECTS 16
#endif
#endif

// Bytes of RAM for copies of the bytes sent next: a SYNC (57 to 108 bytes) and the frames after it
// that fit, 110..4096; with packed frames 256 or more. Longer frames are sent in parts, and cut off
// if they are dropped from the ring meanwhile. With a larger stage more records get out when the
// ring overruns all the time.
#ifndef WF_CFG_STAGE
#if UINTPTR_MAX > 0xFFFFFFFFu
#define WF_CFG_STAGE 2048
#elif WF_CFG_PACKED
#define WF_CFG_STAGE 256
#else
#define WF_CFG_STAGE 128
#endif
#endif
#if WF_CFG_STAGE < 110 || WF_CFG_STAGE > 4096
#error "WF_CFG_STAGE must be 110..4096"
#endif

// 1: the ELF file has the version and these options, in a section that is not loaded (wf_note.h).
#ifndef WF_CFG_NOTE
#define WF_CFG_NOTE 1
#endif

#if WF_CFG_PART_TASKS < 1 || WF_CFG_PART_TASKS > 1000 || WF_CFG_PART_RULES < 1 ||                  \
    WF_CFG_PART_RULES > 1000
#error "WF_CFG_PART_TASKS and WF_CFG_PART_RULES must be 1..1000"
#endif
#if WF_CFG_TEXT && WF_CFG_TIME_SIZE < 4
#error "WF_CFG_TEXT needs WF_CFG_TIME_SIZE 4 or 8"
#endif
#if WF_CFG_TEXT_EVENTS < 4 || WF_CFG_TEXT_EVENTS > 10000
#error "WF_CFG_TEXT_EVENTS must be 4..10000"
#endif
#if WF_CFG_SLOTS && (WF_CFG_RX || WF_CFG_TEST || WF_CFG_TRIGGER || WF_CFG_BOX || WF_CFG_FAST)
#error "WF_CFG_SLOTS: commands, test builds, triggers, black box and FAST are the frame recorder's"
#endif
#if WF_CFG_SLOTS && WF_CFG_TIME_SIZE < 4
#error "WF_CFG_SLOTS needs WF_CFG_TIME_SIZE 4 or 8"
#endif
#if WF_CFG_CORES < 1 || WF_CFG_CORES > 64 || (WF_CFG_CORES & (WF_CFG_CORES - 1))
#error "WF_CFG_CORES must be a power of two, 1..64"
#endif
#if WF_CFG_CHUNK < 16 || WF_CFG_CHUNK > 65536 || (WF_CFG_CHUNK & (WF_CFG_CHUNK - 1))
#error "WF_CFG_CHUNK must be a power of two, 16..65536"
#endif
#if WF_CFG_CLASS_EVENTS < 32 || WF_CFG_CLASS_EVENTS > 1024 || WF_CFG_CLASS_EVENTS % 32
#error "WF_CFG_CLASS_EVENTS must be 32..1024, in steps of 32"
#endif
#if WF_CFG_CLASS_FILTERS < 1 || WF_CFG_CLASS_FILTERS > 1024
#error "WF_CFG_CLASS_FILTERS must be 1..1024"
#endif
#if WF_CFG_CLASS_HANDLERS < 1 || WF_CFG_CLASS_HANDLERS > 128
#error "WF_CFG_CLASS_HANDLERS must be 1..128"
#endif
#if WF_CFG_DRAFT < 16 || WF_CFG_DRAFT > 500
#error "WF_CFG_DRAFT must be 16..500"
#endif
#if WF_CFG_PACKED && (WF_CFG_SLOTS || WF_CFG_TEST || !WF_CFG_SYNC)
#error                                                                                             \
    "WF_CFG_PACKED needs the frame recorder with WF_CFG_SYNC 1; a test build has no packed frames"
#endif
#if WF_CFG_PACKED && WF_CFG_STAGE < 256
#error "WF_CFG_PACKED needs WF_CFG_STAGE 256 or more"
#endif
#if WF_CFG_PACKED_OBJECTS < 8 || WF_CFG_PACKED_OBJECTS > 128 ||                                    \
    (WF_CFG_PACKED_OBJECTS & (WF_CFG_PACKED_OBJECTS - 1))
#error "WF_CFG_PACKED_OBJECTS must be a power of two, 8..128"
#endif
#if WF_CFG_TEST && !WF_CFG_RX
#error "WF_CFG_TEST needs WF_CFG_RX"
#endif
#if WF_CFG_TEST && WF_CFG_FAST
#error "WF_CFG_TEST needs WF_CFG_FAST 0: its stamps are counted in the order of the records"
#endif
#if WF_CFG_RECORD_MAX < 64 || WF_CFG_RECORD_MAX > 1024
#error "WF_CFG_RECORD_MAX must be 64..1024"
#endif

#define WFI_IS_SIZE(n) ((n) == 1 || (n) == 2 || (n) == 4)
#if !WFI_IS_SIZE(WF_CFG_TIME_SIZE) && WF_CFG_TIME_SIZE != 8
#error "WF_CFG_TIME_SIZE must be 1, 2, 4 or 8"
#endif
#if !WFI_IS_SIZE(WF_CFG_OBJ_SIZE) && WF_CFG_OBJ_SIZE != 8
#error "WF_CFG_OBJ_SIZE must be 1, 2, 4 or 8"
#endif
#if !WFI_IS_SIZE(WF_CFG_FUN_SIZE) && WF_CFG_FUN_SIZE != 8
#error "WF_CFG_FUN_SIZE must be 1, 2, 4 or 8"
#endif
#if !WFI_IS_SIZE(WF_CFG_SIG_SIZE) || !WFI_IS_SIZE(WF_CFG_EVT_SIZE) ||                              \
    !WFI_IS_SIZE(WF_CFG_QUEUE_CTR_SIZE) || !WFI_IS_SIZE(WF_CFG_POOL_CTR_SIZE) ||                   \
    !WFI_IS_SIZE(WF_CFG_POOL_BLK_SIZE) || !WFI_IS_SIZE(WF_CFG_TIMEEVT_CTR_SIZE)
#error "WF_CFG_..._SIZE must be 1, 2 or 4"
#endif

#include "wallfly/wf_note.h"

#endif
