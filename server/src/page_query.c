// SPDX-License-Identifier: MIT
// The table of queries, and the numbers in them. Queries of a page are untrusted input.

#include "wallfly_server/page_query.h"

#include <math.h>

const struct answer answers[] = {
    {"records", answer_records},
    {"record", answer_record},
    {"find", answer_find},
    {"stats", answer_stats},
    {"sequence", answer_sequence},
    {"machine", answer_machine},
    {NULL, NULL},
};

bool answer_number(const cJSON *ask, const char *name, int64_t least, int64_t most, int64_t *value,
                   char why[256]) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(ask, name);
    double number = cJSON_IsNumber(item) ? floor(item->valuedouble) : NAN;
    if (number >= (double)least && number <= (double)most) {
        *value = (int64_t)number;
        return true;
    }
    snprintf(why, 256, "'%s' is no number from %lld to %lld", name, (long long)least,
             (long long)most);
    return false;
}

// t may be negative.
uint64_t answer_tick(const struct answering *a, int64_t t) {
    uint64_t by = (uint64_t)-t;
    if (t < 0) return a->t0 > by ? a->t0 - by : 0;
    return a->t0 > UINT64_MAX - (uint64_t)t ? UINT64_MAX : a->t0 + (uint64_t)t;
}

bool answer_window(const struct answering *a, const cJSON *ask, uint64_t *from, uint64_t *until,
                   char why[256]) {
    enum { BITS = 53 }; // bits of an integer in a JSON number
    const int64_t most = INT64_C(1) << BITS;
    int64_t begin, end;
    if (!answer_number(ask, "from", -most, most, &begin, why) ||
        !answer_number(ask, "until", -most, most, &end, why))
        return false;
    *from = answer_tick(a, begin);
    *until = answer_tick(a, end);
    if (*from <= *until) return true;
    snprintf(why, 256, "'until' lies before 'from'");
    return false;
}
