// SPDX-License-Identifier: MIT
// Frames of a client must be masked (RFC 6455, 5.1). libwebsockets 4.1 accepts unmasked frames and
// does not expose the bit. So the bytes of each connection are parsed here as they are read from
// its socket: request headers up to the upgrade, then frame headers. The bytes are not changed.

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "wfb_page.h"

enum { MASKED = 0x80, LENGTH = 0x7F, LENGTH16 = 126, LENGTH64 = 127, MASK_BYTES = 4 };

struct wfb_input *wfb_input_of(struct wf_page *page, int fd) {
    bool has = fd >= 0 && (size_t)fd < page->input_count && page->inputs[fd].open;
    return has ? &page->inputs[fd] : NULL;
}

bool wfb_input_open(struct wf_page *page, int fd) {
    size_t count = (size_t)fd + 1;
    if (count > page->input_count) {
        struct wfb_input *more = realloc(page->inputs, count * sizeof *more);
        if (!more) return false;
        memset(more + page->input_count, 0, (count - page->input_count) * sizeof *more);
        page->inputs = more;
        page->input_count = count;
    }
    page->inputs[fd] = (struct wfb_input){.open = true};
    return true;
}

void wfb_input_close(struct wf_page *page, int fd) {
    struct wfb_input *in = wfb_input_of(page, fd);
    if (in) in->open = false;
}

// A request header ends with an empty line. A client must wait for the response before it sends
// frames: bytes after the header in the same read are noted for wfb_input_upgrade().
static void parse_request_heads(struct wfb_input *in, const uint8_t *bytes, size_t len) {
    if (len) in->behind = 0;
    for (size_t i = 0; i < len; ++i) {
        if (bytes[i] == '\n' && ++in->line_ends == 2) {
            in->line_ends = 0;
            in->behind = len - i - 1;
        } else if (bytes[i] != '\n' && bytes[i] != '\r') {
            in->line_ends = 0;
        }
    }
}

bool wfb_input_upgrade(struct wfb_input *in) {
    in->frames = true;
    return in->behind == 0;
}

static uint64_t payload_length(const struct wfb_input *in) {
    uint64_t length = in->head[1] & LENGTH;
    if (length < LENGTH16) return length;
    length = 0;
    for (unsigned i = 2; i < in->need - MASK_BYTES; ++i) length = length << 8 | in->head[i];
    return length;
}

// Returns false for a frame without a mask.
static bool parse_frames(struct wfb_input *in, const uint8_t *bytes, size_t len) {
    while (len) {
        uint64_t skip = in->left < len ? in->left : len;
        in->left -= skip;
        bytes += skip;
        len -= (size_t)skip;
        if (!len) break;
        in->head[in->have++] = *bytes++;
        --len;
        if (in->have < 2) continue;
        if (!(in->head[1] & MASKED)) return false;
        unsigned length = in->head[1] & LENGTH;
        in->need = 2 + MASK_BYTES + (length == LENGTH64 ? 8 : length == LENGTH16 ? 2 : 0);
        if (in->have < in->need) continue;
        in->left = payload_length(in);
        in->have = 0;
    }
    return true;
}

// Sends a close frame, which must be between messages: none if a message is partly sent.
static void refuse_frame(struct wf_page *page, int fd) {
    static const uint8_t protocol_error[] = {0x88, 2, 1002 >> 8, 1002 & 0xFF};
    bool between = true;
    for (const struct wf_page_client *c = page->clients; c; c = c->next) {
        if (lws_get_socket_fd(c->wsi) == fd) between = !c->first || !c->first->sent;
    }
    if (between) send(fd, protocol_error, sizeof protocol_error, MSG_DONTWAIT | MSG_NOSIGNAL);
    wfb_page_report(page, "a page was disconnected: it sent a frame without a mask");
}

bool wf_page_take_input(struct wf_page *page, int fd, const void *bytes, size_t len) {
    struct wfb_input *in = wfb_input_of(page, fd);
    if (!in) return true;
    if (!in->frames) parse_request_heads(in, bytes, len);
    if (!in->frames || in->refused) return !in->refused;
    in->refused = !parse_frames(in, bytes, len);
    if (in->refused) refuse_frame(page, fd);
    return !in->refused;
}
