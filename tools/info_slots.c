// SPDX-License-Identifier: MIT
// Event classes are named as in the slot format (schema/wf_slot.h).

#include "info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_sat.h"
#include "wallfly_server/json.h"

static const char *const class_names[WF_SLOT_CLASS + 1] = {
#define C(number, name, sentence) [number] = #name,
    WF_SLOT_CLASSES(C)
#undef C
};

static const char *class_name(unsigned cls, char text[16]) {
    if (class_names[cls]) return class_names[cls];
    snprintf(text, 16, "CLASS%u", cls);
    return text;
}

static uint64_t sum_of(const struct wf_lane_slots *c, unsigned core) {
    uint64_t sum = 0;
    for (unsigned cls = 0; cls <= WF_SLOT_CLASS; ++cls) sum += c->events[core][cls];
    return sum;
}

// Returns whether a core is listed in the trace or has events or losses.
static bool is_core(const struct lane *l, unsigned core) {
    const struct wf_lane_slots *c = l->slots;
    const char *count = wf_slots_find(l->slots->slots, "CPU_NUM");
    if (count && core < strtoul(count, NULL, 10)) return true;
    return sum_of(c, core) || c->lost[core] || c->refused[core] || c->gone[core];
}

static void attributes_text(const struct wf_slots *slots) {
    const char *key, *value;
    printf("attributes\n");
    for (size_t i = 0; wf_slots_attribute(slots, i, &key, &value); ++i) {
        size_t most = strlen(key) + strlen(value) + 64;
        char *line = malloc(most);
        if (line) printf("%.*s", (int)wf_sat_attribute(key, value, line, most), line);
        free(line);
    }
}

static void core_text(const struct lane *l, unsigned core) {
    const struct wf_lane_slots *c = l->slots;
    double hz = (double)wf_slots_hz(l->slots->slots);
    char text[16];
    printf("core %-6u %12" PRIu64 " events", core, sum_of(c, core));
    if (c->timed[core] && hz > 0) {
        printf(", %.6f s to %.6f s", (double)c->tick_first[core] / hz,
               (double)c->tick_last[core] / hz);
    } else if (c->timed[core]) {
        printf(", tick %" PRIu64 " to %" PRIu64, c->tick_first[core], c->tick_last[core]);
    }
    printf("\n");
    for (unsigned cls = 0; cls <= WF_SLOT_CLASS; ++cls) {
        if (!c->events[core][cls]) continue;
        printf("            %12" PRIu64 " of class %s\n", c->events[core][cls],
               class_name(cls, text));
    }
    printf("            %12" PRIu64 " lost%s, %" PRIu64 " more found no room\n", c->lost[core],
           c->not_exact[core] ? " or more" : "", c->refused[core]);
    if (c->gone[core]) printf("            %12" PRIu64 " slots gone\n", c->gone[core]);
    if (c->chunks[core]) printf("            %12" PRIu64 " buffers missing\n", c->chunks[core]);
}

static void totals_text(const struct lane *l) {
    const struct wf_slots_ledger *g = wf_slots_get_ledger(l->slots->slots);
    bool own = wf_slots_find(l->slots->slots, "WALLFLY") != NULL;
    printf("slots       %12" PRIu64 " in %" PRIu64 " bytes: %" PRIu64 " events, %" PRIu64
           " slots of the trace itself, %" PRIu64 " empty\n",
           g->slots, g->bytes, g->events, g->control, g->empty);
    printf("            %12" PRIu64 " events lost%s, %" PRIu64 " found no room, %" PRIu64
           " damages, %" PRIu64 " stamps that went back\n",
           g->lost,
           own && g->exact ? ", exact"
           : g->lost       ? " or more"
                           : "",
           g->refused, wf_slots_ledger_damages(g), g->back);
}

void info_slots_text(const struct lane *l) {
    attributes_text(l->slots->slots);
    for (unsigned core = 0; core < WF_SLOT_CORES; ++core) {
        if (is_core(l, core)) core_text(l, core);
    }
    totals_text(l);
}

static void core_json(const struct lane *l, unsigned core) {
    const struct wf_lane_slots *c = l->slots;
    const char *comma = "";
    char text[16];
    printf("{\"core\":%u,\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"refused\":%" PRIu64
           ",\"slots_gone\":%" PRIu64 ",\"buffers_missing\":%" PRIu64 ",\"exact\":%s",
           core, sum_of(c, core), c->lost[core], c->refused[core], c->gone[core], c->chunks[core],
           c->not_exact[core] ? "false" : "true");
    if (c->timed[core]) {
        printf(",\"tick_first\":%" PRIu64 ",\"tick_last\":%" PRIu64, c->tick_first[core],
               c->tick_last[core]);
    }
    printf(",\"classes\":{");
    for (unsigned cls = 0; cls <= WF_SLOT_CLASS; ++cls) {
        if (!c->events[core][cls]) continue;
        printf("%s\"%s\":%" PRIu64, comma, class_name(cls, text), c->events[core][cls]);
        comma = ",";
    }
    printf("}}");
}

void info_slots_json(const struct lane *l) {
    const struct wf_slots *slots = l->slots->slots;
    const struct wf_slots_ledger *g = wf_slots_get_ledger(l->slots->slots);
    const char *key, *value, *comma = "";
    printf("\"slots\":{\"attributes\":{");
    for (size_t i = 0; wf_slots_attribute(slots, i, &key, &value); ++i) {
        if (strncmp(key, "HEADER_", 7) == 0) continue; // they only mark the ends of the header
        printf("%s", comma);
        json_text(stdout, key);
        printf(":");
        json_text(stdout, value);
        comma = ",";
    }
    printf("},\"cores\":[");
    comma = "";
    for (unsigned core = 0; core < WF_SLOT_CORES; ++core) {
        if (!is_core(l, core)) continue;
        printf("%s", comma);
        core_json(l, core);
        comma = ",";
    }
    printf("],\"bytes\":%" PRIu64 ",\"slots\":%" PRIu64 ",\"events\":%" PRIu64
           ",\"control\":%" PRIu64 ",\"empty\":%" PRIu64 ",\"lost\":%" PRIu64
           ",\"refused\":%" PRIu64 ",\"slots_gone\":%" PRIu64 ",\"damages\":%" PRIu64
           ",\"back\":%" PRIu64 ",\"late\":%" PRIu64 ",\"exact\":%s},",
           g->bytes, g->slots, g->events, g->control, g->empty, g->lost, g->refused, g->gone,
           wf_slots_ledger_damages(g), g->back, l->slots->late, g->exact ? "true" : "false");
}
