// SPDX-License-Identifier: MIT
// The table of queries, and the numbers in them. Queries of a page are untrusted input.

#include "wallfly_server/page_search.h"

#include <math.h>

#include "wallfly_server/object_history.h"
#include "wallfly_server/sql_console.h"

const struct page_query page_queries[] = {
    {"records", page_query_records, false},
    {"record", page_query_record, false},
    {"find", page_query_find, false},
    {"search", page_query_search, false},
    {"hits", page_query_hits, false},
    {"stats", page_query_stats, false},
    {"sequence", page_query_sequence, false},
    {"machine", page_query_machine, false},
    {"object", page_query_object, true},
    {"sql", page_query_sql, true},
    {"distribution", page_query_distribution, true},
    {"intervals", page_query_intervals, true},
    {"explain", page_query_explain, true},
    {"export", page_query_export, true},
    {"pairs", page_query_pairs, true},
    {NULL, NULL, false},
};

bool page_query_number(const cJSON *ask, const char *name, int64_t least, int64_t most,
                       int64_t *value, struct wf_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(ask, name);
    double number = cJSON_IsNumber(item) ? floor(item->valuedouble) : NAN;
    if (number >= (double)least && number <= (double)most) {
        *value = (int64_t)number;
        return true;
    }
    wf_error_set(error, WF_ERR_USAGE, "'%s' is not a number from %lld to %lld", name,
                 (long long)least, (long long)most);
    return false;
}

// t may be negative.
uint64_t page_query_tick(const struct page_query_context *a, int64_t t) {
    uint64_t by = (uint64_t)-t;
    if (t < 0) return a->t0 > by ? a->t0 - by : 0;
    return a->t0 > UINT64_MAX - (uint64_t)t ? UINT64_MAX : a->t0 + (uint64_t)t;
}

bool page_query_window(const struct page_query_context *a, const cJSON *ask, uint64_t *from,
                       uint64_t *until, struct wf_error *error) {
    enum { BITS = 53 }; // bits of an integer in a JSON number
    const int64_t most = INT64_C(1) << BITS;
    int64_t begin, end;
    if (!page_query_number(ask, "from", -most, most, &begin, error) ||
        !page_query_number(ask, "until", -most, most, &end, error))
        return false;
    *from = page_query_tick(a, begin);
    *until = page_query_tick(a, end);
    if (*from <= *until) return true;
    wf_error_set(error, WF_ERR_USAGE, "'until' lies before 'from'");
    return false;
}
