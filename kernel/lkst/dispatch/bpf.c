// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers that are BPF programs: each program decides whether an event
 * is recorded.
 *
 * The programs have the type BPF_PROG_TYPE_RAW_TRACEPOINT. The kernel runs such
 * programs in the same contexts as LKST: with preemption off, possibly in an
 * interrupt or an NMI. lkst_bpf_decide() takes the same precautions as the
 * kernel's __bpf_trace_run(), and some more:
 *
 * - A program runs at most once at a time on a CPU, because its stack may
 *   depend on this. The member "active" of struct bpf_prog counts how often the
 *   program is running on each CPU. The kernel's tracepoints use it as well.
 * - Programs and their maps are protected by RCU, so no program runs while RCU
 *   is not watching.
 * - An NMI may interrupt a CPU that holds the lock of a map. For most maps, an
 *   attempt to take the lock again then fails, but for LRU maps the attempt may
 *   wait forever. So no program with an LRU map runs in an NMI.
 * - Lock events may occur while a lock of a map is held, so masksets refuse BPF
 *   programs for these events. See lkst_maskset_pairing_allowed().
 *
 * An event for which the program cannot run is recorded, and counted.
 */
#include <linux/bpf.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../base/sync.h"
#include "../buffer/buffer.h"
#include "../ring/context.h"
#include "../rules/action.h"
#include "../rules/rule.h"
#include "action.h"
#include "bpf.h"
#include "evhandler.h"

/**
 * struct lkst_bpf_counts - how a CPU has handled events
 * @runs: number of times that the program has run
 * @drops: number of events that the program has dropped
 * @acts: number of times that the program has asked for its actions
 * @nested: number of events that the program itself caused or that interrupted
 *	it
 * @unsafe: number of events in contexts in which the program cannot run
 */
struct lkst_bpf_counts {
	unsigned long runs;
	unsigned long drops;
	unsigned long acts;
	unsigned long nested;
	unsigned long unsafe;
};

/**
 * struct lkst_bpf_program - a BPF program, and what it has done
 * @prog: the program, to which this structure has a reference
 * @counts: counts of each CPU. They belong to the program, so that a program
 *	that replaces another one begins with 0
 * @actions: what to do if the program returns LKST_BPF_ACT, or NULL
 * @also: another event handler, or NULL. An event is recorded only if neither
 *	this program nor that of @also returns LKST_BPF_DROP. Written under
 *	lkst_bpf_mutex
 * @lru: whether the program uses an LRU map
 */
struct lkst_bpf_program {
	struct bpf_prog *prog;
	struct lkst_bpf_counts __percpu *counts;
	struct lkst_rule_program *actions;
	const struct lkst_bpf *also;
	bool lru;
};

/**
 * struct lkst_bpf - an event handler that is a BPF program
 * @node: in lkst_bpf_handlers
 * @id: id of the event handler
 * @name: its name
 * @program: the program. An event reads it once, with preemption off, so an
 *	event is handled by either the old or the new program. Written under
 *	lkst_bpf_mutex
 */
struct lkst_bpf {
	struct list_head node;
	lkst_evhandler_id id;
	char name[LKST_EVHANDLER_NAME_LEN];
	struct lkst_bpf_program *program;
};

/*
 * Serializes changes of lkst_bpf_handlers and of programs. Taken before the
 * mutexes of event handlers and masksets.
 */
static DEFINE_MUTEX(lkst_bpf_mutex);

static LIST_HEAD(lkst_bpf_handlers);

/* ---- events ---- */

/* Number of arguments of a program of type BPF_PROG_TYPE_RAW_TRACEPOINT */
#define LKST_BPF_ARGS	12

/* Fill in the context with which the program is called for an event. */
static __always_inline void lkst_bpf_fill(u64 *ctx, const struct lkst_evhandler_event *event,
					  unsigned int count)
{
	ctx[0] = event->etype;
	ctx[1] = lkst_context_flags(count, event->depth);
	ctx[2] = lkst_clock_read(this_cpu_read(lkst_ring_current)->clock);
	/* In the format of bpf_get_current_pid_tgid() */
	ctx[3] = (u64)current->tgid << 32 | (u32)current->pid;
	ctx[4] = event->arg[0];
	ctx[5] = event->arg[1];
	ctx[6] = event->arg[2];
	ctx[7] = event->arg[3];
}

/* Run a program. RCU is watching. Returns enum lkst_verdict. */
static __always_inline unsigned int lkst_bpf_run(const struct lkst_bpf_program *program,
						 const u64 *ctx)
{
	/* For bpf_get_attach_cookie(), which returns 0. */
	struct bpf_trace_run_ctx run_ctx = {};
	struct bpf_run_ctx *old_ctx;
	unsigned int verdict;

	rcu_read_lock();
	old_ctx = bpf_set_run_ctx(&run_ctx.run_ctx);
	verdict = bpf_prog_run(program->prog, ctx);
	bpf_reset_run_ctx(old_ctx);
	rcu_read_unlock();

	this_cpu_inc(program->counts->runs);
	if (verdict == LKST_VERDICT_DROP)
		this_cpu_inc(program->counts->drops);
	else if (verdict == LKST_VERDICT_ACT)
		this_cpu_inc(program->counts->acts);
	else
		verdict = LKST_VERDICT_RECORD;
	return verdict;
}

/* Run a program unless it must not run now. Returns enum lkst_verdict. */
static notrace unsigned int lkst_bpf_ask(const struct lkst_bpf_program *program,
					 const struct lkst_evhandler_event *event)
{
	unsigned int verdict = LKST_VERDICT_RECORD, count = lkst_context_count();
	u64 ctx[LKST_BPF_ARGS] = {};

	if (!rcu_is_watching() || (program->lru && count & NMI_MASK)) {
		this_cpu_inc(program->counts->unsafe);
		return verdict;
	}
	if (likely(lkst_bpf_enter(program->prog))) {
		lkst_bpf_fill(ctx, event, count);
		verdict = lkst_bpf_run(program, ctx);
	} else {
		this_cpu_inc(program->counts->nested);
	}
	lkst_bpf_leave(program->prog);
	return verdict;
}

static notrace unsigned int lkst_bpf_decide(void *data, const struct lkst_evhandler_event *event)
{
	const struct lkst_bpf_program *program = READ_ONCE(((struct lkst_bpf *)data)->program);
	const struct lkst_bpf *also = READ_ONCE(program->also);
	unsigned int verdict = lkst_bpf_ask(program, event);

	if (also && verdict != LKST_VERDICT_DROP &&
	    lkst_bpf_ask(READ_ONCE(also->program), event) == LKST_VERDICT_DROP)
		return LKST_VERDICT_DROP;
	return verdict;
}

/*
 * Determine the actions after a program has asked for its actions. If the
 * program has been replaced since it ran, the actions of the new one take
 * place.
 */
static notrace void lkst_bpf_act(void *data, struct lkst_rule_fired *fired)
{
	const struct lkst_bpf_program *program = READ_ONCE(((struct lkst_bpf *)data)->program);

	if (program->actions)
		lkst_rule_act(program->actions, fired);
}

static notrace void lkst_bpf_nested(void *data)
{
	this_cpu_inc(READ_ONCE(((struct lkst_bpf *)data)->program)->counts->nested);
}

static const struct lkst_evhandler_decider lkst_bpf_decider = {
	.decide = lkst_bpf_decide,
	.act = lkst_bpf_act,
	.nested = lkst_bpf_nested,
	.takes_locks = true,
};

/* ---- actions ---- */

/*
 * The actions that a BPF program can have. All other actions depend on the
 * fields of an event type, but a program may handle events of many types.
 */
static const char *const lkst_bpf_actions[] = {
	"enable", "disable", "on", "off", "stop", "snapshot", "stack",
};

/*
 * The rows of lkst_action_types[] with these names. Never changes once filled.
 */
static struct lkst_action_type lkst_bpf_action_types[ARRAY_SIZE(lkst_bpf_actions) + 1];

static void lkst_bpf_fill_action_types(void)
{
	const struct lkst_action_type *type;
	unsigned int num = 0;

	lockdep_assert_held(&lkst_bpf_mutex);
	if (lkst_bpf_action_types[0].name)
		return;
	for (type = lkst_action_types; type->name; type++)
		if (match_string(lkst_bpf_actions, ARRAY_SIZE(lkst_bpf_actions), type->name) >= 0)
			lkst_bpf_action_types[num++] = *type;
}

/* Store what is wrong with the actions. */
static void lkst_bpf_explain(struct lkst_evhandler_bpf_param *param,
			     const struct lkst_filter_parser *filter)
{
	param->error_at = filter->error_at;
	if (param->error && param->error_size)
		strscpy((char *)(unsigned long)param->error, filter->error,
			min_t(size_t, param->error_size, LKST_RULE_ERROR_LEN));
}

/*
 * Parse the actions of a program. Returns the actions, NULL if none are given,
 * or an error. If the error is -EINVAL, @param says what is wrong.
 */
static struct lkst_rule_program *lkst_bpf_parse(struct lkst_evhandler_bpf_param *param)
{
	/* Conditions can only refer to the running thread. */
	static const struct lkst_filter_scope scope = {};
	struct lkst_rule_program *actions = NULL;
	struct lkst_action_parser *parser;
	char *text;
	int ret = -ENOMEM;

	lockdep_assert_held(&lkst_bpf_mutex);
	if (!param->actions_size)
		return NULL;
	if (!param->actions)
		return ERR_PTR(-EINVAL);
	lkst_bpf_fill_action_types();
	text = kmemdup_nul((const char *)(unsigned long)param->actions, param->actions_size,
			   GFP_KERNEL);
	parser = kzalloc_obj(*parser, GFP_KERNEL);
	if (text && parser) {
		parser->filter.scope = &scope;
		parser->types = lkst_bpf_action_types;
		parser->etype = LKST_ETYPE_NUM;
		ret = lkst_rule_program_parse(parser, text);
		actions = parser->program;
		if (ret == -EINVAL)
			lkst_bpf_explain(param, &parser->filter);
	}
	kfree(parser);
	kfree(text);
	return ret ? ERR_PTR(ret) : actions;
}

/* ---- programs ---- */

static bool lkst_bpf_map_is_lru(const struct bpf_map *map)
{
	return map->map_type == BPF_MAP_TYPE_LRU_HASH ||
	       map->map_type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static bool lkst_bpf_uses_lru(struct bpf_prog *prog)
{
	struct bpf_prog_aux *aux = prog->aux;
	bool lru = false;
	u32 i;

	mutex_lock(&aux->used_maps_mutex);
	for (i = 0; i < aux->used_map_cnt; i++) {
		const struct bpf_map *map = aux->used_maps[i];

		lru |= lkst_bpf_map_is_lru(map) ||
		       (map->inner_map_meta && lkst_bpf_map_is_lru(map->inner_map_meta));
	}
	mutex_unlock(&aux->used_maps_mutex);
	return lru;
}

static void lkst_bpf_program_free(struct lkst_bpf_program *program)
{
	bpf_prog_put(program->prog);
	if (program->actions)
		lkst_rule_program_free(program->actions);
	free_percpu(program->counts);
	kfree(program);
}

/*
 * Create a struct lkst_bpf_program for the program that descriptor @fd refers
 * to, and take a reference to that program. Returns an error pointer on
 * failure.
 */
static struct lkst_bpf_program *lkst_bpf_program_new(int fd)
{
	struct lkst_bpf_program *program = kzalloc_obj(*program, GFP_KERNEL);
	int ret = -ENOMEM;

	if (!program)
		return ERR_PTR(-ENOMEM);
	program->counts = alloc_percpu(struct lkst_bpf_counts);
	if (!program->counts)
		goto free;
	program->prog = bpf_prog_get_type_dev(fd, BPF_PROG_TYPE_RAW_TRACEPOINT, false);
	ret = PTR_ERR_OR_ZERO(program->prog);
	if (ret) {
		/* The descriptor refers to a program of another type. */
		if (ret == -EINVAL)
			ret = -EPROTOTYPE;
		goto free;
	}
	program->lru = lkst_bpf_uses_lru(program->prog);
	if (!lkst_bpf_sleeps(program->prog))
		return program;
	bpf_prog_put(program->prog);
	ret = -EPROTOTYPE;
free:
	free_percpu(program->counts);
	kfree(program);
	return ERR_PTR(ret);
}

/* ---- event handlers ---- */

static struct lkst_bpf *lkst_bpf_find(const char *name)
{
	struct lkst_bpf *bpf;

	lockdep_assert_held(&lkst_bpf_mutex);
	list_for_each_entry(bpf, &lkst_bpf_handlers, node)
		if (!strcmp(bpf->name, name))
			return bpf;
	return NULL;
}

static struct lkst_bpf *lkst_bpf_find_id(lkst_evhandler_id id)
{
	struct lkst_bpf *bpf;

	lockdep_assert_held(&lkst_bpf_mutex);
	list_for_each_entry(bpf, &lkst_bpf_handlers, node)
		if (bpf->id == id)
			return bpf;
	return NULL;
}

/* Replace the program of an event handler, and wait until it no longer runs. */
static void lkst_bpf_replace(struct lkst_bpf *bpf, struct lkst_bpf_program *program)
{
	struct lkst_bpf_program *old = bpf->program;

	lockdep_assert_held(&lkst_bpf_mutex);
	/* A CPU that sees the pointer must also see what it points to. */
	smp_store_release(&bpf->program, program);
	lkst_synchronize();
	lkst_bpf_program_free(old);
}

/* Register an event handler. Returns its id or a negative errno. */
static int lkst_bpf_register(const char *name, struct lkst_bpf_program *program)
{
	struct lkst_bpf *bpf;
	int ret;

	lockdep_assert_held(&lkst_bpf_mutex);
	if (lkst_evhandler_get_id(name) >= 0 &&
	    lkst_evhandler_get_id(name) != LKST_EVHANDLER_ID_VOID)
		return -EEXIST;
	bpf = kzalloc_obj(*bpf, GFP_KERNEL);
	if (!bpf)
		return -ENOMEM;
	strscpy(bpf->name, name, sizeof(bpf->name));
	bpf->program = program;
	ret = lkst_evhandler_register_decider(name, &lkst_bpf_decider, bpf);
	if (ret < 0) {
		kfree(bpf);
		return ret;
	}
	bpf->id = ret;
	list_add_tail(&bpf->node, &lkst_bpf_handlers);
	return ret;
}

/*
 * Add a program to an existing event handler or to a new one. Returns the id of
 * the event handler or a negative errno.
 */
static int lkst_bpf_add(struct lkst_evhandler_bpf_param *param, struct lkst_bpf_program *program)
{
	struct lkst_bpf *bpf = lkst_bpf_find(param->name);
	struct lkst_rule_program *actions;

	if (param->also) {
		program->also = lkst_bpf_find_id(param->also);
		if (!program->also || program->also == bpf)
			return -ENOENT;
	}
	actions = lkst_bpf_parse(param);
	if (IS_ERR(actions))
		return PTR_ERR(actions);
	program->actions = actions;
	if (!bpf)
		return lkst_bpf_register(param->name, program);
	lkst_bpf_replace(bpf, program);
	return bpf->id;
}

/**
 * lkst_bpf_write() - make a BPF program an event handler
 * @param: as for LKST_IOC_EVHANDLER_BPF, with addresses in kernel memory
 *
 * If there is a BPF program with this name, the new program replaces it. Each
 * event is handled by either the old or the new program.
 *
 * Context: may sleep.
 *
 * Return: 0; -EBADF if there is no such descriptor; -EPROTOTYPE if the program
 * has another type, or may sleep; -EEXIST if an event handler that is not a BPF
 * program has the name; -ENOENT if @param->also is not another event handler
 * that is a BPF program; -EINVAL if the actions are wrong, in which case @param
 * says why, or if the name is invalid; -ENOSPC if no id is free; -ENOMEM;
 * -EINTR if a fatal signal is pending.
 */
int lkst_bpf_write(struct lkst_evhandler_bpf_param *param)
{
	struct lkst_bpf_program *program;
	int ret;

	if (strnlen(param->name, sizeof(param->name)) == sizeof(param->name))
		return -EINVAL;
	program = lkst_bpf_program_new(param->fd);
	if (IS_ERR(program))
		return PTR_ERR(program);
	ret = mutex_lock_killable(&lkst_bpf_mutex);
	if (!ret) {
		ret = lkst_bpf_add(param, program);
		mutex_unlock(&lkst_bpf_mutex);
	}
	if (ret < 0) {
		lkst_bpf_program_free(program);
		return ret;
	}
	param->id = ret;
	return 0;
}

/* Copy the actions of a program. Returns 0, or -EINVAL if there is no room. */
static int lkst_bpf_describe_actions(const struct lkst_bpf_program *program,
				     struct lkst_evhandler_bpf_info *info)
{
	const char *text = program->actions ? program->actions->text : "";
	size_t len = strlen(text);

	if (info->actions) {
		if (info->actions_size < len)
			return -EINVAL;
		memcpy((char *)(unsigned long)info->actions, text, len);
	}
	info->actions_size = len;
	return 0;
}

static int lkst_bpf_describe(const struct lkst_bpf_program *program,
			     struct lkst_evhandler_bpf_info *info)
{
	int cpu;

	info->program = program->prog->aux->id;
	info->also = program->also ? program->also->id : 0;
	BUILD_BUG_ON(sizeof(info->tag) != sizeof(program->prog->tag));
	memcpy(info->tag, program->prog->tag, sizeof(info->tag));
	info->runs = 0;
	info->drops = 0;
	info->acts = 0;
	info->nested = 0;
	info->unsafe = 0;
	for_each_possible_cpu(cpu) {
		const struct lkst_bpf_counts *counts = per_cpu_ptr(program->counts, cpu);

		info->runs += READ_ONCE(counts->runs);
		info->drops += READ_ONCE(counts->drops);
		info->acts += READ_ONCE(counts->acts);
		info->nested += READ_ONCE(counts->nested);
		info->unsafe += READ_ONCE(counts->unsafe);
	}
	return lkst_bpf_describe_actions(program, info);
}

/**
 * lkst_bpf_read() - describe an event handler that is a BPF program
 * @info: as for LKST_IOC_EVHANDLER_BPF_READ
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOENT if the event handler is not a BPF program; -EINVAL if the
 * memory for the actions is too small; -EINTR if a fatal signal is pending.
 */
int lkst_bpf_read(struct lkst_evhandler_bpf_info *info)
{
	const struct lkst_bpf *bpf;
	int ret = mutex_lock_killable(&lkst_bpf_mutex);

	if (ret)
		return ret;
	bpf = lkst_bpf_find_id(info->id);
	ret = bpf ? lkst_bpf_describe(bpf->program, info) : -ENOENT;
	mutex_unlock(&lkst_bpf_mutex);
	return ret;
}

/* Unregister an event handler, and wait until its program no longer runs. */
static void lkst_bpf_remove(struct lkst_bpf *bpf)
{
	struct lkst_bpf *other;

	lockdep_assert_held(&lkst_bpf_mutex);
	list_for_each_entry(other, &lkst_bpf_handlers, node)
		if (other->program->also == bpf)
			WRITE_ONCE(other->program->also, NULL);
	lkst_evhandler_unregister(bpf->id);
	list_del(&bpf->node);
	lkst_bpf_program_free(bpf->program);
	kfree(bpf);
}

/**
 * lkst_bpf_delete() - unregister an event handler that is a BPF program
 * @id: id of the event handler
 *
 * Masksets with this handler get the default handler instead. The program no
 * longer decides about the events of other handlers either (see @also of struct
 * lkst_bpf_program).
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOENT if the event handler is not a BPF program; -EINTR if a
 * fatal signal is pending.
 */
int lkst_bpf_delete(lkst_evhandler_id id)
{
	struct lkst_bpf *bpf;
	int ret = mutex_lock_killable(&lkst_bpf_mutex);

	if (ret)
		return ret;
	bpf = lkst_bpf_find_id(id);
	if (bpf)
		lkst_bpf_remove(bpf);
	mutex_unlock(&lkst_bpf_mutex);
	return bpf ? 0 : -ENOENT;
}

/* Unregister all BPF programs. Called when no process can use /dev/lkst. */
void __lkst_exit lkst_bpf_end(void)
{
	struct lkst_bpf *bpf, *next;

	mutex_lock(&lkst_bpf_mutex);
	list_for_each_entry_safe(bpf, next, &lkst_bpf_handlers, node)
		lkst_bpf_remove(bpf);
	mutex_unlock(&lkst_bpf_mutex);
}
