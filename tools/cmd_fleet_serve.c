// SPDX-License-Identifier: MIT
// `wallfly fleet serve`: lists the devices of a project in the browser, and shows their time lines.

#include <stdio.h>

#include "fleet/serve.h"

static const struct option_row options[] = {
    FLEET_ROWS,
    {"port", 0, "PORT", "of 127.0.0.1, on which it is served (default: a free one)"},
    {"token", 0, "TEXT",
     "the secret part of the address, 16 to 64 of A-Z a-z 0-9 _ - (a new one each time); with "
     "--port links of dashboards stay valid"},
    {"idle", 0, "S", "close a window that no browser has shown for so long, in seconds (300)"},
    {"windows", 0, "N", "how many windows are open at a time (16)"},
    {NULL, 0, NULL, NULL},
};

static int serve(struct fleet *f, const struct args *args, uint64_t idle_s, uint64_t windows) {
    const char *port = args->value[FLEET_SERVE_PORT];
    struct fleet_server s = {
        .fleet = f, .args = args, .windows_max = (unsigned)windows, .idle_ns = idle_s * 1000000000};
    int code = fleet_open(f, args);
    if (code == EXIT_GOOD) code = fleet_check_tables(f);
    if (code == EXIT_GOOD) code = fleet_serve(&s, port, args->value[FLEET_SERVE_TOKEN]);
    return code;
}

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    const char *port = args->value[FLEET_SERVE_PORT], *idle = args->value[FLEET_SERVE_IDLE];
    const char *most = args->value[FLEET_SERVE_WINDOWS];
    uint64_t number, idle_s = 300, windows = 16;
    if ((port && !parse_number("--port", port, 0, 65535, &number)) ||
        (idle && !parse_number("--idle", idle, 1, 86400, &idle_s)) ||
        (most && !parse_number("--windows", most, 1, 256, &windows)))
        return EXIT_USAGE;
    int code = serve(&f, args, idle_s, windows);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_serve = {
    "fleet serve",
    run,
    "URL",
    1,
    1,
    "Lists the devices of a project in the browser, and shows their time lines.",
    "The first line of standard output is the address of a page that lists the devices: version,\n"
    "last record, missing records, and the longest intervals of some kinds. Each leads to the "
    "time\n"
    "line there, as `wallfly serve` shows it. Dashboards lead to it by links below that address:\n"
    "\n"
    "    device/DEVICE?at=TIME                    5 s on either side\n"
    "    device/DEVICE?from=TIME&until=TIME       or &stream=NUMBER, too\n"
    "    device/DEVICE                            its newest 10 s\n"
    "\n"
    "A TIME is 2026-01-02T03:04:05Z, ms since 1970 (Grafana's ${__from}), or 12.5 or 30ms since\n"
    "the beginning of the stream. wallfly serves the pages itself, to this computer. The address\n"
    "contains a secret token; anyone with the address can view all devices of the project.\n"
    "\n"
    "    wallfly fleet serve http://localhost:8123 --project=pilot --port=7702 \\\n"
    "        --token=a-secret-of-16-or-more",
    options};
