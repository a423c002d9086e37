// SPDX-License-Identifier: MIT
// The inside of the server of front ends: wf_front.c (target's side), wfb_front_ends.c (who is
// attached, and sending), wfb_front_packets.c (what they send), wfb_front_files.c.
#ifndef WFB_FRONT_H
#define WFB_FRONT_H

#include <stdio.h>
#include <uv.h>

#include "wallfly_backend/wf_dic.h"
#include "wallfly_backend/wf_front.h"
#include "wfb_link.h"
#include "wfb_queue.h"

// Channels of ATTACH; the third is our own.
enum { WFB_CHANNEL_BINARY = 1, WFB_CHANNEL_TEXT = 2, WFB_CHANNEL_KNOWN = 4 };

// Packets to front ends that are no records. Those of our own go only to channel KNOWN.
enum {
    WFB_TO_TEXT = 0,
    WFB_ATTACH = 128,
    WFB_DETACH = 129,
    WFB_OWN_KNOWN = 240,  // records from outside the stream: u16 length, u8 record, payload, ...
    WFB_OWN_LOST = 241,   // u32 packets lost since the one before
    WFB_OWN_SAID = 242,   // text: what is wrong with a packet of the front end
    WFB_OWN_START = 243,  // record 0, whose number means text; byte 0 is the target's sequence
    WFB_OWN_ALIVE = 244,  // both ways
    WFB_OWN_TARGET = 245, // u8 1 the target has come, 0 it has left; then why
};

// The names a front end has not are handed over in packets of at most so many bytes, which every
// network takes in one piece.
enum { WFB_KNOWN_MAX = 1200 };

struct wfb_front_end {
    struct wf_front *front;
    struct wfb_front_end *next;
    struct sockaddr_storage address;
    char name[WFB_NAME_MAX];
    uint8_t channels;
    uint8_t expected, own; // sequence numbers: of its next packet, of our last
    struct wfb_queue queue;
    uint32_t losing;   // packets lost since there was no room, not told yet
    uint64_t heard_ms; // loop time of its last packet
};

struct wfb_file {
    FILE *file; // null: off; of the output
    struct wf_outfile *output;
    char path[1024];
};

enum { WFB_FILES = 4 }; // by the bits of enum wf_front_file

struct wf_front {
    uv_loop_t *loop;
    struct wf_hub *hub;
    struct wf_front_options options;
    struct wf_front_handlers on;
    struct wf_front_counters count;
    struct wf_dic dic;

    uv_udp_t udp;
    uv_prepare_t prepare; // sends, once a turn
    uv_idle_t idle;       // keeps the loop turning while there is something to send
    uv_timer_t retry;     // when the system has no room
    uv_timer_t second;
    unsigned handles;
    bool closing, blocked;
    bool file; // the source is one

    struct wfb_front_end *ends;
    unsigned end_count, text_count; // text_count: those with the text channel

    struct wf_writer *text;
    const struct wf_record *pending; // its binary packet goes out before its text
    uint8_t record;                  // last handled, of the target or of a front end
    uint64_t current;                // object that signals are named for: the current state machine
    uint8_t info[32], sync[64];      // payloads of the last ones, for who joins late
    size_t info_len, sync_len;
    uint8_t seq; // of the target's last record

    struct wfb_file files[WFB_FILES];
    struct wf_writer *mat, *diagram;
    uint8_t datagram[65536];
};

// wf_front.c: a line to standard output, the text file, and the text channel (only: of that one
// front end, whose packet caused it).
void wfb_front_line(struct wf_front *f, enum wf_line_class line, const char *text, size_t len,
                    struct wfb_front_end *only);
void wfb_front_printf(struct wf_front *f, enum wf_line_class line, struct wfb_front_end *only,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

// wfb_front_ends.c
int wfb_ends_open(struct wf_front *f, char why[256]);
void wfb_ends_close(struct wf_front *f);
struct wfb_front_end *wfb_end_find(struct wf_front *f, const struct sockaddr *address);
void wfb_end_attach(struct wf_front *f, const struct sockaddr *address, uint8_t seq,
                    uint8_t channels);
void wfb_end_drop(struct wfb_front_end *e); // without a word to it
// Puts a packet of two bytes and a payload into the queue.
void wfb_end_send(struct wfb_front_end *e, uint8_t seq, uint8_t id, const void *payload,
                  size_t len);
void wfb_end_text(struct wfb_front_end *e, uint8_t record, const char *text, size_t len);

// wfb_front_known.c: what is known of the target, to a front end with channel KNOWN (all of them
// if null); the target info alone, to any.
void wfb_known_send(struct wf_front *f, struct wfb_front_end *only);
bool wfb_known_info(struct wfb_front_end *e);
// That the target has come or left, to all with channel KNOWN.
void wfb_known_target(struct wf_front *f, bool there, const char *why);

// wfb_front_packets.c
void wfb_front_packet(struct wf_front *f, const struct sockaddr *address, const uint8_t *packet,
                      size_t len);

// wfb_front_files.c; what: 0 off, 1 on, else the other way
void wfb_file_switch(struct wf_front *f, enum wf_front_file which, uint8_t what,
                     struct wfb_front_end *by);
void wfb_files_open(struct wf_front *f); // those on from the start
void wfb_files_bytes(struct wf_front *f, const uint8_t *bytes, size_t len);
void wfb_files_line(struct wf_front *f, const char *text, size_t len);
void wfb_files_item(struct wf_front *f, const struct wf_item *item);
void wfb_files_flush(struct wf_front *f);
void wfb_files_close(struct wf_front *f);

#endif
