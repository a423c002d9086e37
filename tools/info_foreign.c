// SPDX-License-Identifier: MIT
// `wallfly info` of another tracer's recording: what is known of the target, the losses as the
// format shows them, and what the format does not record.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "wallfly_server/json.h"

enum { INDENT = 12, COLUMNS = 100 };

bool info_is_foreign(const struct lane *l) {
    return wf_lane_format_is_foreign(wf_lane_get_format(l->of));
}

void info_foreign_target(const struct lane *l) {
    unsigned cores = wf_session_target(l->session)->cores;
    if (cores) printf("target      %u core%s\n", cores, cores == 1 ? "" : "s");
    if (!l->begins_in_ring) return;
    printf("begins      in a ring, of which ");
    if (l->overwritten)
        printf("%" PRIu64 " older event%s were overwritten\n", l->overwritten,
               l->overwritten == 1 ? "" : "s");
    else
        printf("older events were overwritten, it is not known how many\n");
}

static void missing_text(const struct wf_ledger *l) {
    if (!l->missing && l->holes)
        printf("            some missing, it is not known how many\n");
    else
        printf("            %12" PRIu64 " missing%s\n", l->missing,
               !l->missing ? " as far as the format shows"
               : l->exact  ? ", exact by the recorder's own count"
                           : " or more");
    if (l->holes)
        printf("            %12" PRIu64 " %s\n", l->holes, l->holes == 1 ? "hole" : "holes");
}

void info_foreign_losses(const struct lane *lane) {
    const struct wf_ledger *l = wf_session_ledger(lane->session);
    printf("loss ledger\n");
    printf("  events    %12" PRIu64 " read\n", l->records);
    missing_text(l);
    if (l->back) printf("            %12" PRIu64 " with a time stamp before the last\n", l->back);
    printf("  bytes     %12" PRIu64 " read\n", l->bytes_good);
    printf("            %12" PRIu64 " damaged\n", l->bytes_bad);
    if (l->bytes_lost)
        printf("            %12" PRIu64 " lost in damaged parts of the recording\n", l->bytes_lost);
    printf("            %12" PRIu64 " in all\n", l->bytes);
}

void info_foreign_lacks(const struct lane *lane) {
    const char *const *lacks = wf_lane_lacks(lane->of);
    if (!*lacks) return;
    size_t column = (size_t)printf("unknown     not in this format:");
    for (; *lacks; ++lacks) {
        size_t len = strlen(*lacks) + 2;
        if (column + len > COLUMNS) column = (size_t)printf("\n%*s", INDENT - 1, "") - 1;
        printf(" %s%s", *lacks, lacks[1] ? "," : "");
        column += len;
    }
    putchar('\n');
}

void info_foreign_json(const struct lane *lane) {
    const struct wf_target *t = wf_session_target(lane->session);
    const char *comma = "";
    printf("\"title\":");
    json_text(stdout, wf_lane_format_title(wf_lane_get_format(lane->of)));
    printf(",\"target\":{\"known\":false,\"cores\":%u,\"hz\":%" PRIu64 "},\"lacks\":[", t->cores,
           t->hz);
    for (const char *const *lacks = wf_lane_lacks(lane->of); *lacks; ++lacks) {
        printf("%s", comma);
        json_text(stdout, *lacks);
        comma = ",";
    }
    printf("],\"ring\":%s,\"overwritten\":", lane->begins_in_ring ? "true" : "false");
    if (lane->overwritten)
        printf("%" PRIu64 ",", lane->overwritten);
    else
        printf("null,");
}
