// SPDX-License-Identifier: MIT
// The table of commands.

#include <stdio.h>
#include <string.h>

#include "wfi_command.h"

const char *const wfi_object_kinds[WFI_OBJ_KINDS] = {"sm", "ao", "mp",    "eq",
                                                     "te", "ap", "sm-ao", "ep"};

#define NUMBER(name, bytes, least, most)                                                           \
    { name, WF_ARG_NUMBER, bytes, false, false, least, most }
#define OPTIONAL(name, bytes, least, most)                                                         \
    { name, WF_ARG_NUMBER, bytes, true, false, least, most }
#define ONE(name, kind)                                                                            \
    { name, WF_ARG_##kind, 0, false, false, 0, 0 }
#define MANY(name, kind)                                                                           \
    { name, WF_ARG_##kind, 0, false, true, 0, 0 }
#define ANY(name, kind)                                                                            \
    { name, WF_ARG_##kind, 0, true, true, 0, 0 }
#define KIND(most)                                                                                 \
    { "KIND", WF_ARG_KIND, 1, false, false, 0, most }

static const char memory_words[] = "OFFSET is from the current application object on (current ap "
                                   "NAME), SIZE of an item 1, 2 or 4.";
static const char event_words[] =
    "Parameters follow one another in the event, in the target's byte order: u8:1 u16:300\n"
    "u32:1 u64:1, i8: to i64: signed, f32:1.5 f64:1.5, str:\"text\" with its zero, mem:0a0b "
    "bytes;\n"
    "a plain number is one of 32 bits. to:NAME makes that object the current one first.";
static const char filter_words[] =
    "all, none or only:LIST to start from, +LIST and -LIST to change what was set last. LIST, "
    "with\n"
    "commas: a group (SM AO EQ MP TE QF SC SEM MTX, U0 to U4 and UA for application records), a\n"
    "record by its name or number, a range 100-104. Dictionaries, answers and starts are always "
    "on.";
static const char id_words[] = "all, none or only:LIST to start from, +LIST and -LIST to change "
                               "what was set last. LIST, with\n"
                               "commas: a group (ao, ep event pools, eq raw queues, ap "
                               "application), a number, a range 65-79.\n"
                               "0 is always on. Also clears the filters of ao-filter.";
static const char event_refused[] =
    "no object or priority to send it to, an unknown signal, no event that is large enough, or the "
    "program has no hook for events";
static const char memory_refused[] = "no current application object, or memory that is not allowed";

const struct wf_command_row wf_command_rows[] = {
    {"info", WF_COMMAND_INFO, 0, "requests the target info", NULL, "", {{0}}},
    {"reset", WF_COMMAND_RESET, 0, "resets the target", NULL, "it has no way to reset", {{0}}},
    {"tick",
     WF_COMMAND_TICK,
     0,
     "a clock tick, of rate 0 by default",
     NULL,
     "no such tick rate, or the program has no hook for ticks",
     {OPTIONAL("RATE", 1, 0, 255)}},
    {"peek",
     WF_COMMAND_PEEK,
     0,
     "reads memory",
     memory_words,
     memory_refused,
     {NUMBER("OFFSET", 2, 0, 65535), ONE("SIZE", SIZE), NUMBER("NUM", 1, 1, 255)}},
    {"poke",
     WF_COMMAND_POKE,
     0,
     "writes memory",
     memory_words,
     memory_refused,
     {NUMBER("OFFSET", 2, 0, 65535), ONE("SIZE", SIZE), MANY("VALUE", ITEMS)}},
    {"fill",
     WF_COMMAND_FILL,
     0,
     "writes the same value NUM times",
     memory_words,
     memory_refused,
     {NUMBER("OFFSET", 2, 0, 65535), ONE("SIZE", SIZE), NUMBER("NUM", 1, 1, 255),
      ONE("VALUE", ITEM)}},
    {"filter",
     WF_COMMAND_GLB_FILTER,
     0,
     "sets which records the target sends",
     filter_words,
     "",
     {MANY("WORD", RECORDS)}},
    {"local",
     WF_COMMAND_LOC_FILTER,
     0,
     "sets for which QS-IDs the target sends records",
     id_words,
     "",
     {MANY("WORD", IDS)}},
    {"ao-filter",
     WF_COMMAND_AO_FILTER,
     0,
     "switches the records of one active object",
     NULL,
     "no such active object, or the program has no hook that knows its QS-ID",
     {ONE("+OBJECT", SWITCHED)}},
    {"current",
     WF_COMMAND_CURR_OBJ,
     0,
     "sets the current object of a kind",
     "KIND is sm, ao, mp (pool), eq (raw queue), te (time event), ap (application) or sm-ao "
     "(both);\n"
     "OBJECT a name, an address or none.",
     "no such kind or object",
     {KIND(7), ONE("OBJECT", OBJECT)}},
    {"query",
     WF_COMMAND_QUERY_CURR,
     0,
     "requests the state of the current object of a kind",
     "KIND is sm, ao, mp (pool), eq (raw queue), te (time event) or ap (application).",
     "no current object of this kind, or the program has no hook for queries",
     {KIND(5)}},
    {"post",
     WF_COMMAND_EVENT,
     WFI_TO_POST,
     "posts an event to to:PRIO, to:NAME or the current ao",
     event_words,
     event_refused,
     {ONE("SIGNAL", SIGNAL), ANY("PARAMETER", PARAMETERS)}},
    {"publish",
     WF_COMMAND_EVENT,
     WFI_TO_PUBLISH,
     "publishes an event",
     event_words,
     event_refused,
     {ONE("SIGNAL", SIGNAL), ANY("PARAMETER", PARAMETERS)}},
    {"dispatch",
     WF_COMMAND_EVENT,
     WFI_TO_DISPATCH,
     "dispatches an event to to:NAME or the current sm",
     event_words,
     event_refused,
     {ONE("SIGNAL", SIGNAL), ANY("PARAMETER", PARAMETERS)}},
    {"init",
     WF_COMMAND_EVENT,
     WFI_TO_INIT,
     "starts to:NAME or the current sm",
     event_words,
     event_refused,
     {{"SIGNAL", WF_ARG_SIGNAL, 0, true, false, 0, 0}, ANY("PARAMETER", PARAMETERS)}},
    {"command",
     WF_COMMAND_COMMAND,
     0,
     "calls a command of the application",
     NULL,
     "the application takes no commands",
     {ONE("NAME", COMMAND), OPTIONAL("P1", 4, 0, UINT32_MAX), OPTIONAL("P2", 4, 0, UINT32_MAX),
      OPTIONAL("P3", 4, 0, UINT32_MAX)}},
    {"test-setup",
     WF_COMMAND_TEST_SETUP,
     0,
     "test builds: begins a test",
     NULL,
     "it is no test build",
     {{0}}},
    {"test-teardown",
     WF_COMMAND_TEST_TEARDOWN,
     0,
     "test builds: ends a test",
     NULL,
     "it is no test build",
     {{0}}},
    {"test-probe",
     WF_COMMAND_TEST_PROBE,
     0,
     "test builds: sets the value that the probe of a function gets, once",
     NULL,
     "it is no test build, or 16 probes wait already",
     {ONE("FUNCTION", FUNCTION), NUMBER("DATA", 4, 0, UINT32_MAX)}},
    {"continue",
     WF_COMMAND_TEST_CONTINUE,
     0,
     "test builds: ends a pause",
     NULL,
     "it is no test build, or does not pause",
     {{0}}},
};
const unsigned wf_command_row_count = sizeof wf_command_rows / sizeof *wf_command_rows;

const struct wf_command_row *wf_command_find(const char *name) {
    for (unsigned i = 0; i < wf_command_row_count; ++i) {
        if (strcmp(wf_command_rows[i].name, name) == 0) return &wf_command_rows[i];
    }
    return NULL;
}

bool wf_command_known(const char *name, char *text, size_t cap) {
    struct wfi_near near = {.wrong = name};
    char words[224];
    if (wf_command_find(name)) return true;
    for (unsigned i = 0; i < wf_command_row_count; ++i)
        wfi_near_offer(&near, wf_command_rows[i].name);
    snprintf(text, cap, "no command '%.80s'%s", name, wfi_near_text(&near, words));
    return false;
}

void wf_command_usage(const struct wf_command_row *row, char *text, size_t cap) {
    size_t len = (size_t)snprintf(text, cap, "%s", row->name);
    for (const struct wf_argument *a = row->arguments; a->kind && len < cap; ++a) {
        len += (size_t)snprintf(text + len, cap - len, a->optional ? " [%s%s]" : " %s%s", a->name,
                                a->many ? "..." : "");
    }
}
