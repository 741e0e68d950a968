// SPDX-License-Identifier: GPL-2.0
/*
 * Each row of each table of return values in section 4.7.1 of the specification: the call, the
 * state it needs, the error, and that a call which fails leaves everything as it was.
 */
/* also: -m32 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <linux/capability.h>

#include "buffers.h"

#define PROCESS_FORK 0x005
#define LOCK_EVENT   0x080
#define UNREGISTERED 0x1ff /* an event type that nobody has */
#define NO_CPU	     99999

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* What a call gets: the address of a structure, a number, or what read() gets. */
union arg {
	struct lkst_trc_status status;
	struct lkst_entry_args entry;
	struct lkst_maskset_param maskset;
	struct lkst_maskset_listparam maskset_list;
	struct lkst_evhandler_listparam evhandler_list;
	struct lkst_evhandler_ctrl_param ctrl;
	struct lkst_log_buffer log_buffer;
	struct lkst_buffer_param buffer;
	struct lkst_buffer_jumpparam jump;
	struct lkst_buffer_linkparam link;
	struct lkst_buffer_delparam delete;
	struct lkst_buffer_listparam buffer_list;
	struct lkst_buffer_srmodparam mode;
	struct {
		void *to;
		size_t size;
	} read;
	unsigned long number;
};

/**
 * struct call - one of the calls
 * @name: how the specification calls it
 * @request: ioctl request; 0: read()
 * @nomem: its table has ENOMEM for memory that runs out
 * @enter: sets up a state in which it succeeds
 * @good: arguments with which it then does
 * @leave: puts everything back, after a success as well as after an error
 */
struct call {
	const char *name;
	unsigned int request;
	bool nomem;
	void (*enter)(void);
	void (*good)(union arg *arg);
	void (*leave)(void);
};

/**
 * struct row - one row of a table
 * @what: the row
 * @error: errno that it gives
 * @arg: with these arguments
 * @enter: in this state, or that of the call
 * @leave: puts everything back
 */
struct row {
	const char *what;
	int error;
	union arg arg;
	void (*enter)(void);
	void (*leave)(void);
};

/* How a call is made. */
struct how {
	bool unprivileged;
	bool elsewhere; /* the structure is not in arg, but at: */
	void *address;
};

static const struct how as_usual;

/* The descriptor that the calls are made with, if not lkst_fd. */
static int call_fd = -1;

static struct lkst_maskset_body body;
static struct lkst_maskset_listent masksets[256];
static struct lkst_evhandler_listent handlers[LKST_EVHANDLER_ID_MAX + 1];
static struct lkst_log_record records[256];
static unsigned char area[2 * LKST_EVHANDLER_CTRL_SIZE_MAX];

/* A page that cannot be touched, one that can only be read, one that ends before one that is not there. */
static char *no_page, *ro_page, *last_page;
static size_t page_size;

static uint64_t user(const void *address)
{
	return (uintptr_t)address;
}

/* An area whose last @size bytes are the last that there are. */
static void *before_end(size_t size)
{
	return last_page + page_size - size;
}

/* The event handler that the module functions brings: its control function inverts the area. */
static int ctrl_handler = -1;

/* --- The state, as text */

static unsigned int sum_of(const void *data, size_t size)
{
	const unsigned char *byte = data;
	unsigned int sum = 2166136261U;

	while (size--)
		sum = (sum ^ *byte++) * 16777619U;
	return sum;
}

static void print_masksets(FILE *to)
{
	struct lkst_maskset_listparam list = { .listent_size = sizeof(masksets),
					       .listent = user(masksets) };
	struct lkst_trc_status status = get_status();
	int i;

	fprintf(to, "current %d saved %d state %u masksets %d handlers %d memory %llu of %llu\n",
		status.current_maskset_id, status.saved_maskset_id, status.state,
		status.maskset_num, status.evhandler_num, (ull)status.memory,
		(ull)status.memory_max);
	if (lkst(LKST_IOC_MASKSET_LIST, &list))
		bail_out("MASKSET_LIST");
	for (i = 0; i < status.maskset_num; i++) {
		struct lkst_maskset_param param = { .id = masksets[i].id,
						    .maskset_size = sizeof(body),
						    .maskset = user(&body) };

		if (lkst(LKST_IOC_MASKSET_READ, &param))
			bail_out("MASKSET_READ");
		fprintf(to, "maskset %d \"%s\" %u %x\n", masksets[i].id, masksets[i].name,
			masksets[i].len, sum_of(&body, LKST_MASKSET_SIZE(body.len)));
	}
}

static void print_handlers(FILE *to)
{
	struct lkst_evhandler_listparam list = { .listent_size = sizeof(handlers),
						 .listent = user(handlers) };
	int i, num = get_status().evhandler_num;

	if (lkst(LKST_IOC_EVHANDLER_LIST, &list))
		bail_out("EVHANDLER_LIST");
	for (i = 0; i < num; i++)
		fprintf(to, "handler %d \"%s\"\n", handlers[i].id, handlers[i].name);
}

/* What recording changes all the time is left out. */
static void print_buffers(FILE *to, int cpu)
{
	const struct lkst_buffer_listent *ent;
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	fprintf(to, "cpu %d written %d read %d queue %d to %d owner %d", cpu,
		buffers.param.write_buf, buffers.param.read_buf, buffers.param.rq_head,
		buffers.param.rq_tail, buffers.param.owner);
	if (buffers.param.read_buf != VOID)
		fprintf(to, " read_pos %llu", (ull)buffers.param.read_pos);
	fprintf(to, "\n");
	for (ent = buffers.ent; ent < buffers.ent + buffers.param.buffer_num; ent++)
		fprintf(to, "cpu %d buffer %d next %d size %llu state %u queue %d %d\n", cpu,
			ent->id, ent->next, (ull)ent->size, ent->state, ent->rq_prev, ent->rq_next);
}

static int cpus(void)
{
	return get_status().cpu_num;
}

static char *state(void)
{
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);
	int cpu;

	if (!to)
		bail_out("open_memstream");
	print_masksets(to);
	print_handlers(to);
	for (cpu = 0; cpu < cpus(); cpu++)
		print_buffers(to, cpu);
	fclose(to);
	return text;
}

/* Whether both are the same; if not, the first lines that differ. */
static bool same(char *a, char *b)
{
	char *line_a, *line_b, *at_a = NULL, *at_b = NULL;

	if (!strcmp(a, b))
		return true;
	line_a = strtok_r(a, "\n", &at_a);
	line_b = strtok_r(b, "\n", &at_b);
	while (line_a && line_b && !strcmp(line_a, line_b)) {
		line_a = strtok_r(NULL, "\n", &at_a);
		line_b = strtok_r(NULL, "\n", &at_b);
	}
	diag("before: %s", line_a ?: "(end)");
	diag("after:  %s", line_b ?: "(end)");
	return false;
}

/* --- A row */

static int call_errno(const struct call *call, union arg *arg, const struct how *how)
{
	void *address = how->elsewhere ? how->address : arg;
	int fd = call_fd >= 0 ? call_fd : lkst_fd;
	long ret;

	if (!call->request)
		ret = read(fd, arg->read.to, arg->read.size);
	else if (_IOC_SIZE(call->request))
		ret = ioctl(fd, call->request, address);
	else
		ret = ioctl(fd, call->request, arg->number);
	return ret < 0 ? errno : 0;
}

static void drop_cap_sys_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		_exit(200);
	data[0].effective &= ~(1U << CAP_SYS_ADMIN);
	if (syscall(SYS_capset, &header, data))
		_exit(201);
}

/* With the descriptor that was opened by one who may. */
static int unprivileged_errno(const struct call *call, union arg *arg, const struct how *how)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		drop_cap_sys_admin();
		_exit(call_errno(call, arg, how));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		bail_out("child");
	return WEXITSTATUS(status);
}

static void nothing(void)
{
}

static const char *error_name(int error)
{
	return error ? strerrorname_np(error) : "0";
}

/*
 * Do what a row says: set up its state, call, look at the error and at the state, put everything
 * back.
 */
static void run(const struct call *call, const struct row *row, const struct how *how)
{
	void (*enter)(void) = row->enter ?: call->enter ?: nothing;
	void (*leave)(void) = row->leave ?: call->leave ?: nothing;
	char *base = state(), *before, *after, *end;
	union arg arg = row->arg;
	bool unchanged, clean;
	int got;

	enter();
	before = state();
	got = how->unprivileged ? unprivileged_errno(call, &arg, how) : call_errno(call, &arg, how);
	after = state();
	unchanged = !got || same(before, after);
	leave();
	end = state();
	clean = same(base, end);
	if (!ok(got == row->error && unchanged && clean, "%s: %s: %s", call->name,
		error_name(row->error), row->what))
		diag("got %s%s%s", error_name(got), unchanged ? "" : "; the call changed the state",
		     clean ? "" : "; not everything is as it was before");
	free(base);
	free(before);
	free(after);
	free(end);
}

static void run_rows(const struct call *call, const struct row *rows, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		run(call, &rows[i], &as_usual);
}

static void skip(const struct call *call, int error, const char *what, const char *why)
{
	tap_count++;
	printf("ok %u - %s: %s: %s # SKIP %s\n", tap_count, call->name, error_name(error), what,
	       why);
}

/* --- States, and the way back from all of them */

/* Every CPU records into buffer 0 and has no other. */
static void one_buffer(void)
{
	struct buffers buffers;
	int cpu, i;

	for (cpu = 0; cpu < cpus(); cpu++) {
		list_buffers(&buffers, cpu);
		if (!buffers.param.buffer_num)
			continue;
		if (jump(cpu, 0) || link_buffer(cpu, 0, VOID))
			bail_out("the way back to buffer 0");
		for (i = 1; i < buffers.param.buffer_num; i++)
			if (delete_buffer(cpu, buffers.ent[i].id))
				bail_out("BUFFER_DELETE");
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

static void next_is_not_there(void)
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
	if (call_fd < 0)
		bail_out("/dev/lkst");
}

static void close_call_fd(void)
{
	close(call_fd);
	call_fd = -1;
}

static void bind_call_fd(void)
{
	struct lkst_buffer_srmodparam param = { .cpu = 0, .mode = LKST_READ_MODE_STD };

	open_call_fd();
	if (ioctl(call_fd, LKST_IOC_BUFFER_SETRMOD, &param))
		bail_out("SETRMOD");
}

static void read_one(void)
{
	if (read(call_fd, records, sizeof(records[0])) != sizeof(records[0]))
		bail_out("read");
}

/* Of CPU 0: buffer 0 is being read, buffer 1 is written, each is the other's next. */
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

/* Ids 1 to 254 are taken: of CPU 0, or each of one of the two CPUs. */
static void all_ids_of_cpu_0(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(0, id, VOID, 4096), "BUFFER_CREATE");
}

static void all_ids_of_some_cpu(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(id & 1, id, VOID, 4096), "BUFFER_CREATE");
}

/* As much memory as LKST may have, but for less than a page. */
static void all_memory(void)
{
	uint64_t size = 1ULL << 30;
	int error = 0;

	while (size >= 4096) {
		error = create(1, VOID, VOID, size);
		if (error)
			size /= 2;
	}
	if (error != ENOMEM)
		bail_out("BUFFER_CREATE");
}

static int other_process;

static void bound_by_other_process(void)
{
	int pipes[2];
	char byte;

	if (pipe(pipes))
		bail_out("pipe");
	fflush(stdout);
	other_process = fork();
	if (!other_process) {
		bind_call_fd();
		if (write(pipes[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	if (read(pipes[0], &byte, 1) != 1)
		bail_out("child");
	close(pipes[0]);
	close(pipes[1]);
	open_call_fd();
}

static void end_other_process(void)
{
	kill(other_process, SIGKILL);
	waitpid(other_process, NULL, 0);
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

#define OWN_MASKSET 100

static const struct mask one_mask[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } };

static void own_maskset(void)
{
	need(write_maskset(OWN_MASKSET, "own", one_mask, 1), "MASKSET_WRITE");
}

static void own_maskset_is_selected(void)
{
	own_maskset();
	need(set_maskset(OWN_MASKSET), "MASKSET_SET");
}

static void all_masksets(void)
{
	char name[20];
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		need(write_maskset(id, name, one_mask, 1), "MASKSET_WRITE");
	}
}

/* The default maskset is selected, and those of ours are gone. */
static void own_masksets_gone(void)
{
	struct lkst_maskset_listparam list = { .listent_size = sizeof(masksets),
					       .listent = user(masksets) };
	int i, num = get_status().maskset_num;

	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	need(lkst(LKST_IOC_MASKSET_LIST, &list), "MASKSET_LIST");
	for (i = 3; i < num; i++)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, masksets[i].id), "MASKSET_DELETE");
}

/*
 * --- The calls, with arguments that are good
 *
 * Areas are smaller than a page: for larger ones the kernel makes up for an allocation that fails.
 */

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

/* Entries of every maskset. */
static unsigned int maskset_len(void)
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
		.maskset = user(&body),
	};
}

/* A body like this, and the structure that goes with it. */
static struct lkst_maskset_param write_param(int id, const char *name, unsigned int len,
					     const struct lkst_maskset_entry *entries)
{
	struct lkst_maskset_body *new = calloc(1, sizeof(*new));

	if (!new)
		bail_out("calloc");
	memcpy(new->name, name, strnlen(name, sizeof(new->name)));
	new->len = len;
	memcpy(new->entry, entries, len * sizeof(*entries));
	return (struct lkst_maskset_param){ .id = id,
					    .maskset_size = LKST_MASKSET_SIZE(len),
					    .maskset = user(new) };
}

static const struct lkst_maskset_entry one_entry[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } };

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

static void good_read_call(union arg *arg)
{
	arg->read.to = records;
	arg->read.size = sizeof(records);
}

enum {
	TRC_STATUS,
	TRC_START,
	TRC_STOP,
	TRC_STATEDUMP,
	MASKSET_READ,
	MASKSET_WRITE,
	MASKSET_OVERWRITE,
	MASKSET_SET,
	MASKSET_LIST,
	MASKSET_DELETE,
	EVHANDLER_LIST,
	EVHANDLER_CTRL,
	BUFFER_READ,
	BUFFER_READ_STATIC,
	BUFFER_CREATE,
	BUFFER_CREATE_ALL,
	BUFFER_SHIFT,
	BUFFER_JUMP,
	BUFFER_LINK,
	BUFFER_DELETE,
	BUFFER_LIST,
	BUFFER_SETRMOD,
	ENTRY_LOG,
	READ,
	CALLS
};

static const struct call calls[CALLS] = {
	[TRC_STATUS] = { "TRC_STATUS", LKST_IOC_TRC_STATUS, true, NULL, good_status },
	[TRC_START] = { "TRC_START", LKST_IOC_TRC_START, false, stop, good_nothing, start },
	[TRC_STOP] = { "TRC_STOP", LKST_IOC_TRC_STOP, false, NULL, good_nothing, start },
	[TRC_STATEDUMP] = { "TRC_STATEDUMP", LKST_IOC_TRC_STATEDUMP, false, NULL, good_nothing },
	[MASKSET_READ] = { "MASKSET_READ", LKST_IOC_MASKSET_READ, true, NULL, good_maskset_read },
	[MASKSET_WRITE] = { "MASKSET_WRITE", LKST_IOC_MASKSET_WRITE, true, NULL, good_maskset_new,
			    own_masksets_gone },
	[MASKSET_OVERWRITE] = { "MASKSET_WRITE over another", LKST_IOC_MASKSET_WRITE, true,
				own_maskset, good_maskset_over, own_masksets_gone },
	[MASKSET_SET] = { "MASKSET_SET", LKST_IOC_MASKSET_SET, false, NULL, good_maskset_set,
			  own_masksets_gone },
	[MASKSET_LIST] = { "MASKSET_LIST", LKST_IOC_MASKSET_LIST, true, NULL, good_maskset_list },
	[MASKSET_DELETE] = { "MASKSET_DELETE", LKST_IOC_MASKSET_DELETE, false, own_maskset,
			     good_maskset_delete, own_masksets_gone },
	[EVHANDLER_LIST] = { "EVHANDLER_LIST", LKST_IOC_EVHANDLER_LIST, true, NULL,
			     good_evhandler_list },
	[EVHANDLER_CTRL] = { "EVHANDLER_CTRL", LKST_IOC_EVHANDLER_CTRL, true, NULL, good_ctrl },
	[BUFFER_READ] = { "BUFFER_READ", LKST_IOC_BUFFER_READ, true, NULL, good_read },
	[BUFFER_READ_STATIC] = { "BUFFER_READ of the static buffer", LKST_IOC_BUFFER_READ, true,
				 NULL, good_read_static },
	[BUFFER_CREATE] = { "BUFFER_CREATE", LKST_IOC_BUFFER_CREATE, true, NULL, good_create,
			    one_buffer },
	[BUFFER_CREATE_ALL] = { "BUFFER_CREATE on all CPUs", LKST_IOC_BUFFER_CREATE, true, NULL,
				good_create_all, one_buffer },
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
			     good_mode, close_call_fd },
	[ENTRY_LOG] = { "ENTRY_LOG", LKST_IOC_ENTRY_LOG, false, NULL, good_entry },
	[READ] = { "read()", 0, false, first_is_being_read, good_read_call, no_reader_one_buffer },
};

/* --- Rows that every call has */

static void run_address(const struct call *call, const char *what, int error, void *address)
{
	const struct how how = { .elsewhere = true, .address = address };
	const struct row row = { .what = what, .error = error };

	run(call, &row, &how);
}

static void make_writable(void *page, bool writable)
{
	if (mprotect(page, page_size, PROT_READ | (writable ? PROT_WRITE : 0)))
		bail_out("mprotect");
}

/* "Argument is invalid", "failed to execute copy_to/from_user()". */
static void structure_rows(const struct call *call)
{
	size_t size = _IOC_SIZE(call->request);
	union arg good;

	call->good(&good);
	run_address(call, "the structure is NULL", EINVAL, NULL);
	run_address(call, "the structure is in a page that is not there", EINVAL, no_page);
	memcpy(before_end(size / 2), &good, size / 2);
	run_address(call, "the structure goes on in a page that is not there", EINVAL,
		    before_end(size / 2));
	memcpy(before_end(size), &good, size);
	run_address(call, "the structure ends where nothing more is", 0, before_end(size));
	if (!(_IOC_DIR(call->request) & _IOC_READ))
		return;
	make_writable(ro_page, true);
	memcpy(ro_page, &good, size);
	make_writable(ro_page, false);
	run_address(call, "the structure cannot be written", EINVAL, ro_page);
}

static void common_rows(const struct call *call)
{
	const struct how unprivileged = { .unprivileged = true };
	const struct how and_bad = { .unprivileged = true, .elsewhere = true, .address = no_page };
	struct row row = { .what = "success" };

	call->good(&row.arg);
	run(call, &row, &as_usual);
	row.what = "not the superuser";
	row.error = EPERM;
	run(call, &row, &unprivileged);
	if (!_IOC_SIZE(call->request))
		return;
	row.what = "not the superuser, and a bad address";
	run(call, &row, &and_bad);
	structure_rows(call);
}

/*
 * "Kernel cannot allocate memory": the first allocation of the call fails, then the second, and
 * so on until it makes no more. One that the kernel makes up for is no error.
 */
struct fault {
	int fd; /* this thread's fail-nth, or -1 */
	const char *why_not;
};

static struct fault fault = { -1, "this kernel cannot let memory run out" };

static bool fault_setting(const char *name, const char *value)
{
	char path[100];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	fd = open(path, O_WRONLY);
	done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	close(fd);
	return done;
}

static void fault_init(void)
{
	if (fault_setting("failslab/ignore-gfp-wait", "N") &&
	    fault_setting("failslab/verbose", "0") &&
	    fault_setting("fail_page_alloc/ignore-gfp-wait", "N") &&
	    fault_setting("fail_page_alloc/ignore-gfp-highmem", "N") &&
	    fault_setting("fail_page_alloc/min-order", "0") &&
	    fault_setting("fail_page_alloc/verbose", "0"))
		fault.fd = open("/proc/thread-self/fail-nth", O_RDWR);
}

static void fault_at(unsigned int nth)
{
	char text[20];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(fault.fd, text, len, 0) != len)
		bail_out("fail-nth");
}

/* Whether the call made that many allocations. */
static bool fault_was_reached(void)
{
	char text[20] = "";

	if (pread(fault.fd, text, sizeof(text) - 1, 0) < 1)
		bail_out("fail-nth");
	return atoi(text) == 0;
}

/* The call, with its @nth allocation failing. Returns whether there is an @nth. */
static bool call_with_fault(const struct call *call, unsigned int nth, unsigned int *failed,
			    bool *good)
{
	char *before, *after;
	union arg arg;
	bool reached;
	int got;

	if (call->enter)
		call->enter();
	call->good(&arg);
	before = state();
	fault_at(nth);
	got = call_errno(call, &arg, &as_usual);
	reached = fault_was_reached();
	fault_at(0);
	after = state();
	*failed += got == ENOMEM;
	if ((got && got != ENOMEM) || (got && !same(before, after))) {
		diag("%s with allocation %u failing", error_name(got), nth);
		*good = false;
	}
	if (call->leave)
		call->leave();
	free(before);
	free(after);
	return reached;
}

static void nomem_row(const struct call *call)
{
	const char *what = "memory runs out";
	unsigned int nth, failed = 0;
	bool good = true;
	char *base, *end;

	if (fault.fd < 0) {
		skip(call, ENOMEM, what, fault.why_not);
		return;
	}
	base = state();
	for (nth = 1; nth < 1000 && call_with_fault(call, nth, &failed, &good); nth++)
		;
	end = state();
	good &= same(base, end);
	if (good && !failed)
		skip(call, ENOMEM, what, "this call has no allocation that may not fail");
	else if (!ok(good, "%s: ENOMEM: %s", call->name, what))
		diag("%u allocations failed", failed);
	free(base);
	free(end);
}

/* --- The tables */

static void status_rows(const struct call *call)
{
	uint64_t *online = before_end(sizeof(*online));
	lkst_buffer_id *ids = before_end(cpus() * sizeof(*ids));
	const struct row rows[] = {
		{ "online_cpu: NULL with a length", EINVAL, .arg.status = { .online_cpu_len = 8 } },
		{ "online_cpu is not there", EINVAL,
		  .arg.status = { .online_cpu = user(no_page), .online_cpu_len = 8 } },
		{ "online_cpu cannot be written", EINVAL,
		  .arg.status = { .online_cpu = user(ro_page), .online_cpu_len = 8 } },
		{ "online_cpu_len is no multiple of 8", EINVAL,
		  .arg.status = { .online_cpu = user(online), .online_cpu_len = 7 } },
		{ "online_cpu_len is negative", EINVAL,
		  .arg.status = { .online_cpu = user(online), .online_cpu_len = -8 } },
		{ "write_buf is not there", EINVAL,
		  .arg.status = { .write_buf = user(no_page), .cpu_num = 1 } },
		{ "write_buf cannot be written", EINVAL,
		  .arg.status = { .write_buf = user(ro_page), .cpu_num = 1 } },
		{ "read_buf is not there", EINVAL,
		  .arg.status = { .read_buf = user(no_page), .cpu_num = 1 } },
		{ "read_buf goes on where nothing is", EINVAL,
		  .arg.status = { .read_buf = user(ids + 1), .cpu_num = cpus() } },
		{ "cpu_num is negative", EINVAL,
		  .arg.status = { .read_buf = user(ids), .cpu_num = -1 } },
		{ "no more is stored than there are CPUs", 0,
		  .arg.status = { .online_cpu = user(online),
				  .online_cpu_len = 64,
				  .write_buf = user(ids),
				  .read_buf = user(ids),
				  .cpu_num = 1000 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void maskset_read_rows(const struct call *call)
{
	unsigned int len = maskset_len();
	char *fits = before_end(page_size - 8);
	const struct row rows[] = {
		{ "maskset is NULL", EINVAL,
		  .arg.maskset = { .id = 2, .maskset_size = sizeof(body) } },
		{ "maskset is not there", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(body),
				   .maskset = user(no_page) } },
		{ "maskset cannot be written", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(body),
				   .maskset = user(ro_page) } },
		{ "maskset goes on where nothing is", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(body),
				   .maskset = user(before_end(LKST_MASKSET_SIZE(len) - 1)) } },
		{ "no more is stored than the maskset has", 0,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(body),
				   .maskset = user(before_end(LKST_MASKSET_SIZE(len))) } },
		{ "maskset_size is 0", EINVAL, .arg.maskset = { .id = 2, .maskset = user(fits) } },
		{ "maskset_size is too small", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = LKST_MASKSET_SIZE(len) - 1,
				   .maskset = user(fits) } },
		{ "maskset_size is negative", EINVAL,
		  .arg.maskset = { .id = 2, .maskset_size = -1, .maskset = user(fits) } },
		{ "id is negative", EINVAL,
		  .arg.maskset = { .id = -1,
				   .maskset_size = sizeof(body),
				   .maskset = user(&body) } },
		{ "id is out of range", EINVAL,
		  .arg.maskset = { .id = 256,
				   .maskset_size = sizeof(body),
				   .maskset = user(&body) } },
		{ "there is no such maskset", EINVAL,
		  .arg.maskset = { .id = 77,
				   .maskset_size = sizeof(body),
				   .maskset = user(&body) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* An event type that this kernel has no source for; 0: there is none. */
static int absent_etype(void)
{
	FILE *etypes = fopen("/proc/lkst_etypes", "r");
	int etype, absent = 0;
	char line[300];

	if (!etypes)
		bail_out("/proc/lkst_etypes");
	while (fgets(line, sizeof(line), etypes))
		if (strstr(line, "absent") && sscanf(line, "%i", &etype) == 1)
			absent = etype;
	fclose(etypes);
	return absent;
}

#define ENTRIES(...)                                                      \
	ARRAY_SIZE(((const struct lkst_maskset_entry[]){ __VA_ARGS__ })), \
		(const struct lkst_maskset_entry[])                       \
	{                                                                 \
		__VA_ARGS__                                               \
	}

/* A maskset with these entries. */
#define WRITE(...) .arg.maskset = write_param(VOID, "new", ENTRIES(__VA_ARGS__))

static void maskset_write_rows(const struct call *call)
{
	struct lkst_maskset_param one = write_param(VOID, "new", 1, one_entry);
	static struct lkst_maskset_body too_long = { "new", LKST_MASKSET_TABLE_LEN_MAX + 1 };
	const char *no_end = "name of LKST_MASKSET_NAME_LEN chars";
	void *last = before_end(LKST_MASKSET_SIZE(1));
	int absent = absent_etype();
	const struct row rows[] = {
		{ "maskset is NULL", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size } },
		{ "maskset is not there", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(no_page) } },
		{ "maskset goes on where nothing is", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(last) + 1 } },
		{ "maskset ends where nothing more is", 0,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(last) } },
		{ "maskset_size is 0", EINVAL, .arg.maskset = { VOID, .maskset = one.maskset } },
		{ "maskset_size is too small for any maskset", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(0) - 1,
				   .maskset = one.maskset } },
		{ "maskset_size is too small for its len", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(1) - 1,
				   .maskset = one.maskset } },
		{ "maskset_size is negative", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = -1, .maskset = one.maskset } },
		{ "len is too large", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(too_long.len),
				   .maskset = user(&too_long) } },
		{ "id is negative", EINVAL, .arg.maskset = write_param(-1, "new", 1, one_entry) },
		{ "id is out of range", EINVAL,
		  .arg.maskset = write_param(256, "new", 1, one_entry) },
		{ "id is that of the maskset nothing", EINVAL,
		  .arg.maskset = write_param(0, "new", 1, one_entry) },
		{ "id is that of the maskset all", EINVAL,
		  .arg.maskset = write_param(1, "new", 1, one_entry) },
		{ "no name for a new id", EINVAL,
		  .arg.maskset = write_param(VOID, "", 1, one_entry) },
		{ "no name for a new id that was given", EINVAL,
		  .arg.maskset = write_param(77, "", 1, one_entry) },
		{ "the name has no end", EINVAL,
		  .arg.maskset = write_param(VOID, no_end, 1, one_entry) },
		{ "the name is that of another maskset", EINVAL,
		  .arg.maskset = write_param(VOID, "default", 1, one_entry) },
		{ "event type is negative", EINVAL, WRITE({ -1, 1 }) },
		{ "event type is out of range", EINVAL, WRITE({ 0x1000, 1 }) },
		{ "event type is out of range and masked", EINVAL, WRITE({ 0x1000, 0 }) },
		{ "event type is not registered", EINVAL,
		  WRITE({ USER_MARK, 1 }, { UNREGISTERED, 1 }) },
		{ "event type is not registered, but masked", 0, WRITE({ UNREGISTERED, 0 }) },
		{ "event type is there twice", EINVAL, WRITE({ USER_MARK, 1 }, { USER_MARK, 1 }) },
		{ "event handler is negative", EINVAL, WRITE({ USER_MARK, -1 }) },
		{ "event handler is out of range", EINVAL, WRITE({ USER_MARK, 0x1000 }) },
		{ "event handler does not exist", EINVAL, WRITE({ USER_MARK, 0xfff }) },
		/*
		 * Nothing records locks yet, so that this row cannot tell for which of the two
		 * reasons it is refused.
		 */
		{ "lock events, and waking the daemon", EINVAL,
		  WRITE({ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW }, { LOCK_EVENT, 1 }) },
		{ "locks masked, and waking the daemon", 0,
		  WRITE({ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW }, { LOCK_EVENT, 0 }) },
		{ "no id is free", EBUSY, .arg.maskset = one, .enter = all_masksets },
		{ "LKST's memory is used up", ENOMEM, .arg.maskset = one, .enter = all_memory,
		  .leave = one_buffer },
	};
	const struct row absent_row = { "event type is absent", EINVAL, WRITE({ absent, 1 }) };

	memcpy(last, (void *)(uintptr_t)one.maskset, LKST_MASKSET_SIZE(1));
	run_rows(call, rows, ARRAY_SIZE(rows));
	if (absent)
		run(call, &absent_row, &as_usual);
	else
		skip(call, EINVAL, absent_row.what, "this kernel has all");
	skip(call, EBUSY, "the maskset is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

/* The specification's rows are about the maskset itself, which the first call's are, too. */
static void maskset_over_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the name is that of another maskset", EINVAL,
		  .arg.maskset = write_param(OWN_MASKSET, "default", 1, one_entry) },
		{ "an entry behind a good one is bad", EINVAL,
		  .arg.maskset = write_param(OWN_MASKSET, "other",
					     ENTRIES({ PROCESS_FORK, 1 }, { USER_MARK, 0xfff })) },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void maskset_set_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.number = -1 },
		{ "id is VOID", EINVAL, .arg.number = LKST_MASKSET_ID_VOID },
		{ "id is out of range", EINVAL, .arg.number = 256 },
		{ "there is no such maskset", EINVAL, .arg.number = 77 },
		{ "LKST is stopped", EBUSY, .arg.number = 2, .enter = stop, .leave = start },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "the selected maskset is not initialized",
	     "one is selected before there is a device");
}

static void maskset_list_rows(const struct call *call)
{
	int num = get_status().maskset_num;
	size_t size = LKST_MASKSET_LISTENT_SIZE(num);
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.maskset_list = { .listent_size = size } },
		{ "listent is NULL, of size 0", EINVAL },
		{ "listent is not there", EINVAL,
		  .arg.maskset_list = { .listent_size = size, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.maskset_list = { .listent_size = size, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.maskset_list = { .listent_size = size,
					.listent = user(before_end(size - 1)) } },
		{ "no more is stored than the list has", 0,
		  .arg.maskset_list = { .listent_size = 100000000,
					.listent = user(before_end(size)) } },
		{ "no more is stored than there is room for", 0,
		  .arg.maskset_list = { .listent_size = LKST_MASKSET_LISTENT_SIZE(1) + 1,
					.listent =
						user(before_end(LKST_MASKSET_LISTENT_SIZE(1))) } },
		{ "listent_size is negative", EINVAL,
		  .arg.maskset_list = { .listent_size = -1, .listent = user(masksets) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void maskset_delete_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the maskset nothing", EINVAL, .arg.number = 0 },
		{ "the maskset all", EINVAL, .arg.number = 1 },
		{ "the default maskset", EINVAL, .arg.number = 2 },
		{ "there is no such maskset", EINVAL, .arg.number = 77 },
		{ "id is negative", EINVAL, .arg.number = -1 },
		{ "id is out of range", EINVAL, .arg.number = 256 },
		{ "the maskset is selected", EBUSY, .arg.number = OWN_MASKSET,
		  .enter = own_maskset_is_selected },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void evhandler_list_rows(const struct call *call)
{
	int num = get_status().evhandler_num;
	size_t size = LKST_EVHANDLER_LISTENT_SIZE(num);
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.evhandler_list = { .listent_size = size } },
		{ "listent is not there", EINVAL,
		  .arg.evhandler_list = { .listent_size = size, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.evhandler_list = { .listent_size = size, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.evhandler_list = { .listent_size = size,
					  .listent = user(before_end(size - 1)) } },
		{ "no more is stored than the list has", 0,
		  .arg.evhandler_list = { .listent_size = 100000000,
					  .listent = user(before_end(size)) } },
		{ "no more is stored than there is room for", 0,
		  .arg.evhandler_list = { .listent_size = LKST_EVHANDLER_LISTENT_SIZE(1) + 1,
					  .listent = user(
						  before_end(LKST_EVHANDLER_LISTENT_SIZE(1))) } },
		{ "listent_size is negative", EINVAL,
		  .arg.evhandler_list = { .listent_size = -1, .listent = user(handlers) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void ctrl_rows(const struct call *call)
{
	int id = ctrl_handler;
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.ctrl = { -1 } },
		{ "id is out of range", EINVAL, .arg.ctrl = { LKST_EVHANDLER_ID_VOID } },
		{ "there is no such event handler", EINVAL, .arg.ctrl = { 0xfff } },
		{ "it has no control function", EINVAL,
		  .arg.ctrl = { LKST_EVHANDLER_ID_ENTRY_LOG } },
		{ "buf is NULL, bufsize is not 0", EINVAL, .arg.ctrl = { id, .bufsize = 1 } },
		{ "buf is NULL, bufsize is 0", 0, .arg.ctrl = { id } },
		{ "bufsize is 0, buf is not NULL", EINVAL, .arg.ctrl = { id, .buf = user(area) } },
		{ "bufsize is negative", EINVAL,
		  .arg.ctrl = { id, .buf = user(area), .bufsize = -1 } },
		{ "bufsize is too large", EINVAL,
		  .arg.ctrl = { id, .buf = user(area),
				.bufsize = LKST_EVHANDLER_CTRL_SIZE_MAX + 1 } },
		{ "bufsize is as large as it may be", 0,
		  .arg.ctrl = { id, .buf = user(area), .bufsize = LKST_EVHANDLER_CTRL_SIZE_MAX } },
		{ "buf is not there", EINVAL,
		  .arg.ctrl = { id, .buf = user(no_page), .bufsize = 1 } },
		{ "buf cannot be written", EINVAL,
		  .arg.ctrl = { id, .buf = user(ro_page), .bufsize = 1 } },
		{ "buf goes on where nothing is", EINVAL,
		  .arg.ctrl = { id, .buf = user(before_end(8)), .bufsize = 9 } },
		{ "buf ends where nothing more is", 0,
		  .arg.ctrl = { id, .buf = user(before_end(8)), .bufsize = 8 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* What the control function makes of its area, and returns, reaches the process. */
static void ctrl_copies(const struct call *call)
{
	union arg arg;
	bool inverted;

	call->good(&arg);
	memset(area, 0xf0, sizeof(area));
	inverted = !ioctl(lkst_fd, call->request, &arg) && area[0] == 0x0f && area[99] == 0x0f;
	ok(inverted && area[100] == 0xf0, "%s: 0: the area is copied in and out", call->name);
	ok(arg.ctrl.ret == 0x0f && arg.ctrl.buf == user(area) && arg.ctrl.bufsize == 100,
	   "%s: 0: ret is what the control function returned", call->name);
}

static void buffer_read_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "buffer is NULL", EINVAL, .arg.log_buffer = { .read_size = sizeof(records) } },
		{ "buffer is not there", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records), .buffer = user(no_page) } },
		{ "buffer cannot be written", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records), .buffer = user(ro_page) } },
		{ "buffer goes on where nothing is", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records),
				      .buffer = user(before_end(1000)) } },
		{ "buffer ends where nothing more is", 0,
		  .arg.log_buffer = { .read_size = sizeof(records[0]) * 2 - 1,
				      .buffer = user(before_end(sizeof(records[0]))) } },
		{ "read_size is 0", EINVAL, .arg.log_buffer = { .buffer = user(records) } },
		{ "read_size is less than a record", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records[0]) - 1,
				      .buffer = user(records) } },
		{ "read_size is negative", EINVAL,
		  .arg.log_buffer = { .read_size = -1, .buffer = user(records) } },
		{ "id is negative", EINVAL,
		  .arg.log_buffer = { .id = -1,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is out of range", EINVAL,
		  .arg.log_buffer = { .id = 256,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is VOID, of a CPU", EINVAL,
		  .arg.log_buffer = { .id = VOID,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is not VOID, of no CPU", EINVAL,
		  .arg.log_buffer = { .cpu = -1,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "cpu is negative", EINVAL,
		  .arg.log_buffer = { .cpu = -2,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "there is no such CPU", EINVAL,
		  .arg.log_buffer = { .cpu = NO_CPU,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "there is no such buffer", EINVAL,
		  .arg.log_buffer = { .id = 77,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void create_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.buffer = { -1, VOID, .size = 4096 } },
		{ "id is out of range", EINVAL, .arg.buffer = { 256, VOID, .size = 4096 } },
		{ "the buffer exists", EINVAL, .arg.buffer = { 0, VOID, .size = 4096 } },
		{ "next is negative", EINVAL, .arg.buffer = { 1, -1, .size = 4096 } },
		{ "next is out of range", EINVAL, .arg.buffer = { 1, 256, .size = 4096 } },
		{ "next is the buffer itself", EINVAL, .arg.buffer = { 1, 1, .size = 4096 } },
		{ "next does not exist", 0, .arg.buffer = { 1, 77, .size = 4096 } },
		{ "cpu is negative", EINVAL, .arg.buffer = { 1, VOID, -2, .size = 4096 } },
		{ "there is no such CPU", EINVAL, .arg.buffer = { 1, VOID, NO_CPU, .size = 4096 } },
		{ "size is 0", EINVAL, .arg.buffer = { 1, VOID } },
		{ "size is too small", EINVAL, .arg.buffer = { 1, VOID, .size = 4095 } },
		{ "size is too large", EINVAL, .arg.buffer = { 1, VOID, .size = 1ULL << 40 } },
		{ "size is negative", EINVAL, .arg.buffer = { 1, VOID, .size = -1 } },
		{ "no id is free", ENOSPC, .arg.buffer = { VOID, VOID, .size = 4096 },
		  .enter = all_ids_of_cpu_0 },
		{ "LKST's memory is used up", ENOMEM, .arg.buffer = { 1, VOID, .size = 4096 },
		  .enter = all_memory },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

static void create_all_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the buffer exists on one CPU", EINVAL, .arg.buffer = { 1, VOID, -1, 0, 4096 },
		  .enter = second_buffer },
		{ "no id is free on all CPUs", ENOSPC, .arg.buffer = { VOID, VOID, -1, 0, 4096 },
		  .enter = all_ids_of_some_cpu },
		{ "LKST's memory is used up", ENOMEM, .arg.buffer = { VOID, VOID, -1, 0, 4096 },
		  .enter = all_memory },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void shift_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.number = -1 },
		{ "there is no such CPU", EINVAL, .arg.number = NO_CPU },
		{ "there is no next buffer", EINVAL, .enter = second_buffer },
		{ "the next buffer does not exist", EINVAL, .enter = next_is_not_there },
		{ "the next buffer is being read", EBUSY, .enter = first_is_being_read,
		  .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

static void jump_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.jump = { -1, 1 } },
		{ "there is no such CPU", EINVAL, .arg.jump = { NO_CPU, 1 } },
		{ "dest is negative", EINVAL, .arg.jump = { 0, -1 } },
		{ "dest is VOID", EINVAL, .arg.jump = { 0, VOID } },
		{ "dest is out of range", EINVAL, .arg.jump = { 0, 256 } },
		{ "dest does not exist", EINVAL, .arg.jump = { 0, 77 } },
		{ "dest does not exist on this CPU", EINVAL, .arg.jump = { 1, 1 } },
		{ "dest is written", 0, .arg.jump = { 0, 0 } },
		{ "dest is being read", EBUSY, .arg.jump = { 0, 0 }, .enter = first_is_being_read,
		  .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

static void link_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.link = { -1, 0, 1 } },
		{ "there is no such CPU", EINVAL, .arg.link = { NO_CPU, 0, 1 } },
		{ "next is the buffer itself", EINVAL, .arg.link = { 0, 1, 1 } },
		{ "next is negative", EINVAL, .arg.link = { 0, 0, -1 } },
		{ "next is out of range", EINVAL, .arg.link = { 0, 0, 256 } },
		{ "next does not exist", 0, .arg.link = { 0, 0, 77 } },
		{ "next is VOID", 0, .arg.link = { 0, 0, VOID } },
		{ "id is negative", EINVAL, .arg.link = { 0, -1, 1 } },
		{ "id is VOID", EINVAL, .arg.link = { 0, VOID, 1 } },
		{ "id is out of range", EINVAL, .arg.link = { 0, 256, 1 } },
		{ "id does not exist", EINVAL, .arg.link = { 0, 77, 1 } },
		{ "id does not exist on this CPU", EINVAL, .arg.link = { 1, 1, 0 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

static void delete_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is 0", EINVAL, .arg.delete = { 0, 0 } },
		{ "id is 0, and another buffer is written", EINVAL, .arg.delete = { 0, 0 },
		  .enter = second_is_written },
		{ "id is negative", EINVAL, .arg.delete = { 0, -1 } },
		{ "id is VOID", EINVAL, .arg.delete = { 0, VOID } },
		{ "id is out of range", EINVAL, .arg.delete = { 0, 256 } },
		{ "there is no such buffer", EINVAL, .arg.delete = { 0, 77 } },
		{ "there is no such buffer on this CPU", EINVAL, .arg.delete = { 1, 1 } },
		{ "cpu is negative", EINVAL, .arg.delete = { -1, 1 } },
		{ "there is no such CPU", EINVAL, .arg.delete = { NO_CPU, 1 } },
		{ "the buffer is written", EBUSY, .arg.delete = { 0, 1 },
		  .enter = second_is_written },
		{ "the buffer is being read", EBUSY, .arg.delete = { 0, 1 },
		  .enter = second_is_being_read, .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void buffer_list_rows(const struct call *call)
{
	struct lkst_buffer_listent *one = before_end(sizeof(*one));
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.buffer_list = { .listent_num = 1 } },
		{ "listent is not there", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(one) + 1 } },
		{ "no more is stored than the list has", 0,
		  .arg.buffer_list = { .listent_num = 1000000, .listent = user(one) } },
		{ "listent_num is 0", 0, .arg.buffer_list = { .listent = user(no_page) } },
		{ "listent_num is negative", EINVAL,
		  .arg.buffer_list = { .listent_num = -1, .listent = user(one) } },
		{ "cpu is negative", EINVAL,
		  .arg.buffer_list = { .cpu = -1, .listent_num = 1, .listent = user(one) } },
		{ "there is no such CPU", EINVAL,
		  .arg.buffer_list = { .cpu = NO_CPU, .listent_num = 1, .listent = user(one) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void setrmod_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.mode = { .cpu = -1 } },
		{ "there is no such CPU", EINVAL, .arg.mode = { .cpu = NO_CPU } },
		{ "mode is negative", EINVAL, .arg.mode = { .mode = -1 } },
		{ "there is no such mode", EINVAL, .arg.mode = { .mode = 2 } },
		{ "another process is bound to the CPU", EBUSY, .arg.mode = { .cpu = 0 },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "another process is bound to another CPU", 0, .arg.mode = { .cpu = 1 },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "this process is bound to another CPU", EBUSY, .arg.mode = { .cpu = 1 },
		  .enter = bind_call_fd },
		{ "this process is bound to the CPU", 0, .arg.mode = { .cpu = 0 },
		  .enter = bind_call_fd },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

static void entry_log_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "event type is negative", EINVAL, .arg.entry = { -1 } },
		{ "event type is out of range", EINVAL, .arg.entry = { 0x1000 } },
		{ "event type is not registered", EINVAL, .arg.entry = { UNREGISTERED } },
		{ "event type is one of LKST's own", EINVAL, .arg.entry = { BUFF_SHIFT } },
		{ "event type is masked", 0, .arg.entry = { USER_MARK }, .enter = stop,
		  .leave = start },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* An address that no program can have is EFAULT: the kernel says so before it asks LKST. */
static void read_rows(const struct call *call)
{
	size_t size = sizeof(records[0]);
	const struct row rows[] = {
		{ "the address is NULL", EINVAL, .arg.read = { NULL, size } },
		{ "the address is not there", EINVAL, .arg.read = { no_page, size } },
		{ "the address cannot be written", EINVAL, .arg.read = { ro_page, size } },
		{ "the record goes on where nothing is", EINVAL,
		  .arg.read = { before_end(size - 1), size } },
		{ "the record ends where nothing more is", 0,
		  .arg.read = { before_end(size), size } },
		{ "the size is 0", EINVAL, .arg.read = { records, 0 } },
		{ "the size is less than a record", EINVAL, .arg.read = { records, size - 1 } },
		{ "the process is not bound", EBUSY, .arg.read = { records, size },
		  .enter = open_call_fd, .leave = close_call_fd },
		{ "the process is not bound, but another one", EBUSY, .arg.read = { records, size },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "the queue is empty, and O_NONBLOCK", EAGAIN, .arg.read = { records, size },
		  .enter = bind_call_fd, .leave = close_call_fd },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* --- Requests that are none */

static void no_requests(void)
{
	static const struct call none[] = {
		{ "the retired BUFFER_RING", LKST_IOC_BUFFER_RING },
		{ "an unknown number", _IO(LKST_IOC_MAGIC, 0x7f) },
		{ "an unknown size", _IOWR(LKST_IOC_MAGIC, 0x10, char[999]) },
		{ "another driver's request", 0x5401 },
	};
	const struct how unprivileged = { .unprivileged = true };
	const struct row unknown = { "there is no such call", ENOTTY };
	const struct row not_allowed = { "not the superuser", EPERM };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		run(&none[i], &unknown, &as_usual);
		run(&none[i], &not_allowed, &unprivileged);
	}
}

static void (*const rows[CALLS])(const struct call *call) = {
	[TRC_STATUS] = status_rows,
	[MASKSET_READ] = maskset_read_rows,
	[MASKSET_WRITE] = maskset_write_rows,
	[MASKSET_OVERWRITE] = maskset_over_rows,
	[MASKSET_SET] = maskset_set_rows,
	[MASKSET_LIST] = maskset_list_rows,
	[MASKSET_DELETE] = maskset_delete_rows,
	[EVHANDLER_LIST] = evhandler_list_rows,
	[EVHANDLER_CTRL] = ctrl_rows,
	[BUFFER_READ] = buffer_read_rows,
	[BUFFER_CREATE] = create_rows,
	[BUFFER_CREATE_ALL] = create_all_rows,
	[BUFFER_SHIFT] = shift_rows,
	[BUFFER_JUMP] = jump_rows,
	[BUFFER_LINK] = link_rows,
	[BUFFER_DELETE] = delete_rows,
	[BUFFER_LIST] = buffer_list_rows,
	[BUFFER_SETRMOD] = setrmod_rows,
	[ENTRY_LOG] = entry_log_rows,
	[READ] = read_rows,
};

static void *map(int protection)
{
	void *page = mmap(NULL, page_size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		bail_out("mmap");
	return page;
}

static void map_pages(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	no_page = map(PROT_NONE);
	ro_page = map(PROT_READ);
	last_page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	if (last_page == MAP_FAILED || munmap(last_page + page_size, page_size))
		bail_out("mmap");
}

static void find_ctrl_handler(const char *module)
{
	int i, fd = open(module, O_RDONLY), num;
	struct lkst_evhandler_listparam list = { .listent_size = sizeof(handlers),
						 .listent = user(handlers) };

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		bail_out(module);
	close(fd);
	need(lkst(LKST_IOC_EVHANDLER_LIST, &list), "EVHANDLER_LIST");
	num = get_status().evhandler_num;
	for (i = 0; i < num; i++)
		if (!strcmp(handlers[i].name, "functions"))
			ctrl_handler = handlers[i].id;
	if (ctrl_handler < 0)
		bail_out("event handler functions");
}

int main(void)
{
	const struct call *call;

	open_lkst();
	map_pages();
	fault_init();
	find_ctrl_handler("modules/functions.ko");
	if (cpus() < 2 || written_buffer(0) != 0)
		bail_out("want two CPUs that record into their buffers 0");

	for (call = calls; call < calls + CALLS; call++) {
		common_rows(call);
		if (rows[call - calls])
			rows[call - calls](call);
		if (call->nomem)
			nomem_row(call);
	}
	ctrl_copies(&calls[EVHANDLER_CTRL]);
	no_requests();
	if (syscall(SYS_delete_module, "functions", 0))
		bail_out("delete_module");
	return done_testing();
}
