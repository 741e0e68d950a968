// SPDX-License-Identifier: GPL-2.0
/*
 * Names and selects threads for the analyses.
 *
 * Whether a thread is selected depends on its name, its process and, with --children, its
 * ancestors. The result is cached by the index of the thread, and computed again only if one of
 * these changes.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/state_names.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "run.h"
#include "tally.h"

/**
 * run_context() - get the names and symbols of the kernel that recorded the events
 * @run: run
 * @source: index of the file of the trace
 */
const struct lkst_context *run_context(const struct run *run, uint32_t source)
{
	const struct runner *runner = runner_of(run);

	return runner->follow ? lkst_follow_context(runner->follow) :
				lkst_trace_source_context(run->trace, source);
}

/**
 * run_system() - look up a value in the description of the machine that recorded the events
 * @run: run
 * @key: for example "image"
 * @len: result: length of the value in bytes
 *
 * Return: the value, which is not terminated by a NUL; NULL if not found.
 */
const char *run_system(const struct run *run, const char *key, size_t *len)
{
	uint32_t source = runner_of(run)->source;

	if (!run->trace)
		return NULL;
	return lkst_trace_boot_system(run->trace, lkst_trace_boot(run->trace, source), key, len);
}

static struct lkst_names *names_of(const struct runner *runner)
{
	return run_context(&runner->run, runner->source)->names;
}

/* Get the memory for the choice of a thread. Returns NULL if an allocation fails. */
static struct thread_choice *names_choice_at(struct runner *runner, uint32_t index)
{
	struct thread_choice *choice =
		tally_cover(runner->choice, &runner->choices, index, sizeof(*choice));

	if (!choice) {
		run_out_of_memory(&runner->run);
		return NULL;
	}
	runner->choice = choice;
	return &choice[index];
}

static enum lkst_process_match names_match(const struct runner *runner,
					   const struct lkst_thread *thread)
{
	struct lkst_names *names = names_of(runner);
	uint32_t tgid = thread->tgid ? thread->tgid : lkst_names_process(names, thread->tid);
	const struct lkst_event event = {
		.tid = thread->tid,
		.tgid = tgid ? tgid : thread->tid,
		.cpu = thread->cpu,
		.time_ns = runner->now_ns,
	};

	return lkst_process_match(runner->processes, names, &event);
}

/* When a thread appears, copy the choice of its parent, if that is known. */
static void names_inherit(const struct runner *runner, const struct lkst_thread *thread,
			  struct thread_choice *choice)
{
	const struct lkst_thread *parent =
		thread->parent ?
			lkst_model_find(runner->run.model, thread->source, thread->parent) :
			NULL;

	if (!parent || parent == thread || parent->index >= runner->choices)
		return;
	choice->inherits = runner->choice[parent->index].inherits;
	if (choice->inherits)
		choice->selected = runner->choice[parent->index].selected;
}

/**
 * names_choose() - determine whether a thread is selected
 * @runner: run with -p
 * @thread: thread
 *
 * With --children, -p is matched with the thread, then with its parent, and so on. The first match
 * determines the choice.
 */
void names_choose(struct runner *runner, const struct lkst_thread *thread)
{
	struct thread_choice *choice = names_choice_at(runner, thread->index);
	enum lkst_process_match match;

	if (!choice)
		return;
	match = names_match(runner, thread);
	choice->tid = thread->tid;
	choice->first_ns = thread->first_ns;
	memcpy(choice->name, thread->name, sizeof(choice->name));
	choice->tgid = thread->tgid;
	choice->parent = thread->parent;
	choice->known = true;
	choice->inherits = match != LKST_PROCESS_NO_MATCH;
	choice->selected = choice->inherits ? match == LKST_PROCESS_SELECTED :
					      lkst_processes_others(runner->processes);
	if (!choice->inherits && runner->run.args->children)
		names_inherit(runner, thread, choice);
	runner->any_selected |= choice->selected;
}

/**
 * names_forget() - forget which threads are selected
 * @runner: run
 *
 * This function must be called after the arguments of -p have changed.
 */
void names_forget(struct runner *runner)
{
	for (size_t i = 0; i < runner->choices; i++)
		runner->choice[i] = (struct thread_choice){ 0 };
	runner->threads = 0;
}

/**
 * names_trim() - note that lkst_model_trim() has changed the indexes of the threads
 * @runner: run
 *
 * This keeps the choices: with --children, a choice may come from a parent that the model has
 * forgotten. The order of the threads has not changed. The latest threads may have no choice yet.
 */
void names_trim(struct runner *runner)
{
	size_t threads = lkst_model_threads(runner->run.model), from = 0, to;

	for (to = 0; to < threads; to++) {
		const struct lkst_thread *thread =
			lkst_model_thread(runner->run.model, (uint32_t)to);

		while (from < runner->choices &&
		       (runner->choice[from].tid != thread->tid ||
			runner->choice[from].first_ns != thread->first_ns))
			from++;
		if (from == runner->choices)
			break;
		runner->choice[to] = runner->choice[from++];
	}
	if (runner->threads > to)
		runner->threads = to;
	for (; to < runner->choices; to++)
		runner->choice[to] = (struct thread_choice){ 0 };
}

/**
 * run_selects() - check whether -p selects a thread
 * @run: run
 * @thread: thread; NULL (idle or unknown) is never selected by -p
 */
bool run_selects(const struct run *run, const struct lkst_thread *thread)
{
	struct runner *runner = runner_of(run);
	const struct thread_choice *choice;

	if (!runner->processes)
		return true;
	if (!thread)
		return false;
	if (thread->index < runner->choices) {
		choice = &runner->choice[thread->index];
		if (choice->known && choice->tgid == thread->tgid &&
		    choice->parent == thread->parent &&
		    !memcmp(choice->name, thread->name, sizeof(choice->name)))
			return choice->selected;
	}
	names_choose(runner, thread);
	return thread->index < runner->choices && runner->choice[thread->index].selected;
}

/**
 * run_thread_name() - format a thread as name-number
 * @run: run
 * @thread: thread; NULL: idle or unknown
 * @text: result
 *
 * Return: @text; "-" if @thread is NULL, and only the number if the name is unknown.
 */
const char *run_thread_name(const struct run *run, const struct lkst_thread *thread, char text[40])
{
	return state_thread_name(thread ? names_of(runner_of(run)) : NULL, thread, text);
}

/**
 * run_symbol() - format an address of code as lkstbuf print does
 * @run: run
 * @source: index of the file of the trace
 * @address: address
 * @text: result, such as "do_it+0x10[module]", or the address if it has no symbol
 * @size: size of @text in bytes
 *
 * Return: @text.
 */
const char *run_symbol(const struct run *run, uint32_t source, uint64_t address, char *text,
		       size_t size)
{
	return state_symbol(run_context(run, source), address, text, size);
}

/**
 * run_syscall_name() - format a system call as lkstbuf print does
 * @thread: thread that called it
 * @number: number of the call
 * @abi: ABI of the call
 * @text: result; the number if the call has no name
 *
 * Return: @text.
 */
const char *run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
			     char text[32])
{
	return state_syscall_name(thread, number, abi, text);
}
