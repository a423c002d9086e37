// SPDX-License-Identifier: MIT
// The parts of an exported page that need files of their own.
#ifndef PAGE_EXPORT_PARTS_H
#define PAGE_EXPORT_PARTS_H

#include "wallfly_server/page_export.h"

// (page_export_tiles.c, page_export_records.c) Return as kept_put.
int kept_put_tiles(struct kept *k, char why[256]);
int kept_put_records(struct kept *k, char why[256]);
bool kept_too_long(const struct kept *k); // the output so far exceeds size_max

#endif
