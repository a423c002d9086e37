// SPDX-License-Identifier: MIT
// Shared by the files that make commands.
#ifndef WFI_COMMAND_H
#define WFI_COMMAND_H

#include "wallfly_host/wf_command.h"
#include "core/wfi_session.h"

enum { WFI_TO_POST = 253, WFI_TO_INIT = 254, WFI_TO_DISPATCH = 255, WFI_TO_PUBLISH = 0 };
enum { WFI_AO_PRIO_MAX = 64, WFI_OBJ_KINDS = 8, WFI_ITEM_AT = 3 };
enum {
    WFI_ENUM_COMMANDS = 7,
    WFI_ENUM_COMMANDS_SINCE = 714,
    WFI_QS_ID_SINCE = 690,
    WFI_EP_KIND_SINCE = 800
};

enum wfi_which { WFI_OBJECTS, WFI_FUNCTIONS, WFI_USERS, WFI_SIGNALS, WFI_APP_COMMANDS };

struct wf_commander {
    struct wf_session *session;
    bool assume; // use the session's sizes without a TARGET_INFO
    bool records_known, ids_known;
    uint8_t records[WF_FILTER_BYTES], ids[WF_FILTER_BYTES]; // the filters the host last set
    uint64_t machine;                                       // the current state machine, 0: none
};

extern const char *const wfi_object_kinds[WFI_OBJ_KINDS];

// A command being converted from words to frames. Each word is appended to the last frame.
struct wfi_making {
    struct wf_commander *c;
    struct wf_request *out;
    const struct wf_command_row *row;
    char *const *word; // those after the command's name
    unsigned count;
    enum wf_made made;
    unsigned size;   // SIZE
    size_t items_at; // EVENT: the place of the length
    bool begun;      // a filter has its base
};

// Sets the request's `problem` and the result `made`. Returns false.
bool wfi_wrong(struct wfi_making *m, enum wf_made made, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns false, with the reason, when the target's version does not have the command.
bool wfi_check_version(struct wfi_making *m);

// Append to the last frame. Return false, with the reason, when it is full or sizes are unknown.
struct wf_frame *wfi_frame(struct wfi_making *m);
bool wfi_add(struct wfi_making *m, uint64_t value, unsigned bytes);
bool wfi_add_bytes(struct wfi_making *m, const void *bytes, size_t len);
bool wfi_add_object(struct wfi_making *m, uint64_t object);
bool wfi_add_switched(struct wfi_making *m, bool off, uint64_t object);
bool wfi_add_probe(struct wfi_making *m, uint64_t function, uint64_t data);
bool wfi_add_count(struct wfi_making *m, size_t count); // of items, before the first
bool wfi_add_event(struct wfi_making *m, uint8_t to, uint64_t signal);
bool wfi_add_length(struct wfi_making *m); // of the parameters after an event so far
bool wfi_add_filter(struct wfi_making *m, const uint8_t bits[WF_FILTER_BYTES]);

// Numbers: decimal or 0x, of `bytes` bytes; signed when min is negative.
bool wfi_is_number(const char *text);
bool wfi_number(struct wfi_making *m, const char *what, const char *text, int64_t min, uint64_t max,
                uint64_t *value);
// The length of a type, from TARGET_INFO.
bool wfi_size(struct wfi_making *m, enum wf_type type, unsigned *bytes);
// A name of a dictionary or a number that fits the type.
bool wfi_named(struct wfi_making *m, enum wfi_which dict, enum wf_type type, const char *text,
               uint64_t *value);
bool wfi_object(struct wfi_making *m, const char *text, uint64_t *value);
bool wfi_signal(struct wfi_making *m, const char *text, uint64_t object, uint64_t *value);

// The dictionaries that commands look names up in.
const struct wfi_dict *wfi_dict_of(const struct wf_session *s, enum wfi_which dict);
// The entry with the lowest key of those that have the name, or null.
const struct wfi_name *wfi_dict_find(const struct wfi_dict *d, const char *text);

// The known names most similar to an unknown one, best first.
enum { WFI_NEAR = 3 };
struct wfi_near {
    const char *wrong;
    char name[WFI_NEAR][64];
    unsigned distance[WFI_NEAR];
};
void wfi_near_offer(void *near, const char *name);
void wfi_near_dict(struct wfi_near *near, const struct wfi_dict *d);
// "" or "; is it a, b or c?"
const char *wfi_near_text(const struct wfi_near *near, char text[224]);

// One word of an argument's kind.
bool wfi_take_records(struct wfi_making *m, const struct wf_argument *a, const char *word);
bool wfi_take_ids(struct wfi_making *m, const struct wf_argument *a, const char *word);
bool wfi_take_signal(struct wfi_making *m, const struct wf_argument *a, const char *word);
bool wfi_take_parameter(struct wfi_making *m, const struct wf_argument *a, const char *word);

// Offer the words of filters, without a sign.
void wfi_offer_records(const struct wf_session *s, wf_offer_fn offer, void *ctx);
void wfi_offer_ids(wf_offer_fn offer, void *ctx);
void wfi_offer_types(wf_offer_fn offer, void *ctx);
bool wfi_fixed(const struct wf_session *s, unsigned id);
void wfi_offer_dict(const struct wf_session *s, enum wfi_which dict, wf_offer_fn offer, void *ctx);

#endif
