# Arm MPS2 with the image AN385, a Cortex-M3. BOARD_CPU: cortex-m4 is AN386, cortex-m7 is AN500.
if(NOT BOARD_CPU)
  set(BOARD_CPU cortex-m3)
endif()
set(BOARD_FLAGS -mcpu=${BOARD_CPU})
include(${common}/cortex-m.cmake)
