// SPDX-License-Identifier: MIT
// The functions of libbabeltrace2 that are used, from its public API (MIT licence,
// https://babeltrace.org/docs/v2.0/libbabeltrace2/). The library is loaded at run time, so neither
// its headers nor the library are needed to build wallfly.
#ifndef WFB_BABELTRACE_H
#define WFB_BABELTRACE_H

#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

// Values of its enumerations; those of fields and messages are sets of bits.
enum {
    BT_OK = 0,
    BT_END = 1,
    BT_AGAIN = 11,
    BT_MEMORY_ERROR = -12,
    BT_LOG_NONE = 0xFF,
    BT_ERROR = -1
};
enum {
    BT_MESSAGE_STREAM_BEGIN = 1 << 0,
    BT_MESSAGE_STREAM_END = 1 << 1,
    BT_MESSAGE_EVENT = 1 << 2,
    BT_MESSAGE_PACKET_BEGIN = 1 << 3,
    BT_MESSAGE_PACKET_END = 1 << 4,
    BT_MESSAGE_DISCARDED_EVENTS = 1 << 5,
    BT_MESSAGE_DISCARDED_PACKETS = 1 << 6
};
#define BT_FIELD_BOOL      (UINT64_C(1) << 0)
#define BT_FIELD_BITS      (UINT64_C(1) << 1)
#define BT_FIELD_UNSIGNED  (UINT64_C(1) << 3)
#define BT_FIELD_SIGNED    (UINT64_C(1) << 4)
#define BT_FIELD_ENUM      (UINT64_C(1) << 5)
#define BT_FIELD_SINGLE    (UINT64_C(1) << 7)
#define BT_FIELD_DOUBLE    (UINT64_C(1) << 8)
#define BT_FIELD_STRING    (UINT64_C(1) << 9)
#define BT_FIELD_STRUCTURE (UINT64_C(1) << 10)
#define BT_FIELD_ARRAY     (UINT64_C(1) << 11)
#define BT_FIELD_OPTION    (UINT64_C(1) << 16)
#define BT_FIELD_VARIANT   (UINT64_C(1) << 23)
#define BT_VALUE_UNSIGNED  (UINT64_C(1) << 3)
#define BT_VALUE_SIGNED    (UINT64_C(1) << 4)
#define BT_VALUE_STRING    (UINT64_C(1) << 6)

typedef int bt_status(void *iterator, void *user);
typedef void bt_done(void *user);
typedef const void *bt_const; // an object of the library

// B(result, name, parameters). Results that are enumerations with 64 bits are uint64_t.
#define BT_FUNCTIONS(B)                                                                            \
    B(int, bt_plugin_find, (const char *, int, int, int, int, int, bt_const *))                    \
    B(void, bt_plugin_put_ref, (bt_const))                                                         \
    B(bt_const, bt_plugin_borrow_source_component_class_by_name_const, (bt_const, const char *))   \
    B(bt_const, bt_plugin_borrow_filter_component_class_by_name_const, (bt_const, const char *))   \
    B(void *, bt_graph_create, (uint64_t))                                                         \
    B(void, bt_graph_put_ref, (bt_const))                                                          \
    B(int, bt_graph_add_source_component,                                                          \
      (void *, bt_const, const char *, bt_const, int, bt_const *))                                 \
    B(int, bt_graph_add_filter_component,                                                          \
      (void *, bt_const, const char *, bt_const, int, bt_const *))                                 \
    B(int, bt_graph_add_simple_sink_component,                                                     \
      (void *, const char *, bt_status *, bt_status *, bt_done *, void *, bt_const *))             \
    B(int, bt_graph_connect_ports, (void *, bt_const, bt_const, bt_const *))                       \
    B(int, bt_graph_run_once, (void *))                                                            \
    B(uint64_t, bt_component_source_get_output_port_count, (bt_const))                             \
    B(bt_const, bt_component_source_borrow_output_port_by_index_const, (bt_const, uint64_t))       \
    B(bt_const, bt_component_filter_borrow_input_port_by_index_const, (bt_const, uint64_t))        \
    B(bt_const, bt_component_filter_borrow_output_port_by_index_const, (bt_const, uint64_t))       \
    B(bt_const, bt_component_sink_borrow_input_port_by_index_const, (bt_const, uint64_t))          \
    B(int, bt_message_iterator_next, (void *, bt_const **, uint64_t *))                            \
    B(void *, bt_value_map_create, (void))                                                         \
    B(void *, bt_value_array_create, (void))                                                       \
    B(int, bt_value_array_append_string_element, (void *, const char *))                           \
    B(int, bt_value_map_insert_entry, (void *, const char *, void *))                              \
    B(void, bt_value_put_ref, (bt_const))                                                          \
    B(int, bt_value_get_type, (bt_const))                                                          \
    B(uint64_t, bt_value_integer_unsigned_get, (bt_const))                                         \
    B(int64_t, bt_value_integer_signed_get, (bt_const))                                            \
    B(const char *, bt_value_string_get, (bt_const))                                               \
    B(bt_const, bt_current_thread_take_error, (void))                                              \
    B(uint64_t, bt_error_get_cause_count, (bt_const))                                              \
    B(bt_const, bt_error_borrow_cause_by_index, (bt_const, uint64_t))                              \
    B(const char *, bt_error_cause_get_message, (bt_const))                                        \
    B(void, bt_error_release, (bt_const))                                                          \
    B(int, bt_message_get_type, (bt_const))                                                        \
    B(void, bt_message_put_ref, (bt_const))                                                        \
    B(bt_const, bt_message_stream_beginning_borrow_stream_const, (bt_const))                       \
    B(bt_const, bt_message_event_borrow_event_const, (bt_const))                                   \
    B(bt_const, bt_message_event_borrow_default_clock_snapshot_const, (bt_const))                  \
    B(bt_const, bt_message_packet_beginning_borrow_packet_const, (bt_const))                       \
    B(bt_const, bt_message_discarded_events_borrow_stream_const, (bt_const))                       \
    B(bt_const, bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const,         \
      (bt_const))                                                                                  \
    B(bt_const, bt_message_discarded_events_borrow_end_default_clock_snapshot_const, (bt_const))   \
    B(int, bt_message_discarded_events_get_count, (bt_const, uint64_t *))                          \
    B(bt_const, bt_message_discarded_packets_borrow_stream_const, (bt_const))                      \
    B(bt_const, bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const,        \
      (bt_const))                                                                                  \
    B(bt_const, bt_message_discarded_packets_borrow_end_default_clock_snapshot_const, (bt_const))  \
    B(int, bt_message_discarded_packets_get_count, (bt_const, uint64_t *))                         \
    B(int, bt_clock_snapshot_get_ns_from_origin, (bt_const, int64_t *))                            \
    B(int, bt_clock_class_origin_is_unix_epoch, (bt_const))                                        \
    B(bt_const, bt_event_borrow_class_const, (bt_const))                                           \
    B(bt_const, bt_event_borrow_stream_const, (bt_const))                                          \
    B(bt_const, bt_event_borrow_payload_field_const, (bt_const))                                   \
    B(bt_const, bt_event_borrow_specific_context_field_const, (bt_const))                          \
    B(bt_const, bt_event_borrow_common_context_field_const, (bt_const))                            \
    B(bt_const, bt_event_borrow_packet_const, (bt_const))                                          \
    B(bt_const, bt_packet_borrow_context_field_const, (bt_const))                                  \
    B(bt_const, bt_packet_borrow_stream_const, (bt_const))                                         \
    B(const char *, bt_event_class_get_name, (bt_const))                                           \
    B(int, bt_event_class_get_log_level, (bt_const, int *))                                        \
    B(bt_const, bt_event_class_borrow_payload_field_class_const, (bt_const))                       \
    B(bt_const, bt_event_class_borrow_specific_context_field_class_const, (bt_const))              \
    B(bt_const, bt_stream_borrow_class_const, (bt_const))                                          \
    B(bt_const, bt_stream_borrow_trace_const, (bt_const))                                          \
    B(uint64_t, bt_stream_class_get_event_class_count, (bt_const))                                 \
    B(bt_const, bt_stream_class_borrow_event_class_by_index_const, (bt_const, uint64_t))           \
    B(bt_const, bt_stream_class_borrow_default_clock_class_const, (bt_const))                      \
    B(bt_const, bt_stream_class_borrow_packet_context_field_class_const, (bt_const))               \
    B(bt_const, bt_stream_class_borrow_event_common_context_field_class_const, (bt_const))         \
    B(int, bt_stream_class_discarded_events_have_default_clock_snapshots, (bt_const))              \
    B(int, bt_stream_class_discarded_packets_have_default_clock_snapshots, (bt_const))             \
    B(void, bt_trace_get_ref, (bt_const))                                                          \
    B(void, bt_trace_put_ref, (bt_const))                                                          \
    B(uint64_t, bt_trace_get_environment_entry_count, (bt_const))                                  \
    B(void, bt_trace_borrow_environment_entry_by_index_const,                                      \
      (bt_const, uint64_t, const char **, bt_const *))                                             \
    B(uint64_t, bt_field_class_get_type, (bt_const))                                               \
    B(int, bt_field_class_integer_get_preferred_display_base, (bt_const))                          \
    B(uint64_t, bt_field_class_structure_get_member_count, (bt_const))                             \
    B(bt_const, bt_field_class_structure_borrow_member_by_index_const, (bt_const, uint64_t))       \
    B(bt_const, bt_field_class_structure_borrow_member_by_name_const, (bt_const, const char *))    \
    B(bt_const, bt_field_structure_borrow_member_field_by_name_const, (bt_const, const char *))    \
    B(const char *, bt_field_class_structure_member_get_name, (bt_const))                          \
    B(bt_const, bt_field_class_structure_member_borrow_field_class_const, (bt_const))              \
    B(uint64_t, bt_field_get_class_type, (bt_const))                                               \
    B(bt_const, bt_field_borrow_class_const, (bt_const))                                           \
    B(int, bt_field_bool_get_value, (bt_const))                                                    \
    B(uint64_t, bt_field_bit_array_get_value_as_integer, (bt_const))                               \
    B(uint64_t, bt_field_integer_unsigned_get_value, (bt_const))                                   \
    B(int64_t, bt_field_integer_signed_get_value, (bt_const))                                      \
    B(int, bt_field_enumeration_unsigned_get_mapping_labels,                                       \
      (bt_const, const char *const **, uint64_t *))                                                \
    B(int, bt_field_enumeration_signed_get_mapping_labels,                                         \
      (bt_const, const char *const **, uint64_t *))                                                \
    B(float, bt_field_real_single_precision_get_value, (bt_const))                                 \
    B(double, bt_field_real_double_precision_get_value, (bt_const))                                \
    B(uint64_t, bt_field_string_get_length, (bt_const))                                            \
    B(const char *, bt_field_string_get_value, (bt_const))                                         \
    B(uint64_t, bt_field_array_get_length, (bt_const))                                             \
    B(bt_const, bt_field_array_borrow_element_field_by_index_const, (bt_const, uint64_t))          \
    B(bt_const, bt_field_structure_borrow_member_field_by_index_const, (bt_const, uint64_t))       \
    B(bt_const, bt_field_option_borrow_field_const, (bt_const))                                    \
    B(bt_const, bt_field_variant_borrow_selected_option_field_const, (bt_const))

struct wfb_babeltrace {
    void *library;
#define BT_MEMBER(result, name, parameters) result(*name) parameters;
    BT_FUNCTIONS(BT_MEMBER)
#undef BT_MEMBER
};

// Loads the library; it stays loaded. Returns WF_OK, or WF_ERR_LINK with the remedy.
int wfb_babeltrace_load(struct wfb_babeltrace *bt, struct wf_error *error);
// Describes the error of the last call, and clears it. Returns text.
const char *wfb_babeltrace_error(const struct wfb_babeltrace *bt, char *text, size_t cap);

#endif
