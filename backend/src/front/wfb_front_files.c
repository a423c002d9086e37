// SPDX-License-Identifier: MIT
// The files that front ends switch on and off: text, received bytes, MATLAB, sequence diagram.
// Their names contain the time when they were opened, as QSPY's.

#include "wfb_front.h"

#include <string.h>
#include <time.h>

static const struct {
    enum wf_front_file which;
    const char *title, *ending;
    char key;
} kinds[WFB_FILES] = {
    {WF_FRONT_TEXT, "Screen", "txt", 'o'},
    {WF_FRONT_BINARY, "Binary", "bin", 's'},
    {WF_FRONT_MATLAB, "Matlab", "mat", 'm'},
    {WF_FRONT_SEQUENCE, "Sequence", "seq", 'g'},
};

// Prints a message that QSPY prints on its standard output only.
static void print_switch(struct wf_front *f, unsigned i, const char *name) {
    char text[128];
    int len = snprintf(text, sizeof text, "   <USER-> %s Output [%c] File=%s", kinds[i].title,
                       kinds[i].key, name);
    if (f->on.line) f->on.line(f->on.ctx, WF_LINE_INFO, f->record, text, (size_t)len);
}

static bool write_file(void *ctx, const char *bytes, size_t len) {
    return fwrite(bytes, 1, len, ctx) == len;
}

static void open_writer(struct wf_front *f, const char *format, struct wf_writer **writer,
                        FILE *file) {
    struct wf_writer_options wo = {.size = sizeof wo, .objects = f->options.objects};
    struct wf_error error;
    *writer = wf_writer_open(wf_format_find(format), wf_hub_session(f->hub), &wo, write_file, file,
                             &error);
    if (!*writer && f->on.report) f->on.report(f->on.ctx, error.text);
}

static void close_writer(struct wf_writer **writer) {
    if (*writer) wf_writer_close(*writer);
    *writer = NULL;
}

static void close_file(struct wf_front *f, unsigned i) {
    struct wfb_file *file = &f->files[i];
    if (!file->file) return;
    if (kinds[i].which == WF_FRONT_MATLAB) close_writer(&f->mat);
    if (kinds[i].which == WF_FRONT_SEQUENCE) close_writer(&f->diagram);
    struct wf_error error;
    if (wf_outfile_close(file->output, true, &error) != WF_OK && f->on.report)
        f->on.report(f->on.ctx, error.text);
    file->output = NULL;
    file->file = NULL;
}

// Creates a file; a number is added if the name exists from the same second.
static FILE *create_file(struct wf_front *f, unsigned i, const char *stamp, char name[64]) {
    enum { TRIES = 100 };
    struct wfb_file *file = &f->files[i];
    const char *folder = f->options.folder;
    char path[1024], number[16] = "";
    struct wf_error error;
    int err = WF_ERR_USAGE;
    for (unsigned n = 1; err == WF_ERR_USAGE && n <= TRIES; ++n) {
        if (n > 1) snprintf(number, sizeof number, "-%u", n);
        snprintf(name, 64, "qspy%s%s.%s", stamp, number, kinds[i].ending);
        snprintf(path, sizeof path, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
        err = wf_outfile_open(path, WF_MODE_NEW, f->options.command_files, &file->output, &error);
    }
    if (err != WF_OK && f->on.report) f->on.report(f->on.ctx, error.text);
    return err == WF_OK ? wf_outfile_stream(file->output) : NULL;
}

static void open_file(struct wf_front *f, unsigned i) {
    struct wfb_file *file = &f->files[i];
    char stamp[32], name[64];
    time_t now = time(NULL);
    struct tm tm;
    strftime(stamp, sizeof stamp, "%y%m%d_%H%M%S", localtime_r(&now, &tm));
    file->file = create_file(f, i, stamp, name);
    if (!file->file) {
        print_switch(f, i, "OFF");
        return;
    }
    if (kinds[i].which == WF_FRONT_TEXT)
        fprintf(file->file,
                "wallfly serve\nDocumentation: docs/front-ends.md\n"
                "Current timestamp: %s\n",
                stamp);
    if (kinds[i].which == WF_FRONT_MATLAB) open_writer(f, "mat", &f->mat, file->file);
    if (kinds[i].which == WF_FRONT_SEQUENCE) open_writer(f, "seq", &f->diagram, file->file);
    print_switch(f, i, name);
}

void wfb_file_switch(struct wf_front *f, enum wf_front_file which, uint8_t what,
                     struct wfb_front_end *by) {
    unsigned i = 0;
    while (kinds[i].which != which) ++i;
    if (which == WF_FRONT_SEQUENCE && !f->options.objects) {
        wfb_front_printf(f, WF_LINE_ERROR, by,
                         "   <QSPY-> Sequence list NOT provided (no -g option) ");
        return;
    }
    bool on = f->files[i].file != NULL, want = what > 1 ? !on : what == 1;
    if (want && !on) open_file(f, i);
    if (want || !on) return;
    close_file(f, i);
    print_switch(f, i, "OFF");
}

void wfb_files_open(struct wf_front *f) {
    for (unsigned i = 0; i < WFB_FILES; ++i) {
        if (f->options.files & kinds[i].which) wfb_file_switch(f, kinds[i].which, 1, NULL);
    }
}

void wfb_files_close(struct wf_front *f) {
    for (unsigned i = 0; i < WFB_FILES; ++i) close_file(f, i);
}

// A full disk ends the file, not the server.
static void write_bytes(struct wf_front *f, unsigned i, const void *bytes, size_t len) {
    struct wfb_file *file = &f->files[i];
    if (!file->file || fwrite(bytes, 1, len, file->file) == len) return;
    close_file(f, i);
}

void wfb_files_bytes(struct wf_front *f, const uint8_t *bytes, size_t len) {
    write_bytes(f, 1, bytes, len);
}

void wfb_files_line(struct wf_front *f, const char *text, size_t len) {
    write_bytes(f, 0, text, len);
    write_bytes(f, 0, "\n", 1);
}

void wfb_files_item(struct wf_front *f, const struct wf_item *item) {
    if (f->mat) wf_writer_item(f->mat, item);
    if (f->diagram) wf_writer_item(f->diagram, item);
}

// Keeps the files on disk at most a second old.
void wfb_files_flush(struct wf_front *f) {
    if (f->mat) wf_writer_flush(f->mat);
    if (f->diagram) wf_writer_flush(f->diagram);
    for (unsigned i = 0; i < WFB_FILES; ++i) {
        if (!f->files[i].file || (fflush(f->files[i].file) == 0 && !ferror(f->files[i].file)))
            continue;
        close_file(f, i);
    }
}
