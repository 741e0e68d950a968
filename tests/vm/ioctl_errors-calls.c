// SPDX-License-Identifier: GPL-2.0
/*
 * The calls, with arguments that are good.
 *
 * Areas are smaller than a page: for larger ones the kernel makes up for an allocation that fails.
 */
#include "ioctl_errors.h"

union maskset_room maskset_room;
struct lkst_maskset_listent masksets[256];
struct lkst_evhandler_listent handlers[LKST_EVHANDLER_ID_MAX + 1];
struct lkst_log_record records[256];
unsigned char area[2 * LKST_EVHANDLER_CTRL_SIZE_MAX];

static void good_status(union arg *arg)
{
	static uint64_t online[1024];
	static lkst_buffer_id write_buf[NO_CPU], read_buf[NO_CPU];

	arg->status = (struct lkst_trc_status){
		.online_cpu = user(online),
		.online_cpu_len = sizeof(online),
		.write_buf = user(write_buf),
		.read_buf = user(read_buf),
		.cpu_num = NO_CPU,
	};
}

static void good_nothing(union arg *arg)
{
	arg->number = 0;
}

static void good_entry(union arg *arg)
{
	arg->entry = (struct lkst_entry_args){ .event_type = USER_MARK, .log_arg1 = 1 };
}

unsigned int maskset_len(void)
{
	struct lkst_maskset_listparam list = { .listent_size = sizeof(masksets),
					       .listent = user(masksets) };

	need(lkst(LKST_IOC_MASKSET_LIST, &list), "MASKSET_LIST");
	return masksets[0].len;
}

static void good_maskset_read(union arg *arg)
{
	arg->maskset = (struct lkst_maskset_param){
		.id = LKST_MASKSET_ID_RDEFAULT,
		.maskset_size = LKST_MASKSET_SIZE(maskset_len()),
		.maskset = user(&maskset_room),
	};
}

struct lkst_maskset_param write_param(int id, const char *name, unsigned int len,
				      const struct lkst_maskset_entry *entries)
{
	struct lkst_maskset_body *new = calloc(1, LKST_MASKSET_SIZE(len));

	if (!new)
		bail_out("calloc");
	memcpy(new->name, name, strnlen(name, sizeof(new->name)));
	new->len = len;
	memcpy(new->entry, entries, len * sizeof(*entries));
	return (struct lkst_maskset_param){ .id = id,
					    .maskset_size = LKST_MASKSET_SIZE(len),
					    .maskset = user(new) };
}

const struct lkst_maskset_entry one_entry[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } };

static void good_maskset_new(union arg *arg)
{
	arg->maskset = write_param(LKST_MASKSET_ID_VOID, "new", 1, one_entry);
}

static void good_maskset_over(union arg *arg)
{
	arg->maskset = write_param(OWN_MASKSET, "", 0, one_entry);
}

static void good_maskset_set(union arg *arg)
{
	arg->number = LKST_MASKSET_ID_RNOTHING;
}

static void good_maskset_list(union arg *arg)
{
	arg->maskset_list = (struct lkst_maskset_listparam){
		.listent_size = LKST_MASKSET_LISTENT_SIZE(10),
		.listent = user(masksets),
	};
}

static void good_maskset_delete(union arg *arg)
{
	arg->number = OWN_MASKSET;
}

static void good_evhandler_list(union arg *arg)
{
	arg->evhandler_list = (struct lkst_evhandler_listparam){
		.listent_size = LKST_EVHANDLER_LISTENT_SIZE(10),
		.listent = user(handlers),
	};
}

static void good_ctrl(union arg *arg)
{
	arg->ctrl = (struct lkst_evhandler_ctrl_param){ .id = ctrl_handler,
							.buf = user(area),
							.bufsize = 100 };
}

static void good_read(union arg *arg)
{
	arg->log_buffer =
		(struct lkst_log_buffer){ .read_size = sizeof(records), .buffer = user(records) };
}

static void good_read_static(union arg *arg)
{
	good_read(arg);
	arg->log_buffer.cpu = -1;
	arg->log_buffer.id = VOID;
}

static void good_create(union arg *arg)
{
	arg->buffer = (struct lkst_buffer_param){ .id = VOID, .next = VOID, .size = 65536 };
}

static void good_create_all(union arg *arg)
{
	good_create(arg);
	arg->buffer.cpu = -1;
}

static void good_jump(union arg *arg)
{
	arg->jump = (struct lkst_buffer_jumpparam){ .cpu = 0, .dest = 1 };
}

static void good_link(union arg *arg)
{
	arg->link = (struct lkst_buffer_linkparam){ .cpu = 0, .id = 0, .next = 1 };
}

static void good_delete(union arg *arg)
{
	arg->delete = (struct lkst_buffer_delparam){ .cpu = 0, .id = 1 };
}

static void good_buffer_list(union arg *arg)
{
	static struct lkst_buffer_listent list[10];

	arg->buffer_list =
		(struct lkst_buffer_listparam){ .listent_num = 10, .listent = user(list) };
}

static void good_mode(union arg *arg)
{
	arg->mode = (struct lkst_buffer_srmodparam){ .mode = LKST_READ_MODE_RAW };
}

static void good_seek(union arg *arg)
{
	arg->seek = (struct lkst_block_seekparam){ .recid = LKST_BLOCK_RECID_END };
}

static void good_wait(union arg *arg)
{
	arg->wait = (struct lkst_block_waitparam){ .timeout = 100 };
}

static void good_read_call(union arg *arg)
{
	arg->read.to = records;
	arg->read.size = sizeof(records);
}

#define PAD(member) .pad = offsetof(union arg, member.pad)

const struct call calls[CALLS] = {
	[TRC_STATUS] = { "TRC_STATUS", LKST_IOC_TRC_STATUS, true, NULL, good_status },
	[TRC_START] = { "TRC_START", LKST_IOC_TRC_START, false, stop, good_nothing, start },
	[TRC_STOP] = { "TRC_STOP", LKST_IOC_TRC_STOP, false, NULL, good_nothing, start },
	[TRC_STATEDUMP] = { "TRC_STATEDUMP", LKST_IOC_TRC_STATEDUMP, false, NULL, good_nothing },
	[VERSION] = { "VERSION", LKST_IOC_VERSION, false, NULL, good_nothing },
	[MASKSET_READ] = { "MASKSET_READ", LKST_IOC_MASKSET_READ, true, NULL, good_maskset_read,
			   PAD(maskset) },
	[MASKSET_WRITE] = { "MASKSET_WRITE", LKST_IOC_MASKSET_WRITE, true, NULL, good_maskset_new,
			    own_masksets_gone, PAD(maskset) },
	[MASKSET_OVERWRITE] = { "MASKSET_WRITE over another", LKST_IOC_MASKSET_WRITE, true,
				own_maskset, good_maskset_over, own_masksets_gone, PAD(maskset) },
	[MASKSET_SET] = { "MASKSET_SET", LKST_IOC_MASKSET_SET, false, NULL, good_maskset_set,
			  own_masksets_gone },
	[MASKSET_LIST] = { "MASKSET_LIST", LKST_IOC_MASKSET_LIST, true, NULL, good_maskset_list,
			   PAD(maskset_list) },
	[MASKSET_DELETE] = { "MASKSET_DELETE", LKST_IOC_MASKSET_DELETE, false, own_maskset,
			     good_maskset_delete, own_masksets_gone },
	[EVHANDLER_LIST] = { "EVHANDLER_LIST", LKST_IOC_EVHANDLER_LIST, true, NULL,
			     good_evhandler_list },
	[EVHANDLER_CTRL] = { "EVHANDLER_CTRL", LKST_IOC_EVHANDLER_CTRL, true, NULL, good_ctrl },
	[BUFFER_READ] = { "BUFFER_READ", LKST_IOC_BUFFER_READ, true, NULL, good_read,
			  PAD(log_buffer) },
	[BUFFER_READ_STATIC] = { "BUFFER_READ of the static buffer", LKST_IOC_BUFFER_READ, true,
				 NULL, good_read_static, PAD(log_buffer) },
	[BUFFER_CREATE] = { "BUFFER_CREATE", LKST_IOC_BUFFER_CREATE, true, NULL, good_create,
			    one_buffer, PAD(buffer) },
	[BUFFER_CREATE_ALL] = { "BUFFER_CREATE on all CPUs", LKST_IOC_BUFFER_CREATE, true, NULL,
				good_create_all, one_buffer, PAD(buffer) },
	[BUFFER_SHIFT] = { "BUFFER_SHIFT", LKST_IOC_BUFFER_SHIFT, false, ring, good_nothing,
			   one_buffer },
	[BUFFER_JUMP] = { "BUFFER_JUMP", LKST_IOC_BUFFER_JUMP, false, second_buffer, good_jump,
			  one_buffer },
	[BUFFER_LINK] = { "BUFFER_LINK", LKST_IOC_BUFFER_LINK, false, second_buffer, good_link,
			  one_buffer },
	[BUFFER_DELETE] = { "BUFFER_DELETE", LKST_IOC_BUFFER_DELETE, false, second_buffer,
			    good_delete, one_buffer },
	[BUFFER_LIST] = { "BUFFER_LIST", LKST_IOC_BUFFER_LIST, true, NULL, good_buffer_list },
	[BUFFER_SETRMOD] = { "BUFFER_SETRMOD", LKST_IOC_BUFFER_SETRMOD, true, open_call_fd,
			     good_mode, close_call_fd, PAD(mode) },
	[BLOCK_SEEK] = { "BLOCK_SEEK", LKST_IOC_BLOCK_SEEK, false, blocks_call_fd, good_seek,
			 close_call_fd, PAD(seek) },
	[BLOCK_WAIT] = { "BLOCK_WAIT", LKST_IOC_BLOCK_WAIT, false, blocks_call_fd, good_wait,
			 close_call_fd, PAD(wait) },
	[BLOCK_FLUSH] = { "BLOCK_FLUSH", LKST_IOC_BLOCK_FLUSH, false, blocks_call_fd, good_nothing,
			  close_call_fd },
	[ENTRY_LOG] = { "ENTRY_LOG", LKST_IOC_ENTRY_LOG, false, NULL, good_entry, PAD(entry) },
	[READ] = { "read()", 0, false, first_is_being_read, good_read_call, no_reader_one_buffer },
};
