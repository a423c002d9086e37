// SPDX-License-Identifier: MIT
// The pages' files, embedded in the binary: those of web/bundle, plain and compressed, and the
// style of the list of devices.
#ifndef BUNDLE_H
#define BUNDLE_H

#include "wallfly_backend/wf_page.h"

enum {
    BUNDLE_HTML,
    BUNDLE_JS,
    BUNDLE_CSS,
    BUNDLE_PAGE,
    BUNDLE_DEVICES = BUNDLE_PAGE,
    BUNDLE_FILES
};

// The licences of wallfly, of third-party code in the page, and of libraries linked at run time.
struct bundle_text {
    const char *title, *text; // the text ends with a line feed and a 0
};
enum { BUNDLE_NOTICES = 3 };
extern const struct bundle_text bundle_notices[BUNDLE_NOTICES];

// The first BUNDLE_PAGE of them are the page's.
void bundle_get(struct wf_page_file files[BUNDLE_FILES]);

#endif
