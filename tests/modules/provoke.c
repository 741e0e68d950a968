// SPDX-License-Identifier: GPL-2.0
/*
 * Generate events in the kernel, for tests/vm/events/provoke.c. Writing "WORD N" to
 * /proc/lkst_provoke carries out the command WORD N times, or once if @lone is set for it in
 * actions[]. Reading the file returns four hexadecimal numbers, such as addresses of the objects
 * involved.
 *
 * "warn" and all commands below it in actions[] make the kernel report a problem. After "oops" and
 * "divide", this module cannot be unloaded.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "compat.h"

#define VALUES		4
#define VMALLOC_SIZE	(5 * PAGE_SIZE)
#define WAIT_MS		60000
#define HANG_MS		60000

/*
 * The numbers that reading the file returns: addresses from actions[], or values that the last
 * command has set. Protected by action_mutex.
 */
static u64 values[VALUES];
static DEFINE_MUTEX(action_mutex);

static u64 address(const void *p)
{
	return (unsigned long)p;
}

/* Completed by the tasklets, which run later than the command that schedules them. */
static struct completion ran;

static void wait_until_it_ran(void)
{
	WARN_ON(!wait_for_completion_timeout(&ran, msecs_to_jiffies(WAIT_MS)));
}

/* --- Processes */

static wait_queue_head_t queue;
static bool awake;

static void init_queue(unsigned int i)
{
	init_waitqueue_head(&queue);
}

/* Call all functions that add an entry to a wait queue or remove one. */
static void use_queue(unsigned int i)
{
	static struct wait_queue_entry added, prepared;

	init_waitqueue_entry(&added, current);
	init_wait(&prepared);
	add_wait_queue(&queue, &added);
	remove_wait_queue(&queue, &added);
	add_wait_queue_exclusive(&queue, &added);
	remove_wait_queue(&queue, &added);
	prepare_to_wait(&queue, &prepared, TASK_UNINTERRUPTIBLE);
	finish_wait(&queue, &prepared);
	prepare_to_wait_exclusive(&queue, &prepared, TASK_UNINTERRUPTIBLE);
	finish_wait(&queue, &prepared);
	values[1] = address(&added);
	values[2] = address(&prepared);
}

static void wake_up_queue(struct timer_list *timer)
{
	WRITE_ONCE(awake, true);
	wake_up(&queue);
}

/* Sleep like wait_event(), but set the alarm only after the entry has been added. */
static void sleep_in_queue(unsigned int i)
{
	static struct wait_queue_entry entry;
	struct timer_list alarm;

	timer_setup_on_stack(&alarm, wake_up_queue, 0);
	init_wait_entry(&entry, 0);
	WRITE_ONCE(awake, false);
	prepare_to_wait_event(&queue, &entry, TASK_UNINTERRUPTIBLE);
	mod_timer(&alarm, jiffies + 1);
	while (!READ_ONCE(awake))
		schedule();
	finish_wait(&queue, &entry);
	timer_delete_sync(&alarm);
	timer_destroy_on_stack(&alarm);
	values[1] = address(&entry);
}

static int thread_function(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void run_thread(unsigned int i)
{
	void *data = (void *)(0x10000UL + i);
	struct task_struct *thread = kthread_run(thread_function, data, "provoke/%u", i);

	if (!WARN_ON(IS_ERR(thread)))
		kthread_stop(thread);
	values[1] = 0x10000;
}

/* --- Interrupts */

static void tasklet_function(struct tasklet_struct *tasklet)
{
	complete(&ran);
}

static DECLARE_TASKLET(tasklet, tasklet_function);

static void run_tasklet(unsigned int i)
{
	tasklet_schedule(&tasklet);
	wait_until_it_ran();
	tasklet_unlock_wait(&tasklet);
}

static void run_tasklet_hi(unsigned int i)
{
	tasklet_hi_schedule(&tasklet);
	wait_until_it_ran();
	tasklet_unlock_wait(&tasklet);
}

#ifdef CONFIG_KPROBES
static int probed_calls;

static noinline void probed(void)
{
	WRITE_ONCE(probed_calls, probed_calls + 1);
}

/*
 * Do nothing. The kernel does not optimize a kprobe that has a post handler into a jump, so the
 * kprobe remains a breakpoint.
 */
static void kprobe_post_function(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

static void hit_kprobe(unsigned int i)
{
	struct kprobe kprobe = {
		.addr = (kprobe_opcode_t *)probed,
		.post_handler = kprobe_post_function,
	};

	if (WARN_ON(register_kprobe(&kprobe)))
		return;
	probed();
	unregister_kprobe(&kprobe);
}
#endif

/* --- Memory */

static void alloc_and_free(unsigned int i)
{
	vfree(vmalloc(VMALLOC_SIZE));
	values[0] = VMALLOC_SIZE;
}

static void *given_back;

static void give_back(struct tasklet_struct *tasklet)
{
	vfree(given_back);
	complete(&ran);
}

static DECLARE_TASKLET(free_tasklet, give_back);

/*
 * Call vfree() in a softirq, where it must not sleep and therefore leaves the work to a worker.
 * Give the worker time to finish before the next call.
 */
static void free_in_softirq(unsigned int i)
{
	given_back = vmalloc(VMALLOC_SIZE);
	if (WARN_ON(!given_back))
		return;
	values[i % VALUES] = address(given_back);
	tasklet_schedule(&free_tasklet);
	wait_until_it_ran();
	msleep(50);
	tasklet_unlock_wait(&free_tasklet);
}

/* --- Timers */

static void timer_function(struct timer_list *timer)
{
}

static DEFINE_TIMER(timer, timer_function);

static void add_and_delete_timer(unsigned int i)
{
	if (!i)
		values[2] = jiffies + 1000 * HZ;
	mod_timer(&timer, values[2]);
	timer_delete_sync(&timer);
}

/* --- Messages */

static void print_messages(unsigned int i)
{
	pr_notice("provoke: notice %u\n", i);
	pr_info("provoke: info %u\n", i);
}

/* --- Failures that the kernel reports */

static void warn(unsigned int i)
{
	WARN(1, "provoke: a warning\n");
}

#ifdef CONFIG_X86_MCE
/* Log a corrected machine check error. */
static void log_machine_check(unsigned int i)
{
	struct mce mce = {
		.extcpu = raw_smp_processor_id(),
		.bank = 3,
		.status = MCI_STATUS_VAL | MCI_STATUS_ADDRV | MCI_STATUS_MISCV | 0x136,
		.addr = 0x12345000,
		.misc = 0x8c,
	};

	log_mce(&mce);
	values[0] = (u64)mce.bank << 32 | mce.extcpu;
	values[1] = mce.status;
	values[2] = mce.addr;
	values[3] = mce.misc;
}
#endif

/*
 * Print messages like those of the hard lockup detector, which does not work on emulated machines.
 * They report a lockup of this CPU or the next one, worded as in Linux 6.1 and as in later kernels.
 */
static void print_hard_lockup(unsigned int i)
{
	unsigned int cpu = get_cpu(), reported = i % 2 ? cpu : cpu + 1;

	pr_emerg("NMI watchdog: Watchdog detected hard LOCKUP on cpu %u", reported);
	pr_emerg("watchdog: Watchdog detected hard LOCKUP on cpu %u\n", reported);
	pr_emerg("watchdog: CPU%u: Watchdog detected hard LOCKUP on cpu %u\n", cpu, reported);
	put_cpu();
	values[0] = task_pid_nr(current);
}

/* Set by the command "release", after the kernel has reported a hang, to end the hang. */
static bool released;

static __always_inline void spin(void)
{
	unsigned long end = jiffies + msecs_to_jiffies(HANG_MS);

	while (!READ_ONCE(released) && time_before(jiffies, end))
		cpu_relax();
}

static void spin_without_preemption(unsigned int i)
{
	preempt_disable();
	spin();
	preempt_enable();
}

static void spin_in_reader(unsigned int i)
{
	rcu_read_lock();
	spin();
	rcu_read_unlock();
}

static DECLARE_WAIT_QUEUE_HEAD(hanging);

static void hang(unsigned int i)
{
	wait_event_timeout(hanging, READ_ONCE(released), msecs_to_jiffies(HANG_MS));
}

/*
 * Cause an oops, with values in registers that tests/vm/events/provoke_trouble.c recognizes in the
 * trace.
 */
static noinline void oops(unsigned int i)
{
#ifdef CONFIG_X86_64
	asm volatile("movq $0x12120012, %%r12; movq $0x13130013, %%r13; movq $0x14140014, %%r14;"
		     "movq $0x11110011, %%r11; movq $0xaaaa00aa, %%rax; movq $0xcccc00cc, %%rcx;"
		     "movl $1, 0x18"
		     ::: "rax", "rcx", "r11", "r12", "r13", "r14", "memory");
#else
	WRITE_ONCE(*(int *)0x18, 1);
#endif
}

static noinline void divide(unsigned int i)
{
#ifdef CONFIG_X86
	unsigned int high = 0, low = 1;

	asm volatile("divl %2" : "+d" (high), "+a" (low) : "r" (0) : "cc");
#elif defined(CONFIG_ARM64)
	/*
	 * arm64 has no divide error. An undefined instruction causes an oops, as a divide error
	 * does on x86.
	 */
	asm volatile(".inst 0");
#endif
}

/* --- The file */

/*
 * The commands. Those with @lone set take a long time or do not return, so they run without
 * action_mutex. The others begin with values[0] and values[1] set to the addresses of @object and
 * @code.
 */
static const struct action {
	const char *word;
	void (*function)(unsigned int i);
	const void *object;
	const void *code;
	bool lone;
} actions[] = {
	{ "init-queue", init_queue, &queue },
	{ "use-queue", use_queue, &queue },
	{ "sleep-in-queue", sleep_in_queue, &queue },
	{ "threads", run_thread, thread_function },
	{ "tasklet", run_tasklet, &tasklet, tasklet_function },
	{ "tasklet-hi", run_tasklet_hi, &tasklet, tasklet_function },
#ifdef CONFIG_KPROBES
	{ "kprobe", hit_kprobe, probed },
#endif
	{ "vmalloc", alloc_and_free },
	{ "free-in-softirq", free_in_softirq },
	{ "timer", add_and_delete_timer, &timer, timer_function },
	{ "print", print_messages },
	{ "warn", warn },
	{ "print-hard-lockup", print_hard_lockup },
#ifdef CONFIG_X86_MCE
	{ "mce", log_machine_check },
#endif
	{ "soft-lockup", spin_without_preemption, .lone = true },
	{ "rcu-stall", spin_in_reader, .lone = true },
	{ "hang", hang, .lone = true },
	{ "oops", oops, .lone = true },
	{ "divide", divide, .lone = true },
};

static void do_action(const struct action *action, unsigned int n)
{
	if (action->lone) {
		WRITE_ONCE(released, false);
		action->function(0);
		return;
	}
	mutex_lock(&action_mutex);
	memset(values, 0, sizeof(values));
	values[0] = address(action->object);
	values[1] = address(action->code);
	for (unsigned int i = 0; i < n; i++)
		action->function(i);
	mutex_unlock(&action_mutex);
}

static ssize_t provoke_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char text[32], word[20];
	unsigned int n;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%19s %u", word, &n) != 2)
		return -EINVAL;
	if (!strcmp(word, "release")) {
		WRITE_ONCE(released, true);
		wake_up(&hanging);
		return count;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(actions[i].word, word)) {
			do_action(&actions[i], n);
			return count;
		}
	return -EINVAL;
}

static ssize_t provoke_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	char text[80];
	int len;

	mutex_lock(&action_mutex);
	len = scnprintf(text, sizeof(text), "%llx %llx %llx %llx\n",
			values[0], values[1], values[2], values[3]);
	mutex_unlock(&action_mutex);
	return simple_read_from_buffer(to, count, pos, text, len);
}

static const struct proc_ops provoke_proc_ops = {
	.proc_read = provoke_read,
	.proc_write = provoke_write,
	.proc_lseek = default_llseek,
};

static int __init provoke_init(void)
{
	init_completion(&ran);
	init_waitqueue_head(&queue);
	return proc_create("lkst_provoke", 0600, NULL, &provoke_proc_ops) ? 0 : -ENOMEM;
}

static void __exit provoke_exit(void)
{
	remove_proc_entry("lkst_provoke", NULL);
	timer_delete_sync(&timer);
	tasklet_kill(&tasklet);
}

module_init(provoke_init);
module_exit(provoke_exit);
MODULE_DESCRIPTION("LKST test: causes events in the kernel");
MODULE_LICENSE("GPL");
