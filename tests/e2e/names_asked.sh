# A reader that connects late to a bidirectional link requests the names: see names_asked.py.
cc -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror -I"$SRC/target/include" -I"$SRC/schema" \
    -I"$SRC/tests/target/port" "$SRC/tests/e2e/names_asked/program.c" "$SRC"/target/src/*.c -o program
PYTHONPATH="$SRC/tests/e2e" exec python3 -B "$SRC/tests/e2e/names_asked.py"
