// SPDX-License-Identifier: MIT
// See bundle.h; bundle_bytes.S contains the bytes.

#include "wallfly_server/bundle.h"

// The bytes between two labels.
#define WF_X(name)                                                                                 \
    extern const uint8_t bundle_##name[], bundle_##name##_end[], bundle_##name##_gz[],             \
        bundle_##name##_gz_end[];
#define WF_FILES WF_X(page_html) WF_X(page_js) WF_X(page_css)
WF_FILES
#undef WF_X

static struct wf_page_file make_file(const char *path, const char *type, const uint8_t *begin,
                                     const uint8_t *end, const uint8_t *gz, const uint8_t *gz_end) {
    return (struct wf_page_file){
        path, type, begin, (size_t)(end - begin), gz, (size_t)(gz_end - gz)};
}

#define FILE_OF(path, type, name)                                                                  \
    make_file(path, type, bundle_##name, bundle_##name##_end, bundle_##name##_gz,                  \
              bundle_##name##_gz_end)

extern const uint8_t bundle_devices_css[], bundle_devices_css_end[];

void bundle_get(struct wf_page_file files[BUNDLE_FILES]) {
    files[BUNDLE_HTML] = FILE_OF("", "text/html; charset=utf-8", page_html);
    files[BUNDLE_JS] = FILE_OF("page.js", "text/javascript; charset=utf-8", page_js);
    files[BUNDLE_CSS] = FILE_OF("page.css", "text/css; charset=utf-8", page_css);
    files[BUNDLE_DEVICES] = make_file("devices.css", "text/css; charset=utf-8", bundle_devices_css,
                                      bundle_devices_css_end, NULL, NULL);
}

extern const char bundle_licence[], bundle_page_notices[], bundle_libraries[];

const struct bundle_text bundle_notices[BUNDLE_NOTICES] = {
    {"wallfly", bundle_licence},
    {"In the page of wallfly serve and wallfly page", bundle_page_notices},
    {"Libraries of the system, linked when the program starts", bundle_libraries},
};
