// SPDX-License-Identifier: MIT
// The same calls for both recorders: with WF_CFG_SLOTS 1 it writes a slot trace, otherwise one of
// frames. Printed, both traces must have the same records.
//
//   records TRACE all [IMAGE]              each predefined record, elements, dictionaries
//   records TRACE threads THREADS EVENTS   THREADS threads with EVENTS records each
//   records TRACE lose newest|oldest       four threads, rings that are too small (slots only)
//
// With slots it prints the recorder's own counts, one line for each core: its number, events made,
// and events refused. IMAGE: the recorder's memory among other bytes.

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_rtos.h"
#include "wf_port.h"

enum { CORES = 4, BATCH = 512, THREADS_MAX = 16 };
enum { FIRST_SIG = 4, SECOND_SIG, LAST_SIG };
enum { BLUE = 1, RED };
enum { NAMED_REC = WF_USER + 1, EVENT_REC, BARE_REC };

// The same addresses in both programs; the last one has no name.
static const void *const table = (const void *)(uintptr_t)0x1000;
static const void *const philosopher = (const void *)(uintptr_t)0x2000;
static const void *const nameless = (const void *)(uintptr_t)0x3000;
static const uintptr_t thinking = 0x4001, eating = 0x4002;

// ---- a value for every field of every record, from their numbers and names

static unsigned value_of(unsigned id, const char *field) {
    unsigned v = id * 7;
    while (*field) v = v * 31 + (unsigned char)*field++;
    return v;
}

static const void *object_of(unsigned id, const char *field) {
    const void *const all[] = {table, philosopher, nameless, NULL};
    return all[value_of(id, field) % 4];
}

static wf_function function_of(unsigned id, const char *field) {
    const uintptr_t all[] = {thinking, eating, 0x4003};
    return (wf_function)all[value_of(id, field) % 3];
}

static unsigned number_of(unsigned id, const char *field) {
    if (strcmp(field, "size") == 0) return 2;
    if (strcmp(field, "num") == 0) return 3;
    return value_of(id, field);
}

static const uint8_t items[] = {1, 2, 3, 4, 5, 6};
static const uint8_t built[] = {1, 2, 3, 4, 5, 6};

#define ARG_TIME(id, f)
#define ARG_ELEMS(id, f)
#define ARG_OBJ(id, f) , object_of(id, #f)
#define ARG_FUN(id, f) , function_of(id, #f)
#define ARG_SIG(id, f) , FIRST_SIG + value_of(id, #f) % 4
#define ARG_EVS(id, f) , number_of(id, #f) & 0xFFFF
#define ARG_EQC(id, f) , number_of(id, #f) & 0xFF
#define ARG_MPC(id, f) , number_of(id, #f) & 0xFFFF
#define ARG_MPS(id, f) , number_of(id, #f) & 0xFFFF
#define ARG_TEC(id, f) , number_of(id, #f)
#define ARG_WHICH(id, f)
#define ARG_CORE(id, f)
#define ARG_U8(id, f)         , (uint8_t)number_of(id, #f)
#define ARG_U16(id, f)        , (uint16_t)number_of(id, #f)
#define ARG_U32(id, f)        , number_of(id, #f)
#define ARG_U64(id, f)        , (uint64_t)number_of(id, #f) << 20
#define ARG_BUILD(id, f)      , built
#define ARG_STR(id, f)        , "text of " #f
#define ARG_ITEMS(id, f)      , items
#define ARG(name, type, kind) ARG_##type(ID, name)

// Drops the first argument.
#define ARGS(...)                                                                                  \
    PICK(__VA_ARGS__, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, R, A, 0)(__VA_ARGS__)
#define PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, ...) ARGS_##t
#define ARGS_R(first, ...)                                                    __VA_ARGS__
#define ARGS_A(first)

enum { BOTH = -1, OWN = BOTH };
#define SEL(n)     (n)
#define OWN_SEL(n) BOTH

static bool wanted(unsigned id, const char *group, int host, unsigned since, unsigned until) {
    return id && id != WF_ID_target_info && id != WF_ID_log && host == BOTH &&
           since <= WF_CFG_QS_VERSION && WF_CFG_QS_VERSION <= until && strcmp(group, "DICT") != 0 &&
           strcmp(group, "WF") != 0;
}

#define ONE(number, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)      \
    static void emit_##name(void) {                                                                \
        enum { ID = number };                                                                      \
        if (wanted(ID, #group, host, since, until) && WFI_GATE(false, WF_ID_##name, 0))            \
            wfi_emit_##name(ARGS(0 WF_FIELDS_##layout(ARG)));                                      \
    }
WF_RECORDS(ONE)

static void predefined(void) {
#define CALL(number, name, qs, group, layout, since, until, host, effect, qspy, mat, sentence)     \
    emit_##name();
    WF_RECORDS(CALL)
}

static void dictionaries(void) {
    WF_OBJ_DICTIONARY(table);
    WF_OBJ_DICTIONARY(philosopher);
    WF_FUN_DICTIONARY(thinking);
    WF_FUN_DICTIONARY(eating);
    WF_SIG_DICTIONARY(FIRST_SIG, NULL);
    WF_SIG_DICTIONARY(SECOND_SIG, philosopher);
    WF_USR_DICTIONARY(NAMED_REC);
    WF_ENUM_DICTIONARY(BLUE, 2);
    WF_ENUM_DICTIONARY(RED, 2);
}

static void elements(void) {
    WF_BEGIN(NAMED_REC, 0);
    wf_i8(2, -3);
    wf_u8(0, 200);
    wf_i16(5, -1234);
    wf_u16(WF_HEX, 0xBEEF);
    wf_i32(0, -70000);
    wf_u32(8, 4000000000u);
    wf_i64(0, -5000000000);
    wf_u64(0, 12345678901234567890u);
    wf_f32(2, 3.25f);
    wf_f64(3, -0.125);
    wf_str("a text that is longer than a slot");
    wf_mem(items, sizeof items);
    wf_sig(SECOND_SIG, philosopher);
    wf_obj(table);
    wf_fun((wf_function)eating);
    wf_enum(2, RED);
    WF_END();
    WF_BEGIN(BARE_REC, 0);
    WF_END();
    WF_RECORD(EVENT_REC, 0, WF_U8(0, 7));
    WF_RECORD(NAMED_REC, 0, WF_U8(1, 9), WF_STR("eating"), WF_I32(0, -1), WF_ENUM(2, BLUE));
    WF_RECORD(EVENT_REC, 0, WF_MEM(items, 3), WF_SIG(FIRST_SIG, NULL), WF_U64(0, 1));
    WF_LOG(table);
    WF_LOG(philosopher, WF_I32(0, -3), WF_STR("of"), WF_F64(2, 0.5));
}

// ---- threads, on the available cores in turn

struct writer {
    pthread_t id;
    unsigned number, events;
};

static void *write_events(void *arg) {
    const struct writer *w = arg;
    cpu_set_t cores;
    long there = sysconf(_SC_NPROCESSORS_ONLN);
    CPU_ZERO(&cores);
    CPU_SET(w->number % (unsigned)(there < 1 ? 1 : there), &cores);
    sched_setaffinity(0, sizeof cores, &cores); // on failure the thread stays on its core
    for (unsigned i = 0; i < w->events; ++i) {
        if (i % 5 == 0)
            WF_REC(active_post, 0, philosopher, FIRST_SIG, table, (uint8_t)w->number, (uint8_t)i, 3,
                   2);
        else if (i % 5 == 1)
            WF_REC(state_entry, 0, table, (wf_function)(w->number & 1 ? eating : thinking));
        else
            WF_RECORD(EVENT_REC, 0, WF_U8(0, w->number), WF_U32(0, i), WF_STR("of a thread"));
    }
    return NULL;
}

static void threads(unsigned count, unsigned events) {
    struct writer writers[THREADS_MAX];
    if (count > THREADS_MAX) count = THREADS_MAX;
    for (unsigned i = 0; i < count; ++i) {
        writers[i] = (struct writer){.number = i, .events = events};
        if (pthread_create(&writers[i].id, NULL, write_events, &writers[i])) exit(2);
    }
    for (unsigned i = 0; i < count; ++i) pthread_join(writers[i].id, NULL);
}

// ---- the recorder

#if WF_CFG_SLOTS
static uint8_t *memory;
static size_t size;

static void start(uint32_t slots, bool keep_oldest) {
    size = WF_SLOTS_SIZE(CORES, slots);
    struct wf_slots_config config = {.size = size,
                                     .cores = CORES,
                                     .slots = slots,
                                     .keep_oldest = keep_oldest,
                                     .hz = WF_PORT_HZ,
                                     .build_id = 0xC0FFEE};
    if (posix_memalign(&config.memory, 64, size) || !wf_slots_start(&config)) exit(2);
    memory = config.memory;
    wf_filter(WF_GRP_ALL);
}

static void write_trace(FILE *to) {
    static struct wf_slots_reader readers[CORES];
    struct wf_slot slots[BATCH];
    char header[WF_SLOTS_HEADER_MAX];
    fwrite(header, 1, wf_slots_header(header), to);
    for (unsigned core = 0; core < CORES; ++core) {
        struct wf_slots_status status;
        unsigned n;
        while ((n = wf_slots_read(&readers[core], core, slots, BATCH, true)) > 0) {
            fwrite(slots, sizeof *slots, n, to);
        }
        wf_slots_get_status(core, &status);
        printf("%u %" PRIu64 " %" PRIu64 "\n", core, status.made, status.refused);
    }
}

static void write_image(FILE *to) {
    static const char around[4096] = "something else";
    fwrite(around, 1, sizeof around, to);
    fwrite(memory, 1, size, to);
    fwrite(around, 1, sizeof around, to);
}

static void other_classes(void) {
    wf_slot_event(WF_SLOT_CLASS_USER, 9, 0x1234, 0x5678);
    wf_slot_event(WF_SLOT_CLASS_PR_TH, 1, 42, 3);
    wf_slot_text(WF_SLOT_CLASS_USER, 10, "text of a program");
}
#else
static uint8_t ring[1 << 24];

static void start(uint32_t slots, bool keep_oldest) {
    static const struct wf_config config = {
        .ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ, .build_id = 0xC0FFEE};
    (void)slots;
    (void)keep_oldest;
    if (!wf_start(&config)) exit(2);
    wf_filter(WF_GRP_ALL);
}

static void write_trace(FILE *to) {
    const uint8_t *block;
    uint32_t n;
    while ((n = wf_get_block(&block, BATCH)) > 0) {
        fwrite(block, 1, n, to);
        wf_block_done(n);
    }
}

static void write_image(FILE *to) { (void)to; }
static void other_classes(void) {}
#endif

static void with_file(const char *name, void (*write)(FILE *to)) {
    FILE *to = fopen(name, "wb");
    if (!to) exit(2);
    write(to);
    if (fclose(to)) exit(2);
}

int main(int argc, char **argv) {
    const char *how = argc > 2 ? argv[2] : "";
    if (strcmp(how, "all") == 0) {
        start(1 << 12, false);
        dictionaries();
        predefined(); // deletes and creates objects with names
        dictionaries();
        elements();
    } else if (strcmp(how, "threads") == 0 && argc == 5) {
        start(1 << 17, false);
        dictionaries();
        threads((unsigned)strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
        other_classes();
    } else if (strcmp(how, "lose") == 0 && argc == 4) {
        start(1 << 10, strcmp(argv[3], "oldest") == 0);
        dictionaries();
        threads(4, 20000);
    } else {
        return 2;
    }
    with_file(argv[1], write_trace);
    if (argc == 4 && strcmp(how, "all") == 0) with_file(argv[3], write_image);
    return 0;
}
