// SPDX-License-Identifier: MIT
// The record table as JSON, on standard output.
#ifndef SCHEMA_JSON_H
#define SCHEMA_JSON_H

void schema_json(void);

#endif
