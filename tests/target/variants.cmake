# Tests built again with other options.
wf_target_variant(test_last_is_best bytes WF_CFG_WORDS=0)
wf_target_variant(test_last_is_best shared WF_CFG_FAST=0)
wf_target_variant(test_last_is_best time1 WF_CFG_TIME_SIZE=1)
wf_target_variant(test_last_is_best time2 WF_CFG_TIME_SIZE=2)
wf_target_variant(test_last_is_best time8 WF_CFG_TIME_SIZE=8)
wf_target_variant(test_records bytes WF_CFG_WORDS=0 WF_CFG_OBJ_SIZE=4 WF_CFG_FUN_SIZE=4)
wf_target_variant(test_records small WF_CFG_OBJ_SIZE=2 WF_CFG_FUN_SIZE=4 WF_CFG_SIG_SIZE=1
  WF_CFG_EVT_SIZE=4 WF_CFG_QUEUE_CTR_SIZE=2 WF_CFG_POOL_CTR_SIZE=4 WF_CFG_TIMEEVT_CTR_SIZE=1
  WF_CFG_TIME_SIZE=2)
wf_target_variant(test_records wide WF_CFG_TIME_SIZE=8 WF_CFG_SIG_SIZE=4 WF_CFG_FAST=0)
wf_target_variant(test_records stamp1 WF_CFG_TIME_SIZE=1 WF_CFG_OBJ_SIZE=1 WF_CFG_FUN_SIZE=1)
wf_target_variant(test_framing bytes WF_CFG_WORDS=0)
wf_target_variant(test_last_is_best nosync WF_CFG_SYNC=0)
wf_target_variant(test_rx peek WF_CFG_PEEK=1)
wf_target_variant(test_rx all WF_CFG_PEEK=2)
wf_target_variant(test_rx test WF_CFG_TEST=1 WF_CFG_PEEK=1)
wf_target_variant(test_rx bytes WF_CFG_TEST=1 WF_CFG_PEEK=1 WF_CFG_WORDS=0 WF_CFG_FAST=0)
