// SPDX-License-Identifier: MIT
// A message of QoS 1, which the broker acknowledges. The library sends it again by itself when the
// connection breaks before.

#include <stdio.h>

#include "commands.h"
#include "clock.h"

enum { STEP_MS = 20, TOPIC_MAX = 256 };

static void on_acknowledged(void *ctx) {
    struct command_message *m = ctx;
    m->acknowledged = true;
}

static void on_report(void *ctx, const char *failure) {
    const struct command_message *m = ctx;
    if (failure) diag_note("%s: %s; trying again", m->url, failure);
}

int command_message_open(struct command_message *m, const char *url, const char *user,
                         const char *password) {
    struct wf_error error;
    const struct wf_mqtt_options o = {.size = sizeof o,
                                      .url = url,
                                      .user = user,
                                      .password = password,
                                      .acknowledged = on_acknowledged,
                                      .report = on_report,
                                      .ctx = m};
    m->url = url;
    m->link = wf_mqtt_open(&o, &error);
    return m->link ? EXIT_GOOD : diag_error(exit_code_of(error.code), "--mqtt: %s", error.text);
}

static bool is_connected(const struct command_message *m) { return wf_mqtt_is_connected(m->link); }
static bool is_acknowledged(const struct command_message *m) { return m->acknowledged; }

// Returns false if it is not so in time.
static bool wait_until(struct command_message *m, bool (*is)(const struct command_message *m)) {
    const uint64_t end = now_ms() + (uint64_t)(m->timeout_s * 1000);
    while (!is(m) && now_ms() < end) wf_mqtt_step(m->link, STEP_MS);
    return is(m);
}

int command_message_connect(struct command_message *m) {
    if (wait_until(m, is_connected)) return EXIT_GOOD;
    return diag_error(EXIT_INPUT, "%s: no connection to the broker in %g s; nothing was sent",
                      m->url, m->timeout_s);
}

int command_message_send(struct command_message *m, const struct commands *c) {
    char topic[TOPIC_MAX];
    snprintf(topic, sizeof topic, "wf/1/%s/%s/command", c->fleet->project, c->device);
    if (wf_mqtt_publish(m->link, topic, c->message, c->len, 1, false) != WF_OK)
        return diag_error(EXIT_INPUT,
                          "%s: the connection to the broker is lost; the commands were written "
                          "down, but not sent",
                          m->url);
    if (wait_until(m, is_acknowledged)) return EXIT_GOOD;
    return diag_error(EXIT_INPUT,
                      "%s: the broker has not acknowledged the commands in %g s; they were written "
                      "down, and may have been sent or not",
                      m->url, m->timeout_s);
}

void command_message_close(struct command_message *m) { wf_mqtt_close(m->link); }
