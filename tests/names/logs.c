// SPDX-License-Identifier: MIT
// Logs, spans and counters whose texts are only in the program. Each log is also printed, so that
// tests/e2e/log.sh can compare. Usage: logs TRACE. Prints the lines.

#include <inttypes.h>
#include <stdio.h>

#include "wallfly/wallfly.h"
#include "wallfly/wf_build_id.h"
#include "wallfly/wf_rtos.h"
#include "wf_host_build_id.h"
#include "wf_port.h"

static uint8_t ring[1 << 16];
static const char second[] = "%-10s|%+5d|%05u|%x|%#o|%c|%%\n";

#define LOG(format, ...) WF_RECORD(WF_ID_log, 0, WF_OBJ(format), __VA_ARGS__)

static void say(void) {
    for (int i = -3; i < 4; ++i) {
        double warm = i * 7.25;
        LOG("%d degrees, or %.2f", WF_I32(0, i), WF_F64(0, warm));
        printf("%d degrees, or %.2f\n", i, warm);
        const char *name = i < 0 ? "frost" : "thaw";
        unsigned bits = (unsigned)i * 37;
        LOG(second, WF_STR(name), WF_I16(0, i), WF_U32(0, bits), WF_U32(0, bits), WF_U32(0, bits),
            WF_U8(0, 'a' + i));
        printf(second, name, i, bits, bits, bits, 'a' + i);
        long long far = (long long)i << 40;
        LOG("%*lld and %s", WF_I8(0, 20), WF_I64(0, far), WF_OBJ(i & 1 ? "odd" : "even"));
        printf("%*lld and %s\n", 20, far, i & 1 ? "odd" : "even");
    }
    WF_RECORD(WF_ID_log, 0, WF_OBJ("the end"));
    printf("the end\n");
}

int main(int argc, char **argv) {
    static struct wf_config config = {.ring = ring, .ring_size = sizeof ring, .hz = WF_PORT_HZ};
    FILE *to = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (!to) return 2;
    config.build_id = wf_host_build_id();
    wf_start(&config);
    wf_filter(WF_GRP_ALL);
    WF_FUN_DICTIONARY(main);
    WF_REC(span_begin, 0, NULL, "filter the samples");
    WF_COUNTER("samples left", -12);
    say();
    WF_REC(span_end, 0, NULL, "filter the samples");
    for (int byte; (byte = wf_get_byte()) >= 0;) putc(byte, to);
    return fclose(to) != 0;
}
