// SPDX-License-Identifier: MIT
// Source to session to writer. All commands that read a trace go this one way, live or not.

#include "stream.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

static bool parse_sizes(const char *text, struct wf_options *options) {
    for (const char *p = text; *p; p += 2) {
        if (*p == ',' || *p == ' ') {
            --p;
            continue;
        }
        unsigned t = 0;
        while (t < WF_TYPE_END && (!wf_types[t].letter || wf_types[t].letter != toupper(*p))) ++t;
        if (t == WF_TYPE_END) {
            complain(EXIT_USAGE, "--sizes: '%c' in '%s' is no size; letters are T O F S E Q P B C",
                     *p, text);
            return false;
        }
        if (!p[1] || !strchr("1248", p[1])) {
            complain(EXIT_USAGE, "--sizes: %c (%s) takes 1, 2, 4 or 8, as in %c4", *p,
                     wf_types[t].sentence, *p);
            return false;
        }
        options->bytes[t] = (uint8_t)(p[1] - '0');
    }
    return true;
}

static bool parse_version(const char *text, uint16_t *version) {
    if (!isdigit((unsigned char)text[0]) || text[1] != '.' || !isdigit((unsigned char)text[2]) ||
        text[3]) {
        complain(EXIT_USAGE, "--qs-version: '%s' is not of the form X.Y, as in 7.3", text);
        return false;
    }
    *version = (uint16_t)((text[0] - '0') * 100 + (text[2] - '0') * 10);
    return true;
}

bool stream_options(const struct args *args, struct wf_options *options) {
    const char *sizes = args->value[STREAM_SIZES], *version = args->value[STREAM_VERSION];
    const char *rate = args->value[STREAM_RATE];
    if (sizes && !parse_sizes(sizes, options)) return false;
    if (version && !parse_version(version, &options->version)) return false;
    return !rate || parse_number("--rate", rate, 1, 1000000000000, &options->hz);
}

bool stream_colour(const char *text, bool *colour) {
    *colour = isatty(1) && !getenv("NO_COLOR");
    if (!text || strcmp(text, "auto") == 0) return true;
    *colour = strcmp(text, "always") == 0;
    if (*colour || strcmp(text, "never") == 0) return true;
    complain(EXIT_USAGE, "--color: '%s' is not auto, always or never", text);
    return false;
}

static void dic_line(void *ctx, enum wf_line_class line, const char *text) {
    struct stream *s = ctx;
    (void)line;
    if (s->qspy && s->writer) wf_writer_line(s->writer, text);
}

static void dic_complain(void *ctx, const char *text) {
    (void)ctx;
    complain(EXIT_GOOD, "%s", text);
}

static bool dictionaries(struct stream *s) {
    if (wf_dic_read(&s->dic, s->session) == WF_OK) return true;
    complain(EXIT_INPUT, "%s: %s", s->dic.file, strerror(errno));
    return false;
}

bool stream_open(struct stream *s, const struct args *args, const struct wf_format *format) {
    struct wf_options options = {.dialect = format ? format->dialect : WF_DIALECT_WALLFLY,
                                 .info8 = format && format->info8};
    int err;
    const char *image = args->value[STREAM_IMAGE];
    if (!image == !args->operands) {
        complain(EXIT_USAGE, "usage: wallfly %s %s, or --ram-image=IMAGE; see `wallfly help %s`",
                 args->cmd->name, args->cmd->operands, args->cmd->name);
        return false;
    }
    if (args->value[STREAM_ELF] && !image) {
        complain(EXIT_USAGE, "--elf goes with --ram-image only");
        return false;
    }
    if (!stream_options(args, &options)) return false;
    s->args = args;
    s->dic = (struct wf_dic){args->value[STREAM_DIC], NULL, s, dic_line, dic_complain};
    s->strict = args->value[STREAM_STRICT] != NULL;
    s->name = image ? image : args->operand[0];
    s->live = !image && source_is_live(s->name);
    if (!image && strcmp(s->name, "-") == 0) s->name = "standard input";
    s->session = wf_open(&options, &err);
    if (s->session) return true;
    complain(EXIT_USAGE, "%s", wf_err_text(err));
    return false;
}

static void item(struct stream *s, const struct wf_item *it) {
    if (s->writer) wf_writer_item(s->writer, it);
    if (it->kind != WF_ITEM_RECORD || !it->record.row) return;
    const struct wf_record *r = &it->record;
    if (r->stamped && !r->back) {
        if (!s->ticks_known) s->tick_first = r->tick;
        s->ticks_known = true;
        s->tick_last = r->tick;
    }
    if (r->left || r->missing) return;
    if (r->row->effect == WF_EFFECT_TARGET_INFO) dictionaries(s);
    if (r->row->effect == WF_EFFECT_RUN && s->dic.file && strcmp(s->dic.file, "auto") == 0)
        wf_dic_save(&s->dic, s->session);
}

static bool on_bytes(void *ctx, struct wf_peer *peer, const uint8_t *bytes, size_t len) {
    struct stream *s = ctx;
    (void)peer;
    struct wf_item it;
    wf_feed(s->session, bytes, len);
    while (wf_next(s->session, &it)) item(s, &it);
    if (!s->writer || !s->live) return !ferror(stdout);
    return wf_writer_flush(s->writer) == WF_OK && fflush(stdout) == 0;
}

static void on_known(void *ctx, struct wf_peer *peer, uint8_t id, const uint8_t *payload,
                     size_t len) {
    struct stream *s = ctx;
    (void)peer;
    wf_know(s->session, id, payload, len);
}

static void on_link(void *ctx, struct wf_peer *peer, bool up, const char *why) {
    struct stream *s = ctx;
    if (wf_link_is_file(s->args->operand[0])) return;
    complain(0, "%s: target %s%s%s", wf_peer_name(peer), up ? "connected" : "disconnected",
             *why ? ": " : "", why);
    if (!up) wf_relink(s->session);
}

int stream_run(struct stream *s, bool once) {
    struct wf_item it;
    struct source_handlers on = {s, on_bytes, on_link, once, 1, on_known};
    if (!dictionaries(s)) return EXIT_INPUT;
    if (s->writer && s->live) wf_writer_flush(s->writer);
    const char *image = s->args->value[STREAM_IMAGE];
    int code = image ? image_run(image, s->args->value[STREAM_ELF], &on)
                     : source_run(s->args->operand[0], &on);
    wf_end(s->session);
    while (wf_next(s->session, &it)) item(s, &it);
    if (s->writer && wf_writer_flush(s->writer) != WF_OK && code == EXIT_GOOD) {
        return complain(EXIT_INPUT, "output: %s", strerror(errno));
    }
    return code;
}

static int judge_sizes(struct stream *s, const struct wf_ledger *l) {
    char letters[32];
    uint64_t fits;
    if (!l->malformed || s->qspy) return EXIT_GOOD;
    bool most = l->malformed * 4 > l->records;
    if (!most && l->malformed < 3) return EXIT_GOOD;
    if (!wf_guess_sizes(s->session, letters, sizeof letters, &fits) || fits * 2 < l->malformed) {
        return complain(most ? EXIT_INPUT : EXIT_GOOD,
                        "%s: %" PRIu64 " of %" PRIu64 " records do not have the length that the "
                        "sizes in force give; no other sizes fit them",
                        s->name, l->malformed, l->records);
    }
    const struct wf_target *t = wf_get_target(s->session);
    char words[256] = "";
    for (const char *p = letters; *p; p += 2) {
        for (unsigned i = 0; i < WF_TYPE_END; ++i) {
            size_t at = strlen(words);
            if (wf_types[i].letter != *p) continue;
            snprintf(words + at, sizeof words - at, "%s%s looks like %c byte%s, not %u",
                     at ? ", " : "", wf_types[i].sentence, p[1], p[1] == '1' ? "" : "s",
                     t->bytes[i]);
        }
    }
    return complain(most ? EXIT_INPUT : EXIT_GOOD,
                    "%s: %" PRIu64 " of %" PRIu64 " records do not have the length that the sizes "
                    "in force give: %s; try --sizes=%s",
                    s->name, l->malformed, l->records, words, letters);
}

int stream_judge(struct stream *s) {
    const struct wf_ledger *l = wf_get_ledger(s->session);
    if (l->bytes && !l->records) {
        return complain(EXIT_INPUT, "%s: not a QP/Spy trace: no good record in %" PRIu64 " bytes",
                        s->name, l->bytes);
    }
    int code = judge_sizes(s, l);
    if (code != EXIT_GOOD) return code;
    if (s->strict && (l->missing || l->bytes_bad || l->malformed)) {
        return complain(EXIT_LOSS,
                        "%s: %" PRIu64 " records missing, %" PRIu64 " bytes damaged, %" PRIu64
                        " records malformed (--strict)",
                        s->name, l->missing, l->bytes_bad, l->malformed);
    }
    return EXIT_GOOD;
}

void stream_close(struct stream *s) {
    if (s->writer) wf_writer_close(s->writer);
    wf_close(s->session);
}
