# find_package(wallfly): the recorder as sources for the program's own port, and the host's library; also after the
# installation was moved, and only with the right version.
. "$SRC/tests/dropin/look.inc"
cmake --install "$BUILD" --prefix "$PWD/there" >log
mv there usr
mkdir port
cp "$SRC/tests/dropin/small.c" main.c
cp usr/share/wallfly/ports/template/wf_port.h port
cat >version.c <<'END2'
#include <wallfly_host/wf_session.h>
int main(void) {
    struct wf_session_options options = {.size = sizeof options};
    struct wf_session *s = wf_session_open(&options, NULL);
    if (!s) return 1;
    wf_session_close(s);
    return 0;
}
END2
project() {
    cat >CMakeLists.txt <<END2
cmake_minimum_required(VERSION 3.20)
project(app C)
find_package(wallfly $1 REQUIRED CONFIG)
add_executable(firmware main.c)
target_include_directories(firmware PRIVATE port)
target_link_libraries(firmware PRIVATE wallfly::target)
add_executable(reader version.c)
target_link_libraries(reader PRIVATE wallfly::host)
END2
    cmake -S . -B "built$1" -DCMAKE_PREFIX_PATH="$PWD/usr" >log 2>&1
}
version=$(sed -n 's/^project(wallfly VERSION \([0-9.]*\).*/\1/p' "$SRC/CMakeLists.txt")
[ -n "$version" ]
project "$version"
cmake --build "built$version" >log
"built$version/firmware" >small.bin
look small.bin
"built$version/reader"
no project 99.0
grep -q "version: $version" log

# The recorder alone, from a tree configured without the host.
cmake -S "$SRC" -B alone -DWALLFLY_HOST=OFF -DWALLFLY_TESTS=OFF >log
cmake --build alone >log
cmake --install alone --prefix "$PWD/only" >log
sed -e '/reader/d' CMakeLists.txt >list
mkdir app
sed "s/ 99.0 / $version /; s/main.c/..\/main.c/; s/ port)/ ..\/port)/" list >app/CMakeLists.txt
cmake -S app -B app/built -DCMAKE_PREFIX_PATH="$PWD/only" >log
cmake --build app/built >log
app/built/firmware >alone.bin
cmp small.bin alone.bin
