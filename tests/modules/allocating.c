// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/analysis/mem.t: allocate a known number of objects when the
 * module is loaded, and free a known number of them. Writing to the parameter
 * "free" frees the rest. Each function calls an allocator only once, so that
 * its name identifies the call site.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#define OBJECT_SIZE	120
#define KMALLOCS	100
#define KFREES		40
#define KEPT		7
#define CACHED		30
#define CACHE_FREES	10
#define VMALLOCS	5
#define VFREES		2

static void *small[KMALLOCS], *kept[KEPT], *cached[CACHED], *large[VMALLOCS];
static struct kmem_cache *cache;

/* The kernel does not merge a cache that has a constructor with another one of the same size. */
static void allocating_construct(void *object)
{
	memset(object, 0, OBJECT_SIZE);
}

static noinline void *allocating_kmalloc(void)
{
	void *p = kmalloc(100, GFP_KERNEL);

	barrier(); /* no tail call: the call site must be in this function */
	return p;
}

static noinline void *allocating_kept(void)
{
	void *p = kmalloc(50, GFP_KERNEL);

	barrier();
	return p;
}

static noinline void *allocating_cache(void)
{
	void *p = kmem_cache_alloc(cache, GFP_KERNEL);

	barrier();
	return p;
}

static noinline void *allocating_vmalloc(void)
{
	void *p = vmalloc(3 * PAGE_SIZE);

	barrier();
	return p;
}

static noinline void allocating_kfree(void **p)
{
	kfree(*p);
	*p = NULL;
}

static noinline void allocating_cache_free(void **p)
{
	if (*p)
		kmem_cache_free(cache, *p);
	*p = NULL;
}

static noinline void allocating_vfree(void **p)
{
	vfree(*p);
	*p = NULL;
}

static void allocating_free_all(void)
{
	int i;

	for (i = 0; i < KMALLOCS; i++)
		allocating_kfree(&small[i]);
	for (i = 0; i < KEPT; i++)
		allocating_kfree(&kept[i]);
	for (i = 0; i < CACHED; i++)
		allocating_cache_free(&cached[i]);
	for (i = 0; i < VMALLOCS; i++)
		allocating_vfree(&large[i]);
}

static int allocating_set_free(const char *value, const struct kernel_param *param)
{
	allocating_free_all();
	return 0;
}

static const struct kernel_param_ops allocating_free_ops = { .set = allocating_set_free };
module_param_cb(free, &allocating_free_ops, NULL, 0200);

static int __init allocating_init(void)
{
	int i;

	cache = kmem_cache_create("lkst_allocating", OBJECT_SIZE, 0, 0, allocating_construct);
	if (!cache)
		return -ENOMEM;
	for (i = 0; i < KMALLOCS; i++)
		small[i] = allocating_kmalloc();
	for (i = 0; i < KFREES; i++)
		allocating_kfree(&small[i]);
	for (i = 0; i < KEPT; i++)
		kept[i] = allocating_kept();
	for (i = 0; i < CACHED; i++)
		cached[i] = allocating_cache();
	for (i = 0; i < CACHE_FREES; i++)
		allocating_cache_free(&cached[i]);
	for (i = 0; i < VMALLOCS; i++)
		large[i] = allocating_vmalloc();
	for (i = 0; i < VFREES; i++)
		allocating_vfree(&large[i]);
	return 0;
}

static void __exit allocating_exit(void)
{
	allocating_free_all();
	kmem_cache_destroy(cache);
}

module_init(allocating_init);
module_exit(allocating_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a module that allocates known memory");
