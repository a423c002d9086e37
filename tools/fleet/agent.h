// SPDX-License-Identifier: MIT
// `wallfly fleet agent`: agent.c takes messages in and answers them, agent_http.c does so for
// uploads, agent_files.c keeps and loads those that are whole traces, agent_load.c loads the spool
// into the tables in a thread of its own, agent_profile.c tells devices what they are to send.
#ifndef FLEET_AGENT_H
#define FLEET_AGENT_H

#include <pthread.h>
#include <stdatomic.h>

#include "fleet.h"
#include "tokens.h"
#include "wallfly_backend/wf_file_queue.h"
#include "wallfly_backend/wf_intake.h"
#include "wallfly_backend/wf_loader.h"
#include "wallfly_backend/wf_mqtt.h"
#include "wallfly_backend/wf_upload.h"
#include "wallfly_host/wf_fleet_profile.h"

enum { AGENT_TOPIC_MAX = 256 };

struct agent {
    struct fleet *fleet;    // its engine is the thread's
    const bool *records;    // null: none
    const char *spool;      // its folder
    uint64_t spool_bytes;   // at most; 0: no bound
    unsigned share, shares; // of devices, from 1; 0: all
    unsigned grow_s;
    struct wf_mqtt_options mqtt; // url: null: none
    const char *http;            // where uploads are taken; null: nowhere
    const struct tokens *tokens; // for uploads

    // Of the thread that takes messages in.
    struct wf_intake *intake;
    struct wf_mqtt *link;         // null: none
    struct wf_upload *upload;     // null: none
    struct agent_upload *uploads; // that are answered at the next sync
    size_t upload_count, upload_cap;
    bool came;         // a message did
    int reported;      // error of the spool that was reported last
    uint64_t bad;      // messages that were reported
    uint64_t refused;  // uploads without a token
    bool file_refused; // the last one, for want of room

    // Of both.
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t more; // `end` has grown, or it is to stop
    uint64_t end;        // what is safe; under the mutex
    struct wf_file_queue *files;
    struct agent_profiles *profiles;
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
// Whether a device is one of this agent's.
bool agent_has(const struct agent *a, const char *device);
void agent_report_bad(struct agent *a, const char *device, const struct wf_error *error);
// Reports that a message cannot be taken now, and returns a text for its sender.
const char *agent_no_room(struct agent *a, int err, const struct wf_error *error);

// (agent_http.c) Reads a file of tokens. Returns an exit code, after a message.
int agent_read_tokens(const char *file, struct tokens *tokens);
int agent_open_uploads(struct agent *a); // returns an exit code, after a message
void agent_close_uploads(struct agent *a);
// Answers what was taken, after a sync that returned `err`.
void agent_answer_uploads(struct agent *a, int err);

// (agent_files.c) Returns an exit code, after a message.
int agent_open_files(struct agent *a);
void agent_count_files(struct agent *a); // against the bound of the spool
// Makes a whole trace safe, which is loaded then.
//   returns  WF_OK; WF_ERR_TOO_MANY (the spool is full), WF_ERR_WRITE, WF_ERR_NOMEM
int agent_put_file(struct agent *a, const char *device, enum wf_file_kind kind,
                   const struct wf_upload_request *r, struct wf_error *error);
// For the engine's thread: loads the next one, if there is one, and removes it. What cannot be read
// of it is reported. Returns as wf_loader_flush.
int agent_load_file(struct agent *a, struct wf_loader *loader, struct wf_error *error);

// (agent_profile.c) Returns false when out of memory.
bool agent_open_profiles(struct agent *a);
void agent_close_profiles(struct agent *a);
// A device has sent a message over MQTT: it is told its profile, once for each connection.
void agent_see(struct agent *a, const char *device);
void agent_reconnected(struct agent *a); // to the broker
// Takes what the engine's thread has read, and tells devices whose profile has changed.
void agent_tell_profiles(struct agent *a);
// Gets the text of a device's profile. Returns false if none is set.
bool agent_profile_of(const struct agent *a, const char *device, char text[WF_FLEET_PROFILE_MAX]);
// For the engine's thread: reads what was set, every few seconds.
void agent_read_profiles(struct agent *a);

// The thread; ctx: the agent.
void *agent_load(void *ctx);

#endif
