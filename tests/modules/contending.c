// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/lkstla_lock_vm.t and tests/vm/analysis/lock_stat.t: when this
 * module is loaded, threads wait for a lock that nothing else uses. The
 * parameter "lock" is its address. "write_ns" and "read_ns" are the total times
 * of the calls that waited for it.
 *
 * The thread that holds the lock sleeps until another thread is in the lock's
 * queue, and for some time more. So no thread gets the lock by spinning. On a
 * machine with one CPU, no thread spins at all, because the owner of the lock
 * is not running while another thread begins to wait.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/rwsem.h>

#define WRITERS	20
#define READERS	10
#define HOLD_MS	20

static DECLARE_RWSEM(lkst_contended);
static DECLARE_COMPLETION(done);

static unsigned long lock = (unsigned long)&lkst_contended, write_ns, read_ns;
module_param(lock, ulong, 0444);
module_param(write_ns, ulong, 0444);
module_param(read_ns, ulong, 0444);

static int write_waiter(void *unused)
{
	u64 begin = ktime_get_ns();

	down_write(&lkst_contended);
	write_ns += ktime_get_ns() - begin;
	up_write(&lkst_contended);
	complete(&done);
	return 0;
}

static int read_waiter(void *unused)
{
	u64 begin = ktime_get_ns();

	down_read(&lkst_contended);
	read_ns += ktime_get_ns() - begin;
	up_read(&lkst_contended);
	complete(&done);
	return 0;
}

/* Make a thread wait for the lock. */
static int contend(int (*waiter)(void *))
{
	struct task_struct *thread;

	down_write(&lkst_contended);
	thread = kthread_run(waiter, NULL, "contender");
	if (!IS_ERR(thread)) {
		while (!rwsem_is_contended(&lkst_contended))
			msleep(HOLD_MS);
		msleep(HOLD_MS);
	}
	up_write(&lkst_contended);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&done);
	return 0;
}

static int __init contending_init(void)
{
	int ret = 0;

	for (int i = 0; i < WRITERS && !ret; i++)
		ret = contend(write_waiter);
	for (int i = 0; i < READERS && !ret; i++)
		ret = contend(read_waiter);
	return ret;
}

static void __exit contending_exit(void)
{
}

module_init(contending_init);
module_exit(contending_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: threads that wait for a lock");
