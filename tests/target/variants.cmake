# Tests built again with other options.
wf_target_variant(test_last_is_best bytes WF_CFG_WORDS=0)
wf_target_variant(test_last_is_best shared WF_CFG_FAST=0)
wf_target_variant(test_last_is_best time1 WF_CFG_TIME_SIZE=1)
wf_target_variant(test_last_is_best time2 WF_CFG_TIME_SIZE=2)
wf_target_variant(test_last_is_best time8 WF_CFG_TIME_SIZE=8)
