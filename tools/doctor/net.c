// SPDX-License-Identifier: MIT
// Links over the network that cannot be opened, or that nobody answers.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"
#include "wallfly_backend/wf_system.h"

enum { HOLDERS_MAX = 8 };

static unsigned port_of(const char *source) {
    const char *colon = strrchr(source, ':');
    return colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

// Lists the IPv4 addresses of this machine that others can reach; else its loopback.
static void list_addresses(unsigned port, char *text, size_t cap) {
    uv_interface_address_t *all;
    int count;
    *text = 0;
    if (uv_interface_addresses(&all, &count) != 0) count = 0;
    for (int i = 0; i < count; ++i) {
        char host[64];
        size_t len = strlen(text);
        if (all[i].is_internal || all[i].address.address4.sin_family != AF_INET) continue;
        uv_ip4_name(&all[i].address.address4, host, sizeof host);
        snprintf(text + len, cap - len, "%s%s:%u (%s)", len ? ", " : "", host, port, all[i].name);
    }
    if (count) uv_free_interface_addresses(all, count);
    if (!*text) snprintf(text, cap, "none but the loopback");
}

static bool find_port_holders(struct doctor *d) {
    struct wf_system_holder holders[HOLDERS_MAX];
    char list[256];
    unsigned port = port_of(d->source);
    unsigned count = wf_system_port_holders(port, source_is(d, "udp"), holders, HOLDERS_MAX);
    holders_text(holders, count, list, sizeof list);
    if (count) doctor_find(d, DOCTOR_PORT_IN_USE, NULL, "port %u is open in: %s", port, list);
    return count != 0;
}

void net_closed(struct doctor *d) {
    char list[256];
    if (strstr(d->look.why, uv_strerror(UV_EADDRNOTAVAIL))) {
        list_addresses(port_of(d->source), list, sizeof list);
        doctor_find(d, DOCTOR_BAD_ADDRESS, NULL, "%s; addresses of this machine: %s", d->look.why,
                    list);
    } else if (strstr(d->look.why, "in use")) {
        if (!find_port_holders(d)) doctor_find(d, DOCTOR_PORT_IN_USE, NULL, "%s", d->look.why);
    } else {
        doctor_find(d, DOCTOR_NOT_READABLE, NULL, "%s", d->look.why);
    }
}

// The same source for all addresses of this machine.
static void open_to_all(const struct doctor *d, unsigned port, char command[DOCTOR_COMMAND]) {
    char source[64];
    snprintf(source, sizeof source, "%.*s:0.0.0.0:%u", (int)strcspn(d->source, ":"), d->source,
             port);
    doctor_command(d, "doctor", source, NULL, command);
}

void net_silent(struct doctor *d) {
    char list[256], command[DOCTOR_COMMAND] = "";
    unsigned port = port_of(d->source);
    double looked = d->seconds - look_seconds_left(d);
    bool listens = source_is(d, "tcp-listen") || source_is(d, "udp");
    if (!listens && !source_is(d, "pty")) {
        doctor_find(d, DOCTOR_REFUSED, NULL, "%s", d->look.why);
        return;
    }
    if (!listens) { // the name of the pseudo-terminal
        doctor_find(d, DOCTOR_NOBODY_CONNECTS, NULL, "%s; nobody in %.1f s", d->look.why, looked);
        return;
    }
    list_addresses(port, list, sizeof list);
    bool local = strstr(d->look.why, "127.0.0.1") != NULL;
    if (local) open_to_all(d, port, command);
    doctor_find(d, DOCTOR_NOBODY_CONNECTS, command,
                "%s; nobody in %.1f s; addresses of this machine%s: %s", d->look.why, looked,
                local ? ", none of which reaches a source on 127.0.0.1" : "", list);
}
