# Others can use the installation of `cmake --install`: the library through pkg-config and CMake.
cmake --install "$BUILD" --prefix "$PWD/usr" >log
cat >count.c <<'END'
#include <stdio.h>
#include <wallfly_host/wf_session.h>
static bool on_record(void *ctx, const struct wf_item *item) { (void)item; ++*(unsigned *)ctx; return true; }
int main(void) {
    struct wf_session_options options = {0};
    unsigned count = 0;
    struct wf_session_handlers on = {&count, on_record, NULL, NULL};
    static uint8_t bytes[1 << 20];
    int err;
    struct wf_session *s = wf_session_open(&options, &err);
    size_t len = fread(bytes, 1, sizeof bytes, stdin);
    if (wf_session_run(s, bytes, len, &on) != WF_OK || wf_session_run_end(s, &on) != WF_OK) return 1;
    wf_session_close(s);
    printf("%u\n", count);
    return 0;
}
END
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/usr" -name wallfly-host.pc)")
export PKG_CONFIG_PATH
cc -std=c99 count.c $(pkg-config --cflags --libs wallfly-host) -o count
"$PHILOSOPHERS" --fast -s 1 -o p.bin
usr/bin/wallfly info --json p.bin | grep -q "\"records\":$(./count <p.bin),\"missing\":0"

# The same for the parser.
cat >switches.c <<'END'
#include <stdio.h>
#include <wallfly_parser/wf_parser.h>
static int on_any(struct wf_parser *p, void *user, const struct wf_parser_event *e) {
    (void)p;
    *(unsigned long *)user += e->words[0];
    return 0;
}
int main(void) {
    struct wf_parser_options options = {.memory = 0};
    unsigned long sum = 0;
    int err;
    struct wf_parser *p = wf_parser_create(&options, &err);
    wf_parser_on_range(p, WF_SAT_USER, 0, 1023, on_any, &sum);
    if (wf_parser_run_file(p, "-") != WF_OK) return 1;
    wf_parser_destroy(p);
    printf("%lu\n", sum);
    return 0;
}
END
cc -std=c99 switches.c $(pkg-config --cflags --libs wallfly-parser) -o switches
python3 -c "import struct, sys; sys.stdout.buffer.write(b'TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_HEADER_END::' +
    b''.join(struct.pack('<IIII', 6 << 10, i, i, 0) for i in range(1, 101)))" >u.kev
[ "$(./switches <u.kev)" = 5050 ]

mkdir app
cp count.c switches.c app
cat >app/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(app C)
find_package(wallfly REQUIRED)
add_executable(count count.c)
target_link_libraries(count PRIVATE wallfly::host)
add_executable(switches switches.c)
target_link_libraries(switches PRIVATE wallfly::parser)
END
cmake -S app -B app/build -DCMAKE_PREFIX_PATH="$PWD/usr" >log
cmake --build app/build >log
[ "$(app/build/count <p.bin)" = "$(./count <p.bin)" ]
[ "$(app/build/switches <u.kev)" = 5050 ]

# And the recorder alone, as part of another project.
mkdir firmware
cat >firmware/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.20)
project(firmware C)
add_subdirectory($SRC wallfly)
add_executable(firmware main.c)
target_link_libraries(firmware PRIVATE wallfly_target)
END
cat >firmware/main.c <<'END'
#include "wallfly/wallfly.h"
int main(void) {
    static uint8_t ring[256];
    static const struct wf_config config = {.ring = ring, .ring_size = sizeof ring};
    wf_start(&config);
    return wf_get_byte() == 1 ? 0 : 1;
}
END
cmake -S firmware -B firmware/build >log
cmake --build firmware/build >log
firmware/build/firmware
