/* SPDX-License-Identifier: GPL-2.0-only */
/* Events, as they happen. */
#ifndef _TOOLS_MRC_WATCH_H
#define _TOOLS_MRC_WATCH_H

#include <json-c/json.h>
#include <stdbool.h>

/**
 * struct watch - what to show of the events
 * @paths_only: only changes of paths
 * @id: only of this socket, 0: of all
 * @resync: show the sockets as they are, at first and after a loss
 * @last_seq: number of the last event
 * @any: there was one
 * @known: sockets that were shown: the last event contained in each, by id
 */
struct watch {
	bool paths_only;
	unsigned int id;
	bool resync;
	unsigned int last_seq;
	bool any;
	struct json_object *known;
};

void watch_run(struct watch *watch);

#endif /* _TOOLS_MRC_WATCH_H */
