# The host's model against a simulated kernel that records through the target: as frames and as slots.
function(wf_model_test test sources)
  set(name model_${test})
  add_executable(${name} model/test_model_${test}.c model/trace.c model/check.c model/record.c model/lines.c
    host/wf_test_kernel.c host/wf_test_truth.c ${sources})
  target_include_directories(${name} PRIVATE model/port ${PROJECT_SOURCE_DIR}/target/include
    ${PROJECT_SOURCE_DIR}/host/src)
  target_compile_definitions(${name} PRIVATE WF_CFG_OBJ_SIZE=4 ${ARGN})
  target_link_libraries(${name} PRIVATE wallfly_host)
  wf_unit_test(${name})
endfunction()
wf_model_test(frames "${target_sources}" WF_CFG_SLOTS=0)
wf_model_test(stats "${target_sources}" WF_CFG_SLOTS=0)
wf_model_test(explain "${target_sources}" WF_CFG_SLOTS=0)
wf_model_test(check "model/truth.c;${target_sources}" WF_CFG_SLOTS=0)
wf_model_test(slots "${slots_sources}" WF_CFG_SLOTS=1 WF_CFG_CORES=4 WF_CFG_CHUNK=16 WF_CFG_TIME_SIZE=4)
