// SPDX-License-Identifier: MIT
// The meaning of events and fields, by their names.

#include <string.h>

#include "wfi_zephyr.h"

static const struct {
    const char *name;
    enum wfi_zephyr_meaning meaning;
} names[] = {
    {"thread_switched_out", ZEPHYR_SWITCHED_OUT},
    {"thread_switched_in", ZEPHYR_SWITCHED_IN},
    {"thread_priority_set", ZEPHYR_PRIORITY_SET},
    {"thread_create", ZEPHYR_CREATE},
    {"thread_abort", ZEPHYR_ABORT},
    {"thread_suspend", ZEPHYR_SUSPEND},
    {"thread_resume", ZEPHYR_RESUME},
    {"thread_ready", ZEPHYR_READY},
    {"thread_pending", ZEPHYR_PENDING},
    {"thread_name_set", ZEPHYR_NAME_SET},
    {"thread_info", ZEPHYR_INFO},
    {"thread_yield", ZEPHYR_YIELD},
    {"isr_enter", ZEPHYR_ISR_ENTER},
    {"isr_exit", ZEPHYR_ISR_EXIT},
    {"isr_exit_to_scheduler", ZEPHYR_ISR_EXIT},
    {"idle", ZEPHYR_IDLE},
    {"named_event", ZEPHYR_NAMED_EVENT},
    {"start_call", ZEPHYR_START_CALL},
    {"end_call", ZEPHYR_END_CALL},
    {"mutex_init", ZEPHYR_MUTEX_INIT},
    {"mutex_lock_blocking", ZEPHYR_MUTEX_BLOCKING},
    {"mutex_lock_exit", ZEPHYR_MUTEX_LOCK_EXIT},
    {"mutex_unlock_enter", ZEPHYR_MUTEX_UNLOCK_ENTER},
    {"mutex_unlock_exit", ZEPHYR_MUTEX_UNLOCK_EXIT},
    {"semaphore_init", ZEPHYR_SEMA_INIT},
    {"semaphore_reset", ZEPHYR_SEMA_RESET},
    {"semaphore_give_enter", ZEPHYR_SEMA_GIVE_ENTER},
    {"semaphore_give_exit", ZEPHYR_SEMA_GIVE_EXIT},
    {"semaphore_take_blocking", ZEPHYR_SEMA_BLOCKING},
    {"semaphore_take_exit", ZEPHYR_SEMA_TAKE_EXIT},
    {"sleep_enter", ZEPHYR_SLEEP_ENTER},
    {"sleep_exit", ZEPHYR_SLEEP_EXIT},
    {"msleep_enter", ZEPHYR_SLEEP_ENTER},
    {"msleep_exit", ZEPHYR_SLEEP_EXIT},
    {"usleep_enter", ZEPHYR_SLEEP_ENTER},
    {"usleep_exit", ZEPHYR_SLEEP_EXIT},
    {"thread_sleep_enter", ZEPHYR_SLEEP_ENTER},
    {"thread_sleep_exit", ZEPHYR_SLEEP_EXIT},
    {"thread_msleep_enter", ZEPHYR_SLEEP_ENTER},
    {"thread_msleep_exit", ZEPHYR_SLEEP_EXIT},
    {"thread_usleep_enter", ZEPHYR_SLEEP_ENTER},
    {"thread_usleep_exit", ZEPHYR_SLEEP_EXIT},
};

enum wfi_zephyr_meaning wfi_zephyr_meaning_of(const char *name) {
    // Some releases name events like the functions.
    if (strncmp(name, "k_", 2) == 0) name += 2;
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(name, names[i].name) == 0) return names[i].meaning;
    }
    return ZEPHYR_OTHER;
}

static bool needs(enum wfi_zephyr_meaning meaning, enum wfi_zephyr_role role) {
    switch (role) {
    case ZEPHYR_THREAD: return meaning >= ZEPHYR_SWITCHED_OUT && meaning <= ZEPHYR_INFO;
    case ZEPHYR_PRIO: return meaning == ZEPHYR_PRIORITY_SET;
    case ZEPHYR_NAME: return meaning == ZEPHYR_NAMED_EVENT;
    case ZEPHYR_ID:
        return (meaning >= ZEPHYR_MUTEX_INIT && meaning <= ZEPHYR_SEMA_TAKE_EXIT) ||
               (meaning >= ZEPHYR_SEMA_BLOCKING && meaning <= ZEPHYR_MUTEX_UNLOCK_EXIT);
    // Without its result a take or a lock only was called.
    case ZEPHYR_RET: return meaning == ZEPHYR_SEMA_TAKE_EXIT || meaning == ZEPHYR_MUTEX_LOCK_EXIT;
    default: return false;
    }
}

// ---- roles of fields

static const char *const role_names[ZEPHYR_ROLES][4] = {
    [ZEPHYR_THREAD] = {"thread_id", "thread"},
    [ZEPHYR_NAME] = {"name"},
    [ZEPHYR_PRIO] = {"prio", "priority"},
    [ZEPHYR_ID] = {"id", "object", "obj"},
    [ZEPHYR_RET] = {"ret"},
    [ZEPHYR_ARG0] = {"arg0"},
    [ZEPHYR_ARG1] = {"arg1"},
    [ZEPHYR_CORE] = {"core_id", "cpu_id", "core", "cpu"},
};

static bool fits(const struct wfi_zephyr_field *f, enum wfi_zephyr_role role) {
    bool text = f->kind == ZEPHYR_TEXT || f->kind == ZEPHYR_STRING;
    return role == ZEPHYR_NAME ? text : f->kind == ZEPHYR_UNSIGNED || f->kind == ZEPHYR_SIGNED;
}

static int8_t place_of(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                       enum wfi_zephyr_role role) {
    for (unsigned n = 0; n < 4 && role_names[role][n]; ++n) {
        for (unsigned i = 0; i < list->count && i <= INT8_MAX; ++i) {
            const struct wfi_zephyr_field *f = &m->fields[list->first + i];
            if (fits(f, role) && strcmp(m->text + f->name, role_names[role][n]) == 0)
                return (int8_t)i;
        }
    }
    return -1;
}

static void find_meaning(struct wfi_zephyr_meta *m, struct wfi_zephyr_event *e) {
    enum wfi_zephyr_meaning meaning = wfi_zephyr_meaning_of(m->text + e->name);
    for (unsigned r = 0; r < ZEPHYR_ROLES; ++r) {
        e->at[r] = place_of(m, &e->list, (enum wfi_zephyr_role)r);
        if (e->at[r] < 0 && needs(meaning, (enum wfi_zephyr_role)r)) meaning = ZEPHYR_OTHER;
    }
    e->meaning = (uint8_t)meaning;
    m->smp |= e->at[ZEPHYR_CORE] >= 0;
}

static int8_t find_field(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                         const char *name) {
    for (unsigned i = 0; i < list->count; ++i) {
        const struct wfi_zephyr_field *f = &m->fields[list->first + i];
        bool number = f->kind == ZEPHYR_UNSIGNED || f->kind == ZEPHYR_SIGNED;
        if (number && strcmp(m->text + f->name, name) == 0) return (int8_t)i;
    }
    return -1;
}

static int8_t find_either(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                          const char *name, const char *other) {
    int8_t at = find_field(m, list, name);
    return at >= 0 ? at : find_field(m, list, other);
}

static void find_places(struct wfi_zephyr_meta *m) {
    const struct wfi_zephyr_list *packet = &m->packet_context;
    m->place = (struct wfi_zephyr_places){
        .stamp = find_either(m, &m->header, "timestamp", "ts"),
        .id = find_field(m, &m->header, "id"),
        .magic = find_field(m, &m->packet_header, "magic"),
        .begin = find_field(m, packet, "timestamp_begin"),
        .end = find_field(m, packet, "timestamp_end"),
        .content = find_field(m, packet, "content_size"),
        .size = find_field(m, packet, "packet_size"),
        .number = find_field(m, packet, "packet_seq_num"),
        .discarded = find_field(m, packet, "events_discarded"),
        .core = find_either(m, packet, "cpu_id", "core_id"),
    };
}

// ---- events that the metadata lacks

static bool is_called(const struct wfi_zephyr_meta *m, uint32_t id, const char *name) {
    const struct wfi_zephyr_event *e = wfi_zephyr_event_of(m, id);
    return e && strcmp(m->text + e->name, name) == 0;
}

static bool add_call(struct wfi_zephyr_meta *m, uint32_t id, const char *name) {
    struct wfi_zephyr_field field = {.count = 1, .align = 1, .kind = ZEPHYR_UNSIGNED, .bytes = 4};
    struct wfi_zephyr_event *e;
    if (m->by_id[id]) return true;
    if (!wfi_zephyr_meta_name(m, "id", 2, &field.name) || !(e = wfi_zephyr_meta_event(m)))
        return false;
    *e = (struct wfi_zephyr_event){.id = id};
    m->by_id[id] = (uint16_t)m->event_count;
    return wfi_zephyr_meta_name(m, name, strlen(name), &e->name) &&
           wfi_zephyr_meta_list(m, &field, 1, &e->list);
}

// The recorder writes start_call and end_call, which the metadata of many releases lacks.
static bool add_calls(struct wfi_zephyr_meta *m) {
    if (is_called(m, 0x1B, "isr_enter"))
        return add_call(m, 0x1F, "start_call") && add_call(m, 0x20, "end_call");
    if (is_called(m, 0x20, "isr_enter"))
        return add_call(m, 0x41, "start_call") && add_call(m, 0x42, "end_call");
    return true;
}

// ---- complete layouts

// Appends a list to the fields that are put together.
static bool add_list(const struct wfi_zephyr_meta *m, const struct wfi_zephyr_list *list,
                     struct wfi_zephyr_field *fields, unsigned *count) {
    for (unsigned i = 0; i < list->count; ++i) {
        fields[*count] = m->fields[list->first + i];
        if (i == 0) fields[*count].align = list->align;
        ++*count;
    }
    return !list->bad;
}

static bool complete_event(struct wfi_zephyr_meta *m, struct wfi_zephyr_event *e) {
    struct wfi_zephyr_field fields[3 * ZEPHYR_FIELDS];
    unsigned count = 0;
    bool good = add_list(m, &m->stream_context, fields, &count);
    good &= add_list(m, &e->context, fields, &count);
    good &= add_list(m, &e->list, fields, &count);
    if (!wfi_zephyr_meta_list(m, fields, count, &e->list)) return false;
    e->list.bad = !good;
    return true;
}

bool wfi_zephyr_meta_finish(struct wfi_zephyr_meta *m) {
    find_places(m);
    m->packets = m->packet_header.count || m->packet_context.count;
    if (!add_calls(m)) return false;
    for (size_t i = 0; i < m->event_count; ++i) {
        if (!complete_event(m, &m->events[i])) return false;
        find_meaning(m, &m->events[i]);
    }
    for (size_t i = 0; i < m->field_count; ++i) {
        struct wfi_zephyr_field *f = &m->fields[i];
        if (f->order == ZEPHYR_NATIVE) f->order = m->big ? ZEPHYR_BIG : ZEPHYR_LITTLE;
    }
    return true;
}
