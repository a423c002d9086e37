// SPDX-License-Identifier: MIT
// `wallfly fleet check`: whether the tables of a project have all that they say, and what is
// missing of the traces themselves.

#include <stddef.h>

#include "fleet/fleet.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { CHECK_DEVICE = FLEET_OPTIONS };

static const struct option_row options[] = {
    FLEET_ROWS,
    {"device", 0, "NAME", "only this device"},
    {NULL, 0, NULL, NULL},
};

static int run(const struct args *args) {
    struct fleet f = {.engine = NULL};
    const char *device = args->value[CHECK_DEVICE];
    if (device && !wf_fleet_is_device(device))
        return diag_error(EXIT_USAGE, "--device: '%s' is no name of a device", device);
    int code = fleet_open(&f, args);
    if (code == EXIT_GOOD) code = fleet_check_streams(&f, device);
    fleet_close(&f);
    return code;
}

const struct cmd cmd_fleet_check = {
    "fleet check",
    run,
    "URL",
    1,
    1,
    "Checks that the traces in the tables of a project are whole.",
    "For each stream: that no segment is missing between two others, and that the rows of loss "
    "add\n"
    "up to the records that its segments miss. Streams with missing records or damaged bytes are\n"
    "listed; the exit code is 4 if there are any.",
    options};
