// SPDX-License-Identifier: MIT
// The errors of the host library: one list makes the enum, the names and the texts. Functions
// return 0 or a positive count on success, one of these (negative) on an error.
#ifndef WF_ERR_H
#define WF_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

// E(name, value, text); values are appended, never reused.
#define WF_ERRORS(E)                                                                               \
    E(NOMEM, -1, "out of memory")                                                                  \
    E(BAD_SIZE, -2, "a size that the protocol does not have")                                      \
    E(BAD_VERSION, -3, "not a QS version between 4.0 and 9.9")                                     \
    E(BAD_DICT, -4, "not a dictionary file")                                                       \
    E(WRITE, -5, "the output cannot be written")                                                   \
    E(TOO_MANY, -6, "too many objects for a sequence diagram")                                     \
    E(STOPPED, -7, "stopped by the caller")                                                        \
    E(BAD_BOX, -8, "no readable black box")                                                        \
    E(USAGE, -9, "the options or arguments are not valid")                                         \
    E(LINK, -10, "the link to the target does not work")                                           \
    E(ONE_WAY, -11, "nothing can be sent to this target")                                          \
    E(NO_TARGET, -12, "no target is connected")                                                    \
    E(BAD_RECORDING, -13, "not a recording, or one that is damaged here")                          \
    E(BAD_STATE, -14, "not the state of a session")                                                \
    E(READ, -15, "the input cannot be read")                                                       \
    E(BAD_PROGRAM, -16, "no readable program, map or listing")                                     \
    E(CUT, -17, "the diagram is too large; it shows only the first part")                          \
    E(BAD_IMPORT, -18, "a recording of another tracer that cannot be read")                        \
    E(BAD_PROFILE, -19, "not a profile of wallfly stats --save, or one that is damaged here")      \
    E(BAD_NOTES, -20, "not a file of notes, or one that cannot be read here")                      \
    E(ENGINE, -21, "the database engine refuses it")                                               \
    E(BAD_CHUNK, -22, "not a chunk of a device's stream, or a damaged one")

enum wf_err {
    WF_OK = 0,
#define WF_ERR_ENUM(name, value, text) WF_ERR_##name = (value),
    WF_ERRORS(WF_ERR_ENUM)
#undef WF_ERR_ENUM
};

// The text of an error; never null, "unknown error" for a value not in the list. Any thread.
const char *wf_err_text(int err);

#ifdef __cplusplus
}
#endif
#endif
