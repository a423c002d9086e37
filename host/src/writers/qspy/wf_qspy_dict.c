// SPDX-License-Identifier: MIT
// Dictionary files, written and read as QSPY does. The caller opens the files.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writers/wfi_writer.h"

bool wf_dict_file_name(const struct wf_session *s, char *name, size_t cap) {
    const uint8_t *b = s->target.built;
    if (!b[5]) return false;
    snprintf(name, cap, "qspy%02u%02u%02u_%02u%02u%02u.dic", b[5], b[4], b[3], b[2], b[1], b[0]);
    return true;
}

static void put_key(struct wfi_strbuf *t, uint64_t key, unsigned bytes) {
    wfi_strbuf_put(t, "0x");
    if (bytes <= 4) key &= 0xFFFFFFFF;
    if (wfi_strbuf_room(t, 32)) t->end = wfi_hex(t->end, key, bytes <= 4 ? 8 : 16);
    wfi_strbuf_put(t, " ");
}

// QSPY writes keys in the pointer size that it was started with, and cuts wider ones. Without its
// limits keys are written in full.
static unsigned key_bytes(const struct wf_session *s, const struct wfi_dict *d, bool signals) {
    for (size_t i = 0; s->options.all_names && i < d->count; ++i) {
        if ((signals ? d->names[i].obj : d->names[i].key) > UINT32_MAX) return 8;
    }
    return d->key_bytes;
}

// In a section of signals the number comes before the object. shown: names in visible escapes.
static bool put_dict(const struct wf_session *s, struct wfi_strbuf *t, const char *title,
                     const struct wfi_dict *d, bool signals, bool shown) {
    const struct wfi_name **list = wfi_dict_sorted(d);
    unsigned bytes = key_bytes(s, d, signals);
    if (!list) return false;
    wfi_strbuf_printf(t, "%s\n%u\n", title, bytes);
    for (size_t i = 0; i < d->count; ++i) {
        if (signals) wfi_strbuf_printf(t, "%08u ", (unsigned)list[i]->key);
        put_key(t, signals ? list[i]->obj : list[i]->key, bytes);
        size_t from = wfi_strbuf_len(t);
        wfi_strbuf_bytes(list[i]->text, list[i]->len, t);
        if (shown) wfi_strbuf_show(t, from);
        wfi_strbuf_put(t, "\n");
    }
    wfi_strbuf_put(t, "***\n");
    free(list);
    return true;
}

static void put_options(struct wfi_strbuf *t, const struct wf_target *target) {
    const uint8_t *b = target->built;
    if (target->released) wfi_strbuf_printf(t, "-d%06u\n", (unsigned)target->released);
    wfi_strbuf_printf(t, "-v%03u\n", target->version);
    if (target->framework) wfi_strbuf_printf(t, "-q%u\n", target->framework);
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (wf_types[i].letter)
            wfi_strbuf_printf(t, "-%c%u\n", wf_types[i].letter, target->bytes[i]);
    }
    wfi_strbuf_printf(t, "-t%02u%02u%02u_%02u%02u%02u\n\n", b[5], b[4], b[3], b[2], b[1], b[0]);
}

static bool dict_text(const struct wf_session *s, struct wfi_strbuf *t, bool shown) {
    put_options(t, &s->target);
    return put_dict(s, t, "Obj-Dic:", &s->names.objects, false, shown) &&
           put_dict(s, t, "Fun-Dic:", &s->names.functions, false, shown) &&
           put_dict(s, t, "Usr-Dic:", &s->names.users, false, shown) &&
           put_dict(s, t, "Sig-Dic:", &s->names.signals, true, shown);
}

char *wf_dict_write(const struct wf_session *s, size_t *len) {
    struct wfi_strbuf t;
    bool failed = false;
    if (!wfi_strbuf_open(&t, &failed)) return NULL;
    if (!dict_text(s, &t, false) || failed) {
        wfi_strbuf_close(&t);
        return NULL;
    }
    *len = wfi_strbuf_len(&t);
    wfi_strbuf_bytes("", 1, &t);
    return t.buf;
}

static void end_dic(struct wf_writer *w) {
    if (!dict_text(w->s, &w->text, w->options.terminal)) w->failed = true;
}

const struct wfi_ops wfi_dic_ops = {.end = end_dic};

struct reader {
    struct wf_session *s;
    struct wf_dict_result *result;
    char section;   // of the current line; 0: none
    bool size_next; // the line after the title has the key size
    bool mismatch;
};

static void set_type(struct reader *r, char letter, const char *text) {
    unsigned bytes = (unsigned)strtoul(text, NULL, 10);
    for (unsigned i = 0; i < WF_TYPE_END; ++i) {
        if (wf_types[i].letter != letter) continue;
        if (bytes > 8) bytes = 8;
        if (r->s->target.bytes[i] != bytes) r->mismatch = true;
        r->s->target.bytes[i] = (uint8_t)bytes;
    }
}

static void set_built(struct reader *r, const char *text) {
    static const uint8_t order[6] = {5, 4, 3, 2, 1, 0};
    for (unsigned i = 0; i < 6 && strlen(text) >= 2; ++i) {
        char two[3] = {text[0], text[1], 0};
        uint8_t v = (uint8_t)strtoul(two, NULL, 10);
        if (r->s->target.built[order[i]] != v) r->mismatch = true;
        r->s->target.built[order[i]] = v;
        text += text[2] == '_' ? 3 : 2;
    }
}

static bool set_option(struct reader *r, const char *line) {
    char letter = line[1];
    unsigned long v = strtoul(line + 2, NULL, 10);
    switch (letter) {
    case 'v':
        if (r->s->target.version != v) r->mismatch = true;
        r->s->target.version = r->s->target.version_raw = (uint16_t)v;
        return true;
    case 't': set_built(r, line + 2); return true;
    case 'd': r->s->target.released = (uint32_t)v; return true;
    case 'q': r->s->target.framework = (uint8_t)v; return true;
    default: break;
    }
    if (!letter || !strchr("TOFSEQPBC", letter)) return false;
    set_type(r, letter, line + 2);
    return true;
}

static struct wfi_dict *dict_of(struct wf_session *s, char section) {
    switch (section) {
    case 'O': return &s->names.objects;
    case 'F': return &s->names.functions;
    case 'U': return &s->names.users;
    default: return &s->names.signals;
    }
}

static bool begin_section(struct reader *r, const char *line) {
    if (!*line || !strchr("OFUS", *line)) return false;
    r->section = *line;
    r->size_next = true;
    wfi_dict_clear(dict_of(r->s, r->section));
    ++r->s->names.stamp;
    return true;
}

static bool add_entry(struct reader *r, const char *line) {
    char *p;
    if (r->section == 'S') {
        uint64_t sig = strtoull(line, &p, 10), obj = strtoull(p, &p, 16);
        if (*p == ' ') ++p;
        return wfi_signal_put(&r->s->names, sig, obj, p, strlen(p));
    }
    uint64_t key = strtoull(line, &p, 16);
    if (*p == ' ') ++p;
    return wfi_dict_put(dict_of(r->s, r->section), key, p, strlen(p));
}

static int take_line(struct reader *r, const char *line) {
    if (r->size_next) {
        unsigned bytes = (unsigned)strtoul(line, NULL, 10);
        if (bytes >= 1 && bytes <= 8) dict_of(r->s, r->section)->key_bytes = bytes;
        r->size_next = false;
        return WF_OK;
    }
    bool is_entry = r->section == 'S' ? *line == '0' : strncmp(line, "0x", 2) == 0;
    if (r->section && is_entry) return add_entry(r, line) ? WF_OK : WF_ERR_NOMEM;
    if (r->section) {
        r->section = 0; // the line that ends a section is consumed
        return WF_OK;
    }
    if (!*line || *line == '#') return WF_OK;
    if (*line == '-') {
        if (set_option(r, line)) return WF_OK;
        r->result->bad_option = line[1] ? line[1] : '-';
        return WF_ERR_BAD_DICT;
    }
    if (begin_section(r, line)) return WF_OK;
    r->result->bad_line = *line;
    return WF_ERR_BAD_DICT;
}

int wf_dict_read(struct wf_session *s, const char *text, size_t len,
                 struct wf_dict_result *result) {
    struct reader r = {.s = s, .result = result};
    bool had_info = s->target.known;
    int err = WF_OK;
    memset(result, 0, sizeof *result);
    for (size_t at = 0; at < len && err == WF_OK;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        char line[512];
        size_t keep = n < sizeof line - 1 ? n : sizeof line - 1;
        memcpy(line, text + at, keep);
        while (keep && line[keep - 1] == '\r') --keep;
        line[keep] = 0;
        ++result->line;
        err = take_line(&r, line);
        at += n + 1;
    }
    result->mismatch = had_info && r.mismatch;
    if (result->mismatch) wfi_clear_names(s);
    wfi_use_look(s);
    wfi_plan_all(s);
    return err;
}
