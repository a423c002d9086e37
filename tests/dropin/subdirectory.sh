# Another project adds the tree with add_subdirectory: it gets the recorder, and nothing of the host.
. "$SRC/tests/dropin/look.inc"
mkdir port
cp "$SRC/tests/dropin/small.c" main.c
cp "$SRC/ports/template/wf_port.h" port
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.20)
project(firmware C)
add_subdirectory($SRC wallfly)
add_executable(firmware main.c)
target_include_directories(firmware PRIVATE port)
target_link_libraries(firmware PRIVATE wallfly::target)
if(TARGET wallfly_host OR TARGET wallfly)
  message(FATAL_ERROR "the host is here too")
endif()
END
cmake -S . -B built >log
cmake --build built >log
built/firmware >small.bin
look small.bin
[ -z "$(find built -name '*.a')" ] # the port of the POSIX host is built only on request

# As for a CPU without an operating system: there is no default port, and none is searched.
cmake -S . -B bare -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=gcc >log
cmake --build bare >log
bare/firmware >bare.bin
cmp small.bin bare.bin

# Without a port it does not build.
rm port/wf_port.h
no cmake --build bare >log 2>&1
grep -q wf_port.h log
