// SPDX-License-Identifier: MIT
// Detects slot traces in files, and prints messages about slots.

#include "slots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "wallfly_backend/wf_link.h"
#include "wallfly_host/wf_recording.h"
#include "wallfly_host/wf_trace.h"

enum { HEAD_LEN = 4096, FILE_LEN = 1 << 16 };

// ---- detection

static size_t read_head(const char *name, uint8_t *head, size_t cap) {
    bool standard = strcmp(name, "-") == 0;
    struct stat st;
    ssize_t n = 0;
    if (!standard && !wf_link_is_file(name)) return 0;
    // Opening and closing a FIFO would unblock its writer too early.
    if (!standard && (stat(name, &st) != 0 || !S_ISREG(st.st_mode))) return 0;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0; // reported when it is read
    bool whole = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
    if (whole) n = pread(fd, head, cap, 0);
    if (!standard) close(fd);
    return n > 0 ? (size_t)n : 0;
}

enum slots_kind slots_in_file(const char *name) {
    static const char own[] = "TRACE_WALLFLY::";
    uint8_t head[HEAD_LEN];
    size_t len = read_head(name, head, sizeof head);
    // The compressed bytes of a recording may begin with the same words.
    if (wf_recording_is(head, len) || !wf_slots_is(head, len)) return SLOTS_NONE;
    bool ours = !wf_slots_has_attributes(head, len) || memmem(head, len, own, sizeof own - 1);
    return ours ? SLOTS_OWN : SLOTS_QNX;
}

bool slots_is_whole_file(const char *name) {
    uint8_t *head = malloc(FILE_LEN);
    bool whole = head && wf_trace_is_file(head, read_head(name, head, FILE_LEN));
    free(head);
    return whole;
}

enum wf_lane_format slots_foreign_format(const char *name) {
    uint8_t *head = malloc(FILE_LEN);
    size_t len = head ? read_head(name, head, FILE_LEN) : 0;
    enum wf_lane_format format = len ? wf_trace_foreign_format(head, len) : WF_LANE_UNKNOWN;
    free(head);
    return format;
}

// ---- options and messages

bool slots_clock(const char *text, enum wf_slots_clock *clock) {
    static const char *const words[] = {"global", "percpu", NULL};
    unsigned percpu = 0;
    *clock = WF_SLOTS_CLOCK_GUESS;
    if (!parse_choice("--clock", text, words, &percpu)) return false;
    if (text) *clock = percpu ? WF_SLOTS_CLOCK_PERCPU : WF_SLOTS_CLOCK_GLOBAL;
    return true;
}

void slots_add(struct wf_slots_ledger *sum, const struct wf_slots_ledger *l) {
    sum->exact = l->exact && (sum->exact || !sum->bytes);
    sum->bytes += l->bytes;
    sum->events += l->events;
    sum->lost += l->lost;
    sum->refused += l->refused;
    sum->gone += l->gone;
    for (unsigned i = 0; i < WF_SLOTS_DAMAGE_END; ++i) sum->damage[i] += l->damage[i];
}

struct slots_text slots_missing(const struct wf_slots_ledger *l) {
    struct slots_text t;
    char gone[48] = "";
    if (l->gone) snprintf(gone, sizeof gone, " (%" PRIu64 " slots gone)", l->gone);
    snprintf(t.text, sizeof t.text,
             "%s%" PRIu64 " lost%s, %" PRIu64 " found no room; %" PRIu64 " damages",
             l->lost && !l->exact ? "at least " : "", l->lost, gone, l->refused,
             wf_slots_ledger_damages(l));
    return t;
}

void slots_summary(const char *name, const struct wf_lane_slots *s) {
    const struct wf_slots_ledger *l = wf_slots_get_ledger(s->slots);
    diag_note("%s: %" PRIu64 " events; %s", name, l->events, slots_missing(l).text);
    if (s->late) {
        diag_note("%s: %" PRIu64 " events came too late for the order of time; from a file they "
                  "come in order",
                  name, s->late);
    }
}
