// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "script.h"

#define SCRIPT_MAX 4096

static const struct record_world *world;
static unsigned long slots;
static char text[SCRIPT_MAX];
/* The interrupt whose "<" is text[n] has the index n. */
static struct record_interrupt interrupts[SCRIPT_MAX];

/* Return the end of a script: the ">" of its interrupt, or the end of the text. */
static char *end_of(char *script)
{
	unsigned int depth = 0;

	for (; *script && (depth || *script != '>'); script++)
		depth += (unsigned int)(*script == '<') - (*script == '>');
	return script;
}

/* Read a number, and move *@at past it. */
static u64 number(char **at)
{
	char *digits = *at;
	u64 num = strtoull(digits, at, 10);

	if (*at == digits)
		num = 1;
	if (**at != 'N' && **at != 'L')
		return num;
	num *= *(*at)++ == 'N' ? slots : record_lap_max() + 1;
	if (**at == '/')
		num /= strtoull(*at + 1, at, 10);
	if (**at == '+' || **at == '-')
		num += (u64)strtoll(*at, at, 10);
	return num;
}

static void run(void *script)
{
	char *op = script;

	while (*op && *op != '>') {
		u64 num = number(&op);
		bool interrupted = op[1] == '<';

		world->run(*op, num, interrupted ? &interrupts[op + 1 - text] : NULL);
		for (op++; *op == '<';)
			op = end_of(op + 1) + 1;
	}
}

/*
 * Move each interrupt whose "<" comes after text[last] to the earliest instruction at which it can
 * occur: the first one of its operation or, if the operation has an earlier interrupt, the one
 * after the instruction of the earlier interrupt.
 */
static void place(ptrdiff_t last)
{
	char *at = text;

	while ((at = strchr(at, '<'))) {
		struct record_interrupt *this = &interrupts[at - text];

		this->ran = false;
		if (at - text > last && at[-1] != '>')
			this->at = 1;
		if (this->next && this->next - interrupts > last)
			this->next->at = this->at + 1;
		at++;
	}
}

static void parse(void)
{
	char *at = text, *next;

	while ((at = strchr(at, '<'))) {
		struct record_interrupt *this = &interrupts[at - text];
		long given = strtol(++at, &next, 10);
		char *end = end_of(at);

		*this = (struct record_interrupt){ .at = given, .run = run, .arg = at };
		if (*next == ':')
			this->arg = next + 1;
		if (*end && end[1] == '<')
			this->next = &interrupts[end + 1 - text];
	}
}

/*
 * Of the interrupts that have occurred, move the last one in the text to the next instruction, and
 * the interrupts after it back to their earliest instructions. Return false if no interrupt has
 * occurred.
 */
static bool move_on(void)
{
	char *last = text + strlen(text);

	do
		if (last-- == text)
			return false;
	while (*last != '<' || !interrupts[last - text].ran);
	interrupts[last - text].at++;
	place(last - text);
	return true;
}

static void run_all(const void *start)
{
	slots = world->begin(start);
	run(text);
	world->end();
}

/* Run all scripts that @script describes, one for each alternative of its first {...}. */
static void try_each(const void *start, const char *name, const char *script)
{
	const char *at = script + strcspn(script, "{"), *end = strchr(at, '}');
	int before = (int)(at - script), len;

	if ((size_t)snprintf(text, sizeof(text), "%s", script) >= sizeof(text))
		record_fail("SCRIPT_MAX is too small");
	if (!*at) {
		record_describe("%s, '%s'", name, text);
		parse();
		place(-1);
		do
			run_all(start);
		while (move_on());
	}
	for (; *at && at < end; at += 1 + len) {
		char one[SCRIPT_MAX];

		len = (int)strcspn(at + 1, ",}");
		snprintf(one, sizeof(one), "%.*s%.*s%s", before, script, len, at + 1, end + 1);
		try_each(start, name, one);
	}
}

void record_script_try(const struct record_world *in, const void *start, const char *name,
		       const struct record_script *script)
{
	if (strcmp(script->test, record_test))
		return;
	world = in;
	try_each(start, name, script->script);
	*text = '\0';
}

void record_script_places(char *places, size_t size)
{
	const char *at = text;
	int len = 0;

	*places = '\0';
	while ((at = strchr(at, '<')) && (size_t)len < size)
		len += snprintf(places + len, size - (size_t)len, "%s%ld",
				len ? ", " : ", interrupts before instructions ",
				interrupts[at++ - text].at);
}

/* ---- random scripts ---- */

static u64 state;

static unsigned int random_below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % limit;
}

/*
 * Append up to @ops operations to the text, with interrupts if @depth is below 4. Return the end of
 * the text.
 */
static char *append(char *to, const struct record_random *random, unsigned int ops,
		    unsigned int depth)
{
	/* Leave room for one operation, and for the ends of all interrupts. */
	while (ops-- && to < text + sizeof(text) - 64) {
		char letter = random->letters[random_below((unsigned int)strlen(random->letters))];
		unsigned int num = 0, at = 0;

		if (random->number && !random_below(8))
			to += sprintf(to, "%u", random_below(random->number));
		else if (depth < 4 && !strchr(random->atomic, letter))
			num = random_below(4);
		*to++ = letter;
		for (; num && to < text + sizeof(text) - 64; num--) {
			at += 1 + random_below(random->place);
			to += sprintf(to, "<%u:", at);
			to = append(to, random, random_below(4), depth + 1);
			*to++ = '>';
		}
	}
	*to = '\0';
	return to;
}

void record_script_random(const struct record_world *in, const void *start, const char *name,
			  const struct record_random *random)
{
	const char *seed;

	world = in;
	for (seed = name, state = 0x5eed; *seed; seed++)
		state = state * 31 + (u64)*seed;
	for (unsigned int round = 0; round < random->rounds; round++) {
		append(text, random, random_below(random->ops), 1);
		record_describe("%s, round %u, '%.400s'", name, round, text);
		parse();
		run_all(start);
	}
	*text = '\0';
}
