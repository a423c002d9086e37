// SPDX-License-Identifier: MIT
// The page's files, which lie in the binary: those of web/bundle, and the same packed.
#ifndef BUNDLE_H
#define BUNDLE_H

#include "wallfly_backend/wf_page.h"

enum { BUNDLE_HTML, BUNDLE_JS, BUNDLE_CSS, BUNDLE_FILES };

void bundle_get(struct wf_page_file files[BUNDLE_FILES]);

#endif
