// SPDX-License-Identifier: GPL-2.0
/*
 * Does things in the kernel that events tell of, for tests/vm/provoke.c: "WORD N" in
 * /proc/lkst_provoke has it do something N times. Reading the file gives four numbers: what it was
 * done with.
 *
 * The words from "warn" on are such that the kernel complains. After "oops" and "divide" this
 * module cannot be unloaded.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/mce.h>
#include <asm/nmi.h>
#endif

#include "compat.h"

#define VALUES		4
#define VMALLOC_SIZE	(5 * PAGE_SIZE)
#define ETH_P_PROVOKE	0x88b5	/* for experiments */
#define WAIT_MS		10000
#define HANG_MS		60000

/* What the last deed was done with. Protected by deed_mutex. */
static u64 values[VALUES];
static DEFINE_MUTEX(deed_mutex);

static void set_values(u64 first, u64 second, u64 third, u64 fourth)
{
	values[0] = first;
	values[1] = second;
	values[2] = third;
	values[3] = fourth;
}

static u64 address(const void *p)
{
	return (unsigned long)p;
}

/* Set by what runs later: a timer, a tasklet, work. */
static struct completion ran;

static void wait_until_it_ran(void)
{
	WARN_ON(!wait_for_completion_timeout(&ran, msecs_to_jiffies(WAIT_MS)));
}

/* --- Processes */

static wait_queue_head_t queue;
static bool awake;

static void init_queue(unsigned int n)
{
	while (n--)
		init_waitqueue_head(&queue);
	set_values(address(&queue), 0, 0, 0);
}

/* Each function that puts an entry into a queue, and each that takes it out. */
static void use_queue(unsigned int n)
{
	DEFINE_WAIT(prepared);
	DECLARE_WAITQUEUE(added, current);

	while (n--) {
		add_wait_queue(&queue, &added);
		remove_wait_queue(&queue, &added);
		add_wait_queue_exclusive(&queue, &added);
		remove_wait_queue(&queue, &added);
		prepare_to_wait(&queue, &prepared, TASK_UNINTERRUPTIBLE);
		finish_wait(&queue, &prepared);
		prepare_to_wait_exclusive(&queue, &prepared, TASK_UNINTERRUPTIBLE);
		finish_wait(&queue, &prepared);
	}
	set_values(address(&queue), address(&added), address(&prepared), 0);
}

static void wake_up_queue(struct timer_list *timer)
{
	WRITE_ONCE(awake, true);
	wake_up(&queue);
}

/* wait_event(), with the alarm set only when the entry is in the queue. */
static void sleep_in_queue(unsigned int n)
{
	struct wait_queue_entry entry;
	struct timer_list alarm;

	timer_setup_on_stack(&alarm, wake_up_queue, 0);
	while (n--) {
		init_wait_entry(&entry, 0);
		WRITE_ONCE(awake, false);
		prepare_to_wait_event(&queue, &entry, TASK_UNINTERRUPTIBLE);
		mod_timer(&alarm, jiffies + 1);
		while (!READ_ONCE(awake))
			schedule();
		finish_wait(&queue, &entry);
	}
	timer_delete_sync(&alarm);
	timer_destroy_on_stack(&alarm);
	set_values(address(&queue), address(&entry), 0, 0);
}

static int thread_function(void *data)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

#define THREAD_DATA	0x10000

static void run_thread(unsigned int n)
{
	struct task_struct *thread;
	unsigned long i;

	for (i = 0; i < n; i++) {
		thread = kthread_run(thread_function, (void *)(THREAD_DATA + i), "provoke/%lu", i);
		if (!WARN_ON(IS_ERR(thread)))
			kthread_stop(thread);
	}
	set_values(address(thread_function), THREAD_DATA, 0, 0);
}

/* --- Interrupts */

static void tasklet_function(struct tasklet_struct *tasklet)
{
	complete(&ran);
}

static DECLARE_TASKLET(tasklet, tasklet_function);

static void run_tasklet(unsigned int n)
{
	while (n--) {
		tasklet_schedule(&tasklet);
		wait_until_it_ran();
	}
	tasklet_unlock_wait(&tasklet);
	set_values(address(&tasklet), address(tasklet_function), 0, 0);
}

static void run_tasklet_hi(unsigned int n)
{
	while (n--) {
		tasklet_hi_schedule(&tasklet);
		wait_until_it_ran();
	}
	tasklet_unlock_wait(&tasklet);
	set_values(address(&tasklet), address(tasklet_function), 0, 0);
}

#ifdef CONFIG_X86_LOCAL_APIC
static atomic_t nmis_wanted;

static int nmi_function(unsigned int cmd, struct pt_regs *regs)
{
	return atomic_dec_if_positive(&nmis_wanted) < 0 ? NMI_DONE : NMI_HANDLED;
}

/* One that comes while another one waits is lost: one at a time. */
static void send_nmis(unsigned int n)
{
	unsigned long end = jiffies + msecs_to_jiffies(WAIT_MS);

	set_values(address(nmi_function), 0, 0, 0);
	if (WARN_ON(register_nmi_handler(NMI_LOCAL, nmi_function, 0, "lkst_provoke")))
		return;
	while (n--) {
		atomic_set(&nmis_wanted, 1);
		preempt_disable();
		apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
		while (atomic_read(&nmis_wanted) && time_before(jiffies, end))
			cpu_relax();
		preempt_enable();
	}
	unregister_nmi_handler(NMI_LOCAL, "lkst_provoke");
}
#endif

#ifdef CONFIG_KPROBES
static int probed_calls;

static noinline void probed(void)
{
	WRITE_ONCE(probed_calls, probed_calls + 1);
}

static int kprobe_function(struct kprobe *kprobe, struct pt_regs *regs)
{
	return 0;
}

/* One that has something to do afterwards stays a breakpoint, and does not become a jump. */
static void kprobe_post_function(struct kprobe *kprobe, struct pt_regs *regs, unsigned long flags)
{
}

static void hit_kprobe(unsigned int n)
{
	struct kprobe kprobe = {
		.addr = (kprobe_opcode_t *)probed,
		.pre_handler = kprobe_function,
		.post_handler = kprobe_post_function,
	};

	set_values(address(probed), 0, 0, 0);
	if (WARN_ON(register_kprobe(&kprobe)))
		return;
	while (n--)
		probed();
	unregister_kprobe(&kprobe);
}
#endif

/* --- Memory, network */

static void alloc_and_free(unsigned int n)
{
	set_values(VMALLOC_SIZE, 0, 0, 0);
	while (n--)
		vfree(vmalloc(VMALLOC_SIZE));
}

static void *given_back;

static void give_back(struct tasklet_struct *tasklet)
{
	vfree(given_back);
	complete(&ran);
}

static DECLARE_TASKLET(free_tasklet, give_back);

/* vfree() may not wait there, and leaves it to a worker, which is to have come by the end. */
static void free_in_softirq(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && i < VALUES; i++) {
		given_back = vmalloc(VMALLOC_SIZE);
		if (WARN_ON(!given_back))
			return;
		values[i] = address(given_back);
		tasklet_schedule(&free_tasklet);
		wait_until_it_ran();
		msleep(50);
	}
	tasklet_unlock_wait(&free_tasklet);
}

static void drop_packets(unsigned int n)
{
	struct sk_buff *skb;

	while (n--) {
		skb = alloc_skb(64, GFP_KERNEL);
		if (WARN_ON(!skb))
			return;
		skb->protocol = htons(ETH_P_PROVOKE);
		kfree_skb_reason(skb, SKB_DROP_REASON_NOT_SPECIFIED);
	}
	set_values(ETH_P_PROVOKE, SKB_DROP_REASON_NOT_SPECIFIED, 0, 0);
}

/* --- Timers */

static void timer_function(struct timer_list *timer)
{
	complete(&ran);
}

static DEFINE_TIMER(timer, timer_function);

static void add_and_delete_timer(unsigned int n)
{
	unsigned long expires = jiffies + 1000 * HZ;

	while (n--) {
		mod_timer(&timer, expires);
		timer_delete_sync(&timer);
	}
	set_values(address(&timer), address(timer_function), expires, 0);
}

static void run_timer(unsigned int n)
{
	while (n--) {
		mod_timer(&timer, jiffies + 1);
		wait_until_it_ran();
	}
	timer_delete_sync(&timer);
	set_values(address(&timer), address(timer_function), 0, 0);
}

static enum hrtimer_restart hrtimer_function(struct hrtimer *hrtimer)
{
	complete(&ran);
	return HRTIMER_NORESTART;
}

static struct hrtimer hrtimer;

static void add_and_delete_hrtimer(unsigned int n)
{
	ktime_t expires = ktime_add_ms(ktime_get(), 1000 * MSEC_PER_SEC);

	while (n--) {
		hrtimer_start(&hrtimer, expires, HRTIMER_MODE_ABS);
		hrtimer_cancel(&hrtimer);
	}
	set_values(address(&hrtimer), address(hrtimer_function), ktime_to_ns(expires), 0);
}

static void run_hrtimer(unsigned int n)
{
	while (n--) {
		hrtimer_start(&hrtimer, ms_to_ktime(2), HRTIMER_MODE_REL);
		wait_until_it_ran();
	}
	hrtimer_cancel(&hrtimer);
	set_values(address(&hrtimer), address(hrtimer_function), 0, 0);
}

/* --- Work, messages */

static void work_function(struct work_struct *work)
{
}

static DECLARE_WORK(work, work_function);

static void run_work(unsigned int n)
{
	while (n--) {
		schedule_work(&work);
		flush_work(&work);
	}
	set_values(address(&work), address(work_function), 0, 0);
}

static void print_messages(unsigned int n)
{
	while (n--) {
		pr_notice("provoke: notice %u\n", n);
		pr_info("provoke: info %u\n", n);
	}
	set_values(0, 0, 0, 0);
}

/* --- What the kernel complains about */

static void warn(unsigned int n)
{
	while (n--)
		WARN(1, "provoke: a warning\n");
}

#ifdef CONFIG_X86_MCE
/* A corrected error that a processor could tell of. */
static void log_machine_check(unsigned int n)
{
	struct mce mce = { .extcpu = raw_smp_processor_id() };

	set_values(3, MCI_STATUS_VAL | MCI_STATUS_ADDRV | MCI_STATUS_MISCV | 0x136, 0x12345000,
		   0x8c);
	mce.bank = values[0];
	mce.status = values[1];
	mce.addr = values[2];
	mce.misc = values[3];
	while (n--)
		log_mce(&mce);
}
#endif

/*
 * In the words of the hard lockup detector, which no emulated machine has: of this CPU and of
 * another one, as 6.1 and its successors have said it.
 */
static void say_hard_lockup(unsigned int n)
{
	unsigned int cpu = get_cpu(), said;

	while (n--) {
		said = n % 2 ? cpu : cpu + 1;
		pr_emerg("NMI watchdog: Watchdog detected hard LOCKUP on cpu %u", said);
		pr_emerg("watchdog: Watchdog detected hard LOCKUP on cpu %u\n", said);
		pr_emerg("watchdog: CPU%u: Watchdog detected hard LOCKUP on cpu %u\n", cpu, said);
	}
	put_cpu();
	set_values(3, 0, 0, 0);
}

/* Ends what hangs: "release", as soon as the kernel has complained. */
static bool released;

static bool hang_on(unsigned long end)
{
	return !READ_ONCE(released) && time_before(jiffies, end);
}

static void spin_without_preemption(unsigned int n)
{
	unsigned long end = jiffies + msecs_to_jiffies(HANG_MS);

	preempt_disable();
	while (hang_on(end))
		cpu_relax();
	preempt_enable();
}

static void spin_in_reader(unsigned int n)
{
	unsigned long end = jiffies + msecs_to_jiffies(HANG_MS);

	rcu_read_lock();
	while (hang_on(end))
		cpu_relax();
	rcu_read_unlock();
}

static DECLARE_WAIT_QUEUE_HEAD(hanging);

static void hang(unsigned int n)
{
	wait_event_timeout(hanging, READ_ONCE(released), msecs_to_jiffies(HANG_MS));
}

/* Registers that can be told apart in the trace; see tests/vm/provoke-trouble.c. */
static noinline void oops(unsigned int n)
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

static noinline void divide(unsigned int n)
{
#ifdef CONFIG_X86
	unsigned int high = 0, low = 1;

	asm volatile("divl %2" : "+d" (high), "+a" (low) : "r" (0) : "cc");
#elif defined(CONFIG_ARM64)
	/* It divides by zero; and a breakpoint there is no context to die in. */
	asm volatile(".inst 0");
#endif
}

/* --- The file */

static const struct deed {
	const char *word;
	void (*function)(unsigned int n);
} deeds[] = {
	{ "init-queue", init_queue },
	{ "use-queue", use_queue },
	{ "sleep-in-queue", sleep_in_queue },
	{ "threads", run_thread },
	{ "tasklet", run_tasklet },
	{ "tasklet-hi", run_tasklet_hi },
#ifdef CONFIG_X86_LOCAL_APIC
	{ "nmi", send_nmis },
#endif
#ifdef CONFIG_KPROBES
	{ "kprobe", hit_kprobe },
#endif
	{ "vmalloc", alloc_and_free },
	{ "free-in-softirq", free_in_softirq },
	{ "drop", drop_packets },
	{ "timer", add_and_delete_timer },
	{ "run-timer", run_timer },
	{ "hrtimer", add_and_delete_hrtimer },
	{ "run-hrtimer", run_hrtimer },
	{ "work", run_work },
	{ "print", print_messages },
	{ "warn", warn },
	{ "say-hard-lockup", say_hard_lockup },
#ifdef CONFIG_X86_MCE
	{ "mce", log_machine_check },
#endif
};

/* They take long or do not end: nobody waits for them. */
static const struct deed lone_deeds[] = {
	{ "soft-lockup", spin_without_preemption },
	{ "rcu-stall", spin_in_reader },
	{ "hang", hang },
	{ "oops", oops },
	{ "divide", divide },
};

static const struct deed *find_deed(const struct deed *from, size_t num, const char *word)
{
	size_t i;

	for (i = 0; i < num; i++)
		if (!strcmp(from[i].word, word))
			return &from[i];
	return NULL;
}

static int do_it(const char *word, unsigned int n)
{
	const struct deed *deed = find_deed(deeds, ARRAY_SIZE(deeds), word);

	if (deed) {
		mutex_lock(&deed_mutex);
		deed->function(n);
		mutex_unlock(&deed_mutex);
		return 0;
	}
	deed = find_deed(lone_deeds, ARRAY_SIZE(lone_deeds), word);
	if (deed) {
		WRITE_ONCE(released, false);
		deed->function(n);
		return 0;
	}
	if (strcmp(word, "release"))
		return -EINVAL;
	WRITE_ONCE(released, true);
	wake_up(&hanging);
	return 0;
}

static ssize_t provoke_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	char text[32], word[20];
	unsigned int n;
	int ret;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%19s %u", word, &n) != 2)
		return -EINVAL;
	ret = do_it(word, n);
	return ret ?: count;
}

static int provoke_show(struct seq_file *m, void *v)
{
	mutex_lock(&deed_mutex);
	seq_printf(m, "%llx %llx %llx %llx\n", values[0], values[1], values[2], values[3]);
	mutex_unlock(&deed_mutex);
	return 0;
}

static int provoke_open(struct inode *inode, struct file *file)
{
	return single_open(file, provoke_show, NULL);
}

static const struct proc_ops provoke_proc_ops = {
	.proc_open = provoke_open,
	.proc_read = seq_read,
	.proc_write = provoke_write,
	.proc_release = single_release,
};

static int __init provoke_init(void)
{
	init_completion(&ran);
	init_waitqueue_head(&queue);
	hrtimer_setup(&hrtimer, hrtimer_function, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	return proc_create("lkst_provoke", 0600, NULL, &provoke_proc_ops) ? 0 : -ENOMEM;
}

static void __exit provoke_exit(void)
{
	remove_proc_entry("lkst_provoke", NULL);
	hrtimer_cancel(&hrtimer);
	timer_delete_sync(&timer);
	tasklet_kill(&tasklet);
	flush_work(&work);
}

module_init(provoke_init);
module_exit(provoke_exit);
MODULE_DESCRIPTION("LKST test: does what events tell of");
MODULE_LICENSE("GPL");
