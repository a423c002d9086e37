// SPDX-License-Identifier: MIT
// What an ELF file shows of the recorder in it: version and options, the ring, and whether the
// program calls what a trace needs. Nothing runs, and nothing is read outside of the given bytes.
//
// Sources, the first that has the fact: the text of wf_note.h in .comment, which a stripped file
// has too; symbols; debug data. Calls are found in the machine code: direct branches, and words of
// data that are a function's address (docs/firmware.md). What cannot be decided is UNKNOWN.
#ifndef WF_FIRMWARE_H
#define WF_FIRMWARE_H

#include "wf_error.h"
#include "wf_program.h"

#ifdef __cplusplus
extern "C" {
#endif

enum wf_firmware_recorder {
    WF_FIRMWARE_UNKNOWN_RECORDER, // stripped, and without the text
    WF_FIRMWARE_NO_RECORDER,
    WF_FIRMWARE_OFF, // compiled with WF_CFG_ON=0
    WF_FIRMWARE_FRAMES,
    WF_FIRMWARE_SLOTS
};

enum wf_firmware_symbols { WF_FIRMWARE_STRIPPED, WF_FIRMWARE_NAMES, WF_FIRMWARE_DEBUG };

// Whether functions are called, from data or from functions that are not the recorder's own.
enum wf_firmware_use {
    WF_FIRMWARE_UNDECIDED, // no symbols, a machine whose branches are not read, or inlined
    WF_FIRMWARE_ABSENT,    // none of them is in the file
    WF_FIRMWARE_UNUSED,    // in the file, but nothing calls them
    WF_FIRMWARE_USED
};

// Uses: U(enumerator, functions: any of them is enough)
#define WF_FIRMWARE_USES(U)                                                                        \
    U(START, "wf_start", "wf_slots_start", "wfi_filter_start")                                     \
    U(FILTER, "wfi_filter", "wfi_filter_all", "wf_set_filters")                                    \
    U(DRAIN, "wf_get_byte", "wf_get_block", "wfi_get_block", "wf_slots_read")                      \
    U(COMMANDS, "wf_rx_put", "wf_rx_parse", "wf_rx_start")                                         \
    U(NAMES_TABLE, "wf_names_start")                                                               \
    U(RTT, "wf_rtt_poll")                                                                          \
    U(RTT_INIT, "wf_rtt_init")                                                                     \
    U(UART, "wf_uart_poll", "wf_uart_kick", "wf_uart_dma_kick")

enum wf_firmware_uses {
#define WF_X(name, ...) WF_FIRMWARE_##name,
    WF_FIRMWARE_USES(WF_X)
#undef WF_X
        WF_FIRMWARE_USE_COUNT
};

// Options, as in wf_note.h: O(enumerator, name)
#define WF_FIRMWARE_OPTIONS(O)                                                                     \
    O(ON, "on")                                                                                    \
    O(SLOTS_OPTION, "slots")                                                                       \
    O(PACKED, "packed")                                                                            \
    O(QS, "qs")                                                                                    \
    O(TIME, "time")                                                                                \
    O(OBJ, "obj")                                                                                  \
    O(FUN, "fun")                                                                                  \
    O(SIG, "sig")                                                                                  \
    O(EVT, "evt")                                                                                  \
    O(QUEUE, "queue")                                                                              \
    O(POOL, "pool")                                                                                \
    O(BLOCK, "block")                                                                              \
    O(TIMER, "timer")                                                                              \
    O(SYNC, "sync")                                                                                \
    O(RECORD_MAX, "record")                                                                        \
    O(STAGE, "stage")                                                                              \
    O(RX, "rx")                                                                                    \
    O(TEST, "test")                                                                                \
    O(TRIGGER, "trigger")                                                                          \
    O(PART, "part")                                                                                \
    O(TEXT, "text")                                                                                \
    O(BOX, "box")                                                                                  \
    O(CORES, "cores")                                                                              \
    O(CHUNK, "chunk")

enum wf_firmware_option {
#define WF_X(option, name) WF_FIRMWARE_##option,
    WF_FIRMWARE_OPTIONS(WF_X)
#undef WF_X
        WF_FIRMWARE_OPTION_COUNT
};
extern const char *const wf_firmware_options[WF_FIRMWARE_OPTION_COUNT]; // their names

// The kernel in the program, and the port's function that its switches of tasks call.
struct wf_firmware_kernel {
    const char *name;   // "FreeRTOS"; null: none of those known
    const char *port;   // folder of the port; null: there is none
    const char *hook;   // the port's function
    const char *remedy; // how the kernel comes to call it
    enum wf_firmware_use use;
};

struct wf_firmware_ring {
    bool known;
    uint64_t address, size; // bytes; of slots: the memory of all cores
    char name[64];          // of the object; "" without
    bool in_ram;            // inside a segment that the program can write
};

enum { WF_FIRMWARE_RAM_MAX = 8 };
struct wf_firmware_range {
    uint64_t from, to; // `to` is not part of it
};

struct wf_firmware_info {
    const char *machine; // "ARM"; "" for machines without a name here
    unsigned bits;       // 32 or 64
    bool big_endian;
    bool on_os; // dynamically linked: a program of an operating system
    bool has_build_id;
    uint32_t build_id; // as in wf_program_info
    enum wf_firmware_symbols symbols;
    enum wf_firmware_recorder recorder;
    char version[24];                      // of the recorder; "": not known
    int options[WF_FIRMWARE_OPTION_COUNT]; // -1: not known
    bool mixed;                            // parts of the program have other options
    char mixed_options[160];               // "time=4 and time=2, obj=4 and obj=8"
    enum wf_firmware_use uses[WF_FIRMWARE_USE_COUNT];
    struct wf_firmware_kernel kernel;
    struct wf_firmware_ring ring;
    bool segger_rtt; // SEGGER's RTT control block is in the program, too
    unsigned ram_count;
    struct wf_firmware_range ram[WF_FIRMWARE_RAM_MAX]; // segments that the program can write
};

// Fills in `info`.
//   error    set, may be null; WF_ERR_BAD_PROGRAM: the file is no ELF program, or is damaged (the
//            text has the place, the fault and the remedy); WF_ERR_NOMEM
//   returns  false on an error
bool wf_firmware_read(const uint8_t *bytes, size_t len, struct wf_firmware_info *info,
                      struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
