# Behaviour of a simulated program that records through the target; plant writes its traces for tests of the command line.
function(wf_behaviour_program name)
  add_executable(${name} behaviour/plant.c ${target_sources} ${ARGN})
  target_include_directories(${name} PRIVATE behaviour/port ${PROJECT_SOURCE_DIR}/target/include
    ${PROJECT_SOURCE_DIR}/schema)
  target_compile_definitions(${name} PRIVATE WF_CFG_OBJ_SIZE=4 _DEFAULT_SOURCE)
  set_target_properties(${name} PROPERTIES C_STANDARD 11)
endfunction()
wf_behaviour_program(plant behaviour/plant_main.c)
wf_behaviour_program(behaviour_seeds behaviour/test_behaviour_seeds.c)
target_link_libraries(behaviour_seeds PRIVATE wallfly_host PkgConfig::CMOCKA)
# All seeds are in the long tests. Sanitizers check the code, for which fewer are enough.
set(counts 200 15)
if(sanitized)
  set(counts 40 5)
endif()
add_test(NAME behaviour_seeds COMMAND behaviour_seeds ${counts})
set_tests_properties(behaviour_seeds PROPERTIES LABELS unit TIMEOUT 900)
