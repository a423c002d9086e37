// SPDX-License-Identifier: MIT
// Reads names of objects and functions by address, constant texts and the build id of the target's
// program from a file of its build: an ELF file (32 and 64 bits, both byte orders, any machine), a
// map of GNU ld or a listing of nm, recognized by content. Opens no file, and reads nothing outside
// of the given bytes, whatever their contents.
//
// Addresses are as the target sends them. Those of a position-independent program are the file's,
// without the load address; wf_session_use_program subtracts that for a session.
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

// The kind of symbol to look up: data or code. On most targets a lookup falls back to the other
// kind; on AVR these are two memories.
enum wf_program_what { WF_PROGRAM_OBJECT, WF_PROGRAM_FUNCTION };

struct wf_program_info {
    enum wf_program_kind kind;
    const char *kind_name; // "ELF file", "linker map", "nm listing"
    const char *machine;   // "ARM", "AVR"; "" for machines without special rules
    unsigned bits;         // 32 or 64; 0: not known (maps and listings)
    bool big_endian;
    bool moves; // position-independent: its load address must be known
    bool has_build_id;
    uint32_t build_id; // first 4 bytes of the GNU build id, the first one lowest (docs/names.md)
    size_t objects, functions; // symbols
};

enum { WF_PROGRAM_NAME = 1024, WF_PROGRAM_TEXT = 4096 };

// Opens a program from the bytes of a file, which must stay valid until wf_program_close.
//   error    set, may be null. WF_ERR_BAD_PROGRAM: the text has the place in the file, the fault
//            and the remedy; WF_ERR_NOMEM
//   returns  null on an error
//   context  one thread at a time per program, because lookups load debug data on demand
struct wf_program *wf_program_open(const uint8_t *bytes, size_t len, struct wf_error *error);
void wf_program_close(struct wf_program *p);
const struct wf_program_info *wf_program_about(const struct wf_program *p);

// Prints the name of an address: "table", "table[3].lock" and "table[0]" (by debug data, of
// structures), "table+0x1C", "main.o:.bss+0x4" (of a map, which has no file-level objects); C++
// names are demangled.
//   text     set, zero-terminated; a longer one is cut to WF_PROGRAM_NAME - 1
//   returns  its length; 0 when the address is unknown
size_t wf_program_name(struct wf_program *p, enum wf_program_what what, uint64_t address,
                       char text[WF_PROGRAM_NAME]);
// Finds the address, as the target sends it, of the symbol of this name. Returns false when there
// is none or more than one.
bool wf_program_find(struct wf_program *p, enum wf_program_what what, const char *name,
                     uint64_t *address);
// Offers the names of all symbols of a kind, without mangled C++ names.
void wf_program_each(const struct wf_program *p, enum wf_program_what what,
                     void (*offer)(void *ctx, const char *name), void *ctx);

// Finds the constant text at an address: in sections that have contents and are read-only; on AVR
// also in .data, and in program memory if there is no data at the address.
//   text     set to the text in the file, zero-terminated, fewer than WF_PROGRAM_TEXT bytes
//   returns  false: no terminated text is there, or the file has no contents (maps)
bool wf_program_text(const struct wf_program *p, uint64_t address, const char **text, size_t *len);

// How the program fits the target of a session.
enum wf_program_fit {
    WF_PROGRAM_NONE,      // no program is in use
    WF_PROGRAM_UNCHECKED, // the target or the file has no build id
    WF_PROGRAM_FITS,
    WF_PROGRAM_OTHER_BUILD, // the build ids differ: no names are taken from it
    WF_PROGRAM_UNPLACED     // position-independent, load address not yet known: no names
};

// Lets a session use the names of a program where its dictionaries have none. A
// position-independent program is located by the first object or function of the dictionaries whose
// name it has (again after each start of the target), unless `loaded_at` is given.
//   loaded_at  null, or the number to add to the file's addresses
//   p          must outlive the session, or be removed with null
void wf_session_use_program(struct wf_session *s, struct wf_program *p, const uint64_t *loaded_at);
// placed: set to the number added to the file's addresses, 0 when unknown; may be null
enum wf_program_fit wf_program_fit(const struct wf_session *s, uint64_t *placed);
// Finds the constant text at an address of the session's target: its name in the object dictionary,
// else as wf_program_text. For fields of kind TEXT, and formats of logs. Valid until the next
// wf_session_next.
bool wf_session_text_at(const struct wf_session *s, uint64_t address, const char **text,
                        size_t *len);

#ifdef __cplusplus
}
#endif
#endif
