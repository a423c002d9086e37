// SPDX-License-Identifier: MIT
// The metadata of a CTF trace, in TSDL, written at the end. It declares only what the packets
// contain. Field names begin with an underscore, which readers remove, so that no name is a
// keyword.

#include <inttypes.h>
#include <stdio.h>

#include "wallfly_host/wf_utf8.h"
#include "wfi_ctf.h"

// Writes a name of the target as a string. Readers require UTF-8, so other bytes become \xHH.
// Terminal controls (wf_utf8_shown) become escapes of the language, byte by byte.
static void put_quoted(struct wfi_strbuf *t, const char *text, size_t len) {
    const uint8_t *p = (const uint8_t *)text;
    wfi_strbuf_put(t, "\"");
    for (size_t i = 0; i < len;) {
        size_t n = wf_utf8_decode(text + i, len - i, NULL);
        if (n == 0) {
            wfi_strbuf_printf(t, "\\\\x%02X", p[i]);
            n = 1;
        } else if (!wf_utf8_shown(text + i, n)) {
            for (size_t k = 0; k < n; ++k) wfi_strbuf_printf(t, "\\%03o", p[i + k]);
        } else {
            if (p[i] == '"' || p[i] == '\\') wfi_strbuf_put(t, "\\");
            wfi_strbuf_bytes(text + i, n, t);
        }
        i += n;
    }
    wfi_strbuf_put(t, "\"");
}

// ---- types

static void put_integers(struct wfi_strbuf *t) {
    static const char *const kinds[][2] = {
        {"false;", "u"}, {"false; base = 16;", "x"}, {"true;", "s"}};
    for (unsigned bits = 8; bits <= 64; bits *= 2) {
        for (unsigned i = 0; i < 3; ++i)
            wfi_strbuf_printf(t,
                              "typealias integer { size = %u; align = 8; signed = %s } := %s%u;\n",
                              bits, kinds[i][0], kinds[i][1], bits);
    }
}

static void put_value(struct wfi_strbuf *t, const char *name, long long value) {
    wfi_strbuf_put(t, "\t");
    put_quoted(t, name, strlen(name));
    wfi_strbuf_printf(t, " = %lld,\n", value);
}

static void begin_enum(struct wfi_strbuf *t, const char *container) {
    wfi_strbuf_printf(t, "typealias enum : %s {\n", container);
}

static void end_enum(struct wfi_strbuf *t, const char *name) {
    t->end -= 2; // no comma after the last
    wfi_strbuf_printf(t, "\n} := %s;\n", name);
}

static void put_enum(struct wfi_strbuf *t, const char *name, const char *const *values,
                     unsigned count) {
    begin_enum(t, "u8");
    for (unsigned i = 0; i < count; ++i) put_value(t, values[i], i);
    end_enum(t, name);
}

static void put_fixed_enums(struct wfi_strbuf *t) {
    static const char *const losses[] = {"hole", "unseen", "late", "repeated", "restart"};
    static const char *const words[] = {"no", "yes"};
    begin_enum(t, "u8");
    for (unsigned i = 0; i < wf_reason_count; ++i) put_value(t, wf_reasons[i].name, i);
    end_enum(t, "reason");
    put_enum(t, "command", wf_command_names, wf_command_count);
    begin_enum(t, "u8");
    for (unsigned i = 0; i < wf_command_count; ++i) {
        char error[64];
        put_value(t, wf_command_names[i], i);
        snprintf(error, sizeof error, "error %s", wf_command_names[i]);
        put_value(t, error, 0x80 + i);
    }
    end_enum(t, "status");
    put_enum(t, "loss", losses, sizeof losses / sizeof *losses);
    put_enum(t, "yes_no", words, 2);
}

static void put_labels(const struct wfi_ctf_labels *l, struct wfi_strbuf *t) {
    static const struct {
        const char *name, *container, *word; // word: for `value`
        unsigned value;
    } spaces[WFI_CTF_SPACES] = {
        [WFI_CTF_OBJECTS] = {"object", "x64", "NULL", 0},
        [WFI_CTF_TASKS] = {"task", "x64", "idle", 0},
        [WFI_CTF_ACTORS] = {"actor", "x64", "interrupt", 0},
        [WFI_CTF_TEXTS] = {"text", "x64", "NULL", 0},
        [WFI_CTF_FUNCTIONS] = {"function", "x64", "NULL", 0},
        [WFI_CTF_IRQS] = {"irq", "u16", "unknown", WF_IRQ_UNKNOWN},
        [WFI_CTF_SIGNALS] = {"signal", "u32", "NULL", 0},
    };
    for (unsigned i = 0; i < WFI_CTF_SPACES; ++i) {
        const struct wfi_ctf_labels_of *of = &l->of[i];
        begin_enum(t, spaces[i].container);
        put_value(t, spaces[i].word, spaces[i].value);
        for (size_t n = 0; n < of->count; ++n) {
            const struct wfi_ctf_label *label = &of->list[n];
            if (label->len == WFI_CTF_NAMELESS) continue;
            wfi_strbuf_put(t, "\t");
            put_quoted(t, l->pool + label->text, label->len);
            wfi_strbuf_printf(t, " = 0x%" PRIX64 ",\n", i == WFI_CTF_SIGNALS ? n + 1 : label->key);
        }
        end_enum(t, spaces[i].name);
    }
}

// ---- facts about the trace

static void put_env_text(struct wfi_strbuf *t, const char *name, const char *text) {
    wfi_strbuf_printf(t, "\t%s = ", name);
    put_quoted(t, text, strlen(text));
    wfi_strbuf_put(t, ";\n");
}

// Readers count nanoseconds in signed 64 bits. If the times at the real rate do not fit, a tick is
// declared as a nanosecond.
static uint64_t frequency(const struct wfi_ctf_clock *k) {
    enum { NS = 1000000000 };
    bool fits = k->hz && k->latest / k->hz < INT64_MAX / NS - 1;
    return fits ? k->hz : NS;
}

static void put_env(struct wf_writer *w, struct wfi_strbuf *t) {
    const struct wf_target *target = &w->s->target;
    const struct wfi_ctf_clock *k = &wfi_ctf(w)->clock;
    const uint8_t *b = target->built;
    unsigned version[3] = {0};
    sscanf(WALLFLY_VERSION, "%u.%u.%u", &version[0], &version[1], &version[2]);
    wfi_strbuf_put(t, "env {\n");
    put_env_text(t, "tracer_name", "wallfly");
    wfi_strbuf_printf(t, "\ttracer_major = %u;\n\ttracer_minor = %u;\n\ttracer_patch = %u;\n",
                      version[0], version[1], version[2]);
    if (w->options.source) put_env_text(t, "source", w->options.source);
    if (!w->s->slots.on || w->s->slots.own)
        wfi_strbuf_printf(t, "\tqs_version = %u;\n", target->version);
    if (target->build_id) wfi_strbuf_printf(t, "\tbuild_id = \"0x%08X\";\n", target->build_id);
    if (b[5]) {
        wfi_strbuf_printf(t, "\tbuilt = \"%02u%02u%02u_%02u%02u%02u\";\n", b[5], b[4], b[3], b[2],
                          b[1], b[0]);
    }
    if (target->cores) wfi_strbuf_printf(t, "\tcores = %u;\n", target->cores);
    if (!k->hz)
        put_env_text(t, "rate", "unknown: a tick is shown as a nanosecond");
    else if (frequency(k) != k->hz)
        put_env_text(t, "rate", "not to scale: a tick is shown as a nanosecond, time goes too far");
    else
        wfi_strbuf_printf(t, "\trate = \"%" PRIu64 " ticks a second\";\n", k->hz);
    if (wfi_ctf(w)->labels.left_out) put_env_text(t, "names", "there are more, without a label");
    wfi_strbuf_put(t, "};\n\n");
}

static void put_clock(struct wf_writer *w, struct wfi_strbuf *t) {
    wfi_strbuf_printf(t,
                      "clock {\n\tname = target;\n\tdescription = \"ticks of the target\";\n"
                      "\tfreq = %" PRIu64 ";\n\toffset_s = 0;\n\toffset = 0;\n};\n"
                      "typealias integer { size = 64; align = 8; signed = false; "
                      "map = clock.target.value; } := time;\n\n",
                      frequency(&wfi_ctf(w)->clock));
}

static void put_stream(struct wfi_strbuf *t) {
    wfi_strbuf_put(t,
                   "stream {\n\tid = 0;\n\tpacket.context := struct {\n\t\ttime timestamp_begin;\n"
                   "\t\ttime timestamp_end;\n\t\tu64 content_size;\n\t\tu64 packet_size;\n"
                   "\t\tu64 packet_seq_num;\n\t\tu64 events_discarded;\n\t\tu32 cpu_id;\n\t};\n"
                   "\tevent.header := struct {\n\t\tu16 id;\n\t\ttime timestamp;\n\t};\n};\n\n");
}

static void put_field(struct wfi_strbuf *t, const struct wfi_ctf_field *f) {
    const char *p = wfi_ctf_declarations[f->shape];
    wfi_strbuf_put(t, "\t\t");
    for (const char *hole; (hole = strstr(p, "%s")) != NULL; p = hole + 2) {
        wfi_strbuf_bytes(p, (size_t)(hole - p), t);
        wfi_strbuf_put(t, f->name);
    }
    wfi_strbuf_put(t, p);
    wfi_strbuf_put(t, "\n");
}

static void put_class(struct wfi_strbuf *t, const struct wfi_ctf_class *class, unsigned id,
                      bool ticks) {
    wfi_strbuf_put(t, "event {\n\tname = ");
    put_quoted(t, class->name, class->name_len);
    wfi_strbuf_printf(t, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n", id);
    if (ticks) wfi_strbuf_put(t, "\t\tu64 _own_tick;\n");
    for (unsigned i = 0; i < class->layout.count; ++i) put_field(t, &class->layout.field[i]);
    wfi_strbuf_put(t, "\t};\n};\n");
}

static void put_trace(struct wfi_strbuf *t, const uint64_t hash[2]) {
    uint64_t high = (hash[0] & ~UINT64_C(0xF000)) | 0x8000; // version 8: custom
    uint64_t low = (hash[1] & UINT64_MAX >> 2) | UINT64_C(1) << 63;
    wfi_strbuf_printf(t, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n");
    wfi_strbuf_printf(t, "\tuuid = \"%08x-%04x-%04x-%04x-%012" PRIx64 "\";\n",
                      (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xFFFF),
                      (unsigned)(high & 0xFFFF), (unsigned)(low >> 48),
                      low & UINT64_C(0xFFFFFFFFFFFF));
    wfi_strbuf_put(t,
                   "\tpacket.header := struct {\n\t\tu32 magic;\n\t\tu32 stream_id;\n\t};\n};\n\n");
}

void wfi_ctf_metadata(struct wf_writer *w) {
    struct wfi_ctf *c = wfi_ctf(w);
    struct wfi_strbuf *t = &w->text;
    wfi_ctf_labels_end(&c->labels, w->s);
    if (c->labels.failed) w->failed = true;
    wfi_strbuf_clear(t);
    wfi_strbuf_put(t, "/* CTF 1.8 */\n\n");
    put_integers(t);
    wfi_strbuf_put(t, "\n");
    put_trace(t, c->hash);
    put_env(w, t);
    put_clock(w, t);
    put_fixed_enums(t);
    wfi_flush_part(w, 0, "metadata", t, 0);
    put_labels(&c->labels, t);
    wfi_strbuf_put(t, "\n");
    wfi_flush_part(w, 0, "metadata", t, 0);
    put_stream(t);
    for (unsigned i = 0; i < c->classes.count; ++i) {
        const struct wfi_ctf_class *class = &c->classes.list[i];
        if (class->used) put_class(t, class, 2 * i, false);
        if (class->ticking) put_class(t, class, 2 * i + 1, true);
    }
    wfi_flush_part(w, 0, "metadata", t, 0);
}
