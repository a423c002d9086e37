// SPDX-License-Identifier: MIT
// What `wallfly doctor` finds out about a source and a program file, and the diagnoses that it
// knows. Each diagnosis is a row of a table (rows_*.h); docs/doctor.md is made from the table. A
// finding is a row that applies, with its evidence and the command to run next.
#ifndef DOCTOR_H
#define DOCTOR_H

#include "../names.h"
#include "../stream.h"
#include "rows_elf.h"
#include "rows_link.h"
#include "rows_stream.h"
#include "wallfly_backend/wf_link.h"
#include "wallfly_host/wf_firmware.h"
#include "wallfly_host/wf_trace.h"

enum doctor_severity {
    DOCTOR_CLOSED, // a fault: the source or program file cannot be opened at all
    DOCTOR_FAULT,
    DOCTOR_GOOD,
    DOCTOR_HINT // the trace can be used, but something could be better
};
extern const char *const doctor_severities[]; // "closed", "fault", "good", "hint"

// What a diagnosis is made from.
enum doctor_need {
    DOCTOR_NEEDS_LINK = 1,
    DOCTOR_NEEDS_STREAM = 2,
    DOCTOR_NEEDS_ELF = 4,
    DOCTOR_NEEDS_RTT = 8
};

// D(id, name, severity, needs, title, meaning, remedy): severity and needs without their prefix, as
// in CLOSED and ELF | STREAM.
//
// In the order in which findings of one severity are shown: what prevents the others comes first.
#define DOCTOR_ROWS(D)                                                                             \
    DOCTOR_ELF_ROWS(D) DOCTOR_RTT_ROWS(D) DOCTOR_LINK_ROWS(D) DOCTOR_STREAM_ROWS(D)

enum doctor_id {
#define WF_X(id, name, severity, needs, title, meaning, remedy) DOCTOR_##id,
    DOCTOR_ROWS(WF_X)
#undef WF_X
        DOCTOR_END
};

struct doctor_row {
    const char *name; // "wrong-baud"
    enum doctor_severity severity;
    unsigned needs;      // of enum doctor_need
    const char *title;   // half a sentence: "The baud rate is wrong"
    const char *meaning; // what it means, and how it is recognised
    const char *remedy;  // what to do
};
extern const struct doctor_row doctor_rows[DOCTOR_END];

enum { DOCTOR_SAMPLE = 65536, DOCTOR_TEXT = 512, DOCTOR_COMMAND = 512 };

struct doctor_finding {
    enum doctor_id id;
    char evidence[DOCTOR_TEXT];   // what was measured or seen
    char command[DOCTOR_COMMAND]; // to run next; "": none
};

struct doctor_seen;

// What a look at the source gave. All 0 before the look, and without a source.
struct doctor_look {
    int err;                // WF_OK; the source could not be opened: enum wf_err, and `why`
    char why[256];          // the last message of the link, or why it could not be opened
    bool connected;         // a target, device or server is or was at the other end
    bool asked;             // INFO was sent
    bool ended;             // no more bytes will come
    bool interrupted;       // by a signal
    bool garbled;           // the bytes are those of frames, but not as they were sent
    bool cut, damaged;      // the recording ends too early, or parts of it are damaged
    char peer[128];         // name of the connected target
    unsigned peers;         // connections so far
    uint64_t bytes;         // of all targets
    double seconds;         // from the first byte to the end of the look; 0: a file
    uint8_t *sample;        // the first bytes, at most DOCTOR_SAMPLE; null: none, or a recording
    size_t sample_len;      // 0 if there are none
    struct wf_trace *trace; // decodes all bytes
    unsigned lane_end;      // lanes of the trace have lower numbers
    struct wf_lane *lane;   // with the most bytes; null: there are no bytes
    struct wf_session *session; // of the lane; null as the lane
    struct doctor_seen *seen;   // of the lane (seen.h); null as the lane
    enum wf_lane_format format; // of the lane
};

struct doctor {
    const struct args *args;
    char corrected[320]; // the source with the rate that was found
    const char *source;  // null: none
    const char *elf;     // name of the program file; null: none
    struct names names;  // of the program file, if it can be read and has symbols
    bool program;        // the program file was read: `firmware` is set; else elf_why
    struct wf_firmware_info firmware;
    char elf_why[256];
    const char *seconds_text; // as given; null: not given
    double seconds;           // most time of all looks at a live source
    enum wf_ask ask;          // whether the target may be asked (wf_link.h)
    struct wf_session_options session;
    struct input_options input;
    bool live;         // more bytes may arrive at any time
    uint64_t began_ns; // of all looks, by uv_hrtime
    struct doctor_look look;
    struct doctor_finding *findings; // in the order of doctor_sort, once it was called
    unsigned count;
    int code;    // of an error that was reported: a usage error of the source; else EXIT_GOOD
    bool failed; // out of memory
};

// Adds a finding. command: null or "": none. evidence: a format.
void doctor_find(struct doctor *d, enum doctor_id id, const char *command, const char *evidence,
                 ...) __attribute__((format(printf, 4, 5)));
// Appends a word to a command line, quoted for the shell if it must be.
void doctor_word(char command[DOCTOR_COMMAND], const char *word);
// Makes "wallfly VERB SOURCE EXTRA", with the options for sessions that were given (--elf and so
// on). extra: an option that replaces a given one of its name, or null.
void doctor_command(const struct doctor *d, const char *verb, const char *source, const char *extra,
                    char command[DOCTOR_COMMAND]);
bool doctor_has(const struct doctor *d, enum doctor_id id);
// Returns whether there is a finding of severity CLOSED or FAULT.
bool doctor_has_fault(const struct doctor *d);

// Parts of doctor_run, in the order in which they are called. Each adds findings.
void doctor_elf_open(struct doctor *d); // opens the names, for the sessions of the look (elf.c)
void doctor_link(struct doctor *d);     // looks at the source (link.c)
void doctor_rtt(struct doctor *d);      // after the look at an RTT server (rtt.c)
void doctor_elf(struct doctor *d);      // the program file, and whether it fits the look (elf.c)
void doctor_records(struct doctor *d);  // the records of the look (records.c)

// Makes all diagnoses, and sorts them: the most severe first, then in the order of the table.
// Returns an exit code, after an error message; findings are not errors.
int doctor_run(struct doctor *d);
void doctor_close(struct doctor *d);
int doctor_exit_code(const struct doctor *d);
void doctor_text(const struct doctor *d); // as sentences
void doctor_json(const struct doctor *d); // as one object
void doctor_next(const struct doctor *d); // only the command to run next, if there is one
void doctor_list(bool markdown);          // all diagnoses

#endif
