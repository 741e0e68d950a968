// SPDX-License-Identifier: GPL-2.0
/*
 * The core of histograms: parse their definition, count events, and merge what
 * the CPUs have counted.
 *
 * A table is changed only by its CPU, with preemption off. So a writer can only
 * be interrupted by a writer in a softirq, a hardirq or an NMI, which ends
 * before the interrupted one continues. The writers need no lock:
 *
 * - An entry is taken by incrementing lkst_hist_table.used with a cmpxchg, so
 *   each entry is taken by one writer.
 * - The writer fills the keys of its entry first, and then publishes the entry
 *   with a single cmpxchg of a slot from 0 to the entry's number. So if a slot
 *   contains an entry, the keys of this entry are complete and never change.
 * - If that cmpxchg fails, a nested writer has published another entry in this
 *   slot. The interrupted writer continues with the next slot. The nested
 *   writer may have published the same keys, so a table can contain two entries
 *   with the same keys. This does no harm, because entries with the same keys
 *   are merged when the tables are read. Once an entry is published, a new
 *   search finds it. Other entries with the same keys can therefore come only
 *   from writers whose search was interrupted before this entry was published.
 *   There are at most as many of these as writers can be nested.
 * - Each sum is changed by an addition that is atomic with respect to
 *   interrupts.
 *
 * No step waits for another writer. A nested writer can make the cmpxchg of
 * @used fail, but each failure means that an entry was taken, and a table has
 * finitely many entries.
 *
 * The reader runs on any CPU. It finds entries by their slots, which it reads
 * with acquire semantics. This pairs with the write barrier before a slot is
 * published, so the reader also sees complete keys.
 */
#include "filter_compat.h"
#include "hist.h"
#include "hist_compat.h"

/*
 * Maximum number of slots that a search reads. At least half of all slots are
 * free.
 */
#define HIST_PROBES	256

#define HIST_SHOWN	60

/* ---- parsing ---- */

/* A part of the text: from @at, before @end. */
struct hist_span {
	const char *at;
	const char *end;
};

/* The position of @at in the text of the filter. */
static __u32 hist_at(const struct lkst_hist_parser *parser, const char *at)
{
	return parser->args.start + (at - parser->args.at);
}

#define hist_error(parser, at, ...)							\
	lkst_filter_error((parser)->filter, hist_at(parser, at), __VA_ARGS__)

/* Arguments for "%.*s" that print a span, which is cut if it is long. */
#define HIST_SPAN(span)									\
	(int)((span)->end - (span)->at < HIST_SHOWN ? (span)->end - (span)->at : HIST_SHOWN),	\
	(span)->at

static bool hist_is(const struct hist_span *span, const char *text)
{
	return strlen(text) == (size_t)(span->end - span->at) &&
	       !strncmp(span->at, text, span->end - span->at);
}

/* Return the position of @c in a span, or the end of the span. */
static const char *hist_find(const struct hist_span *span, char c)
{
	const char *at = memchr(span->at, c, span->end - span->at);

	return at ? at : span->end;
}

/*
 * Move the part of @rest before @separator to @part. Returns false, with @part
 * unchanged, after the last part.
 */
static bool hist_split(struct hist_span *rest, char separator, struct hist_span *part)
{
	if (!rest->at)
		return false;
	part->at = rest->at;
	part->end = hist_find(rest, separator);
	rest->at = part->end < rest->end ? part->end + 1 : NULL;
	while (part->at < part->end && *part->at == ' ')
		part->at++;
	while (part->at < part->end && part->end[-1] == ' ')
		part->end--;
	return true;
}

/*
 * Parse a decimal number. Returns 0 if the text is not a number from 1 to @max.
 */
static __u64 hist_number(const struct hist_span *span, __u64 max)
{
	const char *at = span->at;
	__u64 number = 0;

	if (at == span->end)
		return 0;
	for (; at < span->end; at++) {
		if (*at < '0' || *at > '9')
			return 0;
		number = number * 10 + *at - '0';
		if (number > max)
			return 0;
	}
	return number;
}

static const struct {
	const char *name;
	enum lkst_hist_modifier modifier;
	bool of_sum;
	bool of_key;
} hist_modifiers[] = {
	{ "hex", LKST_HIST_HEX, true, true },
	{ "sym", LKST_HIST_SYM, false, true },
	{ "sym-offset", LKST_HIST_SYM_OFFSET, false, true },
	{ "syscall", LKST_HIST_SYSCALL, false, true },
	{ "execname", LKST_HIST_EXECNAME, false, true },
	{ "log2", LKST_HIST_LOG2, false, true },
	{ "percent", LKST_HIST_PERCENT, true, false },
	{ "graph", LKST_HIST_GRAPH, true, false },
};

#define HIST_KEY_MODIFIERS	"hex, sym, sym-offset, syscall, execname, log2 or buckets=N"
#define HIST_SUM_MODIFIERS	"hex, percent or graph"

/* Take the modifier of a field, if there is one: the text after "." */
static bool hist_modifier(struct lkst_hist_parser *parser, const struct hist_span *span, bool key,
			  struct lkst_hist_field *field)
{
	static const char buckets[] = "buckets=";
	struct hist_span width = *span;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hist_modifiers); i++) {
		if (!hist_is(span, hist_modifiers[i].name) ||
		    !(key ? hist_modifiers[i].of_key : hist_modifiers[i].of_sum))
			continue;
		field->modifier = hist_modifiers[i].modifier;
		return true;
	}
	if (key && (size_t)(span->end - span->at) > strlen(buckets) &&
	    !strncmp(span->at, buckets, strlen(buckets))) {
		width.at += strlen(buckets);
		field->modifier = LKST_HIST_BUCKETS;
		field->width = hist_number(&width, ~0U);
		return field->width ||
		       hist_error(parser, width.at,
				  "\"%.*s\" is not the width of a bucket (want 1 or more)",
				  HIST_SPAN(&width));
	}
	return hist_error(parser, span->at, "unknown modifier \"%.*s\" of a %s (want %s)",
			  HIST_SPAN(span), key ? "key" : "sum",
			  key ? HIST_KEY_MODIFIERS : HIST_SUM_MODIFIERS);
}

/* Check that a modifier can be applied to a field. */
static bool hist_check_modifier(struct lkst_hist_parser *parser, const struct hist_span *span,
				const struct lkst_filter_field *from,
				const struct lkst_hist_field *field)
{
	bool thread = from->text == LKST_TEXT_NONE &&
		      (from->load == LKST_LOAD_PID || from->load == LKST_LOAD_TID);

	if (field->modifier != LKST_HIST_PLAIN && from->text != LKST_TEXT_NONE)
		return hist_error(parser, span->at, "\"%.*s\" is a string (want no modifier)",
				  (int)from->name_len, from->name);
	if (field->modifier == LKST_HIST_EXECNAME && !thread)
		return hist_error(parser, span->at,
				  "\"%.*s\": only pid and tid have the modifier execname",
				  (int)from->name_len, from->name);
	return true;
}

static __u32 hist_field_size(const struct lkst_filter_field *from)
{
	__u32 size = from->size;

	if (from->text == LKST_TEXT_NONE)
		return sizeof(__u64);
	if (!size || size > LKST_HIST_STRING_LEN)
		size = LKST_HIST_STRING_LEN;
	return (size + 7) & ~7U;
}

/*
 * Set field @index of the definition. Its offset is set later, when all fields
 * are known.
 */
static bool hist_set_field(struct lkst_hist_parser *parser, const struct hist_span *name,
			   unsigned int index, bool key)
{
	struct lkst_hist_field *field = &parser->def.field[index];
	const struct lkst_filter_field *from;

	from = lkst_filter_find(parser->filter, name->at, name->end - name->at);
	if (!from)
		return lkst_filter_unknown(parser->filter, hist_at(parser, name->at), name->at,
					   name->end - name->at);
	if (from->is_opaque)
		return hist_error(parser, name->at, "\"%.*s\" is neither a number nor a string",
				  HIST_SPAN(name));
	if (!key && from->text != LKST_TEXT_NONE)
		return hist_error(parser, name->at,
				  "\"%.*s\" is a string (want a number, to add up)",
				  HIST_SPAN(name));
	if (name->end - name->at >= (long)sizeof(field->name))
		return hist_error(parser, name->at, "the name of the field is too long");
	memcpy(field->name, name->at, name->end - name->at);
	field->size = hist_field_size(from);
	field->flags = from->text != LKST_TEXT_NONE ? LKST_HIST_STRING :
						      from->is_signed ? LKST_HIST_SIGNED : 0;
	lkst_filter_set_field(&parser->def.load[index].from, from);
	parser->def.load[index].is_signed = from->is_signed;
	return hist_check_modifier(parser, name, from, field);
}

/* Add a key or a sum: "FIELD[.MODIFIER]" */
static bool hist_add_field(struct lkst_hist_parser *parser, const struct hist_span *word, bool key)
{
	struct lkst_hist_def *def = &parser->def;
	struct hist_span name = { word->at, hist_find(word, '.') };
	struct hist_span modifier = { name.end + 1, word->end };
	/* The number of events is the first sum of every histogram. */
	bool hits = !key && hist_is(&name, "hitcount");
	unsigned int index = key ? def->keys : LKST_HIST_KEYS + (hits ? 0 : def->vals);

	if (name.at == name.end)
		return hist_error(parser, word->at, "no field (want the name of a field)");
	if (!hits && index == (key ? LKST_HIST_KEYS : LKST_HIST_FIELDS))
		return hist_error(parser, word->at, "too many fields (want at most %d)",
				  key ? LKST_HIST_KEYS : LKST_HIST_VALS - 1);
	if (name.end < word->end && !hist_modifier(parser, &modifier, key, &def->field[index]))
		return false;
	if (hits)
		return true;
	if (key)
		def->keys++;
	else
		def->vals++;
	return hist_set_field(parser, &name, index, key);
}

static bool hist_add_fields(struct lkst_hist_parser *parser, struct hist_span *list, bool key)
{
	struct hist_span word;

	while (hist_split(list, ',', &word))
		if (!hist_add_field(parser, &word, key))
			return false;
	return true;
}

/* Find a key or a sum. Returns its index, or -1. */
static int hist_field_index(const struct lkst_hist_def *def, const struct hist_span *name)
{
	unsigned int i;

	for (i = 0; i < LKST_HIST_FIELDS; i++)
		if (def->field[i].size && hist_is(name, def->field[i].name))
			return i;
	return -1;
}

/* Add a field to sort by. @part: where the part "sort=" begins */
static bool hist_add_sort(struct lkst_hist_parser *parser, const struct hist_span *word,
			  const char *part)
{
	struct lkst_hist_def *def = &parser->def;
	struct hist_span name = { word->at, hist_find(word, '.') };
	struct hist_span order = { name.end + 1, word->end };
	int index = hist_field_index(def, &name);
	bool descending = false;

	if (name.at == name.end)
		return hist_error(parser, part,
				  "no field to sort by (want a key, a sum or hitcount)");
	if (index < 0)
		return hist_error(parser, word->at,
				  "\"%.*s\" is neither a key nor a sum (want one, or hitcount)",
				  HIST_SPAN(&name));
	if (name.end < word->end) {
		descending = hist_is(&order, "descending");
		if (!descending && !hist_is(&order, "ascending"))
			return hist_error(parser, order.at,
					  "unknown order \"%.*s\" (want ascending or descending)",
					  HIST_SPAN(&order));
	}
	if (def->sorts == LKST_HIST_SORTS)
		return hist_error(parser, part, "too many fields to sort by (want at most %d)",
				  LKST_HIST_SORTS);
	def->sort[def->sorts++] = (struct lkst_hist_sort){ index, descending };
	return true;
}

static bool hist_add_sorts(struct lkst_hist_parser *parser, struct hist_span *list)
{
	const char *part = list->at - strlen("sort=");
	struct hist_span word;

	while (hist_split(list, ',', &word))
		if (!hist_add_sort(parser, &word, part))
			return false;
	return true;
}

static bool hist_set_size(struct lkst_hist_parser *parser, const struct hist_span *value)
{
	__u64 size = hist_number(value, LKST_HIST_SIZE_MAX);

	if (size < LKST_HIST_SIZE_MIN)
		return hist_error(parser, value->at,
				  "\"%.*s\" is not a valid number of entries (want %d to %d)",
				  HIST_SPAN(value), LKST_HIST_SIZE_MIN, LKST_HIST_SIZE_MAX);
	for (parser->def.size = LKST_HIST_SIZE_MIN; parser->def.size < size;)
		parser->def.size *= 2;
	return true;
}

static bool hist_set_name(struct lkst_hist_parser *parser, const struct hist_span *value)
{
	const char *at;

	if (value->at == value->end || value->end - value->at >= LKST_HIST_NAME_LEN)
		return hist_error(parser, value->at,
				  "\"%.*s\" is not a valid name (want 1 to %d characters)",
				  HIST_SPAN(value), LKST_HIST_NAME_LEN - 1);
	for (at = value->at; at < value->end; at++)
		if (!(*at >= 'a' && *at <= 'z') && !(*at >= 'A' && *at <= 'Z') &&
		    !(*at >= '0' && *at <= '9') && *at != '_')
			return hist_error(parser, value->at,
					  "\"%.*s\" is not a valid name (want letters, digits and _)",
					  HIST_SPAN(value));
	memcpy(parser->def.name, value->at, value->end - value->at);
	return true;
}

static bool hist_set_state(struct lkst_hist_parser *parser, const struct hist_span *word)
{
	struct lkst_hist_def *def = &parser->def;

	if (hist_is(word, "pause"))
		def->state = LKST_HIST_PAUSE;
	else if (hist_is(word, "cont") || hist_is(word, "continue"))
		def->state = LKST_HIST_CONT;
	else if (hist_is(word, "clear"))
		def->state = LKST_HIST_CLEAR;
	else
		return hist_error(parser, word->at,
				  "unknown word \"%.*s\" (want keys=, vals=, sort=, size=, name=, pause, cont or clear)",
				  HIST_SPAN(word));
	return true;
}

/* The parts "NAME=VALUE" of a definition. */
enum hist_part {
	HIST_KEYS,
	HIST_VALS,
	HIST_SORT,
	HIST_SIZE,
	HIST_NAME,
	HIST_PARTS,
	HIST_STATE = HIST_PARTS,
};

static enum hist_part hist_part(const struct hist_span *name)
{
	static const struct {
		const char *name;
		enum hist_part part;
	} parts[] = {
		{ "keys", HIST_KEYS }, { "key", HIST_KEYS }, { "vals", HIST_VALS },
		{ "val", HIST_VALS }, { "values", HIST_VALS }, { "sort", HIST_SORT },
		{ "size", HIST_SIZE }, { "name", HIST_NAME },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (hist_is(name, parts[i].name))
			return parts[i].part;
	return HIST_STATE;
}

static bool hist_set_part(struct lkst_hist_parser *parser, enum hist_part part,
			  struct hist_span *value)
{
	switch (part) {
	case HIST_KEYS:
	case HIST_VALS:
		return hist_add_fields(parser, value, part == HIST_KEYS);
	case HIST_SORT:
		return hist_add_sorts(parser, value);
	case HIST_SIZE:
		return hist_set_size(parser, value);
	default:
		return hist_set_name(parser, value);
	}
}

/*
 * Find all parts before parsing any: "sort=" may precede the fields it names.
 */
static bool hist_find_parts(struct lkst_hist_parser *parser, struct hist_span *parts)
{
	struct hist_span rest = { parser->args.at, parser->args.at + parser->args.len };
	struct hist_span word, name;
	enum hist_part part;

	while (hist_split(&rest, ':', &word)) {
		name = (struct hist_span){ word.at, hist_find(&word, '=') };
		part = name.end < word.end ? hist_part(&name) : HIST_STATE;
		if (part == HIST_STATE) {
			if (!hist_set_state(parser, &word))
				return false;
			continue;
		}
		if (parts[part].at)
			return hist_error(parser, word.at, "\"%.*s\" is given twice",
					  HIST_SPAN(&name));
		parts[part] = (struct hist_span){ name.end + 1, word.end };
	}
	return parts[HIST_KEYS].at ||
	       hist_error(parser, parser->args.at,
			  "a histogram needs keys (want keys=FIELD,...)");
}

/*
 * Set the offsets of the fields: the sums come first, because they are 64-bit.
 */
static void hist_set_layout(struct lkst_hist_def *def)
{
	struct lkst_hist_field *field;
	unsigned int i, offset = 0;

	for (i = 0; i < def->vals; i++) {
		def->field[LKST_HIST_KEYS + i].offset = offset;
		offset += sizeof(__u64);
	}
	for (i = 0; i < def->keys; i++) {
		field = &def->field[i];
		field->offset = offset;
		offset += field->size;
		def->key_bytes += field->size;
		def->has_comm |= field->modifier == LKST_HIST_EXECNAME;
	}
}

/**
 * lkst_hist_parse() - parse the definition of a histogram
 * @parser: the caller has set @filter and @args, and the rest to 0
 *
 * Return: whether the definition is valid. If not, @filter contains the error.
 */
bool lkst_hist_parse(struct lkst_hist_parser *parser)
{
	struct lkst_hist_def *def = &parser->def;
	struct lkst_hist_field *hits = &def->field[LKST_HIST_KEYS];
	struct hist_span parts[HIST_PARTS] = { 0 };
	unsigned int i;

	def->size = LKST_HIST_SIZE;
	def->vals = 1;
	hits->size = sizeof(__u64);
	strcpy(hits->name, "hitcount");
	if (!hist_find_parts(parser, parts))
		return false;
	for (i = 0; i < HIST_PARTS; i++)
		if (parts[i].at && !hist_set_part(parser, i, &parts[i]))
			return false;
	if (!def->sorts)
		def->sort[def->sorts++].field = LKST_HIST_KEYS;
	hist_set_layout(def);
	return true;
}

/**
 * lkst_hist_compatible() - whether two definitions can share the same tables
 * @a: a definition
 * @b: another definition, for this or for another event type
 */
bool lkst_hist_compatible(const struct lkst_hist_def *a, const struct lkst_hist_def *b)
{
	unsigned int i;

	for (i = 0; i < LKST_HIST_FIELDS; i++)
		if (memcmp(&a->field[i], &b->field[i], sizeof(a->field[i])))
			return false;
	return a->keys == b->keys && a->vals == b->vals && a->size == b->size &&
	       !strcmp(a->name, b->name);
}

/* ---- counting ---- */

/**
 * lkst_hist_entry_bytes() - size of a merged entry, as readers get it
 * @def: definition
 */
size_t lkst_hist_entry_bytes(const struct lkst_hist_def *def)
{
	return def->vals * sizeof(__u64) + def->key_bytes +
	       (def->has_comm ? LKST_HIST_COMM_LEN : 0);
}

static size_t hist_elt_bytes(const struct lkst_hist_def *def)
{
	return offsetof(struct lkst_hist_elt, sum) + lkst_hist_entry_bytes(def);
}

static size_t hist_elts_at(const struct lkst_hist_def *def)
{
	return offsetof(struct lkst_hist_table, slot) + 2 * def->size * sizeof(__u32);
}

/**
 * lkst_hist_table_bytes() - size of the table of a CPU
 * @def: definition
 */
size_t lkst_hist_table_bytes(const struct lkst_hist_def *def)
{
	return hist_elts_at(def) + def->size * hist_elt_bytes(def);
}

/**
 * lkst_hist_table_init() - initialize the table of a CPU
 * @def: definition
 * @table: lkst_hist_table_bytes() bytes, which are 0
 */
void lkst_hist_table_init(const struct lkst_hist_def *def, struct lkst_hist_table *table)
{
	table->elts = hist_elts_at(def);
}

static notrace struct lkst_hist_elt *hist_elt(const struct lkst_hist_def *def,
					      struct lkst_hist_table *table, __u32 index)
{
	return (void *)((char *)table + table->elts + index * hist_elt_bytes(def));
}

static notrace const char *hist_elt_keys(const struct lkst_hist_def *def,
					 const struct lkst_hist_elt *elt)
{
	return (const char *)&elt->sum[def->vals];
}

/* Read a number, and extend its sign. Returns 0 if the event lacks it. */
static notrace __u64 hist_load(const struct lkst_hist_load *load,
			       const struct lkst_filter_record *record)
{
	__u64 value;

	if (!lkst_rule_number(&load->from, record, &value))
		return 0;
	return lkst_filter_extend(&load->from, load->is_signed, value);
}

/* Return the n for which @value is at most 2^n, and greater than 2^(n-1). */
static notrace __u64 hist_log2(__u64 value)
{
	return value > 1 ? hist_fls64(value - 1) : 0;
}

/* Return the first number of the bucket that contains @value. */
static notrace __u64 hist_bucket(__u64 value, __u64 width, bool is_signed)
{
	if (is_signed && (__s64)value < 0)
		return -((hist_div(-value - 1, width) + 1) * width);
	return hist_div(value, width) * width;
}

static notrace void hist_key_number(const struct lkst_hist_def *def, unsigned int key,
				    const struct lkst_filter_record *record, char *to)
{
	__u64 value = hist_load(&def->load[key], record);

	if (def->field[key].modifier == LKST_HIST_LOG2)
		value = hist_log2(value);
	else if (def->field[key].modifier == LKST_HIST_BUCKETS)
		value = hist_bucket(value, def->field[key].width, def->load[key].is_signed);
	memcpy(to, &value, sizeof(value));
}

static notrace void hist_key_string(const struct lkst_hist_def *def, unsigned int key,
				    const struct lkst_filter_record *record, char *to)
{
	__u32 size = 0, i;
	const char *text = lkst_rule_string(&def->load[key].from, record, &size);

	if (!text)
		return;
	for (i = 0; i < size && i < def->field[key].size && text[i]; i++)
		to[i] = text[i];
	lkst_rule_string_done(&def->load[key].from);
}

/* Get the keys of an event. @keys has been set to 0. */
static notrace void hist_keys(const struct lkst_hist_def *def,
			      const struct lkst_filter_record *record, char *keys)
{
	unsigned int i;

	for (i = 0; i < def->keys; keys += def->field[i].size, i++) {
		if (def->field[i].flags & LKST_HIST_STRING)
			hist_key_string(def, i, record, keys);
		else
			hist_key_number(def, i, record, keys);
	}
}

static notrace __u32 hist_hash(const char *keys, __u32 bytes)
{
	__u64 hash = 0, word;
	__u32 i;

	for (i = 0; i < bytes; i += sizeof(word)) {
		memcpy(&word, keys + i, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

/* Take an entry. Returns its index, or -1 if the table is full. */
static notrace long hist_take(const struct lkst_hist_def *def, struct lkst_hist_table *table)
{
	__u32 used;

	do {
		used = READ_ONCE(table->used);
		if (used >= def->size)
			return -1;
		HIST_INTERRUPT();
	} while (hist_cmpxchg(&table->used, used, used + 1) != used);
	return used;
}

/* Take an entry, and fill its keys. Returns its index, or -1. */
static notrace long hist_fill(const struct lkst_hist_def *def, struct lkst_hist_table *table,
			      __u32 hash, const char *keys)
{
	long index = hist_take(def, table);
	static const struct lkst_filter_test thread = { .text = LKST_TEXT_COMM };
	struct lkst_hist_elt *elt;
	const char *comm;
	__u32 size;
	char *to;

	if (index < 0)
		return -1;
	elt = hist_elt(def, table, index);
	elt->hash = hash;
	to = (char *)&elt->sum[def->vals];
	memcpy(to, keys, def->key_bytes);
	if (def->has_comm) {
		comm = lkst_rule_string(&thread, NULL, &size);
		memcpy(to + def->key_bytes, comm, min_t(__u32, size, LKST_HIST_COMM_LEN));
	}
	/* Pairs with the acquire in hist_published(). */
	smp_wmb();
	return index;
}

/*
 * Find the entry with the given keys, or add one. Returns NULL if there is no
 * room.
 */
static notrace struct lkst_hist_elt *hist_search(const struct lkst_hist_def *def,
						 struct lkst_hist_table *table,
						 const char *keys)
{
	__u32 hash = hist_hash(keys, def->key_bytes), at = hash, slot;
	struct lkst_hist_elt *elt;
	long filled = -1;
	unsigned int i;

	for (i = 0; i < HIST_PROBES; i++, at++) {
		at &= 2 * def->size - 1;
		slot = READ_ONCE(table->slot[at]);
		if (!slot) {
			if (filled < 0)
				filled = hist_fill(def, table, hash, keys);
			if (filled < 0)
				return NULL;
			HIST_INTERRUPT();
			slot = hist_cmpxchg(&table->slot[at], 0, filled + 1);
			if (!slot)
				return hist_elt(def, table, filled);
		}
		elt = hist_elt(def, table, slot - 1);
		if (elt->hash == hash && !memcmp(hist_elt_keys(def, elt), keys, def->key_bytes))
			return elt;
	}
	return NULL;
}

/**
 * lkst_hist_add() - count an event
 * @def: definition
 * @table: table of this CPU
 * @record: values of the event
 *
 * Context: any, NMI included, with preemption off.
 */
notrace void lkst_hist_add(const struct lkst_hist_def *def, struct lkst_hist_table *table,
			   const struct lkst_filter_record *record)
{
	__u64 keys[LKST_HIST_KEYS * LKST_HIST_STRING_LEN / sizeof(__u64)];
	struct lkst_hist_elt *elt;
	unsigned int i;

	memset(keys, 0, def->key_bytes);
	hist_keys(def, record, (char *)keys);
	elt = hist_search(def, table, (const char *)keys);
	if (!elt) {
		hist_sum(&table->drops, 1);
		return;
	}
	hist_sum(&elt->sum[0], 1);
	for (i = 1; i < def->vals; i++)
		hist_sum(&elt->sum[i], hist_load(&def->load[LKST_HIST_KEYS + i], record));
}

/* ---- merging ---- */

/**
 * lkst_hist_used() - maximum number of entries that a merge of tables can find
 * @table: tables; NULL where a CPU has none
 * @tables: number of tables
 */
size_t lkst_hist_used(struct lkst_hist_table *const *table, unsigned int tables)
{
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < tables; i++)
		if (table[i])
			used += READ_ONCE(table[i]->used);
	return used;
}

/* The entry that is published in a slot, or NULL. */
static const struct lkst_hist_elt *hist_published(const struct lkst_hist_def *def,
						  struct lkst_hist_table *table, __u32 at)
{
	/* Pairs with the write barrier in hist_fill(). */
	__u32 slot = smp_load_acquire(&table->slot[at]);

	return slot ? hist_elt(def, table, slot - 1) : NULL;
}

/* Collect the entries of all tables. */
static void hist_collect(struct lkst_hist_merge *merge)
{
	const struct lkst_hist_def *def = merge->def;
	const struct lkst_hist_elt *elt;
	unsigned int i;
	__u32 at;

	for (i = 0; i < merge->tables; i++) {
		if (!merge->table[i])
			continue;
		merge->drops += hist_read(&merge->table[i]->drops);
		for (at = 0; at < 2 * def->size; at++) {
			elt = hist_published(def, merge->table[i], at);
			if (elt && merge->entries < merge->max)
				merge->list[merge->entries++] = (const char *)elt;
			else if (elt)
				merge->cut = true;
		}
		cond_resched();
	}
}

static int hist_compare_keys(const struct lkst_hist_def *def, const char *a, const char *b)
{
	return memcmp(hist_elt_keys(def, (const struct lkst_hist_elt *)a),
		      hist_elt_keys(def, (const struct lkst_hist_elt *)b), def->key_bytes);
}

static int hist_compare_field(const struct lkst_hist_field *field, const char *a, const char *b)
{
	__u64 x, y;

	if (field->flags & LKST_HIST_STRING)
		return memcmp(a + field->offset, b + field->offset, field->size);
	memcpy(&x, a + field->offset, sizeof(x));
	memcpy(&y, b + field->offset, sizeof(y));
	if (field->flags & LKST_HIST_SIGNED)
		return (__s64)x < (__s64)y ? -1 : (__s64)x > (__s64)y;
	return x < y ? -1 : x > y;
}

/* Compare entries by the fields that sort them, and then by the keys. */
static int hist_compare_entries(const struct lkst_hist_def *def, const char *a, const char *b)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < def->sorts; i++) {
		ret = hist_compare_field(&def->field[def->sort[i].field], a, b);
		if (def->sort[i].descending)
			ret = -ret;
	}
	for (i = 0; !ret && i < def->keys; i++)
		ret = hist_compare_field(&def->field[i], a, b);
	return ret;
}

typedef int (*hist_compare)(const struct lkst_hist_def *def, const char *a, const char *b);

/*
 * Merge two sorted parts of @from, [low, middle) and [middle, high), into @to.
 */
static void hist_merge_parts(const struct lkst_hist_def *def, hist_compare compare,
			     const char **from, const char **to, size_t low, size_t middle,
			     size_t high)
{
	size_t left = low, right = middle, i;

	for (i = low; i < high; i++) {
		if (left < middle &&
		    (right == high || compare(def, from[left], from[right]) <= 0))
			to[i] = from[left++];
		else
			to[i] = from[right++];
	}
}

/*
 * Sort merge->list, with a merge sort. There may be millions of entries, and
 * the kernel's sort() would not let other threads run meanwhile.
 */
static void hist_sort(struct lkst_hist_merge *merge, hist_compare compare)
{
	size_t num = merge->entries, width, low, middle;
	const char **to;

	for (width = 1; width < num; width *= 2) {
		for (low = 0; low < num; low += 2 * width) {
			middle = min(low + width, num);
			hist_merge_parts(merge->def, compare, merge->list, merge->scratch, low,
					 middle, min(middle + width, num));
			cond_resched();
		}
		to = merge->scratch;
		merge->scratch = merge->list;
		merge->list = to;
	}
}

/* Add the sums of an entry of a table to a merged entry. */
static void hist_add_sums(struct lkst_hist_merge *merge, char *entry,
			  const struct lkst_hist_elt *elt)
{
	__u64 sum, more;
	unsigned int i;

	for (i = 0; i < merge->def->vals; i++) {
		memcpy(&sum, entry + i * sizeof(sum), sizeof(sum));
		more = hist_read(&elt->sum[i]);
		if (!i)
			merge->hits += more;
		sum += more;
		memcpy(entry + i * sizeof(sum), &sum, sizeof(sum));
	}
}

/* Add up sorted entries with equal keys. */
static void hist_add_up(struct lkst_hist_merge *merge)
{
	const struct lkst_hist_def *def = merge->def;
	size_t bytes = lkst_hist_entry_bytes(def), sums = def->vals * sizeof(__u64), i, num = 0;
	const struct lkst_hist_elt *elt;
	char *entry = NULL;

	for (i = 0; i < merge->entries; i++) {
		elt = (const struct lkst_hist_elt *)merge->list[i];
		if (!entry || memcmp(entry + sums, hist_elt_keys(def, elt), def->key_bytes)) {
			entry = merge->entry + num++ * bytes;
			memset(entry, 0, sums);
			memcpy(entry + sums, hist_elt_keys(def, elt), bytes - sums);
		}
		hist_add_sums(merge, entry, elt);
	}
	merge->entries = num;
	for (i = 0; i < num; i++)
		merge->list[i] = merge->entry + i * bytes;
}

/**
 * lkst_hist_merge() - merge the tables of all CPUs
 * @merge: the caller has set the members before @cut, and the rest to 0
 *
 * Context: may sleep. Events may be counted meanwhile.
 */
void lkst_hist_merge(struct lkst_hist_merge *merge)
{
	hist_collect(merge);
	hist_sort(merge, hist_compare_keys);
	hist_add_up(merge);
	hist_sort(merge, hist_compare_entries);
}
