// SPDX-License-Identifier: MIT
// `wallfly fleet send`: sends commands to a device, and writes down who has sent them.

#include <string.h>

#include "batch.h"
#include "fleet/commands.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { SEND_DEVICE = FLEET_OPTIONS, SEND_MQTT, SEND_MQTT_USER, SEND_MQTT_PASSWORD, SEND_TIMEOUT };
enum { TIMEOUT_S = 30 };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"device", 0, "NAME", "the device"},
    FLEET_MQTT_ROWS,
    {"timeout", 0, "S",
     "longest time to wait for the broker's connection, and for its acknowledgement, in seconds "
     "(30)"},
    {NULL, 0, NULL, NULL},
};

struct sending {
    struct commands commands;
    struct command_target target;
    struct command_message message;
    struct batch batch;
    int code;
};

static int check_options(const struct args *args) {
    const char *device = args->value[SEND_DEVICE];
    if (!device || !args->value[SEND_MQTT])
        return diag_error(EXIT_USAGE, "%s is missing", device ? "--mqtt=URL" : "--device=NAME");
    if (!wf_fleet_is_device(device))
        return diag_error(EXIT_USAGE, "--device: '%s' is no name of a device", device);
    return EXIT_GOOD;
}

// Counts them, too.
static bool check_command(void *ctx, char *const word[], unsigned count) {
    unsigned *commands = ctx;
    char text[256];
    (void)count;
    ++*commands;
    if (wf_command_known(word[0], text, sizeof text)) return true;
    diag_error(EXIT_USAGE, "%s", text);
    return false;
}

static bool add_command(void *ctx, char *const word[], unsigned count) {
    struct sending *s = ctx;
    s->code = commands_add(&s->commands, s->target.commander, word, count);
    return s->code == EXIT_GOOD;
}

static int check_commands(const struct batch *b) {
    unsigned count = 0;
    if (!batch_each(b, check_command, &count)) return EXIT_USAGE;
    return count ? EXIT_GOOD
                 : diag_error(EXIT_USAGE, "fleet send: no command; see `wallfly send --list`");
}

static int encode_all(struct sending *s) {
    s->code = EXIT_USAGE; // of a line that cannot be split
    return batch_each(&s->batch, add_command, s) ? EXIT_GOOD : s->code;
}

static int open_message(struct sending *s, const struct args *args) {
    char password[1024];
    s->message.timeout_s = TIMEOUT_S;
    if (!parse_seconds("--timeout", args->value[SEND_TIMEOUT], &s->message.timeout_s))
        return EXIT_USAGE;
    int code = fleet_read_password(args->value[SEND_MQTT_PASSWORD], "WALLFLY_MQTT_PASSWORD",
                                   password, sizeof password);
    if (code != EXIT_GOOD) return code;
    return command_message_open(&s->message, args->value[SEND_MQTT], args->value[SEND_MQTT_USER],
                                *password ? password : NULL);
}

static int send_all(struct sending *s) {
    struct commands *c = &s->commands;
    int code = commands_open(c);
    if (code == EXIT_GOOD) code = command_target_open(c->fleet, c->device, &s->target);
    if (code == EXIT_GOOD) code = encode_all(s);
    if (code == EXIT_GOOD) code = command_message_connect(&s->message);
    if (code == EXIT_GOOD) code = commands_store(c);
    if (code == EXIT_GOOD) code = command_message_send(&s->message, c);
    if (code == EXIT_GOOD)
        printf("%s: sent %u command%s\n", c->device, c->count, c->count == 1 ? "" : "s");
    return code;
}

static int run(const struct args *args) {
    struct fleet fleet = {.engine = NULL};
    struct sending s = {.commands = {.fleet = &fleet, .device = args->value[SEND_DEVICE]}};
    struct args words = *args; // behind the URL
    ++words.operand;
    --words.operands;
    int code = check_options(args);
    if (code == EXIT_GOOD) code = batch_open(&s.batch, &words, NULL);
    if (code == EXIT_GOOD) code = check_commands(&s.batch);
    if (code == EXIT_GOOD) code = open_message(&s, args);
    if (code == EXIT_GOOD) code = fleet_open(&fleet, args);
    if (code == EXIT_GOOD) code = send_all(&s);
    command_message_close(&s.message);
    command_target_close(&s.target);
    commands_close(&s.commands);
    fleet_close(&fleet);
    return code;
}

const struct cmd cmd_fleet_send = {
    "fleet send",
    run,
    "URL COMMAND ARGUMENT... [';' COMMAND...]",
    2,
    10000,
    "Sends commands to a device over the MQTT broker, and writes down who has sent them.",
    "The commands are those of `wallfly send` (docs/commands.md); options come before them. They "
    "are\n"
    "off unless `wallfly fleet setup --commands` has permitted them in the project. Each is "
    "written\n"
    "down in the table `command`, and then published to wf/1/PROJECT/DEVICE/command, for a "
    "gateway\n"
    "(`wallfly record --to=mqtt://... --commands`) or the device itself. `sent` says that the "
    "broker\n"
    "has it. The answers of the target are records of its trace. Sizes and names are those of the\n"
    "newest trace of the device in the tables. If one command is wrong, none is sent.\n"
    "\n"
    "    wallfly fleet send http://localhost:8123 --project=pilot --device=board-7 \\\n"
    "        --mqtt=mqtt://localhost 'filter all -tran; tick'",
    options};
