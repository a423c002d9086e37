// SPDX-License-Identifier: MIT
// Parses the stream options that several commands have.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

static bool parse_sizes(const char *text, struct wf_session_options *options) {
    for (const char *p = text; *p; p += 2) {
        if (*p == ',' || *p == ' ') {
            --p;
            continue;
        }
        unsigned t = 0;
        while (t < WF_TYPE_END && (!wf_types[t].letter || wf_types[t].letter != toupper(*p))) ++t;
        if (t == WF_TYPE_END) {
            diag_error(EXIT_USAGE,
                       "--sizes: '%c' in '%s' is no size; letters are T O F S E Q P B C", *p, text);
            return false;
        }
        if (!p[1] || !strchr("1248", p[1])) {
            diag_error(EXIT_USAGE, "--sizes: %c (%s) takes 1, 2, 4 or 8, as in %c4", *p,
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
        diag_error(EXIT_USAGE, "--qs-version: '%s' is not of the form X.Y, as in 7.3", text);
        return false;
    }
    *version = (uint16_t)((text[0] - '0') * 100 + (text[2] - '0') * 10);
    return true;
}

bool stream_options(const struct args *args, unsigned first, struct wf_session_options *options) {
    const char *const *value = args->value + first;
    const char *sizes = value[STREAM_SIZES], *version = value[STREAM_VERSION];
    const char *rate = value[STREAM_RATE];
    options->size = sizeof *options;
    if (sizes && !parse_sizes(sizes, options)) return false;
    if (version && !parse_version(version, &options->version)) return false;
    return !rate || parse_number("--rate", rate, 1, 1000000000000, &options->hz);
}

bool stream_lane_option(struct stream *s, const char *text) {
    uint64_t lane = 0;
    if (text && !parse_number("--lane", text, 0, WF_RECORDING_LANES - 1, &lane)) return false;
    s->one_lane = text != NULL;
    s->lane = (unsigned)lane;
    return true;
}

int stream_names(const struct args *args, struct names *names) {
    struct names_options o = {args->value[STREAM_ELF], args->value[STREAM_MAP],
                              args->value[STREAM_LOADED_AT]};
    return names_open(names, &o);
}

bool stream_colour(const char *text, bool *colour) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    unsigned word = 0;
    if (!parse_choice("--color", text, words, &word)) return false;
    *colour = word ? word == 1 : isatty(1) && !getenv("NO_COLOR");
    return true;
}

// Adds the rules of --hide. Returns false after an error message.
bool stream_hide_rules(struct wf_task_filter *hide, const char *list) {
    int err = hide ? WF_OK : WF_ERR_NOMEM;
    for (size_t len; err == WF_OK; list += len + 1) {
        len = strcspn(list, ",");
        err = wf_task_filter_rule(hide, list, len, false);
        if (err == WF_ERR_USAGE)
            diag_error(EXIT_USAGE,
                       "--hide: '%.*s' is no name, address (0x20001234) or priority (prio:3 or "
                       "prio:3..7)",
                       (int)len, list);
        if (!list[len]) break;
    }
    if (err == WF_ERR_NOMEM) diag_error(EXIT_INPUT, "%s", wf_err_text(err));
    return err == WF_OK;
}

bool stream_hide(struct stream *s, const struct args *args) {
    static const char *const views[] = {"gap", "published", NULL};
    const char *as = args->value[STREAM_HIDE_AS];
    unsigned view = 0;
    s->hide = args->value[STREAM_HIDE];
    if (!s->hide && as) diag_error(EXIT_USAGE, "--hide-as goes with --hide only");
    if (!s->hide) return !as;
    if (s->out_count && s->outs[0].format->dialect != WF_DIALECT_WALLFLY) {
        diag_error(EXIT_USAGE, "--hide: %s has no records of an RTOS", s->outs[0].format->name);
        return false;
    }
    if (!parse_choice("--hide-as", as, views, &view)) return false;
    if (as) s->hide_view = view ? WF_TASK_FILTER_PUBLISHED : WF_TASK_FILTER_GAP;
    struct wf_task_filter *once = wf_task_filter_open(NULL, s->hide_view); // only to check the list
    bool good = stream_hide_rules(once, s->hide);
    wf_task_filter_close(once);
    return good;
}
