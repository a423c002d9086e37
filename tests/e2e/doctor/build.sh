# build NAME OPTIONS...: the target of the tests of the doctor.
build() {
    name=$1
    shift
    cc -std=c11 -D_DEFAULT_SOURCE -O0 -Wall -Wextra -Wpedantic -Werror "$@" -I"$SRC/target/include" -I"$SRC/schema" \
        -I"$SRC/tests/target/port" "$SRC/tests/e2e/doctor/target.c" "$SRC"/target/src/*.c -o "$name"
}
