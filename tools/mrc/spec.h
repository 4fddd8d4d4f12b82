/* SPDX-License-Identifier: GPL-2.0-only */
/* What Documentation/netlink/specs/mrc.yaml says: attributes and names. */
#ifndef _TOOLS_MRC_SPEC_H
#define _TOOLS_MRC_SPEC_H

#include "nl.h"

extern const struct gnl_names spec_types;
extern const struct gnl_names spec_sock_states;
extern const struct gnl_names spec_path_states;

extern const struct gnl_set spec_sock;
extern const struct gnl_set spec_event;
extern const struct gnl_set spec_settings;
extern const struct gnl_set spec_counters;

int spec_value(const struct gnl_names *names, const char *name, size_t len);

#endif /* _TOOLS_MRC_SPEC_H */
