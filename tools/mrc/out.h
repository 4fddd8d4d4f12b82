/* SPDX-License-Identifier: GPL-2.0-only */
/* Printing: tables with columns as wide as they must be, and JSON. */
#ifndef _TOOLS_MRC_OUT_H
#define _TOOLS_MRC_OUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include "mrc.h"

#define OUT_COLUMNS	12

/**
 * struct out_table - rows that are printed once all are known
 * @title: heads of the columns
 * @right: columns aligned to the right, one bit each
 * @columns: their number
 * @indent: what stands before each row, "" for nothing
 * @row: the rows
 * @count: their number
 */
struct out_table {
	const char *const *title;
	unsigned int right;
	unsigned int columns;
	const char *indent;
	struct out_row *row;
	size_t count;
};

/**
 * struct out_list - a JSON array that is printed while it comes in
 * @begun: its bracket was printed
 */
struct out_list {
	bool begun;
};

__printf(1, 2) char *out_text(const char *format, ...);
char *out_ms(struct json_object *object, const char *key_us);
void out_row(struct out_table *table, char **cells);
void out_note(struct out_table *table, char *note);
void out_print(struct out_table *table, FILE *file);
void out_json(struct json_object *object);
void out_list(struct out_list *list, struct json_object *object);
void out_list_end(struct out_list *list);

bool out_has(struct json_object *object, const char *key);
unsigned long long out_uint(struct json_object *object, const char *key);
const char *out_string(struct json_object *object, const char *key);

#endif /* _TOOLS_MRC_OUT_H */
