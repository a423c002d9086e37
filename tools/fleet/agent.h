// SPDX-License-Identifier: MIT
// `wallfly fleet agent`: agent.c takes messages in and answers them, agent_load.c loads the spool
// into the tables in a thread of its own.
#ifndef FLEET_AGENT_H
#define FLEET_AGENT_H

#include <pthread.h>
#include <stdatomic.h>

#include "fleet.h"
#include "wallfly_backend/wf_intake.h"
#include "wallfly_backend/wf_mqtt.h"

struct agent {
    struct fleet *fleet;    // its engine is the thread's
    const bool *records;    // null: none
    const char *spool;      // its folder
    uint64_t spool_bytes;   // at most; 0: no bound
    unsigned share, shares; // of devices, from 1; 0: all
    unsigned grow_s;
    struct wf_mqtt_options mqtt;

    // Of the thread that takes messages in.
    struct wf_intake *intake;
    struct wf_mqtt *link;
    bool came;    // a message did
    int reported; // error of the spool that was reported last
    uint64_t bad; // messages that were reported

    // Of both.
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t more; // `end` has grown, or it is to stop
    uint64_t end;        // what is safe; under the mutex
    atomic_bool stopping;
    atomic_bool ended;         // the thread has, with `code`
    atomic_uint_fast64_t done; // position of the spool that is worked off
    int code;
};

// Part of a spool that has a bound: room is made in such steps. 0: there is none, or it is large.
uint64_t agent_part_of_spool(const struct agent *a, unsigned parts);
// Sets what the engine reports; before fleet_open.
void agent_prepare(struct agent *a);
// Runs until a signal or an error. Returns an exit code, after a message.
int agent_run(struct agent *a);
// The thread; ctx: the agent.
void *agent_load(void *ctx);

#endif
