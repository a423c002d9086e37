// SPDX-License-Identifier: MIT
#include "wallfly_host/wf_near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

unsigned wf_near_distance(const char *a, const char *b) {
    unsigned row[3][WF_NEAR_MOST + 1];
    size_t n = strlen(a), k = strlen(b);
    if (n > WF_NEAR_MOST || k > WF_NEAR_MOST) return WF_NEAR_MOST;
    for (unsigned j = 0; j <= k; ++j) row[0][j] = j;
    for (unsigned i = 1; i <= n; ++i) {
        unsigned *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= k; ++j) {
            char x = (char)tolower((unsigned char)a[i - 1]);
            char y = (char)tolower((unsigned char)b[j - 1]);
            unsigned best = last[j - 1] + (x != y);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && tolower((unsigned char)a[i - 2]) == y &&
                           tolower((unsigned char)b[j - 2]) == x;
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][k];
}
