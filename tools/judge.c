// SPDX-License-Identifier: MIT
// Verdict on the input: whether it is a trace, the sizes match, and nothing is missing.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

bool lengths_are_wrong(const struct wf_ledger *l) { return l->malformed * 4 > l->records; }

// Names sizes that would match. Returns false when there are none.
static bool name_sizes(struct lane *lane, const struct wf_ledger *l) {
    char name[256];
    char letters[32];
    uint64_t fits;
    if (!wf_session_guess_sizes(lane->session, letters, sizeof letters, &fits) ||
        fits * 2 < l->malformed)
        return false;
    const struct wf_target *t = wf_session_target(lane->session);
    char words[256] = "";
    for (const char *p = letters; *p; p += 2) {
        for (unsigned i = 0; i < WF_TYPE_END; ++i) {
            size_t at = strlen(words);
            if (wf_types[i].letter != *p) continue;
            snprintf(words + at, sizeof words - at, "%s%s looks like %c byte%s, not %u",
                     at ? ", " : "", wf_types[i].sentence, p[1], p[1] == '1' ? "" : "s",
                     t->bytes[i]);
        }
    }
    complain(EXIT_GOOD,
             "%s: %" PRIu64 " of %" PRIu64 " records do not have the length that the sizes "
             "in force give: %s; try --sizes=%s",
             lane_name(lane, name), l->malformed, l->records, words, letters);
    return true;
}

enum { MALFORMED_MIN = 3 }; // fewer may be caused by damage

// Checks at the third malformed record, then each time their number has doubled.
void stream_hint_sizes(struct lane *lane) {
    const struct wf_ledger *l = wf_session_ledger(lane->session);
    uint64_t from = lane->hint_from ? lane->hint_from : MALFORMED_MIN;
    if (lane->hinted || l->malformed < from) return;
    lane->hint_from = 2 * l->malformed;
    lane->hinted = name_sizes(lane, l);
}

// QSPY accepts records with any sizes, and so do its formats.
static bool reads_as_qspy(const struct lane *lane) {
    return lane->stream->options.dialect == WF_DIALECT_QSPY;
}

static int judge_sizes(struct lane *lane, const struct wf_ledger *l) {
    char name[256];
    bool most = l->malformed && lengths_are_wrong(l);
    if (!most && l->malformed < MALFORMED_MIN) return EXIT_GOOD;
    int code = most && !reads_as_qspy(lane) ? EXIT_INPUT : EXIT_GOOD;
    if (!lane->hinted) lane->hinted = name_sizes(lane, l);
    if (lane->hinted || reads_as_qspy(lane)) return code;
    return complain(code,
                    "%s: %" PRIu64 " of %" PRIu64 " records do not have the length that the "
                    "sizes in force give; no other sizes fit them",
                    lane_name(lane, name), l->malformed, l->records);
}

static int judge(struct lane *lane) {
    const struct wf_ledger *l = wf_session_ledger(lane->session);
    const struct stream *s = lane->stream;
    char name[256];
    if (lane->slots && slots_judge(s->name, lane->slots) != EXIT_GOOD) return EXIT_INPUT;
    // In a file of a split the target may be known from the previous files, even if no record is
    // left.
    bool none = l->bytes && !l->records && !wf_session_target(lane->session)->known;
    if (!lane->slots && none) {
        return complain(EXIT_INPUT, "%s: not a QP/Spy trace: no good record in %" PRIu64 " bytes",
                        lane_name(lane, name), l->bytes);
    }
    if (s->strict && lane->slots && slots_lossy(wf_slots_get_ledger(lane->slots->slots))) {
        return complain(EXIT_LOSS, "%s: the trace is not whole (--strict)", lane_name(lane, name));
    }
    int code = judge_sizes(lane, l);
    if (code != EXIT_GOOD) return code;
    if (s->strict && (l->missing || l->bytes_bad || l->bytes_lost || l->malformed)) {
        return complain(EXIT_LOSS,
                        "%s: %" PRIu64 " records missing, %" PRIu64 " bytes damaged, %" PRIu64
                        " records malformed (--strict)",
                        lane_name(lane, name), l->missing, l->bytes_bad + l->bytes_lost,
                        l->malformed);
    }
    return EXIT_GOOD;
}

int stream_judge(struct stream *s) {
    int code = EXIT_GOOD;
    for (unsigned i = 0; i < s->lane_count && code == EXIT_GOOD; ++i) code = judge(s->lanes[i]);
    if (code == EXIT_GOOD && s->strict && (s->damaged || s->cut))
        code = complain(EXIT_LOSS, "%s: the recording is not whole (--strict)", s->name);
    return code;
}
