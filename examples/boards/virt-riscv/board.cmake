# The machine "virt" of QEMU. BOARD_CPU: rv64 (the default) or rv32.
if(BOARD_CPU STREQUAL rv32)
  set(arch rv32imac)
  set(BOARD_FLAGS -march=${arch}_zicsr -mabi=ilp32)
else()
  set(arch rv64imac)
  set(BOARD_FLAGS -march=${arch}_zicsr -mabi=lp64)
endif()
list(APPEND BOARD_FLAGS -mcmodel=medany -msmall-data-limit=0)
# Without _zicsr, or GCC 12 takes the libgcc of another ABI.
set(BOARD_LINK -march=${arch} -nostdlib -L${common} -Wl,-T,${CMAKE_CURRENT_LIST_DIR}/board.ld)
set(BOARD_PORT ${repository}/ports/arch/riscv)
set(BOARD_DEFINITIONS "WF_PORT_CLOCK=\"clock.h\"")
set(BOARD_SOURCES ${BOARD}/board.c common/memory.c)
