// SPDX-License-Identifier: MIT
// Commands that pages send to the target, one after the other, each when the one before has its
// answer or had its time.
#ifndef PAGE_COMMANDS_H
#define PAGE_COMMANDS_H

#include <uv.h>

#include "wallfly_host/wf_command.h"

struct page_commands;

typedef int page_send_fn(void *ctx, const struct wf_frame *frame); // as wf_hub_send
// end: as in docs/page-protocol.md
typedef void page_result_fn(void *ctx, const char *command, const char *end, const char *text);

// Null when out of memory. keep: filters are set again after a reset of the target.
struct page_commands *page_commands_open(uv_loop_t *loop, struct wf_session *s, page_send_fn *send,
                                         page_result_fn *result, void *ctx, bool keep);
void page_commands_close(struct page_commands *c); // may be null; frees itself as the loop goes on

void page_commands_up(struct page_commands *c, bool up);
void page_commands_item(struct page_commands *c, const struct wf_item *item); // each
// A line of one or several commands, as `wallfly send` takes it.
void page_commands_take(struct page_commands *c, const char *line);

#endif
