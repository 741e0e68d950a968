// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "folded_lines.h"
#include "lib/base/put.h"
#include "lib/text/out.h"

/* Limit the memory, because a damaged trace can contain any number of different names. */
#define FOLDED_LINES_MAX (1u << 18)
#define FOLDED_BYTES_MAX ((size_t)64 << 20)

struct folded_line {
	struct folded_line *next; /* in the same slot */
	uint64_t hash;
	int64_t ns;
	size_t len;
	char text[];
};

/**
 * folded_text_add() - add a frame to a line
 * @text: line
 * @frame: frame; ";" and unprintable bytes are replaced. A frame that does not fit is cut
 */
void folded_text_add(struct folded_text *text, const char *frame)
{
	/* put_printable() writes at most four bytes for each byte. */
	size_t room = FOLDED_LINE_SIZE - text->len, len = strlen(frame);
	char *begin, *end;

	if (room <= PUT_SPARE + 1)
		return;
	room -= PUT_SPARE + 1;
	if (len > room / 4)
		len = room / 4;
	if (text->len)
		text->text[text->len++] = ';';
	begin = text->text + text->len;
	end = put_printable(begin, frame, len);
	for (char *p = begin; p < end; p++)
		if (*p == ';')
			*p = ':';
	text->len = (size_t)(end - text->text);
}

/* Hash a line (FNV-1a). */
static uint64_t folded_hash(const struct folded_text *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < text->len; i++)
		hash = (hash ^ (unsigned char)text->text[i]) * 0x100000001b3;
	return hash ^ hash >> 32;
}

static int folded_grow(struct folded_lines *lines)
{
	size_t slots = lines->slots ? lines->slots * 2 : 1024;
	struct folded_line **grown = calloc(slots, sizeof(*grown)), *line, *next;

	if (!grown)
		return -1;
	for (size_t i = 0; i < lines->slots; i++)
		for (line = lines->slot[i]; line; line = next) {
			next = line->next;
			line->next = grown[line->hash & (slots - 1)];
			grown[line->hash & (slots - 1)] = line;
		}
	free(lines->slot);
	lines->slot = grown;
	lines->slots = slots;
	return 0;
}

static int64_t folded_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static struct folded_line *folded_new(struct folded_lines *lines, const struct folded_text *text,
				      uint64_t hash)
{
	struct folded_line *line = malloc(sizeof(*line) + text->len);

	if (!line)
		return NULL;
	line->hash = hash;
	line->ns = 0;
	line->len = text->len;
	memcpy(line->text, text->text, text->len);
	line->next = lines->slot[hash & (lines->slots - 1)];
	lines->slot[hash & (lines->slots - 1)] = line;
	lines->num++;
	lines->bytes += sizeof(*line) + text->len;
	return line;
}

/**
 * folded_lines_add() - add time to a line
 * @lines: lines
 * @text: line
 * @ns: time in nanoseconds
 *
 * Return: 0; -1 if an allocation failed.
 */
int folded_lines_add(struct folded_lines *lines, const struct folded_text *text, int64_t ns)
{
	uint64_t hash = folded_hash(text);
	struct folded_line *line;

	if (ns <= 0)
		return 0;
	if (lines->num >= lines->slots && folded_grow(lines))
		return -1;
	line = lines->slot[hash & (lines->slots - 1)];
	while (line && (line->hash != hash || line->len != text->len ||
			memcmp(line->text, text->text, text->len) != 0))
		line = line->next;
	if (!line && (lines->num >= FOLDED_LINES_MAX || lines->bytes >= FOLDED_BYTES_MAX)) {
		lines->others_ns = folded_sum(lines->others_ns, ns);
		return 0;
	}
	if (!line)
		line = folded_new(lines, text, hash);
	if (!line)
		return -1;
	line->ns = folded_sum(line->ns, ns);
	return 0;
}

static int folded_compare(const void *pa, const void *pb)
{
	const struct folded_line *a = *(const struct folded_line *const *)pa;
	const struct folded_line *b = *(const struct folded_line *const *)pb;
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Write a line. The time is in microseconds, as in lkstla. */
static void folded_put(struct lkst_out *out, const char *text, size_t len, int64_t ns)
{
	char *p = put_char(put_bytes(out_room(out), text, len), ' ');

	p = put_udec(p, (uint64_t)ns / 1000 + (ns % 1000 >= 500));
	out_end(out, put_char(p, '\n'));
}

/**
 * folded_lines_write() - write all lines, sorted by their text
 * @lines: lines
 * @out: output
 *
 * Return: 0; -1 if an allocation failed.
 */
int folded_lines_write(const struct folded_lines *lines, struct lkst_out *out)
{
	static const char others[] = "(others)";
	const struct folded_line **sorted = malloc((lines->num + 1) * sizeof(const void *));
	size_t num = 0;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < lines->slots; i++)
		for (const struct folded_line *line = lines->slot[i]; line; line = line->next)
			sorted[num++] = line;
	qsort(sorted, num, sizeof(*sorted), folded_compare);
	for (size_t i = 0; i < num; i++)
		folded_put(out, sorted[i]->text, sorted[i]->len, sorted[i]->ns);
	if (lines->others_ns)
		folded_put(out, others, sizeof(others) - 1, lines->others_ns);
	free(sorted);
	return 0;
}

/**
 * folded_lines_free() - free all lines
 * @lines: lines
 */
void folded_lines_free(struct folded_lines *lines)
{
	struct folded_line *next;

	for (size_t i = 0; i < lines->slots; i++)
		for (struct folded_line *line = lines->slot[i]; line; line = next) {
			next = line->next;
			free(line);
		}
	free(lines->slot);
}
