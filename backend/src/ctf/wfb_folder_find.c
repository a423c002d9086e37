// SPDX-License-Identifier: MIT
// Finds the files of a trace. Links are not followed into folders, so there are no cycles.

#include "wfb_folder_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 6, ENTRIES_MAX = 65536 };

static char *join(const char *folder, const char *name) {
    char *path = NULL;
    size_t len = strlen(folder);
    bool slash = len && folder[len - 1] == '/';
    return asprintf(&path, "%s%s%s", folder, slash ? "" : "/", name) < 0 ? NULL : path;
}

static int set_error(const char *name, struct wf_error *error) {
    if (errno == ENOMEM) return wf_error_code(error, WF_ERR_NOMEM);
    return wf_error_set(error, WF_ERR_LINK, "%s: %s", name, strerror(errno));
}

static int is_shown(const struct dirent *e) { return e->d_name[0] != '.'; }

static void free_entries(struct dirent **entries, int count) {
    for (int i = 0; i < count; ++i) free(entries[i]);
    free(entries);
}

// Returns 'f' for a file, 'd' for a folder, 0 for others.
static char kind_of(const char *path) {
    struct stat st;
    if (lstat(path, &st) != 0) return 0;
    if (S_ISDIR(st.st_mode)) return 'd';
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? 'f' : 0;
}

static int find_below(const char *name, unsigned depth, struct wfb_folders *found,
                      struct wf_error *error);

static int look_into(const char *folder, const char *name, unsigned depth,
                     struct wfb_folders *found, struct wf_error *error) {
    char *path = join(folder, name);
    if (!path) return wf_error_code(error, WF_ERR_NOMEM);
    int err = WF_OK;
    if (kind_of(path) == 'd') err = find_below(path, depth + 1, found, error);
    free(path);
    return err;
}

// Returns 1 when the folder itself has a file `metadata`.
static int take_folder(const char *name, struct wfb_folders *found, struct wf_error *error) {
    char *path = join(name, "metadata");
    if (!path) return wf_error_code(error, WF_ERR_NOMEM);
    bool is = kind_of(path) == 'f';
    free(path);
    if (!is) return WF_OK;
    if (found->count == WFB_FOLDERS_MAX)
        return wf_error_set(error, WF_ERR_LINK, "%s: more than %d traces", name, WFB_FOLDERS_MAX);
    found->name[found->count] = strdup(name);
    if (!found->name[found->count]) return wf_error_code(error, WF_ERR_NOMEM);
    ++found->count;
    return 1;
}

static int find_below(const char *name, unsigned depth, struct wfb_folders *found,
                      struct wf_error *error) {
    struct dirent **entries = NULL;
    int err = take_folder(name, found, error);
    if (err == 1 || depth == DEPTH_MAX) return WF_OK;
    if (err != WF_OK) return err;
    int count = scandir(name, &entries, is_shown, alphasort);
    if (count < 0) return set_error(name, error);
    for (int i = 0; i < count && i < ENTRIES_MAX && err == WF_OK; ++i)
        err = look_into(name, entries[i]->d_name, depth, found, error);
    free_entries(entries, count);
    return err;
}

int wfb_folders_find(const char *name, struct wfb_folders *found, struct wf_error *error) {
    *found = (struct wfb_folders){.count = 0};
    int err = find_below(name, 0, found, error);
    if (err != WF_OK) wfb_folders_free(found);
    return err;
}

void wfb_folders_free(struct wfb_folders *found) {
    for (unsigned i = 0; i < found->count; ++i) free(found->name[i]);
    found->count = 0;
}

int wfb_folder_only_file(const char *name, char **file, struct wf_error *error) {
    struct dirent **entries = NULL;
    unsigned files = 0;
    bool good = true;
    *file = NULL;
    int count = scandir(name, &entries, is_shown, alphasort);
    if (count < 0) return set_error(name, error);
    for (int i = 0; i < count && good; ++i) {
        char *path = join(name, entries[i]->d_name);
        good = path != NULL;
        if (!path || strcmp(entries[i]->d_name, "metadata") == 0 || kind_of(path) != 'f') {
            free(path);
            continue;
        }
        free(*file);
        *file = path;
        ++files;
    }
    free_entries(entries, count);
    if (good && files == 1) return WF_OK;
    free(*file);
    *file = NULL;
    return good ? WF_OK : wf_error_code(error, WF_ERR_NOMEM);
}
