/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every difference between kernel versions lives here, and nowhere else.
 */
#ifndef _LKST_COMPAT_H
#define _LKST_COMPAT_H

#include <linux/crc32.h>
#include <linux/device.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/version.h>

/* 6.4 dropped the module argument and made devnode's device const. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define lkst_class_create(name)		class_create(THIS_MODULE, name)
#else
#define lkst_class_create(name)		class_create(name)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define LKST_DEVNODE_DEVICE		struct device
#else
#define LKST_DEVNODE_DEVICE		const struct device
#endif

/* 6.4 brought the tracepoint ipi_send_cpu. */
#define LKST_HAVE_IPI_SEND_CPU		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0))

/*
 * Of two probes the one that fits @tracepoint: its prototype changed, also within a stable series,
 * where the version says nothing.
 */
#define LKST_PROBE_THAT_FITS(tracepoint, probe, older_probe)				\
	__builtin_choose_expr(								\
		__builtin_types_compatible_p(typeof(check_trace_callback_type_##tracepoint),	\
					     void (typeof(probe) *)),			\
		probe, older_probe)

/* 6.12 brought the boot parameter reserve_mem=. */
#define LKST_HAVE_RESERVE_MEM		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0))

static inline bool lkst_reserve_mem_find(const char *name, phys_addr_t *start, phys_addr_t *size)
{
#if LKST_HAVE_RESERVE_MEM
	return reserve_mem_find_by_name(name, start, size);
#else
	return false;
#endif
}

/* What 6.1 and 6.12 call __crc32c_le() is crc32c() now. */
static inline u32 lkst_crc32c(const void *data, size_t len)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return ~__crc32c_le(~0, data, len);
#else
	return ~crc32c(~0, data, len);
#endif
}

/* The key that a SysRq handler is told: 6.6 made it a character. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
typedef int lkst_sysrq_key;
#else
typedef u8 lkst_sysrq_key;
#endif

/* The largest piece of memory that can be had. 6.4 let MAX_ORDER be that, 6.8 renamed it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define LKST_PAGE_ORDER_MAX		(MAX_ORDER - 1)
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define LKST_PAGE_ORDER_MAX		MAX_ORDER
#else
#define LKST_PAGE_ORDER_MAX		MAX_PAGE_ORDER
#endif

/* 6.12 moved it. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
