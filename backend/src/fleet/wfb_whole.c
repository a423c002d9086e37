// SPDX-License-Identifier: MIT
// Traces that are one segment: a longer one may have other records at the same numbers, as a ring
// or a file that is sorted by time, so its rows take the place of all rows of the shorter one.

#include <stdlib.h>
#include <string.h>

#include "wallfly_host/wf_fleet_sql.h"
#include "wfb_loader.h"
#include "wfb_rows.h"

static int other_format(struct wf_error *error) {
    return wf_error_set(error, WF_ERR_READ,
                        "was loaded before with another format or description (--input, "
                        "--describe); --anew replaces that");
}

static bool is_same(const void *a, const void *b, size_t len) {
    return !len || memcmp(a, b, len) == 0;
}

// longer: set to whether the segment is longer than the stored one
static int compare(const struct wf_segment *stored, const struct wf_segment *segment, bool *longer,
                   struct wf_error *error) {
    const size_t len = stored->len < segment->len ? stored->len : segment->len;
    *longer = stored->len < segment->len;
    if (stored->state_len != segment->state_len ||
        !is_same(stored->state, segment->state, stored->state_len))
        return other_format(error);
    return is_same(stored->bytes, segment->bytes, len) ? WF_OK
                                                       : wfb_known_differs(segment->offset, error);
}

int wfb_whole_compare(struct wf_loader *l, size_t known, const struct wf_segment *segment,
                      struct wf_error *error) {
    char device[2 * WF_FLEET_DEVICE_MAX + 3];
    const struct wfb_known *k = &l->known[known];
    struct wfb_rows rows;
    struct wfb_row row = {.breaks = NULL};
    bool longer = false;
    if (!k->stored_count) return WF_OK;
    int err = wf_loader_flush(l, error); // its rows may be in the batch
    wf_fleet_quote(k->device, device, sizeof device);
    const struct wfb_rows_of of = {l->project, device, k->stream};
    if (err == WF_OK)
        err = wfb_rows_ask(l->o.engine, &of, segment->offset, segment->offset, &rows, error);
    if (err != WF_OK) return wfb_loader_fail(l, error);
    if (rows.at == rows.end) return WF_OK; // at another offset; or dropped meanwhile
    err = wf_error_code(error, wfb_rows_next(&rows, &row));
    err = err == WF_OK ? compare(&row.segment, segment, &longer, error) : wfb_loader_fail(l, error);
    free(row.breaks);
    return err == WF_OK && longer ? wfb_known_delete(l, known, error) : err;
}
