// SPDX-License-Identifier: MIT
#include "wallfly_backend/wf_mqtt.h"

#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wfb_load.h"
#include "wfb_options.h"

enum { KEEP_ALIVE_S = 30, PORT = 1883, TLS_PORT = 8883, RETRY_MS = 1000, NAME_MAX_BYTES = 256 };

#define MOSQUITTO_FUNCTIONS(F)                                                                     \
    F(mosquitto_lib_init)                                                                          \
    F(mosquitto_new)                                                                               \
    F(mosquitto_destroy)                                                                           \
    F(mosquitto_username_pw_set)                                                                   \
    F(mosquitto_tls_set)                                                                           \
    F(mosquitto_connect_callback_set)                                                              \
    F(mosquitto_message_callback_set)                                                              \
    F(mosquitto_publish_callback_set)                                                              \
    F(mosquitto_connect)                                                                           \
    F(mosquitto_disconnect)                                                                        \
    F(mosquitto_int_option)                                                                        \
    F(mosquitto_loop)                                                                              \
    F(mosquitto_socket)                                                                            \
    F(mosquitto_subscribe)                                                                         \
    F(mosquitto_publish)                                                                           \
    F(mosquitto_strerror)                                                                          \
    F(mosquitto_connack_string)

struct library {
    void *handle;
#define WF_X(name) __typeof__(name) *name;
    MOSQUITTO_FUNCTIONS(WF_X)
#undef WF_X
};

struct wf_mqtt {
    struct wf_mqtt_options o;
    struct library lib;
    struct mosquitto *client;
    char host[NAME_MAX_BYTES], user[NAME_MAX_BYTES];
    char *filters[WF_MQTT_FILTERS_MAX + 1]; // up to the first null
    int port;
    bool tls;
    bool linked;    // a connection was begun
    bool connected; // ... and accepted
    bool retained;  // the message that is being handled was
    char reported[200];
    uint64_t retry_ms; // not before
};

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int load(struct library *lib, struct wf_error *error) {
    const char *missing = NULL;
    *lib = (struct library){.handle = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (!lib->handle)
        return wf_error_set(error, WF_ERR_LINK,
                            "libmosquitto is not installed: install libmosquitto1");
#define WF_X(name)                                                                                 \
    if (!wfb_find_function(lib->handle, #name, &lib->name)) missing = #name;
    MOSQUITTO_FUNCTIONS(WF_X)
#undef WF_X
    if (!missing) return WF_OK;
    return wf_error_set(error, WF_ERR_LINK, "libmosquitto has no %s: version 1.6 is needed",
                        missing);
}

// ---- the URL

static bool copy(char to[NAME_MAX_BYTES], const char *from, size_t len) {
    if (len >= NAME_MAX_BYTES) return false;
    memcpy(to, from, len);
    to[len] = 0;
    return true;
}

// Takes [USER@]HOST[:PORT]; a host of an address may be in brackets.
static bool parse_place(struct wf_mqtt *m, const char *at) {
    const char *user = strrchr(at, '@'), *host = user ? user + 1 : at;
    const bool bracket = *host == '[';
    size_t len = bracket ? strcspn(++host, "]") : strcspn(host, ":");
    const char *rest = host + len + (bracket && host[len]);
    char *end = NULL;
    if (user && !copy(m->user, at, (size_t)(user - at))) return false;
    if (!len || !copy(m->host, host, len) || strchr(m->host, '/') || strchr(m->user, ':'))
        return false;
    m->port = m->tls ? TLS_PORT : PORT;
    if (!*rest) return true;
    const unsigned long port = *rest == ':' ? strtoul(rest + 1, &end, 10) : 0;
    m->port = (int)port;
    return port >= 1 && port <= 65535 && end && !*end && rest[1] >= '0' && rest[1] <= '9';
}

static int parse_url(struct wf_mqtt *m, const char *url, struct wf_error *error) {
    static const char plain[] = "mqtt://", secure[] = "mqtts://";
    m->tls = strncmp(url, secure, sizeof secure - 1) == 0;
    const bool known = m->tls || strncmp(url, plain, sizeof plain - 1) == 0;
    if (known && parse_place(m, url + (m->tls ? sizeof secure : sizeof plain) - 1)) return WF_OK;
    return wf_error_set(error, WF_ERR_USAGE,
                        "'%.100s' is no mqtt://[USER@]HOST[:PORT]; a password is not in it", url);
}

// ---- callbacks of the library

static void report(struct wf_mqtt *m, const char *failure) {
    if (!m->o.report || strcmp(m->reported, failure ? failure : "") == 0) return;
    snprintf(m->reported, sizeof m->reported, "%s", failure ? failure : "");
    m->o.report(m->o.ctx, failure);
}

static void on_connect(struct mosquitto *client, void *ctx, int code) {
    struct wf_mqtt *m = ctx;
    m->connected = code == 0;
    if (code) {
        report(m, m->lib.mosquitto_connack_string(code));
        return;
    }
    for (char **filter = m->filters; *filter; ++filter)
        m->lib.mosquitto_subscribe(client, NULL, *filter, 1);
    report(m, NULL);
}

static void on_message(struct mosquitto *client, void *ctx, const struct mosquitto_message *is) {
    struct wf_mqtt *m = ctx;
    (void)client;
    m->retained = is->retain;
    if (m->o.message && is->payloadlen >= 0)
        m->o.message(m->o.ctx, is->topic, is->payload, (size_t)is->payloadlen);
}

static void on_publish(struct mosquitto *client, void *ctx, int message) {
    const struct wf_mqtt *m = ctx;
    (void)client, (void)message;
    m->o.acknowledged(m->o.ctx);
}

// ---- opening

static int set_options(struct wf_mqtt *m, struct wf_error *error) {
    const char *user = m->o.user ? m->o.user : *m->user ? m->user : NULL;
    int code = MOSQ_ERR_SUCCESS;
    if (user) code = m->lib.mosquitto_username_pw_set(m->client, user, m->o.password);
    if (code == MOSQ_ERR_SUCCESS && m->tls)
        code = m->lib.mosquitto_tls_set(m->client, NULL, "/etc/ssl/certs", NULL, NULL, NULL);
    if (code == MOSQ_ERR_SUCCESS) return WF_OK;
    return wf_error_set(error, WF_ERR_LINK, "%s", m->lib.mosquitto_strerror(code));
}

static bool copy_filters(struct wf_mqtt *m) {
    for (unsigned i = 0; i < WF_MQTT_FILTERS_MAX && m->o.filters[i]; ++i)
        if (!(m->filters[i] = strdup(m->o.filters[i]))) return false;
    return true;
}

static int open_client(struct wf_mqtt *m, const struct wf_mqtt_options *options,
                       struct wf_error *error) {
    int err = wfb_copy_options(&m->o, sizeof m->o, options, error);
    if (err == WF_OK) err = parse_url(m, m->o.url, error);
    if (err == WF_OK) err = load(&m->lib, error);
    if (err != WF_OK) return err;
    m->lib.mosquitto_lib_init();
    m->client = m->lib.mosquitto_new(m->o.id, true, m);
    if (!m->client || !copy_filters(m)) return wf_error_code(error, WF_ERR_NOMEM);
    m->lib.mosquitto_connect_callback_set(m->client, on_connect);
    m->lib.mosquitto_message_callback_set(m->client, on_message);
    if (m->o.acknowledged) m->lib.mosquitto_publish_callback_set(m->client, on_publish);
    // Else the second of two small messages waits until the first is acknowledged, 40 ms later.
    m->lib.mosquitto_int_option(m->client, MOSQ_OPT_TCP_NODELAY, 1);
    return set_options(m, error);
}

struct wf_mqtt *wf_mqtt_open(const struct wf_mqtt_options *options, struct wf_error *error) {
    struct wf_error own;
    struct wf_mqtt *m = calloc(1, sizeof *m);
    if (!error) error = &own;
    if (!m) {
        wf_error_code(error, WF_ERR_NOMEM);
        return NULL;
    }
    if (open_client(m, options, error) == WF_OK) return m;
    wf_mqtt_close(m);
    return NULL;
}

void wf_mqtt_close(struct wf_mqtt *m) {
    if (!m) return;
    if (m->client && m->connected) m->lib.mosquitto_disconnect(m->client);
    if (m->client) m->lib.mosquitto_destroy(m->client);
    for (char **filter = m->filters; *filter; ++filter) free(*filter);
    free(m);
}

// ---- running

static void lose(struct wf_mqtt *m, int code) {
    m->linked = m->connected = false;
    m->retry_ms = now_ms() + RETRY_MS;
    report(m, m->lib.mosquitto_strerror(code));
}

static void rest(unsigned ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

void wf_mqtt_step(struct wf_mqtt *m, unsigned timeout_ms) {
    if (!m->linked && now_ms() < m->retry_ms) {
        rest(timeout_ms < 100 ? timeout_ms : 100);
        return;
    }
    if (!m->linked) {
        int code = m->lib.mosquitto_connect(m->client, m->host, m->port, KEEP_ALIVE_S);
        if (code != MOSQ_ERR_SUCCESS) {
            lose(m, code);
            return;
        }
        m->linked = true;
    }
    int code = m->lib.mosquitto_loop(m->client, (int)timeout_ms, 1);
    if (code != MOSQ_ERR_SUCCESS) lose(m, code);
}

int wf_mqtt_socket(const struct wf_mqtt *m) {
    return m->linked ? m->lib.mosquitto_socket(m->client) : -1;
}

bool wf_mqtt_is_connected(const struct wf_mqtt *m) { return m->connected; }
bool wf_mqtt_is_retained(const struct wf_mqtt *m) { return m->retained; }

int wf_mqtt_publish(struct wf_mqtt *m, const char *topic, const void *bytes, size_t len,
                    unsigned qos, bool retain) {
    if (!m->connected || len > INT32_MAX) return WF_ERR_LINK;
    int code = m->lib.mosquitto_publish(m->client, NULL, topic, (int)len, bytes, (int)qos, retain);
    return code == MOSQ_ERR_SUCCESS ? WF_OK : WF_ERR_LINK;
}
