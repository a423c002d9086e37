// SPDX-License-Identifier: MIT
// Files and folders that a program writes. One rule for all of them: an output is written beside
// its name, under a temporary one in the same folder, and takes its name when it is whole. A
// command that fails leaves what was there. No output may be a file that is read, and no two
// outputs may be the same file. What is no regular file (a device, a pipe, a terminal) is written
// as it is.
//
// The temporary name is .NAME.wallfly-XXXXXX. Its writer holds a lock (flock) on it: the next
// output in that folder removes those without a lock, which are left of programs that were killed.
// All functions are for one thread.
#ifndef WF_OUTFILE_H
#define WF_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "wallfly_host/wf_err.h"

#ifdef __cplusplus
extern "C" {
#endif

// The regular files that a command reads, by device and inode, and the outputs it has opened.
struct wf_files;

struct wf_files *wf_files_open(void); // null: out of memory
void wf_files_close(struct wf_files *f);
// Notes a file that is read. "-" is standard input. A name without a regular file is passed over.
// False: out of memory.
bool wf_files_add(struct wf_files *f, const char *name);
// Whether a name, or a descriptor, is one of the regular files that are read. f may be null.
bool wf_files_has(const struct wf_files *f, const char *name);
bool wf_files_has_fd(const struct wf_files *f, int fd);
// Whether a name can be an output: neither read nor written already. WF_OK, or WF_ERR_USAGE with
// why. f may be null.
int wf_files_check(const struct wf_files *f, const char *name, char why[256]);

struct wf_outfile;

enum wf_outfile_mode {
    WF_MODE_BESIDE, // a file by the rule above
    // A file that must outlive a program that is killed: a name that is free is taken at once, one
    // that is taken is kept until wf_outfile_publish() is called.
    WF_MODE_LIVE,
    WF_MODE_NEW,    // as LIVE, but the name must be free
    WF_MODE_FOLDER, // a folder by the rule above
};

// Creates an output.
//   files    what it must not be, and where it is noted; may be null
//   why      on an error the message, with the name
//   returns  WF_OK, WF_ERR_USAGE (it is read, written already, or exists with WF_MODE_NEW),
//            WF_ERR_WRITE, WF_ERR_NOMEM
int wf_outfile_open(const char *name, enum wf_outfile_mode mode, struct wf_files *files,
                    struct wf_outfile **output, char why[256]);
int wf_outfile_fd(const struct wf_outfile *o); // of a file; the output owns it
// A stream for the file, which the output closes; null: out of memory. What cannot be written is
// reported by wf_outfile_close(), too.
FILE *wf_outfile_stream(struct wf_outfile *o);
// Writes bytes to a file without its stream. Returns WF_OK, or WF_ERR_WRITE with why.
int wf_outfile_put(struct wf_outfile *o, const void *bytes, size_t len, char why[256]);
const char *wf_outfile_path(const struct wf_outfile *o); // the present name of file or folder
bool wf_outfile_is_published(const struct wf_outfile *o);
// The file takes its name now, and goes on to be written. Any thread.
int wf_outfile_publish(struct wf_outfile *o, char why[256]);
// Closes and frees. good: the output takes its name, if all could be written; else it is removed,
// unless an old file has given way to it already.
//   returns  WF_OK, or WF_ERR_WRITE with why
int wf_outfile_close(struct wf_outfile *o, bool good, char why[256]);

#ifdef __cplusplus
}
#endif
#endif
