// SPDX-License-Identifier: MIT
// Commands that pages send to the target, one after the other: each is sent when the previous one
// has its answer or has timed out.
#ifndef PAGE_COMMANDS_H
#define PAGE_COMMANDS_H

#include <uv.h>

#include "wallfly_host/wf_command.h"

struct page_commands;

typedef int page_send_fn(void *ctx, const struct wf_frame *frame); // as wf_hub_send
// end: as in docs/page-protocol.md
typedef void page_result_fn(void *ctx, const char *command, const char *end, const char *text);

// Returns null when out of memory. keep: restore the filters after the target resets.
struct page_commands *page_commands_open(uv_loop_t *loop, struct wf_session *s, page_send_fn *send,
                                         page_result_fn *result, void *ctx, bool keep);
void page_commands_close(struct page_commands *c); // may be null; frees itself as the loop runs

void page_commands_up(struct page_commands *c, bool up);
void page_commands_item(struct page_commands *c, const struct wf_item *item); // for each item
// Queues a line of one or several commands, as for `wallfly send`.
void page_commands_take(struct page_commands *c, const char *line);

#endif
