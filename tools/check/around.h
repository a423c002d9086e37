// SPDX-License-Identifier: MIT
// Lines of records, as `wallfly print` shows them, for the places of failures. A file is read again
// for those that are wanted; of a source that cannot be read again all lines are kept in temporary
// files.
#ifndef CHECK_AROUND_H
#define CHECK_AROUND_H

#include "../stream.h"

enum { AROUND = 2 }; // before a record, and after it

struct around;

// all: keep each line. Returns null after an error message.
struct around *around_open(bool all, bool target_clock);
void around_close(struct around *l);
// Wants the lines around a record (its number in the lane, from 1). Returns false when out of
// memory. Call before the first item.
bool around_want(struct around *l, unsigned lane, uint64_t record);
bool around_is_wanted(const struct around *l); // any
// Takes an item of a lane. Returns false when no more are needed.
bool around_item(struct around *l, const struct lane *lane, const struct wf_item *item);
// Returns the line of a record without its end, valid until the next call; null: there is none.
const char *around_get(struct around *l, unsigned lane, uint64_t record);
// Returns WF_OK, WF_ERR_NOMEM, WF_ERR_WRITE.
int around_error(const struct around *l);

#endif
