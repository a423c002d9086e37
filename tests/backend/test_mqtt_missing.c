// SPDX-License-Identifier: MIT
// A build without libmosquitto names the package that is missing.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mqtt/wf_mqtt_missing.c" // in place of that of the library

static void the_message_names_the_package(void **state) {
    (void)state;
    struct wf_error error;
    const struct wf_mqtt_options options = {.size = sizeof options, .url = "mqtt://localhost"};
    assert_null(wf_mqtt_open(&options, &error));
    assert_int_equal(error.code, WF_ERR_LINK);
    assert_non_null(strstr(error.text, "libmosquitto-dev"));
    wf_mqtt_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_message_names_the_package)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
