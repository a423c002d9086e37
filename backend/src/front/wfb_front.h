// SPDX-License-Identifier: MIT
// Internals of the server for front ends: wf_front.c (target side), wfb_front_ends.c (attached
// front ends, sending), wfb_front_packets.c (received packets), wfb_front_files.c.
#ifndef WFB_FRONT_H
#define WFB_FRONT_H

#include <stdio.h>
#include <uv.h>

#include "wallfly_backend/wf_dic.h"
#include "wallfly_backend/wf_front.h"
#include "link/wfb_link.h"
#include "wfb_queue.h"

// Channels of ATTACH; the third is wallfly's own.
enum { WFB_CHANNEL_BINARY = 1, WFB_CHANNEL_TEXT = 2, WFB_CHANNEL_KNOWN = 4 };

// Packets to front ends that are not records. wallfly's own packets go only to channel KNOWN.
enum {
    WFB_TO_TEXT = 0,
    WFB_ATTACH = 128,
    WFB_DETACH = 129,
    WFB_OWN_KNOWN = 240,   // records from outside the stream: u16 length, u8 record, payload, ...
    WFB_OWN_LOST = 241,    // u32 packets lost since the previous one
    WFB_OWN_MESSAGE = 242, // text: the error in a packet of the front end
    WFB_OWN_START = 243, // record 0, whose number is used for text; byte 0 is the target's sequence
    WFB_OWN_ALIVE = 244, // sent in both directions
    WFB_OWN_TARGET = 245, // u8 1 the target has connected, 0 it has disconnected; then the reason
};

// Names that a front end lacks are sent in packets of at most this size, which every network
// carries without fragmenting.
enum { WFB_KNOWN_MAX = 1200 };

#define WFB_FRONT_ADDRESS "127.0.0.1:7701" // with WF_FRONT_PORT

struct wfb_front_end {
    struct wf_front *front;
    struct wfb_front_end *next;
    struct sockaddr_storage address;
    char name[WFB_PEER_NAME_MAX];
    uint8_t channels;
    uint8_t expected, own; // sequence numbers: of its next packet, of our last packet
    struct wfb_queue queue;
    uint32_t losing;   // packets lost because the queue was full, not reported yet
    uint64_t heard_ms; // loop time of its last packet
};

struct wfb_file {
    FILE *file; // null: off; owned by the output
    struct wf_outfile *output;
};

enum { WFB_FILES = 4 }; // indexed by the bits of enum wf_front_file

struct wf_front {
    uv_loop_t *loop;
    struct wf_hub *hub;
    struct wf_front_options options;
    struct wf_front_handlers on;
    struct wf_front_counters count;
    struct wf_dic dic;

    uv_udp_t udp;
    uv_prepare_t prepare; // sends, once per loop iteration
    uv_idle_t idle;       // keeps the loop running while there is something to send
    uv_timer_t retry;     // runs when the system has no room
    uv_timer_t second;
    unsigned handles;
    bool closing, blocked;
    bool file; // the source is a file

    struct wfb_front_end *ends;
    unsigned end_count, text_count; // text_count: those with the text channel

    struct wf_writer *text;
    const struct wf_record *pending; // its binary packet is sent before its text
    uint8_t record;             // number of the last one handled, of the target or of a front end
    uint64_t current;           // current state machine: the object whose signals are named
    uint8_t info[32], sync[64]; // payloads of the last ones, for front ends that attach later
    size_t info_len, sync_len;
    uint64_t made_hz; // rate in the SYNC that was made for another tracer's target
    uint8_t seq;      // of the target's last record

    struct wfb_file files[WFB_FILES];
    struct wf_writer *mat, *diagram;
    uint8_t datagram[65536];
};

// wf_front.c: prints a line to standard output, the text file and the text channel. only: send it
// to this front end only, whose packet caused it.
void wfb_front_line(struct wf_front *f, enum wf_line_class line, const char *text, size_t len,
                    struct wfb_front_end *only);
void wfb_front_printf(struct wf_front *f, enum wf_line_class line, struct wfb_front_end *only,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

// wfb_front_ends.c
int wfb_ends_open(struct wf_front *f, struct wf_error *error);
void wfb_ends_close(struct wf_front *f);
struct wfb_front_end *wfb_end_find(struct wf_front *f, const struct sockaddr *address);
void wfb_end_attach(struct wf_front *f, const struct sockaddr *address, uint8_t seq,
                    uint8_t channels);
void wfb_end_drop(struct wfb_front_end *e); // without notifying it
// Queues a packet of two bytes and a payload.
void wfb_end_send(struct wfb_front_end *e, uint8_t seq, uint8_t id, const void *payload,
                  size_t len);
void wfb_end_text(struct wfb_front_end *e, uint8_t record, const char *text, size_t len);

// wfb_front_known.c: sends the known state of the target to a front end with channel KNOWN (null:
// to all of them). The second function sends the target info alone, to any front end.
void wfb_known_send(struct wf_front *f, struct wfb_front_end *only);
bool wfb_known_info(struct wfb_front_end *e);
// Sends the sizes and the rate of another tracer's records, which no record contains, at the first
// record and when the rate changes.
void wfb_known_import(struct wf_front *f);
// Returns the row of the record with this effect, which must exist.
const struct wf_row *wfb_row_of(enum wf_effect effect);
// Announces to all with channel KNOWN that the target has connected or disconnected.
void wfb_known_target(struct wf_front *f, bool there, const char *why);

// wfb_front_packets.c
void wfb_front_packet(struct wf_front *f, const struct sockaddr *address, const uint8_t *packet,
                      size_t len);

// wfb_front_files.c. what: 0 off, 1 on, else toggle
void wfb_file_switch(struct wf_front *f, enum wf_front_file which, uint8_t what,
                     struct wfb_front_end *by);
void wfb_files_open(struct wf_front *f); // opens those on from the start
void wfb_files_bytes(struct wf_front *f, const uint8_t *bytes, size_t len);
void wfb_files_line(struct wf_front *f, const char *text, size_t len);
void wfb_files_item(struct wf_front *f, const struct wf_item *item);
void wfb_files_flush(struct wf_front *f);
void wfb_files_close(struct wf_front *f);

#endif
