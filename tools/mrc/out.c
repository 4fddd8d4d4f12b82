// SPDX-License-Identifier: GPL-2.0-only
/* Printing: tables with columns as wide as they must be, and JSON. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "out.h"

/**
 * struct out_row - a row of a table
 * @cell: its cells, owned
 * @note: printed below it as it is, owned; NULL for nothing
 */
struct out_row {
	char *cell[OUT_COLUMNS];
	char *note;
};

/**
 * out_text() - format a string
 * @format: as for printf()
 *
 * Return: the string; the caller frees it, or hands it to a table.
 */
char *out_text(const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		die("out of memory");
	return text;
}

/**
 * out_ms() - microseconds as milliseconds
 * @object: where they are
 * @key_us: under this key
 *
 * Return: the string, "-" if there are none; the caller's.
 */
char *out_ms(struct json_object *object, const char *key_us)
{
	if (!out_has(object, key_us))
		return out_text("-");
	return out_text("%.3f", out_uint(object, key_us) / 1000.0);
}

/**
 * out_row() - add a row
 * @table: to this table
 * @cells: as many strings as it has columns, which are the table's from now on
 */
void out_row(struct out_table *table, char **cells)
{
	struct out_row *row;

	table->row = reallocarray(table->row, table->count + 1,
				  sizeof(*table->row));
	if (!table->row)
		die("out of memory");
	row = &table->row[table->count++];
	memset(row, 0, sizeof(*row));
	memcpy(row->cell, cells, table->columns * sizeof(*cells));
}

/**
 * out_note() - add text below the last row
 * @table: of this table
 * @note: whole lines; the table's from now on
 */
void out_note(struct out_table *table, char *note)
{
	struct out_row *row = &table->row[table->count - 1];
	char *both;

	if (row->note) {
		both = out_text("%s%s", row->note, note);
		free(row->note);
		free(note);
		note = both;
	}
	row->note = note;
}

static void measure(const struct out_table *table, int *width)
{
	unsigned int column;
	size_t i;

	for (column = 0; column < table->columns; column++) {
		width[column] = strlen(table->title[column]);
		for (i = 0; i < table->count; i++) {
			int len = strlen(table->row[i].cell[column]);

			if (len > width[column])
				width[column] = len;
		}
	}
}

static void print_cells(const struct out_table *table, const int *width,
			const char *const *cell, FILE *file)
{
	unsigned int last = table->columns - 1, column;

	fputs(table->indent, file);
	for (column = 0; column < last; column++)
		fprintf(file, "%*s ",
			table->right & (1u << column) ? width[column] :
							-width[column],
			cell[column]);
	if (table->right & (1u << last))
		fprintf(file, "%*s\n", width[last], cell[last]);
	else
		fprintf(file, "%s\n", cell[last]);
}

static void free_row(struct out_row *row, unsigned int columns)
{
	unsigned int column;

	for (column = 0; column < columns; column++)
		free(row->cell[column]);
	free(row->note);
}

/**
 * out_print() - print a table and empty it
 * @table: the table
 * @file: where to
 */
void out_print(struct out_table *table, FILE *file)
{
	int width[OUT_COLUMNS];
	size_t i;

	measure(table, width);
	print_cells(table, width, table->title, file);
	for (i = 0; i < table->count; i++) {
		struct out_row *row = &table->row[i];

		print_cells(table, width, (const char *const *)row->cell, file);
		if (row->note)
			fputs(row->note, file);
		free_row(row, table->columns);
	}
	free(table->row);
	table->row = NULL;
	table->count = 0;
}

static void print_json(struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					     JSON_C_TO_STRING_NOSLASHESCAPE),
	      stdout);
	json_object_put(object);
}

/**
 * out_json() - print an object and free it
 * @object: the object
 */
void out_json(struct json_object *object)
{
	print_json(object);
	putchar('\n');
}

/**
 * out_list() - print an element of an array and free it
 * @list: the array; thousands of connections are not kept in memory
 * @object: the element
 */
void out_list(struct out_list *list, struct json_object *object)
{
	putchar(list->begun ? ',' : '[');
	list->begun = true;
	print_json(object);
}

/**
 * out_list_end() - end an array
 * @list: the array
 */
void out_list_end(struct out_list *list)
{
	puts(list->begun ? "]" : "[]");
}

bool out_has(struct json_object *object, const char *key)
{
	return json_object_object_get_ex(object, key, NULL);
}

/* 0 if there is none */
unsigned long long out_uint(struct json_object *object, const char *key)
{
	return json_object_get_uint64(json_object_object_get(object, key));
}

/* "-" if there is none */
const char *out_string(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return "-";
	return json_object_get_string(value);
}
