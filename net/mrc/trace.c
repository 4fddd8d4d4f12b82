// SPDX-License-Identifier: GPL-2.0-only
/* The bodies of the tracepoints, which know our structures. */
#include "handshake.h"
#include "loss.h"
#include "send.h"
#include "sock.h"

#define CREATE_TRACE_POINTS
#include <trace/events/mrc.h>
