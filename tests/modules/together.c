// SPDX-License-Identifier: GPL-2.0
/*
 * Make CPUs record at the same time: "echo N >/sys/module/together/parameters/cpus" makes the first
 * N CPUs record TOGETHER_NUM events each, while tests/qemu/together.c watches. With "shared=1"
 * each of them also writes to one shared variable.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/threads.h>
#include <linux/lkst.h>

#include "together.h"

LKST_ETYPE_DEF_MODULE(TOGETHER_ETYPE, NORMAL, TOGETHER, "together",
		      "number:udec", "cpu:cpu", "number:udec", "cpu:cpu");

/*
 * Execute a mark. It is in a separate translation block, because the QEMU plugin counts all
 * instructions of a block when the CPU enters the block.
 */
static __always_inline void together_mark(const unsigned int number)
{
	asm volatile("jmp 1f\n1:\t.long %c0, %c1\n\tjmp 2f\n2:"
		     : : "i" (TOGETHER_MARK), "i" (number) : "memory");
}

static bool shared;
module_param(shared, bool, 0600);

static DEFINE_MUTEX(together_mutex);
static DECLARE_COMPLETION(together_done);
static atomic_t together_ready, together_left;	/* CPUs that have yet to arrive, and to finish */
static unsigned long together_shared ____cacheline_aligned;

static void together_record(void)
{
	unsigned int i, cpu = smp_processor_id();

	together_mark(TOGETHER_BEGIN);
	for (i = 0; i < TOGETHER_NUM; i++)
		LKST_HOOK(TOGETHER, LKST_ARG(i), LKST_ARG(cpu), LKST_ARG(i), LKST_ARG(cpu));
	if (shared)
		WRITE_ONCE(together_shared, i);
	together_mark(TOGETHER_END);
}

/*
 * The thread of a CPU. It exits only after all CPUs have finished, so that its stack is not reused
 * while another CPU is still recording. If another thread is waiting for the CPU, TIF_NEED_RESCHED
 * is set, and recording this flag would take some more instructions. So the flag is cleared while
 * this thread records.
 */
static int together_thread(void *unused)
{
	bool resched;

	/*
	 * Interrupts stay on until all CPUs have arrived, because another CPU may be waiting for
	 * this one to handle an IPI.
	 */
	preempt_disable();
	atomic_dec(&together_ready);
	while (atomic_read(&together_ready))
		cpu_relax();
	local_irq_disable();
	resched = test_and_clear_tsk_thread_flag(current, TIF_NEED_RESCHED);
	together_record();
	if (resched)
		set_tsk_need_resched(current);
	local_irq_enable();
	preempt_enable();
	if (atomic_dec_and_test(&together_left))
		complete(&together_done);
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

static struct task_struct *together_threads[NR_CPUS];

static int together_create(unsigned int num)
{
	for (unsigned int i = 0; i < num; i++) {
		struct task_struct *thread = kthread_create_on_cpu(together_thread, NULL, i,
								   "together/%u");

		if (!IS_ERR(thread)) {
			together_threads[i] = thread;
			continue;
		}
		while (i--)
			kthread_stop(together_threads[i]);
		return PTR_ERR(thread);
	}
	return 0;
}

static int together_run(unsigned int num)
{
	int ret = together_create(num);

	if (ret)
		return ret;
	atomic_set(&together_ready, num);
	atomic_set(&together_left, num);
	reinit_completion(&together_done);
	for (unsigned int i = 0; i < num; i++)
		wake_up_process(together_threads[i]);
	wait_for_completion(&together_done);
	together_mark(TOGETHER_REPORT);
	for (unsigned int i = 0; i < num; i++)
		kthread_stop(together_threads[i]);
	return 0;
}

static int together_set(const char *value, const struct kernel_param *kp)
{
	unsigned int num;
	int ret = kstrtouint(value, 0, &num);

	if (ret)
		return ret;
	cpus_read_lock();
	mutex_lock(&together_mutex);
	/* This assumes that the CPUs that are online have the lowest numbers. */
	ret = num && num <= num_online_cpus() ? together_run(num) : -EINVAL;
	mutex_unlock(&together_mutex);
	cpus_read_unlock();
	return ret;
}

static const struct kernel_param_ops together_ops = { .set = together_set };

module_param_cb(cpus, &together_ops, NULL, 0200);

static int __init together_init(void)
{
	int ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(TOGETHER));

	return ret < 0 ? ret : 0;
}

static void __exit together_exit(void)
{
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TOGETHER));
}

module_init(together_init);
module_exit(together_exit);

MODULE_DESCRIPTION("LKST test: CPUs record at the same time");
MODULE_LICENSE("GPL");
