// SPDX-License-Identifier: MIT
// Dictionary files of a session, read and saved as QSPY does.
#ifndef WF_DIC_H
#define WF_DIC_H

#include "wallfly_backend/wf_outfile.h"
#include "wallfly_host/wf_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_dic {
    const char *file;   // null: none; "auto": the file of the target's build time
    const char *folder; // folder of automatic files; null: the current one
    void *ctx;          // passed to the functions, each of which may be null
    // A line that QSPY prints.
    void (*line)(void *ctx, enum wf_line_class line, const char *text);
    // An error message for the user.
    void (*report)(void *ctx, const char *text);
    struct wf_files *files; // files that must not be overwritten; may be null
};

// Reads the names: at the start, and after each target info.
//   error    on an error the message, with the name of the file; may be null
//   returns  WF_OK, also when an automatic file does not exist; WF_ERR_LINK when a named file
//            cannot be read or is larger than any dictionary
int wf_dic_read(const struct wf_dic *d, struct wf_session *s, struct wf_error *error);
// Saves the names under the automatic file name.
void wf_dic_save(const struct wf_dic *d, struct wf_session *s);

#ifdef __cplusplus
}
#endif
#endif
