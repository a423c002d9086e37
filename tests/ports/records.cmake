# For build_board of board.inc, in the scope of examples/boards. (With riscv64-unknown-elf-gcc 12, link-time optimisation
# forgets the extension zicsr.)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL arm)
  foreach(source wf_records.c wf_packed_records.c)
    get_filename_component(records ${CMAKE_CURRENT_LIST_DIR}/../../target/src/${source} ABSOLUTE)
    set_source_files_properties(${records} PROPERTIES COMPILE_OPTIONS -flto)
  endforeach()
  add_link_options(-flto -flto-partition=none)
endif()
