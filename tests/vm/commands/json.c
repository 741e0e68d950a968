// SPDX-License-Identifier: GPL-2.0
/*
 * json [-l] [PATH]: checks that the input is JSON, and prints the value at PATH. PATH consists of
 * names of members and indexes of elements, separated by dots. The index "#" gives the number of
 * elements of an array. With -l each line of the input is a value, as in the output of "lkstbuf
 * print --json".
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json_object *step(struct json_object *from, const char *name)
{
	struct json_object *to = NULL;

	if (json_object_is_type(from, json_type_array)) {
		if (!strcmp(name, "#"))
			return json_object_new_int64((int64_t)json_object_array_length(from));
		return json_object_array_get_idx(from, strtoul(name, NULL, 10));
	}
	if (!json_object_is_type(from, json_type_object) ||
	    !json_object_object_get_ex(from, name, &to))
		return NULL;
	return to;
}

static int print_at(struct json_object *value, const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;

	while (value && (name = strsep(&rest, ".")) != NULL)
		if (*name)
			value = step(value, name);
	if (value && json_object_is_type(value, json_type_string))
		puts(json_object_get_string(value));
	else if (value)
		puts(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
	else
		fprintf(stderr, "json: nothing at %s\n", path);
	return value ? 0 : 1;
}

/*
 * Check that @text is one JSON value, and that only blanks follow it. If @path is not NULL, print
 * the value at @path. Return the exit status of the program.
 */
static int check(const char *text, size_t len, const char *path)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *value;
	size_t used;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	value = json_tokener_parse_ex(tok, text, (int)len);
	used = json_tokener_get_parse_end(tok);
	if (json_tokener_get_error(tok) != json_tokener_success ||
	    used + strspn(text + used, " \n") != len) {
		fprintf(stderr, "json: no JSON at byte %zu: %.40s\n", used, text + used);
		return 1;
	}
	return path ? print_at(value, path) : 0;
}

int main(int argc, char **argv)
{
	bool lines = argc > 1 && !strcmp(argv[1], "-l");
	const char *path = argv[1 + lines];
	size_t room = 0;
	char *text = NULL;
	ssize_t len;
	int num = 0;

	while ((len = getdelim(&text, &room, lines ? '\n' : 0, stdin)) > 0) {
		num++;
		if (check(text, (size_t)len, path))
			return 1;
	}
	if (!num)
		fprintf(stderr, "json: no input\n");
	return !num;
}
