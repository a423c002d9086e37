// SPDX-License-Identifier: MIT
// A device with a network of its own: the philosophers, whose trace goes to a fleet's agent over
// MQTT in chunks (wf_chunk.h). One message is under way at a time; until it is answered it is sent
// again, and the recorder's ring keeps what follows. Commands of `wallfly fleet send` come the same
// way.

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

bool example_fast; // the port's: times are real
uint64_t example_clock;
uint32_t example_step;

static uint8_t ring[8192], buffer[2048];
static struct wf_chunk_sender sender;
static uint64_t sent_ms; // when the message under way was sent; 0: it was not yet
static uint64_t lost_ms; // when the connection was tried last
static bool connected;
static char frames[TOPIC_MAX], ack[TOPIC_MAX], command[TOPIC_MAX];

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

// ---- the network

static void on_connect(struct mosquitto *m, void *ctx, int code) {
    (void)ctx;
    connected = code == 0;
    if (!connected) return;
    mosquitto_subscribe(m, NULL, ack, 0);
    mosquitto_subscribe(m, NULL, command, 1);
}

// A message has whole frames; the receiver's ring has room for one.
static void take_commands(const uint8_t *bytes, int len) {
    for (int i = 0; i < len; ++i) {
        wf_rx_put(bytes[i]);
        if (bytes[i] == 0x7E) wf_rx_parse();
    }
}

// A command that the broker has kept (retained) is of another time.
static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *is) {
    (void)m;
    (void)ctx;
    if (strcmp(is->topic, command) == 0) {
        if (!is->retain) take_commands(is->payload, is->payloadlen);
        return;
    }
    if (wf_chunk_take_answer(&sender, is->payload, (uint32_t)is->payloadlen)) sent_ms = 0;
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
    if (!connected || (sent_ms && now_ms() - sent_ms < AGAIN_MS)) return;
    const uint32_t len = wf_chunk_next(&sender, utc_us(), &message);
    if (!len) return;
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
    uint64_t boot; // a number that this device has not used before
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
    mosquitto_lib_init();
    struct mosquitto *m = mosquitto_new(NULL, true, NULL);
    if (!m) {
        fprintf(stderr, "mqtt_device: %s\n", strerror(errno));
        return 1;
    }
    mosquitto_connect_callback_set(m, on_connect);
    mosquitto_message_callback_set(m, on_message);
    int code = run(m, argv[1], port, seconds * (1000 / TICK_MS));
    mosquitto_destroy(m);
    mosquitto_lib_cleanup();
    return code;
}
