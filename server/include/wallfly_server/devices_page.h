// SPDX-License-Identifier: MIT
// The list of a project's devices as a page, without a script. Its links are of `wallfly fleet
// serve`: "device/NAME?at=TIME" and others. All texts are data: names, versions, search words.
#ifndef DEVICES_PAGE_H
#define DEVICES_PAGE_H

#include <stdio.h>
#include <time.h>

#include "wallfly_backend/wf_devices.h"

// The content security policy of these pages.
extern const char devices_page_policy[];

struct devices_page {
    const char *project;
    const struct wf_devices *devices;
    const struct wf_devices_options *asked; // what the list was asked for
    time_t now;
};

// Writes the list.
void devices_page_put(FILE *out, const struct devices_page *p);
// Writes a page that says why there is nothing else. base: path of the list, as "/TOKEN/"
void devices_page_put_error(FILE *out, unsigned status, const char *text, const char *base);

#endif
