#include "tx_api.h"
