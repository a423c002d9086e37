// SPDX-License-Identifier: MIT
// Internals of the parser: registrations and the run.
#ifndef WFP_PARSER_H
#define WFP_PARSER_H

#include "wallfly_parser/wf_parser.h"

#include <wallfly_host/wf_sat.h>

enum {
    WFP_CLASSES = WF_SAT_CLASS_END + WF_SLOT_CLASS + 1, // external ones, then those of slots
    WFP_PIECE = 1 << 16,                                // bytes read at a time
    WFP_PROBLEM = 256,
    RUNNING = 1 // a thread state
};

struct wfp_want {
    unsigned first, last;
    uint64_t serial; // order of registration
    wf_parser_fn fn;
    void *user;
};

struct wfp_wants {
    struct wfp_want *list;
    size_t count;
};

struct wfp_owner {
    bool known;
    uint32_t pid, tid;
};

struct wf_parser {
    struct wf_parser_options options;
    struct wfp_wants wants[WFP_CLASSES];
    uint64_t serial;
    wf_parser_loss_fn on_loss;
    wf_parser_damage_fn on_damage;
    void *loss_user, *damage_user;

    struct wf_merge *merge; // of the run
    enum wf_sat_release release;
    struct wfp_owner owners[WF_SLOT_CORES];
    int stopped;
    char problem[WFP_PROBLEM];
};

void wfp_forget_run(struct wf_parser *p);
// Returns false when a callback stops the run.
bool wfp_call(struct wf_parser *p, const struct wf_slots_item *item);
// Records what is wrong; returns err.
__attribute__((format(printf, 3, 4))) int wfp_fail(struct wf_parser *p, int err, const char *format,
                                                   ...);

#endif
