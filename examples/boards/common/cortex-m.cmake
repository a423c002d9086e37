# For a board with a Cortex-M, which sets BOARD_FLAGS to its -mcpu.
set(semihosting ${repository}/ports/transport)
list(APPEND BOARD_FLAGS -mthumb)
set(BOARD_LINK -nostdlib -L${common} -Wl,-T,${CMAKE_CURRENT_LIST_DIR}/../${BOARD}/board.ld)
set(BOARD_PORT ${repository}/ports/arch/cortex-m ${semihosting}/include ${semihosting}/semihosting)
set(BOARD_DEFINITIONS "WF_PORT_CLOCK=\"clock.h\"")
set(BOARD_SOURCES ${BOARD}/board.c common/cortex_m.c common/memory.c
  ${semihosting}/semihosting/wf_semihosting.c)
