// SPDX-License-Identifier: MIT
// The public header of wallfly's recorder: include only this one.
#ifndef WF_WALLFLY_H
#define WF_WALLFLY_H

#include "wallfly/wf_dict.h"
#include "wallfly/wf_elements.h"
#include "wallfly/wf_names.h"
#include "wallfly/wf_probe.h"
#include "wallfly/wf_records.h"
#include "wallfly/wf_rx.h"
#include "wallfly/wf_slots.h"

#endif
