// SPDX-License-Identifier: MIT
// Reads CTF traces through libbabeltrace2, as a stream of events.
#ifndef WFB_CTF_H
#define WFB_CTF_H

#include "wfb_babeltrace.h"
#include "wfb_event_encoder.h"

// Numbers of the library's objects, from 0 in the order of their first use.
struct wfb_objects {
    struct wfb_object {
        bt_const object;
        uint32_t number;
    } * slots; // a hash table
    size_t mask, used;
};

struct wfb_data_stream {
    bt_const stream;
    unsigned cpu; // plus 1; 0: unknown
};

struct wfb_event_class {
    bool clock;
    bt_const common, packet;                    // classes of its scopes, or null
    unsigned of_specific, of_common, of_packet; // their fields
};

struct wfb_ctf {
    struct wfb_babeltrace bt;
    struct wfb_encoder out;
    void *graph;
    struct wfb_objects streams, classes, stream_classes, traces;
    struct wfb_data_stream *stream;      // by number
    struct wfb_event_class *event_class; // by number
    bt_const *trace;                     // held, so that addresses of objects are not used again
    size_t trace_count;
    bool clock_told;
    char why[200]; // the library stopped with this error
};

// Opens the traces in these folders, each with a file `metadata`. Returns WF_OK, or an error.
int wfb_ctf_open(struct wfb_ctf *c, char *const *folders, unsigned count, struct wf_error *error);
void wfb_ctf_close(struct wfb_ctf *c);
// Decodes some more: the encoder has new records. Returns WF_OK; WF_ERR_STOPPED at the end, also if
// the library stops with an error; WF_ERR_NOMEM.
int wfb_ctf_step(struct wfb_ctf *c);

// (wfb_ctf_messages.c) Encodes a message of the library. Returns false when out of memory.
bool wfb_ctf_message(struct wfb_ctf *c, bt_const message);

// (wfb_ctf_objects.c) Returns the number of an object; *fresh: it is new. Returns UINT32_MAX when
// out of memory.
uint32_t wfb_object_number(struct wfb_objects *o, bt_const object, bool *fresh);

#endif
