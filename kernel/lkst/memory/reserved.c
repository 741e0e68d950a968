// SPDX-License-Identifier: GPL-2.0
/*
 * Reserved memory, which survives a reset: boot parameters lkst.reserved=,
 * lkst.boots= and lkst.overwrite. Each boot uses one slot of it.
 *
 * The memory is mapped write-back, like all memory. So the newest records may
 * be only in a CPU's cache. They survive only if the reset leaves the caches
 * alone or the machine writes the caches back. Any other mapping would slow
 * down every event.
 */
#include <linux/crash_dump.h>
#include <linux/genalloc.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/uio.h>
#include <linux/lkst.h>

#include "../base/compat.h"
#include "hibernate.h"
#include "boot_slots.h"
#include "reserved.h"
#include "../base/stage.h"
#include "static_buffer.h"

#include <asm/lkst.h>

static char *lkst_param_reserved;
module_param_named(reserved, lkst_param_reserved, charp, 0);
MODULE_PARM_DESC(reserved, "memory that survives a reset: SIZE@ADDRESS, or NAME of reserve_mem=");

static unsigned int lkst_param_boots __initdata = 3;

static int __init lkst_set_boots(const char *value, const struct kernel_param *kp)
{
	unsigned int boots;

	if (kstrtouint(value, 0, &boots) || boots < LKST_IMAGE_BOOT_SLOTS_MIN ||
	    boots > LKST_IMAGE_BOOT_SLOTS_MAX) {
		pr_warn("lkst: lkst.boots=%s: not a number from %d to %d; using %u\n", value,
			LKST_IMAGE_BOOT_SLOTS_MIN, LKST_IMAGE_BOOT_SLOTS_MAX, lkst_param_boots);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_BOOTS);
		return 0;
	}
	lkst_param_boots = boots;
	return 0;
}

static const struct kernel_param_ops lkst_boots_ops = {
	.set = lkst_set_boots,
};

module_param_cb(boots, &lkst_boots_ops, NULL, 0);
MODULE_PARM_DESC(boots, "boots that share the reserved memory, 2 to 8");

static bool lkst_param_overwrite __initdata;
module_param_named(overwrite, lkst_param_overwrite, bool, 0);
MODULE_PARM_DESC(overwrite, "if all slots hold unread boots, overwrite the oldest one");

/*
 * Protects the states of the slots, which LKST_IOC_PREVIOUS_DONE changes. The
 * rest is constant after boot. hibernate.c changes the slots only while no
 * other thread is running.
 */
static DEFINE_MUTEX(lkst_boot_slots_mutex);
static struct lkst_boot_slots lkst_boot_slots = { .own = -1 };

/* Allocator of the memory in this boot's slot, or NULL if there is no slot. */
static struct gen_pool *lkst_reserved_pool __ro_after_init;

/*
 * Whether LKST has reserved the memory with request_mem_region(): true if
 * lkst.reserved= gave its address, false if it gave the name of memory reserved
 * with reserve_mem=.
 */
static bool lkst_reserved_claimed __ro_after_init;

/* --- Find the memory */

/* Report why lkst.reserved= cannot be used. Returns false. */
static __printf(1, 2) bool __init lkst_refuse(const char *why, ...)
{
	struct va_format reason = { .fmt = why };
	va_list args;

	va_start(args, why);
	reason.va = &args;
	pr_warn("lkst: lkst.reserved=%s: %pV; recording in ordinary memory\n",
		lkst_param_reserved, &reason);
	va_end(args);
	lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_RESERVED);
	return false;
}

/* Parse SIZE@ADDRESS. @at points to the "@". */
static bool __init lkst_reserved_by_address(const char *at, phys_addr_t *start, phys_addr_t *size)
{
	char *size_end, *end;

	*size = memparse(lkst_param_reserved, &size_end);
	*start = memparse(at + 1, &end);
	if (at == lkst_param_reserved || size_end != at || end == at + 1 || *end)
		return lkst_refuse("want SIZE@ADDRESS, as in 64M@0x10000000");
	return true;
}

static bool __init lkst_reserved_by_name(phys_addr_t *start, phys_addr_t *size)
{
	if (!LKST_HAVE_RESERVE_MEM)
		return lkst_refuse("want SIZE@ADDRESS: this kernel has no reserve_mem= for names");
	if (!lkst_reserve_mem_find(lkst_param_reserved, start, size))
		return lkst_refuse("there is no reserve_mem=SIZE:ALIGN:%s", lkst_param_reserved);
	return true;
}

static bool __init lkst_reserved_fits(phys_addr_t start, phys_addr_t size)
{
	if (!PAGE_ALIGNED(start) || !PAGE_ALIGNED(size))
		return lkst_refuse("size and address must be multiples of %lu", PAGE_SIZE);
	if (size < lkst_param_boots * LKST_BOOT_SLOT_SIZE_MIN)
		return lkst_refuse("want at least %uK for %u boots",
				   lkst_param_boots * LKST_BOOT_SLOT_SIZE_MIN / SZ_1K,
				   lkst_param_boots);
	if (size != (size_t)size || size > iomem_resource.end ||
	    start > iomem_resource.end - size)
		return lkst_refuse("this machine has no such addresses");
	return true;
}

/* Whether the resource tree lists the page as memory, in use or not. */
static bool __init lkst_reserved_is_known(phys_addr_t page)
{
	return region_intersects(page, PAGE_SIZE, IORESOURCE_MEM, IORES_DESC_NONE) ==
	       REGION_INTERSECTS;
}

/*
 * Whether lkst_reserved_is_memory() may access these addresses. On some
 * architectures an access to an address without memory is fatal.
 */
static bool __init lkst_reserved_is_accessible(phys_addr_t start, size_t size)
{
	if (lkst_arch_may_probe() || (lkst_reserved_is_known(start) &&
				      lkst_reserved_is_known(start + size - PAGE_SIZE)))
		return true;
	return lkst_refuse("there is no memory at this address");
}

/*
 * Reserve the range. Returns false if it is in use. Memory that the kernel
 * manages can only be given by name, after reserve_mem= has set it aside.
 */
static bool __init lkst_reserved_is_free(const char *at, phys_addr_t start, size_t size)
{
	if (region_intersects(start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		return lkst_refuse("the kernel uses this memory; set it aside: memmap=%.*s$%s",
				   (int)(at - lkst_param_reserved), lkst_param_reserved, at + 1);
	if (!request_mem_region(start, size, "LKST"))
		return lkst_refuse("something else is there, see /proc/iomem");
	return true;
}

/*
 * Whether the page is memory, that is, keeps what is written to it. The test
 * changes the last word of the page and restores it. A header page does not use
 * this word.
 */
static bool __init lkst_reserved_is_memory(void *page)
{
	u64 *word = page + LKST_IMAGE_PAGE - sizeof(*word), before = READ_ONCE(*word);
	bool kept;

	WRITE_ONCE(*word, ~before);
	mb(); /* load from memory, not from the store buffer */
	kept = READ_ONCE(*word) == ~before;
	WRITE_ONCE(*word, before);
	return kept;
}

static bool __init lkst_reserved_map(phys_addr_t start, size_t size)
{
	if (!IS_ENABLED(CONFIG_HAS_IOMEM))
		return lkst_refuse("this kernel cannot map it");
	lkst_boot_slots.base = memremap(start, size, MEMREMAP_WB);
	if (!lkst_boot_slots.base)
		return lkst_refuse("it cannot be mapped");
	if (!lkst_reserved_is_memory(lkst_boot_slots.base) ||
	    !lkst_reserved_is_memory(lkst_boot_slots.base + size - LKST_IMAGE_PAGE)) {
		memunmap(lkst_boot_slots.base);
		lkst_boot_slots.base = NULL;
		return lkst_refuse("there is no memory at this address");
	}
	lkst_boot_slots.physical = start;
	lkst_boot_slots.size = size;
	return true;
}

/* Reserve the range and map it. If it cannot be mapped, release it again. */
static bool __init lkst_reserved_take_over(const char *at, phys_addr_t start, size_t size)
{
	if (!lkst_reserved_is_accessible(start, size) || !lkst_reserved_is_free(at, start, size))
		return false;
	if (lkst_reserved_map(start, size)) {
		lkst_reserved_claimed = true;
		return true;
	}
	release_mem_region(start, size);
	return false;
}

static bool __init lkst_reserved_find(void)
{
	const char *at = strchr(lkst_param_reserved, '@');
	phys_addr_t start, size;

	if (at)
		return lkst_reserved_by_address(at, &start, &size) &&
		       lkst_reserved_fits(start, size) && lkst_reserved_take_over(at, start, size);
	return lkst_reserved_by_name(&start, &size) && lkst_reserved_fits(start, size) &&
	       lkst_reserved_map(start, size);
}

/* --- Take a slot for this boot */

/* Divide the memory into slots. Returns false if it must not be used. */
static bool __init lkst_reserved_divide(void)
{
	switch (lkst_boot_slots_divide(&lkst_boot_slots, lkst_param_boots)) {
	case LKST_BOOT_SLOTS_AS_REQUESTED:
		return true;
	case LKST_BOOT_SLOTS_AS_UNREAD:
		pr_warn("lkst: the reserved memory stays divided into %u slots of %zu KB until all boots there are read\n",
			lkst_boot_slots.slot_num, lkst_boot_slots.slot_size / SZ_1K);
		return true;
	case LKST_BOOT_SLOTS_CONFLICT:
		/*
		 * A kdump kernel never discards logs, because it was started to
		 * save them.
		 */
		if (lkst_param_overwrite && !is_kdump_kernel()) {
			lkst_boot_slots_clear(&lkst_boot_slots);
			return true;
		}
		lkst_boot_slots.slot_num = 0;
		break;
	}
	return lkst_refuse("unread boots are in slots that do not fit (use the old size, or lkst.overwrite)");
}

static struct gen_pool * __init lkst_reserved_new_pool(void)
{
	void *data = lkst_boot_slots_start(&lkst_boot_slots, lkst_boot_slots.own) + LKST_IMAGE_PAGE;
	struct gen_pool *pool = gen_pool_create(ilog2(LKST_IMAGE_PAGE), NUMA_NO_NODE);

	if (!pool)
		return NULL;
	if (!gen_pool_add_virt(pool, (unsigned long)data,
			       lkst_boot_slots.physical + (data - lkst_boot_slots.base),
			       lkst_boot_slots.slot_size - 2 * LKST_IMAGE_PAGE, NUMA_NO_NODE))
		return pool;
	gen_pool_destroy(pool);
	return NULL;
}

static unsigned int __init lkst_reserved_unread(void)
{
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	unsigned int num = lkst_boot_slots_list(&lkst_boot_slots, list), unread = 0;

	while (num--)
		unread += list[num].state == LKST_BOOT_SLOT_UNREAD;
	return unread;
}

static void __init lkst_reserved_take(void)
{
	if (lkst_boot_slots_claim(&lkst_boot_slots, lkst_param_overwrite) < 0) {
		pr_warn("lkst: all %u slots of the reserved memory hold unread boots; recording in ordinary memory\n",
			lkst_boot_slots.slot_num);
		return;
	}
	if (lkst_hibernate_start(&lkst_boot_slots)) {
		pr_warn("lkst: cannot keep the reserved memory across a hibernation; recording in ordinary memory\n");
		return;
	}
	lkst_reserved_pool = lkst_reserved_new_pool();
	if (!lkst_reserved_pool)
		pr_warn("lkst: no memory to manage the reserved memory; recording in ordinary memory\n");
}

/**
 * lkst_reserved_init() - find the reserved memory and take a slot for this boot
 *
 * A kdump kernel takes no slot, because that could overwrite the log of a boot.
 *
 * Context: while LKST starts, after lkst_image_init() and before any
 * lkst_region is allocated.
 */
void __init lkst_reserved_init(void)
{
	if (!lkst_param_reserved || !lkst_reserved_find() || !lkst_reserved_divide())
		return;
	if (is_kdump_kernel())
		pr_info("lkst: recording in ordinary memory: this kernel saves a dump\n");
	else
		lkst_reserved_take();
	pr_info("lkst: reserved memory: %zu KB, %u slots, this boot in slot %d, unread previous boots: %u\n",
		lkst_boot_slots.size / SZ_1K, lkst_boot_slots.slot_num, lkst_boot_slots.own,
		lkst_reserved_unread());
}

/**
 * lkst_reserved_alloc() - allocate memory in this boot's slot
 * @bytes: a multiple of LKST_IMAGE_PAGE
 * @physical: receives the physical address
 *
 * Context: may sleep.
 *
 * Return: zeroed, contiguous memory, or NULL if this boot has no slot or the
 * slot is full.
 */
void *lkst_reserved_alloc(size_t bytes, phys_addr_t *physical)
{
	unsigned long address;

	if (!lkst_reserved_pool)
		return NULL;
	address = gen_pool_alloc(lkst_reserved_pool, bytes);
	if (!address) {
		pr_warn_once("lkst: this boot's slot of the reserved memory is full: further buffers and histories do not survive a reset\n");
		return NULL;
	}
	*physical = gen_pool_virt_to_phys(lkst_reserved_pool, address);
	return memset((void *)address, 0, bytes);
}

/**
 * lkst_reserved_free() - free memory of this boot's slot
 * @address: from lkst_reserved_alloc()
 * @bytes: size that was passed to lkst_reserved_alloc()
 *
 * Context: any but NMI.
 */
void lkst_reserved_free(void *address, size_t bytes)
{
	gen_pool_free(lkst_reserved_pool, (unsigned long)address, bytes);
}

/*
 * Unmap the reserved memory. The log in it stays. All memory from
 * lkst_reserved_alloc() must have been freed.
 */
void __lkst_exit lkst_reserved_end(void)
{
	lkst_hibernate_stop();
	if (lkst_reserved_pool)
		gen_pool_destroy(lkst_reserved_pool);
	/*
	 * Without CONFIG_HAS_IOMEM nothing is mapped and memunmap() does not
	 * exist.
	 */
	if (!IS_ENABLED(CONFIG_HAS_IOMEM) || !lkst_boot_slots.base)
		return;
	memunmap(lkst_boot_slots.base);
	if (lkst_reserved_claimed)
		release_mem_region(lkst_boot_slots.physical, lkst_boot_slots.size);
}

/* --- The ioctls of the device */

/**
 * lkst_previous_list() - list the previous boots (LKST_IOC_PREVIOUS_LIST)
 * @param: the request; receives the result. @param->listent points to kernel
 *	memory
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: @param->listent_num is negative, or @param->listent is
 * NULL although @param->listent_num is not 0.
 */
int lkst_previous_list(struct lkst_previous_listparam *param)
{
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	void *to = (void *)(unsigned long)param->listent;

	if (param->listent_num < 0 || (param->listent_num && !to))
		return -EINVAL;
	mutex_lock(&lkst_boot_slots_mutex);
	param->boot_num = lkst_boot_slots_list(&lkst_boot_slots, list);
	mutex_unlock(&lkst_boot_slots_mutex);
	memcpy(to, list, min(param->listent_num, param->boot_num) * sizeof(*list));
	param->slot_num = lkst_boot_slots.slot_num;
	param->slot_size = lkst_boot_slots.slot_num ? lkst_boot_slots.slot_size : 0;
	param->own = lkst_boot_slots.own;
	return 0;
}

static int lkst_previous_find(const u8 *boot)
{
	int slot;

	mutex_lock(&lkst_boot_slots_mutex);
	slot = lkst_boot_slots_find(&lkst_boot_slots, boot);
	mutex_unlock(&lkst_boot_slots_mutex);
	return slot;
}

/*
 * Bytes to copy with one call. The kernel's usercopy checks reject more than
 * INT_MAX.
 */
#define LKST_PREVIOUS_CHUNK	SZ_1M

/**
 * lkst_previous_read() - copy from the slot of a boot (LKST_IOC_PREVIOUS_READ)
 * @param: the boot, offset and length; receives the length that was read
 * @to: user memory, with room for @param->length bytes
 *
 * Needs no lock while it copies: only LKST_IOC_PREVIOUS_DONE writes to the
 * slot, and only to its state.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: no such boot, the offset or length is negative, or @to
 * cannot be written.
 */
int lkst_previous_read(struct lkst_previous_readparam *param, struct iov_iter *to)
{
	int slot = lkst_previous_find(param->boot);
	size_t size = lkst_boot_slots.slot_size, done;
	const void *from;

	if (slot < 0 || (s64)param->offset < 0 || (s64)param->length < 0)
		return -EINVAL;
	param->result_length = 0;
	if (param->offset >= size)
		return 0;
	from = lkst_boot_slots_start(&lkst_boot_slots, slot) + param->offset;
	size = min_t(u64, size - param->offset, param->length);
	for (done = 0; done < size; done += LKST_PREVIOUS_CHUNK) {
		size_t bytes = min_t(size_t, size - done, LKST_PREVIOUS_CHUNK);

		if (copy_to_iter(from + done, bytes, to) != bytes)
			return -EINVAL;
		cond_resched();
	}
	param->result_length = size;
	return 0;
}

/**
 * lkst_previous_done() - mark a boot as read (LKST_IOC_PREVIOUS_DONE)
 * @param: the boot whose log has been read
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: no such boot.
 */
int lkst_previous_done(const struct lkst_previous_doneparam *param)
{
	int slot;

	mutex_lock(&lkst_boot_slots_mutex);
	slot = lkst_boot_slots_find(&lkst_boot_slots, param->boot);
	if (slot >= 0)
		lkst_boot_slots_mark_read(&lkst_boot_slots, slot);
	mutex_unlock(&lkst_boot_slots_mutex);
	return slot < 0 ? -EINVAL : 0;
}
