// SPDX-License-Identifier: LGPL-2.1
/* What the types in BTF mean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

/*
 * Maximum length of a chain of qualifiers and typedefs. Chains in the kernel's BTF are shorter. In
 * damaged BTF, a chain can be a circle.
 */
#define TYPES_DEPTH 32

static bool types_is_name(const struct btf_type *type)
{
	return btf_is_mod(type) || btf_is_typedef(type) || btf_is_type_tag(type);
}

/**
 * btf_plain() - skip qualifiers and typedefs
 * @btf: BTF
 * @id: type; receives the first type that is neither a qualifier nor a typedef
 *
 * Return: this type; NULL: void, or an error in the BTF.
 */
const struct btf_type *btf_plain(const struct btf *btf, uint32_t *id)
{
	const struct btf_type *type = btf__type_by_id(btf, *id);

	for (int i = 0; type && types_is_name(type); i++) {
		if (i == TYPES_DEPTH)
			return NULL;
		*id = type->type;
		type = btf__type_by_id(btf, *id);
	}
	return type && btf_kind(type) != BTF_KIND_UNKN ? type : NULL;
}

/**
 * btf_is_user_memory() - return whether a type is marked as memory of a program (__user)
 * @btf: BTF
 * @id: type
 *
 * Only some compilers record this mark.
 */
bool btf_is_user_memory(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	for (int i = 0; i < TYPES_DEPTH && type && types_is_name(type); i++) {
		if (btf_is_type_tag(type) &&
		    !strcmp(btf__name_by_offset(btf, type->name_off), "user"))
			return true;
		type = btf__type_by_id(btf, type->type);
	}
	return false;
}

/**
 * btf_is_text() - return whether a type is char
 * @btf: BTF
 * @id: type
 */
bool btf_is_text(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_plain(btf, &id);

	return type && btf_is_int(type) && type->size == 1 &&
	       !strcmp(btf__name_by_offset(btf, type->name_off), "char");
}

static bool types_has_name(const char *name, const char *word, size_t len)
{
	return !strncmp(name, word, len) && !name[len];
}

static bool types_find(const struct btf *btf, const struct btf_type *type, const char *name,
		       size_t len, int depth, struct btf_place *place)
{
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = btf_members(type) + i;
		const char *own = btf__name_by_offset(btf, member->name_off);
		uint32_t id = member->type;
		const struct btf_type *inner;

		if (types_has_name(own, name, len)) {
			*place = (struct btf_place){
				.type = member->type,
				.bit = btf_member_bit_offset(type, i),
				.bits = btf_member_bitfield_size(type, i),
			};
			return true;
		}
		if (*own || depth == TYPES_DEPTH)
			continue;
		inner = btf_plain(btf, &id);
		if (inner && btf_is_composite(inner) &&
		    types_find(btf, inner, name, len, depth + 1, place)) {
			place->bit += btf_member_bit_offset(type, i);
			return true;
		}
	}
	return false;
}

/**
 * btf_find_member() - find a member of a type, or of an unnamed structure or union in the type
 * @btf: BTF
 * @type: structure or union
 * @name: name of the member
 * @len: length of @name
 * @place: receives where it is
 */
bool btf_find_member(const struct btf *btf, const struct btf_type *type, const char *name,
		     size_t len, struct btf_place *place)
{
	return len && types_find(btf, type, name, len, 0, place);
}

static size_t types_names(const struct btf *btf, const struct btf_type *type, int depth,
			  const char **name, size_t num, size_t max)
{
	for (unsigned int i = 0; num < max && i < btf_vlen(type); i++) {
		const struct btf_member *member = btf_members(type) + i;
		const char *own = btf__name_by_offset(btf, member->name_off);
		uint32_t id = member->type;
		const struct btf_type *inner = *own ? NULL : btf_plain(btf, &id);

		if (*own)
			name[num++] = own;
		else if (inner && btf_is_composite(inner) && depth < TYPES_DEPTH)
			num = types_names(btf, inner, depth + 1, name, num, max);
	}
	return num;
}

/**
 * btf_member_names() - list the members that btf_find_member() finds
 * @btf: BTF
 * @type: structure or union
 * @name: receives their names
 * @max: size of @name
 *
 * Return: their number.
 */
size_t btf_member_names(const struct btf *btf, const struct btf_type *type, const char **name,
			size_t max)
{
	return types_names(btf, type, 0, name, 0, max);
}

static void types_write(const struct btf *btf, uint32_t id, int depth, FILE *to)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name = type ? btf__name_by_offset(btf, type->name_off) : "";

	if (!id || !type || depth == TYPES_DEPTH) {
		fputs("void", to);
		return;
	}
	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
		fprintf(to, "struct %s", *name ? name : "{...}");
		break;
	case BTF_KIND_UNION:
		fprintf(to, "union %s", *name ? name : "{...}");
		break;
	case BTF_KIND_FWD:
		fprintf(to, "%s %s", btf_kflag(type) ? "union" : "struct", name);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		fprintf(to, "enum %s", *name ? name : "{...}");
		break;
	case BTF_KIND_FUNC_PROTO:
		fputs("function", to);
		break;
	case BTF_KIND_ARRAY:
		types_write(btf, btf_array(type)->type, depth + 1, to);
		fprintf(to, "[%u]", btf_array(type)->nelems);
		break;
	case BTF_KIND_PTR:
		types_write(btf, type->type, depth + 1, to);
		fputs(" *", to);
		break;
	case BTF_KIND_CONST:
		fputs("const ", to);
		types_write(btf, type->type, depth + 1, to);
		break;
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		types_write(btf, type->type, depth + 1, to);
		break;
	default:
		fputs(name, to);
	}
}

/**
 * btf_declaration() - write the type of a variable, and the variable, in the style of C
 * @btf: BTF
 * @id: type
 * @name: name of the variable; "": only the type
 *
 * Return: the text, to be freed; NULL: no memory.
 */
char *btf_declaration(const struct btf *btf, uint32_t id, const char *name)
{
	char *text = NULL, *gap;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to) {
		types_write(btf, id, 0, to);
		if (*name)
			fprintf(to, " %s", name);
	}
	if (!to || fclose(to)) {
		free(text);
		return NULL;
	}
	/* There is no blank after the "*" of a pointer. */
	while ((gap = strstr(text, "* ")) != NULL)
		memmove(gap + 1, gap + 2, strlen(gap + 2) + 1);
	return text;
}
