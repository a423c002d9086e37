# The installed package is enough for other programs: the library through pkg-config and CMake, shared and static.
cmake --install "$BUILD" --prefix "$PWD/usr" >log
cat >count.c <<'END'
#include <stdio.h>
#include <wallfly_host/wf_session.h>
static bool on_record(void *ctx, const struct wf_item *item) { (void)item; ++*(unsigned *)ctx; return true; }
int main(void) {
    struct wf_session_options options = {.size = sizeof options};
    unsigned count = 0;
    struct wf_session_handlers on = {&count, on_record, NULL, NULL};
    static uint8_t bytes[1 << 20];
    struct wf_session *s = wf_session_open(&options, NULL);
    size_t len = fread(bytes, 1, sizeof bytes, stdin);
    if (wf_session_run(s, bytes, len, &on) != WF_OK || wf_session_run_end(s, &on) != WF_OK) return 1;
    wf_session_close(s);
    printf("%u\n", count);
    return 0;
}
END
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/usr" -name wallfly.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cc -std=c99 count.c $(pkg-config --cflags --libs wallfly) -o count
"$PHILOSOPHERS" --fast -s 1 -o p.bin
usr/bin/wallfly info --json p.bin | grep -q "\"records\":$(./count <p.bin),\"missing\":0"
ldd count | grep -q 'libwallfly.so.0 => '

# Without the shared library.
cc -std=c99 count.c $(pkg-config --cflags wallfly) "$LD_LIBRARY_PATH/libwallfly.a" \
    $(pkg-config --static --libs-only-l wallfly | sed 's/-lwallfly //') -o count_static
! ldd count_static | grep libwallfly
[ "$(./count <p.bin)" = "$(./count_static <p.bin)" ]

# examples/reader: the slices of every task that ran, in traces of each format.
cc -std=c11 -Wall -Wextra -Werror "$SRC/examples/reader/main.c" $(pkg-config --cflags --libs wallfly) -o reader
"$BUILD/bin/kernel" -o mutex.trace mutex
usr/bin/wallfly record -q -o mutex.wfr mutex.trace
python3 "$SRC/tests/kev/threads.py" make 1 threads.kev
for trace in mutex.trace mutex.wfr threads.kev; do
    ./reader $trace | sort >is
    # A stretch that the end of the trace cuts is no change of it.
    usr/bin/wallfly query --csv $trace 'select 0, core, begin_tick, end_tick, name from run join task using (task)
        where end_known or end_tick < (select max(tick) from record)' | tail -n +2 | tr -d '\r' | tr ',' ' ' | sort >wanted
    [ "$(wc -l <is)" -gt 20 ]
    # Of slots a thread's name may come after its slices.
    case $trace in *.kev) for file in is wanted; do cut -d' ' -f1-4 $file | sort >$file.times && mv $file.times $file; done ;; esac
    diff is wanted
done
if ./reader nowhere 2>err; then exit 1; fi
grep -q '^usage: reader FILE' err

# A program of forty lines: a recording to Perfetto, and its ledger.
cat >convert.c <<'END'
#include <stdio.h>
#include <wallfly_host/wf_trace.h>
#include <wallfly_host/wf_writer.h>
static int64_t read_at(void *file, uint64_t offset, void *to, size_t len) {
    if (fseek(file, (long)offset, SEEK_SET) != 0) return -1;
    return (int64_t)fread(to, 1, len, file);
}
static bool put(void *file, const char *bytes, size_t len) { return fwrite(bytes, 1, len, file) == len; }
int main(int argc, char **argv) {
    struct wf_trace_options options = {.size = sizeof options};
    struct wf_writer_options how = {.size = sizeof how};
    struct wf_error error;
    struct wf_item item;
    struct wf_writer *w = NULL;
    struct wf_lane *lane = NULL;
    if (argc < 3) return 2;
    struct wf_merge_source source = {fopen(argv[1], "rb"), read_at};
    FILE *out = fopen(argv[2], "wb");
    struct wf_trace *t = wf_trace_open(&options, &error);
    if (!source.ctx || !out || !t || wf_trace_read(t, 0, &source, &error) != WF_OK) return 1;
    while (wf_trace_next(t, &item)) {
        if (item.kind == WF_ITEM_CHUNK) continue;
        if (!w) {
            lane = item.lane;
            w = wf_writer_open(wf_format_find("perfetto"), wf_lane_session(lane), &how, put, out, &error);
        }
        if (!w) return 1;
        if (item.lane == lane) wf_writer_item(w, &item);
    }
    if (!w || wf_writer_close(w) != WF_OK || fclose(out) != 0) return 1;
    const struct wf_ledger *l = wf_session_ledger(wf_lane_session(lane));
    printf("%llu records, %llu missing, %llu of %llu bytes damaged\n", (unsigned long long)l->records,
           (unsigned long long)l->missing, (unsigned long long)l->bytes_bad, (unsigned long long)l->bytes);
    wf_trace_close(t);
    return 0;
}
END
[ "$(wc -l <convert.c)" -le 40 ]
cc -std=c99 -Wall -Wextra -Werror convert.c $(pkg-config --cflags --libs wallfly) -o convert
usr/bin/wallfly convert mutex.wfr --to=perfetto -o wanted.pftrace
./convert mutex.wfr is.pftrace >ledger
cmp is.pftrace wanted.pftrace
usr/bin/wallfly info --json mutex.wfr >info.json
python3 - <<'END'
import json
l = json.load(open('info.json'))['ledger']
want = '%d records, %d missing, %d of %d bytes damaged\n' % (l['records'], l['missing'], l['bytes_bad'], l['bytes'])
assert open('ledger').read() == want, (open('ledger').read(), want)
END

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
    struct wf_parser *p = wf_parser_create(&options, NULL);
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
target_link_libraries(count PRIVATE wallfly::wallfly)
add_executable(count_static count.c)
target_link_libraries(count_static PRIVATE wallfly::host)
add_executable(switches switches.c)
target_link_libraries(switches PRIVATE wallfly::parser)
END
cmake -S app -B app/build -DCMAKE_PREFIX_PATH="$PWD/usr" >log
cmake --build app/build >log
[ "$(app/build/count <p.bin)" = "$(./count <p.bin)" ]
[ "$(app/build/count_static <p.bin)" = "$(./count <p.bin)" ]
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
