// SPDX-License-Identifier: MIT
// How near two words are, for messages that suggest what was meant.
#ifndef WF_NEAR_H
#define WF_NEAR_H

#ifdef __cplusplus
extern "C" {
#endif

enum { WF_NEAR_MOST = 40 }; // longest word

// Returns the number of letters to insert, delete or replace to get from one word to the other; a
// swap of two neighbours counts once, case does not count. WF_NEAR_MOST for longer words.
unsigned wf_near_distance(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
