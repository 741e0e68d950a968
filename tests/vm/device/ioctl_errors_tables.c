// SPDX-License-Identifier: GPL-2.0
/*
 * Two tables with an entry for each call. In the table of calls, the entry holds an argument with
 * which the call succeeds, and functions that set up the state that the call needs and restore the
 * old state. In the other table, the entry holds the error cases that are specific to the call.
 *
 * Memory that is passed to the calls is smaller than a page. For larger sizes a call could succeed
 * although an allocation fails, because the kernel falls back to vmalloc().
 */
#include "ioctl_errors.h"
#include "proc_etypes.h"
#include "processes.h"

#define OWN_MASKSET 100

/* Functions that set up the state for a call, and functions that restore the state afterwards */

int call_fd = -1;

static struct lkst_log_record records[256];

/* Room for at least one chunk of the history. */
static char chunks[LKST_HISTORY_CHUNK_MAX];

/* Make buffer 0 the current buffer of every CPU, and delete all others. */
static void one_buffer(void)
{
	struct buffers buffers;

	for (int cpu = 0; cpu < cpus(); cpu++) {
		list_buffers(&buffers, cpu);
		if (!buffers.param.buffer_num)
			continue;
		bail_if(jump(cpu, 0) || link_buffer(cpu, 0, VOID), "cannot return to buffer 0");
		for (int i = 1; i < buffers.param.buffer_num; i++)
			bail_if(delete_buffer(cpu, buffers.ent[i].id), "BUFFER_DELETE");
	}
}

static void second_buffer(void)
{
	need(create(0, 1, 0, 65536), "BUFFER_CREATE");
}

static void ring(void)
{
	second_buffer();
	need(link_buffer(0, 0, 1), "BUFFER_LINK");
}

static void next_is_missing(void)
{
	need(link_buffer(0, 0, 77), "BUFFER_LINK");
}

static void second_is_written(void)
{
	second_buffer();
	need(jump(0, 1), "BUFFER_JUMP");
}

static void open_call_fd(void)
{
	call_fd = open("/dev/lkst", O_RDWR | O_NONBLOCK);
	bail_if(call_fd < 0, "/dev/lkst");
}

static void close_call_fd(void)
{
	close(call_fd);
	call_fd = -1;
}

static void bind_call_fd_to(int mode)
{
	struct lkst_buffer_srmodparam param = { .cpu = 0, .mode = mode };

	open_call_fd();
	bail_if(ioctl(call_fd, LKST_IOC_BUFFER_SETRMOD, &param), "SETRMOD");
}

static void bind_call_fd(void)
{
	bind_call_fd_to(LKST_READ_MODE_STD);
}

static void blocks_call_fd(void)
{
	bind_call_fd_to(LKST_READ_MODE_BLOCK);
}

static void read_one(void)
{
	bail_if(read(call_fd, records, sizeof(records[0])) != sizeof(records[0]), "read");
}

/* Link buffers 0 and 1 of CPU 0 into a ring, make buffer 1 the current one, and read buffer 0. */
static void first_is_being_read(void)
{
	ring();
	bind_call_fd();
	need(shift(0), "BUFFER_SHIFT");
	read_one();
}

static void second_is_being_read(void)
{
	second_is_written();
	bind_call_fd();
	need(jump(0, 0), "BUFFER_JUMP");
	read_one();
}

static void no_reader_one_buffer(void)
{
	close_call_fd();
	one_buffer();
}

/* Use up the buffer ids 1 to 254, either all on CPU 0, or half of them on each of CPUs 0 and 1. */
static void all_ids_of_cpu_0(void)
{
	for (int id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(0, id, VOID, 4096), "BUFFER_CREATE");
}

static void all_ids_of_some_cpu(void)
{
	for (int id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(id & 1, id, VOID, 4096), "BUFFER_CREATE");
}

/* Use up LKST's memory until a buffer of one page no longer fits. */
static void all_memory(void)
{
	uint64_t size = 1ULL << 30;
	int error = 0;

	while (size >= 4096) {
		error = create(1, VOID, VOID, size);
		if (error)
			size /= 2;
	}
	bail_if(error != ENOMEM, "BUFFER_CREATE");
}

static pid_t other_process;

static void bound_by_other_process(void)
{
	other_process = spawn((bind_call_fd(), pause()));
	while (queue_of(0).owner != other_process)
		sleep_ms(1);
	open_call_fd();
}

static void end_other_process(void)
{
	kill(other_process, SIGKILL);
	exit_status(other_process);
	close_call_fd();
}

static void stop(void)
{
	need(lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
}

static void start(void)
{
	need(lkst_number(LKST_IOC_TRC_START, 0), "TRC_START");
}

static void write_one(int id, const char *name)
{
	const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG };

	need(write_maskset(id, name, &mask, 1), "MASKSET_WRITE");
}

static void own_maskset(void)
{
	write_one(OWN_MASKSET, "own");
}

static void own_maskset_is_selected(void)
{
	own_maskset();
	need(set_maskset(OWN_MASKSET), "MASKSET_SET");
}

static void all_masksets(void)
{
	char name[20];

	for (int id = 3; id < LKST_MASKSET_ID_RDETAILED; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		write_one(id, name);
	}
}

/* Select the default maskset, and delete the masksets that the test has written. */
static void delete_own_masksets(void)
{
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	for (int id = 3; id < LKST_MASKSET_ID_RDETAILED; id++)
		lkst_number(LKST_IOC_MASKSET_DELETE, id);
}

/* Calls */

/* Number of entries of a maskset, which is the same for all masksets. */
static unsigned int maskset_len;

static const struct lkst_maskset_entry one_entry[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } };

/* Make a maskset, which is never freed, and return the argument of a MASKSET_WRITE for it. */
static struct lkst_maskset_param write_param(int id, const char *name, unsigned int len,
					     const struct lkst_maskset_entry *entries)
{
	size_t size = LKST_MASKSET_SIZE(len);
	struct lkst_maskset_body *new = calloc(1, size);

	bail_if(!new, "calloc");
	memcpy(new->name, name, strnlen(name, sizeof(new->name)));
	new->len = len;
	memcpy(new->entry, entries, len * sizeof(*entries));
	return (struct lkst_maskset_param){ id, 0, size, user(new) };
}

struct call calls[CALLS];

/*
 * An element of a table of calls. @member is the member of union arg that holds the argument of the
 * call. CALL() uses the name of the call both as the index and as the title.
 */
#define CALL(name, ...) CALL_AS(name, #name, name, __VA_ARGS__)
#define CALL_AS(id, title, name, member, ...) \
	[id] = { title, LKST_IOC_##name, .good.member = __VA_ARGS__ }

#define PAD(member) .pad = offsetof(union arg, member.pad)

static void find_maskset_len(void)
{
	struct lkst_maskset_listparam list = { 0, 0, sizeof(masksets), user(masksets) };

	need(lkst(LKST_IOC_MASKSET_LIST, &list), "MASKSET_LIST");
	maskset_len = masksets[0].len;
}

static void fill_calls(void)
{
	static uint64_t online[1024];
	static lkst_buffer_id write_buf[NO_CPU], read_buf[NO_CPU];
	static struct lkst_buffer_listent list[10];
	const struct lkst_maskset_param new = write_param(VOID, "new", 1, one_entry);
	const struct lkst_maskset_param empty = write_param(OWN_MASKSET, "", 0, one_entry);
	const uint64_t mask_size = LKST_MASKSET_SIZE(maskset_len), read_size = sizeof(records);
	const struct call made[CALLS] = {
		CALL(TRC_STATUS, status,
		     { user(online), user(write_buf), user(read_buf),
		       .online_cpu_len = sizeof(online), .cpu_num = NO_CPU }, .nomem = true),
		CALL(TRC_START, number, 0, .enter = stop, .leave = start),
		CALL(TRC_STOP, number, 0, .leave = start),
		CALL(TRC_STATEDUMP, number, 0),
		CALL(VERSION, number, 0),
		CALL(MASKSET_READ, maskset, { 2, 0, mask_size, user(&maskset_room) },
		     .nomem = true, PAD(maskset)),
		CALL(MASKSET_WRITE, maskset, new,
		     .leave = delete_own_masksets, .nomem = true, PAD(maskset)),
		CALL_AS(MASKSET_OVERWRITE, "MASKSET_WRITE over another", MASKSET_WRITE, maskset,
			empty, .enter = own_maskset, .leave = delete_own_masksets, .nomem = true,
			PAD(maskset)),
		CALL(MASKSET_SET, number, LKST_MASKSET_ID_RNOTHING, .leave = delete_own_masksets),
		CALL(MASKSET_LIST, maskset_list,
		     { 0, 0, LKST_MASKSET_LISTENT_SIZE(10), user(masksets) },
		     .nomem = true, PAD(maskset_list)),
		CALL(MASKSET_DELETE, number, OWN_MASKSET,
		     .enter = own_maskset, .leave = delete_own_masksets),
		CALL(EVHANDLER_LIST, evhandler_list,
		     { LKST_EVHANDLER_LISTENT_SIZE(10), user(handlers) }, .nomem = true),
		CALL(EVHANDLER_CTRL, ctrl, { ctrl_handler, 0, user(area), 100 }, .nomem = true),
		CALL(BUFFER_READ, log_buffer, { 0, 0, read_size, .buffer = user(records) },
		     .nomem = true, PAD(log_buffer)),
		CALL_AS(BUFFER_READ_STATIC, "BUFFER_READ of the static buffer", BUFFER_READ,
			log_buffer, { -1, VOID, read_size, .buffer = user(records) },
			.nomem = true, PAD(log_buffer)),
		CALL(BUFFER_CREATE, buffer, { VOID, VOID, 0, 0, 65536 },
		     .leave = one_buffer, .nomem = true, PAD(buffer)),
		CALL_AS(BUFFER_CREATE_ALL, "BUFFER_CREATE on all CPUs", BUFFER_CREATE, buffer,
			{ VOID, VOID, -1, 0, 65536 },
			.leave = one_buffer, .nomem = true, PAD(buffer)),
		CALL(BUFFER_SHIFT, number, 0, .enter = ring, .leave = one_buffer),
		CALL(BUFFER_JUMP, jump, { 0, 1 }, .enter = second_buffer, .leave = one_buffer),
		CALL(BUFFER_LINK, link, { 0, 0, 1 }, .enter = second_buffer, .leave = one_buffer),
		CALL(BUFFER_DELETE, delete, { 0, 1 }, .enter = second_buffer, .leave = one_buffer),
		CALL(BUFFER_LIST, buffer_list, { .listent_num = 10, .listent = user(list) },
		     .nomem = true),
		CALL(BUFFER_SETRMOD, mode, { 0, LKST_READ_MODE_RAW },
		     .enter = open_call_fd, .leave = close_call_fd, .nomem = true, PAD(mode)),
		CALL(BLOCK_SEEK, seek, { .recid = LKST_BLOCK_RECID_END },
		     .enter = blocks_call_fd, .leave = close_call_fd, PAD(seek)),
		CALL(BLOCK_WAIT, wait, { 100 },
		     .enter = blocks_call_fd, .leave = close_call_fd, PAD(wait)),
		CALL(BLOCK_FLUSH, number, 0, .enter = blocks_call_fd, .leave = close_call_fd),
		CALL(LONG_STATUS, ring, { 0 }, PAD(ring)),
		CALL(HISTORY_READ, history_read, { .buffer = user(chunks), .size = sizeof(chunks) },
		     PAD(history_read)),
		CALL(HISTORY_STATUS, history, { 0 }),
		CALL(ENTRY_LOG, entry, { USER_MARK, .log_arg1 = 1 }, PAD(entry)),
		CALL(ENTRY_TEXT, text, { user(area), 100 }, .nomem = true, PAD(text)),
		[READ] = { "read()", 0, .good.read = { records, read_size },
			   .enter = first_is_being_read, .leave = no_reader_one_buffer },
	};

	memcpy(calls, made, sizeof(calls));
}

void make_calls(void)
{
	find_maskset_len();
	fill_calls();
}

/* Rows */

#define PROCESS_FORK 0x005
#define LOCK_EVENT   0x080
#define UNREGISTERED 0x1ff /* an unregistered event type in the range for users */

#define SHIFT_DW LKST_EVHANDLER_ID_BUFFER_SHIFT_DW

/* Initializers for the argument of a row. The arguments of READ_BUFFER() override its defaults. */
#define NUMBER(value)		.arg.number = value
#define ONLINE_CPU(to, len)	.arg.status = { .online_cpu = user(to), .online_cpu_len = len }
#define WRITE_BUF(to, num)	.arg.status = { .write_buf = user(to), .cpu_num = num }
#define READ_BUF(to, num)	.arg.status = { .read_buf = user(to), .cpu_num = num }
#define MASKSETS(size, to)	.arg.maskset_list = { 0, 0, size, user(to) }
#define HANDLERS(size, to)	.arg.evhandler_list = { size, user(to) }
#define CONTROL(id, to, size)	.arg.ctrl = { id, 0, user(to), size }
#define BUFFER(id, next, cpu, size) .arg.buffer = { id, next, cpu, 0, size }
#define JUMP(cpu, dest)		.arg.jump = { cpu, dest }
#define LINK(cpu, id, next)	.arg.link = { cpu, id, next }
#define DELETE(cpu, id)		.arg.delete = { cpu, id }
#define BUFFERS(cpu, num, to)	.arg.buffer_list = { cpu, num, .listent = user(to) }
#define MODE(cpu, name)		.arg.mode = { cpu, LKST_READ_MODE_##name }
#define SEEK(cpu, recid)	.arg.seek = { cpu, 0, recid }
#define CHUNKS(...)                                                                        \
	.arg.history_read = { .buffer = user(chunks), .size = sizeof(chunks), __VA_ARGS__ }
#define ENTRY(etype)		.arg.entry = { etype }
#define TEXT(from, size)	.arg.text = { user(from), size }
#define READ_TO(to, size)		.arg.read = { to, size }
#define READ_BUFFER(...)                                                                   \
	.arg.log_buffer = { .read_size = sizeof(records), .buffer = user(records), __VA_ARGS__ }
#define MASKSET(id, size, to)	.arg.maskset = { id, 0, size, user(to) }

/* Arguments for writing a maskset with one valid entry, or a new maskset with the given entries. */
#define WRITE_AS(id, name)	.arg.maskset = write_param(id, name, 1, one_entry)
#define WRITE(...)		.arg.maskset = write_param(VOID, "new", ENTRIES(__VA_ARGS__))
#define ENTRIES(...)                                                      \
	ARRAY_SIZE(((const struct lkst_maskset_entry[]){ __VA_ARGS__ })), \
		(const struct lkst_maskset_entry[]){ __VA_ARGS__ }

#define IN(state)	 .enter = state
#define IN_AND(state, back) .enter = state, .leave = back

/* Rows of a call that stores a list of @size bytes. At @last there is memory for only one entry. */
#define LIST_ROWS(LIST, size, last, to)                                                       \
	{ "listent is NULL", EINVAL, LIST(size, NULL) },                                      \
	{ "listent is on an inaccessible page", EINVAL, LIST(size, no_page) },                \
	{ "listent is on a read-only page", EINVAL, LIST(size, ro_page) },                    \
	{ "listent ends on an inaccessible page", EINVAL, LIST(size, before_end(size - 1)) }, \
	{ "only the entries of the list are stored", 0, LIST(100000000, before_end(size)) },  \
	{ "only entries that fit are stored", 0, LIST(sizeof(*last) + 1, last) },             \
	{ "listent_size is 0", 0, LIST(0, no_page) },                                         \
	{ "listent_size is negative", EINVAL, LIST(-1, to) }

/* The rows of a call, ended by an empty row. */
#define ROWS(id, ...) [id] = (const struct row[]){ __VA_ARGS__, {} }

static const char no_device[] = "/dev/lkst does not exist until LKST is initialized";
static const char unnoticed[] = "LKST does not notice that its memory was overwritten";

/*
 * Return the number of an absent event type other than a user event. ioctl_errors.t makes sure that
 * there is one.
 */
static int absent_etype(void)
{
	int etype = LKST_ETYPE_NUM - 1;

	read_proc_etypes();
	while (etype && (!*proc_etypes[etype].mnemonic || proc_etypes[etype].present ||
			 (etype >= LKST_ETYPE_PROGRAM_MIN && etype <= LKST_ETYPE_PROGRAM_MAX)))
		etype--;
	return etype;
}

void own_rows(const struct call *call, enum call_id id)
{
	static union maskset_room too_long = { { "new", LKST_MASKSET_TABLE_LEN_MAX + 1 } };
	const char *no_end = "name of LKST_MASKSET_NAME_LEN chars";
	const struct lkst_maskset_param one = write_param(VOID, "new", 1, one_entry);
	const void *new = (const void *)(uintptr_t)one.maskset;
	const size_t room = sizeof(maskset_room), record = sizeof(records[0]);
	const size_t len_size = LKST_MASKSET_SIZE(maskset_len), one_size = LKST_MASKSET_SIZE(1);
	const size_t masksets_size = LKST_MASKSET_LISTENT_SIZE(get_status().maskset_num);
	const size_t handlers_size = LKST_EVHANDLER_LISTENT_SIZE(get_status().evhandler_num);
	const size_t ctrl_max = LKST_EVHANDLER_CTRL_SIZE_MAX;
	char *fits = before_end(page_size - 8), *last_maskset = before_end(one_size);
	char *last_buffer = before_end(sizeof(struct lkst_buffer_listent)), *online = before_end(8);
	lkst_buffer_id *ids = before_end(cpus() * sizeof(*ids));
	struct lkst_maskset_listent *last_listed = before_end(sizeof(*last_listed));
	struct lkst_evhandler_listent *last_handler = before_end(sizeof(*last_handler));
	const struct row *const tables[CALLS] = {
	ROWS(TRC_STATUS,
		{ "online_cpu: NULL with a length", 0, ONLINE_CPU(NULL, 8) },
		{ "no areas, and the sizes that an earlier call returned", 0,
		  .arg.status = get_status() },
		{ "online_cpu is on an inaccessible page", EINVAL, ONLINE_CPU(no_page, 8) },
		{ "online_cpu is on a read-only page", EINVAL, ONLINE_CPU(ro_page, 8) },
		{ "online_cpu_len is not a multiple of 8", EINVAL, ONLINE_CPU(online, 7) },
		{ "online_cpu_len is negative", EINVAL, ONLINE_CPU(online, -8) },
		{ "write_buf is on an inaccessible page", EINVAL, WRITE_BUF(no_page, 1) },
		{ "write_buf is on a read-only page", EINVAL, WRITE_BUF(ro_page, 1) },
		{ "read_buf is on an inaccessible page", EINVAL, READ_BUF(no_page, 1) },
		{ "read_buf ends on an inaccessible page", EINVAL, READ_BUF(ids + 1, cpus()) },
		{ "cpu_num is negative", EINVAL, READ_BUF(ids, -1) },
		{ "only values of existing CPUs are stored", 0,
		  .arg.status = { user(online), user(ids), user(ids), .online_cpu_len = 64,
				  .cpu_num = 1000 } }),
	ROWS(MASKSET_READ,
		{ "maskset is NULL", EINVAL, MASKSET(2, room, NULL) },
		{ "maskset is on an inaccessible page", EINVAL, MASKSET(2, room, no_page) },
		{ "maskset is on a read-only page", EINVAL, MASKSET(2, room, ro_page) },
		{ "maskset ends on an inaccessible page", EINVAL,
		  MASKSET(2, room, before_end(len_size - 1)) },
		{ "only the entries of the maskset are stored", 0,
		  MASKSET(2, room, before_end(len_size)) },
		{ "maskset_size is 0", EINVAL, MASKSET(2, 0, fits) },
		{ "maskset_size is too small", EINVAL, MASKSET(2, len_size - 1, fits) },
		{ "maskset_size is negative", EINVAL, MASKSET(2, -1, fits) },
		{ "id is negative", EINVAL, MASKSET(-1, room, &maskset_room) },
		{ "id is out of range", EINVAL, MASKSET(256, room, &maskset_room) },
		{ "there is no such maskset", EINVAL, MASKSET(77, room, &maskset_room) }),
	ROWS(MASKSET_WRITE,
		{ "maskset is NULL", EINVAL, MASKSET(VOID, one_size, NULL) },
		{ "maskset is on an inaccessible page", EINVAL, MASKSET(VOID, one_size, no_page) },
		{ "maskset ends on an inaccessible page", EINVAL,
		  MASKSET(VOID, one_size, last_maskset + 1) },
		{ "maskset ends before an inaccessible page", 0,
		  MASKSET(VOID, one_size, last_maskset) },
		{ "maskset_size is 0", EINVAL, MASKSET(VOID, 0, new) },
		{ "maskset_size is too small for any maskset", EINVAL,
		  MASKSET(VOID, LKST_MASKSET_SIZE(0) - 1, new) },
		{ "maskset_size is too small for its len", EINVAL,
		  MASKSET(VOID, one_size - 1, new) },
		{ "maskset_size is negative", EINVAL, MASKSET(VOID, -1, new) },
		{ "len is too large", EINVAL,
		  MASKSET(VOID, LKST_MASKSET_SIZE(too_long.body.len), &too_long) },
		{ "id is negative", EINVAL, WRITE_AS(-1, "new") },
		{ "id is out of range", EINVAL, WRITE_AS(256, "new") },
		{ "id is that of the maskset nothing", EINVAL, WRITE_AS(0, "new") },
		{ "id is that of the maskset all", EINVAL, WRITE_AS(1, "new") },
		{ "no name for a new maskset, any id", EINVAL, WRITE_AS(VOID, "") },
		{ "no name for a new maskset, given id", EINVAL, WRITE_AS(77, "") },
		{ "the name is not terminated", EINVAL, WRITE_AS(VOID, no_end) },
		{ "the name is that of another maskset", EINVAL, WRITE_AS(VOID, "default") },
		{ "event type is negative", EINVAL, WRITE({ -1, 1 }) },
		{ "event type is out of range", EINVAL, WRITE({ 0x1000, 1 }) },
		{ "event type is negative and masked", EINVAL, WRITE({ -1, 0 }) },
		{ "event type is out of range and masked", EINVAL, WRITE({ 0x1000, 0 }) },
		{ "event type is not registered", EINVAL,
		  WRITE({ USER_MARK, 1 }, { UNREGISTERED, 1 }) },
		{ "event type is not registered, but masked", 0, WRITE({ UNREGISTERED, 0 }) },
		{ "event type occurs twice", EINVAL, WRITE({ USER_MARK, 1 }, { USER_MARK, 1 }) },
		{ "event handler is negative", EINVAL, WRITE({ USER_MARK, -1 }) },
		{ "event handler is out of range", EINVAL, WRITE({ USER_MARK, 0x1000 }) },
		{ "event handler does not exist", EINVAL, WRITE({ USER_MARK, 0xfff }) },
		/*
		 * In a kernel without lock events, the call fails because the event type is absent.
		 * Then this row does not show whether the combination is refused.
		 */
		{ "lock events while BUFF_OVFLOW wakes the daemon", EINVAL,
		  WRITE({ BUFF_OVFLOW, SHIFT_DW }, { LOCK_EVENT, 1 }) },
		{ "masked lock events while BUFF_OVFLOW wakes the daemon", 0,
		  WRITE({ BUFF_OVFLOW, SHIFT_DW }, { LOCK_EVENT, 0 }) },
		{ "no id is free", EBUSY, .arg.maskset = one, IN(all_masksets) },
		{ "LKST's memory is used up", ENOMEM,
		  .arg.maskset = one, IN_AND(all_memory, one_buffer) },
		{ "event type is absent", EINVAL, WRITE({ absent_etype(), 1 }) },
		{ "the maskset is collapsed", EBUSY, .skip = unnoticed }),
	ROWS(MASKSET_OVERWRITE,
		/*
		 * The specification's other rows are about the contents of the maskset. The rows
		 * of MASKSET_WRITE cover them.
		 */
		{ "the name is that of another maskset", EINVAL, WRITE_AS(OWN_MASKSET, "default") },
		{ "an invalid entry follows a valid one", EINVAL,
		  .arg.maskset = write_param(OWN_MASKSET, "other",
					     ENTRIES({ PROCESS_FORK, 1 }, { USER_MARK, 0xfff })) }),
	ROWS(MASKSET_SET,
		{ "id is negative", EINVAL, NUMBER(-1) },
		{ "id is VOID", EINVAL, NUMBER(LKST_MASKSET_ID_VOID) },
		{ "id is out of range", EINVAL, NUMBER(256) },
		{ "there is no such maskset", EINVAL, NUMBER(77) },
		{ "LKST is stopped", EBUSY, NUMBER(2), IN_AND(stop, start) },
		{ "LKST is stopped, and there is no such maskset", EINVAL,
		  NUMBER(77), IN_AND(stop, start) },
		{ "the selected maskset is not initialized", EBUSY,
		  .skip = "a maskset is selected before /dev/lkst exists" }),
	ROWS(MASKSET_LIST,
		{ "listent is NULL, of size 0", EINVAL },
		LIST_ROWS(MASKSETS, masksets_size, last_listed, masksets)),
	ROWS(MASKSET_DELETE,
		{ "the maskset nothing", EINVAL, NUMBER(0) },
		{ "the maskset all", EINVAL, NUMBER(1) },
		{ "the default maskset", EINVAL, NUMBER(2) },
		{ "there is no such maskset", EINVAL, NUMBER(77) },
		{ "id is negative", EINVAL, NUMBER(-1) },
		{ "id is out of range", EINVAL, NUMBER(256) },
		{ "the maskset is selected", EBUSY,
		  NUMBER(OWN_MASKSET), IN(own_maskset_is_selected) }),
	ROWS(EVHANDLER_LIST,
		LIST_ROWS(HANDLERS, handlers_size, last_handler, handlers)),
	ROWS(EVHANDLER_CTRL,
		{ "id is negative", EINVAL, CONTROL(-1, NULL, 0) },
		{ "id is out of range", EINVAL, CONTROL(LKST_EVHANDLER_ID_VOID, NULL, 0) },
		{ "there is no such event handler", EINVAL, CONTROL(0xfff, NULL, 0) },
		{ "it has no control function", EINVAL,
		  CONTROL(LKST_EVHANDLER_ID_ENTRY_LOG, NULL, 0) },
		{ "buf is NULL, bufsize is not 0", EINVAL, CONTROL(ctrl_handler, NULL, 1) },
		{ "buf is NULL, bufsize is 0", 0, CONTROL(ctrl_handler, NULL, 0) },
		{ "bufsize is 0, buf is not NULL", EINVAL, CONTROL(ctrl_handler, area, 0) },
		{ "bufsize is negative", EINVAL, CONTROL(ctrl_handler, area, -1) },
		{ "bufsize is too large", EINVAL, CONTROL(ctrl_handler, area, ctrl_max + 1) },
		{ "bufsize is the largest possible size", 0, CONTROL(ctrl_handler, area, ctrl_max) },
		{ "buf is on an inaccessible page", EINVAL, CONTROL(ctrl_handler, no_page, 1) },
		{ "buf is on a read-only page", EINVAL, CONTROL(ctrl_handler, ro_page, 1) },
		{ "buf ends on an inaccessible page", EINVAL,
		  CONTROL(ctrl_handler, before_end(8), 9) },
		{ "buf ends before an inaccessible page", 0,
		  CONTROL(ctrl_handler, before_end(8), 8) }),
	ROWS(BUFFER_READ,
		{ "buffer is NULL", EINVAL, READ_BUFFER(.buffer = 0) },
		{ "buffer is on an inaccessible page", EINVAL,
		  READ_BUFFER(.buffer = user(no_page)) },
		{ "buffer is on a read-only page", EINVAL, READ_BUFFER(.buffer = user(ro_page)) },
		{ "buffer ends on an inaccessible page", EINVAL,
		  READ_BUFFER(.buffer = user(before_end(1000))) },
		{ "buffer ends before an inaccessible page", 0,
		  READ_BUFFER(.read_size = record * 2 - 1, .buffer = user(before_end(record))) },
		{ "read_size is 0", EINVAL, READ_BUFFER(.read_size = 0) },
		{ "read_size is less than a record", EINVAL, READ_BUFFER(.read_size = record - 1) },
		{ "read_size is negative", EINVAL, READ_BUFFER(.read_size = -1) },
		{ "id is negative", EINVAL, READ_BUFFER(.id = -1) },
		{ "id is out of range", EINVAL, READ_BUFFER(.id = 257) },
		{ "id is VOID, cpu is a CPU", EINVAL, READ_BUFFER(.id = VOID) },
		{ "id is not VOID, cpu is that of the static buffer", EINVAL,
		  READ_BUFFER(.cpu = -1) },
		{ "cpu is negative", EINVAL, READ_BUFFER(.cpu = -2) },
		{ "there is no such CPU", EINVAL, READ_BUFFER(.cpu = NO_CPU) },
		{ "there is no such buffer", EINVAL, READ_BUFFER(.id = 77) },
		{ "long ring: read_size is less than a record", EINVAL,
		  READ_BUFFER(.id = LKST_BUFFER_ID_LONG, .read_size = RECORD_SIZE - 1) },
		{ "long ring: read_size is a record", 0,
		  READ_BUFFER(.id = LKST_BUFFER_ID_LONG, .read_size = RECORD_SIZE) },
		{ "long ring: buffer ends on an inaccessible page", EINVAL,
		  READ_BUFFER(.id = LKST_BUFFER_ID_LONG, .buffer = user(before_end(RECORD_SIZE - 1))) },
		{ "long ring: there is no such CPU", EINVAL,
		  READ_BUFFER(.id = LKST_BUFFER_ID_LONG, .cpu = NO_CPU) }),
	ROWS(BUFFER_CREATE,
		{ "id is negative", EINVAL, BUFFER(-1, VOID, 0, 4096) },
		{ "id is out of range", EINVAL, BUFFER(256, VOID, 0, 4096) },
		{ "the buffer exists", EINVAL, BUFFER(0, VOID, 0, 4096) },
		{ "next is negative", EINVAL, BUFFER(1, -1, 0, 4096) },
		{ "next is out of range", EINVAL, BUFFER(1, 256, 0, 4096) },
		{ "next is the buffer itself", EINVAL, BUFFER(1, 1, 0, 4096) },
		{ "next does not exist", 0, BUFFER(1, 77, 0, 4096) },
		{ "cpu is negative", EINVAL, BUFFER(1, VOID, -2, 4096) },
		{ "there is no such CPU", EINVAL, BUFFER(1, VOID, NO_CPU, 4096) },
		{ "size is 0", EINVAL, BUFFER(1, VOID, 0, 0) },
		{ "size is too small", EINVAL, BUFFER(1, VOID, 0, 4095) },
		{ "size is too large", EINVAL, BUFFER(1, VOID, 0, 1ULL << 40) },
		{ "size is negative", EINVAL, BUFFER(1, VOID, 0, -1) },
		{ "no id is free", ENOSPC, BUFFER(VOID, VOID, 0, 4096), IN(all_ids_of_cpu_0) },
		{ "LKST's memory is used up", ENOMEM, BUFFER(1, VOID, 0, 4096), IN(all_memory) },
		{ "LKST is not initialized", EBUSY, .skip = no_device },
		{ "a buffer is collapsed", EBUSY, .skip = unnoticed }),
	ROWS(BUFFER_CREATE_ALL,
		{ "the buffer exists on one CPU", EINVAL,
		  BUFFER(1, VOID, -1, 4096), IN(second_buffer) },
		{ "each id is in use on some CPU", ENOSPC,
		  BUFFER(VOID, VOID, -1, 4096), IN(all_ids_of_some_cpu) },
		{ "LKST's memory is used up", ENOMEM,
		  BUFFER(VOID, VOID, -1, 4096), IN(all_memory) }),
	ROWS(BUFFER_SHIFT,
		{ "cpu is negative", EINVAL, NUMBER(-1) },
		{ "there is no such CPU", EINVAL, NUMBER(NO_CPU) },
		{ "there is no next buffer", EINVAL, IN(second_buffer) },
		{ "the next buffer does not exist", EINVAL, IN(next_is_missing) },
		{ "the next buffer is being read", EBUSY,
		  IN_AND(first_is_being_read, no_reader_one_buffer) },
		{ "LKST is not initialized", EBUSY, .skip = no_device },
		{ "a buffer is collapsed", EBUSY, .skip = unnoticed }),
	ROWS(BUFFER_JUMP,
		{ "cpu is negative", EINVAL, JUMP(-1, 1) },
		{ "there is no such CPU", EINVAL, JUMP(NO_CPU, 1) },
		{ "dest is negative", EINVAL, JUMP(0, -1) },
		{ "dest is VOID", EINVAL, JUMP(0, VOID) },
		{ "dest is out of range", EINVAL, JUMP(0, 256) },
		{ "dest does not exist", EINVAL, JUMP(0, 77) },
		{ "dest does not exist on this CPU", EINVAL, JUMP(1, 1) },
		{ "dest is the current buffer", 0, JUMP(0, 0) },
		{ "dest is being read", EBUSY,
		  JUMP(0, 0), IN_AND(first_is_being_read, no_reader_one_buffer) },
		{ "LKST is not initialized", EBUSY, .skip = no_device },
		{ "a buffer is collapsed", EBUSY, .skip = unnoticed }),
	ROWS(BUFFER_LINK,
		{ "cpu is negative", EINVAL, LINK(-1, 0, 1) },
		{ "there is no such CPU", EINVAL, LINK(NO_CPU, 0, 1) },
		{ "next is the buffer itself", EINVAL, LINK(0, 1, 1) },
		{ "next is negative", EINVAL, LINK(0, 0, -1) },
		{ "next is out of range", EINVAL, LINK(0, 0, 256) },
		{ "next does not exist", 0, LINK(0, 0, 77) },
		{ "next is VOID", 0, LINK(0, 0, VOID) },
		{ "id is negative", EINVAL, LINK(0, -1, 1) },
		{ "id is VOID", EINVAL, LINK(0, VOID, 1) },
		{ "id is out of range", EINVAL, LINK(0, 256, 1) },
		{ "id does not exist", EINVAL, LINK(0, 77, 1) },
		{ "id does not exist on this CPU", EINVAL, LINK(1, 1, 0) },
		{ "LKST is not initialized", EBUSY, .skip = no_device },
		{ "a buffer is collapsed", EBUSY, .skip = unnoticed }),
	ROWS(BUFFER_DELETE,
		{ "id is 0", EINVAL, DELETE(0, 0) },
		{ "id is 0, and another buffer is the current one", EINVAL,
		  DELETE(0, 0), IN(second_is_written) },
		{ "id is negative", EINVAL, DELETE(0, -1) },
		{ "id is VOID", EINVAL, DELETE(0, VOID) },
		{ "id is out of range", EINVAL, DELETE(0, 256) },
		{ "there is no such buffer", EINVAL, DELETE(0, 77) },
		{ "there is no such buffer on this CPU", EINVAL, DELETE(1, 1) },
		{ "cpu is negative", EINVAL, DELETE(-1, 1) },
		{ "there is no such CPU", EINVAL, DELETE(NO_CPU, 1) },
		{ "the buffer is the current one", EBUSY, DELETE(0, 1), IN(second_is_written) },
		{ "the buffer is being read", EBUSY,
		  DELETE(0, 1), IN_AND(second_is_being_read, no_reader_one_buffer) }),
	ROWS(BUFFER_LIST,
		{ "listent is NULL", EINVAL, BUFFERS(0, 1, NULL) },
		{ "listent is on an inaccessible page", EINVAL, BUFFERS(0, 1, no_page) },
		{ "listent is on a read-only page", EINVAL, BUFFERS(0, 1, ro_page) },
		{ "listent ends on an inaccessible page", EINVAL, BUFFERS(0, 1, last_buffer + 1) },
		{ "only the entries of the list are stored", 0, BUFFERS(0, 1000000, last_buffer) },
		{ "listent_num is 0", 0, BUFFERS(0, 0, no_page) },
		{ "listent_num is negative", EINVAL, BUFFERS(0, -1, last_buffer) },
		{ "cpu is negative", EINVAL, BUFFERS(-1, 1, last_buffer) },
		{ "there is no such CPU", EINVAL, BUFFERS(NO_CPU, 1, last_buffer) }),
	ROWS(BUFFER_SETRMOD,
		{ "cpu is negative", EINVAL, MODE(-1, STD) },
		{ "there is no such CPU", EINVAL, MODE(NO_CPU, STD) },
		{ "mode is negative", EINVAL, .arg.mode = { .mode = -1 } },
		{ "there is no such mode", EINVAL, .arg.mode = { .mode = 3 } },
		{ "blocks of all CPUs", 0, MODE(-1, BLOCK) },
		{ "the file reads blocks of the CPU", 0, MODE(0, BLOCK), IN(blocks_call_fd) },
		{ "the file reads blocks of another CPU", EBUSY,
		  MODE(1, BLOCK), IN(blocks_call_fd) },
		{ "the file reads blocks", EBUSY, MODE(0, STD), IN(blocks_call_fd) },
		{ "another process is bound to the CPU", EBUSY,
		  MODE(0, STD), IN_AND(bound_by_other_process, end_other_process) },
		{ "another process is bound to another CPU", 0,
		  MODE(1, STD), IN_AND(bound_by_other_process, end_other_process) },
		{ "this process is bound to another CPU", EBUSY, MODE(1, STD), IN(bind_call_fd) },
		{ "this process is bound to the CPU", 0, MODE(0, STD), IN(bind_call_fd) }),
	ROWS(BLOCK_SEEK,
		{ "the file has no mode", EINVAL, .arg = call->good, IN(open_call_fd) },
		{ "the file is read in another mode", EINVAL, .arg = call->good, IN(bind_call_fd) },
		{ "cpu is negative", EINVAL, SEEK(-1, 0) },
		{ "there is no such CPU", EINVAL, SEEK(NO_CPU, 0) },
		{ "the file reads another CPU", EINVAL, SEEK(1, 0) },
		{ "the CPU has not reached this recid", EINVAL, SEEK(0, LKST_BLOCK_RECID_END - 1) },
		{ "from the oldest record on", 0, SEEK(0, 0) }),
	ROWS(BLOCK_WAIT,
		{ "the file has no mode", EINVAL, .arg = call->good, IN(open_call_fd) },
		{ "the file is read in another mode", EINVAL,
		  .arg = call->good, IN(bind_call_fd) }),
	ROWS(BLOCK_FLUSH,
		{ "the file has no mode", EINVAL, .arg = call->good, IN(open_call_fd) },
		{ "the file is read in another mode", EINVAL,
		  .arg = call->good, IN(bind_call_fd) }),
	ROWS(LONG_STATUS,
		{ "cpu is negative", EINVAL, .arg.ring = { .cpu = -1 } },
		{ "there is no such CPU", EINVAL, .arg.ring = { .cpu = NO_CPU } },
		{ "the last CPU", 0, .arg.ring = { .cpu = 1 } }),
	ROWS(HISTORY_READ,
		{ "cpu is negative", EINVAL, CHUNKS(.cpu = -1) },
		{ "there is no such CPU", EINVAL, CHUNKS(.cpu = NO_CPU) },
		{ "the last CPU", 0, CHUNKS(.cpu = 1) },
		{ "position was not returned by an earlier call", EINVAL,
		  CHUNKS(.position = UINT64_MAX) },
		{ "buffer is NULL", EINVAL, CHUNKS(.buffer = 0) },
		{ "buffer is on an inaccessible page", EINVAL, CHUNKS(.buffer = user(no_page)) },
		{ "buffer is on a read-only page", EINVAL, CHUNKS(.buffer = user(ro_page)) },
		{ "the chunk ends on an inaccessible page", EINVAL,
		  CHUNKS(.buffer = user(before_end(100))) },
		{ "size is 0", ENOBUFS, CHUNKS(.size = 0) },
		{ "size is too small for the chunk", ENOBUFS, CHUNKS(.size = 64) },
		{ "size is negative", EINVAL, CHUNKS(.size = -1) }),
	ROWS(HISTORY_STATUS,
		{ "cpu is negative", EINVAL, .arg.history = { .cpu = -1 } },
		{ "there is no such CPU", EINVAL, .arg.history = { .cpu = NO_CPU } },
		{ "the last CPU", 0, .arg.history = { .cpu = 1 } }),
	ROWS(ENTRY_LOG,
		{ "event type is negative", EINVAL, ENTRY(-1) },
		{ "event type is out of range", EINVAL, ENTRY(0x1000) },
		{ "event type is not registered", EINVAL, ENTRY(0x0ff) },
		{ "event type is reserved", EINVAL, ENTRY(0x200) },
		{ "event type is not registered, in the range for users", 0, ENTRY(UNREGISTERED) },
		{ "event type is one of LKST's own", EINVAL, ENTRY(BUFF_SHIFT) },
		{ "event type is masked", 0, ENTRY(USER_MARK), IN_AND(stop, start) }),
	ROWS(ENTRY_TEXT,
		{ "text is NULL", EINVAL, TEXT(NULL, 1) },
		{ "text is on an inaccessible page", EINVAL, TEXT(no_page, 1) },
		{ "text ends on an inaccessible page", EINVAL, TEXT(before_end(99), 100) },
		{ "text ends before an inaccessible page", 0, TEXT(before_end(100), 100) },
		{ "text is on a read-only page", 0, TEXT(ro_page, 100) },
		{ "size is 0", 0, TEXT(area, 0) },
		{ "size is LKST_CHAIN_BYTES_MAX", 0, TEXT(records, LKST_CHAIN_BYTES_MAX) },
		{ "size is LKST_CHAIN_BYTES_MAX + 1", EINVAL,
		  TEXT(records, LKST_CHAIN_BYTES_MAX + 1) },
		{ "size is negative", EINVAL, TEXT(area, -1) },
		{ "event type is masked", 0, TEXT(area, 100), IN_AND(stop, start) }),
	ROWS(READ,
		/*
		 * There is no row for an address outside user space: the kernel refuses it without
		 * calling LKST.
		 */
		{ "the address is NULL", EINVAL, READ_TO(NULL, record) },
		{ "the address is on an inaccessible page", EINVAL, READ_TO(no_page, record) },
		{ "the address is on a read-only page", EINVAL, READ_TO(ro_page, record) },
		{ "the record ends on an inaccessible page", EINVAL,
		  READ_TO(before_end(record - 1), record) },
		{ "the record ends before an inaccessible page", 0,
		  READ_TO(before_end(record), record) },
		{ "the size is 0", EINVAL, READ_TO(records, 0) },
		{ "the size is less than a record", EINVAL, READ_TO(records, record - 1) },
		{ "the process is not bound", EBUSY,
		  READ_TO(records, record), IN_AND(open_call_fd, close_call_fd) },
		{ "another process is bound, and this one is not", EBUSY,
		  READ_TO(records, record), IN_AND(bound_by_other_process, end_other_process) },
		{ "the queue is empty, and O_NONBLOCK", EAGAIN,
		  READ_TO(records, record), IN_AND(bind_call_fd, close_call_fd) }),
	};

	memcpy(last_maskset, new, one_size);
	for (const struct row *row = tables[id]; row && row->desc; row++)
		run(call, row);
}
