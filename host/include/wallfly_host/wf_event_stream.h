// SPDX-License-Identifier: MIT
// A stream of events of another tracer, read by a library that decodes the tracer's own format. The
// import of CTF reads it (WF_LANE_CTF, docs/import/ctf.md); any program may write it.
//
// The stream is WF_EVENTS_MAGIC and then records. A record is the length of its rest as a varint,
// at most WF_EVENTS_RECORD_MAX, then a byte WF_EVENTS_... and its fields. There is no alignment.
//   varint  7 bits a byte, least significant first, bit 7: more follow
//   signed  a varint: 0, -1, 1, -2, ... are 0, 1, 2, 3, ...
//   text    its length as a varint, then UTF-8
//   cpu     a varint: the number of the core plus 1; 0: unknown
//   time    signed: nanoseconds since the last time in the stream; the first since 0
//
// kind         fields
// CLOCK        a byte of WF_EVENTS_CLOCK_ bits; without this record the events have no times
// ENV          text name, text value: what is known of the trace ("hostname")
// CLASS        text name; varint log level plus 1, 0: none (as syslog's); varint number of fields,
//              at most WF_EVENTS_FIELDS_MAX; for each field a byte WF_EVENTS_SCOPE_ and text name.
//              Classes are numbered from 0. A class comes before its first event.
// EVENT        varint class, time, cpu, varint data stream, and for each field of the class a value
// LOSS         a byte WF_EVENTS_LOST_, varint count plus 1 (0: unknown), time of the begin, varint
//              length in nanoseconds, cpu, varint data stream: lost in this data stream between its
//              last event and the end of the range
// END          text: empty if the stream is whole, else why it ends here
//
// A value is a byte WF_EVENTS_VALUE_ and then, by its type: nothing; a varint; a signed; 8 bytes,
// the bits of a double, little-endian; a text; a varint and a text; a signed and a text.
#ifndef WF_EVENT_STREAM_H
#define WF_EVENT_STREAM_H

#define WF_EVENTS_MAGIC "\x89WFEVT\n\x01"

enum {
    WF_EVENTS_MAGIC_LEN = 8,
    WF_EVENTS_RECORD_MAX = 60000,
    WF_EVENTS_FIELDS_MAX = 64,  // fields of a class
    WF_EVENTS_TEXT_MAX = 4096,  // longer texts are cut
    WF_EVENTS_CLASS_MAX = 65536 // number of classes
};

enum wf_events_kind {
    WF_EVENTS_CLOCK = 1,
    WF_EVENTS_ENV,
    WF_EVENTS_CLASS,
    WF_EVENTS_EVENT,
    WF_EVENTS_LOSS,
    WF_EVENTS_END
};

enum { WF_EVENTS_CLOCK_EPOCH = 1 }; // times are since 1970-01-01 UTC

enum wf_events_scope {
    WF_EVENTS_SCOPE_PAYLOAD,
    WF_EVENTS_SCOPE_CONTEXT, // of the event, of all events of its data stream
    WF_EVENTS_SCOPE_PACKET
};

enum wf_events_lost { WF_EVENTS_LOST_EVENTS, WF_EVENTS_LOST_PACKETS };

enum wf_events_value {
    WF_EVENTS_VALUE_NONE,       // an option that is absent
    WF_EVENTS_VALUE_UNSIGNED,   // varint
    WF_EVENTS_VALUE_SIGNED,     // signed
    WF_EVENTS_VALUE_HEX,        // varint, shown in hexadecimal
    WF_EVENTS_VALUE_FLOAT,      // 8 bytes
    WF_EVENTS_VALUE_TEXT,       // text; also arrays, as "[1, 2]"
    WF_EVENTS_VALUE_ENUM,       // varint, and its word
    WF_EVENTS_VALUE_SIGNED_ENUM // signed, and its word
};

#endif
