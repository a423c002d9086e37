// SPDX-License-Identifier: MIT
// A build without libcurl names the package that is missing, for uploads of a gateway.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "uplink/wfb_uplink_http_missing.c" // in place of that of the library

static void the_message_names_the_package(void **state) {
    (void)state;
    struct wf_error error;
    const struct wf_uplink_options options = {
        .size = sizeof options, .url = "http://localhost", .project = "p", .device = "d"};
    assert_null(wf_uplink_open(&options, &error));
    assert_int_equal(error.code, WF_ERR_LINK);
    assert_non_null(strstr(error.text, "libcurl4-openssl-dev"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_message_names_the_package)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
