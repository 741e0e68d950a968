// SPDX-License-Identifier: GPL-2.0
/*
 * Event types: the built-in table, event types registered by modules and
 * programs, and /proc/lkst_etypes (specification 4.6, 4.7.2.5).
 */
#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_hook.h>

#include "etype.h"
#include "image_texts.h"
#include "../dispatch/maskset.h"
#include "source.h"
#include "../base/stage.h"
#include "../base/sync.h"

const struct lkst_etype_desc *const lkst_etypes_builtin[LKST_ETYPE_NUM] = {
#define LKST_ETYPE_DEF(number, hook, mnemonic, name, arg1, arg2, arg3, arg4)		\
	[number] = &(const struct lkst_etype_desc) {					\
		#mnemonic, #hook, name, { arg1, arg2, arg3, arg4 }			\
	},
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
};

#define LKST_ETYPE_USER_NUM	(LKST_ETYPE_USER_MAX - LKST_ETYPE_USER_MIN + 1)

/**
 * struct lkst_etype_user - an event type that a module has registered
 * @desc: LKST's own copy, which is still shown after the module is unloaded
 * @owner: the structure passed to lkst_hook_etype_register(), or NULL once the
 *	event type is unregistered
 * @rcu: delays freeing for readers that do not hold lkst_etype_mutex
 * @text: the strings that @desc points to
 */
struct lkst_etype_user {
	struct lkst_etype_desc desc;
	const struct lkst_etype_info *owner;
	struct rcu_head rcu;
	char text[];
};

/* Taken before the maskset mutex. */
static DEFINE_MUTEX(lkst_etype_mutex);

/* Index: event type - LKST_ETYPE_USER_MIN. Written under lkst_etype_mutex. */
static struct lkst_etype_user *lkst_etypes_user[LKST_ETYPE_USER_NUM];

/*
 * A bit for each event type that is registered now, with the same index as in
 * lkst_etypes_user[]. Written under lkst_etype_mutex, read without it.
 */
static DECLARE_BITMAP(lkst_etypes_user_registered, LKST_ETYPE_USER_NUM);

/**
 * struct lkst_etype_program - the description of an event of a program
 * @desc: the description
 * @rcu: delays freeing for readers
 * @mnemonic: mnemonic of @desc
 * @text: the other strings that @desc points to
 */
struct lkst_etype_program {
	struct lkst_etype_desc desc;
	struct rcu_head rcu;
	char mnemonic[sizeof("USER_EVENT_200")];
	char text[];
};

/*
 * Index: event type - LKST_ETYPE_PROGRAM_MIN. Only user/registry.c, under its
 * own mutex, replaces descriptions. They do not need lkst_etype_mutex, whose
 * holder may wait forever for a stuck CPU.
 */
static struct lkst_etype_program *lkst_etypes_program[LKST_ETYPE_PROGRAM_NUM];

/*
 * A bit for each of these event types that is registered now, with the same
 * index. Changed by user/registry.c, under its own spin lock.
 */
static DECLARE_BITMAP(lkst_etypes_program_registered, LKST_ETYPE_PROGRAM_NUM);

/**
 * lkst_etype_registered() - whether an event type is built in or registered
 * @etype: any number
 *
 * Context: any.
 */
bool lkst_etype_registered(int etype)
{
	if (etype < 0 || etype >= LKST_ETYPE_NUM)
		return false;
	if (lkst_etype_of_program(etype))
		return test_bit(etype - LKST_ETYPE_PROGRAM_MIN, lkst_etypes_program_registered);
	return lkst_etypes_builtin[etype] ||
	       (lkst_etype_in_user_range(etype) &&
		test_bit(etype - LKST_ETYPE_USER_MIN, lkst_etypes_user_registered));
}

/**
 * lkst_etype_present() - whether an event can occur on this kernel
 * @etype: any number
 *
 * Context: any, once lkst_source_init() has run.
 */
bool lkst_etype_present(int etype)
{
	return lkst_etype_registered(etype) && lkst_source_present(etype);
}

/**
 * lkst_etype_describe() - get the description of an event type
 * @etype: any number
 *
 * Event types that have been unregistered keep their description.
 *
 * Context: any. The description is valid while the caller holds
 * lkst_etype_mutex or rcu_read_lock().
 *
 * Return: the description; NULL for an unknown event type.
 */
const struct lkst_etype_desc *lkst_etype_describe(int etype)
{
	const struct lkst_etype_program *program;
	const struct lkst_etype_user *user = NULL;

	if (etype < 0 || etype >= LKST_ETYPE_NUM)
		return NULL;
	if (lkst_etype_of_program(etype)) {
		/* Pairs with the release in lkst_etype_program_describe(). */
		program = READ_ONCE(lkst_etypes_program[etype - LKST_ETYPE_PROGRAM_MIN]);
		return program ? &program->desc : NULL;
	}
	if (lkst_etypes_builtin[etype])
		return lkst_etypes_builtin[etype];
	if (lkst_etype_in_user_range(etype))
		/* Pairs with the release in lkst_hook_etype_register(). */
		user = READ_ONCE(lkst_etypes_user[etype - LKST_ETYPE_USER_MIN]);
	return user ? &user->desc : NULL;
}

/* Return the number that @word is, or -EINVAL. */
static int lkst_etype_number(const char *word, size_t len)
{
	char text[sizeof("0xfff")];
	int number;

	if (len >= sizeof(text))
		return -EINVAL;
	memcpy(text, word, len);
	text[len] = 0;
	return kstrtoint(text, 0, &number) ? -EINVAL : number;
}

static bool lkst_etype_is(const struct lkst_etype_desc *desc, const char *word, size_t len)
{
	return (strlen(desc->name) == len && !strncmp(desc->name, word, len)) ||
	       (strlen(desc->mnemonic) == len && !strncmp(desc->mnemonic, word, len));
}

/**
 * lkst_etype_find() - find a registered event type
 * @word: its name, its mnemonic or its number
 * @len: length of @word
 *
 * Context: any.
 *
 * Return: the event type, or -ENODEV.
 */
int lkst_etype_find(const char *word, size_t len)
{
	int number = lkst_etype_number(word, len), etype;
	const struct lkst_etype_desc *desc;
	bool found = false;

	rcu_read_lock();
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_etype_registered(etype))
			continue;
		desc = lkst_etype_describe(etype);
		found = etype == number || (desc && lkst_etype_is(desc, word, len));
		if (found)
			break;
	}
	rcu_read_unlock();
	return found ? etype : -ENODEV;
}

/**
 * lkst_etype_known() - whether an event type is registered, or has been
 * @etype: any number
 *
 * Context: any.
 */
bool lkst_etype_known(int etype)
{
	bool known;

	rcu_read_lock();
	known = lkst_etype_describe(etype);
	rcu_read_unlock();
	return known;
}

static bool lkst_etype_mnemonic_valid(const char *mnemonic)
{
	size_t len = strnlen(mnemonic, LKST_ETYPE_TEXT_MAX + 1), i;

	for (i = 0; i < len; i++)
		if (!isascii(mnemonic[i]) || !(isalnum(mnemonic[i]) || mnemonic[i] == '_'))
			return false;
	return len && len <= LKST_ETYPE_TEXT_MAX;
}

/*
 * Whether @text can be printed between quotation marks without escapes, and is
 * not too long.
 */
static bool lkst_etype_text_valid(const char *text)
{
	size_t len = strnlen(text, LKST_ETYPE_TEXT_MAX + 1), i;

	for (i = 0; i < len; i++)
		if (iscntrl(text[i]) || text[i] == '"' || text[i] == '\\')
			return false;
	return len <= LKST_ETYPE_TEXT_MAX;
}

/*
 * Return the hook type to show in /proc/lkst_etypes, or NULL if it is invalid.
 */
static const char *lkst_etype_hook_type(const struct lkst_etype_info *einfo)
{
	static const char *const types[] = { "NORMAL", "MODULE", "INLINE" };
	const char *type = einfo->hook_type ?: "MODULE";
	int i;

	if (!einfo->hook)
		return "UNDEF";
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return types[i];
	return NULL;
}

static bool lkst_etype_info_valid(const struct lkst_etype_info *einfo)
{
	int i;

	if (!lkst_etype_in_user_range(einfo->etype) || !einfo->mnemonic || !einfo->name ||
	    !*einfo->name || !lkst_etype_hook_type(einfo) ||
	    !lkst_etype_mnemonic_valid(einfo->mnemonic) || !lkst_etype_text_valid(einfo->name))
		return false;
	for (i = 0; i < ARRAY_SIZE(einfo->args); i++)
		if (!einfo->args[i] || !lkst_etype_text_valid(einfo->args[i]))
			return false;
	return true;
}

/* Return the size of all strings of @einfo, in bytes. */
static size_t lkst_etype_text_size(const struct lkst_etype_info *einfo)
{
	size_t size = strlen(einfo->mnemonic) + 1 + strlen(einfo->name) + 1;
	int i;

	for (i = 0; i < ARRAY_SIZE(einfo->args); i++)
		size += strlen(einfo->args[i]) + 1;
	return size;
}

/* Copy @text to *@to, and advance *@to. Return the copy. */
static const char *lkst_etype_text_copy(char **to, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = memcpy(*to, text, size);

	*to += size;
	return copy;
}

static struct lkst_etype_user *lkst_etype_user_new(const struct lkst_etype_info *einfo)
{
	struct lkst_etype_user *user;
	char *to;
	int i;

	user = kzalloc(sizeof(*user) + lkst_etype_text_size(einfo), GFP_KERNEL);
	if (!user)
		return NULL;
	user->owner = einfo;
	to = user->text;
	user->desc.mnemonic = lkst_etype_text_copy(&to, einfo->mnemonic);
	user->desc.hook = lkst_etype_hook_type(einfo);
	user->desc.name = lkst_etype_text_copy(&to, einfo->name);
	for (i = 0; i < ARRAY_SIZE(einfo->args); i++)
		user->desc.args[i] = lkst_etype_text_copy(&to, einfo->args[i]);
	return user;
}

/**
 * lkst_hook_etype_register() - register and enable an event type (4.7.2.5.1)
 * @einfo: the event type, see LKST_ETYPE_DEF_MODULE(). Must stay valid until
 *	lkst_hook_etype_unregister(); its strings are copied
 *
 * The event type appears in /proc/lkst_etypes and in the maskset "all"
 * immediately. In other masksets it is masked until they are rewritten with an
 * entry for it.
 *
 * Context: may sleep.
 *
 * Return: the event type; -EINVAL if @einfo is NULL, its event type is not in
 * LKST_ETYPE_USER_MIN to LKST_ETYPE_USER_MAX, the mnemonic or name is missing,
 * an argument's description is NULL, the hook type is unknown, or a string
 * cannot be shown in /proc/lkst_etypes; -EBUSY if the event type is in use;
 * -ENOMEM.
 */
int lkst_hook_etype_register(struct lkst_etype_info *einfo)
{
	struct lkst_etype_user *user, *before, **place;

	if (!einfo || !lkst_etype_info_valid(einfo))
		return -EINVAL;
	user = lkst_etype_user_new(einfo);
	if (!user)
		return -ENOMEM;

	mutex_lock(&lkst_etype_mutex);
	if (lkst_etype_registered(einfo->etype)) {
		mutex_unlock(&lkst_etype_mutex);
		kfree(user);
		return -EBUSY;
	}
	place = &lkst_etypes_user[einfo->etype - LKST_ETYPE_USER_MIN];
	before = *place;
	/*
	 * A CPU that sees the pointer must also see the initialized structure.
	 */
	smp_store_release(place, user);
	if (before)
		kfree_rcu(before, rcu);
	set_bit(einfo->etype - LKST_ETYPE_USER_MIN, lkst_etypes_user_registered);
	if (einfo->hook)
		lkst_source_add_hook(einfo->etype, einfo->hook);
	lkst_maskset_add_etype(einfo->etype);
	mutex_unlock(&lkst_etype_mutex);
	lkst_image_texts_changed();
	return einfo->etype;
}
EXPORT_SYMBOL_GPL(lkst_hook_etype_register);

/**
 * lkst_hook_etype_unregister() - unregister an event type (4.7.2.5.2)
 * @einfo: as passed to lkst_hook_etype_register(); ignored if it is not
 *	registered
 *
 * The event type is masked in all masksets. It stays in /proc/lkst_etypes,
 * where it is marked as absent, because there may still be records of it. When
 * this function returns, no event of this type is in progress at a hook, and
 * @einfo may be freed.
 *
 * Context: may sleep.
 */
void lkst_hook_etype_unregister(struct lkst_etype_info *einfo)
{
	struct lkst_etype_user *user;
	bool own;

	if (!einfo || !lkst_etype_in_user_range(einfo->etype))
		return;
	mutex_lock(&lkst_etype_mutex);
	user = lkst_etypes_user[einfo->etype - LKST_ETYPE_USER_MIN];
	own = user && user->owner == einfo;
	if (own) {
		user->owner = NULL;
		/*
		 * Clear the bit first, so that the event type cannot be added
		 * to a maskset again.
		 */
		clear_bit(einfo->etype - LKST_ETYPE_USER_MIN, lkst_etypes_user_registered);
		lkst_maskset_forget_etype(einfo->etype);
		lkst_source_remove_hook(einfo->etype);
		lkst_synchronize();
	}
	mutex_unlock(&lkst_etype_mutex);
	if (own)
		lkst_image_texts_changed();
}
EXPORT_SYMBOL_GPL(lkst_hook_etype_unregister);

/**
 * lkst_etype_program_new() - allocate the description of an event of a program
 * @etype: LKST_ETYPE_PROGRAM_MIN to LKST_ETYPE_PROGRAM_MAX
 * @name: name of the event, such as "user_events:test"
 * @chain: whether its records are chains
 * @fields: its fields
 * @gfp: how to allocate memory
 *
 * The strings are copied.
 *
 * Context: may sleep.
 *
 * Return: the description, to be passed to lkst_etype_program_describe() or
 * kfree(); NULL if there is no memory.
 */
struct lkst_etype_program *lkst_etype_program_new(int etype, const char *name, bool chain,
						  const char *fields, gfp_t gfp)
{
	struct lkst_etype_program *program;
	size_t name_size = strlen(name) + 1, fields_size = strlen(fields) + 1;
	int i;

	program = kzalloc(struct_size(program, text, name_size + fields_size), gfp);
	if (!program)
		return NULL;
	snprintf(program->mnemonic, sizeof(program->mnemonic), "USER_EVENT_%03X", etype);
	program->desc.mnemonic = program->mnemonic;
	program->desc.hook = "PROGRAM";
	program->desc.name = memcpy(program->text, name, name_size);
	program->desc.fields = memcpy(program->text + name_size, fields, fields_size);
	for (i = 0; i < ARRAY_SIZE(program->desc.args); i++)
		program->desc.args[i] = "";
	if (chain)
		program->desc.args[0] = "chain:chain";
	return program;
}

/**
 * lkst_etype_program_describe() - set the description of an event of a program
 * @etype: LKST_ETYPE_PROGRAM_MIN to LKST_ETYPE_PROGRAM_MAX
 * @program: the description, which is freed later; NULL: the number is unused
 *
 * Replaces the description of the event that had this number before.
 *
 * Context: any. The caller serializes calls.
 */
void lkst_etype_program_describe(int etype, struct lkst_etype_program *program)
{
	struct lkst_etype_program **place = &lkst_etypes_program[etype - LKST_ETYPE_PROGRAM_MIN];
	struct lkst_etype_program *before = *place;

	/* A CPU that sees the pointer must also see the description. */
	smp_store_release(place, program);
	if (before)
		kfree_rcu(before, rcu);
}

/*
 * Set whether an event of a program is registered now. It has been described
 * before. Context: any; the caller serializes calls for the same event.
 */
void lkst_etype_program_set(int etype, bool registered)
{
	assign_bit(etype - LKST_ETYPE_PROGRAM_MIN, lkst_etypes_program_registered, registered);
}

/*
 * Print a string of a program between quotation marks. Other programs parse the
 * line, so characters that cannot be printed, and those with a meaning in the
 * line, become octal escapes.
 */
static void lkst_etype_show_text(struct seq_file *m, const char *text)
{
	seq_putc(m, '"');
	for (; *text; text++) {
		unsigned char c = *text;

		if (isascii(c) && isprint(c) && c != '"' && c != '\\')
			seq_putc(m, c);
		else
			seq_printf(m, "\\%03o", c);
	}
	seq_putc(m, '"');
}

static void lkst_etype_show(struct seq_file *m, int etype, const struct lkst_etype_desc *desc)
{
	int i;

	seq_printf(m, "0x%03x %s %s ", etype, desc->mnemonic, desc->hook);
	if (desc->fields)
		seq_puts(m, "program");
	else if (lkst_etype_in_user_range(etype))
		seq_puts(m, strcmp(desc->hook, "UNDEF") ? "hook" : "-");
	else
		lkst_source_show(m, etype);
	seq_puts(m, lkst_etype_present(etype) ? " present " : " absent ");
	if (desc->fields)
		lkst_etype_show_text(m, desc->name);
	else
		seq_printf(m, "\"%s\"", desc->name);
	for (i = 0; i < ARRAY_SIZE(desc->args); i++)
		seq_printf(m, " \"%s\"", desc->args[i]);
	if (desc->fields) {
		seq_putc(m, ' ');
		lkst_etype_show_text(m, desc->fields);
	}
	seq_putc(m, '\n');
}

/**
 * lkst_etypes_show() - print /proc/lkst_etypes
 * @m: output
 * @unused: not used
 *
 * Tools parse this format. Documentation/lkst/trace-file.rst describes it.
 *
 * Context: may sleep.
 *
 * Return: 0.
 */
int lkst_etypes_show(struct seq_file *m, void *unused)
{
	const struct lkst_etype_desc *desc;
	int etype;

	seq_puts(m, "# lkst_etypes 1\n"
		    "# number mnemonic hook source state \"name\" \"arg1\" \"arg2\" \"arg3\" \"arg4\"\n");
	/*
	 * Use RCU instead of lkst_etype_mutex: the holder of the mutex may be
	 * waiting for a stuck CPU.
	 */
	rcu_read_lock();
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		desc = lkst_etype_describe(etype);
		if (desc)
			lkst_etype_show(m, etype, desc);
	}
	rcu_read_unlock();
	return 0;
}

/**
 * lkst_etype_start() - create /proc/lkst_etypes
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_etype_start(void)
{
	if (IS_ENABLED(CONFIG_PROC_FS) &&
	    !proc_create_single("lkst_etypes", 0444, NULL, lkst_etypes_show))
		return -ENOMEM;
	return 0;
}

/* Remove /proc/lkst_etypes. */
void __lkst_exit lkst_etype_stop(void)
{
	if (IS_ENABLED(CONFIG_PROC_FS))
		remove_proc_entry("lkst_etypes", NULL);
}

/*
 * Free the event types of modules and programs. All of these modules have been
 * unloaded, and no program has registered events.
 */
void __lkst_exit lkst_etype_end(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(lkst_etypes_user); i++)
		kfree(lkst_etypes_user[i]);
	for (i = 0; i < ARRAY_SIZE(lkst_etypes_program); i++)
		kfree(lkst_etypes_program[i]);
}
