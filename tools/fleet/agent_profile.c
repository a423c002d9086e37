// SPDX-License-Identifier: MIT
// Profiles of devices (wf_fleet_profile.h): the engine's thread reads those that were set, and
// hands them to the thread of messages, which passes them on: over MQTT as retained messages, over
// HTTP in each answer. A connection to the broker has another number than the one before, as a
// broker without a disk forgets: then devices are told again when they are seen.

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "clock.h"
#include "wallfly_host/wf_fleet_profile.h"

enum {
    READ_MS = 3000,
    OVERLAP_S = 600, // a row that was made before the newest one may come later
    TELL_MOST = 1000 // at a time
};

struct device {
    char name[WF_FLEET_DEVICE_MAX + 1]; // first; "": the default
    bool has;                           // a profile of its own
    bool seen;                          // over MQTT, or its own profile has changed since
    struct wf_fleet_profile profile;
    unsigned told; // in this connection; 0: not yet
};

struct change {
    char device[WF_FLEET_DEVICE_MAX + 1];
    struct wf_fleet_profile profile;
    bool later; // than the first reading
};

struct agent_profiles {
    // Of the thread that takes messages in.
    void *by_name; // a tree of <search.h>
    struct device **list;
    size_t count, cap;
    struct device others; // the default
    unsigned connection;  // to the broker, from 1
    bool waiting;         // some devices of the list, from `next` on, are to be told
    size_t next;

    // Under the mutex of the agent.
    struct change *changes;
    size_t change_count, change_cap;

    // Of the engine's thread.
    uint64_t newest; // time of the newest row, in s since 1970 UTC
    uint64_t read_ms;
    bool read;   // once, or more often
    bool failed; // which is reported
};

bool agent_open_profiles(struct agent *a) {
    a->profiles = calloc(1, sizeof *a->profiles);
    if (a->profiles) a->profiles->connection = 1;
    return a->profiles != NULL;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

void agent_close_profiles(struct agent *a) {
    struct agent_profiles *p = a->profiles;
    if (!p) return;
    for (size_t i = 0; i < p->count; ++i) {
        tdelete(p->list[i], &p->by_name, compare);
        free(p->list[i]);
    }
    free(p->list);
    free(p->changes);
    free(p);
}

// ---- devices

static struct device *find_device(const struct agent_profiles *p, const char *name) {
    struct device *const *found = tfind(name, &p->by_name, compare);
    return found ? *found : NULL;
}

// Returns null when out of memory.
static struct device *get_device(struct agent_profiles *p, const char *name) {
    struct device *d = *name ? find_device(p, name) : &p->others;
    if (d) return d;
    if (p->count == p->cap) {
        const size_t cap = 2 * p->cap + 64;
        struct device **more = realloc(p->list, cap * sizeof *more);
        if (!more) return NULL;
        p->list = more;
        p->cap = cap;
    }
    d = calloc(1, sizeof *d);
    if (!d) return NULL;
    snprintf(d->name, sizeof d->name, "%s", name);
    if (!tsearch(d, &p->by_name, compare)) {
        free(d);
        return NULL;
    }
    return p->list[p->count++] = d;
}

// Returns null if none is set.
static const struct wf_fleet_profile *profile_of(const struct agent_profiles *p,
                                                 const struct device *d) {
    if (d && d->has) return &d->profile;
    return p->others.has ? &p->others.profile : NULL;
}

bool agent_profile_of(const struct agent *a, const char *device, char text[WF_FLEET_PROFILE_MAX]) {
    const struct wf_fleet_profile *is = profile_of(a->profiles, find_device(a->profiles, device));
    if (is) wf_fleet_profile_print(is, text);
    return is != NULL;
}

// ---- telling

// Returns false if it cannot be told now.
static bool tell(struct agent *a, struct device *d) {
    struct agent_profiles *p = a->profiles;
    const struct wf_fleet_profile *profile = profile_of(p, d);
    char topic[AGENT_TOPIC_MAX], text[WF_FLEET_PROFILE_MAX];
    if (!d->seen || !profile) return true;
    wf_fleet_profile_print(profile, text);
    snprintf(topic, sizeof topic, "wf/1/%s/%s/profile", a->fleet->project, d->name);
    if (wf_mqtt_publish(a->link, topic, text, strlen(text), 1, true) != WF_OK) return false;
    d->told = p->connection;
    return true;
}

void agent_see(struct agent *a, const char *device) {
    struct device *d = get_device(a->profiles, device);
    if (!d) return; // it is seen again
    d->seen = true;
    if (d->told != a->profiles->connection) (void)tell(a, d);
}

void agent_reconnected(struct agent *a) { ++a->profiles->connection; }

static void tell_waiting(struct agent *a) {
    struct agent_profiles *p = a->profiles;
    for (size_t most = p->next + TELL_MOST; p->next < p->count && p->next < most; ++p->next)
        if (!p->list[p->next]->told && !tell(a, p->list[p->next])) return;
    p->waiting = p->next < p->count;
}

static void take_change(struct agent_profiles *p, const struct change *c) {
    struct device *d = get_device(p, c->device);
    if (!d || (d->has && wf_fleet_profile_is(&d->profile, &c->profile))) return;
    d->has = true;
    d->profile = c->profile;
    d->told = 0;
    d->seen |= c->later; // it may be one that sends nothing
    for (size_t i = 0; i < p->count && d == &p->others; ++i)
        if (!p->list[i]->has) p->list[i]->told = 0;
    p->waiting = true;
    p->next = 0;
}

static bool take_changes(struct agent *a, struct change **changes, size_t *count) {
    struct agent_profiles *p = a->profiles;
    pthread_mutex_lock(&a->mutex);
    *changes = p->changes;
    *count = p->change_count;
    p->changes = NULL;
    p->change_count = p->change_cap = 0;
    pthread_mutex_unlock(&a->mutex);
    return *count != 0;
}

void agent_tell_profiles(struct agent *a) {
    struct change *changes;
    size_t count;
    if (take_changes(a, &changes, &count))
        for (size_t i = 0; i < count; ++i) take_change(a->profiles, &changes[i]);
    free(changes);
    if (a->link && a->profiles->waiting) tell_waiting(a);
}

// ---- reading

// Under the mutex. What has no room is read again.
static bool add_change(struct agent_profiles *p, const struct change *c) {
    if (p->change_count == p->change_cap) {
        const size_t cap = 2 * p->change_cap + 16;
        struct change *more = realloc(p->changes, cap * sizeof *more);
        if (!more) return false;
        p->changes = more;
        p->change_cap = cap;
    }
    p->changes[p->change_count++] = *c;
    return true;
}

// Reads DEVICE, tab, PROFILE, tab, time. Returns false if it is not for this agent.
static bool read_row(struct agent *a, const char *row, struct change *c, uint64_t *changed) {
    struct wf_error error;
    const size_t len = strcspn(row, "\t\n");
    if (len >= sizeof c->device || row[len] != '\t') return false;
    c->later = a->profiles->read;
    memcpy(c->device, row, len);
    c->device[len] = 0;
    const char *text = row + len + 1;
    const size_t text_len = strcspn(text, "\t\n");
    *changed = text[text_len] == '\t' ? strtoull(text + text_len + 1, NULL, 10) : 0;
    if (*c->device && (!wf_fleet_is_device(c->device) || !agent_has(a, c->device))) return false;
    if (wf_fleet_profile_parse(text, text_len, &c->profile, &error) == WF_OK) return true;
    if (*changed > a->profiles->newest)
        diag_note("%s: its profile %s", *c->device ? c->device : "all others", error.text);
    return false;
}

static void read_rows(struct agent *a, const char *row) {
    struct agent_profiles *p = a->profiles;
    struct change c;
    uint64_t changed = 0, newest = p->newest;
    pthread_mutex_lock(&a->mutex);
    while (*row) {
        if (read_row(a, row, &c, &changed) && !add_change(p, &c)) break;
        if (changed > newest) newest = changed;
        row += strcspn(row, "\n");
        row += *row != 0;
    }
    pthread_mutex_unlock(&a->mutex);
    if (!*row) p->newest = newest;
    p->read |= !*row;
}

void agent_read_profiles(struct agent *a) {
    struct agent_profiles *p = a->profiles;
    struct wf_error error;
    char sql[512];
    if (p->read_ms && now_ms() - p->read_ms < READ_MS) return;
    snprintf(sql, sizeof sql,
             "SELECT device, argMax(profile, changed), toUInt32(max(changed)) FROM %s.device "
             "WHERE toUInt32(changed) >= %" PRIu64 " GROUP BY device",
             a->fleet->project, p->newest > OVERLAP_S ? p->newest - OVERLAP_S : 0);
    const bool read = wf_engine_ask(a->fleet->engine, sql, &error) == WF_OK;
    if (read) read_rows(a, wf_engine_answer(a->fleet->engine, NULL));
    if (!read && !p->failed && !atomic_load(&a->stopping))
        diag_note("%s: profiles of devices cannot be read: %s", a->fleet->url, error.text);
    p->failed = !read;
    p->read_ms = now_ms();
}
