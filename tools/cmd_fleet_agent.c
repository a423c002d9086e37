// SPDX-License-Identifier: MIT
// `wallfly fleet agent`: takes the traces of devices in over a network, and loads them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_options.h"
#include "fleet/agent.h"

enum {
    AGENT_MQTT = FLEET_OPTIONS,
    AGENT_MQTT_USER,
    AGENT_MQTT_PASSWORD,
    AGENT_HTTP,
    AGENT_TOKENS,
    AGENT_SPOOL,
    AGENT_SPOOL_SIZE,
    AGENT_SHARE,
    AGENT_RECORDS,
    AGENT_GROW
};

static const struct option_row options[] = {
    FLEET_ROWS,
    FLEET_MQTT_ROWS,
    {"http", 0, "[ADDRESS:]PORT",
     "take uploads over HTTP there; without an address on the loopback (0: any free port)"},
    {"tokens", 0, "FILE",
     "who may upload: lines of SHA256 [DEVICE], as `printf %s TOKEN | sha256sum` prints; without a "
     "device, or with -, any of the project"},
    {"spool", 0, "DIR", "the folder for what was received and is not yet in the tables"},
    {"spool-size", 0, "MB", "its size at most: then devices wait (0: as much as the disk has)"},
    {"share", 0, "I/N", "only the I-th of N parts of the devices, where N agents share them"},
    {"records", 0, "[=LIST]",
     "a row for each record, too, or only for these records (tran), groups (AO) or numbers (14, "
     "100-104)"},
    {"grow", 0, "S", "how often what has not filled a segment is loaded, in seconds (60)"},
    {NULL, 0, NULL, NULL},
};

static bool parse_share(const char *text, struct agent *a) {
    char end;
    if (!text) return true;
    if (sscanf(text, "%u/%u%c", &a->share, &a->shares, &end) == 2 && a->share >= 1 &&
        a->share <= a->shares)
        return true;
    diag_error(EXIT_USAGE, "--share: '%s' is no I/N, as 1/3", text);
    return false;
}

// Returns null if everything needed is there.
static const char *missing_option(const struct args *args) {
    if (!args->value[AGENT_MQTT] && !args->value[AGENT_HTTP]) return "--mqtt=URL or --http=PORT";
    if (!args->value[AGENT_SPOOL]) return "--spool=DIR";
    return args->value[AGENT_HTTP] && !args->value[AGENT_TOKENS] ? "--tokens=FILE" : NULL;
}

static bool parse_options(const struct args *args, struct agent *a, bool records[256]) {
    uint64_t megabytes = 0, grow = 0;
    const char *size = args->value[AGENT_SPOOL_SIZE], *often = args->value[AGENT_GROW];
    const char *list = args->value[AGENT_RECORDS];
    const char *missing = missing_option(args);
    if (missing) {
        diag_error(EXIT_USAGE, "%s is missing", missing);
        return false;
    }
    if ((size && !parse_number("--spool-size", size, 0, 100000000, &megabytes)) ||
        (often && !parse_number("--grow", often, 1, 86400, &grow)) ||
        !parse_share(args->value[AGENT_SHARE], a))
        return false;
    a->spool = args->value[AGENT_SPOOL];
    a->spool_bytes = megabytes * 1000000;
    a->grow_s = (unsigned)grow;
    memset(records, list && !*list, 256);
    if (list) a->records = records;
    return !list || record_list_parse("--records", list, true, records);
}

static int run(const struct args *args) {
    struct fleet fleet = {.give_up_s = UINT64_MAX};
    struct agent a = {.fleet = &fleet};
    struct tokens tokens = {0};
    char password[1024];
    bool records[256];
    if (!parse_options(args, &a, records)) return EXIT_USAGE;
    int code = fleet_read_password(args->value[AGENT_MQTT_PASSWORD], "WALLFLY_MQTT_PASSWORD",
                                   password, sizeof password);
    if (code != EXIT_GOOD) return code;
    a.mqtt.url = args->value[AGENT_MQTT];
    a.mqtt.user = args->value[AGENT_MQTT_USER];
    a.mqtt.password = *password ? password : NULL;
    a.http = args->value[AGENT_HTTP];
    a.tokens = &tokens;
    if (a.http) code = agent_read_tokens(args->value[AGENT_TOKENS], &tokens);
    agent_prepare(&a);
    if (code == EXIT_GOOD) code = fleet_open(&fleet, args);
    if (code == EXIT_GOOD) code = agent_run(&a);
    fleet_close(&fleet);
    tokens_free(&tokens);
    return code;
}

const struct cmd cmd_fleet_agent = {
    "fleet agent",
    run,
    "URL",
    1,
    1,
    "Takes the traces of devices in over MQTT and HTTP, and loads them into the tables of a "
    "project.",
    "Devices, or gateways for them, send chunks (docs/fleet-chunks.md) to the topics\n"
    "wf/1/PROJECT/DEVICE/frames; the answers are in wf/1/PROJECT/DEVICE/ack. Or they post them to\n"
    "/v1/PROJECT/DEVICE with `Authorization: Bearer TOKEN`; recordings and memory images may be\n"
    "posted there, too. Each is answered when it is on disk, in the spool. While the engine is\n"
    "away, the spool grows; the agent, the broker and the engine can be killed at any time: each\n"
    "record is in the tables once.\n"
    "\n"
    "    wallfly fleet agent http://localhost:8123 --project=pilot --mqtt=mqtt://localhost \\\n"
    "        --spool=/var/lib/wallfly/pilot",
    options};
