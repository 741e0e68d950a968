// SPDX-License-Identifier: GPL-2.0
/* lkstbuf find: lists the LKST data in a memory image. */
#include <inttypes.h>
#include <linux/lkst_image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/image/find.h"
#include "lib/image/history.h"
#include "lib/image/image.h"
#include "lib/image/messages.h"
#include "lib/image/records.h"
#include "lib/image/source.h"
#include "lib/image/texts.h"
#include "lib/text/etypes.h"

struct find_arguments {
	bool json;
};

static const struct option_row rows[] = {
	OPT_JSON(struct find_arguments, json),
};

static const struct syntax syntax = {
	.usage = "IMAGE [--json]",
	.about = "List the LKST data in an image of memory.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
};

/**
 * struct listed - a boot that is being listed
 * @image: image
 * @boot: index of the boot in @image
 * @contents: contents of each region of @image; filled in only for the regions of this boot
 * @total: sum of the contents of the buffers and histories of the boot
 */
struct listed {
	const struct image *image;
	uint32_t boot;
	struct image_contents *contents;
	struct image_contents total;
};

static void buffer_find_add(struct image_contents *total, const struct image_contents *one)
{
	total->present += one->present;
	total->counts.records += one->counts.records - one->repeated;
	if (!one->timed)
		return;
	if (!total->timed || one->first_ns < total->first_ns)
		total->first_ns = one->first_ns;
	if (!total->timed || one->last_ns > total->last_ns)
		total->last_ns = one->last_ns;
	total->timed = true;
}

static bool find_is_buffer(const struct image_region *region)
{
	return region->kind == LKST_IMAGE_BUFFER || region->kind == LKST_IMAGE_STATIC ||
	       region->kind == LKST_IMAGE_LONG || region->kind == LKST_IMAGE_HISTORY;
}

/*
 * Find the history of the CPU of a region. The buffers of a CPU are next to each other, so each
 * history is found at most twice.
 */
static int find_history(struct image_history *history, const struct image_region *region,
			struct lkst_error *err)
{
	if ((region->kind != LKST_IMAGE_BUFFER && region->kind != LKST_IMAGE_HISTORY) ||
	    region->cpu == history->cpu)
		return 0;
	return image_history_find(history, region->boot, region->cpu, err);
}

/* Read all regions of the boot: fill in @contents and @total. */
static int find_read_contents(struct listed *listed, struct lkst_error *err)
{
	const struct image *image = listed->image;
	struct lkst_etypes *types = image_etypes(image, listed->boot, err);
	struct image_history history = { 0 };
	int ret = types ? image_history_open(&history, image, types, NULL, err) : -1;

	memset(&listed->total, 0, sizeof(listed->total));
	for (size_t i = 0; !ret && i < image->regions; i++) {
		const struct image_region *region = &image->region[i];
		bool is_long = region->kind == LKST_IMAGE_LONG;

		if (region->boot != listed->boot)
			continue;
		ret = find_history(&history, region, err) ||
				      image_contents(image, region, types,
						     is_long ? NULL : &history,
						     &listed->contents[i], err) ?
			      -1 :
			      0;
		/* Do not count rare events twice: most of them are in a buffer as well. */
		if (find_is_buffer(region) && !is_long)
			buffer_find_add(&listed->total, &listed->contents[i]);
		progress_show((void *)"reading", i, image->regions);
	}
	image_history_close(&history);
	lkst_etypes_free(types);
	return ret;
}

/* ---- as text ---- */

static void find_time_text(int64_t ns, char text[64])
{
	time_t second = (time_t)(ns / 1000000000);
	struct tm tm;

	if (!localtime_r(&second, &tm) || !strftime(text, 40, "%Y-%m-%d %H:%M:%S", &tm))
		strcpy(text, "?");
	snprintf(text + strlen(text), 24, ".%06lld", llabs(ns % 1000000000) / 1000);
}

static void buffer_find_show_metadata(const struct image_boot *boot, const char *title,
				      const char *key, const char *more)
{
	size_t len, more_len = 0;
	const char *value = image_metadata(boot, key, &len);
	const char *second = more ? image_metadata(boot, more, &more_len) : NULL;

	if (value)
		printf("%-12s %.*s%s%.*s\n", title, (int)len, value, second ? " " : "",
		       (int)more_len, second ? second : "");
}

static void find_show_machine(const struct image_boot *boot)
{
	uint64_t cpus;

	buffer_find_show_metadata(boot, "kernel", "release", "version");
	buffer_find_show_metadata(boot, "machine", "machine", NULL);
	if (image_metadata_u64(boot, "cpus", &cpus))
		printf("%-12s %" PRIu64 "\n", "CPUs", cpus);
	if (boot->swapped)
		printf("%-12s the other one\n", "byte order");
}

static void find_show_boot_slot(const struct image *image, const struct image_region *region)
{
	struct lkst_image_boot_slot slot;

	if (image_boot_slot(image, region, &slot))
		printf("%-12s slot %u of %u, %s\n", "reserved", slot.slot, slot.slot_num,
		       slot.state == LKST_BOOT_SLOT_READ ? "read" : "not read yet");
}

static void find_show_total(const struct listed *listed)
{
	const struct image_contents *total = &listed->total;
	char text[64];

	printf("%-12s %" PRIu64 "\n", "events", total->counts.records);
	if (!total->timed)
		return;
	find_time_text(total->first_ns, text);
	printf("%-12s %s\n", "from", text);
	find_time_text(total->last_ns, text);
	printf("%-12s %s\n", "to", text);
}

static void buffer_find_show_buffer(const struct image_region *region,
				    const struct image_contents *contents)
{
	const struct image_counts *counts = &contents->counts;
	char cpu[16] = "all", id[16] = "static", first[64] = "-", last[64] = "-";

	if (region->kind != LKST_IMAGE_STATIC) {
		snprintf(cpu, sizeof(cpu), "%d", region->cpu);
		snprintf(id, sizeof(id), "%d", region->id);
	}
	if (region->kind == LKST_IMAGE_LONG)
		snprintf(id, sizeof(id), "long");
	if (region->kind == LKST_IMAGE_HISTORY)
		snprintf(id, sizeof(id), "history");
	if (contents->timed) {
		find_time_text(contents->first_ns, first);
		find_time_text(contents->last_ns, last);
	}
	printf("%4s  %7s  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64 "  %12" PRIu64
	       "  %-26s  %s\n",
	       cpu, id, region->length, region->length - contents->present, counts->records,
	       region->kind == LKST_IMAGE_HISTORY ? contents->damaged : counts->implausible,
	       counts->unfinished, first, last);
}

static void find_show_boot(const struct listed *listed)
{
	const struct image *image = listed->image;
	const struct image_boot *boot = &image->boot[listed->boot];

	printf("\n%-12s %s%s\n", "boot", boot->id_text,
	       image->source->physical && !boot->placed ?
		       ", in memory of another: a guest, or a copy" :
		       "");
	find_show_machine(boot);
	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].boot == listed->boot &&
		    image->region[i].kind == LKST_IMAGE_BOOT_SLOT)
			find_show_boot_slot(image, &image->region[i]);
	find_show_total(listed);
	printf("\n%4s  %7s  %12s  %12s  %12s  %12s  %12s  %-26s  %s\n", "CPU", "buffer", "size",
	       "missing", "events", "implausible", "unfinished", "first event", "last event");
	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].boot == listed->boot && find_is_buffer(&image->region[i]))
			buffer_find_show_buffer(&image->region[i], &listed->contents[i]);
}

/* ---- as JSON ---- */

static void buffer_find_put_metadata(struct json_object *object, const struct image_boot *boot,
				 const char *key)
{
	size_t len;
	const char *value = image_metadata(boot, key, &len);
	char text[512];

	if (!value)
		return;
	snprintf(text, sizeof(text), "%.*s", (int)len, value);
	json_text(object, key, text);
}

static void find_put_contents(struct json_object *object, const struct image_contents *contents)
{
	json_uint(object, "events", contents->counts.records);
	if (contents->timed) {
		json_int(object, "first_ns", contents->first_ns);
		json_int(object, "last_ns", contents->last_ns);
	}
}

static struct json_object *find_buffer_of(const struct image_region *region,
					  const struct image_contents *contents)
{
	const struct image_counts *counts = &contents->counts;
	struct json_object *entry = json_new();
	bool is_static = region->kind == LKST_IMAGE_STATIC;

	json_id(entry, "cpu", is_static ? -1 : region->cpu, -1);
	json_id(entry, "id", is_static ? LKST_BUFFER_ID_VOID : region->id, LKST_BUFFER_ID_VOID);
	json_flag(entry, "history", region->kind == LKST_IMAGE_HISTORY);
	json_uint(entry, "size", region->length);
	json_uint(entry, "missing", region->length - contents->present);
	find_put_contents(entry, contents);
	json_uint(entry, "overwritten", counts->overwritten);
	json_uint(entry, "implausible", counts->implausible);
	json_uint(entry, "damaged", contents->damaged);
	json_uint(entry, "repeated", contents->repeated);
	json_uint(entry, "unfinished", counts->unfinished);
	json_uint(entry, "extents", region->extents);
	json_uint(entry, "extent_num", region->extent_num);
	return entry;
}

static struct json_object *buffer_find_boot_of(const struct listed *listed)
{
	static const char *const keys[] = { "release", "version", "machine" };
	const struct image *image = listed->image;
	const struct image_boot *boot = &image->boot[listed->boot];
	struct json_object *object = json_new(), *list = json_list();
	struct lkst_image_boot_slot slot;
	uint64_t cpus;

	json_text(object, "boot", boot->id_text);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		buffer_find_put_metadata(object, boot, keys[i]);
	if (image_metadata_u64(boot, "cpus", &cpus))
		json_uint(object, "cpus", cpus);
	json_uint(object, "long_size", boot->long_size);
	json_flag(object, "other_byte_order", boot->swapped);
	json_flag(object, "elsewhere", image->source->physical && !boot->placed);
	find_put_contents(object, &listed->total);
	for (size_t i = 0; i < image->regions; i++) {
		const struct image_region *region = &image->region[i];

		if (region->boot != listed->boot)
			continue;
		if (find_is_buffer(region))
			json_add(list, find_buffer_of(region, &listed->contents[i]));
		else if (region->kind == LKST_IMAGE_BOOT_SLOT &&
			 image_boot_slot(image, region, &slot)) {
			json_uint(object, "part", slot.slot);
			json_flag(object, "read", slot.state == LKST_BOOT_SLOT_READ);
		}
	}
	json_put(object, "buffers", list);
	return object;
}

/* ---- the command ---- */

static int find_list_text(struct listed *listed, struct lkst_error *err)
{
	const struct image *image = listed->image;

	for (listed->boot = 0; listed->boot < image->boots; listed->boot++) {
		if (find_read_contents(listed, err))
			return -1;
		progress_clear();
		if (!listed->boot)
			printf("%-12s %s\n", "image", image->source->form);
		find_show_boot(listed);
	}
	return 0;
}

static int find_list_json(struct listed *listed, struct lkst_error *err)
{
	const struct image *image = listed->image;
	struct json_object *all = json_new(), *boots = json_list();

	json_text(all, "image", image->source->name);
	json_text(all, "form", image->source->form);
	json_uint(all, "unreadable", image->source->unreadable);
	json_uint(all, "copies", image->copies);
	for (listed->boot = 0; listed->boot < image->boots; listed->boot++) {
		if (find_read_contents(listed, err)) {
			json_free(all);
			json_free(boots);
			return -1;
		}
		json_add(boots, buffer_find_boot_of(listed));
	}
	json_put(all, "boots", boots);
	progress_clear();
	return json_print(all, err);
}

static void buffer_find_report(void *ctx, const char *text)
{
	(void)ctx;
	print_note(text);
}

static int find(const char *path, bool json, struct lkst_error *err)
{
	const struct image_hooks hooks = {
		.ctx = (void *)"searching",
		.report = buffer_find_report,
		.progress = progress_show,
	};
	struct image_source *source = image_source_open(path, err);
	struct image *image = source ? image_scan(source, &hooks, err) : NULL;
	struct listed listed = { .image = image };
	int ret = -1;

	if (!image)
		return -1;
	listed.contents = calloc(image->regions + 1, sizeof(*listed.contents));
	if (!listed.contents)
		lkst_error_memory(err, "an image");
	else if (!image->regions)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_IMAGE_NOTHING, path,
			       image->source->form);
	else
		ret = json ? find_list_json(&listed, err) : find_list_text(&listed, err);
	free(listed.contents);
	image_free(image);
	return ret;
}

int buffer_find(int argc, char **argv)
{
	struct find_arguments args = { 0 };
	struct lkst_error err = { 0 };

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (optind == argc)
		return usage("no image of memory given (name a file or device)");
	if (optind + 1 < argc)
		return usage("unexpected argument \"%s\": one image at a time", argv[optind + 1]);
	return find(argv[optind], args.json, &err) ? fail(&err) : EXIT_SUCCESS;
}
