// SPDX-License-Identifier: MIT
// Dictionary files: which one, and what is said of it.

#include "wallfly_backend/wf_dic.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_LEN = 1024, TEXT_MAX = 1280 };

#define FORMAT_LIKE __attribute__((format(printf, 3, 4)))

static FORMAT_LIKE void line(const struct wf_dic *d, enum wf_line_class line_class,
                             const char *format, ...) {
    char text[TEXT_MAX];
    va_list list;
    if (!d->line) return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    d->line(d->ctx, line_class, text);
}

static void complain(const struct wf_dic *d, const char *file, unsigned number, const char *what) {
    char text[TEXT_MAX], where[16] = "";
    if (number) snprintf(where, sizeof where, ":%u", number);
    snprintf(text, sizeof text, "%s%s: %s", file, where, what);
    if (d->complain) d->complain(d->ctx, text);
}

static char *read_text(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    *len = 0;
    if (!f) return NULL;
    for (size_t cap = 0, n = 1; n; *len += n) {
        if (cap - *len < 4096) {
            char *more = realloc(text, cap = cap * 2 + 65536);
            if (!more) break;
            text = more;
        }
        n = fread(text + *len, 1, cap - *len, f);
    }
    fclose(f);
    return text;
}

static void load(const struct wf_dic *d, struct wf_session *s, const char *file, const char *text,
                 size_t len) {
    struct wf_dict_result result;
    line(d, WF_LINE_INFO, "   <QSPY-> Reading dictionaries from File=%s", file);
    int err = wf_dict_read(s, text, len, &result);
    if (result.bad_option)
        line(d, WF_LINE_ERROR, "   <QSPY-> Unexpected option in Dictionary File=%s,Opt=%c", file,
             result.bad_option);
    else if (result.bad_line)
        line(d, WF_LINE_ERROR, "   <QSPY-> Unexpected line in Dictionary File=%s,Char=%c", file,
             result.bad_line);
    if (err == WF_ERR_BAD_DICT)
        complain(d, file, result.line,
                 "not a line of a dictionary file; the names before it are used");
    if (!result.mismatch) return;
    line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries mismatch the Target (discarded)");
    complain(d, file, 0, "sizes or build differ from the target's, not used");
}

static bool automatic(const struct wf_dic *d) { return d->file && strcmp(d->file, "auto") == 0; }

static void in_folder(const struct wf_dic *d, const char *name, char path[PATH_MAX_LEN]) {
    snprintf(path, PATH_MAX_LEN, "%s%s%s", d->folder ? d->folder : "", d->folder ? "/" : "", name);
}

int wf_dic_read(const struct wf_dic *d, struct wf_session *s) {
    char name[64], path[PATH_MAX_LEN];
    size_t len;
    if (!d->file) return WF_OK;
    if (automatic(d) && !wf_dict_file_name(s, name, sizeof name)) {
        line(d, WF_LINE_ERROR, "   <QSPY-> No Target info yet to read dictionaries");
        return WF_OK;
    }
    if (automatic(d))
        in_folder(d, name, path);
    else
        snprintf(path, sizeof path, "%s", d->file);
    char *text = read_text(path, &len);
    if (text)
        load(d, s, automatic(d) ? name : d->file, text, len);
    else if (automatic(d))
        line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries not found File=%s", name);
    else
        return WF_ERR_LINK;
    free(text);
    return WF_OK;
}

void wf_dic_save(const struct wf_dic *d, struct wf_session *s) {
    char name[64], path[PATH_MAX_LEN];
    size_t len;
    if (!d->file) {
        line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries NOT configured (no -d option)");
        return;
    }
    if (!wf_dict_file_name(s, name, sizeof name)) {
        line(d, WF_LINE_ERROR, "   <QSPY-> Dictionaries NOT saved (no target info)");
        return;
    }
    in_folder(d, name, path);
    char *text = wf_dict_write(s, &len);
    FILE *f = text ? fopen(path, "wb") : NULL;
    bool good = f && fwrite(text, 1, len, f) == len;
    if (f) good &= fclose(f) == 0;
    free(text);
    if (good)
        line(d, WF_LINE_INFO, "   <QSPY-> Dictionaries saved to File=%s", name);
    else
        complain(d, path, 0, strerror(errno));
}
