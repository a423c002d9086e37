// SPDX-License-Identifier: MIT
// Diagnoses of the records of a source.
// D(id, name, severity, needs, title, meaning, remedy)
#ifndef ROWS_STREAM_H
#define ROWS_STREAM_H

#define DOCTOR_STREAM_ROWS(D)                                                                      \
    D(RESTARTS, "restarts", FAULT, STREAM, "The target restarts",                                  \
      "The target information of a reset came more than once during the look: a watchdog, a "      \
      "fault handler or the supply resets it.",                                                    \
      "Read the reset cause register at the start; the last records before a restart show what "   \
      "ran.")                                                                                      \
    D(TRUNCATED, "truncated", FAULT, STREAM, "The file is not whole",                              \
      "It ends inside a frame, has no index at its end, or parts of it are damaged: the "          \
      "recording was killed, or the disk was full.",                                               \
      "What is there can be read; end a recording with Ctrl-C.")                                   \
    D(TEXT_BETWEEN, "text-between", FAULT, STREAM, "Text is mixed with the frames",                \
      "Damaged bytes between good frames are printable: something prints on the line of the "      \
      "trace.",                                                                                    \
      "Print elsewhere, or as records (WF_LOG, or a user record), so that the text gets a time.")  \
    D(WRONG_SIZES, "wrong-sizes", FAULT, STREAM,                                                   \
      "The sizes of pointers, signals or counters are wrong",                                      \
      "Checksums are right, but records do not have the length that the sizes give. A target "     \
      "reports its sizes at its start and on request.",                                            \
      "Give the sizes that fit; or let the target report them: reset it, or --ask=always.")        \
    D(MALFORMED, "malformed", FAULT, STREAM, "Records have a wrong length",                        \
      "Checksums are right, but records do not have the length that the sizes give, and no other " \
      "sizes fit: the target was built with a changed recorder, or writes application records by " \
      "hand.",                                                                                     \
      "Build the target with the recorder of this version; see which records with `wallfly "       \
      "print`.")                                                                                   \
    D(NUMBERS_MISSING, "numbers-missing", FAULT, STREAM, "Packed frames wait for object numbers",  \
      "The look began after the target's start: packed frames are decoded when the numbers of "    \
      "their objects have come, a few after each SYNC.",                                           \
      "Look longer (--seconds), or ask the target (--ask=always).")                                \
    D(FILTERS_OFF, "filters-off", FAULT, STREAM, "No records are switched on",                     \
      "The target sends target information, names and synchronisation, which are always on, but "  \
      "nothing else. wf_start switches all other records off.",                                    \
      "Switch them on: in the target with wf_filter(WF_GRP_ALL), or with a command; then look "    \
      "again.")                                                                                    \
    D(CLOCK_STANDS, "clock-stands", FAULT, STREAM, "The target's clock stands still",              \
      "All records have the same time: the counter that wf_port_now reads is not started.",        \
      "Start the counter before wf_start (on Cortex-M: DWT_CTRL with TRCENA; it needs a debugger " \
      "on some CPUs).")                                                                            \
    D(CLOCK_BACK, "clock-back", FAULT, STREAM, "The target's clock goes back",                     \
      "Records have lower times than those before them, without a restart: the counter is reset "  \
      "by another part of the program, cores have different counters, or a wrap is shorter than "  \
      "the stamp.",                                                                                \
      "Give wf_port_now a free-running counter over all bits of the stamp, which all cores "       \
      "share.")                                                                                    \
    D(CLOCK_WRONG, "clock-wrong", FAULT, STREAM, "The tick rate that the target reports is wrong", \
      "The target's clock was compared with that of this machine during the look.",                \
      "Correct wf_config.hz in the target; until then give the rate that was measured.")           \
    D(LINK_SATURATED, "link-saturated", FAULT, STREAM, "The link is too slow for the records",     \
      "The target loses records while the line is fully used. A larger ring only delays the "      \
      "loss.",                                                                                     \
      "Raise the baud rate, switch groups off, or pack the records (WF_CFG_PACKED).")              \
    D(RING_OVERFLOWS, "ring-overflows", FAULT, STREAM, "The target's ring overflows",              \
      "Records were given up by the target, by its own count, as they came faster than they were " \
      "sent. The size that is shown would have held the largest burst of the look; without loss "  \
      "since the start it must be larger than the bytes that came in the longest time between "    \
      "two reads of the ring.",                                                                    \
      "Enlarge the ring by that many bytes, read it more often, or switch groups off.")            \
    D(LOSS_ON_LINK, "loss-on-link", FAULT, STREAM,                                                 \
      "Bytes are lost between the target and this machine",                                        \
      "Records are missing that the target did not give up, or frames are damaged.",               \
      "Serial: lower the rate, use DMA or a higher interrupt priority for TX, shorten the cable. " \
      "UDP: smaller or fewer datagrams. File: record again.")                                      \
    D(LOSS_NOT_REPORTED, "loss-not-reported", FAULT, STREAM,                                       \
      "Records are missing, and the look ended before the target reported what it gave up",        \
      "The hole lies behind the last SYNC record. The next one would show whether the target's "   \
      "ring overflowed or bytes were lost on the way.",                                            \
      "Look for longer: --seconds=20.")                                                            \
    D(SLOTS_LOST, "slots-lost", FAULT, STREAM, "Slots were lost",                                  \
      "The rings of slots overflowed or were read too late, or chunks of the stream are missing.", \
      "Enlarge the rings (slots in wf_slots_config), or read them more often.")                    \
    D(NO_TARGET_INFO, "no-target-info", HINT, STREAM, "The target has not reported its sizes",     \
      "The look began after the target's start, and the target was not asked or does not answer: " \
      "sizes of pointers are assumed, and the build time is not known.",                           \
      "Reset the target during the look, or ask it: it needs wf_rx (docs/commands.md).")           \
    D(NAMES_MISSING, "names-missing", HINT, STREAM, "Objects have no names",                       \
      "Records refer to objects, functions or signals whose names are not in the trace: "          \
      "addresses are shown.",                                                                      \
      "Give the program file (--elf), reset the target during the look, or put a table of names "  \
      "into the target (docs/names-again.md).")                                                    \
    D(NO_CLOCK_RATE, "no-clock-rate", HINT, STREAM, "The tick rate is not known",                  \
      "The target has not sent its rate: times are shown in ticks.",                               \
      "Set hz in wf_config, or give the rate.")                                                    \
    D(GROUPS_SILENT, "groups-silent", HINT, STREAM, "Some groups of records do not occur",         \
      "Either they are switched off, or nothing of the kind has happened.",                        \
      "Switch them on if they are needed.")                                                        \
    D(UNKNOWN_RECORDS, "unknown-records", HINT, STREAM, "Records have numbers that are not known", \
      "The target's recorder is newer than this program, or records are of a modified QS.",        \
      "Update wallfly; other records are not affected.")                                           \
    D(OLD_VERSION, "old-version", HINT, STREAM, "The target has an old version of QS",             \
      "In versions before 6.6 application records begin with 70, where later ones have wallfly's " \
      "own records: SYNC and the records of an RTOS are read as application records, and losses "  \
      "are known only modulo 256.",                                                                \
      "Nothing need be done if the target is QP's own; else build it with WF_CFG_QS_VERSION=740.") \
    D(HEALTHY, "healthy", GOOD, STREAM, "The trace is healthy",                                    \
      "Records arrive, with names and times, and nothing is lost.", "Nothing need be done.")

#endif
