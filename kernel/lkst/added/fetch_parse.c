// SPDX-License-Identifier: GPL-2.0
/*
 * Compile the definition of an added event, which has the syntax of the
 * kernel's kprobe_events and dynamic_events:
 *
 *	p[:[GROUP/][EVENT]] [MODULE:]SYMBOL[+OFFSET][%return]|ADDRESS {FIELD}
 *	r[MAXACTIVE][:[GROUP/][EVENT]] [MODULE:]SYMBOL {FIELD}
 *	f[:[GROUP/][EVENT]] [MODULE:]SYMBOL[%return] {FIELD}
 *	t[:[GROUP/][EVENT]] TRACEPOINT {FIELD}
 *	s:[GROUP/]EVENT TYPE NAME {; TYPE NAME}
 *	-:[GROUP/]EVENT
 *
 *	FIELD = [NAME=]FETCH[:TYPE]
 *	FETCH = $argN | $retval | $stack | $stackN | $comm | %REGISTER
 *	      | @ADDRESS | @SYMBOL[+|-OFFSET] | \NUMBER | +|-[u]OFFSET(FETCH)
 *
 * Documentation/trace/kprobetrace.rst and histogram.rst explain the meaning.
 * Pointers are stored in the order in which they are followed, so the parser
 * needs no recursion.
 */
#include "fetch_text.h"

/* Parse the name of a group or an event. */
static bool fetch_event_name(struct lkst_fetch_parser *parser, char *to, struct fetch_part part,
			     const char *what)
{
	if (!part.len)
		return fetch_error(parser, part.at, "no name of %s", what);
	if (!fetch_is_name(part))
		return fetch_error(parser, part.at,
				   "\"%.*s\" is not a name of %s (want letters, digits and _)",
				   FETCH_PART(part), what);
	return fetch_store(parser, to, LKST_FETCH_NAME, part, what);
}

/*
 * Parse "[GROUP/][EVENT]". As in the kernel, the group ends at '.' if there is
 * no '/'.
 */
static bool fetch_names(struct lkst_fetch_parser *parser, struct fetch_part part)
{
	size_t len = fetch_until(part, "/");

	if (len == part.len)
		len = fetch_until(part, ".");
	if (len < part.len) {
		if (!fetch_event_name(parser, parser->group, (struct fetch_part){ part.at, len },
				      "a group"))
			return false;
		part = fetch_skip(part, len + 1);
		if (!part.len && parser->probe != LKST_FETCH_REMOVE)
			return true;
	}
	return fetch_event_name(parser, parser->name, part, "an event");
}

/* Parse what follows the letter: "[MAXACTIVE][:[GROUP/]EVENT]". */
static bool fetch_command(struct lkst_fetch_parser *parser, struct fetch_part word)
{
	struct fetch_part number = { word.at + 1, fetch_until(word, ":") - 1 };
	struct fetch_part names = fetch_skip(word, number.len + 1);
	__u64 maxactive;

	if (number.len) {
		if (parser->probe != LKST_FETCH_KRETPROBE || !fetch_number(number, &maxactive))
			return fetch_error(parser, number.at, "unexpected \"%.*s\" (want \":\")",
					   FETCH_PART(number));
		if (maxactive > 4096)
			return fetch_error(parser, number.at,
					   "too many calls in progress (at most 4096)");
		parser->maxactive = maxactive;
	}
	return !names.len || fetch_names(parser, fetch_skip(names, 1));
}

static bool fetch_probe(struct lkst_fetch_parser *parser, struct fetch_part word)
{
	static const char letters[] = "prt-s";
	const char *letter;

	parser->function = word.len && *word.at == 'f';
	letter = word.len && !parser->function ? strchr(letters, *word.at) : letters;
	if (!word.len || !letter)
		return fetch_error(parser, word.at,
				   "unknown kind of event \"%.*s\" (want p, r, f, t, s or -)",
				   (int)!!word.len, word.at);
	/* "f" is a kprobe, unless "%return" follows the function. */
	parser->probe = letter - letters;
	return fetch_command(parser, word);
}

/* ---- the place of the probe ---- */

#define FETCH_RETURN	"%return"

/* Make the name of an event from the place of its probe, as the kernel does. */
static bool fetch_default_name(struct lkst_fetch_parser *parser)
{
	char letter = parser->probe == LKST_FETCH_KRETPROBE ? 'r' : 'p';
	int len;
	char *c;

	if (*parser->name)
		return true;
	if (parser->probe == LKST_FETCH_TRACEPOINT)
		len = snprintf(parser->name, sizeof(parser->name), "%s", parser->symbol);
	else if (parser->function)
		len = snprintf(parser->name, sizeof(parser->name), "%s__%s", parser->symbol,
			       parser->probe == LKST_FETCH_KRETPROBE ? "exit" : "entry");
	else if (*parser->symbol)
		len = snprintf(parser->name, sizeof(parser->name), "%c_%s_%llu", letter,
			       parser->symbol, (unsigned long long)parser->offset);
	else
		len = snprintf(parser->name, sizeof(parser->name), "%c_0x" FETCH_NAME_ADDRESS,
			       letter, FETCH_NAME_VALUE(parser->address));
	if (len >= (int)sizeof(parser->name))
		return fetch_error(parser, parser->text + parser->symbol_at,
				   "the event needs a name, because that of the symbol is too long");
	for (c = parser->name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return true;
}

/* Parse "SYMBOL[+OFFSET]" or "ADDRESS". */
static bool fetch_function(struct lkst_fetch_parser *parser, struct fetch_part word)
{
	size_t len = fetch_until(word, "+");
	struct fetch_part offset = fetch_skip(word, len);

	if (!parser->function && fetch_number(word, &parser->address))
		return parser->address ||
		       fetch_error(parser, word.at, "0 is not an address of a function");
	if (offset.len && (!fetch_number(fetch_skip(offset, 1), &parser->offset) ||
			   parser->offset > UINT_MAX))
		return fetch_error(parser, word.at, "\"%.*s\" is not an offset",
				   FETCH_PART(offset));
	if (!len || isdigit((unsigned char)*word.at))
		return fetch_error(parser, word.at, "\"%.*s\" is not a function",
				   FETCH_PART(word));
	word.len = len;
	return fetch_store(parser, parser->symbol, sizeof(parser->symbol), word, "the symbol");
}

static bool fetch_place(struct lkst_fetch_parser *parser)
{
	struct fetch_part word = fetch_word(parser);
	size_t len = fetch_until(word, "%");

	parser->symbol_at = word.at - parser->text;
	if (!word.len)
		return fetch_error(parser, word.at, "no %s",
				   parser->probe == LKST_FETCH_TRACEPOINT ? "tracepoint" :
									    "function");
	if (parser->probe == LKST_FETCH_TRACEPOINT) {
		if (!fetch_is_name(word))
			return fetch_error(parser, word.at, "\"%.*s\" is not a tracepoint",
					   FETCH_PART(word));
		return fetch_store(parser, parser->symbol, sizeof(parser->symbol), word,
				   "the tracepoint");
	}
	if (len < word.len) {
		if (!fetch_is(fetch_skip(word, len), FETCH_RETURN))
			return fetch_error(parser, word.at + len,
					   "unexpected \"%.*s\" (want %%return)",
					   FETCH_PART(fetch_skip(word, len)));
		parser->probe = LKST_FETCH_KRETPROBE;
		word.len = len;
	}
	if (!fetch_function(parser, word))
		return false;
	if (parser->probe == LKST_FETCH_KRETPROBE && parser->offset)
		return fetch_error(parser, word.at,
				   "a probe of a return has no offset in the function");
	if (parser->function && parser->offset)
		return fetch_error(parser, word.at,
				   "\"f\" has no offset in the function (want \"p\")");
	return true;
}

/* ---- fetching ---- */

static bool fetch_deref(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			const char *at, __s64 offset, bool user)
{
	if (field->derefs == LKST_FETCH_DEREFS)
		return fetch_error(parser, at, "too many pointers to follow (at most %d)",
				   LKST_FETCH_DEREFS);
	field->deref[field->derefs].offset = offset;
	field->deref[field->derefs].user = user;
	field->derefs++;
	parser->reads = true;
	return true;
}

/* The number of arguments that can be fetched. */
static unsigned int fetch_args(const struct lkst_fetch_parser *parser)
{
	if (parser->probe != LKST_FETCH_TRACEPOINT)
		return parser->scope->args;
	return lkst_fetch_is_syscall(parser->symbol) ? LKST_FETCH_SYSCALL_ARGS : LKST_FETCH_ARGS;
}

static bool fetch_arg(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
		      struct fetch_part part)
{
	unsigned int max = fetch_args(parser);
	__u64 number;

	if (parser->offset)
		return fetch_error(parser, part.at,
				   "arguments exist only at the entry of a function");
	if (!fetch_number(fetch_skip(part, strlen("$arg")), &number) || !number || number > max)
		return fetch_error(parser, part.at, "no argument \"%.*s\" (want $arg1 to $arg%u)",
				   FETCH_PART(part), max);
	field->source = LKST_FETCH_ARG;
	field->value = number - 1;
	return true;
}

static bool fetch_stack(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			struct fetch_part part)
{
	struct fetch_part entry = fetch_skip(part, strlen("$stack"));
	__u64 number;

	if (parser->probe == LKST_FETCH_TRACEPOINT)
		return fetch_error(parser, part.at, "a tracepoint has no stack to fetch from");
	field->source = LKST_FETCH_STACK;
	if (!entry.len)
		return true;
	if (!fetch_number(entry, &number) || number >= 2048)
		return fetch_error(parser, part.at,
				   "no entry \"%.*s\" of the stack (want $stack0 to $stack2047)",
				   FETCH_PART(part));
	return fetch_deref(parser, field, part.at, (__s64)(number * sizeof(__u64)), false);
}

static bool fetch_variable(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			   struct fetch_part part)
{
	if (fetch_begins(part, "$arg"))
		return fetch_arg(parser, field, part);
	if (fetch_begins(part, "$stack"))
		return fetch_stack(parser, field, part);
	if (fetch_is(part, "$comm")) {
		field->source = LKST_FETCH_COMM_TEXT;
		return true;
	}
	if (!fetch_is(part, "$retval"))
		return fetch_error(parser, part.at,
				   "unknown variable \"%.*s\" (want $argN, $retval, $stack, $stackN or $comm)",
				   FETCH_PART(part));
	if (parser->probe != LKST_FETCH_KRETPROBE)
		return fetch_error(parser, part.at, "$retval exists only when a function returns");
	field->source = LKST_FETCH_RETVAL;
	return true;
}

static bool fetch_register(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			   struct fetch_part part)
{
	int offset;

	if (parser->probe == LKST_FETCH_TRACEPOINT)
		return fetch_error(parser, part.at, "a tracepoint has no registers");
	offset = parser->scope->reg(part.at + 1, part.len - 1);
	if (offset < 0)
		return fetch_error(parser, part.at, "unknown register \"%.*s\"", FETCH_PART(part));
	field->source = LKST_FETCH_REGISTER;
	field->value = offset;
	return true;
}

/* Parse "@ADDRESS" or "@SYMBOL[+|-OFFSET]". */
static bool fetch_memory(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			 struct fetch_part part)
{
	struct fetch_part name = fetch_skip(part, 1), offset;
	char symbol[LKST_FETCH_SYMBOL];
	__s64 number = 0;

	field->source = LKST_FETCH_VALUE;
	if (!fetch_number(name, &field->value)) {
		offset = fetch_skip(name, fetch_until(name, "+-"));
		name.len -= offset.len;
		if (offset.len && !fetch_signed(offset, &number))
			return fetch_error(parser, offset.at, "\"%.*s\" is not an offset",
					   FETCH_PART(offset));
		if (!fetch_store(parser, symbol, sizeof(symbol), name, "the symbol"))
			return false;
		if (!name.len || !parser->scope->symbol(symbol, &field->value))
			return fetch_error(parser, part.at,
					   "\"%.*s\" is neither an address nor a symbol of the kernel",
					   FETCH_PART(name));
	}
	return fetch_deref(parser, field, part.at, number, false);
}

static bool fetch_constant(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			   struct fetch_part part)
{
	__s64 number;

	field->source = LKST_FETCH_VALUE;
	part = fetch_skip(part, 1);
	if (fetch_number(part, &field->value))
		return true;
	if (!fetch_signed(part, &number))
		return fetch_error(parser, part.at, "\"%.*s\" is not a number", FETCH_PART(part));
	field->value = number;
	return true;
}

/* Parse a FETCH without "OFFSET(...)". */
static bool fetch_atom(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
		       struct fetch_part part)
{
	switch (part.len ? *part.at : 0) {
	case '$':
		return fetch_variable(parser, field, part);
	case '%':
		return fetch_register(parser, field, part);
	case '@':
		return fetch_memory(parser, field, part);
	case '\\':
		return fetch_constant(parser, field, part);
	default:
		return fetch_error(parser, part.at,
				   "unexpected \"%.*s\" (want $, %%, @, \\ or +OFFSET()",
				   FETCH_PART(part));
	}
}

/*
 * Parse the beginnings of the pointers to follow, "+|-[u]OFFSET(", and store
 * them in the order of the text. Returns false on error.
 */
static bool fetch_opened(struct lkst_fetch_parser *parser, struct lkst_fetch_deref *opened,
			 unsigned int *num, struct fetch_part *part)
{
	while (part->len && (*part->at == '+' || *part->at == '-')) {
		struct fetch_part offset = { part->at, fetch_until(*part, "(") };
		struct lkst_fetch_deref *deref = &opened[*num];
		bool user = part->len > 1 && part->at[1] == 'u', minus = *part->at == '-';
		__u64 number;

		if (offset.len == part->len)
			return fetch_error(parser, offset.at, "no \"(\" after the offset");
		if (!fetch_number(fetch_skip(offset, 1 + user), &number) || number > LLONG_MAX)
			return fetch_error(parser, offset.at, "\"%.*s\" is not an offset",
					   FETCH_PART(offset));
		if (*num == LKST_FETCH_DEREFS)
			return fetch_error(parser, offset.at,
					   "too many pointers to follow (at most %d)",
					   LKST_FETCH_DEREFS);
		deref->offset = minus ? -(__s64)number : (__s64)number;
		deref->user = user;
		(*num)++;
		*part = fetch_skip(*part, offset.len + 1);
	}
	return true;
}

/* Parse a FETCH. On success, *part is what follows it. */
static bool fetch_fetch(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			struct fetch_part *part)
{
	struct lkst_fetch_deref opened[LKST_FETCH_DEREFS];
	struct fetch_part atom;
	unsigned int num = 0;

	if (!fetch_opened(parser, opened, &num, part))
		return false;
	atom = (struct fetch_part){ part->at, fetch_until(*part, num ? "):" : ":") };
	if (!fetch_atom(parser, field, atom))
		return false;
	if (num && field->source == LKST_FETCH_COMM_TEXT)
		return fetch_error(parser, atom.at, "$comm is not a pointer");
	*part = fetch_skip(*part, atom.len);
	while (num--) {
		if (!part->len || *part->at != ')')
			return fetch_error(parser, fetch_end(atom), "not enough \")\"");
		*part = fetch_skip(*part, 1);
		if (!fetch_deref(parser, field, atom.at, opened[num].offset, opened[num].user))
			return false;
	}
	if (part->len && *part->at != ':')
		return fetch_error(parser, part->at, "unexpected \"%.*s\" (want \":\")",
				   FETCH_PART(*part));
	return true;
}

/* ---- types ---- */

/**
 * struct fetch_type - a type of fields
 * @name: its name in a definition
 * @shown: its name in the syntax of user events
 * @kind: enum lkst_fetch_kind
 * @size: size in bytes
 */
struct fetch_type {
	const char *name;
	const char *shown;
	__u8 kind;
	__u8 size;
};

#define FETCH_DEFAULT	"x64"
#define FETCH_CHAR	"char"
#define FETCH_DENTRY	"%pd"	/* the name of a struct dentry */
#define FETCH_FILE	"%pD"	/* the name of a struct file */

static const struct fetch_type fetch_types[] = {
	{ "u8", "u8", LKST_FETCH_NUMBER, 1 },
	{ "u16", "u16", LKST_FETCH_NUMBER, 2 },
	{ "u32", "u32", LKST_FETCH_NUMBER, 4 },
	{ "u64", "u64", LKST_FETCH_NUMBER, 8 },
	{ "s8", "s8", LKST_FETCH_NUMBER, 1 },
	{ "s16", "s16", LKST_FETCH_NUMBER, 2 },
	{ "s32", "s32", LKST_FETCH_NUMBER, 4 },
	{ "s64", "s64", LKST_FETCH_NUMBER, 8 },
	{ "x8", "x8", LKST_FETCH_NUMBER, 1 },
	{ "x16", "x16", LKST_FETCH_NUMBER, 2 },
	{ "x32", "x32", LKST_FETCH_NUMBER, 4 },
	{ "x64", "x64", LKST_FETCH_NUMBER, 8 },
	{ "symbol", "symbol", LKST_FETCH_NUMBER, 8 },
	{ FETCH_CHAR, "char", LKST_FETCH_NUMBER, 1 },
	{ "string", "__rel_loc char[]", LKST_FETCH_STRING, 4 },
	{ "ustring", "__rel_loc char[]", LKST_FETCH_STRING, 4 },
	{ FETCH_DENTRY, "__rel_loc char[]", LKST_FETCH_STRING, 4 },
	{ FETCH_FILE, "__rel_loc char[]", LKST_FETCH_STRING, 4 },
};

#define FETCH_TYPES	"u8 to u64, s8 to s64, x8 to x64, char, symbol, string, ustring, %%pd, %%pD or bN@N/N"

static const struct fetch_type *fetch_find_type(struct fetch_part name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fetch_types); i++)
		if (fetch_is(name, fetch_types[i].name))
			return &fetch_types[i];
	return NULL;
}

/*
 * Parse a bit field, "bWIDTH@OFFSET/CONTAINER", all in bits. Returns the type
 * of the container, or NULL on error.
 */
static const struct fetch_type *fetch_bits(struct lkst_fetch_parser *parser,
					   struct lkst_fetch_field *field, struct fetch_part part)
{
	size_t width_len = fetch_until(part, "@"), to_slash = fetch_until(part, "/");
	__u64 width, offset, container;
	const struct fetch_type *type;

	if (width_len < to_slash && to_slash < part.len &&
	    fetch_number((struct fetch_part){ part.at + 1, width_len - 1 }, &width) &&
	    fetch_number((struct fetch_part){ part.at + width_len + 1, to_slash - width_len - 1 },
			 &offset) &&
	    fetch_number(fetch_skip(part, to_slash + 1), &container) &&
	    width && width <= container && offset <= container - width) {
		for (type = fetch_types; type->size * 8 < container && type->size < 8; type++)
			;
		if (type->size * 8 == container) {
			field->bits = width;
			field->shift = offset;
			return type;
		}
	}
	fetch_error(parser, part.at,
		    "\"%.*s\" is not a bit field (want bWIDTH@OFFSET/8, /16, /32 or /64)",
		    FETCH_PART(part));
	return NULL;
}

/**
 * struct fetch_typed - the type of a field, as written
 * @type: the type
 * @at: where it is in the definition
 * @num: number of elements of an array
 * @array: whether it is an array
 */
struct fetch_typed {
	const struct fetch_type *type;
	const char *at;
	unsigned int num;
	bool array;
};

/* Parse "[N]", which begins with "[". */
static bool fetch_array(struct lkst_fetch_parser *parser, struct fetch_typed *typed,
			struct fetch_part part)
{
	unsigned int max = !strcmp(typed->type->name, FETCH_CHAR) ? LKST_FETCH_CHARS :
								    LKST_FETCH_ARRAY;
	struct fetch_part length = { part.at + 1, fetch_until(part, "]") - 1 };
	struct fetch_part rest = fetch_skip(part, 1 + length.len);
	__u64 num;

	if (!rest.len)
		return fetch_error(parser, rest.at, "no \"]\"");
	if (rest.len > 1)
		return fetch_error(parser, rest.at + 1, "unexpected \"%.*s\"",
				   FETCH_PART(fetch_skip(rest, 1)));
	if (!fetch_number(length, &num) || !num || num > max)
		return fetch_error(parser, length.at, "\"%.*s\" is not a length (want 1 to %u)",
				   FETCH_PART(length), max);
	typed->num = num;
	typed->array = true;
	return true;
}

/*
 * For the name of a struct dentry or of a struct file, follow the pointers from
 * the structure to the name.
 */
static bool fetch_path_name(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			    const struct fetch_typed *typed)
{
	bool file = !strcmp(typed->type->name, FETCH_FILE);

	if (!file && strcmp(typed->type->name, FETCH_DENTRY))
		return true;
	if (typed->array)
		return fetch_error(parser, typed->at, "a name cannot be an array");
	return (!file ||
		fetch_deref(parser, field, typed->at, parser->scope->file_dentry, false)) &&
	       fetch_deref(parser, field, typed->at, parser->scope->dentry_name, false) &&
	       fetch_deref(parser, field, typed->at, 0, false);
}

/* Parse ":TYPE", or choose a type if the text names none. */
static bool fetch_type(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
		       struct fetch_typed *typed, struct fetch_part part)
{
	struct fetch_part name = { part.at, 0 }, array = name;

	typed->num = 1;
	typed->array = false;
	if (part.len) {
		part = fetch_skip(part, 1);
		name = (struct fetch_part){ part.at, fetch_until(part, "[") };
		array = fetch_skip(part, name.len);
	} else if (field->source == LKST_FETCH_COMM_TEXT) {
		name = (struct fetch_part){ "string", strlen("string") };
	} else {
		name = (struct fetch_part){ FETCH_DEFAULT, strlen(FETCH_DEFAULT) };
	}
	typed->at = part.at;
	typed->type = fetch_find_type(name);
	if (!typed->type && fetch_begins(name, "b"))
		typed->type = fetch_bits(parser, field, name);
	else if (!typed->type)
		fetch_error(parser, part.at, "unknown type \"%.*s\" (want " FETCH_TYPES ")",
			    FETCH_PART(name));
	if (!typed->type)
		return false;
	return (!array.len || fetch_array(parser, typed, array)) &&
	       fetch_path_name(parser, field, typed);
}

/* Check that a type can be used for what is fetched. */
static bool fetch_check_type(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			     const struct fetch_typed *typed)
{
	bool string = typed->type->kind == LKST_FETCH_STRING;

	if (field->source == LKST_FETCH_COMM_TEXT)
		return (!strcmp(typed->type->name, "string") && !typed->array) ||
		       fetch_error(parser, typed->at, "$comm is a string");
	if (string && !field->derefs)
		return fetch_error(parser, typed->at,
				   "a string is in memory (want +0(...) for what a pointer points to)");
	if (typed->array && !field->derefs)
		return fetch_error(parser, typed->at,
				   "an array is in memory (want +0(...) for what a pointer points to)");
	return true;
}

/* ---- fields ---- */

/* Append to the text of the fields. */
static __printf(3, 4) bool fetch_append(struct lkst_fetch_parser *parser, const char *at,
					const char *format, ...)
{
	size_t room = sizeof(parser->fields) - parser->fields_len;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(parser->fields + parser->fields_len, room, format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= room)
		return fetch_error(parser, at, "the names and types of the fields are too long");
	parser->fields_len += len;
	return true;
}

/* Append to the definition as listed. */
static __printf(3, 4) bool fetch_show(struct lkst_fetch_parser *parser, const char *at,
				      const char *format, ...)
{
	size_t room = parser->shown_size - parser->shown_len;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(parser->shown + parser->shown_len, room, format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= room)
		return fetch_error(parser, at, "the definition is too long");
	parser->shown_len += len;
	return true;
}

/* Whether there is a field with this name already. */
static bool fetch_has_field(const struct lkst_fetch_parser *parser, const char *name)
{
	const char *at = parser->fields, *end;
	size_t len = strlen(name);

	while (*at) {
		end = at + strcspn(at, ";");
		if ((size_t)(end - at) > len && end[-(int)len - 1] == ' ' &&
		    !memcmp(end - len, name, len))
			return true;
		at = *end ? end + 1 : end;
	}
	return false;
}

/* Add a field, whose name and type are "@shown[@chars] @name". */
static bool fetch_add(struct lkst_fetch_parser *parser, const struct lkst_fetch_field *field,
		      const char *at, const char *shown, unsigned int chars, const char *name)
{
	struct lkst_fetch_field *to = &parser->field[parser->num];
	bool ok;

	if (parser->num == LKST_FETCH_FIELDS)
		return fetch_error(parser, at, "too many fields (at most %d)", LKST_FETCH_FIELDS);
	if (parser->bytes + field->size > LKST_FETCH_BYTES)
		return fetch_error(parser, at, "the fields take more than %d bytes",
				   LKST_FETCH_BYTES);
	if (fetch_has_field(parser, name))
		return fetch_error(parser, at, "there is another field \"%s\"", name);
	if (parser->num && !fetch_append(parser, at, "; "))
		return false;
	ok = chars ? fetch_append(parser, at, "%s[%u] %s", shown, chars, name) :
		     fetch_append(parser, at, "%s %s", shown, name);
	if (!ok)
		return false;
	*to = *field;
	to->offset = parser->bytes;
	parser->bytes += to->size;
	parser->strings += to->kind == LKST_FETCH_STRING;
	parser->num++;
	return true;
}

static bool fetch_is_user(const struct fetch_typed *typed)
{
	return !strcmp(typed->type->name, "ustring");
}

/* Add a field for each element of an array, NAME_0 and so on. */
static bool fetch_add_array(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			    const char *at, const struct fetch_typed *typed, const char *name)
{
	bool string = typed->type->kind == LKST_FETCH_STRING;
	struct lkst_fetch_deref *last = &field->deref[field->derefs - 1];
	char element[LKST_FETCH_NAME + 12];
	unsigned int i;

	/* An array of strings is an array of pointers to strings. */
	if (string && !fetch_deref(parser, field, at, 0, fetch_is_user(typed)))
		return false;
	for (i = 0; i < typed->num; i++) {
		snprintf(element, sizeof(element), "%s_%u", name, i);
		if (!fetch_add(parser, field, at, typed->type->shown, 0, element))
			return false;
		last->offset += string ? sizeof(__u64) : typed->type->size;
	}
	return true;
}

static bool fetch_add_typed(struct lkst_fetch_parser *parser, struct lkst_fetch_field *field,
			    const char *at, const struct fetch_typed *typed, const char *name)
{
	field->kind = typed->type->kind;
	field->size = typed->type->size;
	if (field->source == LKST_FETCH_COMM_TEXT) {
		field->kind = LKST_FETCH_CHARS_KIND;
		field->size = LKST_FETCH_COMM;
		return fetch_add(parser, field, at, FETCH_CHAR, LKST_FETCH_COMM, name);
	}
	if (typed->array && !strcmp(typed->type->name, FETCH_CHAR)) {
		field->kind = LKST_FETCH_CHARS_KIND;
		field->size = typed->num;
		return fetch_add(parser, field, at, FETCH_CHAR, typed->num, name);
	}
	if (typed->array && (typed->num > 1 || field->kind == LKST_FETCH_STRING))
		return fetch_add_array(parser, field, at, typed, name);
	if (fetch_is_user(typed))
		field->deref[field->derefs - 1].user = true;
	return fetch_add(parser, field, at, typed->type->shown, 0, name);
}

static bool fetch_check_name(struct lkst_fetch_parser *parser, struct fetch_part part)
{
	if (!fetch_is_name(part))
		return fetch_error(parser, part.at,
				   "\"%.*s\" is not a name of a field (want letters, digits and _)",
				   FETCH_PART(part));
	return !(fetch_begins(part, "common_") || fetch_begins(part, "__probe_")) ||
	       fetch_error(parser, part.at, "the kernel reserves the name \"%.*s\"",
			   FETCH_PART(part));
}

/* Parse the optional "NAME=". On success, *word is what follows it. */
static bool fetch_field_name(struct lkst_fetch_parser *parser, char *name, struct fetch_part *word)
{
	size_t len = fetch_until(*word, "=");
	struct fetch_part part = { word->at, len };

	if (len == word->len) {
		snprintf(name, LKST_FETCH_NAME, "arg%u", parser->words);
		return true;
	}
	if (!fetch_check_name(parser, part))
		return false;
	*word = fetch_skip(*word, len + 1);
	return fetch_store(parser, name, LKST_FETCH_NAME, part, "the name");
}

static bool fetch_field(struct lkst_fetch_parser *parser, struct fetch_part word)
{
	struct lkst_fetch_field field = {};
	const char *at = word.at;
	char name[LKST_FETCH_NAME];
	struct fetch_typed typed;

	return fetch_field_name(parser, name, &word) &&
	       fetch_show(parser, at, " %s=%.*s", name, (int)word.len, word.at) &&
	       fetch_fetch(parser, &field, &word) &&
	       fetch_type(parser, &field, &typed, word) &&
	       fetch_check_type(parser, &field, &typed) &&
	       fetch_add_typed(parser, &field, at, &typed, name);
}

/* ---- synthetic events ---- */

/* Names that the kernel has for types of synthetic events. */
static const struct {
	const char *name;
	const char *type;
} fetch_synonyms[] = {
	{ "pid_t", "s32" },
	{ "int", "s32" },
	{ "long", "s64" },
	{ "unsigned char", "u8" },
	{ "unsigned int", "u32" },
	{ "unsigned long", "u64" },
	{ "bool", "u8" },
};

#define FETCH_SYNTHETIC_TYPES	"u8 to u64, s8 to s64, x8 to x64, symbol, int, long, pid_t or char NAME[N]"

static const struct fetch_type *fetch_synthetic_type(struct fetch_part name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fetch_synonyms); i++)
		if (fetch_is(name, fetch_synonyms[i].name))
			name = (struct fetch_part){ fetch_synonyms[i].type,
						    strlen(fetch_synonyms[i].type) };
	return fetch_find_type(name);
}

/* Remove the blanks at the beginning and at the end of a part. */
static struct fetch_part fetch_trim(struct fetch_part part)
{
	while (part.len && strchr(FETCH_BLANKS, *part.at))
		part = fetch_skip(part, 1);
	while (part.len && strchr(FETCH_BLANKS, part.at[part.len - 1]))
		part.len--;
	return part;
}

/* Parse a field "TYPE NAME" or "char NAME[N]", without blanks around it. */
static bool fetch_synthetic_field(struct lkst_fetch_parser *parser, struct fetch_part part)
{
	struct lkst_fetch_field field = { .source = LKST_FETCH_VALUE };
	struct fetch_part type = part, word, array;
	struct fetch_typed typed = { .at = part.at, .num = 1 };
	char name[LKST_FETCH_NAME];

	while (type.len && !strchr(FETCH_BLANKS, type.at[type.len - 1]))
		type.len--;
	word = fetch_skip(part, type.len);
	type = fetch_trim(type);
	if (!type.len)
		return fetch_error(parser, part.at,
				   "\"%.*s\" is not a field (want a type and a name)",
				   FETCH_PART(part));
	typed.type = fetch_synthetic_type(type);
	array = fetch_skip(word, fetch_until(word, "["));
	if (!typed.type || typed.type->kind == LKST_FETCH_STRING)
		return fetch_error(parser, type.at,
				   "unknown type \"%.*s\" (want " FETCH_SYNTHETIC_TYPES ")",
				   FETCH_PART(type));
	if (array.len && strcmp(typed.type->name, FETCH_CHAR))
		return fetch_error(parser, array.at, "only a char can be an array");
	if (array.len && !fetch_array(parser, &typed, array))
		return false;
	word.len -= array.len;
	if (!fetch_check_name(parser, word) ||
	    !fetch_store(parser, name, sizeof(name), word, "the name") ||
	    !fetch_show(parser, part.at, "%s%.*s %s%.*s", parser->num ? "; " : " ",
			(int)type.len, type.at, name, (int)array.len, array.at) ||
	    !fetch_add_typed(parser, &field, part.at, &typed, name))
		return false;
	return (parser->bytes <= LKST_FETCH_SYNTHETIC_BYTES &&
		parser->num <= LKST_FETCH_SYNTHETIC_FIELDS) ||
	       fetch_error(parser, part.at, "too many fields (at most %d, of %d bytes)",
			   LKST_FETCH_SYNTHETIC_FIELDS, LKST_FETCH_SYNTHETIC_BYTES);
}

/* Parse the fields of a synthetic event, up to the end of the text. */
static bool fetch_synthetic(struct lkst_fetch_parser *parser)
{
	struct fetch_part part;

	if (!*parser->name)
		return fetch_error(parser, parser->at, "no name of an event");
	if (!fetch_show(parser, parser->text, "s:%s/%s", parser->group, parser->name))
		return false;
	do {
		part = fetch_trim((struct fetch_part){ parser->at, strcspn(parser->at, ";") });
		/* The last field may end in ";", too. */
		if (!part.len && parser->num && !parser->at[strcspn(parser->at, ";")])
			return true;
		if (!part.len)
			return fetch_error(parser, fetch_end(part),
					   "no field (want a type and a name)");
		if (!fetch_synthetic_field(parser, part))
			return false;
		parser->at += strcspn(parser->at, ";");
	} while (*parser->at++ == ';');
	return true;
}

static bool fetch_show_probe(struct lkst_fetch_parser *parser)
{
	const char *at = parser->text;

	if (!fetch_show(parser, at, "%c", parser->function ? 'f' : "prt"[parser->probe]) ||
	    (parser->maxactive && !fetch_show(parser, at, "%u", parser->maxactive)) ||
	    !fetch_show(parser, at, ":%s/%s ", parser->group, parser->name))
		return false;
	if (!*parser->symbol)
		return fetch_show(parser, at, "0x%llx", (unsigned long long)parser->address);
	return fetch_show(parser, at, "%s%s", parser->symbol,
			  parser->function && parser->probe == LKST_FETCH_KRETPROBE ?
			  FETCH_RETURN : "") &&
	       (!parser->offset ||
		fetch_show(parser, at, "+%llu", (unsigned long long)parser->offset));
}

/* The group of an event without a group, for each kind but "f". */
static const char *const fetch_groups[] = {
	[LKST_FETCH_KPROBE] = "kprobes",
	[LKST_FETCH_KRETPROBE] = "kprobes",
	[LKST_FETCH_TRACEPOINT] = "tracepoints",
	[LKST_FETCH_SYNTHETIC] = "synthetic",
};

/**
 * lkst_fetch_parse() - compile the definition of an event
 * @parser: its @text, @scope, @shown and @shown_size are set; all other members
 *	are 0
 *
 * Context: any.
 *
 * Return: whether the definition is valid. If not, @parser->error says why.
 */
bool lkst_fetch_parse(struct lkst_fetch_parser *parser)
{
	struct fetch_part word;

	parser->at = parser->text;
	if (!fetch_probe(parser, fetch_word(parser)))
		return false;
	if (parser->probe == LKST_FETCH_REMOVE) {
		if (!*parser->name)
			return fetch_error(parser, parser->at, "no name of an event");
		word = fetch_word(parser);
		return !word.len || fetch_error(parser, word.at, "unexpected \"%.*s\"",
						FETCH_PART(word));
	}
	if (!*parser->group)
		strcpy(parser->group, parser->function ? "fprobes" : fetch_groups[parser->probe]);
	if (parser->probe == LKST_FETCH_SYNTHETIC)
		return fetch_synthetic(parser);
	if (!fetch_place(parser) || !fetch_default_name(parser) || !fetch_show_probe(parser))
		return false;
	while ((word = fetch_word(parser)).len) {
		parser->words++;
		if (!fetch_field(parser, word))
			return false;
	}
	return true;
}
