// SPDX-License-Identifier: MIT
// Diagnoses of sources, before any record is decoded.
// D(id, name, severity, needs, title, meaning, remedy)
#ifndef ROWS_LINK_H
#define ROWS_LINK_H

#define DOCTOR_LINK_ROWS(D)                                                                        \
    D(NO_DEVICE, "no-device", CLOSED, LINK, "The serial device does not exist",                    \
      "No file of this name is in /dev, or no device is behind it: the adapter is not plugged "    \
      "in, has another name since it was plugged in, or its driver is not loaded.",                \
      "Use one of the devices that are there; a name in /dev/serial/by-id stays the same.")        \
    D(NO_PERMISSION, "no-permission", CLOSED, LINK, "You may not open the device or file",         \
      "Its owner and group may, and you are neither.", "Join the group, log in again, and retry.") \
    D(DEVICE_IN_USE, "device-in-use", CLOSED, LINK, "Another program has the device open",         \
      "Two programs on one serial device each get a part of the bytes. The programs that have "    \
      "the device open are found in /proc; those of other users are not visible.",                 \
      "End the other program, or let it serve the trace (`wallfly serve`) and read that.")         \
    D(DEVICE_SHARED, "device-shared", FAULT, LINK, "Another program reads the device, too",        \
      "Two programs on one serial device each get a part of the bytes.",                           \
      "End the other program, or let it serve the trace (`wallfly serve`) and read that.")         \
    D(NOT_SERIAL, "not-serial", CLOSED, LINK, "This is not a serial device",                       \
      "The file exists, but has no serial settings.",                                              \
      "Use a serial device; a file is read without the word serial: before it.")                   \
    D(BAUD_REFUSED, "baud-refused", CLOSED, LINK, "The device refuses the baud rate",              \
      "The driver does not support the rate, or only rates near it.",                              \
      "Use a rate that both the adapter and the target support.")                                  \
    D(NOT_READABLE, "not-readable", CLOSED, LINK, "The source cannot be opened",                   \
      "The system refuses to open or read the source, with the reason that is shown.",             \
      "Correct the name; `wallfly help print` lists the kinds of sources.")                        \
    D(EMPTY_FILE, "empty-file", CLOSED, LINK, "The file is empty",                                 \
      "The recording was never begun, or nothing was written to the disk yet.",                    \
      "Record again, and wait for the message that the target is connected.")                      \
    D(PORT_IN_USE, "port-in-use", CLOSED, LINK, "Another program listens on the port",             \
      "A port has one listener at a time. The programs that have it are found in /proc; those of " \
      "other users are not visible.",                                                              \
      "End the other program, read from it if it is `wallfly serve`, or use another port.")        \
    D(BAD_ADDRESS, "bad-address", CLOSED, LINK, "The address is not one of this machine",          \
      "A source that listens needs an address of this machine.",                                   \
      "Use one of the addresses of this machine, or 0.0.0.0 for all of them.")                     \
    D(REFUSED, "refused", CLOSED, LINK, "Nobody answers at the address",                           \
      "The machine refuses the connection or cannot be reached: the target does not listen "       \
      "there, is not running, or has another address.",                                            \
      "Start the target, and compare the address and port with those in its configuration.")       \
    D(NOBODY_CONNECTS, "nobody-connects", FAULT, LINK, "No target has connected",                  \
      "The source waits for a target, but none connected or sent a datagram while it was "         \
      "watched. A source on 127.0.0.1 is reached only by programs on this machine.",               \
      "Let the target connect to one of the addresses that are shown, and start it again.")        \
    D(NO_BYTES, "no-bytes", FAULT, LINK, "No byte arrives",                                        \
      "The link is open but silent. A target records nothing until a filter switches records on, " \
      "and sends its target information and names only at its start. The other causes: TX is not " \
      "connected to RX, grounds are not connected, the UART is not initialised, or nothing calls " \
      "the function that sends the ring's bytes.",                                                 \
      "Reset the target during the look. If the target receives commands, ask it (--ask=always).") \
    D(NOT_EIGHT_BITS, "seven-bits", FAULT, LINK, "The line has 7 data bits, not 8",                \
      "Frames end where they should, and their checksums are right in the low 7 bits, but the "    \
      "top bit is a parity bit or always 0.",                                                      \
      "Set the target's UART to 8 data bits, no parity, 1 stop bit (8N1).")                        \
    D(INVERTED, "inverted", FAULT, LINK, "The line is inverted",                                   \
      "The bytes are those that a UART receives when high and low are exchanged: where frames "    \
      "end, there is one and the same wrong byte, and after it the sequence counts down.",         \
      "Switch off the inversion of TX in the UART's settings, or put an RS-232 receiver or an "    \
      "inverter between the target and the adapter.")                                              \
    D(WRONG_BAUD, "wrong-baud", FAULT, LINK, "The baud rate is wrong",                             \
      "At the given rate there are bytes but no frames; at another usual rate there are frames.",  \
      "Use the rate at which there are frames.")                                                   \
    D(IS_TEXT, "is-text", FAULT, LINK, "The bytes are text",                                       \
      "Nearly all bytes are printable: a console, a boot loader or a log.",                        \
      "Send the trace on a line of its own, or stop the text before the trace begins.")            \
    D(OTHER_FORMAT, "other-format", FAULT, LINK, "The bytes are another tracer's",                 \
      "The bytes are not frames, but they can be read as the format that is shown.",               \
      "Name the format on the command line.")                                                      \
    D(IS_PROGRAM, "is-program", FAULT, LINK, "The file is a program, not a trace",                 \
      "It begins as an ELF file does.",                                                            \
      "Give the program with --elf, and the trace of the target as the source.")                   \
    D(IS_SLIP, "is-slip", FAULT, LINK, "The bytes are SLIP frames",                                \
      "Packets end with C0, and DB occurs only before DC and DD: another protocol is on this "     \
      "line.",                                                                                     \
      "Use the line or port of the trace, or remove that protocol.")                               \
    D(IS_COBS, "is-cobs", FAULT, LINK, "The bytes are COBS frames",                                \
      "Packets end with 00, and the lengths inside lead exactly to their ends: another protocol "  \
      "is on this line.",                                                                          \
      "Use the line or port of the trace, or remove that protocol.")                               \
    D(IS_HDLC, "is-hdlc", FAULT, LINK, "The bytes are HDLC or PPP frames",                         \
      "Packets end with 7E, as those of the trace do, but have the 16-bit checksum of HDLC.",      \
      "Use the line or port of the trace, or remove that protocol.")                               \
    D(NOISE, "noise", FAULT, LINK, "The bytes have no structure that is known",                    \
      "There are bytes, but neither frames nor another known format, at any usual rate. An open "  \
      "input, missing ground, an unusual rate, encrypted or compressed data look like this; so "   \
      "does a file of another kind.",                                                              \
      "Measure the length of the shortest pulse on the line: its inverse is the baud rate. Check " \
      "RX and ground.")

#endif
