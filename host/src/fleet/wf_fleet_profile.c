// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_fleet_profile.h"

#include <stdio.h>
#include <string.h>

static const struct wf_fleet_profile stream = {.kind = WF_FLEET_PROFILE_STREAM},
                                     box = {.kind = WF_FLEET_PROFILE_BOX};

static bool is_word(const char *text, size_t len, const char *word) {
    return len == strlen(word) && memcmp(text, word, len) == 0;
}

// Takes a number from 1 to the longest period. Returns false if there is none.
static bool take_number(const char **at, const char *end, uint32_t *number) {
    const char *begin = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        *number = *number * 10 + (uint32_t)(**at - '0');
        if (*number > WF_FLEET_PROFILE_PERIOD_MAX) return false;
    }
    return *at > begin && *begin != '0';
}

static bool parse_stats(const char *text, size_t len, struct wf_fleet_profile *p) {
    static const char word[] = "stats=";
    const size_t begin = sizeof word - 1;
    *p = (struct wf_fleet_profile){.kind = WF_FLEET_PROFILE_STATS};
    if (len <= begin || !is_word(text, begin, word)) return false;
    const char *at = text + begin, *end = text + len;
    return take_number(&at, end, &p->seconds) && at < end && *at++ == '/' &&
           take_number(&at, end, &p->period) && at == end && p->seconds < p->period;
}

int wf_fleet_profile_parse(const char *text, size_t len, struct wf_fleet_profile *profile,
                           struct wf_error *error) {
    struct wf_fleet_profile stats;
    if (is_word(text, len, "stream"))
        *profile = stream;
    else if (is_word(text, len, "box"))
        *profile = box;
    else if (parse_stats(text, len, &stats))
        *profile = stats;
    else
        return wf_error_set(error, WF_ERR_USAGE,
                            "'%.*s' is not stream, box or stats=SECONDS/PERIOD with 1 <= SECONDS < "
                            "PERIOD <= %d",
                            (int)(len < 40 ? len : 40), len ? text : "",
                            WF_FLEET_PROFILE_PERIOD_MAX);
    return wf_error_code(error, WF_OK);
}

void wf_fleet_profile_print(const struct wf_fleet_profile *profile,
                            char text[WF_FLEET_PROFILE_MAX]) {
    if (profile->kind == WF_FLEET_PROFILE_STATS)
        snprintf(text, WF_FLEET_PROFILE_MAX, "stats=%u/%u",
                 (unsigned)profile->seconds % (WF_FLEET_PROFILE_PERIOD_MAX + 1),
                 (unsigned)profile->period % (WF_FLEET_PROFILE_PERIOD_MAX + 1));
    else
        snprintf(text, WF_FLEET_PROFILE_MAX, "%s",
                 profile->kind == WF_FLEET_PROFILE_BOX ? "box" : "stream");
}

bool wf_fleet_profile_is(const struct wf_fleet_profile *a, const struct wf_fleet_profile *b) {
    return a->kind == b->kind && a->seconds == b->seconds && a->period == b->period;
}

bool wf_fleet_profile_is_open(const struct wf_fleet_profile *profile, uint64_t now_s,
                              uint64_t shift_s) {
    const uint64_t period = profile->period;
    if (profile->kind != WF_FLEET_PROFILE_STATS) return profile->kind == WF_FLEET_PROFILE_STREAM;
    return (now_s % period + shift_s % period) % period < profile->seconds;
}
