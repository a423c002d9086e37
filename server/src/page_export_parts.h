// SPDX-License-Identifier: MIT
// The parts of an exported page that need files of their own.
#ifndef PAGE_EXPORT_PARTS_H
#define PAGE_EXPORT_PARTS_H

#include "wallfly_server/page_export.h"

// (page_export_tiles.c, page_export_records.c) Return as page_export_put.
int page_export_put_tiles(struct page_export *k, char why[256]);
int page_export_put_records(struct page_export *k, char why[256]);
bool page_export_too_long(const struct page_export *k); // the output so far exceeds size_max

#endif
