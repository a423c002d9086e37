// SPDX-License-Identifier: MIT
// Packed frames: numbers that target and host share (docs/wire-format.md). Data only, no code.
#ifndef WF_PACKED_H
#define WF_PACKED_H

// Records from WF_PACKED_FIRST to WF_PACKED_LAST have a kind for each selector: (record -
// WF_PACKED_FIRST) * 16 + selector.
enum { WF_PACKED_FIRST = 85, WF_PACKED_LAST = 97 };

// The other kinds of events, and prefixes of events.
enum {
    WF_PACKED_SWITCH = 0xD0,    // + the reason, 0..7
    WF_PACKED_RECORD = 0xD8,    // a record of another number, with its payload
    WF_PACKED_STAMPED = 0xD9,   // the same, its payload begins with the stamp
    WF_PACKED_NO_ACTOR = 0xDA,  // prefix
    WF_PACKED_ACTOR = 0xDB,     // prefix
    WF_PACKED_CORE = 0xDC,      // prefix
    WF_PACKED_IRQ_ENTER = 0xDD, // of depth 1
    WF_PACKED_IRQ_EXIT = 0xDE,  // of depth 1, of the interrupt entered last in the frame
    WF_PACKED_USER = 0xE0,      // + an application record's number
    WF_PACKED_TAKE = 0xF9,      // a mutex is taken, depth 1
    WF_PACKED_GIVE = 0xFA       // a mutex is given, depth 0
};

enum { WF_PACKED_NO_NUMBER = 255 }; // in place of an object number: the pointer itself follows

#endif
