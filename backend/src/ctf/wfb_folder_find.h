// SPDX-License-Identifier: MIT
// Finds the files of a trace in a folder.
#ifndef WFB_FOLDER_FIND_H
#define WFB_FOLDER_FIND_H

#include "wallfly_host/wf_error.h"

enum { WFB_FOLDERS_MAX = 64 };

// Folders with a file `metadata`: the folder itself, or those in it (of a session of LTTng).
struct wfb_folders {
    char *name[WFB_FOLDERS_MAX];
    unsigned count;
};

// Returns WF_OK (perhaps with none), WF_ERR_LINK, WF_ERR_NOMEM.
int wfb_folders_find(const char *name, struct wfb_folders *found, struct wf_error *error);
void wfb_folders_free(struct wfb_folders *found);
// Finds the only file of a folder besides `metadata`. *file: its path, to be freed; null if there
// is none, or several. Returns WF_OK, WF_ERR_LINK, WF_ERR_NOMEM.
int wfb_folder_only_file(const char *name, char **file, struct wf_error *error);

#endif
