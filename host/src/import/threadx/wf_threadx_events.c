// SPDX-License-Identifier: MIT
// Events without a record in wallfly's vocabulary: they keep the name of the service and the fields
// that the TraceX user guide describes. The guide's numbers are those of the events that the
// importer acts on; the others follow from them, as services are numbered in the order of names.

#include <string.h>

#include "wfi_threadx.h"

// A label begins with * for an address, # for a decimal number; others are hexadecimal.
static const struct {
    uint8_t id;
    const char *name, *labels[4];
} services[] = {
    {10, "tx_block_allocate", {"*pool", "*block", "wait", "#available"}},
    {13, "tx_block_pool_info_get", {"*pool"}},
    {14, "tx_block_pool_performance_info_get", {"*pool"}},
    {15, "tx_block_pool_performance_system_info_get", {NULL}},
    {16, "tx_block_pool_prioritize", {"*pool", "#waiting"}},
    {17, "tx_block_release", {"*pool", "*block", "#waiting"}},
    {20, "tx_byte_allocate", {"*pool", "*memory", "#bytes", "wait"}},
    {23, "tx_byte_pool_info_get", {"*pool"}},
    {24, "tx_byte_pool_performance_info_get", {"*pool"}},
    {25, "tx_byte_pool_performance_system_info_get", {NULL}},
    {26, "tx_byte_pool_prioritize", {"*pool", "#waiting"}},
    {27, "tx_byte_release", {"*pool", "*memory", "#waiting", "#available"}},
    {32, "tx_event_flags_get", {"*group", "requested", "set", "option"}},
    {33, "tx_event_flags_info_get", {"*group"}},
    {34, "tx_event_flags_performance_info_get", {"*group"}},
    {35, "tx_event_flags_performance_system_info_get", {NULL}},
    {37, "tx_event_flags_set_notify", {"*group"}},
    {40, "tx_interrupt_control", {"posture"}},
    {53, "tx_mutex_info_get", {"*mutex"}},
    {54, "tx_mutex_performance_info_get", {"*mutex"}},
    {55, "tx_mutex_performance_system_info_get", {NULL}},
    {56, "tx_mutex_prioritize", {"*mutex", "#waiting"}},
    {57, "tx_mutex_put", {"*mutex", "*owner", "#depth"}},
    {62, "tx_queue_flush", {"*queue"}},
    {63, "tx_queue_front_send", {"*queue", "*message", "wait", "#messages"}},
    {64, "tx_queue_info_get", {"*queue"}},
    {65, "tx_queue_performance_info_get", {"*queue"}},
    {66, "tx_queue_performance_system_info_get", {NULL}},
    {67, "tx_queue_prioritize", {"*queue", "#waiting"}},
    {69, "tx_queue_send", {"*queue", "*message", "wait", "#messages"}},
    {70, "tx_queue_send_notify", {"*queue"}},
    {80, "tx_semaphore_ceiling_put", {"*semaphore", "#count", "#waiting", "#ceiling"}},
    {84, "tx_semaphore_info_get", {"*semaphore"}},
    {85, "tx_semaphore_performance_info_get", {"*semaphore"}},
    {86, "tx_semaphore_performance_system_info_get", {NULL}},
    {87, "tx_semaphore_prioritize", {"*semaphore", "#waiting"}},
    {89, "tx_semaphore_put_notify", {"*semaphore"}},
    {102, "tx_thread_entry_exit_notify", {"*thread", "#state"}},
    {103, "tx_thread_identify", {NULL}},
    {104, "tx_thread_info_get", {"*thread", "#state"}},
    {105, "tx_thread_performance_info_get", {"*thread", "#state"}},
    {106, "tx_thread_performance_system_info_get", {NULL}},
    {107, "tx_thread_preemption_change", {"*thread", "#threshold", "#before", "#state"}},
    {109, "tx_thread_relinquish", {NULL, "*next"}},
    {111, "tx_thread_resume", {"*thread", "#state"}},
    {112, "tx_thread_sleep", {"#ticks"}},
    {113, "tx_thread_stack_error_notify", {NULL}},
    {114, "tx_thread_suspend", {"*thread", "#state"}},
    {115, "tx_thread_terminate", {"*thread", "#state"}},
    {116, "tx_thread_time_slice_change", {"*thread", "#ticks", "#before"}},
    {117, "tx_thread_wait_abort", {"*thread", "#state"}},
    {120, "tx_time_get", {"#ticks"}},
    {121, "tx_time_set", {"#ticks"}},
    {122, "tx_timer_activate", {"*timer"}},
    {123, "tx_timer_change", {"*timer", "#ticks", "#again"}},
    {124, "tx_timer_create", {"*timer", "#ticks", "#again", "#active"}},
    {125, "tx_timer_deactivate", {"*timer"}},
    {126, "tx_timer_delete", {"*timer"}},
    {127, "tx_timer_info_get", {"*timer"}},
    {128, "tx_timer_performance_info_get", {"*timer"}},
    {129, "tx_timer_performance_system_info_get", {NULL}},
};

static struct wfi_import_field field_of(const char *label, uint32_t value) {
    enum wfi_import_type type = label[0] == '*'   ? WFI_FIELD_ADDRESS
                                : label[0] == '#' ? WFI_FIELD_UNSIGNED
                                                  : WFI_FIELD_HEX;
    return (struct wfi_import_field){label + (type != WFI_FIELD_HEX), type, value, NULL, 0};
}

static bool take_service(struct wfi_import *im, const struct wfi_threadx_event *e) {
    struct wfi_import_field fields[4];
    unsigned low = 0, high = sizeof services / sizeof *services, n = 0;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (services[middle].id < e->id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sizeof services / sizeof *services || services[low].id != e->id) return false;
    for (unsigned i = 0; i < 4; ++i) {
        const char *label = services[low].labels[i];
        if (label) fields[n++] = field_of(label, e->info[i]);
    }
    wfi_import_event(im, services[low].name, strlen(services[low].name), fields, n);
    return true;
}

static const char *family_of(uint32_t id) {
    if (id < 200) return "ThreadX ";
    if (id < 300) return "FileX ";
    if (id < 600) return "NetX ";
    if (id < 1000) return "USBX ";
    return id < TXI_USER_FIRST ? "event " : "user ";
}

static size_t number_name(char *name, const char *family, uint32_t id) {
    char digits[10];
    unsigned n = 0;
    size_t len = strlen(family);
    do digits[n++] = (char)('0' + id % 10);
    while ((id /= 10) != 0);
    memcpy(name, family, len);
    while (n) name[len++] = digits[--n];
    return len;
}

void wfi_threadx_plain(struct wfi_import *im, const struct wfi_threadx_event *e) {
    static const char *const labels[] = {"info1", "info2", "info3", "info4"};
    struct wfi_import_field fields[4];
    char name[32];
    bool user = e->id >= TXI_USER_FIRST;
    if (e->id <= TXI_SERVICE_LAST && take_service(im, e)) return;
    // Most fields of FileX, NetX and USBX are addresses, of which some are in the registry.
    for (unsigned i = 0; i < 4; ++i) {
        enum wfi_import_type type = user ? WFI_FIELD_UNSIGNED : WFI_FIELD_HEX;
        if (!user && wfi_threadx_entity(im->state, e->info[i])) type = WFI_FIELD_ADDRESS;
        fields[i] = (struct wfi_import_field){labels[i], type, e->info[i], NULL, 0};
    }
    wfi_import_event(im, name, number_name(name, family_of(e->id), e->id), fields, 4);
}
