# Packed frames from the recorder to a host session. WF_CFG_PACKED needs the host.
function(wf_packed_test file name)
  wf_target_test(${file} ${name} WF_CFG_PACKED=1 ${ARGN})
  target_link_libraries(${name} PRIVATE wallfly_host)
endfunction()

wf_packed_test(test_packed test_packed)
wf_packed_test(test_packed test_packed-shared WF_CFG_FAST=0)
wf_packed_test(test_packed test_packed-bytes WF_CFG_WORDS=0)
wf_packed_test(test_packed test_packed-aligned WF_CFG_UNALIGNED=0)
wf_packed_test(test_packed test_packed-time2 WF_CFG_TIME_SIZE=2)
wf_packed_test(test_packed test_packed-time8 WF_CFG_TIME_SIZE=8)
wf_packed_test(test_packed test_packed-box WF_CFG_BOX=1)
wf_packed_test(test_packed test_packed-cores FAKE_CORES WF_CFG_CORES=4 WF_CFG_PACKED_OBJECTS=8)
wf_packed_test(test_packed test_packed-small WF_CFG_PACKED_OBJECTS=8 WF_CFG_OBJ_SIZE=4 WF_CFG_STAGE=256
  WF_CFG_RECORD_MAX=1024)
wf_packed_test(test_packed test_packed-preempted FAKE_PREEMPT WF_CFG_STAGE=256)
