# Sources like those of QP's framework compile and record with the options of docs/qp.md, for each version: every name
# of the table, and every record, which the host must show as QSPY does. The critical section ends the program when it
# is entered recursively.
here=$SRC/tests/target/compat
page=$SRC/docs/qp.md
WALLFLY_BIN=$WALLFLY
WALLFLY=$SRC
paths=$(sed -n 's/^       \(-I.*\)$/\1/p' "$page")
common=$(sed -n 's/^       \(-DQ_SPY.*\)$/\1/p' "$page")
sed -n 's/^| \([67]\.[0-9]\) | `\(.*\)` |$/\1 \2/p' "$page" >versions
[ "$(wc -l <versions)" = 5 ] && [ -n "$paths" ] && [ -n "$common" ]
warn="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror"

# A function for each name of a version; the compiler's message shows a name missing in compat.
uses() { # VERSION
    cat <<'END'
#include "qs_port.h"
#include "qs_pkg.h"
#define FIELD(fields_) { RECORD_ENTER QS_BEGIN_PRE_(QS_QF_RUN, 0U) fields_ QS_END_PRE_() RECORD_LEAVE }
#define HELD(record_) { FRAMEWORK_STAT FRAMEWORK_ENTRY(); record_ FRAMEWORK_EXIT(); }
#if WF_CFG_QS_VERSION < 730
#define RECORD_ENTER QS_CRIT_STAT_
#define RECORD_LEAVE
#else
#define RECORD_ENTER QS_CRIT_STAT QS_CRIT_ENTRY();
#define RECORD_LEAVE QS_CRIT_EXIT();
#endif
enum { A_SIG = 4 };
static int thing;
static void *object = &thing;
static void a_state(void) {}
void number(unsigned got, unsigned want);
void probed(void);
void posted(void *sender);
void probed(void) {
    QS_TEST_PROBE_DEF(&probed)
    QS_TEST_PROBE_ID(1, return;)
}
void posted(void *sender) {
    (void)sender;
#ifdef Q_UTEST
    static QActive active;
    static QEvt const event = {A_SIG};
    QS_onTestPost(sender, &active, &event, true);
#endif
}
void all_names(void *me);
void all_names(void *me) {
    (void)me;
    (void)object;
    (void)a_state;
END
    awk -F ' *[|] ' -v version="$1" '!/^#/ && ($2 == "all" || index($2, version)) && $3 !~ /^(see|of QP) / {
        print "#line 1 \"" $1 "\""; print $3}' names.txt
    echo '}'
}

build() { # STYLE OPTIONS: all but the recorder
    eval gcc -std=c99 $warn -DQP_STYLE=$1 $paths -I"$here/framework" $common "$2" \
        -c framework.c application.c port.c names.c $SRC/target/compat/qs_compat.c $(ls $SRC/target/src/*.c | grep -vE "wf_(slots|slots_read|classes|text_events|part|box|trigger).c")
}

cp "$here"/framework/* .
[ "$(grep -vc '^#' names.txt)" = 125 ]
style=0
while read -r version options; do
    style=$(((style + 1) % 3)) # how the port stores the status of its critical section
    status=
    [ $style != 2 ] || status=-DWF_CFG_QS_STATUS=crit_stat_
    uses "$version" >names.c
    cat >>names.c <<'END'
#include <stdlib.h>
void number(unsigned got, unsigned want) {
    if (got != want) abort();
}
END
    tests=
    [ "$version" != 7.4 ] || tests=-DQ_UTEST
    for test in "" $tests; do
        build $style "$options $status $test"
        gcc ./*.o -o framework
        # Test builds count their stamps; there only complete recording and correct locks are checked.
        ./framework names >/dev/null # each name is used
        ./framework >trace.bin 2>want || { cat want; exit 1; }
        rm -f ./*.o
        [ -z "$test" ] || continue
        "$WALLFLY_BIN" print --quiet --strict --style=qspy trace.bin >text
        grep -vE ' (Trg-RST|(Obj|Fun|Sig)-Dict) ' text >got
        [ "$(wc -l <got)" -gt 90 ]
        diff want got || { echo "QP/C $version"; exit 1; }
        code=$(echo "$options" | sed 's/.*VERSION=\([0-9]*\).*/\1/')
        grep -q "Trg-RST  QP-Ver=$code," text
    done
done <versions

# The hooks printed on the page.
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$page" >hooks.c
[ -s hooks.c ]
eval gcc -std=c99 $warn -DQP_STYLE=0 $paths -I. $common "$options" -c hooks.c

# A missing name is named.
sed -i 's/^QS_TEC_PRE_ .*/QS_NO_SUCH_PRE_ | all | FIELD(QS_NO_SUCH_PRE_(1U);)/' names.txt
uses 7.4 >names.c
if eval gcc -std=c99 -DQP_STYLE=0 $paths -I. $common "$options" -fsyntax-only -Werror names.c 2>log; then exit 1; fi
grep -q '^QS_NO_SUCH_PRE_:1:.*QS_NO_SUCH_PRE_' log || { cat log; exit 1; }

# The wrong version, and a size that differs from the port's header, do not compile.
for wrong in -DQP_VERSION=693U -DWF_CFG_OBJ_SIZE=4; do
    if eval gcc -std=c99 -DQP_STYLE=0 $paths -I. $common "$options" $wrong -fsyntax-only application.c 2>log; then exit 1; fi
    grep -q 'WF_CFG_' log
done
