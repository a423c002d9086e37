// SPDX-License-Identifier: MIT
// A device with a network of its own: the philosophers, whose trace goes to a fleet's agent over
// MQTT in chunks (wf_chunk.h). One message is under way at a time; until it is answered it is sent
// again, and the recorder's ring keeps what follows. The fleet's profile says when it sends;
// commands of `wallfly fleet send` come the same way.

#include <errno.h>
#include <mosquitto.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "../philosophers/philosophers.h"
#include "wallfly/wallfly.h"
#include "wallfly/wf_chunk.h"
#include "wf_port.h"

enum { TICK_MS = 10, AGAIN_MS = 500, RECONNECT_MS = 500, TOPIC_MAX = 256, KEEP_ALIVE_S = 30 };
enum { CHECKSUM = 4, FRAME_END = 0x7E }; // of a message, of the recorder

bool example_fast; // the port's: times are real
uint64_t example_clock;
uint32_t example_step;

static uint8_t ring[8192], buffer[2048];
static struct wf_chunk_sender sender;
static uint64_t sent_ms; // when the message under way was sent; 0: it was not yet
static uint64_t lost_ms; // when the connection was tried last
static bool connected;
static int last_request; // what the broker answers before it is connected
static char frames[TOPIC_MAX], ack[TOPIC_MAX], profile[TOPIC_MAX], command[TOPIC_MAX];
static uint64_t boot;                       // number of the stream
static unsigned window_s = 1, period_s = 1; // of the profile: all of the time
static unsigned shift_s;                    // not all devices send at once
static bool whole = true;                   // what was sent ends with a frame
static bool closed;                         // outside of a window

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t utc_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

// ---- the profile

static void take_profile(const struct mosquitto_message *is) {
    char text[24], end;
    unsigned seconds, period;
    if (!is->payloadlen) return; // the broker keeps none any more
    snprintf(text, sizeof text, "%.*s", is->payloadlen, (const char *)is->payload);
    const bool stream = strcmp(text, "stream") == 0, box = strcmp(text, "box") == 0;
    if (stream || box) {
        window_s = stream;
        period_s = 1;
    } else if (sscanf(text, "stats=%u/%u%c", &seconds, &period, &end) == 2 && seconds < period) {
        window_s = seconds;
        period_s = period;
    }
}

static void drop_ring(void) {
    const uint8_t *block;
    uint32_t len;
    while ((len = wf_get_block(&block, sizeof ring)) != 0) wf_block_done(len);
}

// Each window is a stream of its own, and ends with a message that ends with a whole frame.
static void follow_profile(void) {
    const bool open = (utc_us() / 1000000 + shift_s) % period_s < window_s;
    if (closed && open) wf_chunk_open(&sender, ++boot, buffer, sizeof buffer);
    if (open)
        closed = false;
    else if (whole && !sender.content)
        closed = true;
    if (closed) drop_ring();
}

// ---- the network

// The broker has sent the profile that it keeps when it answers the last request.
static void on_connect(struct mosquitto *m, void *ctx, int code) {
    (void)ctx;
    if (code) return;
    mosquitto_subscribe(m, NULL, profile, 1);
    mosquitto_subscribe(m, NULL, command, 1);
    mosquitto_subscribe(m, &last_request, ack, 0);
}

static void on_subscribe(struct mosquitto *m, void *ctx, int request, int count,
                         const int *granted) {
    (void)m, (void)ctx, (void)count, (void)granted;
    connected = request == last_request;
}

// A message has whole frames; the receiver's ring has room for one. A command that the broker has
// kept (retained) is of another time.
static void take_commands(const struct mosquitto_message *is) {
    const uint8_t *bytes = is->payload;
    if (is->retain) return;
    for (int i = 0; i < is->payloadlen; ++i) {
        wf_rx_put(bytes[i]);
        if (bytes[i] == FRAME_END) wf_rx_parse();
    }
}

static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *is) {
    (void)m;
    (void)ctx;
    if (strcmp(is->topic, profile) == 0)
        take_profile(is);
    else if (strcmp(is->topic, command) == 0)
        take_commands(is);
    else if (wf_chunk_take_answer(&sender, is->payload, (uint32_t)is->payloadlen))
        sent_ms = 0;
}

// Handles what comes until a time, and connects again when the broker was away.
static void run_network(struct mosquitto *m, const char *host, int port, int timeout_ms) {
    if (mosquitto_loop(m, timeout_ms, 1) == MOSQ_ERR_SUCCESS) return;
    connected = false;
    if (now_ms() - lost_ms < RECONNECT_MS) {
        nanosleep(&(struct timespec){0, timeout_ms * 1000000L}, NULL);
        return;
    }
    lost_ms = now_ms();
    (void)mosquitto_connect(m, host, port, KEEP_ALIVE_S);
}

// Sends the next message, or that under way again.
static void send_message(struct mosquitto *m) {
    const uint8_t *message;
    if (!connected || closed || (sent_ms && now_ms() - sent_ms < AGAIN_MS)) return;
    const uint32_t len = wf_chunk_next(&sender, utc_us(), &message);
    if (!len) return;
    whole = message[len - 1 - CHECKSUM] == FRAME_END;
    if (mosquitto_publish(m, NULL, frames, (int)len, message, 1, false) == MOSQ_ERR_SUCCESS)
        sent_ms = now_ms();
}

// ---- the device

static bool all_is_stored(void) {
    struct wf_status status;
    wf_get_status(&status);
    return !status.used && !sender.content;
}

static void start_device(void) {
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
    // A number that this device has not used before.
    if (getrandom(&boot, sizeof boot, 0) != sizeof boot) exit(1);
    wf_chunk_open(&sender, boot, buffer, sizeof buffer);
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    philosophers_start(5, 1, true);
    philosophers_host_start(NULL);
}

static int run(struct mosquitto *m, const char *host, int port, uint64_t ticks) {
    const uint64_t begun = now_ms();
    struct wf_status status;
    start_device();
    for (uint64_t tick = 0; tick < ticks || !all_is_stored();) {
        for (; tick < ticks && (now_ms() - begun) / TICK_MS > tick; ++tick) philosophers_tick();
        if (connected) follow_profile();
        send_message(m);
        run_network(m, host, port, TICK_MS);
    }
    wf_get_status(&status);
    printf("%llu records, %llu of them given up\n", (unsigned long long)status.count,
           (unsigned long long)status.lost);
    return 0;
}

int main(int argc, char **argv) {
    char *end;
    if (argc != 6) {
        fprintf(stderr, "usage: mqtt_device HOST PORT PROJECT DEVICE SECONDS\n");
        return 2;
    }
    const int port = atoi(argv[2]);
    const unsigned long seconds = strtoul(argv[5], &end, 10);
    if (port < 1 || port > 65535 || *end || seconds < 1 || seconds > 1000000) {
        fprintf(stderr, "mqtt_device: '%s' is no port, or '%s' no number of seconds\n", argv[2],
                argv[5]);
        return 2;
    }
    snprintf(frames, sizeof frames, "wf/1/%s/%s/frames", argv[3], argv[4]);
    snprintf(ack, sizeof ack, "wf/1/%s/%s/ack", argv[3], argv[4]);
    snprintf(command, sizeof command, "wf/1/%s/%s/command", argv[3], argv[4]);
    snprintf(profile, sizeof profile, "wf/1/%s/%s/profile", argv[3], argv[4]);
    for (const char *c = argv[4]; *c; ++c) shift_s = shift_s * 31 + (uint8_t)*c;
    mosquitto_lib_init();
    struct mosquitto *m = mosquitto_new(NULL, true, NULL);
    if (!m) {
        fprintf(stderr, "mqtt_device: %s\n", strerror(errno));
        return 1;
    }
    mosquitto_connect_callback_set(m, on_connect);
    mosquitto_subscribe_callback_set(m, on_subscribe);
    mosquitto_message_callback_set(m, on_message);
    int code = run(m, argv[1], port, seconds * (1000 / TICK_MS));
    mosquitto_destroy(m);
    mosquitto_lib_cleanup();
    return code;
}
