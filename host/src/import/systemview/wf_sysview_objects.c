// SPDX-License-Identifier: MIT
// Queues, semaphores and mutexes of FreeRTOS. The recorder has calls, no fill levels: a level is
// known after a create, or when a receive finds a queue empty and a take finds no semaphore. It is
// counted from then on, and a record without a known level is not emitted.

#include "import/systemview/wfi_sysview.h"

enum { TYPE_QUEUE, TYPE_MUTEX, TYPE_COUNTING, TYPE_BINARY, TYPE_RECURSIVE, TYPE_SET };

static bool gives(const struct wfi_sv_open *c) {
    return c->meaning == WFI_SV_SEND || c->meaning == WFI_SV_SEND_ISR ||
           c->meaning == WFI_SV_GIVE_ISR;
}

// What the call shows of its object.
static void learn_kind(struct wfi_sv_object *o, const struct wfi_sv_open *c, bool certain) {
    if (c->held)
        o->kind = WFI_SV_MUTEX;
    else if (c->meaning == WFI_SV_GIVE_ISR)
        o->kind = WFI_SV_SEMAPHORE;
    else if (c->meaning == WFI_SV_TAKE && certain)
        o->kind = WFI_SV_SEMAPHORE;
    else if (c->meaning != WFI_SV_TAKE && !c->null_item)
        o->kind = WFI_SV_QUEUE;
}

// The object is empty, unless something has happened to it since the call began.
static void set_empty(struct wfi_sv_object *o, const struct wfi_sv_open *c) {
    if (o->kind == WFI_SV_MUTEX || o->operations != c->operations) return;
    o->counted = true;
    o->count = 0;
}

static void emit(struct wfi_import *im, const struct wfi_sv_object *o, enum wfi_row queue,
                 enum wfi_row semaphore, enum wfi_row mutex, uint64_t value) {
    const uint64_t values[] = {o->key, value};
    switch (o->kind) {
    case WFI_SV_QUEUE: wfi_import_record(im, queue, values); break;
    case WFI_SV_SEMAPHORE: wfi_import_record(im, semaphore, values); break;
    case WFI_SV_MUTEX: wfi_import_record(im, mutex, values); break;
    default: break;
    }
}

void wfi_sv_emit_wait(struct wfi_import *im, struct wfi_sv_open *c) {
    struct wfi_sv_object *o = wfi_sv_object(im, c->object);
    if (!o) return;
    learn_kind(o, c, wfi_sv(im)->lists);
    c->waited = true;
    if (gives(c)) {
        if (o->kind == WFI_SV_QUEUE) WFI_IMPORT(im, queue_send_wait, o->key);
        return;
    }
    set_empty(o, c);
    emit(im, o, WFI_ROW_queue_receive_wait, WFI_ROW_sema_wait, WFI_ROW_mutex_wait, 0);
}

static void emit_mutex(struct wfi_import *im, struct wfi_sv_object *o, bool take, uint32_t nest) {
    o->nested = true;
    o->nest = nest;
    if (take)
        WFI_IMPORT(im, mutex_take, o->key, nest);
    else
        WFI_IMPORT(im, mutex_give, o->key, nest);
}

void wfi_sv_emit_done(struct wfi_import *im, struct wfi_sv_open *c) {
    struct wfi_sv_object *o = wfi_sv_object(im, c->object);
    c->done = true;
    if (!o) return;
    learn_kind(o, c, true);
    ++o->operations;
    if (c->held) {
        emit_mutex(im, o, !gives(c), !gives(c));
        return;
    }
    if (!o->counted || o->kind == WFI_SV_MUTEX) return;
    if (gives(c)) {
        o->count = c->overwrite ? 1 : o->count + 1;
        emit(im, o, WFI_ROW_queue_send, WFI_ROW_sema_give, WFI_ROW_mutex_give, o->count);
    } else if (o->count) {
        --o->count;
        emit(im, o, WFI_ROW_queue_receive, WFI_ROW_sema_take, WFI_ROW_mutex_take, o->count);
    } else {
        o->counted = false; // something changed it that is not known here
    }
}

void wfi_sv_emit_failed(struct wfi_import *im, struct wfi_sv_open *c) {
    struct wfi_sv_object *o = wfi_sv_object(im, c->object);
    if (!o) return;
    learn_kind(o, c, false);
    if (!gives(c)) {
        if (o->kind != WFI_SV_KIND_UNKNOWN) set_empty(o, c);
        if (o->counted && o->count) o->counted = false;
        if (c->waited)
            emit(im, o, WFI_ROW_queue_timeout, WFI_ROW_sema_timeout, WFI_ROW_mutex_timeout, 0);
        else
            emit(im, o, WFI_ROW_queue_receive_refused, WFI_ROW_sema_refused, WFI_ROW_mutex_refused,
                 0);
    } else if (o->kind == WFI_SV_QUEUE) {
        if (c->waited)
            WFI_IMPORT(im, queue_timeout, o->key);
        else
            WFI_IMPORT(im, queue_send_refused, o->key);
    }
}

// A recursive mutex that its holder takes or gives once more.
void wfi_sv_emit_nested(struct wfi_import *im, struct wfi_sv_open *c, bool take) {
    struct wfi_sv_object *o = wfi_sv_object(im, c->object);
    if (!o) return;
    o->kind = WFI_SV_MUTEX;
    if (!o->nested) return;
    if (!take && !o->nest) {
        o->nested = false;
        return;
    }
    emit_mutex(im, o, take, take ? o->nest + 1 : o->nest - 1);
}

// ---- create and delete

void wfi_sv_created(struct wfi_import *im, const struct wfi_sv_open *c, uint64_t key) {
    struct wfi_sv_object *o = c->done ? NULL : wfi_sv_object(im, key);
    if (!o) return;
    uint32_t type = c->meaning == WFI_SV_CREATE ? c->operations : TYPE_COUNTING;
    o->nested = o->counted = false;
    o->length = c->with;
    o->count = 0;
    ++o->operations;
    switch (type) {
    case TYPE_MUTEX:
    case TYPE_RECURSIVE:
        o->kind = WFI_SV_MUTEX;
        o->nested = true;
        o->nest = 0;
        WFI_IMPORT(im, mutex_create, key);
        return;
    case TYPE_COUNTING:
    case TYPE_BINARY:
        o->kind = WFI_SV_SEMAPHORE;
        if (c->meaning == WFI_SV_CREATE_COUNTING) o->count = c->operations;
        o->counted = true;
        WFI_IMPORT(im, sema_create, key, o->count);
        return;
    default:
        o->kind = WFI_SV_QUEUE;
        o->counted = true;
        WFI_IMPORT(im, queue_create, key, o->length);
    }
}

void wfi_sv_deleted(struct wfi_import *im, uint64_t key) {
    struct wfi_sv_object *o = wfi_sv_object(im, key);
    if (!o) return;
    emit(im, o, WFI_ROW_queue_delete, WFI_ROW_sema_delete, WFI_ROW_mutex_delete, 0);
    o->kind = WFI_SV_KIND_UNKNOWN;
    o->counted = o->nested = false;
}
