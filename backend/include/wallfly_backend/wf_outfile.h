// SPDX-License-Identifier: MIT
// Output files and folders. The same rule holds for all: an output is written under a temporary
// name in its folder, and renamed to its own name when it is complete. A command that fails leaves
// existing files as they were. No output may be a file that is read, and no two outputs may be the
// same file. A device, pipe or terminal is written directly.
//
// The temporary name is .NAME.wallfly-XXXXXX. Its writer holds a lock (flock) on it. The next
// output in that folder removes temporary files without a lock, which are leftovers of killed
// programs. All functions must be called from one thread.
#ifndef WF_OUTFILE_H
#define WF_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

// The regular files that a command reads, by device and inode, and the outputs that it has opened.
struct wf_files;

struct wf_files *wf_files_open(void); // null: out of memory
void wf_files_close(struct wf_files *f);
// Notes a file that is read. "-" is standard input. A name that is not a regular file is ignored.
// Returns false when out of memory.
bool wf_files_add(struct wf_files *f, const char *name);
// Returns whether a name, or a descriptor, is one of the regular files that are read. f may be
// null.
bool wf_files_has(const struct wf_files *f, const char *name);
bool wf_files_has_fd(const struct wf_files *f, int fd);
// Checks that a name can be an output: neither read nor already written. Returns WF_OK or
// WF_ERR_USAGE. f may be null.
int wf_files_check(const struct wf_files *f, const char *name, struct wf_error *error);

struct wf_outfile;

enum wf_outfile_mode {
    WF_MODE_BESIDE, // a file, by the rule above
    // A file that must survive when the program is killed: a free name is used at once; an existing
    // file is kept until wf_outfile_publish() is called.
    WF_MODE_LIVE,
    WF_MODE_NEW,    // as LIVE, but the name must be free
    WF_MODE_FOLDER, // a folder, by the rule above
};

// Creates an output.
//   files    the files that it must differ from; the output is added. May be null
//   error    on an error the message, with the name
//   returns  WF_OK, WF_ERR_USAGE (it is read, written already, or exists with WF_MODE_NEW),
//            WF_ERR_WRITE, WF_ERR_NOMEM
int wf_outfile_open(const char *name, enum wf_outfile_mode mode, struct wf_files *files,
                    struct wf_outfile **output, struct wf_error *error);
int wf_outfile_fd(const struct wf_outfile *o); // the descriptor of a file; owned by the output
// Returns a stream for the file, which the output closes; null when out of memory.
// wf_outfile_close() also reports write errors of the stream.
FILE *wf_outfile_stream(struct wf_outfile *o);
// Writes bytes to the file without the stream. Returns WF_OK or WF_ERR_WRITE.
int wf_outfile_put(struct wf_outfile *o, const void *bytes, size_t len, struct wf_error *error);
const char *wf_outfile_path(const struct wf_outfile *o); // the current name of the file or folder
bool wf_outfile_is_published(const struct wf_outfile *o);
// Renames the file to its own name now; writing continues. Safe to call from any thread.
int wf_outfile_publish(struct wf_outfile *o, struct wf_error *error);
// Closes and frees the output. If `good` and all writes succeeded, it is renamed to its own name;
// else it is removed, unless it has replaced an old file already.
//   returns  WF_OK or WF_ERR_WRITE
int wf_outfile_close(struct wf_outfile *o, bool good, struct wf_error *error);

#ifdef __cplusplus
}
#endif
#endif
