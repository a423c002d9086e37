// SPDX-License-Identifier: MIT
// Diagnoses of program files and of RTT (doctor.h describes the columns).
// D(id, name, severity, needs, title, meaning, remedy)
#ifndef ROWS_ELF_H
#define ROWS_ELF_H

#define DOCTOR_ELF_ROWS(D)                                                                         \
    D(ELF_UNREADABLE, "elf-unreadable", CLOSED, ELF, "The program file cannot be read",            \
      "It does not exist, is not an ELF program, or is damaged; the reason is shown.",             \
      "Give the ELF file as the linker wrote it: not a .bin, .hex, library or object file.")       \
    D(OTHER_BUILD, "other-build", FAULT, ELF | STREAM,                                             \
      "The program file is not the one that the target runs",                                      \
      "Their build ids differ. Names are not taken from the file, and its other diagnoses do not " \
      "apply to the target.",                                                                      \
      "Load this file into the target, or give the file that was loaded.")                         \
    D(OTHER_OPTIONS, "other-options", FAULT, ELF | STREAM,                                         \
      "The target was built with other options than the program file",                             \
      "The target reports sizes, a version or a kind of trace that this file's recorder does not " \
      "have, so it runs another build.",                                                           \
      "Load this file into the target, or give the file that was loaded.")                         \
    D(RECORDER_OFF, "recorder-off", FAULT, ELF, "The recorder is switched off in this build",      \
      "The program was compiled with WF_CFG_ON=0: calls of the recorder and hooks of the kernel "  \
      "expand to nothing. The file says so in .comment (`readelf -p .comment`), or has a "         \
      "transport without a recorder.",                                                             \
      "Build all parts of the program with WF_CFG_ON=1, the default.")                             \
    D(NO_RECORDER, "no-recorder", FAULT, ELF, "The program contains no recorder",                  \
      "None of the recorder's variables is in the program: its sources are not linked, or "        \
      "nothing calls them and the linker has left them out (--gc-sections).",                      \
      "Add target/src/*.c and a port (docs/porting.md), and call wf_start and wf_filter; for an "  \
      "unmodified program on Linux see ports/rtos/posix.")                                         \
    D(OPTIONS_MIXED, "options-mixed", FAULT, ELF,                                                  \
      "Parts of the program are built with different options",                                     \
      "Options (WF_CFG_...) and the version are in the file for each part that includes the "      \
      "recorder's headers. Parts with other options use other layouts of the recorder's "          \
      "variables, or do not record.",                                                              \
      "Give the same -D options or WF_CFG_FILE to all sources, and build everything again.")       \
    D(NOT_STARTED, "not-started", FAULT, ELF, "Nothing starts the recorder",                       \
      "wf_start (wf_slots_start) is not called, or not in the program: the ring does not exist "   \
      "and every record is refused.",                                                              \
      "Call wf_start at the start of main, before anything records.")                              \
    D(NOT_READ, "not-read", FAULT, ELF, "Nothing sends the bytes of the ring",                     \
      "wf_get_byte and wf_get_block are called neither by the program nor by a transport that "    \
      "the program calls: records stay in the ring, and no byte leaves the target.",               \
      "Call a transport in the idle loop: wf_uart_poll, wf_rtt_poll, or the loop that "            \
      "docs/transports.md shows; or start the port's drain task.")                                 \
    D(RTT_NOT_STARTED, "rtt-not-started", FAULT, ELF, "Nothing initializes the RTT buffers",       \
      "The program calls wf_rtt_poll but not wf_rtt_init, which writes the control block: a "      \
      "debug server finds none.",                                                                  \
      "Call wf_rtt_init before wf_rtt_poll.")                                                      \
    D(NOTHING_ON, "nothing-switched-on", FAULT, ELF, "Nothing switches records on",                \
      "wf_start switches off all records but the stream's own. The program calls neither "         \
      "wf_filter nor wf_set_filters, and receives no commands that could.",                        \
      "Call wf_filter(WF_GRP_ALL) after wf_start.")                                                \
    D(RING_OUTSIDE, "ring-outside", FAULT, ELF, "The ring is not in RAM",                          \
      "The ring that the program gives to the recorder lies outside of the segments that the "     \
      "program may write.",                                                                        \
      "Make the ring a variable that is not const, in a section that the linker script places in " \
      "RAM.")                                                                                      \
    D(HOOKS_MISSING, "hooks-missing", HINT, ELF, "The kernel does not call the port",              \
      "The program contains a kernel that wallfly has a port for, but the port's function for "    \
      "switches of tasks is not linked, or the kernel does not call it. Only the program's own "   \
      "records are made: tasks and objects are missing.",                                          \
      "Do what is shown, build the kernel again, and see the README of the port.")                 \
    D(NO_PORT, "kernel-without-port", HINT, ELF, "There is no port for this kernel",               \
      "The program contains a kernel whose hooks wallfly does not know. The program's own "        \
      "records are made.",                                                                         \
      "Call the macros of wf_rtos.h in the kernel's hooks (docs/porting.md).")                     \
    D(ON_BY_COMMAND, "on-by-command", HINT, ELF, "Records are switched on by commands only",       \
      "The program does not call wf_filter, but it receives commands: it records nothing until a " \
      "host switches records on.",                                                                 \
      "Call wf_filter(WF_GRP_ALL) after wf_start, or send the command `filter all`.")              \
    D(MEMORY_ONLY, "memory-only", HINT, ELF, "The records are read from memory only",              \
      "Nothing in the program sends the bytes of the ring. The recorder is a black box or has "    \
      "slots, which a debugger or another core can read from memory.",                             \
      "Read an image of the RAM (--ram-image), or add a transport.")                               \
    D(TWO_CONTROL_BLOCKS, "two-control-blocks", HINT, ELF,                                         \
      "The program has two RTT control blocks",                                                    \
      "SEGGER's RTT is in the program besides wallfly's transport. A debug server takes the "      \
      "first control block that it finds in RAM.",                                                 \
      "Let the server search only at the address of wallfly's control block, or send the records " \
      "through a channel of SEGGER's RTT.")                                                        \
    D(ELF_STRIPPED, "elf-stripped", HINT, ELF, "The program file has no symbols",                  \
      "It was stripped: there are no names, and calls cannot be seen.",                            \
      "Give the file as the linker wrote it; the stripped one is for the target.")                 \
    D(NO_DEBUG_DATA, "no-debug-data", HINT, ELF, "The program file has no debug data",             \
      "Objects have names, but parts of objects, as tasks[2].lock, are shown as an offset.",       \
      "Compile with -g: it does not change the code.")                                             \
    D(NO_BUILD_ID, "no-build-id", HINT, ELF, "The program file has no build id",                   \
      "Whether a trace is of this build cannot be checked.",                                       \
      "Link with -Wl,--build-id, keep .note.gnu.build-id in the linker script, and set "           \
      "wf_config.build_id (wf_build_id.h).")                                                       \
    D(BUILD_ID_NOT_SENT, "build-id-not-sent", HINT, ELF | STREAM,                                  \
      "The target does not send its build id",                                                     \
      "The program file has a build id, but whether the target runs this file cannot be checked.", \
      "Set wf_config.build_id (wf_build_id.h), and keep .note.gnu.build-id in memory that the "    \
      "program can read.")                                                                         \
    D(ELF_UNDECIDED, "elf-undecided", HINT, ELF, "Some calls cannot be seen in the program file",  \
      "After link-time optimization functions are parts of others, and branches of some machines " \
      "are not read.",                                                                             \
      "To have these checks, build once without -flto.")                                           \
    D(ELF_GOOD, "elf-recorder", GOOD, ELF, "The program contains a recorder",                      \
      "What the file shows of it: version, kind, ring, kernel.", "Nothing need be done.")

#define DOCTOR_RTT_ROWS(D)                                                                         \
    D(RTT_REFUSED, "rtt-refused", CLOSED, RTT, "No RTT server answers",                            \
      "The machine refuses the connection: no debug server runs there, its RTT server is not "     \
      "started, or it has another port.",                                                          \
      "Start the server as docs/links.md shows: OpenOCD: `rtt setup ADDRESS SIZE \"SEGGER "        \
      "RTT\"`, `rtt start`, `rtt server start 9090 0`; J-Link: GDB server or Commander, port "     \
      "19021; pyOCD: `rtt:` in pyocd.yaml; probe-rs: a channel sent to a TCP port.")               \
    D(RTT_SILENT, "rtt-silent", FAULT, RTT, "The RTT server is up, but sends nothing",             \
      "The server has not found the control block, or the channel is empty: it searches other "    \
      "memory, the target is halted or has not called wf_rtt_init, the program does not call "     \
      "wf_rtt_poll, or the records are in another channel.",                                       \
      "Let the target run, then start the search again (OpenOCD: `rtt start`). `rtt channels` in " \
      "OpenOCD's console lists the channels that it has found: wallfly's is named as in "          \
      "wf_rtt_init.")                                                                              \
    D(RTT_CHANNEL, "rtt-other-channel", FAULT, RTT, "The channel is not wallfly's",                \
      "The bytes of this channel are a terminal's text or SystemView's records. wallfly's "        \
      "channel has the name that the program gave to wf_rtt_init.",                                \
      "Read another channel: J-Link: /1 after the port; OpenOCD: `rtt server start PORT "          \
      "CHANNEL`. SystemView's records can be read as they are.")

#endif
