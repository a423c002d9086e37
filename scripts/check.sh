#!/bin/sh
# All checks of the tree except tests of behaviour, one on each line. Usage: check.sh BUILD_DIR
set -u
build=$1
cd "$(dirname "$0")/.." || exit 1
passed=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
warn="-Wall -Wextra -Wpedantic -Wconversion -Werror"

check() {
    name=$1
    shift
    if "$@" >"$tmp/log" 2>&1; then
        echo "ok $name"
        passed=$((passed + 1))
    else
        echo "FAILED $name"
        sed 's/^/    /' "$tmp/log" | head -n 30
        failed=$((failed + 1))
    fi
}
sources() { git ls-files -co --exclude-standard "$@"; }

format() { sources '*.c' '*.h' | xargs clang-format --dry-run -Werror; }

# A layer includes only headers of lower layers (the build's include paths enforce the same).
layers() {
    ! grep -nE '#include' target/include/wallfly/*.h target/src/*.[ch] |
        grep -vE '"(wallfly/[a-z_]+|wf_schema|wf_slot|wf_packed|wf_sat|wf_port|wfi_[a-z_]+)\.h"|<(stdint|stddef|stdbool)\.h>' |
        grep -vE 'WF_CFG_FILE|WFI_SLOT_MODEL' || return 1
    ! grep -nE '#include' target/include/compat/*.h target/compat/*.c target/compat/*/*.h |
        grep -vE '"(compat/[a-z_]+|wallfly/[a-z_]+|wf_port)\.h"|<(stdint|stddef|stdbool|stdarg|errno|stdio)\.h>|WF_CFG_QS_' || return 1
    ! grep -nE '#include "(wallfly/|wf_port|cmd|stream)' $(sources 'host/src/*.[ch]') host/include/wallfly_host/*.h $(sources 'backend/*.[ch]') &&
        ! grep -nE '#include ["<](wallfly_backend|wallfly_parser|wfb_|wfp_|uv.h)' $(sources 'host/src/*.[ch]') host/include/wallfly_host/*.h &&
        ! grep -nE '#include ["<](wallfly_backend|wfb_|uv.h|cmd|wfi_)' qnx/parser/*/*.[ch] qnx/parser/include/*/*.h &&
        ! grep -nE '#include ["<](wfb?i?_|cmd|stream|args|term/)' server/src/*.[ch] server/include/*/*.h
}

# Libraries export only wf_ and wfi_; the recorder needs only its port.
symbols() {
    for lib in "$build"/target/libwallfly_target.a "$build"/host/libwallfly.a "$build"/qnx/parser/libwallfly_parser.a "$build"/backend/libwallfly_backend.a; do
        nm --defined-only -g "$lib" | awk 'NF == 3 {print $3}' | sort -u
    done >"$tmp/names"
    grep -vE '^wf[bip]?(_|$)' "$tmp/names" && return 1
    sort "$tmp/names" | uniq -d | grep . && return 1 # one program may use all of them
    alone gcc -O2 && alone gcc -Os && alone clang -O2 && alone arm-none-eabi-gcc -mcpu=cortex-m3 -Os &&
        alone arm-none-eabi-gcc -mcpu=cortex-m3 -O2 && alone arm-none-eabi-gcc -mcpu=cortex-m0 -O2 &&
        alone riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -O2
}

# A folder of host/src includes internal headers of its own, of the folders it lies in, of core/ and of util/.
folders() {
    ! sources 'host/src/*.[ch]' 'qnx/src/*.[ch]' | xargs grep -oE '#include "[a-z]+(/[a-z]+)*/wfi_[a-z_]+\.h"' |
        sed 's|^host/src/||; s|^\(.*\)/[^/]*:.*"\(.*\)/\([a-z_]*\)\.h"|\1 \2 \3|' |
        awk '$2 != "util" && $2 != "core" && index($1 "/", $2 "/") != 1 {print $1, $2 "/" $3}' | grep .
}

# A source has at most 400 lines, a test 600; the table of records is longer.
lengths() {
    ! sources '*.c' '*.h' | grep -vx schema/wf_schema.h | xargs wc -l |
        awk '$2 != "total" && $1 > ($2 ~ "^tests/" ? 600 : 400)' | grep .
}

# A command's file has options, library calls and printing: at most 150 lines.
commands() {
    ! wc -l tools/cmd_*.c | awk '$2 != "total" && $1 > 150' | grep .
}

# A public function is wf_NOUN_...: a header or a type has the noun.
nouns() {
    public="host/include/wallfly_host/*.h qnx/parser/include/*/*.h backend/include/*/*.h"
    {
        for h in $public; do basename "$h" .h | cut -d_ -f1,2; done
        grep -ohE '\b(struct|enum) wf_[a-z0-9]+' $public | cut -d' ' -f2
    } | sort -u >"$tmp/nouns"
    grep -ohE '\bwf_[a-z0-9_]+\(' $public | tr -d '(' | sort -u |
        awk 'NR == FNR {noun[$1]; next}
             {split($1, word, "_"); if (!("wf_" word[2] in noun) || word[3] == "") {print; bad = 1}} END {exit bad}' "$tmp/nouns" -
}

# libwallfly.so exports nothing but what the public headers declare.
exports() {
    grep -ohE '\bwf_[a-z0-9_]+' host/include/wallfly_host/*.h | sort -u >"$tmp/declared"
    nm -D --defined-only "$build/lib/libwallfly.so" | awk '{sub("@.*", "", $3); print $3}' | grep -vx WALLFLY_0 >"$tmp/exported"
    [ "$(wc -l <"$tmp/exported")" -gt 100 ] && ! grep -vxFf "$tmp/declared" "$tmp/exported"
}

# Compilers turn loops and copies into calls of the C library. Allowed besides the clock of this port: the compiler's
# own arithmetic.
alone() {
    for file in target/src/*.c; do
        "$@" -std=c99 -ffreestanding -DWF_CFG_TEST=1 -DWF_CFG_PEEK=1 -DWF_CFG_TRIGGER=1 -Ischema -Itarget/include \
            -Ibench/recorder -c "$file" -o "$tmp/$(basename "$file").o" || return 1
        "$@" -std=c99 -ffreestanding -DWF_CFG_PART=1 -DWF_CFG_TEXT=1 -Ischema -Itarget/include \
            -Ibench/recorder -c "$file" -o "$tmp/part_$(basename "$file").o" || return 1
        "$@" -std=c99 -ffreestanding -DWF_CFG_SLOTS=1 -Ischema -Itarget/include \
            -Ibench/recorder -c "$file" -o "$tmp/slots_$(basename "$file").o" || return 1
        "$@" -std=c99 -ffreestanding -DWF_CFG_PACKED=1 -DWF_CFG_BOX=1 -DWF_CFG_TRIGGER=1 -Ischema -Itarget/include \
            -Ibench/recorder -c "$file" -o "$tmp/packed_$(basename "$file").o" || return 1
    done
    for file in "$tmp"/*.c.o; do nm -u "$file"; done | awk '{print $2}' | sort -u |
        grep -vE '^(bench_clock|_GLOBAL_OFFSET_TABLE_|wfi|wfi?_.*|__aeabi_.*|__gnu_.*)$' | sed "s|^|$*: |" | { ! grep .; }
}

headers() {
    for h in target/include/wallfly/*.h target/include/compat/*.h host/include/wallfly_host/*.h qnx/parser/include/*/*.h backend/include/*/*.h server/include/*/*.h schema/*.h; do
        for lang in "c -std=c99" "c++ -std=c++11"; do
            # shellcheck disable=SC2086
            printf '#include "%s"\nextern int alone;\n' "$PWD/$h" | gcc -x $lang $warn -fsyntax-only -Ischema -Itarget/include \
                -Ihost/include -Iqnx/parser/include -Ibackend/include -Iserver/include $(case $h in */qs_on.h | */qs_framework.h) echo -DQ_SPY ;; server/*) echo -D_GNU_SOURCE ;; esac) - || return 1
        done
    done
}

# Every form users can write compiles without a warning, as C and as C++, in several configurations.
uses() {
    for options in -DWF_CFG_ON=1 -DWF_CFG_FAST=0 -DWF_CFG_WORDS=0 -DWF_CFG_ON=0 -DWF_CFG_RX=0 -DWF_CFG_TEST=1 \
        -DWF_CFG_TRIGGER=1 -DWF_CFG_PEEK=1 -DWF_CFG_BOX=1 -DWF_CFG_SLOTS=1 -DWF_CFG_PART=1 -DWF_CFG_TEXT=1 -DWF_CFG_PACKED=1 \
        "-DWF_CFG_PACKED=1 -DWF_CFG_BOX=1" "-DWF_CFG_PACKED=1 -DWF_CFG_WORDS=0 -DWF_CFG_PART=1" \
        "-DWF_CFG_PART=1 -DWF_CFG_SLOTS=1" "-DWF_CFG_PART=1 -DWF_CFG_TEXT=1 -DWF_CFG_ON=0"; do
        for file in target/src/*.c; do
            gcc -std=c99 $options $warn -O2 -Ischema -Itarget/include -Iports/template -c "$file" -o "$tmp/u.o" || return 1
        done
        for cc in "gcc -x c -std=c99" "gcc -x c++ -std=c++11" "clang -x c -std=c99" "clang -x c++ -std=c++11"; do
            # shellcheck disable=SC2086
            $cc $options $warn -O2 -Ischema -Itarget/include -c tests/target/use_all.c -o "$tmp/u.o" ||
                return 1
        done
    done
}

# With recording off, a program that uses everything contains no code of it.
vanishes() {
    cat >"$tmp/off.c" <<'END'
#include "wallfly/wallfly.h"
int evaluate(void);
int use(int n);
int use(int n) {
    WF_REC(active_post, 1, 0, 5, 0, 1, (uint8_t)evaluate(), 3, 2);
    WF_REC0(qf_run, 0);
    WF_BEGIN(WF_USER, 0);
    wf_u8(1, (uint8_t)evaluate());
    wf_str("gone");
    WF_END();
    WF_OBJ_DICTIONARY(&n);
    wf_filter(WF_GRP_ALL);
    return n;
}
END
    gcc -std=c99 $warn -Os -DWF_CFG_ON=0 -Ischema -Itarget/include -c "$tmp/off.c" -o "$tmp/off.o" &&
        ! nm -u "$tmp/off.o" | grep . && [ "$(size "$tmp/off.o" | awk 'END {print $1}')" -lt 80 ]
}

banned() {
    ! grep -nE '\b(strcpy|strcat|sprintf|gets|atoi|strtok)\(' $(sources 'host/*.c' 'server/*.c' 'tools/*.c') |
        grep -v 'tools/main.c.*strcat(shorts' | grep -v 'strcpy(filter->object' || return 1
    ! grep -nE '\b(printf|fprintf|puts|exit|abort|assert)\(' $(sources 'host/src/*.c')
}

template_port() {
    for file in target/src/*.c; do
        gcc -std=c99 -Wall -Wextra -Werror -O2 -Ischema -Itarget/include -Iports/template -c "$file" \
            -o "$tmp/t.o" || return 1
    done
}

# A port that lacks a function must not build, and the error must name it.
missing_port_function() {
    mkdir -p "$tmp/port"
    grep -v 'wf_port_core' ports/template/wf_port.h >"$tmp/port/wf_port.h"
    ! gcc -std=c99 -Werror -Ischema -Itarget/include -I"$tmp/port" -c target/src/wf_reader.c \
        -o "$tmp/p.o" 2>"$tmp/err" && grep -q wf_port_core "$tmp/err"
}

generated() {
    scripts/docs.sh "$build/bin/wallfly" "$tmp/docs" && diff -r "$tmp/docs/cli" docs/cli &&
        diff "$tmp/docs/records.md" docs/records.md && diff "$tmp/docs/command-list.md" docs/command-list.md &&
        diff "$tmp/docs/table-list.md" docs/table-list.md && diff "$tmp/docs/fleet-tables.md" docs/fleet-tables.md &&
        diff "$tmp/docs/doctor.md" docs/doctor.md &&
        scripts/dashboards.py "$tmp/grafana" && diff -r "$tmp/grafana" fleet/grafana &&
        "$build/bin/wallfly" schema --json | diff - clients/python/wallfly/schema.json
}

# The C code printed on these pages compiles. (The code of other pages is checked in their own tests.)
docs_code() {
    awk -v dir="$tmp" '/^```c$/ {file = dir "/doc" ++n ".c"; next} /^```$/ {file = ""} file {print >file}' \
        docs/commands.md docs/testing.md
    found=0
    for file in "$tmp"/doc*.c; do
        gcc -std=c99 $warn -DWF_CFG_TEST=1 -Ischema -Itarget/include -c "$file" -o "$tmp/doc.o" || return 1
        found=$((found + 1))
    done
    [ $found -gt 0 ]
}

readme() { scripts/check_readme.sh "$build" && python3 scripts/costs.py; }

# Every test belongs to a part of `make test`.
parts() {
    ctest --test-dir "$build" -N -LE '^(long|unit|cli|formats|web|targets|bench)$' | tee "$tmp/none" | grep -q '^Total Tests: 0$' || {
        cat "$tmp/none"
        return 1
    }
}

# No file contains the path of this tree on this computer.
words() { ! sources | xargs grep -nIF -- "$PWD" 2>/dev/null; }

for name in format layers folders lengths commands symbols exports nouns headers uses vanishes banned template_port \
    missing_port_function generated readme docs_code parts words; do
    check "$name" "$name"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
