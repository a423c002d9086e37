// SPDX-License-Identifier: MIT
// What is known of the target's program from a file that its build leaves: names of objects and
// functions by address, constant texts, the build id. The file is an ELF file (32 and 64 bits, both
// byte orders, any machine), a map of GNU ld or a listing of nm; recognized by the
// content. Opens no file and trusts none: nothing outside of the bytes is read.
//
// Addresses are those the target sends. Of a program that can be loaded anywhere they are those of
// the file, that is less where it was loaded; wf_session_use_program takes care of that for a
// session.
#ifndef WF_PROGRAM_H
#define WF_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wf_session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_program;

enum wf_program_kind { WF_PROGRAM_ELF, WF_PROGRAM_MAP, WF_PROGRAM_NM };

// What an address is wanted as: a pointer to data or to code. On most targets the other kind is
// taken where there is none of this one; on AVR these are two memories.
enum wf_program_what { WF_PROGRAM_OBJECT, WF_PROGRAM_FUNCTION };

struct wf_program_info {
    enum wf_program_kind kind;
    const char *kind_name; // "ELF file", "linker map", "nm listing"
    const char *machine;   // "ARM", "AVR", "" when it is none that needs special care
    unsigned bits;         // 32 or 64; 0: not known (maps and listings)
    bool big_endian;
    bool moves; // it can be loaded anywhere, so where it is must be known
    bool has_build_id;
    uint32_t build_id; // first 4 bytes of the GNU build id, the first one lowest (docs/names.md)
    size_t objects, functions; // symbols
};

enum { WF_PROGRAM_PROBLEM = 256, WF_PROGRAM_NAME = 1024, WF_PROGRAM_TEXT = 4096 };

// Takes a file in. Its bytes must stay until wf_program_close.
//   problem  on an error: the place in the file, the fault and the remedy
//   returns  null on an error, *err is then WF_ERR_BAD_PROGRAM or WF_ERR_NOMEM
//   context  a program is for one thread at a time, as it looks into debug data when asked to
struct wf_program *wf_program_open(const uint8_t *bytes, size_t len,
                                   char problem[WF_PROGRAM_PROBLEM], int *err);
void wf_program_close(struct wf_program *p);
const struct wf_program_info *wf_program_about(const struct wf_program *p);

// The name of an address: "table", "table[3].lock" and "table[0]" (by debug data, of structures),
// "table+0x1C", "main.o:.bss+0x4" (of a map, which does not know file-level objects); C++ names as
// they are written.
//   text     set, zero-terminated; a longer one is cut to WF_PROGRAM_NAME - 1
//   returns  its length, 0: nothing is known of this address
size_t wf_program_name(struct wf_program *p, enum wf_program_what what, uint64_t address,
                       char text[WF_PROGRAM_NAME]);
// The address, as the target sends it, of the one symbol that is called so. False: there is none,
// or there are several.
bool wf_program_find(struct wf_program *p, enum wf_program_what what, const char *name,
                     uint64_t *address);
// Gives the names of all symbols of a kind, C++ names as the linker knows them left out.
void wf_program_each(const struct wf_program *p, enum wf_program_what what,
                     void (*offer)(void *ctx, const char *name), void *ctx);

// The constant text at an address: of sections that are in the file and not written to by the
// program; on AVR of .data, too, and of program memory where there is no data.
//   text     set to where it lies, zero-terminated, fewer than WF_PROGRAM_TEXT bytes
//   returns  false: there is no text there that ends, or the file has no contents (maps)
bool wf_program_text(const struct wf_program *p, uint64_t address, const char **text, size_t *len);

// How the program fits the target of a session.
enum wf_program_fit {
    WF_PROGRAM_NONE,      // none in use
    WF_PROGRAM_UNCHECKED, // the target or the file has no build id
    WF_PROGRAM_FITS,
    WF_PROGRAM_OTHER_BUILD, // the build ids differ: no names are taken from it
    WF_PROGRAM_UNPLACED     // it moves, and where it was loaded is not known yet: no names
};

// Lets a session take the names from a program that its dictionaries, which win, do not have.
// A program that moves is placed by the first object or function in the dictionaries that it knows
// by name (after each start of the target anew), unless `loaded_at` gives its place.
//   loaded_at  null, or what is to be added to the addresses of the file
//   p          must outlive the session, or be taken back with null
void wf_session_use_program(struct wf_session *s, struct wf_program *p, const uint64_t *loaded_at);
// placed: set to what is added to the file's addresses, 0 when that is not known; may be null
enum wf_program_fit wf_program_fit(const struct wf_session *s, uint64_t *placed);
// The constant text at an address of the session's target: what the object dictionary calls it,
// else as wf_program_text. For fields of kind TEXT, and formats of logs. Valid until the next
// wf_session_next.
bool wf_text_trace_at(const struct wf_session *s, uint64_t address, const char **text, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
