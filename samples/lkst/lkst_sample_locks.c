// SPDX-License-Identifier: GPL-2.0
/*
 * Two locks whose events are easy to find, for a kernel with
 * CONFIG_LKST_LOCK_EVENTS: a spinlock and a rwlock. Writing N to
 * /proc/lkst_sample_locks acquires and releases both locks N times with each
 * lock function. Reading the file returns the addresses of the locks. Each lock
 * event contains the address of its lock. With a maskset that records lock
 * events:
 *
 *	insmod lkst_sample_locks.ko
 *	echo 3 >/proc/lkst_sample_locks
 *	lkstbuf print -e class:lock | grep "$(cut -d ' ' -f 1 /proc/lkst_sample_locks)"
 */
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(sample_spinlock);
static DEFINE_RWLOCK(sample_rwlock);

static void lock_spinlock(void)
{
	unsigned long flags;

	spin_lock(&sample_spinlock);
	spin_unlock(&sample_spinlock);
	spin_lock_bh(&sample_spinlock);
	spin_unlock_bh(&sample_spinlock);
	spin_lock_irq(&sample_spinlock);
	spin_unlock_irq(&sample_spinlock);
	spin_lock_irqsave(&sample_spinlock, flags);
	spin_unlock_irqrestore(&sample_spinlock, flags);
}

/*
 * Try to acquire the spinlock, both while it is free and while it is held. An
 * attempt fails while the lock is held, and then causes no event.
 */
static void try_spinlock(void)
{
	if (spin_trylock(&sample_spinlock)) {
		if (spin_trylock(&sample_spinlock))
			spin_unlock(&sample_spinlock);
		spin_unlock(&sample_spinlock);
	}
	if (spin_trylock_bh(&sample_spinlock))
		spin_unlock_bh(&sample_spinlock);
}

static void lock_to_read(void)
{
	unsigned long flags;

	read_lock(&sample_rwlock);
	read_unlock(&sample_rwlock);
	read_lock_bh(&sample_rwlock);
	read_unlock_bh(&sample_rwlock);
	read_lock_irq(&sample_rwlock);
	read_unlock_irq(&sample_rwlock);
	read_lock_irqsave(&sample_rwlock, flags);
	read_unlock_irqrestore(&sample_rwlock, flags);
}

static void lock_to_write(void)
{
	unsigned long flags;

	write_lock(&sample_rwlock);
	write_unlock(&sample_rwlock);
	write_lock_bh(&sample_rwlock);
	write_unlock_bh(&sample_rwlock);
	write_lock_irq(&sample_rwlock);
	write_unlock_irq(&sample_rwlock);
	write_lock_irqsave(&sample_rwlock, flags);
	write_unlock_irqrestore(&sample_rwlock, flags);
}

/*
 * Try to acquire the rwlock. A successful attempt causes the same event as the
 * lock function.
 */
static void try_rwlock(void)
{
	if (read_trylock(&sample_rwlock)) {
		if (write_trylock(&sample_rwlock))
			write_unlock(&sample_rwlock);
		read_unlock(&sample_rwlock);
	}
	if (write_trylock(&sample_rwlock)) {
		if (read_trylock(&sample_rwlock))
			read_unlock(&sample_rwlock);
		write_unlock(&sample_rwlock);
	}
}

static ssize_t locks_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned int n;
	int ret = kstrtouint_from_user(from, count, 0, &n);

	if (ret)
		return ret;
	while (n-- && !fatal_signal_pending(current)) {
		lock_spinlock();
		try_spinlock();
		lock_to_read();
		lock_to_write();
		try_rwlock();
		cond_resched();
	}
	return count;
}

/*
 * Print the addresses unhashed: only root can read the file, and events contain
 * the same addresses.
 */
static int locks_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%#lx %#lx\n", (unsigned long)&sample_spinlock,
		   (unsigned long)&sample_rwlock);
	return 0;
}

static int locks_open(struct inode *inode, struct file *file)
{
	return single_open(file, locks_show, NULL);
}

static const struct proc_ops locks_proc_ops = {
	.proc_open = locks_open,
	.proc_read = seq_read,
	.proc_write = locks_write,
	.proc_release = single_release,
};

static int __init locks_init(void)
{
	return proc_create("lkst_sample_locks", 0600, NULL, &locks_proc_ops) ? 0 : -ENOMEM;
}

static void __exit locks_exit(void)
{
	remove_proc_entry("lkst_sample_locks", NULL);
}

module_init(locks_init);
module_exit(locks_exit);

MODULE_DESCRIPTION("LKST: sample module with locks whose events are easy to find");
MODULE_LICENSE("GPL");
