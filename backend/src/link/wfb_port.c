// SPDX-License-Identifier: MIT
// Listens on a TCP port for servers, and explains why a port cannot be listened on: another program
// listens, or a connection of an ended program is closed at one end only. The system reports one
// error for both; its table of sockets shows the difference.

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wfb_link.h"

enum { STATE_LISTEN = 0x0A, BACKLOG = 64 };

struct held {
    bool listened; // a program listens
    char peer[80]; // the other end of a connection; empty: none
};

// An address is 4 or 16 bytes, as 32-bit words in host byte order.
static void name_peer(const char *hex, unsigned port, char name[80]) {
    uint32_t words[4] = {0};
    char host[INET6_ADDRSTRLEN] = "?";
    bool six = strlen(hex) == 32;
    for (unsigned i = 0; i < (six ? 4u : 1u); ++i) sscanf(hex + 8 * i, "%8x", &words[i]);
    inet_ntop(six ? AF_INET6 : AF_INET, words, host, sizeof host);
    snprintf(name, 80, six ? "[%s]:%u" : "%s:%u", host, port);
}

static void search_table(const char *table, unsigned port, struct held *held) {
    char line[512];
    FILE *f = fopen(table, "r");
    while (f && fgets(line, sizeof line, f)) {
        char peer[33];
        unsigned local, remote, state;
        if (sscanf(line, "%*d: %*[0-9A-Fa-f]:%x %32[0-9A-Fa-f]:%x %x", &local, peer, &remote,
                   &state) != 4 ||
            local != port)
            continue;
        if (state == STATE_LISTEN)
            held->listened = true;
        else if (remote)
            name_peer(peer, remote, held->peer);
    }
    if (f) fclose(f);
}

int wfb_in_use(const struct sockaddr *address, const char *advice, struct wf_error *error) {
    struct held held = {false, ""};
    char name[WFB_PEER_NAME_MAX];
    unsigned port = wfb_address_port(address);
    wfb_address_name(address, name);
    search_table("/proc/net/tcp", port, &held);
    search_table("/proc/net/tcp6", port, &held);
    if (held.listened || !held.peer[0])
        return wf_error_set(error, WF_ERR_LINK, "%s is in use by another program%s", name, advice);
    return wf_error_set(error, WF_ERR_LINK,
                        "%.50s is in use: no program listens there, but a connection from %.50s is "
                        "not closed at both ends%.60s",
                        name, held.peer, advice);
}

static int open_socket(const struct sockaddr *address, int *fd) {
    int on = 1;
    *fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0) return errno;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); // for ports of closed servers
    if (bind(*fd, address, wfb_address_len(address)) != 0) return errno;
    return listen(*fd, BACKLOG) == 0 ? 0 : errno;
}

int wfb_listen(const char *text, const char *advice, struct sockaddr_storage *address, int *fd,
               struct wf_error *error) {
    char name[WFB_PEER_NAME_MAX];
    struct sockaddr *any = (struct sockaddr *)address;
    socklen_t len = sizeof *address;
    *fd = -1;
    if (wfb_parse_address(text, address, error) != WF_OK) return WF_ERR_USAGE;
    wfb_address_name(any, name);
    int err = open_socket(any, fd);
    if (!err) {
        getsockname(*fd, any, &len);
        return WF_OK;
    }
    if (*fd >= 0) close(*fd);
    *fd = -1;
    if (err == EADDRINUSE) return wfb_in_use(any, advice, error);
    return wf_error_set(error, WF_ERR_LINK, "%s: %s", name, strerror(err));
}
