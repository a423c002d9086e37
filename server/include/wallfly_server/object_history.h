// SPDX-License-Identifier: MIT
// History of an object: its takes, gives, waits and refusals in the order of their begin. One
// reading of the trace writes them to a temporary file, from which a table reads any part; the last
// OBJECT_HISTORIES objects stay. Memory does not depend on the length of the trace.
#ifndef OBJECT_HISTORY_H
#define OBJECT_HISTORY_H

#include "wallfly_server/page_query.h"

enum {
    OBJECT_HISTORIES = 4,
    OBJECT_EVENTS = 20000000, // most events of an object
    OBJECT_ROWS = 500,        // most rows of an answer
};

struct object_histories;

struct object_histories *object_histories_open(void); // null when out of memory
void object_histories_close(struct object_histories *h);

// Request `object` (docs/page-protocol.md).
page_query_fn page_query_object;

#endif
