// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/programs/words.t: /dev/lkst_serving, which can be mapped and has
 * one page. A page fault waits while the parameter "closed" is 1, as if a FUSE
 * server did not provide the page. Even a fault with FAULT_FLAG_RETRY_NOWAIT
 * waits.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/wait.h>

static bool closed;
static struct page *serving_page;
static DECLARE_WAIT_QUEUE_HEAD(serving_wait);

static int serving_set(const char *value, const struct kernel_param *param)
{
	int ret = param_set_bool(value, param);

	wake_up_all(&serving_wait);
	return ret;
}

static const struct kernel_param_ops serving_ops = { .set = serving_set, .get = param_get_bool };
module_param_cb(closed, &serving_ops, &closed, 0600);

static vm_fault_t serving_fault(struct vm_fault *vmf)
{
	if (wait_event_killable(serving_wait, !READ_ONCE(closed)))
		return VM_FAULT_SIGBUS;
	get_page(serving_page);
	vmf->page = serving_page;
	return 0;
}

static const struct vm_operations_struct serving_vm_ops = { .fault = serving_fault };

static int serving_mmap(struct file *file, struct vm_area_struct *vma)
{
	vma->vm_ops = &serving_vm_ops;
	return 0;
}

static const struct file_operations serving_fops = {
	.owner = THIS_MODULE,
	.mmap = serving_mmap,
};

static struct miscdevice serving_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "lkst_serving",
	.fops = &serving_fops,
};

static int __init serving_init(void)
{
	int ret;

	serving_page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!serving_page)
		return -ENOMEM;
	ret = misc_register(&serving_device);
	if (ret)
		put_page(serving_page);
	return ret;
}

static void __exit serving_exit(void)
{
	misc_deregister(&serving_device);
	put_page(serving_page);
}

module_init(serving_init);
module_exit(serving_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a device whose page comes late");
