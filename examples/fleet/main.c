// SPDX-License-Identifier: MIT
// Devices that send files over MQTT in chunks (docs/fleet-chunks.md), each one at a time, and again
// when half a second has passed without an answer. They share a connection.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wallfly_backend/wf_input.h"
#include "wallfly_backend/wf_mqtt.h"
#include "wallfly_host/wf_fleet_chunk.h"

static const char usage[] =
    "usage: fleet_devices MQTT_URL PROJECT COUNT CHUNK FILE...\n"
    "  Device n of COUNT, named dev-n, sends file n modulo their number as stream 1000 + n,\n"
    "  in chunks of CHUNK bytes, and ends when the agent has all of them.\n";

enum { DEVICES = 1000, FILES = 64, AGAIN_MS = 500 };

static struct device {
    const struct wf_input *file;
    uint64_t next, sent_ms; // sent_ms: 0: nothing is under way
} devices[DEVICES];
static unsigned count, left;
static uint64_t messages, answers, again, backwards;

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void on_message(void *ctx, const char *topic, const uint8_t *bytes, size_t len) {
    uint64_t stream, wanted;
    (void)ctx;
    (void)topic;
    if (!wf_fleet_answer_read(bytes, len, &stream, &wanted)) exit(1);
    if (stream < 1000 || stream >= 1000 + count) return; // of another device
    struct device *d = &devices[stream - 1000];
    ++answers;
    if (d->next == d->file->len || (d->next == wanted && !d->sent_ms)) return; // late
    if (wanted == d->next) return; // of the message before; that under way is not stored yet
    backwards += wanted < d->next;
    d->next = wanted;
    d->sent_ms = 0;
    left -= d->next == d->file->len;
}

static void send_next(struct wf_mqtt *m, const char *project, unsigned n, size_t chunk_len) {
    static uint8_t message[WF_FLEET_CHUNK_MAX + WF_FLEET_CHUNK_FRAME];
    struct device *d = &devices[n];
    char topic[128];
    const uint64_t now = now_ms();
    if (d->next >= d->file->len || (d->sent_ms && now - d->sent_ms < AGAIN_MS)) return;
    size_t len = (size_t)(d->file->len - d->next);
    if (len > chunk_len) len = chunk_len;
    const struct wf_fleet_chunk chunk = {.flags = d->next ? 0 : WF_FLEET_CHUNK_BEGINS,
                                         .stream = 1000 + n,
                                         .offset = d->next,
                                         .bytes = d->file->bytes + d->next,
                                         .len = len};
    snprintf(topic, sizeof topic, "wf/1/%s/dev-%u/frames", project, n);
    if (wf_mqtt_publish(m, topic, message, wf_fleet_chunk_write(&chunk, message), 1, false) !=
        WF_OK)
        return;
    again += d->sent_ms != 0;
    d->sent_ms = now;
    ++messages;
}

static int refuse(const char *why) {
    fputs(why, stderr);
    return 2;
}

int main(int argc, char **argv) {
    static struct wf_input files[FILES];
    struct wf_error error;
    char filter[128];
    if (argc < 6) return refuse(usage);
    const unsigned given = (unsigned)(argc - 5);
    count = left = (unsigned)strtoul(argv[3], NULL, 10);
    const size_t chunk = strtoul(argv[4], NULL, 10);
    if (count < 1 || count > DEVICES || given > FILES || chunk < 1 || chunk > WF_FLEET_CHUNK_MAX)
        return refuse("fleet_devices: at most 1000 devices, 64 files, and chunks of 1 MiB\n");
    for (unsigned i = 0; i < given; ++i)
        if (wf_input_open(argv[5 + i], &files[i], &error) != WF_OK) return refuse(error.text);
    for (unsigned i = 0; i < count; ++i) devices[i].file = &files[i % given];
    snprintf(filter, sizeof filter, "wf/1/%s/+/ack", argv[2]);
    const struct wf_mqtt_options o = {
        .size = sizeof o, .url = argv[1], .filters = {filter}, .message = on_message};
    struct wf_mqtt *m = wf_mqtt_open(&o, &error);
    if (!m) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    while (left) {
        wf_mqtt_step(m, 5);
        for (unsigned i = 0; i < count; ++i) send_next(m, argv[2], i, chunk);
    }
    printf("%llu messages, %llu of them again, %llu answers, %llu backwards\n",
           (unsigned long long)messages, (unsigned long long)again, (unsigned long long)answers,
           (unsigned long long)backwards);
    wf_mqtt_close(m);
    for (unsigned i = 0; i < given; ++i) wf_input_close(&files[i]);
    return 0;
}
