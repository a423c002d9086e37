// SPDX-License-Identifier: MIT
// Slot traces (docs/slots.md) for the commands: kernel-event logs and what wallfly's slot recorder
// made, in the order of time, through the parser library.
#ifndef SLOTS_H
#define SLOTS_H

#include "cmd.h"
#include "wallfly_host/wf_sat.h"
#include "wallfly_parser/wf_parser.h"

enum slots_kind { SLOTS_NONE, SLOTS_QNX, SLOTS_OWN };

// What a file of this name holds; of standard input only if it can be read at any place. Complains
// of nothing.
enum slots_kind slots_in_file(const char *name);

struct slots_counts { // what wf_slots_ledger has not by core; events without CONTROL and OWN
    uint64_t events[WF_SLOT_CORES][WF_SLOT_CLASS + 1];
    uint64_t lost[WF_SLOT_CORES], refused[WF_SLOT_CORES];
    uint64_t gone[WF_SLOT_CORES], chunks[WF_SLOT_CORES];
    bool not_exact[WF_SLOT_CORES];
    uint64_t tick_first[WF_SLOT_CORES], tick_last[WF_SLOT_CORES];
    bool timed[WF_SLOT_CORES];
};

struct slots {
    struct wf_parser *parser;
    struct slots_counts counts;
    const char *name; // for messages
    bool streaming;   // pieces have come, the end not yet
    void *ctx;        // of item
    bool (*item)(void *ctx, const struct wf_slots *slots, const struct wf_slots_item *item);
};

struct slots_options {
    enum wf_slots_clock clock;
    uint64_t hz;                // 0: as the trace says
    enum wf_parser_order order; // of items
};

// --clock=global|percpu. False after complaining.
bool slots_clock(const char *text, enum wf_slots_clock *clock);

// Null after complaining. `item` takes what comes (false: no more), the header first; null: only
// the totals are wanted.
struct slots *slots_open(const char *name, const struct slots_options *options, void *ctx,
                         bool (*item)(void *ctx, const struct wf_slots *slots,
                                      const struct wf_slots_item *item));
void slots_close(struct slots *s);

// A whole file, or an image of memory; or a stream piece by piece. They complain themselves and
// return an exit code.
int slots_run_file(struct slots *s, const char *file);
int slots_run_memory(struct slots *s, const uint8_t *bytes, size_t len);
int slots_feed(struct slots *s, const uint8_t *bytes, size_t len);
int slots_end(struct slots *s);

// Was there a slot at all? Complains if not. Returns an exit code.
int slots_judge(const struct slots *s);
// What arrived and what did not, on standard error.
void slots_summary(const struct slots *s);

const struct wf_slots_ledger *slots_totals(const struct slots *s);
// Adds what the messages below speak of.
void slots_add(struct wf_slots_ledger *sum, const struct wf_slots_ledger *l);
// What did not arrive: "3 lost, 0 found no room; 1 damages".
struct slots_text {
    char text[160];
};
struct slots_text slots_missing(const struct wf_slots_ledger *l);
// Is anything lost or damaged?
bool slots_lossy(const struct wf_slots_ledger *l);
uint64_t slots_damages(const struct wf_slots_ledger *l);

#endif
