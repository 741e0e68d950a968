// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/lkst: the device interface (specification 4.3, 4.7.1). This file checks
 * permissions and copies arguments between user and kernel memory. It then
 * calls the functions that kernel code also uses.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_event.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_history.h>
#include <linux/lkst_maskset.h>
#include <linux/lkst_watch.h>

#include "../added/added.h"
#include "../read/block.h"
#include "../buffer/buffer.h"
#include "../buffer/long_ring.h"
#include "class.h"
#include "device.h"
#include "hist.h"
#include "../history/history.h"
#include "limit.h"
#include "permission.h"
#include "rule.h"
#include "text.h"
#include "watch.h"
#include "../source/etype.h"
#include "../dispatch/bpf.h"
#include "../dispatch/chain.h"
#include "../dispatch/evhandler.h"
#include "../dispatch/event.h"
#include "../dispatch/maskset.h"
#include "../read/log.h"
#include "../read/reader.h"
#include "../base/stage.h"
#include "../memory/reserved.h"
#include "../buffer/shift.h"
#include "../source/state_dump.h"

/* Argument of an ioctl: a copy of the process's structure, or a number. */
union lkst_ioctl_arg {
	struct lkst_trc_status status;
	struct lkst_entry_args entry;
	struct lkst_entry_text text;
	struct lkst_maskset_param maskset;
	struct lkst_maskset_listparam maskset_list;
	struct lkst_rule_param rule;
	struct lkst_limit_param limit;
	struct lkst_event_param event;
	struct lkst_watch_param watch;
	struct lkst_watch_nameparam watch_name;
	struct lkst_hist_param hist;
	struct lkst_evhandler_listparam evhandler_list;
	struct lkst_evhandler_ctrl_param evhandler_ctrl;
	struct lkst_evhandler_bpf_param evhandler_bpf;
	struct lkst_evhandler_bpf_info evhandler_bpf_info;
	struct lkst_log_buffer log_buffer;
	struct lkst_buffer_param buffer;
	struct lkst_buffer_jumpparam jump;
	struct lkst_buffer_linkparam link;
	struct lkst_buffer_delparam delete;
	struct lkst_buffer_listparam buffer_list;
	struct lkst_buffer_srmodparam read_mode;
	struct lkst_block_seekparam block_seek;
	struct lkst_block_waitparam block_wait;
	struct lkst_long_status long_status;
	struct lkst_history_read history_read;
	struct lkst_history_status history_status;
	struct lkst_previous_listparam previous_list;
	struct lkst_previous_readparam previous_read;
	struct lkst_previous_doneparam previous_done;
	int number;
};

static int lkst_ioctl_version(struct file *file, union lkst_ioctl_arg *arg)
{
	return LKST_INTERFACE_VERSION;
}

static int lkst_ioctl_trc_status(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_trc_status(&arg->status);
}

static int lkst_ioctl_trc_start(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_trc_start_wait();
}

static int lkst_ioctl_trc_stop(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_trc_stop_wait();
}

static int lkst_ioctl_statedump(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_state_dump();
}

/*
 * Record an event for a program (specification 4.7.1.4.1). A program may record
 * any registered event type except LKST's own. It may also record an event type
 * in the user range that no module has registered: then the handler of
 * LKST_ETYPE_USER_MARK is called.
 */
static int lkst_ioctl_entry_log(struct file *file, union lkst_ioctl_arg *arg)
{
	const struct lkst_entry_args *entry = &arg->entry;
	int handled_as = entry->event_type;

	if (handled_as >= LKST_ETYPE_LKST_MIN)
		return -EINVAL;
	if (!lkst_etype_registered(handled_as)) {
		if (!lkst_etype_in_user_range(handled_as))
			return -EINVAL;
		handled_as = LKST_ETYPE_USER_MARK;
	}
	/*
	 * Only marks are added to the long ring. With other event types, a
	 * program could use up the budget of the kernel's own events.
	 */
	if (handled_as == LKST_ETYPE_USER_MARK || handled_as == LKST_ETYPE_USER_TEXT)
		lkst_long_record(entry->event_type, 0, entry->log_arg1, entry->log_arg2,
				 entry->log_arg3, entry->log_arg4);
	lkst_event_handled_as(handled_as, entry->event_type, entry->log_arg1, entry->log_arg2,
			      entry->log_arg3, entry->log_arg4);
	return 0;
}

static int lkst_ioctl_entry_text(struct file *file, union lkst_ioctl_arg *arg)
{
	const void *text = (const void *)(unsigned long)arg->text.text;

	if (!text)
		return -EINVAL;
	lkst_text_record(text, arg->text.size);
	return 0;
}

static int lkst_ioctl_maskset_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_maskset_read(&arg->maskset);
}

static int lkst_ioctl_maskset_write(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_maskset_write(&arg->maskset);
}

static int lkst_ioctl_maskset_set(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_maskset_set_wait(arg->number);
}

static int lkst_ioctl_maskset_list(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_maskset_list_num(&arg->maskset_list);
}

static int lkst_ioctl_maskset_delete(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_maskset_delete(arg->number);
}

static int lkst_ioctl_rule_write(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_rule_write(&arg->rule);
}

static int lkst_ioctl_rule_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_rule_read(&arg->rule);
}

static int lkst_ioctl_event_control(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_added_control(&arg->event);
}

static int lkst_ioctl_event_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_added_read(&arg->event);
}

static int lkst_ioctl_watch_write(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_watch_write(&arg->watch);
}

static int lkst_ioctl_watch_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_watch_read(&arg->watch);
}

static int lkst_ioctl_watch_delete(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_watch_name_valid(arg->watch_name.name) ?
		       lkst_watch_delete(arg->watch_name.name) : -EINVAL;
}

static int lkst_ioctl_watch_reset(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_watch_name_valid(arg->watch_name.name) ?
		       lkst_watch_reset(arg->watch_name.name) : -EINVAL;
}

static int lkst_ioctl_maskset_limit(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_limit_call(&arg->limit);
}

static int lkst_ioctl_hist_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_hist_ioctl(&arg->hist);
}

static int lkst_ioctl_evhandler_list(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_evhandler_list_num(&arg->evhandler_list);
}

static int lkst_ioctl_evhandler_ctrl(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_evhandler_ctrl(&arg->evhandler_ctrl);
}

static int lkst_ioctl_evhandler_bpf(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_bpf_write(&arg->evhandler_bpf);
}

static int lkst_ioctl_evhandler_bpf_read(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_bpf_read(&arg->evhandler_bpf_info);
}

static int lkst_ioctl_evhandler_bpf_delete(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_bpf_delete(arg->number);
}

/*
 * Read the records of a buffer (specification 4.7.1.3.1). The records may be
 * too large for a bounce buffer, so they are copied directly to user memory.
 */
static int lkst_ioctl_buffer_read(struct file *file, union lkst_ioctl_arg *arg)
{
	struct lkst_log_buffer *param = &arg->log_buffer;
	void __user *area = u64_to_user_ptr(param->buffer);
	size_t size = min_t(u64, param->read_size, MAX_RW_COUNT);
	struct iov_iter to;

	if (!area || (s64)param->read_size < 0 || !access_ok(area, size))
		return -EINVAL;
	iov_iter_ubuf(&to, ITER_DEST, area, size);
	return lkst_log_read(param, &to);
}

static int lkst_ioctl_buffer_create(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_create_on(&arg->buffer);
}

static int lkst_ioctl_buffer_shift(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_shift_on(arg->number);
}

static int lkst_ioctl_buffer_jump(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_jump_on(arg->jump.cpu, arg->jump.dest);
}

static int lkst_ioctl_buffer_link(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_link_on(arg->link.cpu, arg->link.id, arg->link.next);
}

static int lkst_ioctl_buffer_delete(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_delete_on(arg->delete.cpu, arg->delete.id);
}

static int lkst_ioctl_buffer_list(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_buffer_list(&arg->buffer_list);
}

static int lkst_ioctl_buffer_setrmod(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_reader_bind(file, &arg->read_mode);
}

static int lkst_ioctl_block_seek(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_block_seek(file, &arg->block_seek);
}

static int lkst_ioctl_block_wait(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_block_wait(file, &arg->block_wait);
}

static int lkst_ioctl_block_flush(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_block_flush(file);
}

static int lkst_ioctl_long_status(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_long_status(&arg->long_status);
}

/*
 * Copy chunks of the history. Like lkst_ioctl_buffer_read(), this does not use
 * a bounce buffer.
 */
static int lkst_ioctl_history_read(struct file *file, union lkst_ioctl_arg *arg)
{
	struct lkst_history_read *param = &arg->history_read;
	void __user *area = u64_to_user_ptr(param->buffer);
	size_t size = min_t(u64, param->size, MAX_RW_COUNT);
	struct iov_iter to;

	if (!area || (s64)param->size < 0 || !access_ok(area, size))
		return -EINVAL;
	iov_iter_ubuf(&to, ITER_DEST, area, size);
	return lkst_history_read(param, &to);
}

static int lkst_ioctl_history_status(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_history_status(&arg->history_status);
}

static int lkst_ioctl_previous_list(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_previous_list(&arg->previous_list);
}

/*
 * Read the memory of a previous boot. Like lkst_ioctl_buffer_read(), this does
 * not use a bounce buffer.
 */
static int lkst_ioctl_previous_read(struct file *file, union lkst_ioctl_arg *arg)
{
	struct lkst_previous_readparam *param = &arg->previous_read;
	void __user *area = u64_to_user_ptr(param->buffer);
	struct iov_iter to;

	if (!area || param->length > SSIZE_MAX || !access_ok(area, param->length))
		return -EINVAL;
	iov_iter_ubuf(&to, ITER_DEST, area, param->length);
	return lkst_previous_read(param, &to);
}

static int lkst_ioctl_previous_done(struct file *file, union lkst_ioctl_arg *arg)
{
	return lkst_previous_done(&arg->previous_done);
}

/*
 * The lkst_filled_ functions return how many bytes of @area a successful call
 * has filled in. @ret is the return value of the ioctl's function. The result
 * may exceed the size of the area, so lkst_copy_store() limits it.
 */

static size_t lkst_filled_online(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->status.online_cpu_len;
}

static size_t lkst_filled_cpus(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->status.cpu_num * sizeof(lkst_buffer_id);
}

static size_t lkst_filled_maskset(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	const struct lkst_maskset_body *body = area;

	return LKST_MASKSET_SIZE(body->len);
}

static size_t lkst_filled_maskset_list(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return ret * sizeof(struct lkst_maskset_listent);
}

static size_t lkst_filled_rule(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->rule.text_size;
}

static size_t lkst_filled_event(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->event.text_size;
}

static size_t lkst_filled_watch(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->watch.text_size;
}

static size_t lkst_filled_limit(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->limit.flags == LKST_LIMIT_READ ? arg->limit.text_size : 0;
}

static size_t lkst_filled_hist(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->hist.text_size;
}

static size_t lkst_filled_evhandler_list(const union lkst_ioctl_arg *arg, const void *area,
					 int ret)
{
	return ret * sizeof(struct lkst_evhandler_listent);
}

static size_t lkst_filled_evhandler_bpf(const union lkst_ioctl_arg *arg, const void *area,
					int ret)
{
	return arg->evhandler_bpf_info.actions_size;
}

static size_t lkst_filled_buffer_list(const union lkst_ioctl_arg *arg, const void *area, int ret)
{
	return arg->buffer_list.buffer_num * sizeof(struct lkst_buffer_listent);
}

static size_t lkst_filled_previous_list(const union lkst_ioctl_arg *arg, const void *area,
					int ret)
{
	return arg->previous_list.boot_num * sizeof(struct lkst_previous_listent);
}

/**
 * struct lkst_copy - user memory whose address is in an ioctl's structure
 * @dir: _IOC_WRITE if the call reads the memory, _IOC_READ if the call fills it
 *	in, or both; 0 in an unused entry
 * @address: offset of the member with the address, a u64. If the address is
 *	NULL, nothing is copied, and the function gets NULL
 * @size: offset of the member with the size
 * @size_width: width of that member in bytes
 * @unit: number of bytes in a unit of the size
 * @max: maximum number of bytes that the function uses
 * @whole: whether the function uses the whole area. If so, a size above @max is
 *	rejected with -EINVAL
 * @filled: returns how much has been filled in; NULL if the call always fills
 *	in the whole memory
 */
struct lkst_copy {
	u8 dir;
	u8 address;
	u8 size;
	u8 size_width;
	u8 unit;
	bool whole;
	u32 max;
	size_t (*filled)(const union lkst_ioctl_arg *arg, const void *area, int ret);
};

#define LKST_COPY(_dir, _type, _address, _size, _unit, ...) {			\
	.dir = (_dir),									\
	.address = offsetof(_type, _address),						\
	.size = offsetof(_type, _size),							\
	.size_width = sizeof_field(_type, _size),					\
	.unit = (_unit),								\
	__VA_ARGS__									\
}

#define LKST_COPIES_MAX	3
#define LKST_CPU_MAX	NR_CPUS

/**
 * struct lkst_ioctl - an ioctl
 * @request: ioctl number
 * @func: function that carries out the ioctl
 * @pad: offset of a u32 that must be 0; 0 if the structure has no such member
 * @explains: whether the structure and the areas are stored even if the
 *	function returns -EINVAL, because they then contain the reason
 * @copies: user memory to copy
 */
struct lkst_ioctl {
	unsigned int request;
	int (*func)(struct file *file, union lkst_ioctl_arg *arg);
	unsigned int pad;
	bool explains;
	struct lkst_copy copies[LKST_COPIES_MAX];
};

/*
 * An ioctl whose argument is a structure: member @_arg of union lkst_ioctl_arg.
 */
#define LKST_IOCTL(_request, _arg, _func, ...) {					\
	.request = (_request) +								\
		BUILD_BUG_ON_ZERO(_IOC_SIZE(_request) !=				\
				  sizeof_field(union lkst_ioctl_arg, _arg)),		\
	.func = (_func),								\
	__VA_ARGS__									\
}

/* An ioctl whose argument is a number, or which has no argument. */
#define LKST_IOCTL_NUMBER(_request, _func) {						\
	.request = (_request) + BUILD_BUG_ON_ZERO(_IOC_SIZE(_request)),			\
	.func = (_func),								\
}

/*
 * Make the ioctl fail if pad is not 0. Use LKST_PAD() only for structures that
 * programs fill in: in a structure that the kernel only writes, pad may still
 * hold what an earlier call stored there.
 */
#define LKST_PAD(_arg)									\
	.pad = offsetof(union lkst_ioctl_arg, _arg.pad) +				\
	       BUILD_BUG_ON_ZERO(sizeof_field(union lkst_ioctl_arg, _arg.pad) != sizeof(u32))

static const struct lkst_ioctl lkst_ioctls[] = {
	LKST_IOCTL(LKST_IOC_TRC_STATUS, status, lkst_ioctl_trc_status, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_trc_status, online_cpu, online_cpu_len, 1,
			  .max = DIV_ROUND_UP(LKST_CPU_MAX, 64) * sizeof(u64),
			  .filled = lkst_filled_online),
		LKST_COPY(_IOC_READ, struct lkst_trc_status, write_buf, cpu_num,
			  sizeof(lkst_buffer_id), .max = LKST_CPU_MAX * sizeof(lkst_buffer_id),
			  .filled = lkst_filled_cpus),
		LKST_COPY(_IOC_READ, struct lkst_trc_status, read_buf, cpu_num,
			  sizeof(lkst_buffer_id), .max = LKST_CPU_MAX * sizeof(lkst_buffer_id),
			  .filled = lkst_filled_cpus),
	}),
	LKST_IOCTL_NUMBER(LKST_IOC_VERSION, lkst_ioctl_version),
	LKST_IOCTL_NUMBER(LKST_IOC_TRC_START, lkst_ioctl_trc_start),
	LKST_IOCTL_NUMBER(LKST_IOC_TRC_STOP, lkst_ioctl_trc_stop),
	LKST_IOCTL_NUMBER(LKST_IOC_TRC_STATEDUMP, lkst_ioctl_statedump),
	LKST_IOCTL(LKST_IOC_ENTRY_LOG, entry, lkst_ioctl_entry_log, LKST_PAD(entry)),
	LKST_IOCTL(LKST_IOC_ENTRY_TEXT, text, lkst_ioctl_entry_text, LKST_PAD(text), .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_entry_text, text, size, 1,
			  .max = LKST_CHAIN_BYTES_MAX, .whole = true),
	}),
	LKST_IOCTL(LKST_IOC_MASKSET_READ, maskset, lkst_ioctl_maskset_read,
		   LKST_PAD(maskset), .copies = {
		LKST_COPY(_IOC_READ, struct lkst_maskset_param, maskset, maskset_size, 1,
			  .max = LKST_MASKSET_SIZE_MAX,
			  .filled = lkst_filled_maskset),
	}),
	LKST_IOCTL(LKST_IOC_MASKSET_WRITE, maskset, lkst_ioctl_maskset_write,
		   LKST_PAD(maskset), .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_maskset_param, maskset, maskset_size, 1,
			  .max = LKST_MASKSET_SIZE_MAX),
	}),
	LKST_IOCTL_NUMBER(LKST_IOC_MASKSET_SET, lkst_ioctl_maskset_set),
	LKST_IOCTL(LKST_IOC_MASKSET_LIST, maskset_list, lkst_ioctl_maskset_list,
		   LKST_PAD(maskset_list), .copies = {
		LKST_COPY(_IOC_READ, struct lkst_maskset_listparam, listent, listent_size, 1,
			  .max = LKST_MASKSET_LISTENT_SIZE(LKST_MASKSET_ID_MAX + 1),
			  .filled = lkst_filled_maskset_list),
	}),
	LKST_IOCTL_NUMBER(LKST_IOC_MASKSET_DELETE, lkst_ioctl_maskset_delete),
	LKST_IOCTL(LKST_IOC_RULE_WRITE, rule, lkst_ioctl_rule_write, .explains = true, .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_rule_param, text, text_size, 1,
			  .max = LKST_RULE_TEXT_MAX, .whole = true),
		LKST_COPY(_IOC_WRITE, struct lkst_rule_param, names, names_size, 1,
			  .max = LKST_RULE_NAMES_MAX, .whole = true),
		LKST_COPY(_IOC_READ, struct lkst_rule_param, error, error_size, 1,
			  .max = LKST_RULE_ERROR_LEN),
	}),
	LKST_IOCTL(LKST_IOC_RULE_READ, rule, lkst_ioctl_rule_read, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_rule_param, text, text_size, 1,
			  .max = LKST_RULE_TEXT_MAX,
			  .filled = lkst_filled_rule),
	}),
	LKST_IOCTL(LKST_IOC_EVENT_CONTROL, event, lkst_ioctl_event_control, LKST_PAD(event),
		   .explains = true, .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_event_param, text, text_size, 1,
			  .max = LKST_EVENT_TEXT_MAX, .whole = true),
		LKST_COPY(_IOC_READ, struct lkst_event_param, error, error_size, 1,
			  .max = LKST_EVENT_ERROR_LEN),
	}),
	LKST_IOCTL(LKST_IOC_EVENT_READ, event, lkst_ioctl_event_read, LKST_PAD(event), .copies = {
		LKST_COPY(_IOC_READ, struct lkst_event_param, text, text_size, 1,
			  .max = LKST_EVENT_TEXT_MAX,
			  .filled = lkst_filled_event),
	}),
	LKST_IOCTL(LKST_IOC_WATCH_WRITE, watch, lkst_ioctl_watch_write, .explains = true,
		   .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_watch_param, text, text_size, 1,
			  .max = LKST_WATCH_TEXT_MAX, .whole = true),
		LKST_COPY(_IOC_READ, struct lkst_watch_param, error, error_size, 1,
			  .max = LKST_WATCH_ERROR_LEN),
	}),
	LKST_IOCTL(LKST_IOC_WATCH_READ, watch, lkst_ioctl_watch_read, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_watch_param, text, text_size, 1,
			  .max = LKST_WATCH_TEXT_MAX,
			  .filled = lkst_filled_watch),
		LKST_COPY(_IOC_READ, struct lkst_watch_param, result, result_size, 1,
			  .max = sizeof(struct lkst_watch_result)),
	}),
	LKST_IOCTL(LKST_IOC_WATCH_DELETE, watch_name, lkst_ioctl_watch_delete),
	LKST_IOCTL(LKST_IOC_WATCH_RESET, watch_name, lkst_ioctl_watch_reset),
	LKST_IOCTL(LKST_IOC_MASKSET_LIMIT, limit, lkst_ioctl_maskset_limit, .explains = true,
		   .copies = {
		LKST_COPY(_IOC_WRITE | _IOC_READ, struct lkst_limit_param, text, text_size, 1,
			  .max = LKST_LIMIT_TEXT_MAX, .whole = true, .filled = lkst_filled_limit),
		LKST_COPY(_IOC_READ, struct lkst_limit_param, error, error_size, 1,
			  .max = LKST_RULE_ERROR_LEN),
	}),
	LKST_IOCTL(LKST_IOC_HIST_READ, hist, lkst_ioctl_hist_read, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_hist_param, text, text_size, 1,
			  .max = LKST_RULE_TEXT_MAX,
			  .filled = lkst_filled_hist),
	}),
	LKST_IOCTL(LKST_IOC_EVHANDLER_LIST, evhandler_list, lkst_ioctl_evhandler_list, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_evhandler_listparam, listent, listent_size, 1,
			  .max = LKST_EVHANDLER_LISTENT_SIZE(LKST_EVHANDLER_ID_MAX + 1),
			  .filled = lkst_filled_evhandler_list),
	}),
	LKST_IOCTL(LKST_IOC_EVHANDLER_CTRL, evhandler_ctrl, lkst_ioctl_evhandler_ctrl, .copies = {
		LKST_COPY(_IOC_WRITE | _IOC_READ, struct lkst_evhandler_ctrl_param, buf, bufsize,
			  1, .max = LKST_EVHANDLER_CTRL_SIZE_MAX, .whole = true),
	}),
	LKST_IOCTL(LKST_IOC_EVHANDLER_BPF, evhandler_bpf, lkst_ioctl_evhandler_bpf,
		   .explains = true, .copies = {
		LKST_COPY(_IOC_WRITE, struct lkst_evhandler_bpf_param, actions, actions_size, 1,
			  .max = LKST_RULE_TEXT_MAX, .whole = true),
		LKST_COPY(_IOC_READ, struct lkst_evhandler_bpf_param, error, error_size, 1,
			  .max = LKST_RULE_ERROR_LEN),
	}),
	LKST_IOCTL(LKST_IOC_EVHANDLER_BPF_READ, evhandler_bpf_info,
		   lkst_ioctl_evhandler_bpf_read, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_evhandler_bpf_info, actions, actions_size, 1,
			  .max = LKST_RULE_TEXT_MAX,
			  .filled = lkst_filled_evhandler_bpf),
	}),
	LKST_IOCTL_NUMBER(LKST_IOC_EVHANDLER_BPF_DELETE, lkst_ioctl_evhandler_bpf_delete),
	LKST_IOCTL(LKST_IOC_BUFFER_READ, log_buffer, lkst_ioctl_buffer_read, LKST_PAD(log_buffer)),
	LKST_IOCTL(LKST_IOC_BUFFER_CREATE, buffer, lkst_ioctl_buffer_create, LKST_PAD(buffer)),
	LKST_IOCTL_NUMBER(LKST_IOC_BUFFER_SHIFT, lkst_ioctl_buffer_shift),
	LKST_IOCTL(LKST_IOC_BUFFER_JUMP, jump, lkst_ioctl_buffer_jump),
	LKST_IOCTL(LKST_IOC_BUFFER_LINK, link, lkst_ioctl_buffer_link),
	LKST_IOCTL(LKST_IOC_BUFFER_DELETE, delete, lkst_ioctl_buffer_delete),
	LKST_IOCTL(LKST_IOC_BUFFER_LIST, buffer_list, lkst_ioctl_buffer_list, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_buffer_listparam, listent, listent_num,
			  sizeof(struct lkst_buffer_listent),
			  .max = (LKST_BUFFER_ID_MAX + 1) * sizeof(struct lkst_buffer_listent),
			  .filled = lkst_filled_buffer_list),
	}),
	LKST_IOCTL(LKST_IOC_BUFFER_SETRMOD, read_mode, lkst_ioctl_buffer_setrmod,
		   LKST_PAD(read_mode)),
	LKST_IOCTL(LKST_IOC_BLOCK_SEEK, block_seek, lkst_ioctl_block_seek, LKST_PAD(block_seek)),
	LKST_IOCTL(LKST_IOC_BLOCK_WAIT, block_wait, lkst_ioctl_block_wait, LKST_PAD(block_wait)),
	LKST_IOCTL_NUMBER(LKST_IOC_BLOCK_FLUSH, lkst_ioctl_block_flush),
	LKST_IOCTL(LKST_IOC_LONG_STATUS, long_status, lkst_ioctl_long_status,
		   LKST_PAD(long_status)),
	LKST_IOCTL(LKST_IOC_HISTORY_READ, history_read, lkst_ioctl_history_read,
		   LKST_PAD(history_read)),
	LKST_IOCTL(LKST_IOC_HISTORY_STATUS, history_status, lkst_ioctl_history_status),
	LKST_IOCTL(LKST_IOC_PREVIOUS_LIST, previous_list, lkst_ioctl_previous_list, .copies = {
		LKST_COPY(_IOC_READ, struct lkst_previous_listparam, listent, listent_num,
			  sizeof(struct lkst_previous_listent),
			  .max = LKST_IMAGE_BOOT_SLOTS_MAX * sizeof(struct lkst_previous_listent),
			  .filled = lkst_filled_previous_list),
	}),
	LKST_IOCTL(LKST_IOC_PREVIOUS_READ, previous_read, lkst_ioctl_previous_read),
	LKST_IOCTL(LKST_IOC_PREVIOUS_DONE, previous_done, lkst_ioctl_previous_done),
};

/* User memory that an ioctl uses, and its bounce buffer, during the call. */
struct lkst_bounce {
	void __user *user;
	void *kernel;
	size_t size;
};

/*
 * Return the size that the process passed, in bytes. A negative result means a
 * size larger than any memory.
 */
static s64 lkst_copy_size(const struct lkst_copy *copy, const union lkst_ioctl_arg *arg)
{
	const void *member = (const void *)arg + copy->size;
	s64 size = copy->size_width == sizeof(s64) ? *(const s64 *)member : *(const s32 *)member;

	return size * copy->unit;
}

static u64 *lkst_copy_address(const struct lkst_copy *copy, union lkst_ioctl_arg *arg)
{
	return (void *)arg + copy->address;
}

/*
 * Replace user memory with a bounce buffer. If the call both reads and fills in
 * the memory, write the old contents back now to check that it is writable: a
 * call that has changed something must not fail later, when it stores its
 * result.
 */
static int lkst_copy_enter(const struct lkst_copy *copy, union lkst_ioctl_arg *arg,
			   struct lkst_bounce *in)
{
	u64 *address = lkst_copy_address(copy, arg);
	s64 size = lkst_copy_size(copy, arg);

	if (!*address)
		return 0;
	if (size < 0 || (size > copy->max && copy->whole))
		return -EINVAL;
	in->size = min_t(s64, size, copy->max);
	in->kernel = kvzalloc(in->size, GFP_KERNEL);
	if (!in->kernel)
		return -ENOMEM;
	in->user = u64_to_user_ptr(*address);
	*address = (unsigned long)in->kernel;
	if (!(copy->dir & _IOC_WRITE))
		return 0;
	if (copy_from_user(in->kernel, in->user, in->size) ||
	    (copy->dir & _IOC_READ && copy_to_user(in->user, in->kernel, in->size)))
		return -EINVAL;
	return 0;
}

static int lkst_copy_store(const struct lkst_copy *copy, const union lkst_ioctl_arg *arg,
			   const struct lkst_bounce *in, int ret)
{
	size_t size = in->size;

	if (!in->kernel || !(copy->dir & _IOC_READ))
		return 0;
	if (copy->filled)
		size = min(size, copy->filled(arg, in->kernel, ret));
	return copy_to_user(in->user, in->kernel, size) ? -EINVAL : 0;
}

/*
 * Restore the user address that the process passed, and free the bounce buffer.
 */
static void lkst_copy_leave(const struct lkst_copy *copy, union lkst_ioctl_arg *arg,
			    const struct lkst_bounce *in)
{
	if (!in->kernel)
		return;
	*lkst_copy_address(copy, arg) = (unsigned long)in->user;
	kvfree(in->kernel);
}

/*
 * Copy user memory in, call the function, and copy user memory out. Return 0 or
 * a negative errno: a positive return value of the function is used only by the
 * lkst_filled_ functions.
 */
static int lkst_ioctl_with_areas(struct file *file, const struct lkst_ioctl *ioctl,
				 union lkst_ioctl_arg *arg)
{
	struct lkst_bounce in[LKST_COPIES_MAX] = {};
	unsigned int i, num;
	int err = 0, ret = 0, explained = 0;

	for (num = 0; num < LKST_COPIES_MAX && ioctl->copies[num].dir && !err; num++)
		err = lkst_copy_enter(&ioctl->copies[num], arg, &in[num]);
	if (!err) {
		ret = ioctl->func(file, arg);
		err = min(ret, 0);
	}
	if (ioctl->explains && err == -EINVAL)
		swap(err, explained);
	for (i = 0; i < num && !err; i++)
		err = lkst_copy_store(&ioctl->copies[i], arg, &in[i], ret);
	for (i = 0; i < num; i++)
		lkst_copy_leave(&ioctl->copies[i], arg, &in[i]);
	return err ?: explained;
}

/*
 * Carry out an ioctl whose argument is a structure. The specification requires
 * EINVAL if the structure cannot be copied.
 */
static int lkst_ioctl_call(struct file *file, const struct lkst_ioctl *ioctl,
			   void __user *user)
{
	size_t size = _IOC_SIZE(ioctl->request);
	bool out = _IOC_DIR(ioctl->request) & _IOC_READ;
	union lkst_ioctl_arg arg;
	int ret;

	/*
	 * Write the structure back now to check that it is writable, as in
	 * lkst_copy_enter().
	 */
	if (copy_from_user(&arg, user, size) || (out && copy_to_user(user, &arg, size)))
		return -EINVAL;
	/*
	 * If pad were ignored, programs would leave garbage in it, and a later
	 * version could not give it a meaning.
	 */
	if (ioctl->pad && *(u32 *)((void *)&arg + ioctl->pad))
		return -EINVAL;
	ret = lkst_ioctl_with_areas(file, ioctl, &arg);
	if ((!ret || (ioctl->explains && ret == -EINVAL)) && out && copy_to_user(user, &arg, size))
		return -EINVAL;
	return ret;
}

/*
 * Carry out an ioctl whose argument is a number. The specification declares it
 * as an int, so a program may leave garbage in the upper half of the register.
 */
static int lkst_ioctl_call_number(struct file *file, const struct lkst_ioctl *ioctl,
				  unsigned long number)
{
	union lkst_ioctl_arg arg = { .number = number };

	return ioctl->func(file, &arg);
}

static long lkst_ioctl(struct file *file, unsigned int request, unsigned long arg)
{
	const struct lkst_ioctl *ioctl;
	int ret = lkst_permission();

	if (ret)
		return ret;
	for (ioctl = lkst_ioctls; ioctl < lkst_ioctls + ARRAY_SIZE(lkst_ioctls); ioctl++)
		if (ioctl->request == request)
			return _IOC_SIZE(request) ?
				       lkst_ioctl_call(file, ioctl, (void __user *)arg) :
				       lkst_ioctl_call_number(file, ioctl, arg);
	return -ENOTTY;
}

/* Read records as a stream or as blocks (specification 4.7.1.5.1). */
static ssize_t lkst_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	return lkst_permission() ?: lkst_reader_read_iter(iocb, to);
}

static __poll_t lkst_poll(struct file *file, poll_table *wait)
{
	return lkst_permission() ? EPOLLERR : lkst_reader_poll(file, wait);
}

static const struct file_operations lkst_fops = {
	.owner = THIS_MODULE,
	.open = stream_open,
	.read_iter = lkst_read_iter,
	.poll = lkst_poll,
	.unlocked_ioctl = lkst_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.flush = lkst_reader_flush,
	.release = lkst_reader_release,
};

static struct cdev lkst_cdev;

/**
 * lkst_device_start() - create /dev/lkst
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_device_start(void)
{
	struct device *device;
	dev_t dev;
	int ret;

	ret = lkst_class_start();
	if (ret)
		return ret;
	ret = alloc_chrdev_region(&dev, 0, 1, "lkst");
	if (ret)
		goto class;
	cdev_init(&lkst_cdev, &lkst_fops);
	lkst_cdev.owner = THIS_MODULE;
	ret = cdev_add(&lkst_cdev, dev, 1);
	if (ret)
		goto unregister;

	device = device_create(lkst_class, NULL, dev, NULL, "lkst");
	if (IS_ERR(device)) {
		ret = PTR_ERR(device);
		goto del;
	}
	return 0;

del:
	cdev_del(&lkst_cdev);
unregister:
	unregister_chrdev_region(dev, 1);
class:
	lkst_class_stop();
	return ret;
}

/*
 * Remove /dev/lkst. It cannot be open now: an open device keeps the module
 * loaded.
 */
void __lkst_exit lkst_device_stop(void)
{
	dev_t dev = lkst_cdev.dev;

	device_destroy(lkst_class, dev);
	cdev_del(&lkst_cdev);
	unregister_chrdev_region(dev, 1);
	lkst_class_stop();
}
