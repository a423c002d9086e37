// SPDX-License-Identifier: MIT
#include "wfb_spool.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = ".spool";
enum { DIGITS = 16 };

size_t wfb_spool_take(const uint8_t *bytes, size_t len, struct wf_spool_entry *entry) {
    if (len < WFB_SPOOL_HEAD) return 0;
    const size_t rest =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    const size_t name = bytes[4], head = WFB_SPOOL_HEAD + name;
    size_t at = head;
    if (rest > WFB_SPOOL_ENTRY_MAX || name < 1 || name > WF_FLEET_DEVICE_MAX || rest < 1 + name)
        return SIZE_MAX;
    const size_t whole = rest + 4;
    if (len < whole) return 0;
    memcpy(entry->device, bytes + WFB_SPOOL_HEAD, name);
    entry->device[name] = 0;
    if (strlen(entry->device) != name || !wf_fleet_is_device(entry->device) ||
        wf_fleet_chunk_read(bytes, whole, &at, &entry->chunk, NULL) != WF_OK || at != whole)
        return SIZE_MAX;
    return whole;
}

void wfb_spool_name(const char *folder, uint64_t position, char path[WFB_SPOOL_PATH]) {
    snprintf(path, WFB_SPOOL_PATH, "%s/%016" PRIX64 "%s", folder, position, ending);
}

// Returns false for a file that is none of a spool.
static bool take_position(const char *name, uint64_t *position) {
    if (strlen(name) != DIGITS + sizeof ending - 1 || strcmp(name + DIGITS, ending) != 0)
        return false;
    if (strspn(name, "0123456789ABCDEF") != DIGITS) return false;
    *position = strtoull(name, NULL, 16);
    return true;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int wfb_spool_list(const char *folder, uint64_t **files, size_t *count) {
    DIR *d = opendir(folder);
    size_t cap = 0;
    *files = NULL;
    *count = 0;
    if (!d) return WF_ERR_READ;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        uint64_t position;
        if (!take_position(e->d_name, &position)) continue;
        if (*count == cap) {
            cap = 2 * cap + 16;
            uint64_t *more = realloc(*files, cap * sizeof *more);
            if (!more) {
                closedir(d);
                free(*files);
                return WF_ERR_NOMEM;
            }
            *files = more;
        }
        (*files)[(*count)++] = position;
    }
    closedir(d);
    if (*count) qsort(*files, *count, sizeof **files, compare);
    return WF_OK;
}
