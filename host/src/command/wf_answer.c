// SPDX-License-Identifier: MIT
// Recognizes the record that answers a command, and describes it.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wfi_command.h"

enum { BAD_SUM = 41, GAP = 42, UNKNOWN = 43, STATE = 45, CUT = 47, DROPPED = 50 };

static const char *describe_protocol_error(uint8_t code) {
    switch (code) {
    case BAD_SUM: return "the command arrived damaged: its checksum is wrong";
    case UNKNOWN: return "the target does not know this command";
    case STATE: return "the target's receiver lost its way";
    case CUT: return "the command ended before all of its fields were there";
    case DROPPED: return "the target dropped the command";
    default: return NULL;
    }
}

// Commands that only some builds of a target have.
static const char *describe_missing_command(uint8_t record) {
    switch (record) {
    case WF_COMMAND_PEEK:
    case WF_COMMAND_POKE:
    case WF_COMMAND_FILL: return ": memory is out of reach unless it is built with WF_CFG_PEEK";
    case WF_COMMAND_TEST_SETUP:
    case WF_COMMAND_TEST_TEARDOWN:
    case WF_COMMAND_TEST_PROBE:
    case WF_COMMAND_TEST_CONTINUE: return ": it is no test build";
    default: return "";
    }
}

// These commands send a record when they have succeeded.
static bool needs_done(uint8_t record) {
    return record == WF_COMMAND_COMMAND || record == WF_COMMAND_TICK || record == WF_COMMAND_EVENT;
}

static bool has_data(uint8_t record) {
    return record == WF_COMMAND_PEEK || record == WF_COMMAND_QUERY_CURR;
}

void wf_answer_begin(struct wf_answer *a, const struct wf_session *s,
                     const struct wf_command_row *row, const struct wf_frame *frame) {
    memset(a, 0, sizeof *a);
    a->record = frame->record;
    a->name = row->name;
    a->refused = row->record == frame->record ? row->refused : "no such object";
    a->resets = wf_session_target(s)->resets;
    snprintf(a->text, sizeof a->text, "no answer");
}

static enum wf_answer_state finish_answer(struct wf_answer *a, enum wf_answer_state state,
                                          const char *text) {
    a->state = state;
    if (text) snprintf(a->text, sizeof a->text, "%s", text);
    return state;
}

static enum wf_answer_state take_status(struct wf_answer *a, uint8_t code) {
    uint8_t error = code & 0x7F;
    if (code == a->record) {
        a->acked = true;
        snprintf(a->text, sizeof a->text, "acknowledged, but not done");
        bool more = needs_done(code) || has_data(code) || code == WF_COMMAND_RESET;
        return more ? WF_ANSWER_WAITING : finish_answer(a, WF_ANSWER_GOOD, "acknowledged");
    }
    if (code < 0x80) return WF_ANSWER_WAITING; // of another sender
    if (error == GAP) {
        a->gap = true;
        return WF_ANSWER_WAITING;
    }
    a->error = error;
    if (error == a->record) {
        snprintf(a->text, sizeof a->text, "refused%s%s", *a->refused ? ": " : "", a->refused);
        return finish_answer(a, WF_ANSWER_REFUSED, NULL);
    }
    const char *words = describe_protocol_error(error);
    if (!words) return WF_ANSWER_WAITING;
    snprintf(a->text, sizeof a->text, "%s (error %u)%s", words, error,
             error == UNKNOWN ? describe_missing_command(a->record) : "");
    // Code 50 follows a bad checksum.
    return error == BAD_SUM ? WF_ANSWER_WAITING : finish_answer(a, WF_ANSWER_REFUSED, NULL);
}

void wf_target_text(const struct wf_target *t, char *text, size_t cap) {
    const uint8_t *b = t->built;
    int len = snprintf(text, cap, "QS %u.%u.%u, %s-endian, sizes", t->version / 100,
                       t->version / 10 % 10, t->version % 10, t->big_endian ? "big" : "little");
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (wf_types[i].letter && (size_t)len < cap)
            len +=
                snprintf(text + len, cap - (size_t)len, " %c%u", wf_types[i].letter, t->bytes[i]);
    }
    if (b[5] && (size_t)len < cap)
        snprintf(text + len, cap - (size_t)len, ", built 20%02u-%02u-%02u %02u:%02u:%02u", b[5],
                 b[4], b[3], b[2], b[1], b[0]);
}

static enum wf_answer_state take_target_info(struct wf_answer *a, const struct wf_session *s) {
    const struct wf_target *t = wf_session_target(s);
    if (a->record == WF_COMMAND_RESET && t->resets != a->resets)
        return finish_answer(a, WF_ANSWER_GOOD, "the target has started anew");
    if (a->record != WF_COMMAND_INFO) return WF_ANSWER_WAITING;
    wf_target_text(t, a->text, sizeof a->text);
    return finish_answer(a, WF_ANSWER_GOOD, NULL);
}

static void copy_data(struct wf_answer *a, const struct wf_record *r) {
    int num = wf_row_place(r->row, WF_KIND_NUM), size = wf_row_place(r->row, WF_KIND_SIZE);
    a->row = r->row;
    memcpy(a->value, r->value, sizeof a->value);
    if (num < 0 || size < 0) return;
    size_t bytes = (size_t)r->value[size], count = (size_t)r->value[num];
    if (!bytes || bytes > 4 || count > 255 || count * bytes > r->len) return;
    const uint8_t *p = r->payload + r->len - count * bytes;
    for (; a->item_count < count; p += bytes)
        a->item[a->item_count++] = (uint32_t)wfi_load(p, (unsigned)bytes);
}

bool wf_answer_field(const struct wf_answer *a, struct wf_session *s, unsigned field, char *text,
                     size_t cap) {
    uint64_t value = a->value[field];
    int object = wf_row_place(a->row, WF_KIND_OBJECT);
    bool function = false;
    *text = 0;
    switch (a->row->fields[field].kind) {
    case WF_KIND_OBJECT:
    case WF_KIND_TIMER: break;
    case WF_KIND_STATE:
    case WF_KIND_FUNCTION: function = true; break;
    case WF_KIND_SIGNAL: {
        const struct wfi_name *sig =
            wfi_signal_get(&s->names, value, object < 0 ? 0 : a->value[object]);
        snprintf(text, cap, "%s", sig && value ? sig->text : "");
        return sig && value;
    }
    default: return false;
    }
    const struct wfi_name *name =
        function ? wfi_function_name(s, value) : wfi_object_name(s, value);
    if (!value || name)
        snprintf(text, cap, "%s", value ? name->text : "none");
    else
        snprintf(text, cap, "0x%0*" PRIX64,
                 2 * wf_session_target(s)->bytes[function ? WF_TYPE_FUN : WF_TYPE_OBJ], value);
    return true;
}

static void append_items(struct wf_answer *a, unsigned digits) {
    size_t len = strlen(a->text);
    for (unsigned i = 0; i < a->item_count && len < sizeof a->text; ++i) {
        len += (size_t)snprintf(a->text + len, sizeof a->text - len, " 0x%0*" PRIX32, (int)digits,
                                a->item[i]);
    }
}

static void describe_data(struct wf_answer *a, struct wf_session *s) {
    size_t len = 0;
    const char *between = "";
    int size = wf_row_place(a->row, WF_KIND_SIZE);
    a->text[0] = 0;
    for (unsigned i = 0; i < a->row->count && len < sizeof a->text; ++i) {
        const struct wf_field *f = &a->row->fields[i];
        char text[300];
        bool hidden = f->kind == WF_KIND_STAMP || f->kind == WF_KIND_SELECT ||
                      f->kind == WF_KIND_SIZE || f->kind == WF_KIND_NUM || f->type == WF_TYPE_ITEMS;
        if (hidden) continue;
        if (!wf_answer_field(a, s, i, text, sizeof text))
            snprintf(text, sizeof text, f->kind == WF_KIND_FLAGS ? "0x%02" PRIX64 : "%" PRIu64,
                     a->value[i]);
        len += (size_t)snprintf(a->text + len, sizeof a->text - len, "%s%s %s", between, f->name,
                                text);
        between = ", ";
    }
    if (size < 0) return;
    len = strlen(a->text);
    snprintf(a->text + len, sizeof a->text - len, ":");
    append_items(a, 2 * (unsigned)a->value[size]);
}

// The command that a record with data answers. Only peeks and queries have such a record.
static uint8_t command_of_data(const struct wf_row *row) {
    if (wf_row_place(row, WF_KIND_NUM) >= 0) return WF_COMMAND_PEEK;
    return wf_row_place(row, WF_KIND_SELECT) >= 0 ? WF_COMMAND_QUERY_CURR : UINT8_MAX;
}

enum wf_answer_state wf_answer_take(struct wf_answer *a, struct wf_session *s,
                                    const struct wf_item *item) {
    const struct wf_record *r = &item->record;
    if (a->state != WF_ANSWER_WAITING || item->kind != WF_ITEM_RECORD) return a->state;
    if (!r->row || r->left || r->missing) return a->state;
    if (r->row->effect == WF_EFFECT_TARGET_INFO) return take_target_info(a, s);
    if (r->row->effect != WF_EFFECT_ANSWER) return a->state;
    int code = wf_row_place(r->row, WF_KIND_STATUS), done = wf_row_place(r->row, WF_KIND_COMMAND);
    if (code >= 0) return take_status(a, (uint8_t)r->value[code]);
    if (done >= 0) {
        bool mine = r->value[done] == a->record && needs_done(a->record);
        return mine ? finish_answer(a, WF_ANSWER_GOOD, "done") : WF_ANSWER_WAITING;
    }
    if (!has_data(a->record) || command_of_data(r->row) != a->record) return a->state;
    copy_data(a, r);
    describe_data(a, s);
    return finish_answer(a, WF_ANSWER_GOOD, NULL);
}

enum wf_answer_state wf_answer_down(struct wf_answer *a) {
    if (a->state != WF_ANSWER_WAITING) return a->state;
    if (a->record == WF_COMMAND_RESET)
        return finish_answer(a, WF_ANSWER_GOOD,
                             "the target has gone, as a program does that is reset");
    return finish_answer(a, WF_ANSWER_REFUSED, "the target has gone");
}
