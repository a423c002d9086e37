// SPDX-License-Identifier: MIT
// Shared code of the link kinds. A kind is a row in wf_link.c and a file of its own, whose struct
// starts with a struct wf_link (and its peers with a struct wf_peer).
#ifndef WFB_LINK_H
#define WFB_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "wallfly_backend/wf_link.h"

enum { WFB_BLOCK = WF_LINK_BYTES_MAX, WFB_PEER_NAME_MAX = 128 };

// Whether a target may be asked for its names (enum wf_ask).
enum wfb_ask {
    WFB_ASK_NEVER, // there is no live target, or the link asks in another way
    WFB_ASK_FREE,  // bytes that the target does not read are dropped, without effect
    WFB_ASK_CUTS   // a socket closed with unread bytes drops its unsent data
};

// The first frame of a connection (wfb_ask.c).
struct wfb_opening {
    uint32_t bytes; // received so far
    bool done, escaped;
    bool wants; // INFO is to be sent
    uint8_t sum;
    uint32_t len; // of the frame
    uint8_t head[24];
};

struct wf_peer {
    struct wf_link *link;
    struct wfb_opening opening;
    unsigned lane;
    uint8_t seq; // sequence number of the last command sent
    char name[WFB_PEER_NAME_MAX];
    bool recording;       // its bytes are those of a recording
    struct wf_peer *next; // the next connected peer of the link
};

struct wf_link {
    const struct wfb_kind *kind;
    uv_loop_t *loop;
    struct wf_link_options options;
    struct wf_link_handlers on;
    struct wf_peer *peers;
    unsigned handles; // open libuv handles; the link is freed when it is closing and none is left
    bool closing;
    unsigned port;  // listening port, or 0
    uint8_t *block; // read buffer of WFB_BLOCK bytes
};

struct wfb_kind {
    size_t size; // size of the kind's struct
    int (*open)(struct wf_link *link, const char *operand, struct wf_error *error);
    void (*close)(struct wf_link *link); // closes its handles
    // Sends a frame. When this and `send` are null, commands cannot be sent.
    int (*write)(struct wf_peer *peer, const uint8_t *frame, size_t len);
    // Sends a command, for links without frames. May be null.
    int (*send)(struct wf_peer *peer, uint8_t command, const void *payload, size_t len);
    bool (*live)(const char *operand); // null: always
    enum wfb_ask ask;
    // Stops reading, or begins again. Null: what is not read at once is lost.
    void (*hold)(struct wf_peer *peer, bool hold);
};

extern const struct wfb_kind wfb_file, wfb_folder, wfb_tcp_listen, wfb_tcp, wfb_udp, wfb_serial,
    wfb_rtt, wfb_pty, wfb_spy;

void wfb_up(struct wf_link *link, struct wf_peer *peer); // assigns its lane
void wfb_down(struct wf_peer *peer, const char *why);
// (wfb_ask.c) Reports bytes of a target; requests its names first if they are needed.
void wfb_bytes(struct wf_peer *peer, const uint8_t *bytes, size_t len);
// Returns whether a record is the target info of a reset. payload: its first bytes, len: its length
bool wfb_is_reset(uint8_t id, const uint8_t *payload, size_t len);
void wfb_report(struct wf_link *link, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Handles of a link. A closing link is freed with its last handle.
// Counts an initialized handle, and sets its data to the link.
void wfb_handle_opened(struct wf_link *link, void *handle);
// Closes a handle that was opened and is not closing.
void wfb_handle_close(void *handle);
void wfb_handle_closed(uv_handle_t *handle); // a uv_close_cb
// A uv_alloc_cb: returns the link's block.
void wfb_handle_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf);
// Reports that no more bytes will arrive. The link must not be used after this call.
void wfb_done(struct wf_link *link, int err);

// Splits "[HOST:]PORT"; without HOST it is the loopback. Returns WF_OK or WF_ERR_USAGE.
int wfb_parse_address(const char *text, struct sockaddr_storage *address, struct wf_error *error);
socklen_t wfb_address_len(const struct sockaddr *address);
unsigned wfb_address_port(const struct sockaddr *address);
void wfb_address_name(const struct sockaddr *address, char name[WFB_PEER_NAME_MAX]);
bool wfb_same_address(const struct sockaddr_storage *a, const struct sockaddr *b);
// Explains why an address is reported in use: names the holder, then gives the advice. Returns
// WF_ERR_LINK.
int wfb_in_use(const struct sockaddr *address, const char *advice, struct wf_error *error);
// Listens at an address ([HOST:]PORT) without waiting, for servers.
//   advice   of wfb_in_use
//   address  set, with the port that was got
//   fd       the socket; -1 after an error
// Returns WF_OK, WF_ERR_USAGE, WF_ERR_LINK.
int wfb_listen(const char *text, const char *advice, struct sockaddr_storage *address, int *fd,
               struct wf_error *error);
// Reports that the link waits for targets, or the error (err, libuv's). Returns WF_OK or
// WF_ERR_LINK.
int wfb_listening(struct wf_link *link, const struct sockaddr *address, int err,
                  struct wf_error *error);
bool wfb_parse_unsigned(const char *text, unsigned long most, unsigned long *value);

// Writes to a stream, copying the bytes.
int wfb_stream_write(uv_stream_t *stream, const uint8_t *bytes, size_t len);

#endif
