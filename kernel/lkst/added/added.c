// SPDX-License-Identifier: GPL-2.0
/*
 * The list of added events: adding and removing them, attaching their probes
 * while the selected maskset records them, and following modules that are
 * loaded and unloaded.
 *
 * An added event has an entry in the registry of events of programs, which
 * gives it its number and describes it.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../base/ksyms.h"
#include "../base/stage.h"
#include "../dispatch/maskset.h"
#include "../memory/memory.h"
#include "../memory/static_buffer.h"
#include "../rules/synth.h"
#include "../source/etype.h"
#include "../user/registry.h"
#include "added.h"
#include "fetch.h"
#include "probe.h"

/*
 * Serializes adding, removing and listing events. Its holder may wait for the
 * mutexes of the registry and of the masksets.
 */
static DEFINE_MUTEX(lkst_added_mutex);

/*
 * Protects the list and the state of the probes. It is taken by notifiers of
 * modules, and by the worker that follows the selected maskset. So its holder
 * must not wait for a mutex of the masksets or of modules.
 */
static DEFINE_MUTEX(lkst_added_arm_mutex);

/* Changed under both mutexes. */
static LIST_HEAD(lkst_added_events);

/* ---- attaching probes ---- */

static bool lkst_added_is_gone(const struct lkst_added *added)
{
	if (added->synth)
		return false;
	return added->probe == LKST_FETCH_TRACEPOINT ? !added->tp : !added->registered;
}

/* Attach or detach the probe. Returns 0 or a negative errno. */
static int lkst_added_turn_probe(struct lkst_added *added, bool on)
{
	if (added->synth)
		return 0;
	if (added->probe != LKST_FETCH_TRACEPOINT)
		return lkst_added_kprobe_turn(added, on);
	return on ? tracepoint_probe_register(added->tp, added->function, added) :
		    tracepoint_probe_unregister(added->tp, added->function, added);
}

static void lkst_added_turn(struct lkst_added *added, bool on)
{
	int ret;

	lockdep_assert_held(&lkst_added_arm_mutex);
	on = on && !lkst_added_is_gone(added);
	if (added->on == on)
		return;
	ret = lkst_added_turn_probe(added, on);
	/*
	 * If detaching a kprobe fails, it remains enabled until
	 * lkst_added_unlink() unregisters it.
	 */
	added->on = on && !ret;
	if (ret && !added->failed)
		lkst_error(LKST_ERROR_SOURCE, added->etype);
	added->failed = ret;
}

/*
 * Whether a maskset records an event. The caller keeps the maskset from being
 * freed.
 */
static bool lkst_added_needed(const struct lkst_added *added, const struct lkst_maskset *maskset)
{
	return added->etype &&
	       READ_ONCE(maskset->handler[added->etype]) != LKST_EVHANDLER_ID_NONE;
}

/* Attach the probe if the selected maskset records the event. */
static void lkst_added_follow(struct lkst_added *added)
{
	lkst_added_turn(added, added->etype && lkst_user_event_on(added->event));
}

/**
 * lkst_added_enable() - attach the probes of the events that a maskset records
 * @maskset: the selected maskset, or one that is about to be selected
 *
 * Context: may sleep; called by the worker that turns sources on and off.
 */
void lkst_added_enable(const struct lkst_maskset *maskset)
{
	struct lkst_added *added;

	mutex_lock(&lkst_added_arm_mutex);
	list_for_each_entry(added, &lkst_added_events, node)
		if (lkst_added_needed(added, maskset))
			lkst_added_turn(added, true);
	mutex_unlock(&lkst_added_arm_mutex);
}

/**
 * lkst_added_disable() - detach the probes that neither maskset needs
 * @maskset: the selected maskset
 * @next: the maskset that is about to be selected, or @maskset again
 *
 * An event that was added while the maskset was being changed may have been
 * missed by lkst_added_enable(), so this function attaches probes, too.
 *
 * Context: as for lkst_added_enable().
 */
void lkst_added_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next)
{
	struct lkst_added *added;
	bool on;

	mutex_lock(&lkst_added_arm_mutex);
	list_for_each_entry(added, &lkst_added_events, node) {
		on = lkst_added_needed(added, maskset) || lkst_added_needed(added, next);
		lkst_added_turn(added, on);
	}
	mutex_unlock(&lkst_added_arm_mutex);
}

/* ---- modules ---- */

/*
 * The tracepoint or function of an event has appeared. Until now, the event was
 * listed as gone, and its event type was marked as absent.
 */
static void lkst_added_appeared(struct lkst_added *added)
{
	if (!added->etype)
		return;
	lkst_etype_program_set(added->etype, true);
	lkst_added_follow(added);
}

/* The tracepoint or function of an event is about to disappear. */
static void lkst_added_disappears(struct lkst_added *added)
{
	lkst_added_turn(added, false);
	if (added->etype)
		lkst_etype_program_set(added->etype, false);
}

static void lkst_added_match(struct tracepoint *tp, void *unused)
{
	struct lkst_added *added;

	lockdep_assert_held(&lkst_added_arm_mutex);
	list_for_each_entry(added, &lkst_added_events, node) {
		if (added->probe != LKST_FETCH_TRACEPOINT || added->tp ||
		    strcmp(added->symbol, tp->name))
			continue;
		added->tp = tp;
		lkst_added_appeared(added);
	}
}

#ifdef CONFIG_MODULES
static void lkst_added_unmatch(struct tracepoint *tp)
{
	struct lkst_added *added;

	list_for_each_entry(added, &lkst_added_events, node) {
		if (added->tp != tp)
			continue;
		lkst_added_disappears(added);
		added->tp = NULL;
	}
}

/*
 * Follow the tracepoints of modules. The kernel calls this for a module that is
 * being loaded, before its code runs, and for a module that is being unloaded,
 * when its code no longer runs.
 */
static int lkst_added_tracepoints(struct notifier_block *block, unsigned long state, void *data)
{
	const struct tp_module *tp_module = data;
	const struct module *module = tp_module->mod;
	unsigned int i;

	mutex_lock(&lkst_added_arm_mutex);
	for (i = 0; i < module->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (state == MODULE_STATE_COMING)
			lkst_added_match(tp, NULL);
		else if (state == MODULE_STATE_GOING)
			lkst_added_unmatch(tp);
	}
	mutex_unlock(&lkst_added_arm_mutex);
	return NOTIFY_OK;
}

static struct notifier_block lkst_added_tracepoint_block = {
	.notifier_call = lkst_added_tracepoints,
};

/*
 * Look for a tracepoint in the modules that are loaded already. The kernel
 * calls a notifier for each of them when the notifier is registered, and again
 * when it is unregistered. The second call has no effect.
 */
static int lkst_added_search(struct notifier_block *block, unsigned long state, void *data)
{
	return state == MODULE_STATE_COMING ? lkst_added_tracepoints(block, state, data) :
					      NOTIFY_OK;
}

static void lkst_added_search_modules(void)
{
	struct notifier_block block = { .notifier_call = lkst_added_search };

	if (!register_tracepoint_module_notifier(&block))
		unregister_tracepoint_module_notifier(&block);
}

/* Follow the functions of modules. */
static int lkst_added_functions(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	struct lkst_added *added;

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_OK;
	mutex_lock(&lkst_added_arm_mutex);
	list_for_each_entry(added, &lkst_added_events, node) {
		if (added->probe == LKST_FETCH_TRACEPOINT)
			continue;
		if (state == MODULE_STATE_GOING && lkst_added_kprobe_in(added, module)) {
			lkst_added_disappears(added);
			lkst_added_kprobe_unregister(added);
		} else if (state == MODULE_STATE_COMING && added->etype && !added->registered &&
			   added->symbol && !lkst_added_kprobe_register(added)) {
			lkst_added_appeared(added);
		}
	}
	mutex_unlock(&lkst_added_arm_mutex);
	return NOTIFY_OK;
}

static struct notifier_block lkst_added_module_block = {
	.notifier_call = lkst_added_functions,
};

static int lkst_added_watch_modules(void)
{
	int ret = register_module_notifier(&lkst_added_module_block);

	if (ret)
		return ret;
	ret = register_tracepoint_module_notifier(&lkst_added_tracepoint_block);
	if (ret)
		unregister_module_notifier(&lkst_added_module_block);
	return ret;
}

static void __lkst_exit lkst_added_unwatch_modules(void)
{
	unregister_tracepoint_module_notifier(&lkst_added_tracepoint_block);
	unregister_module_notifier(&lkst_added_module_block);
}
#else
static void lkst_added_search_modules(void)
{
}

static int lkst_added_watch_modules(void)
{
	return 0;
}

static void lkst_added_unwatch_modules(void)
{
}
#endif

/* ---- adding events ---- */

/* Store a message. Returns -EINVAL. */
static __printf(3, 4) int lkst_added_explain(struct lkst_added_error *error, u32 at,
					     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	error->at = at;
	return -EINVAL;
}

static bool lkst_added_symbol(const char *name, u64 *address)
{
	unsigned long at, size;

	if (!lkst_function(name, &at, &size))
		return false;
	*address = at;
	return true;
}

static const struct lkst_fetch_scope lkst_added_scope = {
	.symbol = lkst_added_symbol,
	.reg = lkst_added_register_offset,
	.args = LKST_ADDED_ARGS,
	.dentry_name = offsetof(struct dentry, d_name.name),
	.file_dentry = offsetof(struct file, f_path.dentry),
};

static void lkst_added_free(struct lkst_added *added)
{
	size_t charged = added->charged;

	lkst_synth_put(added->synth);
	free_percpu(added->hits);
	kvfree(added);
	lkst_memory_uncharge(charged);
}

/*
 * Allocate the struct lkst_synth of a synthetic event. Actions look up the
 * fields of the event in this structure. Returns NULL on failure.
 */
static struct lkst_synth *lkst_added_synth(const struct lkst_added *added)
{
	struct lkst_synth *synth = lkst_synth_new(added->num);
	unsigned int i;

	BUILD_BUG_ON(LKST_FETCH_SYNTHETIC_BYTES > LKST_SYNTH_BYTES);
	if (!synth)
		return NULL;
	synth->chain = added->chain;
	synth->bytes = added->bytes;
	for (i = 0; i < added->num; i++)
		synth->field[i] = (struct lkst_synth_field){
			.offset = added->field[i].offset,
			.size = added->field[i].size,
			.is_text = added->field[i].kind == LKST_FETCH_CHARS_KIND,
		};
	return synth;
}

static bool lkst_added_is_kprobe(const struct lkst_fetch_parser *parser)
{
	return parser->probe == LKST_FETCH_KPROBE || parser->probe == LKST_FETCH_KRETPROBE;
}

/*
 * Allocate the parts of an event that have memory of their own. Returns whether
 * there is enough memory.
 */
static bool lkst_added_new_parts(struct lkst_added *added, const struct lkst_fetch_parser *parser)
{
	if (lkst_added_is_kprobe(parser)) {
		added->hits = alloc_percpu(unsigned long);
		return added->hits;
	}
	if (parser->probe == LKST_FETCH_SYNTHETIC) {
		added->synth = lkst_added_synth(added);
		return added->synth;
	}
	return true;
}

/* Allocate an event that is not in the list yet. Returns NULL on failure. */
static struct lkst_added *lkst_added_new(const struct lkst_fetch_parser *parser)
{
	size_t fields = struct_size((struct lkst_added *)NULL, field, parser->num);
	size_t text = strlen(parser->shown) + 1, symbol = strlen(parser->symbol) + 1;
	size_t bytes = fields + text + symbol;
	struct lkst_added *added;
	size_t charged = bytes;

	if (lkst_added_is_kprobe(parser))
		charged += num_possible_cpus() * sizeof(*added->hits);
	if (!lkst_memory_charge(charged))
		return NULL;
	added = kvzalloc(bytes, GFP_KERNEL);
	if (!added) {
		lkst_memory_uncharge(charged);
		return NULL;
	}
	added->charged = charged;
	added->probe = parser->probe;
	added->chain = lkst_fetch_is_chain(parser);
	added->bytes = parser->bytes;
	added->strings = parser->strings;
	added->maxactive = parser->maxactive;
	added->offset = parser->offset;
	added->address = parser->address;
	added->num = parser->num;
	memcpy(added->field, parser->field, parser->num * sizeof(*parser->field));
	added->text = memcpy((char *)added + fields, parser->shown, text);
	if (*parser->symbol)
		added->symbol = memcpy((char *)added + fields + text, parser->symbol, symbol);
	if (!lkst_added_new_parts(added, parser)) {
		lkst_added_free(added);
		return NULL;
	}
	if (!added->synth)
		lkst_added_prepare(added);
	return added;
}

/* Find the tracepoint or register the kprobe of an event in the list. */
static int lkst_added_locate(struct lkst_added *added, const struct lkst_fetch_parser *parser,
			     struct lkst_added_error *error)
{
	int ret;

	if (added->synth)
		return 0;
	if (added->probe == LKST_FETCH_TRACEPOINT) {
		if (!IS_ENABLED(CONFIG_64BIT) || LKST_HAVE_CFI)
			return lkst_added_explain(error, 0,
						  "this kernel cannot add tracepoints");
		mutex_lock(&lkst_added_arm_mutex);
		for_each_kernel_tracepoint(lkst_added_match, NULL);
		mutex_unlock(&lkst_added_arm_mutex);
		if (!added->tp)
			lkst_added_search_modules();
		return added->tp ? 0 : lkst_added_explain(error, parser->symbol_at,
							  "the kernel has no tracepoint \"%s\"",
							  parser->symbol);
	}
	mutex_lock(&lkst_added_arm_mutex);
	ret = lkst_added_kprobe_register(added);
	mutex_unlock(&lkst_added_arm_mutex);
	switch (ret) {
	case 0:
	case -ENOMEM:
		return ret;
	case -EOPNOTSUPP:
		return lkst_added_explain(error, 0, "this kernel has no kprobes");
	case -ENOENT:
		return lkst_added_explain(error, parser->symbol_at,
					  "the kernel has no function \"%s\", or it is inlined",
					  parser->symbol);
	case -EPERM:
		return lkst_added_explain(error, parser->symbol_at,
					  "the kernel does not allow tracing \"%s\"",
					  parser->symbol);
	case -EADDRNOTAVAIL:
		return lkst_added_explain(error, parser->symbol_at,
					  "there are several functions \"%s\"", parser->symbol);
	default:
		return lkst_added_explain(error, parser->symbol_at,
					  "the kernel does not allow a probe here: error %d", ret);
	}
}

/* Find an event by its label. */
static struct lkst_added *lkst_added_find(const char *group, const char *name)
{
	size_t group_len = strlen(group);
	struct lkst_added *added;

	lockdep_assert_held(&lkst_added_mutex);
	list_for_each_entry(added, &lkst_added_events, node) {
		const char *label = added->event->label;
		const char *event = lkst_user_event_name(added->event);

		if (!strcmp(event, name) &&
		    (!group_len || (event - label - 1 == group_len &&
				    !memcmp(label, group, group_len))))
			return added;
	}
	return NULL;
}

/*
 * Register an event with the registry of events of programs, which gives it an
 * event type, and attach the probe if the selected maskset records the event.
 * Returns 0 or a negative errno.
 */
static int lkst_added_register(struct lkst_added *added, const struct lkst_fetch_parser *parser)
{
	const struct lkst_user_who who = { .owner = current_fsuid(), .privileged = true };
	struct lkst_user_event *event;
	char *label = kasprintf(GFP_KERNEL, "%s:%s", parser->group, parser->name);

	if (!label)
		return -ENOMEM;
	event = lkst_user_register_kernel(label, parser->fields, &who);
	kfree(label);
	if (IS_ERR(event))
		return PTR_ERR(event);
	mutex_lock(&lkst_added_arm_mutex);
	added->event = event;
	added->etype = event->etype;
	/* The module may have been unloaded in the meantime. */
	if (lkst_added_is_gone(added))
		lkst_etype_program_set(added->etype, false);
	lkst_added_follow(added);
	mutex_unlock(&lkst_added_arm_mutex);
	if (added->synth) {
		added->synth->etype = event->etype;
		added->synth->label = event->label;
		lkst_synth_add(added->synth);
	}
	return 0;
}

/*
 * Detach and unregister the probe of an event, and remove it from the list.
 * Afterwards, no call of the probe is in progress.
 */
static void lkst_added_unlink(struct lkst_added *added)
{
	mutex_lock(&lkst_added_arm_mutex);
	lkst_added_turn(added, false);
	lkst_added_kprobe_unregister(added);
	list_del(&added->node);
	mutex_unlock(&lkst_added_arm_mutex);
	lkst_tracepoint_synchronize();
}

/*
 * Add an event. The event is put into the list before its tracepoint is
 * searched for, so that the notifier finds the event if the module is unloaded
 * meanwhile. Returns the event type or a negative errno.
 */
static int lkst_added_add(const struct lkst_fetch_parser *parser, struct lkst_added_error *error)
{
	struct lkst_added *added;
	int ret = 0;

	if (lkst_added_find(parser->group, parser->name))
		return -EEXIST;
	if (lkst_fetch_is_chain(parser) && parser->probe != LKST_FETCH_SYNTHETIC)
		ret = lkst_added_buffers_start();
	if (ret)
		return ret;
	added = lkst_added_new(parser);
	if (!added)
		return -ENOMEM;
	mutex_lock(&lkst_added_arm_mutex);
	list_add_tail(&added->node, &lkst_added_events);
	mutex_unlock(&lkst_added_arm_mutex);
	ret = lkst_added_locate(added, parser, error) ?: lkst_added_register(added, parser);
	if (!ret)
		return added->etype;
	lkst_added_unlink(added);
	lkst_added_free(added);
	return ret;
}

/*
 * Whether the selected maskset treats this event differently from new events of
 * programs, because a user has changed the entry of this event.
 */
static bool lkst_added_has_entry(const struct lkst_added *added)
{
	bool has;

	/* RCU keeps the selected maskset from being freed. */
	rcu_read_lock();
	has = lkst_maskset_handler(added->etype) !=
	      lkst_maskset_handler(LKST_ETYPE_USER_EVENTS_NEW);
	rcu_read_unlock();
	return has;
}

/*
 * Whether a user has selected an event to be recorded, or somebody else holds a
 * reference to it. An event that the selected maskset records only because it
 * records all new events is not busy.
 */
static bool lkst_added_is_busy(struct lkst_added *added)
{
	bool gone;

	mutex_lock(&lkst_added_arm_mutex);
	gone = lkst_added_is_gone(added);
	mutex_unlock(&lkst_added_arm_mutex);
	return (!gone && lkst_user_event_on(added->event) && lkst_added_has_entry(added)) ||
	       lkst_user_event_shared(added->event);
}

/* Whether an event can be removed. If so, actions no longer find it. */
static bool lkst_added_retire(struct lkst_added *added)
{
	return !lkst_added_is_busy(added) && !(added->synth && lkst_synth_remove(added->synth));
}

/*
 * Let actions find the retired events of @kinds again. They precede @end in the
 * list. @end itself was not retired.
 */
static void lkst_added_restore(const struct lkst_added *end, const char *kinds)
{
	struct lkst_added *added;

	list_for_each_entry(added, &lkst_added_events, node) {
		if (added == end)
			return;
		if (strchr(kinds, *added->text) && added->synth)
			lkst_synth_add(added->synth);
	}
}

/* Remove an event that has been retired. */
static void lkst_added_delete(struct lkst_added *added)
{
	lkst_added_unlink(added);
	lkst_user_event_put(added->event);
	lkst_added_free(added);
}

/*
 * Remove an event. Returns the event type that it had, -ENOENT if there is no
 * such event, or -EBUSY if it is in use.
 */
static int lkst_added_remove(const struct lkst_fetch_parser *parser)
{
	struct lkst_added *added = lkst_added_find(parser->group, parser->name);
	int etype;

	if (!added)
		return -ENOENT;
	if (!lkst_added_retire(added))
		return -EBUSY;
	etype = added->etype;
	lkst_added_delete(added);
	return etype;
}

static int lkst_added_execute(const char *text, struct lkst_fetch_parser *parser,
			      struct lkst_added_error *error)
{
	int ret;

	parser->text = text;
	parser->scope = &lkst_added_scope;
	if (!lkst_fetch_parse(parser))
		return lkst_added_explain(error, parser->error_at, "%s", parser->error);
	ret = mutex_lock_killable(&lkst_added_mutex);
	if (ret)
		return ret;
	ret = parser->probe == LKST_FETCH_REMOVE ? lkst_added_remove(parser) :
						   lkst_added_add(parser, error);
	mutex_unlock(&lkst_added_mutex);
	return ret;
}

/**
 * lkst_added_command() - add or remove an event
 * @text: definition of the event, or "-:[GROUP/]EVENT"
 * @error: receives what is wrong with the text
 *
 * Context: process, may sleep.
 *
 * Return: the event type; -EINVAL if the definition is wrong, in which case
 * @error says why; -EEXIST if an event to be added exists already; -ENOENT if an
 * event to be removed does not exist; -EBUSY if an event to be removed is
 * recorded or otherwise in use; -EMFILE if there are too many events; -ENOMEM;
 * -EINTR if a fatal signal arrives while this function waits for a mutex.
 */
int lkst_added_command(const char *text, struct lkst_added_error *error)
{
	struct lkst_fetch_parser *parser = kvzalloc(sizeof(*parser), GFP_KERNEL);
	int ret = -ENOMEM;

	error->at = 0;
	*error->text = 0;
	if (parser) {
		parser->shown_size = LKST_EVENT_TEXT_MAX;
		parser->shown = kvzalloc(parser->shown_size, GFP_KERNEL);
		if (parser->shown)
			ret = lkst_added_execute(text, parser, error);
		kvfree(parser->shown);
	}
	kvfree(parser);
	return ret;
}

/**
 * lkst_added_remove_all() - remove all events of some kinds
 * @kinds: the first letters of their definitions, such as "pr"
 *
 * Context: process, may sleep.
 *
 * Return: 0; -EBUSY if one of the events is recorded or otherwise in use, in
 * which case none has been removed; -EINTR if a fatal signal ended the wait.
 */
int lkst_added_remove_all(const char *kinds)
{
	struct lkst_added *added, *next;
	int ret = mutex_lock_killable(&lkst_added_mutex);

	if (ret)
		return ret;
	list_for_each_entry(added, &lkst_added_events, node) {
		if (!strchr(kinds, *added->text) || lkst_added_retire(added))
			continue;
		lkst_added_restore(added, kinds);
		ret = -EBUSY;
		break;
	}
	list_for_each_entry_safe(added, next, &lkst_added_events, node)
		if (!ret && strchr(kinds, *added->text))
			lkst_added_delete(added);
	mutex_unlock(&lkst_added_mutex);
	return ret;
}

/* ---- listing events ---- */

static u64 lkst_added_missed(const struct lkst_added *added)
{
	if (added->synth)
		return atomic_long_read(&added->synth->missed);
	return atomic_long_read(&added->missed) + lkst_added_kprobe_missed(added);
}

static u64 lkst_added_hits(const struct lkst_added *added)
{
	u64 hits = 0;
	int cpu;

	if (added->hits)
		for_each_possible_cpu(cpu)
			hits += *per_cpu_ptr(added->hits, cpu);
	return hits;
}

static void lkst_added_describe(struct lkst_added *added, struct lkst_added_info *info)
{
	mutex_lock(&lkst_added_arm_mutex);
	*info = (struct lkst_added_info){
		.event = added->event,
		.etype = added->etype,
		.flags = (lkst_added_is_gone(added) ? LKST_EVENT_GONE : 0) |
			 (added->on ? LKST_EVENT_ON : 0),
		.hits = lkst_added_hits(added),
		.missed = lkst_added_missed(added),
		.faults = atomic_long_read(&added->faults),
		.text = added->text,
		.label = added->event->label,
		.fields = added->event->format->text,
	};
	mutex_unlock(&lkst_added_arm_mutex);
}

/**
 * lkst_added_for_each() - call a function for each added event
 * @call: the function; a return value other than 0 ends the loop. It must not
 *	add or remove events
 * @data: passed to @call
 *
 * Events are in the order in which they were added.
 *
 * Context: process, may sleep.
 *
 * Return: 0, what @call has returned, or -EINTR if a fatal signal arrives while
 * this function waits for a mutex.
 */
int lkst_added_for_each(int (*call)(const struct lkst_added_info *info, void *data), void *data)
{
	int ret = mutex_lock_killable(&lkst_added_mutex);
	struct lkst_added_info info;
	struct lkst_added *added;

	if (ret)
		return ret;
	list_for_each_entry(added, &lkst_added_events, node) {
		lkst_added_describe(added, &info);
		ret = call(&info, data);
		if (ret)
			break;
	}
	mutex_unlock(&lkst_added_mutex);
	return ret;
}

/* ---- the device ---- */

/**
 * lkst_added_control() - add or remove an event
 * @param: as for LKST_IOC_EVENT_CONTROL, with addresses in kernel memory
 *
 * Context: process, may sleep.
 *
 * Return: 0, or a negative errno of lkst_added_command().
 */
int lkst_added_control(struct lkst_event_param *param)
{
	struct lkst_added_error error;
	char *text;
	int ret;

	param->error_at = 0;
	param->flags = 0;
	param->missed = 0;
	param->faults = 0;
	if (!param->text || !param->text_size)
		return -EINVAL;
	text = kmemdup_nul((const void *)(unsigned long)param->text, param->text_size,
			   GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = lkst_added_command(text, &error);
	kfree(text);
	if (ret == -EINVAL) {
		param->error_at = error.at;
		if (param->error && param->error_size)
			strscpy((char *)(unsigned long)param->error, error.text,
				min_t(size_t, param->error_size, sizeof(error.text)));
	}
	if (ret < 0)
		return ret;
	param->event_type = ret;
	return 0;
}

/*
 * struct lkst_added_next - the next event to read
 * @param: the argument of the ioctl
 * @found: the lowest event type, among the events seen so far, that is not
 *	below the event type in @param; 0: none
 */
struct lkst_added_next {
	const struct lkst_event_param *param;
	int found;
};

static int lkst_added_choose(const struct lkst_added_info *info, void *data)
{
	struct lkst_added_next *next = data;

	if (info->etype >= next->param->event_type &&
	    (!next->found || info->etype < next->found))
		next->found = info->etype;
	return 0;
}

/*
 * Copy the event if it has the event type in the argument. Returns 1 if it was
 * copied, 0 if the event has another event type, or -EINVAL if the memory for
 * the definition is missing or too small.
 */
static int lkst_added_copy(const struct lkst_added_info *info, void *data)
{
	struct lkst_event_param *param = data;
	size_t len = strlen(info->text);

	if (info->etype != param->event_type)
		return 0;
	if (!param->text || len > param->text_size)
		return -EINVAL;
	memcpy((void *)(unsigned long)param->text, info->text, len);
	param->text_size = len;
	param->flags = info->flags;
	param->missed = info->missed;
	param->faults = info->faults;
	return 1;
}

/**
 * lkst_added_read() - read the definition of an event
 * @param: as for LKST_IOC_EVENT_READ, with addresses in kernel memory
 *
 * Context: process, may sleep.
 *
 * Return: 0; -ENOENT if there is no added event with this or a higher event
 * type; -EINVAL if the memory is too small; -EINTR.
 */
int lkst_added_read(struct lkst_event_param *param)
{
	struct lkst_added_next next = { .param = param };
	int ret = lkst_added_for_each(lkst_added_choose, &next);

	if (ret)
		return ret;
	if (!next.found)
		return -ENOENT;
	param->event_type = next.found;
	ret = lkst_added_for_each(lkst_added_copy, param);
	return ret > 0 ? 0 : ret ?: -ENOENT;
}

/* ---- starting and stopping ---- */

/**
 * lkst_added_start() - prepare for added events
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_added_start(void)
{
	return lkst_added_watch_modules();
}

/*
 * Remove all events. No program has the device open, and no maskset can be
 * selected after this call.
 */
void __lkst_exit lkst_added_stop(void)
{
	struct lkst_added *added, *next;

	lkst_added_unwatch_modules();
	list_for_each_entry_safe(added, next, &lkst_added_events, node)
		lkst_added_delete(added);
	lkst_added_buffers_stop();
}
