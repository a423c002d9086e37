// SPDX-License-Identifier: MIT
// `wallfly fleet send`: command_target.c knows the device's target, commands.c encodes commands for
// it and writes them down, command_message.c publishes them.
#ifndef FLEET_COMMANDS_H
#define FLEET_COMMANDS_H

#include <stdio.h>

#include "fleet.h"
#include "wallfly_backend/wf_mqtt.h"
#include "wallfly_host/wf_command.h"
#include "wallfly_host/wf_trace.h"

// All functions return an exit code, after a message.

// What the tables know of a device's target: the sizes, version and names of its newest stream.
struct command_target {
    struct wf_trace *trace;
    struct wf_program *program; // for names; null: none
    char *bytes;                // of the program
    struct wf_commander *commander;
};

int command_target_open(struct fleet *f, const char *device, struct command_target *t);
void command_target_close(struct command_target *t);

// Commands to a device.
struct commands {
    struct fleet *fleet;
    const char *device;
    bool engine_has_user; // its word for who inserts is in the table
    uint8_t *message;     // their frames, numbered from 1
    size_t len, cap;
    uint8_t seq;
    unsigned count;
    // Their texts, as literals of SQL that end with a zero.
    char *texts;
    size_t texts_len;
    FILE *out; // into texts
};

// Finds out whether the project permits commands.
int commands_open(struct commands *c);
// Encodes a command.
int commands_add(struct commands *c, struct wf_commander *commander, char *const word[],
                 unsigned count);
// Writes them down in the table.
int commands_store(struct commands *c);
void commands_close(struct commands *c);

// A message to a broker.
struct command_message {
    struct wf_mqtt *link;
    const char *url;
    double timeout_s; // for the connection, and for the acknowledgement
    bool acknowledged;
};

// Makes no connection yet.
int command_message_open(struct command_message *m, const char *url, const char *user,
                         const char *password);
// Waits for the connection.
int command_message_connect(struct command_message *m);
// Publishes it in the topic of the device's commands, and waits until the broker has it.
int command_message_send(struct command_message *m, const struct commands *c);
void command_message_close(struct command_message *m);

#endif
