// SPDX-License-Identifier: MIT
// Takes messages in. What came together is made safe together, and answered then.

#include "agent.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../term/signals.h"
#include "clock.h"

enum { WAIT_MS = 100, TOGETHER_MS = 10, SAVE_MS = 2000, BAD_MOST = 20, PART_MOST = 64 << 20 };

static volatile sig_atomic_t stop;
static void on_signal(int number) {
    (void)number;
    stop = 1;
}

// ---- messages

// Finds the device in wf/1/PROJECT/DEVICE/frames.
static bool take_topic(const struct agent *a, const char *topic,
                       char device[WF_FLEET_DEVICE_MAX + 1]) {
    char begin[AGENT_TOPIC_MAX];
    const int len = snprintf(begin, sizeof begin, "wf/1/%s/", a->fleet->project);
    if (strncmp(topic, begin, (size_t)len) != 0) return false;
    const char *name = topic + len;
    const size_t name_len = strcspn(name, "/");
    if (name_len > WF_FLEET_DEVICE_MAX || strcmp(name + name_len, "/frames") != 0) return false;
    memcpy(device, name, name_len);
    device[name_len] = 0;
    return wf_fleet_is_device(device);
}

// Devices are shared among agents by their names.
bool agent_has(const struct agent *a, const char *device) {
    return !a->shares || wf_fleet_hash(device, strlen(device)) % a->shares + 1 == a->share;
}

void agent_report_bad(struct agent *a, const char *device, const struct wf_error *error) {
    if (++a->bad > BAD_MOST) return;
    diag_note("%s: %s; the message is left out%s", device, error->text,
              a->bad == BAD_MOST ? "; more of them are not shown" : "");
}

// An error of the spool, once until there is another one.
static void report_spool(struct agent *a, int err, const struct wf_error *error) {
    if (err == a->reported) return;
    if (err == WF_OK)
        diag_note("%s: takes chunks again", a->spool);
    else if (err == WF_ERR_TOO_MANY)
        diag_note("%s: is full; devices wait, and count what they give up", a->spool);
    else
        diag_note("%s; devices wait, and count what they give up", error->text);
    a->reported = err;
}

const char *agent_no_room(struct agent *a, int err, const struct wf_error *error) {
    report_spool(a, err, error);
    return err == WF_ERR_TOO_MANY ? "the spool is full" : error->text;
}

static void on_message(void *ctx, const char *topic, const uint8_t *bytes, size_t len) {
    struct agent *a = ctx;
    struct wf_error error;
    char device[WF_FLEET_DEVICE_MAX + 1];
    if (!take_topic(a, topic, device)) {
        wf_error_set(&error, WF_ERR_BAD_CHUNK, "no topic of a device");
        agent_report_bad(a, "message", &error);
        return;
    }
    if (!agent_has(a, device)) return;
    a->came = true;
    int err = wf_intake_take(a->intake, device, bytes, len, a->link, &error);
    if (err == WF_ERR_BAD_CHUNK)
        agent_report_bad(a, device, &error);
    else if (err == WF_ERR_TOO_MANY || err == WF_ERR_NOMEM)
        report_spool(a, err, &error);
    if (err != WF_ERR_BAD_CHUNK) agent_see(a, device);
}

static void on_answer(void *ctx, const struct wf_intake_answer *answer) {
    struct agent *a = ctx;
    char topic[AGENT_TOPIC_MAX];
    uint8_t bytes[WF_FLEET_ANSWER_MAX];
    const size_t len = wf_fleet_answer_write(answer->stream, answer->wanted, bytes);
    snprintf(topic, sizeof topic, "wf/1/%s/%s/ack", a->fleet->project, answer->device);
    if (!answer->client) return;                                 // it came as an upload
    (void)wf_mqtt_publish(a->link, topic, bytes, len, 0, false); // lost: the device sends it again
}

static void on_report(void *ctx, const char *failure) {
    struct agent *a = ctx;
    if (failure)
        diag_note("%s: %s; trying again", a->mqtt.url, failure);
    else
        diag_note("%s: connected", a->mqtt.url);
    if (!failure) agent_reconnected(a);
}

// ---- the loop

static void step(struct agent *a, unsigned timeout_ms) {
    const size_t before = a->upload_count;
    a->came = false;
    if (a->upload) {
        wf_upload_step(a->upload, timeout_ms, a->link ? wf_mqtt_socket(a->link) : -1);
        a->came = a->upload_count != before;
        timeout_ms = 0;
    }
    if (a->link) wf_mqtt_step(a->link, timeout_ms);
}

// What comes within some ms is synced at once.
static void take_messages(struct agent *a) {
    step(a, WAIT_MS);
    const uint64_t until = now_ms() + TOGETHER_MS;
    while (a->came && now_ms() < until) step(a, 0);
}

static void sync_all(struct agent *a) {
    struct wf_error error;
    const uint64_t before = wf_spool_end(wf_intake_spool(a->intake));
    int err = wf_intake_sync(a->intake, &error);
    const uint64_t end = wf_spool_end(wf_intake_spool(a->intake));
    agent_answer_uploads(a, err);
    if (err != WF_OK || end != before) report_spool(a, err, &error);
    if (end == before) return;
    pthread_mutex_lock(&a->mutex);
    a->end = end;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
}

static void save(struct agent *a) {
    struct wf_error error;
    int err = wf_intake_save(a->intake, atomic_load(&a->done), &error);
    if (err != WF_OK) report_spool(a, err, &error);
}

static void run_loop(struct agent *a) {
    uint64_t saved_ms = now_ms();
    while (!stop && !atomic_load(&a->ended)) {
        agent_count_files(a);
        take_messages(a);
        sync_all(a);
        agent_tell_profiles(a);
        if (now_ms() - saved_ms < SAVE_MS) continue;
        save(a);
        saved_ms = now_ms();
    }
}

static void stop_thread(struct agent *a) {
    pthread_mutex_lock(&a->mutex);
    atomic_store(&a->stopping, true);
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
    pthread_join(a->thread, NULL);
    save(a);
}

// ---- opening

static bool is_stopping(void *ctx) {
    const struct agent *a = ctx;
    return atomic_load(&a->stopping);
}

static void report_engine(void *ctx, const char *text) {
    const struct agent *a = ctx;
    diag_note("%s: %s; trying again", a->fleet->url, text);
}

uint64_t agent_part_of_spool(const struct agent *a, unsigned parts) {
    const uint64_t part = a->spool_bytes / parts;
    return part < PART_MOST ? part : 0;
}

static int open_intake(struct agent *a) {
    struct wf_error error;
    const struct wf_intake_options o = {.size = sizeof o,
                                        .spool = {.size = sizeof o.spool,
                                                  .folder = a->spool,
                                                  .file_bytes = agent_part_of_spool(a, 8),
                                                  .most_bytes = a->spool_bytes},
                                        .answer = on_answer,
                                        .ctx = a};
    a->intake = wf_intake_open(&o, &error);
    if (!a->intake) return diag_error(exit_code_of(error.code), "%s", error.text);
    a->end = wf_spool_end(wf_intake_spool(a->intake));
    atomic_store(&a->done, wf_intake_done(a->intake));
    return EXIT_GOOD;
}

static int open_link(struct agent *a) {
    char filter[AGENT_TOPIC_MAX];
    struct wf_error error;
    snprintf(filter, sizeof filter, "wf/1/%s/+/frames", a->fleet->project);
    a->mqtt.size = sizeof a->mqtt;
    a->mqtt.filters[0] = filter;
    a->mqtt.message = on_message;
    a->mqtt.report = on_report;
    a->mqtt.ctx = a;
    a->link = wf_mqtt_open(&a->mqtt, &error);
    return a->link ? EXIT_GOOD : diag_error(exit_code_of(error.code), "%s", error.text);
}

void agent_prepare(struct agent *a) {
    a->fleet->failed = report_engine;
    a->fleet->stopped = is_stopping;
    a->fleet->ctx = a;
}

int agent_run(struct agent *a) {
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->more, NULL);
    int code = agent_open_profiles(a) ? open_intake(a) : out_of_memory();
    if (code == EXIT_GOOD) code = agent_open_files(a);
    if (code == EXIT_GOOD && a->mqtt.url) code = open_link(a);
    if (code == EXIT_GOOD && a->http) code = agent_open_uploads(a);
    signals_catch(on_signal);
    signals_ignore_pipes();
    if (code == EXIT_GOOD && pthread_create(&a->thread, NULL, agent_load, a) != 0)
        code = diag_error(EXIT_INPUT, "no thread can be started: %s", strerror(errno));
    if (code == EXIT_GOOD) {
        run_loop(a);
        stop_thread(a);
        code = a->code;
    }
    agent_close_uploads(a);
    wf_mqtt_close(a->link);
    wf_file_queue_close(a->files);
    wf_intake_close(a->intake);
    agent_close_profiles(a);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->mutex);
    return code;
}
