// SPDX-License-Identifier: MIT
// See files.h.

#include "files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cmd.h"
#include "wallfly_host/wf_fleet_sql.h"

static struct folder {
    char name[512];
    char (*files)[512 + WF_FLEET_DEVICE_MAX + 32]; // an empty one is free
    int most;
} folder;

static void remove_files(void) {
    for (int i = 0; i < folder.most; ++i) {
        if (*folder.files[i]) unlink(folder.files[i]);
    }
    if (*folder.name) rmdir(folder.name);
}

// Commands that read a link have handlers of their own later, and end as usual.
static void on_signal(int number) {
    remove_files();
    signal(number, SIG_DFL);
    raise(number);
}

// A signal that the caller ignores stays so.
static void catch_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; ++i) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            signal(signals[i], on_signal);
    }
}

int fleet_files_open(int most) {
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary) temporary = "/tmp";
    if (strlen(temporary) > sizeof folder.name - 16)
        return diag_error(EXIT_USAGE, "TMPDIR: is longer than %zu bytes", sizeof folder.name - 16);
    snprintf(folder.name, sizeof folder.name, "%s/wallfly-XXXXXX", temporary);
    folder.files = calloc((size_t)most, sizeof *folder.files);
    if (!folder.files) return out_of_memory();
    folder.most = most;
    if (!mkdtemp(folder.name)) {
        int code = diag_error(EXIT_INPUT, "%s: %s", folder.name, strerror(errno));
        *folder.name = 0;
        return code;
    }
    atexit(remove_files);
    catch_signals();
    return EXIT_GOOD;
}

const char *fleet_files_folder(void) { return folder.name; }

// Two windows of a device have files of different names.
FILE *fleet_file_create(const char *device, const char *ending, const char **name) {
    int i = 0;
    while (i < folder.most && *folder.files[i]) ++i;
    if (i == folder.most) {
        errno = ENFILE;
        return NULL;
    }
    char *file = folder.files[i];
    snprintf(file, sizeof *folder.files, "%s/%s%s", folder.name, device, ending);
    for (int n = 2; access(file, F_OK) == 0; ++n)
        snprintf(file, sizeof *folder.files, "%s/%s-%d%s", folder.name, device, n, ending);
    FILE *f = fopen(file, "wbx");
    if (!f) *file = 0;
    *name = file;
    return f;
}

void fleet_file_remove(const char *name) {
    for (int i = 0; name && i < folder.most; ++i) {
        if (folder.files[i] != name) continue;
        unlink(name);
        *folder.files[i] = 0;
    }
}
