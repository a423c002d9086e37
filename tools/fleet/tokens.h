// SPDX-License-Identifier: MIT
// The tokens of uploads, of which the SHA-256 is known alone. A file has a line for each:
//
//   SHA256 [DEVICE]      64 hexadecimal digits; without a device, or with -, for all of the project
//
// so the line that `printf %s TOKEN | sha256sum` prints can stand in it. Empty lines and those that
// begin with # are left out.
#ifndef FLEET_TOKENS_H
#define FLEET_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"
#include "wallfly_host/wf_fleet_sql.h"

enum { TOKEN_SUM = 32 };

struct token {
    uint8_t sum[TOKEN_SUM];
    char device[WF_FLEET_DEVICE_MAX + 1]; // "": any
};

// Begins as zeros.
struct tokens {
    struct token *list;
    size_t count, cap;
};

// Takes the text of a file. Returns WF_OK, WF_ERR_USAGE with the line and what is wrong in it,
// WF_ERR_NOMEM.
int tokens_parse(struct tokens *t, const char *text, size_t len, struct wf_error *error);
// Whether a token is one for a device, or for some device (null). Takes the same time for all
// tokens of a length.
bool tokens_allow(const struct tokens *t, const char *token, const char *device);
void tokens_free(struct tokens *t);

#endif
