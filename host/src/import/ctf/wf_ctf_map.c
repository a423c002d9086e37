// SPDX-License-Identifier: MIT
// Reads mappings: sections [trace] and [event NAME] with lines `key = value`. A value is a number,
// a text in quotation marks, or the name of a field.

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "util/wfi_grow.h"
#include "wfi_ctf.h"

enum { ACTIONS_MAX = 4096, REASONS_MAX = 65536 };

static const struct {
    const char *name;
    uint32_t required;
} roles[] = {
#define WF_X(name, required) {#name, required},
    CTF_ROLES(WF_X)
#undef WF_X
};

static const char *const params[] = {
#define WF_X(name) #name,
    CTF_PARAMS(WF_X)
#undef WF_X
};

// ---- slices

bool wfi_ctf_slice_is(struct ctf_slice s, const char *text, size_t len) {
    return s.text && s.len == len && memcmp(s.text, text, len) == 0;
}

static bool is_word(struct ctf_slice s, const char *word) {
    return wfi_ctf_slice_is(s, word, strlen(word));
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct ctf_slice trim(const char *text, const char *end) {
    while (text < end && is_blank(*text)) ++text;
    while (end > text && is_blank(end[-1])) --end;
    return (struct ctf_slice){text, (size_t)(end - text)};
}

struct ctf_slice wfi_ctf_next_item(struct ctf_slice *list) {
    if (!list->text || !list->len) return (struct ctf_slice){NULL, 0};
    const char *end = list->text + list->len, *comma = memchr(list->text, ',', list->len);
    struct ctf_slice item = trim(list->text, comma ? comma : end);
    if (comma)
        *list = (struct ctf_slice){comma + 1, (size_t)(end - comma - 1)};
    else
        list->len = 0;
    return item;
}

static bool parse_number(struct ctf_slice s, int64_t *number) {
    char text[32], *end;
    if (!s.len || s.len >= sizeof text) return false;
    memcpy(text, s.text, s.len);
    text[s.len] = 0;
    *number = text[0] == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
    return !*end && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
}

bool wfi_ctf_find_reason(struct ctf_slice word, uint8_t *reason) {
    for (unsigned i = 0; i < wf_reason_count; ++i) {
        if (!wf_reasons[i].name || !is_word(word, wf_reasons[i].name)) continue;
        *reason = (uint8_t)i;
        return true;
    }
    return false;
}

// ---- values

struct parser {
    struct ctf_map *map;
    struct ctf_map_fault *fault;
    struct ctf_action *action; // null: in [trace], or before the first section
    bool in_trace;
};

static bool set_fault(struct parser *p, const char *what, struct ctf_slice s) {
    snprintf(p->fault->text, sizeof p->fault->text, "%s '%.*s'", what,
             (int)(s.len < 60 ? s.len : 60), s.text ? s.text : "");
    return false;
}

static bool set_no_memory(struct parser *p) {
    p->fault->no_memory = true;
    return false;
}

static bool parse_param(struct parser *p, struct ctf_slice value, struct ctf_param *param) {
    *param = (struct ctf_param){CTF_FIELD, value, 0};
    if (!value.len) return set_fault(p, "there is no value for", value);
    if (value.text[0] == '"') {
        if (value.len < 2 || value.text[value.len - 1] != '"')
            return set_fault(p, "the text has no end:", value);
        param->kind = CTF_TEXT;
        param->text = (struct ctf_slice){value.text + 1, value.len - 2};
    } else if (parse_number(value, &param->number)) {
        param->kind = CTF_NUMBER;
    }
    return true;
}

// A record of tasks and objects of an RTOS; a switch is the role `run`.
static bool find_row(struct ctf_slice name, enum wfi_row *row) {
    for (unsigned i = 0; i < wf_row_count; ++i) {
        if (wf_rows[i].group < WF_GROUP_TASK || i == WFI_ROW_task_switch) continue;
        if (!is_word(name, wf_rows[i].name)) continue;
        *row = (enum wfi_row)i;
        return true;
    }
    return false;
}

static bool parse_role(struct parser *p, struct ctf_slice value) {
    struct ctf_action *a = p->action;
    for (unsigned i = 0; i < CTF_ROLE_RECORD; ++i) {
        if (!is_word(value, roles[i].name)) continue;
        a->role = (enum ctf_role)i;
        return true;
    }
    if (!find_row(value, &a->row)) return set_fault(p, "there is no role", value);
    a->role = CTF_ROLE_RECORD;
    return true;
}

// A reason for each value of the field: 0:preempted, 1:blocked, or words of its enumeration.
static bool parse_reasons(struct parser *p, struct ctf_slice list) {
    struct ctf_map *m = p->map;
    p->action->reasons = m->reason_count;
    for (struct ctf_slice item; (item = wfi_ctf_next_item(&list)).text;) {
        struct ctf_reason r = {.is_number = false};
        const char *colon = item.len ? memchr(item.text, ':', item.len) : NULL;
        if (!colon) return set_fault(p, "not VALUE:REASON:", item);
        r.word = trim(item.text, colon);
        r.is_number = parse_number(r.word, &r.number);
        if (!wfi_ctf_find_reason(trim(colon + 1, item.text + item.len), &r.reason))
            return set_fault(p, "there is no reason as in", item);
        if (m->reason_count == REASONS_MAX) return set_fault(p, "too many reasons:", item);
        if (!WFI_GROW(m->reasons, &m->reason_cap, m->reason_count + 1)) return set_no_memory(p);
        m->reasons[m->reason_count++] = r;
        ++p->action->reason_count;
    }
    return true;
}

static bool parse_when(struct parser *p, struct ctf_slice value) {
    const char *colon = value.len ? memchr(value.text, ':', value.len) : NULL;
    if (!colon || !parse_number(trim(colon + 1, value.text + value.len), &p->action->equals))
        return set_fault(p, "not FIELD:NUMBER:", value);
    p->action->when = trim(value.text, colon);
    return true;
}

// A reason's own word is that reason, everything else is a field.
static bool parse_reason(struct ctf_slice value, struct ctf_param *param) {
    uint8_t reason;
    if (!wfi_ctf_find_reason(value, &reason)) return false;
    *param = (struct ctf_param){CTF_NUMBER, value, reason};
    return true;
}

static bool parse_of_event(struct parser *p, struct ctf_slice key, struct ctf_slice value) {
    if (is_word(key, "role")) return parse_role(p, value);
    if (is_word(key, "reasons")) return parse_reasons(p, value);
    if (is_word(key, "when")) return parse_when(p, value);
    if (is_word(key, "fields")) {
        p->action->fields = value;
        return true;
    }
    for (unsigned i = 0; i < CTF_PARAM_END; ++i) {
        if (!is_word(key, params[i])) continue;
        if (i == CTF_P_reason && parse_reason(value, &p->action->param[i])) return true;
        return parse_param(p, value, &p->action->param[i]);
    }
    return set_fault(p, "there is no", key);
}

static bool parse_losses(struct parser *p, struct ctf_slice value) {
    static const char *const words[] = {"anywhere", "before", "after"};
    for (unsigned i = 0; i < 3; ++i) {
        if (!is_word(value, words[i])) continue;
        p->map->losses = (enum ctf_losses)i;
        return true;
    }
    return set_fault(p, "losses are anywhere, before or after, not", value);
}

static bool parse_of_trace(struct parser *p, struct ctf_slice key, struct ctf_slice value) {
    struct ctf_map *m = p->map;
    struct ctf_slice *to = is_word(key, "tracer")      ? &m->tracer
                           : is_word(key, "events")    ? &m->events
                           : is_word(key, "cpu")       ? &m->cpu
                           : is_word(key, "task")      ? &m->task
                           : is_word(key, "task_name") ? &m->task_name
                                                       : NULL;
    if (is_word(key, "losses")) return parse_losses(p, value);
    if (!to) return set_fault(p, "there is no", key);
    *to = value;
    return true;
}

// ---- sections

static bool is_absent(const struct ctf_action *a, enum ctf_param_name param) {
    return a->param[param].kind == CTF_ABSENT;
}

// The parameter that gives a field of a record.
static int param_of(const struct ctf_action *a, const struct wf_field *f) {
    if (f->kind == WF_KIND_TASK) return CTF_P_key;
    if (f->kind == WF_KIND_OBJECT) return is_absent(a, CTF_P_object) ? CTF_P_key : CTF_P_object;
    for (int i = 0; i < CTF_PARAM_END; ++i) {
        if (strcmp(params[i], f->name) == 0) return i;
    }
    return -1;
}

static bool is_filled_in(const struct wf_field *f) {
    return f->kind == WF_KIND_STAMP || f->type == WF_TYPE_WHICH || f->type == WF_TYPE_CORE ||
           f->kind == WF_KIND_ACTOR;
}

int wfi_ctf_record_param(const struct ctf_action *a, unsigned field) {
    const struct wf_field *f = &wf_rows[a->row].fields[field];
    return is_filled_in(f) ? -1 : param_of(a, f);
}

uint32_t wfi_ctf_role_required(const struct ctf_action *a) {
    uint32_t required = 0;
    if (a->role != CTF_ROLE_RECORD) return roles[a->role].required;
    for (unsigned i = 0; i < wf_rows[a->row].count; ++i) {
        int param = wfi_ctf_record_param(a, i);
        if (param >= 0) required |= 1u << param;
    }
    return required;
}

// Records with a field that no parameter gives cannot be made.
static bool check_row(struct parser *p, const struct ctf_action *a) {
    const struct wf_row *row = &wf_rows[a->row];
    for (unsigned i = 0; i < row->count; ++i) {
        if (!is_filled_in(&row->fields[i]) && param_of(a, &row->fields[i]) < 0)
            return set_fault(p, "no event can be",
                             (struct ctf_slice){row->name, strlen(row->name)});
    }
    return true;
}

static bool end_section(struct parser *p) {
    const struct ctf_action *a = p->action;
    p->action = NULL;
    if (!a) return true;
    p->fault->line = a->line;
    if (a->role == CTF_ROLE_RECORD && !check_row(p, a)) return false;
    uint32_t required = wfi_ctf_role_required(a);
    for (unsigned i = 0; i < CTF_PARAM_END; ++i) {
        if (required >> i & 1 && is_absent(a, (enum ctf_param_name)i))
            return set_fault(p, "the event needs",
                             (struct ctf_slice){params[i], strlen(params[i])});
    }
    return true;
}

static bool begin_section(struct parser *p, struct ctf_slice line, unsigned number) {
    static const char event[] = "event ";
    struct ctf_map *m = p->map;
    if (!end_section(p)) return false;
    p->fault->line = number;
    if (line.text[line.len - 1] != ']') return set_fault(p, "the section has no end:", line);
    struct ctf_slice name = trim(line.text + 1, line.text + line.len - 1);
    p->in_trace = is_word(name, "trace");
    if (p->in_trace) return true;
    if (name.len <= sizeof event - 1 || memcmp(name.text, event, sizeof event - 1) != 0)
        return set_fault(p, "sections are [trace] and [event NAME], not", line);
    if (m->count == ACTIONS_MAX) return set_fault(p, "too many events:", line);
    if (!WFI_GROW(m->actions, &m->cap, m->count + 1)) return set_no_memory(p);
    p->action = &m->actions[m->count++];
    *p->action = (struct ctf_action){.line = number};
    p->action->event = trim(name.text + sizeof event - 1, name.text + name.len);
    return true;
}

static bool parse_line(struct parser *p, struct ctf_slice line, unsigned number) {
    if (!line.len || line.text[0] == '#' || line.text[0] == ';') return true;
    if (line.text[0] == '[') return begin_section(p, line, number);
    p->fault->line = number;
    const char *equals = memchr(line.text, '=', line.len);
    if (!equals) return set_fault(p, "not KEY = VALUE:", line);
    struct ctf_slice key = trim(line.text, equals), value = trim(equals + 1, line.text + line.len);
    if (p->action) return parse_of_event(p, key, value);
    if (p->in_trace) return parse_of_trace(p, key, value);
    return set_fault(p, "a section must come before", line);
}

// Calls for each line until one is not good.
static bool each_line(struct parser *p, const char *text, size_t len, bool head_only) {
    const char *end = text + len;
    for (unsigned number = 1; text < end; ++number) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        struct ctf_slice line = trim(text, feed ? feed : end);
        if (head_only && line.len > 6 && memcmp(line.text, "[event", 6) == 0) return true;
        if (!parse_line(p, line, number)) return false;
        text = feed ? feed + 1 : end;
    }
    return true;
}

bool wfi_ctf_map_parse(struct ctf_map *map, const char *text, size_t len,
                       struct ctf_map_fault *fault) {
    struct parser p = {.map = map, .fault = fault};
    *fault = (struct ctf_map_fault){.line = 0};
    return each_line(&p, text, len, false) && end_section(&p);
}

void wfi_ctf_map_peek(const char *text, size_t len, struct ctf_map *map) {
    struct ctf_map_fault fault;
    struct parser p = {.map = map, .fault = &fault};
    each_line(&p, text, len, true);
}

void wfi_ctf_map_free(struct ctf_map *map) {
    free(map->actions);
    free(map->reasons);
    *map = (struct ctf_map){.count = 0};
}
