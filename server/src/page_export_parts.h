// SPDX-License-Identifier: MIT
// The members of an exported page that are not answers: tiles and records.
#ifndef PAGE_EXPORT_PARTS_H
#define PAGE_EXPORT_PARTS_H

#include "wallfly_server/page_export.h"

// Each writes one member. Return as page_export_put.
int page_export_put_tiles(struct page_export *k, struct wf_error *error);
int page_export_put_records(struct page_export *k, struct wf_error *error);
// Returns whether the output so far exceeds size_max.
bool page_export_too_long(const struct page_export *k);

#endif
