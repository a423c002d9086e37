// SPDX-License-Identifier: MIT
// Datagrams for the server of front ends, from an attached client and from another one. An input is
// a sequence of datagrams: a byte whose bit 7 selects the client, the length modulo 128, the bytes.

#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "front/wfb_front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uv_loop_t loop;
static struct wf_front *front;
static size_t shown;

static void on_line(void *ctx, enum wf_line_class line, uint8_t record, const char *text,
                    size_t len) {
    (void)ctx;
    (void)line;
    (void)record;
    for (size_t i = 0; i < len; ++i) shown += (unsigned char)text[i];
}

// A target with some known names, and no files.
static void open_front(void) {
    struct wf_front_options o = {.size = sizeof o,
                                 .listen = "127.0.0.1:0",
                                 .allow_commands = true,
                                 .folder = "/nowhere",
                                 .objects = "l_table"};
    struct wf_front_handlers on = {.line = on_line};
    struct wf_error error;
    uv_loop_init(&loop);
    if (wf_front_open(&loop, "tcp-listen:0", &o, &on, &front, &error) != WF_OK) abort();
    struct wf_session *s = wf_lane_session(wf_front_lane(front));
    wf_session_learn(s, 64, "\0\344\2\42\101\42\104\4\4\21\1\2\3\4\5\6", 16);
    wf_session_learn(s, 60, "\5\0\0\0\0\0EAT_SIG", 14);
    wf_session_learn(s, 61, "\1\0\0\x20l_table", 12);
    wf_session_learn(s, 62, "\1\0\0\x08run", 8);
    wf_session_learn(s, 54, "\3\7PAUSE", 8);
}

static struct sockaddr_in address(unsigned number) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(40000 + number))};
    inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
    return a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sockaddr_in from[] = {address(0), address(1)};
    if (!front) open_front();
    wfb_front_packet(front, (struct sockaddr *)&from[0], (const uint8_t *)"\0\200\7", 3);
    while (size) {
        unsigned who = *data >> 7;
        size_t len = *data & 127;
        if (len > size - 1) len = size - 1;
        uint8_t *exact = malloc(len ? len : 1); // exact size for the sanitizer
        if (!exact) abort();
        memcpy(exact, data + 1, len);
        wfb_front_packet(front, (struct sockaddr *)&from[who], exact, len);
        free(exact);
        data += 1 + len;
        size -= 1 + len;
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    return 0;
}
