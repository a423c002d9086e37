// SPDX-License-Identifier: MIT
// What all fleet commands need: an engine and a project, and the options for them.
#ifndef FLEET_H
#define FLEET_H

#include "../cmd.h"
#include "wallfly_backend/wf_engine.h"
#include "wallfly_host/wf_fleet.h"

enum { FLEET_PROJECT, FLEET_USER, FLEET_PASSWORD_FILE, FLEET_OPTIONS };
#define FLEET_ROWS                                                                                 \
    {"project", 0, "NAME", "the database with the project's tables (wallfly)"},                    \
        {"user", 0, "NAME", "user of the engine (that of the URL, or the engine's default)"}, {    \
        "password-file", 0, "FILE",                                                                \
            "a file whose first line is the password; without it the environment's "               \
            "WALLFLY_PASSWORD, or none"                                                            \
    }

// A broker, for commands that have one: the order of the rows is MQTT, MQTT_USER, MQTT_PASSWORD.
#define FLEET_MQTT_ROWS                                                                            \
    {"mqtt", 0, "URL", "the broker: mqtt://[USER@]HOST[:PORT], or mqtts with TLS"},                \
        {"mqtt-user", 0, "NAME", "user of the broker (that of the URL, or none)"}, {               \
        "mqtt-password-file", 0, "FILE",                                                           \
            "a file whose first line is the password for the broker; without it the "              \
            "environment's WALLFLY_MQTT_PASSWORD, or none"                                         \
    }

struct fleet {
    // The caller sets these before fleet_open, as of wf_engine_options.
    uint64_t give_up_s;
    void (*failed)(void *ctx, const char *text);
    bool (*stopped)(void *ctx);
    void *ctx;
    struct wf_engine *engine;
    const char *url, *project;
    char password[1024];
};

// Gets the project of FLEET_ROWS, which are the first options. Returns null after an error message.
const char *fleet_project(const struct args *args);
// Opens the engine of the first operand. Returns an exit code, after a message if it is not good.
int fleet_open(struct fleet *f, const struct args *args);
void fleet_close(struct fleet *f);
// Runs a statement, with settings of its own (name=value&...; may be null). Returns an exit code,
// after a message if it is not good. The answer: wf_engine_answer.
int fleet_run(struct fleet *f, const char *sql, const char *settings);
// Gets whether the engine has a setting. of: system.settings or system.merge_tree_settings
int fleet_has(struct fleet *f, const char *of, const char *setting, bool *has);

// Gets the number of a build as `wallfly info` prints it: 8 hexadecimal digits. text: null: 0.
// Returns false after a message if it is not one.
bool fleet_parse_build(const char *text, uint32_t *build);

// Checks that all tables are there, with the columns of this version. Returns an exit code, after a
// message if it is not good.
int fleet_check_tables(struct fleet *f);
int fleet_check_table(struct fleet *f, const struct wf_fleet_table *table);

// (check.c) Prints the streams of a device, null: of all, that lack records, and the sums of all.
// Returns an exit code, after a message: EXIT_LOSS if anything is missing or damaged.
int fleet_check_streams(struct fleet *f, const char *device);

// Reads a password: the first line of a file; without a name that of an environment variable, or
// none. Returns an exit code, after a message.
int fleet_read_password(const char *file, const char *variable, char *to, size_t cap);

// (print.c) Print the statements of setup, and the tables as docs/fleet-tables.md.
//   commands  also those that permit commands to devices
void fleet_print_sql(const char *project, bool replicated, bool modern, bool commands);
void fleet_print_tables(void);

#endif
