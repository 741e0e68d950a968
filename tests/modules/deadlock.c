// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/death_deadlock.t: two threads wait forever for each other's
 * mutex, and a third one waits for the first mutex. The parameters a and b show
 * the addresses of the mutexes.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(deadlock_a);
static DEFINE_MUTEX(deadlock_b);
static DECLARE_COMPLETION(a_is_held);
static DECLARE_COMPLETION(b_is_held);

static char a[20], b[20];
module_param_string(a, a, sizeof(a), 0400);
module_param_string(b, b, sizeof(b), 0400);

static int lock_a_then_b(void *unused)
{
	mutex_lock(&deadlock_a);
	complete_all(&a_is_held);
	wait_for_completion(&b_is_held);
	mutex_lock(&deadlock_b);
	return 0;
}

static int lock_b_then_a(void *unused)
{
	mutex_lock(&deadlock_b);
	complete_all(&b_is_held);
	wait_for_completion(&a_is_held);
	mutex_lock(&deadlock_a);
	return 0;
}

static int lock_a(void *unused)
{
	wait_for_completion(&a_is_held);
	mutex_lock(&deadlock_a);
	return 0;
}

static const struct {
	const char *name;
	int (*lock)(void *unused);
} threads[] = {
	{ "deadlock-ab", lock_a_then_b },
	{ "deadlock-ba", lock_b_then_a },
	{ "deadlock-a", lock_a },
};

static int __init deadlock_init(void)
{
	struct task_struct *task[ARRAY_SIZE(threads)];
	int i;

	snprintf(a, sizeof(a), "0x%lx", (unsigned long)&deadlock_a);
	snprintf(b, sizeof(b), "0x%lx", (unsigned long)&deadlock_b);
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		task[i] = kthread_create(threads[i].lock, NULL, "%s",
					 threads[i].name);
		if (IS_ERR(task[i]))
			goto stop;
	}
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		wake_up_process(task[i]);
	return 0;

stop:
	/* These threads have not started yet, so they exit immediately. */
	for (int k = 0; k < i; k++)
		kthread_stop(task[k]);
	return PTR_ERR(task[i]);
}

module_init(deadlock_init);
MODULE_DESCRIPTION("LKST test: a deadlock of two mutexes");
MODULE_LICENSE("GPL");
