// SPDX-License-Identifier: MIT
// RTT servers over TCP (docs/links.md). OpenOCD, pyOCD and probe-rs send the bytes of a channel
// unchanged. J-Link's server begins with lines of text, which are removed if they match exactly:
//
//   SEGGER J-Link V7.94b - Real time terminal output
//   J-Link OB-SAM3U128 V3 compiled Jan 21 2020 17:22:30 V1.0, SN=123456
//   Process: JLinkGDBServerCLExe                                            (may be missing)
//
// Within 100 ms after them the server accepts the number of the requested channel.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wfb_tcp.h"

enum { BANNER_MAX = 512, NO_CHANNEL = -1, CHANNEL_MAX = 255 };

struct rtt {
    struct wfb_client client;
    int channel;
    uint8_t held[BANNER_MAX]; // a possible banner
    size_t held_len;
    bool settled; // the bytes are the target's from now on
};

enum answer { NO, MAYBE, YES };

// Checks the start of a line, as far as it was received.
static enum answer match_start(const char *line, size_t len, const char *start) {
    size_t n = strlen(start);
    if (memcmp(line, start, len < n ? len : n) != 0) return NO;
    return len < n ? MAYBE : YES;
}

static enum answer match_line(unsigned number, const char *line, size_t len, bool whole) {
    if (number == 1) // the name of the probe, any text
        return !whole ? MAYBE : memmem(line, len, "SN=", 3) ? YES : NO;
    enum answer a = match_start(line, len, number == 0 ? "SEGGER J-Link " : "Process: ");
    if (a != YES || !whole) return a == YES ? MAYBE : a;
    bool output = memmem(line, len, " - Real time terminal output", 28) != NULL;
    return number == 2 || output ? YES : NO;
}

// Checks for a banner at the start: MAYBE waits for more bytes; YES sets its length.
static enum answer match_banner(const uint8_t *bytes, size_t len, size_t *end) {
    const char *p = (const char *)bytes, *stop = p + len;
    for (unsigned number = 0; number < 3;) {
        const char *line = p, *nl = memchr(p, '\n', (size_t)(stop - p));
        size_t n = (size_t)((nl ? nl : stop) - line);
        p = nl ? nl + 1 : stop;
        if (number && nl && (n == 0 || (n == 1 && *line == '\r'))) continue;
        for (size_t i = 0; i < n; ++i) { // text, not a frame
            if ((uint8_t)line[i] >= ' ' && line[i] != 0x7E) continue;
            if (line[i] != '\r' && number < 2) return NO;
        }
        enum answer a = match_line(number, line, n, nl != NULL);
        if (a == NO && number == 2) break; // an older server
        if (a != YES) return a;
        *end = (size_t)(p - (const char *)bytes);
        ++number;
    }
    return YES;
}

static void end_banner(struct rtt *r, size_t skip) {
    r->settled = true;
    wfb_client_take(&r->client, r->held + skip, r->held_len - skip);
    r->held_len = 0;
}

static void check_banner(struct rtt *r) {
    size_t end = 0;
    enum answer a = match_banner(r->held, r->held_len, &end);
    if (a == MAYBE && r->held_len < sizeof r->held) return;
    if (a == YES) {
        int line = (int)strcspn((const char *)r->held, "\r\n");
        wfb_report(&r->client.link, "%s: J-Link's banner, bytes 0 to %zu, is left out: %.*s",
                   r->client.name, end - 1, line, (const char *)r->held);
    }
    end_banner(r, a == YES ? end : 0);
}

static void on_bytes(struct wfb_client *c, const uint8_t *bytes, size_t len) {
    struct rtt *r = (struct rtt *)c;
    for (; !r->settled && len; --len) {
        r->held[r->held_len++] = *bytes++;
        check_banner(r);
    }
    wfb_client_take(c, bytes, len);
}

static void on_connected(struct wfb_client *c) {
    struct rtt *r = (struct rtt *)c;
    char text[64];
    r->settled = false;
    r->held_len = 0;
    if (r->channel == NO_CHANNEL) return;
    int len = snprintf(text, sizeof text, "$$SEGGER_TELNET_ConfigStr=RTTCh;%d$$", r->channel);
    wfb_stream_write((uv_stream_t *)&c->tcp, (const uint8_t *)text, (size_t)len);
}

static void on_ending(struct wfb_client *c) {
    struct rtt *r = (struct rtt *)c;
    if (!r->settled) end_banner(r, 0);
}

static const struct wfb_first first = {on_connected, on_bytes, on_ending};

static int open_rtt(struct wf_link *link, const char *operand, struct wf_error *error) {
    struct rtt *r = (struct rtt *)link;
    char address[WFB_PEER_NAME_MAX];
    const char *slash = strrchr(operand, '/');
    unsigned long channel;
    r->channel = NO_CHANNEL;
    r->client.first = &first;
    if (slash && !wfb_parse_unsigned(slash + 1, CHANNEL_MAX, &channel))
        return wf_error_set(error, WF_ERR_USAGE, "channel '%.100s' is not a number from 0 to %d",
                            slash + 1, CHANNEL_MAX);
    if (slash) r->channel = (int)channel;
    snprintf(address, sizeof address, "%.*s",
             slash ? (int)(slash - operand) : WFB_PEER_NAME_MAX - 1, operand);
    return wfb_client_open(link, address, error);
}

const struct wfb_kind wfb_rtt = {sizeof(struct rtt), open_rtt,       wfb_client_close,
                                 wfb_client_write,   NULL,           NULL,
                                 WFB_ASK_FREE,       wfb_client_hold};
