// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the names of values that the condition of a rule contains. The kernel parses the condition,
 * but does not know the names. So each word that may be a name is looked up for each field of the
 * event, and the kernel gets what was found.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "etypes.h"
#include "lib/base/error.h"
#include "rule_names.h"
#include "where_program.h"

/* Find the number of a native system call. */
static bool rule_names_call(enum lkst_machine machine, const char *word, uint64_t *value)
{
	for (unsigned int i = 0; i < CONSTANT_CALLS_MAX; i++) {
		const char *name = constant_syscall(machine, 0, i);

		if (name && !strcmp(name, word)) {
			*value = i;
			return true;
		}
	}
	return false;
}

static bool rule_names_value(const struct lkst_etype *type, const struct lkst_field *field,
			     const struct lkst_values *values, enum lkst_machine machine,
			     const char *word, uint64_t *value)
{
	if (field->user)
		return false;
	if (field->format == LKST_FMT_SYS)
		return rule_names_call(machine, word, value);
	return (where_has_names(field->format) &&
		where_captured(values, field->format, word, value)) ||
	       where_constant(field, type->number, word, value);
}

/* Write a line for each field whose values include one with the name @word. */
static void rule_names_word(const struct lkst_etype *type, const struct lkst_values *values,
			    enum lkst_machine machine, const char *word, FILE *to)
{
	uint64_t value;

	for (int i = 0; i < type->fields; i++)
		if (*type->field[i].label &&
		    rule_names_value(type, &type->field[i], values, machine, word, &value))
			fprintf(to, "%s %s 0x%" PRIx64 "\n", type->field[i].label, word, value);
}

static void rule_names_words(const struct lkst_etype *type, const struct lkst_values *values,
			     enum lkst_machine machine, char *text, FILE *to)
{
	static const char ends[] = " \t\n()&!=<>~\"'|,";
	char *dots;

	for (char *word = strtok(text, ends); word; word = strtok(NULL, ends)) {
		dots = strstr(word, "..");
		if (dots) {
			*dots = 0;
			rule_names_word(type, values, machine, dots + 2, to);
		}
		if (*word && (*word < '0' || *word > '9' || strchr(word, ':')))
			rule_names_word(type, values, machine, word, to);
	}
}

/**
 * lkst_rule_names() - find the names of values that a condition contains
 * @type: type of the events to which the condition applies
 * @values: names of values on the running kernel
 * @machine: architecture of the running kernel
 * @condition: the condition, which may be wrong
 * @err: set on failure
 *
 * Return: lines as in struct lkst_rule_param, to be freed; NULL on error.
 */
char *lkst_rule_names(const struct lkst_etype *type, const struct lkst_values *values,
		      enum lkst_machine machine, const char *condition, struct lkst_error *err)
{
	char *copy = strdup(condition), *names = NULL;
	size_t size;
	FILE *to = copy ? open_memstream(&names, &size) : NULL;

	if (to)
		rule_names_words(type, values, machine, copy, to);
	free(copy);
	if (to && !fclose(to))
		return names;
	free(names);
	lkst_error_memory(err, "the names in a condition");
	return NULL;
}
