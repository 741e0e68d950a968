// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the kernel's own memory in an image: translates virtual to physical addresses, using the
 * metadata in the headers and the kernel's page tables. libaddrxlat knows the page table formats of
 * the architectures.
 */
#include <byteswap.h>
#include <errno.h>
#include <libkdumpfile/addrxlat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "image.h"
#include "kernel.h"
#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "messages.h"

#define PAGE_SHIFT   12
#define PAGE	     (1u << PAGE_SHIFT)
#define TRANSLATIONS 1024 /* size of the translation cache, a power of two */
#define TEXT_MAX     (64u << 20) /* maximum size of the kernel image, starting at _text */

struct image_kernel {
	const struct image *image;
	const struct image_boot *boot;
	uint64_t page_offset;
	uint64_t text;
	uint64_t text_physical;
	bool has_page_offset;
	bool has_text;
	addrxlat_ctx_t *ctx;
	addrxlat_meth_t walk; /* ADDRXLAT_NOMETH: the page tables cannot be used */
	/* Translation cache. @page is the virtual address of a page + 1; 0: the entry is unused. */
	uint64_t page[TRANSLATIONS];
	uint64_t physical[TRANSLATIONS];
};

/* Layouts of page tables. The fields of an address are listed from the lowest bits up. */
static const struct kernel_form {
	const char *machine;
	uint64_t page_size;
	uint64_t levels;
	addrxlat_paging_form_t form;
} forms[] = {
	{ "x86_64", 4096, 4, { ADDRXLAT_PTE_X86_64, 5, { 12, 9, 9, 9, 9 } } },
	{ "x86_64", 4096, 5, { ADDRXLAT_PTE_X86_64, 6, { 12, 9, 9, 9, 9, 9 } } },
	{ "i686", 4096, 2, { ADDRXLAT_PTE_IA32, 3, { 12, 10, 10 } } },
	{ "i686", 4096, 3, { ADDRXLAT_PTE_IA32_PAE, 4, { 12, 9, 9, 2 } } },
	{ "aarch64", 4096, 3, { ADDRXLAT_PTE_AARCH64, 4, { 12, 9, 9, 9 } } },
	{ "aarch64", 4096, 4, { ADDRXLAT_PTE_AARCH64, 5, { 12, 9, 9, 9, 9 } } },
	{ "s390x", 4096, 3, { ADDRXLAT_PTE_S390X, 4, { 12, 8, 11, 11 } } },
	{ "s390x", 4096, 4, { ADDRXLAT_PTE_S390X, 5, { 12, 8, 11, 11, 11 } } },
};

/* ---- page tables ---- */

static void kernel_put_page(const addrxlat_buffer_t *buf)
{
	free((void *)buf->ptr);
}

/*
 * Read a page for libaddrxlat, which caches some pages, so each page needs its own memory until
 * kernel_put_page() is called.
 */
static addrxlat_status kernel_get_page(const addrxlat_cb_t *cb, addrxlat_buffer_t *buf)
{
	struct image_kernel *kernel = cb->priv;
	uint64_t at = buf->addr.addr & ~(uint64_t)(PAGE - 1);
	void *page = malloc(PAGE);
	struct lkst_error why;

	if (!page || image_physical_read(kernel->image, page, PAGE, at, &why) != PAGE) {
		free(page);
		return addrxlat_ctx_err(kernel->ctx, ADDRXLAT_ERR_NODATA, "not in the image");
	}
	buf->addr.addr = at;
	buf->ptr = page;
	buf->size = PAGE;
	buf->put_page = kernel_put_page;
	buf->byte_order = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) == kernel->boot->swapped ?
				  ADDRXLAT_BIG_ENDIAN :
				  ADDRXLAT_LITTLE_ENDIAN;
	return ADDRXLAT_OK;
}

static unsigned long kernel_read_caps(const addrxlat_cb_t *cb)
{
	(void)cb;
	return ADDRXLAT_CAPS(ADDRXLAT_MACHPHYSADDR) | ADDRXLAT_CAPS(ADDRXLAT_KPHYSADDR);
}

static bool kernel_is_machine(const struct image_boot *boot, const char *name)
{
	size_t len;
	const char *machine = image_metadata(boot, "machine", &len);

	return machine && strlen(name) == len && !memcmp(machine, name, len);
}

static int kernel_open_tables(struct image_kernel *kernel)
{
	uint64_t pgd, levels, page_size = PAGE;
	addrxlat_cb_t *cb;

	kernel->ctx = addrxlat_ctx_new();
	cb = kernel->ctx ? addrxlat_ctx_add_cb(kernel->ctx) : NULL;
	if (!cb)
		return -1;
	cb->priv = kernel;
	cb->get_page = kernel_get_page;
	cb->read_caps = kernel_read_caps;
	kernel->walk.kind = ADDRXLAT_NOMETH;
	image_metadata_u64(kernel->boot, "page_size", &page_size);
	if (!image_metadata_u64(kernel->boot, "pgd", &pgd) ||
	    !image_metadata_u64(kernel->boot, "levels", &levels))
		return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (!kernel_is_machine(kernel->boot, forms[i].machine) ||
		    forms[i].levels != levels || forms[i].page_size != page_size)
			continue;
		kernel->walk.kind = ADDRXLAT_PGT;
		kernel->walk.target_as = ADDRXLAT_MACHPHYSADDR;
		kernel->walk.param.pgt.root.addr = pgd;
		kernel->walk.param.pgt.root.as = ADDRXLAT_MACHPHYSADDR;
		kernel->walk.param.pgt.pf = forms[i].form;
	}
	return 0;
}

/* Get the physical address of a mapped page. */
static bool kernel_walk(struct image_kernel *kernel, uint64_t address, uint64_t *physical)
{
	addrxlat_step_t step = {
		.ctx = kernel->ctx,
		.meth = &kernel->walk,
		.base = { address, ADDRXLAT_KVADDR },
	};

	if (kernel->walk.kind == ADDRXLAT_NOMETH)
		return false;
	addrxlat_ctx_clear_err(kernel->ctx);
	if (addrxlat_walk(&step) != ADDRXLAT_OK)
		return false;
	*physical = step.base.addr;
	return true;
}

/* ---- reading ---- */

static bool kernel_is_present(const struct image_kernel *kernel, uint64_t physical)
{
	struct lkst_error why;
	uint8_t byte;

	return image_physical_read(kernel->image, &byte, 1, physical, &why) == 1;
}

/*
 * Translate the address of a page. The direct mapping is translated without page tables, which may
 * be damaged or missing. If the page tables have no translation, the address is looked up in the
 * mapping of the kernel's text and data.
 */
static bool image_kernel_translate(struct image_kernel *kernel, uint64_t page, uint64_t *physical)
{
	size_t slot = (page >> PAGE_SHIFT) & (TRANSLATIONS - 1);

	if (kernel->page[slot] == page + 1) {
		*physical = kernel->physical[slot];
		return true;
	}
	*physical = page - kernel->page_offset;
	if (!(kernel->has_page_offset && page >= kernel->page_offset &&
	      kernel_is_present(kernel, *physical)) &&
	    !kernel_walk(kernel, page, physical)) {
		if (!kernel->has_text || page - kernel->text >= TEXT_MAX)
			return false;
		*physical = page - kernel->text + kernel->text_physical;
	}
	kernel->page[slot] = page + 1;
	kernel->physical[slot] = *physical;
	return true;
}

/**
 * image_kernel_read() - read the kernel's memory
 * @kernel: kernel
 * @buf: result
 * @len: number of bytes to read
 * @address: virtual address
 *
 * Return: whether all @len bytes are in the image.
 */
bool image_kernel_read(struct image_kernel *kernel, void *buf, size_t len, uint64_t address)
{
	struct lkst_error why;

	while (len) {
		uint64_t in = address & (PAGE - 1), physical;
		size_t part = len < PAGE - in ? len : PAGE - in;

		if (!image_kernel_translate(kernel, address - in, &physical) ||
		    image_physical_read(kernel->image, buf, part, physical + in, &why) !=
			    (ssize_t)part)
			return false;
		buf = (char *)buf + part;
		address += part;
		len -= part;
	}
	return true;
}

/**
 * image_kernel_u32() - read a 32-bit number
 * @kernel: kernel
 * @address: virtual address
 * @value: result
 */
bool image_kernel_u32(struct image_kernel *kernel, uint64_t address, uint32_t *value)
{
	if (!image_kernel_read(kernel, value, sizeof(*value), address))
		return false;
	if (kernel->boot->swapped)
		*value = bswap_32(*value);
	return true;
}

/**
 * image_kernel_long() - read an unsigned long or a pointer of the kernel
 * @kernel: kernel
 * @address: virtual address
 * @value: result
 */
bool image_kernel_long(struct image_kernel *kernel, uint64_t address, uint64_t *value)
{
	uint32_t half;

	if (kernel->boot->long_size == 4) {
		if (!image_kernel_u32(kernel, address, &half))
			return false;
		*value = half;
		return true;
	}
	if (!image_kernel_read(kernel, value, sizeof(*value), address))
		return false;
	if (kernel->boot->swapped)
		*value = bswap_64(*value);
	return true;
}

unsigned int image_kernel_long_size(const struct image_kernel *kernel)
{
	return kernel->boot->long_size == 4 ? 4 : 8;
}

bool image_kernel_swapped(const struct image_kernel *kernel)
{
	return kernel->boot->swapped;
}

bool image_kernel_u64(const struct image_kernel *kernel, const char *key, uint64_t *value)
{
	return image_metadata_u64(kernel->boot, key, value);
}

/**
 * image_kernel_numbers() - get several numbers from the metadata of the kernel
 * @kernel: kernel
 * @number: the keys, and where to store their values
 * @num: number of entries in @number
 * @err: set if a number is missing; names the first such key
 */
int image_kernel_numbers(const struct image_kernel *kernel, const struct image_kernel_number *number,
		       size_t num, struct lkst_error *err)
{
	for (size_t i = 0; i < num; i++) {
		if (image_kernel_u64(kernel, number[i].key, number[i].value))
			continue;
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_METADATA, number[i].key);
		return -1;
	}
	return 0;
}

/**
 * image_kernel_open() - prepare to read the kernel's memory
 * @image: image
 * @boot: boot of the kernel
 * @err: set if an allocation fails
 */
struct image_kernel *image_kernel_open(const struct image *image, const struct image_boot *boot,
				       struct lkst_error *err)
{
	struct image_kernel *kernel = calloc(1, sizeof(*kernel));

	if (kernel) {
		kernel->image = image;
		kernel->boot = boot;
		kernel->has_page_offset = image_metadata_u64(boot, "page_offset", &kernel->page_offset);
		kernel->has_text = image_metadata_u64(boot, "text", &kernel->text) &&
				   image_metadata_u64(boot, "text_physical", &kernel->text_physical);
	}
	if (kernel && !kernel_open_tables(kernel))
		return kernel;
	image_kernel_close(kernel);
	lkst_error_memory(err, "the kernel's memory");
	return NULL;
}

/**
 * image_kernel_symbols() - get the symbols of the kernel and its modules
 * @kernel: kernel
 * @err: set if they cannot be read
 *
 * Return: descriptor of a temporary file in the format of /proc/kallsyms; -1 on error.
 */
int image_kernel_symbols(struct image_kernel *kernel, struct lkst_error *err)
{
	int fd = lkst_temporary_file(err);
	FILE *to = fd >= 0 ? fdopen(dup(fd), "w") : NULL;
	int ret = -1;

	if (to) {
		ret = image_kallsyms(kernel, to, err);
		if (!ret)
			image_modules(kernel, to);
		if (fclose(to) && !ret) {
			lkst_error_system(err, errno, "temporary file", "write");
			ret = -1;
		}
	}
	if (!ret)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/**
 * image_kernel_close() - stop reading the kernel's memory
 * @kernel: may be NULL
 */
void image_kernel_close(struct image_kernel *kernel)
{
	if (kernel && kernel->ctx)
		addrxlat_ctx_decref(kernel->ctx);
	free(kernel);
}
