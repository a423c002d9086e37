// SPDX-License-Identifier: MIT
// The program file of the target given by --elf or --map, for the sessions of a command.
#ifndef NAMES_H
#define NAMES_H

#include "wallfly_backend/wf_input.h"
#include "wallfly_host/wf_program.h"

struct names_options {
    const char *elf, *map, *loaded_at; // as on the command line; null: not given
};

struct names {
    const char *file; // null: none
    struct wf_input bytes;
    struct wf_program *program;
    bool placed;
    uint64_t loaded_at;
    bool reported; // the mismatch with the target was reported
    // After names_add:
    uint8_t *own;         // the bytes of the program
    struct names *before; // may still be used; closed with this
    struct names_dictionary {
        struct names_dictionary *before;
        uint8_t *bytes;
        size_t len;
    } * dictionary; // the last one; null: none
};

// Option rows for all commands with names.
#define NAMES_ROWS                                                                                 \
    {"elf", 0, "PROGRAM",                                                                          \
     "the ELF file of the target's program: names of objects and functions that the trace does "   \
     "not contain, and log texts (docs/names.md); with --ram-image also the recorder's address"},  \
        {"map", 0, "FILE", "names from a map of GNU ld, or a listing of nm"}, {                    \
        "loaded-at", 0, "ADDRESS",                                                                 \
            "load address of a position-independent program, if the trace does not contain it"     \
    }

// Reads a file of names or memory as a whole. Returns an exit code, after an error message: an
// empty file is an error. Free it with wf_input_close().
int map_file(const char *name, struct wf_input *m);

// Prints errors itself. Returns an exit code.
int names_open(struct names *n, const struct names_options *o);
void names_use(struct names *n, struct wf_session *s);
// Returns true once, when there is a warning: the file does not belong to the target; at the end
// also: the load address is not known.
bool names_watch(struct names *n, const struct wf_session *s, bool end, char text[512]);
// Applies the dictionaries that were added to a session, at the begin of its trace.
void names_begin(const struct names *n, struct wf_session *s);
// Adds the names of a dictionary file, or takes those of another program, for the session and those
// that names_use and names_begin get later. `bytes` are freed with the names, or on an error.
//   returns  WF_OK; WF_ERR_BAD_PROGRAM: none of these files, or of another build, or its load
//            address is not known; WF_ERR_BAD_DICT, WF_ERR_NOMEM
int names_add(struct names *n, struct wf_session *s, uint8_t *bytes, size_t len,
              struct wf_error *error);
void names_close(struct names *n);

#endif
