// SPDX-License-Identifier: GPL-2.0
/*
 * The functions for kernel code, each row of each table of return values in section 4.7.2 of
 * the specification. Reading /proc/lkst_functions runs them, on the reader's CPU, which must
 * not change, and gives the results in TAP; /proc/lkst_functions_busy those which need a buffer
 * that is being read: tests/vm/functions.c sees to that.
 *
 * Event handler "functions" has the control function that tests/vm/ioctl_errors.c calls.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_class.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_private.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

/* Room for the results: a file that does not fit would be made twice. */
#define OUTPUT_SIZE	(256 * 1024)

#define CPU_MAX		NR_CPUS

#define OWN_ETYPE	0x1e0
#define OTHER_ETYPE	0x1e1
#define OWN_MASKSET	100

LKST_ETYPE_DEF_MODULE(OWN_ETYPE, NORMAL, FUNCTIONS, "kernel functions", "arg1:hex", "", "", "");

/* What LKST is asked to do in some context: one of its functions. */
typedef int (*lkst_call)(void);

/* --- Results */

static DEFINE_MUTEX(run_mutex);		/* one reader at a time; protects all of the below */
static struct seq_file *out;
static unsigned int result_count;

static void __printf(2, 3) ok(bool good, const char *what, ...)
{
	struct va_format text = { .fmt = what };
	va_list args;

	va_start(args, what);
	text.va = &args;
	seq_printf(out, "%sok %u - %pV\n", good ? "" : "not ", ++result_count, &text);
	va_end(args);
}

static void skip(const char *what, const char *why)
{
	seq_printf(out, "ok %u - %s # SKIP %s\n", ++result_count, what, why);
}

/* --- The state: what a call that fails must not change */

struct snapshot {
	struct lkst_trc_status status;
	lkst_buffer_id write_buf[CPU_MAX];
	u32 masksets;
	u32 evhandlers;
};

static struct lkst_maskset_body *body;
static struct lkst_maskset_listent *masksets;
static struct lkst_evhandler_listent *evhandlers;

static u64 address(const void *p)
{
	return (unsigned long)p;
}

static int read_maskset(int id, u64 size, void *area)
{
	struct lkst_maskset_param param = { .id = id, .maskset_size = size,
					    .maskset = address(area) };

	return lkst_maskset_read(&param);
}

static int list_masksets(u64 size, void *area)
{
	struct lkst_maskset_listparam param = { .listent_size = size, .listent = address(area) };

	return lkst_maskset_list(&param);
}

static int list_evhandlers(u64 size, void *area)
{
	struct lkst_evhandler_listparam param = { .listent_size = size,
						  .listent = address(area) };

	return lkst_evhandler_list(&param);
}

#define MASKSETS_SIZE	LKST_MASKSET_LISTENT_SIZE(LKST_MASKSET_ID_MAX + 1)
#define EVHANDLERS_SIZE	LKST_EVHANDLER_LISTENT_SIZE(LKST_EVHANDLER_ID_MAX + 1)

static u32 sum_of_masksets(int num)
{
	u32 sum = 0;
	int i;

	memset(masksets, 0, MASKSETS_SIZE);
	list_masksets(MASKSETS_SIZE, masksets);
	for (i = 0; i < num; i++) {
		read_maskset(masksets[i].id, sizeof(*body), body);
		sum = jhash(body, LKST_MASKSET_SIZE(body->len), sum + masksets[i].id);
	}
	return sum;
}

static u32 sum_of_evhandlers(int num)
{
	list_evhandlers(EVHANDLERS_SIZE, evhandlers);
	return jhash(evhandlers, LKST_EVHANDLER_LISTENT_SIZE(num), 0);
}

static struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	lkst_trc_status(&status);
	return status;
}

static void take_snapshot(struct snapshot *snapshot)
{
	struct lkst_trc_status *status = &snapshot->status;

	memset(snapshot, 0, sizeof(*snapshot));
	status->write_buf = address(snapshot->write_buf);
	status->cpu_num = CPU_MAX;
	lkst_trc_status(status);
	/* They go on by themselves. */
	status->write_buf = 0;
	status->static_buffer_recid = 0;
	status->lost = 0;
	snapshot->masksets = sum_of_masksets(status->maskset_num);
	snapshot->evhandlers = sum_of_evhandlers(status->evhandler_num);
}

static const char *difference(const struct snapshot *a, const struct snapshot *b)
{
	if (a->status.memory != b->status.memory)
		return "memory";
	if (memcmp(&a->status, &b->status, sizeof(a->status)))
		return "status";
	if (memcmp(a->write_buf, b->write_buf, sizeof(a->write_buf)))
		return "the buffer that is written";
	if (a->masksets != b->masksets)
		return "masksets";
	if (a->evhandlers != b->evhandlers)
		return "event handlers";
	return NULL;
}

/* --- A row */

static struct snapshot before, after, base;

static void finish_row(const char *what, int got, int want)
{
	const char *changed;

	take_snapshot(&after);
	changed = want < 0 ? difference(&before, &after) : NULL;
	ok(got == want && !changed, "%s", what);
	if (got != want)
		seq_printf(out, "# got %d, wanted %d\n", got, want);
	if (changed)
		seq_printf(out, "# changed: %s\n", changed);
}

/* A call, what it returns, and that it has changed nothing if that is an error. */
#define ROW(want, what, call) do {				\
	int row_got;						\
								\
	take_snapshot(&before);					\
	row_got = (call);					\
	finish_row(what, row_got, want);			\
} while (0)

/*
 * Memory runs out: the first allocation of the call fails, then the second, and so on until it
 * makes no more. One that the kernel makes up for is no error.
 */
#ifdef CONFIG_FAULT_INJECTION
static void finish_nomem(const char *what, int failed, int other)
{
	const char *changed;

	take_snapshot(&after);
	changed = difference(&before, &after);
	ok(failed && !other && !changed, "%s", what);
	if (!failed || other || changed)
		seq_printf(out, "# failed %d times; another error: %d; changed: %s\n", failed,
			   other, changed ?: "nothing");
}

#define NOMEM(what, call, undo) do {				\
	int nth = 0, got, failed = 0, other = 0;		\
	bool reached = true;					\
								\
	take_snapshot(&before);					\
	while (reached && nth < 1000) {				\
		current->fail_nth = ++nth;			\
		got = (call);					\
		reached = !current->fail_nth;			\
		current->fail_nth = 0;				\
		if (got >= 0)					\
			undo;					\
		else if (got == -ENOMEM)			\
			failed++;				\
		else						\
			other = got;				\
	}							\
	finish_nomem(what, failed, other);			\
} while (0)
#else
#define NOMEM(what, call, undo)	skip(what, "this kernel cannot let memory run out")
#endif

/* --- 4.7.2.1 */

static int status_of(u64 online_cpu, u32 online_cpu_len, u64 write_buf, u64 read_buf, u32 cpu_num)
{
	struct lkst_trc_status status = { .online_cpu = online_cpu,
					  .online_cpu_len = online_cpu_len,
					  .write_buf = write_buf, .read_buf = read_buf,
					  .cpu_num = cpu_num };

	return lkst_trc_status(&status);
}

static void test_status(void)
{
	lkst_buffer_id ids[3] = { 77, 77, 77 };
	u64 online[2] = { 0, 77 };

	ROW(-EINVAL, "lkst_trc_status: NULL", lkst_trc_status(NULL));
	ROW(-EINVAL, "lkst_trc_status: online_cpu is NULL", status_of(0, 8, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: online_cpu_len is no multiple of 8",
	    status_of(address(online), 7, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: online_cpu_len is negative",
	    status_of(address(online), -8, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: cpu_num is negative",
	    status_of(0, 0, address(ids), 0, -1));
	ROW(0, "lkst_trc_status: success", status_of(address(online), 8, address(ids), 0, 1));
	ok(online[0] == cpumask_bits(cpu_online_mask)[0] && online[1] == 77,
	   "lkst_trc_status: online_cpu, as far as it goes");
	ok(ids[0] == 0 && ids[1] == 77, "lkst_trc_status: write_buf, as far as it goes");
	ROW(0, "lkst_trc_status: success", status_of(0, 0, 0, address(ids), 1));
	ok(ids[0] == LKST_BUFFER_ID_VOID && ids[1] == 77,
	   "lkst_trc_status: read_buf, as far as it goes");
}

static void test_start_stop(void)
{
	ROW(0, "lkst_trc_start: success, while it runs", lkst_trc_start());
	ROW(0, "lkst_trc_stop: success", lkst_trc_stop());
	ok(get_status().state == LKST_TRC_STOPPED, "lkst_trc_stop: it has stopped");
	ROW(0, "lkst_trc_stop: success, while it is stopped", lkst_trc_stop());
	ROW(-EBUSY, "lkst_maskset_set: LKST is stopped", lkst_maskset_set(1));
	ROW(0, "lkst_trc_start: success", lkst_trc_start());
	ok(get_status().state == LKST_TRC_RUNNING, "lkst_trc_start: it runs");
	skip("lkst_trc_start: -EPERM", "functions look at no capability");
	skip("lkst_trc_stop: -EPERM", "functions look at no capability");
}

/* --- 4.7.2.2 */

static int write_area(int id, u64 size, const void *area)
{
	struct lkst_maskset_param param = { .id = id, .maskset_size = size,
					    .maskset = address(area) };
	int ret = lkst_maskset_write(&param);

	return ret ?: param.id;
}

/* Returns the id, or the error. */
static int write_maskset(int id, const char *name, int etype, int handler)
{
	struct lkst_maskset_entry entry = { etype, handler };

	memset(body, 0, LKST_MASKSET_SIZE(1));
	memcpy(body->name, name, strnlen(name, sizeof(body->name)));
	body->len = 1;
	body->entry[0] = entry;
	return write_area(id, LKST_MASKSET_SIZE(1), body);
}

static int write_two(int etype, int handler, int etype2, int handler2)
{
	memset(body, 0, LKST_MASKSET_SIZE(2));
	strscpy(body->name, "two", sizeof(body->name));
	body->len = 2;
	body->entry[0] = (struct lkst_maskset_entry){ etype, handler };
	body->entry[1] = (struct lkst_maskset_entry){ etype2, handler2 };
	return write_area(LKST_MASKSET_ID_VOID, LKST_MASKSET_SIZE(2), body);
}

#define MARK	LKST_ETYPE_USER_MARK
#define LOG	LKST_EVHANDLER_ID_ENTRY_LOG
#define VOID	LKST_MASKSET_ID_VOID

static void test_maskset_read(void)
{
	u32 len;

	ROW(-EINVAL, "lkst_maskset_read: maskset is NULL", read_maskset(2, sizeof(*body), NULL));
	ROW(-EINVAL, "lkst_maskset_read: id is negative", read_maskset(-1, sizeof(*body), body));
	ROW(-EINVAL, "lkst_maskset_read: id is out of range",
	    read_maskset(256, sizeof(*body), body));
	ROW(-EINVAL, "lkst_maskset_read: there is no such maskset",
	    read_maskset(77, sizeof(*body), body));
	ROW(0, "lkst_maskset_read: success", read_maskset(VOID, sizeof(*body), body));
	len = body->len;
	ROW(-EINVAL, "lkst_maskset_read: maskset_size is 0", read_maskset(2, 0, body));
	ROW(-EINVAL, "lkst_maskset_read: maskset_size is too small",
	    read_maskset(2, LKST_MASKSET_SIZE(len) - 1, body));
	skip("lkst_maskset_read: -ENOMEM", "it allocates nothing");
	skip("lkst_maskset_read: -EPERM", "functions look at no capability");
}

static void take_all_masksets(void)
{
	char name[20];
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		write_maskset(id, name, MARK, LOG);
	}
}

static void free_all_masksets(void)
{
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++)
		lkst_maskset_delete(id);
}

static void test_maskset_write(void)
{
	static const char no_end[] = "name of LKST_MASKSET_NAME_LEN chars";

	ROW(-EINVAL, "lkst_maskset_write: maskset is NULL",
	    write_area(VOID, LKST_MASKSET_SIZE(1), NULL));
	ROW(-EINVAL, "lkst_maskset_write: maskset_size is 0", write_area(VOID, 0, body));
	ROW(-EINVAL, "lkst_maskset_write: maskset_size is too small",
	    (body->len = 1, write_area(VOID, LKST_MASKSET_SIZE(1) - 1, body)));
	ROW(-EINVAL, "lkst_maskset_write: len is too large",
	    (body->len = LKST_MASKSET_TABLE_LEN_MAX + 1,
	     write_area(VOID, LKST_MASKSET_SIZE(LKST_MASKSET_TABLE_LEN_MAX + 1), body)));
	ROW(-EINVAL, "lkst_maskset_write: id is negative", write_maskset(-1, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: id is out of range",
	    write_maskset(256, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the maskset nothing",
	    write_maskset(0, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the maskset all", write_maskset(1, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: no name", write_maskset(VOID, "", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: a name without an end",
	    write_maskset(VOID, no_end, MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the name of another one",
	    write_maskset(VOID, "all", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is negative",
	    write_maskset(VOID, "new", -1, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is out of range",
	    write_maskset(VOID, "new", 0x1000, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is not registered",
	    write_maskset(VOID, "new", OTHER_ETYPE, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is there twice",
	    write_two(MARK, LOG, MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event handler is negative",
	    write_maskset(VOID, "new", MARK, -1));
	ROW(-EINVAL, "lkst_maskset_write: event handler is out of range",
	    write_maskset(VOID, "new", MARK, LKST_EVHANDLER_ID_VOID));
	ROW(-EINVAL, "lkst_maskset_write: event handler does not exist",
	    write_maskset(VOID, "new", MARK, 0xfff));
	/* Nothing records locks yet: this is refused for that, too. */
	ROW(-EINVAL, "lkst_maskset_write: lock events, and waking the daemon",
	    write_two(LKST_ETYPE_LKST_BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW,
		      LKST_ETYPE_LOCK_MIN, LOG));
	ROW(OWN_MASKSET, "lkst_maskset_write: success",
	    write_maskset(OWN_MASKSET, "own", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: an overwrite with a bad entry",
	    write_two(MARK, LOG, MARK, 0xfff));
	lkst_maskset_delete(OWN_MASKSET);
	take_all_masksets();
	ROW(-EBUSY, "lkst_maskset_write: no id is free", write_maskset(VOID, "new", MARK, LOG));
	free_all_masksets();
	NOMEM("lkst_maskset_write: -ENOMEM: memory runs out",
	      write_maskset(VOID, "new", MARK, LOG), lkst_maskset_delete(got));
	skip("lkst_maskset_write: -EBUSY: the maskset is collapsed",
	     "kernel memory that is overwritten is not noticed");
	skip("lkst_maskset_write: -EPERM", "functions look at no capability");
}

static void test_masksets(void)
{
	ROW(-EINVAL, "lkst_maskset_set: id is negative", lkst_maskset_set(-1));
	ROW(-EINVAL, "lkst_maskset_set: id is VOID", lkst_maskset_set(VOID));
	ROW(-EINVAL, "lkst_maskset_set: id is out of range", lkst_maskset_set(256));
	ROW(-EINVAL, "lkst_maskset_set: there is no such maskset", lkst_maskset_set(77));
	skip("lkst_maskset_set: -EBUSY: the selected maskset is not initialized",
	     "one is selected before there is a module");
	skip("lkst_maskset_set: -EPERM", "functions look at no capability");

	ROW(-EINVAL, "lkst_maskset_list: listent is NULL", list_masksets(100, NULL));
	ROW(-EINVAL, "lkst_maskset_list: listent_size is negative",
	    list_masksets(-1, masksets));
	ROW(0, "lkst_maskset_list: success", list_masksets(MASKSETS_SIZE, masksets));
	skip("lkst_maskset_list: -ENOMEM", "it allocates nothing");
	skip("lkst_maskset_list: -EPERM", "functions look at no capability");

	write_maskset(OWN_MASKSET, "own", MARK, LOG);
	ROW(0, "lkst_maskset_set: success", lkst_maskset_set(OWN_MASKSET));
	ROW(-EINVAL, "lkst_maskset_delete: the maskset nothing", lkst_maskset_delete(0));
	ROW(-EINVAL, "lkst_maskset_delete: the maskset all", lkst_maskset_delete(1));
	ROW(-EINVAL, "lkst_maskset_delete: the default maskset", lkst_maskset_delete(2));
	ROW(-EINVAL, "lkst_maskset_delete: there is no such maskset", lkst_maskset_delete(77));
	ROW(-EINVAL, "lkst_maskset_delete: id is negative", lkst_maskset_delete(-1));
	ROW(-EINVAL, "lkst_maskset_delete: id is out of range", lkst_maskset_delete(256));
	ROW(-EBUSY, "lkst_maskset_delete: it is selected", lkst_maskset_delete(OWN_MASKSET));
	skip("lkst_maskset_delete: -EPERM", "functions look at no capability");

	ROW(OWN_MASKSET, "lkst_maskset_get_id: success", lkst_maskset_get_id("own"));
	ROW(VOID, "lkst_maskset_get_id: there is none of that name",
	    lkst_maskset_get_id("other"));
	ROW(-EINVAL, "lkst_maskset_get_id: NULL", lkst_maskset_get_id(NULL));
	ROW(-EINVAL, "lkst_maskset_get_id: no name", lkst_maskset_get_id(""));
	skip("lkst_maskset_get_id: -EPERM", "functions look at no capability");
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	ROW(0, "lkst_maskset_delete: success", lkst_maskset_delete(OWN_MASKSET));
}

/* --- 4.7.2.3 */

/* What the event handler "functions" is to do, and what came of it. */
static lkst_call handler_calls;
static int handler_result;
static int own_handler;

static void own_evhandler(void *phookrec, int event_type, lkst_arg_t log_arg1,
			  lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	lkst_call call = READ_ONCE(handler_calls);

	if (!call)
		return;
	WRITE_ONCE(handler_calls, NULL);
	WRITE_ONCE(handler_result, call());
}

/* Inverts its area, and returns what has become of the first byte. */
static int own_ctrl(void *buf, size_t bufsize)
{
	u8 *byte = buf;
	size_t i;

	for (i = 0; i < bufsize; i++)
		byte[i] ^= 0xff;
	return bufsize ? byte[0] : -77;
}

static int ctrl(int id, void *buf, u64 bufsize)
{
	struct lkst_evhandler_ctrl_param param = { .id = id, .buf = address(buf),
						   .bufsize = bufsize };
	int ret = lkst_evhandler_ctrl(&param);

	return ret ?: param.ret;
}

static void test_evhandlers(void)
{
	u8 area[4] = { 0xf0, 0xf0, 0xf0, 0xf0 };

	ROW(-EINVAL, "lkst_evhandler_list: listent is NULL", list_evhandlers(100, NULL));
	ROW(-EINVAL, "lkst_evhandler_list: listent_size is negative",
	    list_evhandlers(-1, evhandlers));
	ROW(0, "lkst_evhandler_list: success", list_evhandlers(EVHANDLERS_SIZE, evhandlers));
	skip("lkst_evhandler_list: -ENOMEM", "it allocates nothing");
	skip("lkst_evhandler_list: -EPERM", "functions look at no capability");

	ROW(-EINVAL, "lkst_evhandler_ctrl: id is negative", ctrl(-1, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: id is out of range",
	    ctrl(LKST_EVHANDLER_ID_VOID, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: there is no such event handler", ctrl(0xfff, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: it has no control function", ctrl(LOG, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: buf is NULL, bufsize is not 0",
	    ctrl(own_handler, NULL, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: bufsize is 0, buf is not NULL",
	    ctrl(own_handler, area, 0));
	ROW(-EINVAL, "lkst_evhandler_ctrl: bufsize is too large",
	    ctrl(own_handler, area, LKST_EVHANDLER_CTRL_SIZE_MAX + 1));
	ROW(0x0f, "lkst_evhandler_ctrl: success", ctrl(own_handler, area, 3));
	ok(area[2] == 0x0f && area[3] == 0xf0,
	   "lkst_evhandler_ctrl: the area is what it was given");
	ROW(-77, "lkst_evhandler_ctrl: success, without an area, and what it returned",
	    ctrl(own_handler, NULL, 0));
	skip("lkst_evhandler_ctrl: -ENOMEM", "it allocates nothing");
	skip("lkst_evhandler_ctrl: -EPERM", "functions look at no capability");

	ROW(own_handler, "lkst_evhandler_get_id: success", lkst_evhandler_get_id("functions"));
	ROW(LKST_EVHANDLER_ID_VOID, "lkst_evhandler_get_id: there is none of that name",
	    lkst_evhandler_get_id("other"));
	ROW(-EINVAL, "lkst_evhandler_get_id: NULL", lkst_evhandler_get_id(NULL));
	ROW(-EINVAL, "lkst_evhandler_get_id: no name", lkst_evhandler_get_id(""));
	skip("lkst_evhandler_get_id: -EPERM", "functions look at no capability");
}

static int reg(int id, const char *name)
{
	return lkst_evhandler_register(id, name, own_evhandler, NULL);
}

LKST_EH_DEV_DEF(functions_device, own_evhandler, own_ctrl, NULL, NULL);
LKST_EH_DEV_DEF(functions_bad, own_evhandler, own_ctrl, NULL, NULL);

static int reg_bad(const char *name, int id, lkst_evhandler_func func)
{
	struct lkst_eh_device *bad = &LKST_EH_DEV(functions_bad);
	int ret;

	memset(bad->name, 0, sizeof(bad->name));
	memcpy(bad->name, name, strnlen(name, sizeof(bad->name)));
	bad->id = id;
	bad->evhandler = func;
	ret = lkst_eh_device_register(bad);
	if (ret >= 0)
		lkst_eh_device_unregister(bad);
	return ret;
}

static void test_no_evhandler_id(void)
{
	char name[20];
	int id, first = 0;

	for (id = LKST_EVHANDLER_ID_USER_MIN; id <= LKST_EVHANDLER_ID_MAX; id++) {
		snprintf(name, sizeof(name), "handler %d", id);
		if (reg(LKST_EVHANDLER_ID_VOID, name) < 0)
			break;
		first = first ?: lkst_evhandler_get_id(name);
	}
	ROW(-ENOSPC, "lkst_evhandler_register: no id is free",
	    reg(LKST_EVHANDLER_ID_VOID, "other"));
	ROW(-ENOSPC, "lkst_eh_device_register: no id is free",
	    reg_bad("other", LKST_EVHANDLER_ID_VOID, own_evhandler));
	for (id = first; id <= LKST_EVHANDLER_ID_MAX; id++)
		if (id != own_handler)
			lkst_evhandler_unregister(id);
}

static void test_register(void)
{
	static const char no_end[] = "name of LKST_EVHANDLER_NAME_LEN chars";
	int id;

	ROW(-EINVAL, "lkst_evhandler_register: id is negative", reg(-1, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is LKST's own", reg(0x01f, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is out of range",
	    reg(LKST_EVHANDLER_ID_VOID + 1, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is taken", reg(own_handler, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: name is NULL", reg(0x200, NULL));
	ROW(-EINVAL, "lkst_evhandler_register: name is empty", reg(0x200, ""));
	ROW(-EINVAL, "lkst_evhandler_register: name is too long", reg(0x200, no_end));
	ROW(-EINVAL, "lkst_evhandler_register: name is taken", reg(0x200, "functions"));
	ROW(-EINVAL, "lkst_evhandler_register: function is NULL",
	    lkst_evhandler_register(0x200, "new", NULL, own_ctrl));
	ROW(0x200, "lkst_evhandler_register: success", reg(0x200, "new"));
	ROW(-EINVAL, "lkst_evhandler_unregister: id is negative", lkst_evhandler_unregister(-1));
	ROW(-EINVAL, "lkst_evhandler_unregister: id is out of range",
	    lkst_evhandler_unregister(LKST_EVHANDLER_ID_VOID));
	ROW(-EINVAL, "lkst_evhandler_unregister: there is no such event handler",
	    lkst_evhandler_unregister(0x201));
	for (id = 0; id < LKST_EVHANDLER_ID_USER_MIN; id++)
		ROW(-EINVAL, "lkst_evhandler_unregister: LKST's own",
		    lkst_evhandler_unregister(id));
	ROW(0, "lkst_evhandler_unregister: success", lkst_evhandler_unregister(0x200));
	NOMEM("lkst_evhandler_register: -ENOMEM: memory runs out", reg(0x200, "new"),
	      lkst_evhandler_unregister(0x200));
	skip("lkst_evhandler_register: -EPERM", "functions look at no capability");
	skip("lkst_evhandler_unregister: -EPERM", "functions look at no capability");
}

static void test_devices(void)
{
	struct lkst_eh_device *device = &LKST_EH_DEV(functions_device);
	int id;

	ROW(-EINVAL, "lkst_eh_device_register: NULL", lkst_eh_device_register(NULL));
	ROW(-EINVAL, "lkst_eh_device_register: no name",
	    reg_bad("", LKST_EVHANDLER_ID_VOID, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: name is taken",
	    reg_bad("functions", LKST_EVHANDLER_ID_VOID, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: no function",
	    reg_bad("other", LKST_EVHANDLER_ID_VOID, NULL));
	ROW(-EINVAL, "lkst_eh_device_register: id is LKST's own",
	    reg_bad("other", 0x01f, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: id is taken",
	    reg_bad("other", own_handler, own_evhandler));
	id = lkst_eh_device_register(device);
	ok(id >= LKST_EVHANDLER_ID_USER_MIN && id == device->id,
	   "lkst_eh_device_register: success");
	ROW(-EINVAL, "lkst_eh_device_register: is registered", lkst_eh_device_register(device));
	ROW(id, "lkst_eh_device_register: its event handler is there",
	    lkst_evhandler_get_id("functions_device"));
	lkst_eh_device_unregister(device);
	ROW(LKST_EVHANDLER_ID_VOID, "lkst_eh_device_unregister: its event handler is gone",
	    lkst_evhandler_get_id("functions_device"));
	take_snapshot(&before);
	lkst_eh_device_unregister(device);
	lkst_eh_device_unregister(NULL);
	finish_row("lkst_eh_device_unregister: what is not registered", -1, -1);
	NOMEM("lkst_eh_device_register: -ENOMEM: memory runs out",
	      lkst_eh_device_register(device), lkst_eh_device_unregister(device));
	skip("lkst_eh_device_register: -EPERM", "functions look at no capability");
}

/* --- 4.7.2.4 */

static int read_buffer(int cpu, int id, u64 size, struct lkst_log_record *records)
{
	struct lkst_log_buffer param = { .cpu = cpu, .id = id, .read_size = size,
					 .buffer = address(records) };
	int ret = lkst_buffer_read(&param);

	return ret ?: param.result_read_size;
}

static void test_buffer_read(void)
{
	int cpu = raw_smp_processor_id(), size = sizeof(struct lkst_log_record);
	struct lkst_log_record record;

	ROW(-EINVAL, "lkst_buffer_read: buffer is NULL", read_buffer(cpu, 0, size, NULL));
	ROW(-EINVAL, "lkst_buffer_read: read_size is 0", read_buffer(cpu, 0, 0, &record));
	ROW(-EINVAL, "lkst_buffer_read: read_size is less than a record",
	    read_buffer(cpu, 0, size - 1, &record));
	ROW(-EINVAL, "lkst_buffer_read: read_size is negative",
	    read_buffer(cpu, 0, -1, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is negative", read_buffer(cpu, -1, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is out of range",
	    read_buffer(cpu, 256, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is VOID, of a CPU",
	    read_buffer(cpu, VOID, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: there is no such buffer",
	    read_buffer(cpu, 77, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: there is no such CPU",
	    read_buffer(99999, 0, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: cpu is negative", read_buffer(-2, 0, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is not VOID, of no CPU",
	    read_buffer(-1, 0, size, &record));
	ROW(size, "lkst_buffer_read: success", read_buffer(cpu, 0, size, &record));
	ok(record.posix.log_magic == LKST_LOG_MAGIC && record.posix.log_processor == cpu,
	   "lkst_buffer_read: a record");
	ROW(size, "lkst_buffer_read: success, of the static buffer",
	    read_buffer(-1, VOID, size, &record));
	ok(record.posix.log_event_type == LKST_ETYPE_LKST_INIT,
	   "lkst_buffer_read: its first record");
	skip("lkst_buffer_read: -EBUSY", "in ring structure or bound, buffers can be read, too");
	skip("lkst_buffer_read: -EPERM", "functions look at no capability");
}

/* As much memory as LKST may have, but for less than a page; the buffers are of this CPU. */
static void take_all_memory(void)
{
	size_t size = SZ_1G;

	while (size >= SZ_4K)
		if (lkst_buffer_create(VOID, size, VOID) < 0)
			size /= 2;
}

static void take_all_buffers(void)
{
	while (lkst_buffer_create(VOID, SZ_4K, VOID) >= 0)
		;
}

static void free_all_buffers(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_delete(id);
}

static void test_buffers(void)
{
	ROW(-EINVAL, "lkst_buffer_create: id is negative", lkst_buffer_create(-1, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: id is out of range",
	    lkst_buffer_create(256, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: the buffer exists", lkst_buffer_create(0, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is 0", lkst_buffer_create(1, 0, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is too small",
	    lkst_buffer_create(1, SZ_4K - 1, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is too large",
	    lkst_buffer_create(1, SIZE_MAX, VOID));
	ROW(-EINVAL, "lkst_buffer_create: next is negative", lkst_buffer_create(1, SZ_4K, -1));
	ROW(-EINVAL, "lkst_buffer_create: next is out of range",
	    lkst_buffer_create(1, SZ_4K, 256));
	ROW(-EINVAL, "lkst_buffer_create: next is the buffer itself",
	    lkst_buffer_create(1, SZ_4K, 1));
	NOMEM("lkst_buffer_create: -ENOMEM: memory runs out", lkst_buffer_create(1, SZ_64K, 77),
	      lkst_buffer_delete(1));
	skip("lkst_buffer_create: -EINVAL: the CPU is invalid", "it is the one that runs this");
	skip("lkst_buffer_create: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_create: -EBUSY: a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
	skip("lkst_buffer_create: -EBUSY: the CPU's buffers are bound",
	     "they can be added while somebody reads");
	skip("lkst_buffer_create: -EPERM", "functions look at no capability");
	ROW(1, "lkst_buffer_create: success", lkst_buffer_create(1, SZ_64K, 77));

	ROW(-EINVAL, "lkst_buffer_shift: the current buffer has no next", lkst_buffer_shift());
	ROW(-EINVAL, "lkst_buffer_jump: id is negative", lkst_buffer_jump(-1));
	ROW(-EINVAL, "lkst_buffer_jump: id is VOID", lkst_buffer_jump(VOID));
	ROW(-EINVAL, "lkst_buffer_jump: id is out of range", lkst_buffer_jump(256));
	ROW(-EINVAL, "lkst_buffer_jump: there is no such buffer", lkst_buffer_jump(77));
	ROW(0, "lkst_buffer_jump: success", lkst_buffer_jump(1));
	ROW(-EINVAL, "lkst_buffer_shift: the next buffer does not exist", lkst_buffer_shift());
	ROW(-EINVAL, "lkst_buffer_delete: id is 0", lkst_buffer_delete(0));
	ROW(-EINVAL, "lkst_buffer_delete: id is negative", lkst_buffer_delete(-1));
	ROW(-EINVAL, "lkst_buffer_delete: id is VOID", lkst_buffer_delete(VOID));
	ROW(-EINVAL, "lkst_buffer_delete: id is out of range", lkst_buffer_delete(256));
	ROW(-EINVAL, "lkst_buffer_delete: there is no such buffer", lkst_buffer_delete(2));
	ROW(-EBUSY, "lkst_buffer_delete: the buffer is written", lkst_buffer_delete(1));
	ROW(0, "lkst_buffer_jump: success, back", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_jump: success, to the current one", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_delete: success", lkst_buffer_delete(1));
	skip("lkst_buffer_shift: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_jump: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_delete: -EPERM", "functions look at no capability");
}

static void test_buffer_limits(void)
{
	take_all_buffers();
	ROW(-ENOSPC, "lkst_buffer_create: no id is free", lkst_buffer_create(VOID, SZ_4K, VOID));
	free_all_buffers();
	take_all_memory();
	ROW(-ENOMEM, "lkst_buffer_create: LKST's memory is used up",
	    lkst_buffer_create(VOID, SZ_4K, VOID));
	ROW(-ENOMEM, "lkst_maskset_write: LKST's memory is used up",
	    write_maskset(VOID, "new", MARK, LOG));
	free_all_buffers();
}

/* --- 4.7.2.5 */

static int reg_etype(int etype, const char *mnemonic, const char *name, const char *arg)
{
	struct lkst_etype_info info = { .etype = etype, .mnemonic = mnemonic, .name = name,
					.args = { arg, "", "", "" } };
	int ret = lkst_hook_etype_register(&info);

	if (ret >= 0)
		lkst_hook_etype_unregister(&info);
	return ret;
}

static void test_etypes(void)
{
	struct lkst_etype_info other = { .etype = OWN_ETYPE };
	u64 recid;

	ROW(-EINVAL, "lkst_hook_etype_register: NULL", lkst_hook_etype_register(NULL));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is reserved, below",
	    reg_etype(0x0ff, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is reserved, above",
	    reg_etype(0x200, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is negative",
	    reg_etype(-1, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no mnemonic",
	    reg_etype(OTHER_ETYPE, NULL, "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no name",
	    reg_etype(OTHER_ETYPE, "OTHER", NULL, ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no argument",
	    reg_etype(OTHER_ETYPE, "OTHER", "other", NULL));
	ROW(-EINVAL, "lkst_hook_etype_register: a name of several lines",
	    reg_etype(OTHER_ETYPE, "OTHER", "other\nother", ""));
	ROW(-EBUSY, "lkst_hook_etype_register: event type is used",
	    reg_etype(OWN_ETYPE, "OTHER", "other", ""));
	ROW(OTHER_ETYPE, "lkst_hook_etype_register: success",
	    reg_etype(OTHER_ETYPE, "OTHER", "other", ""));
	NOMEM("lkst_hook_etype_register: -ENOMEM: memory runs out",
	      reg_etype(OTHER_ETYPE, "OTHER", "other", ""), (void)0);
	skip("lkst_hook_etype_register: -EPERM", "functions look at no capability");
	take_snapshot(&before);
	lkst_hook_etype_unregister(NULL);
	lkst_hook_etype_unregister(&other);
	finish_row("lkst_hook_etype_unregister: what is not registered", -1, -1);

	recid = get_status().static_buffer_recid;
	lkst_evhandlerprim_static_log(NULL, OWN_ETYPE, 1, 2, 3, 4);
	ok(get_status().static_buffer_recid == recid + 1,
	   "lkst_evhandlerprim_static_log: a record in the static buffer");
}

/* --- Where one cannot sleep */

static DEFINE_RAW_SPINLOCK(any_lock);

static int with_preemption_off(lkst_call call)
{
	int ret;

	preempt_disable();
	ret = call();
	preempt_enable();
	return ret;
}

static int with_interrupts_off(lkst_call call)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = call();
	local_irq_restore(flags);
	return ret;
}

static int with_lock_held(lkst_call call)
{
	unsigned long flags;
	int ret;

	raw_spin_lock_irqsave(&any_lock, flags);
	ret = call();
	raw_spin_unlock_irqrestore(&any_lock, flags);
	return ret;
}

/* What an interrupt is to call. */
static lkst_call interrupt_call;
static int interrupt_result;

static void interrupt_calls(void)
{
	lkst_call call = READ_ONCE(interrupt_call);

	WRITE_ONCE(interrupt_result, call());
	/* The result is there when the call is gone. */
	smp_store_release(&interrupt_call, NULL);
}

/* Returns -ETIMEDOUT if no interrupt came. */
static int wait_for_interrupt(void)
{
	unsigned int us;

	for (us = 0; us < USEC_PER_SEC; us++) {
		/* Pairs with interrupt_calls(). */
		if (!smp_load_acquire(&interrupt_call))
			return READ_ONCE(interrupt_result);
		udelay(1);
	}
	return -ETIMEDOUT;
}

static void irq_work_calls(struct irq_work *work)
{
	interrupt_calls();
}

static struct irq_work own_irq_work = IRQ_WORK_INIT_HARD(irq_work_calls);

static int in_hard_interrupt(lkst_call call)
{
	WRITE_ONCE(interrupt_call, call);
	irq_work_queue(&own_irq_work);
	return wait_for_interrupt();
}

#ifdef CONFIG_X86_LOCAL_APIC
static int nmi_calls(unsigned int val, struct pt_regs *regs)
{
	if (!READ_ONCE(interrupt_call))
		return NMI_DONE;
	interrupt_calls();
	return NMI_HANDLED;
}

static int in_nmi_handler(lkst_call call)
{
	int ret;

	if (register_nmi_handler(NMI_LOCAL, nmi_calls, 0, "lkst_functions"))
		return -ENOMEM;
	preempt_disable();
	WRITE_ONCE(interrupt_call, call);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	ret = wait_for_interrupt();
	preempt_enable();
	unregister_nmi_handler(NMI_LOCAL, "lkst_functions");
	return ret;
}
#endif

/* Returns -ETIMEDOUT if the event handler did not run. */
static int in_event_handler(lkst_call call)
{
	WRITE_ONCE(handler_result, -ETIMEDOUT);
	WRITE_ONCE(handler_calls, call);
	LKST_HOOK(FUNCTIONS, LKST_ARG(1), LKST_ARG(0), LKST_ARG(0), LKST_ARG(0));
	WRITE_ONCE(handler_calls, NULL);
	return READ_ONCE(handler_result);
}

static const struct {
	const char *name;
	int (*run)(lkst_call call);
	bool needs_events;
} contexts[] = {
	{ "with preemption off", with_preemption_off },
	{ "with interrupts off", with_interrupts_off },
	{ "with a spinlock held", with_lock_held },
	{ "in a hard interrupt", in_hard_interrupt },
#ifdef CONFIG_X86_LOCAL_APIC
	{ "in an NMI", in_nmi_handler },
#endif
	{ "in an event handler", in_event_handler, true },
};

static int set_nothing(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RNOTHING);
}

static int set_all(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RALL);
}

static int set_what_is_not_there(void)
{
	return lkst_maskset_set(77);
}

static int jump_back(void)
{
	return lkst_buffer_jump(0);
}

static int jump_nowhere(void)
{
	return lkst_buffer_jump(77);
}

/* What there is to see after a call, of the CPU that made it. */
static bool is_running(const struct snapshot *now)
{
	return now->status.state == LKST_TRC_RUNNING &&
	       now->status.current_maskset_id == OWN_MASKSET;
}

static bool is_stopped(const struct snapshot *now)
{
	return now->status.state == LKST_TRC_STOPPED &&
	       now->status.current_maskset_id == LKST_MASKSET_ID_RNOTHING &&
	       now->status.saved_maskset_id == OWN_MASKSET;
}

static bool nothing_is_set(const struct snapshot *now)
{
	return now->status.current_maskset_id == LKST_MASKSET_ID_RNOTHING;
}

static bool all_is_set(const struct snapshot *now)
{
	return now->status.current_maskset_id == LKST_MASKSET_ID_RALL;
}

static bool writes_0(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 0;
}

static bool writes_1(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 1;
}

static bool writes_2(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 2;
}

/* Each begins with maskset OWN_MASKSET, and with buffer 1, which leads to 2. */
static const struct {
	const char *name;
	lkst_call call;
	int want;
	bool (*then)(const struct snapshot *now);
	bool stopped;
} atomic_calls[] = {
	{ "lkst_trc_stop: success", lkst_trc_stop, 0, is_stopped },
	{ "lkst_trc_stop: success, while it is stopped", lkst_trc_stop, 0, is_stopped, true },
	{ "lkst_trc_start: success", lkst_trc_start, 0, is_running, true },
	{ "lkst_trc_start: success, while it runs", lkst_trc_start, 0, is_running },
	{ "lkst_maskset_set: success, nothing", set_nothing, 0, nothing_is_set },
	{ "lkst_maskset_set: success, all", set_all, 0, all_is_set },
	{ "lkst_maskset_set: no such maskset", set_what_is_not_there, -EINVAL, is_running },
	{ "lkst_maskset_set: LKST is stopped", set_all, -EBUSY, is_stopped, true },
	{ "lkst_buffer_shift: success", lkst_buffer_shift, 0, writes_2 },
	{ "lkst_buffer_jump: success", jump_back, 0, writes_0 },
	{ "lkst_buffer_jump: no such buffer", jump_nowhere, -EINVAL, writes_1 },
};

static void test_in_context(unsigned int context)
{
	unsigned int i;
	int got;

	for (i = 0; i < ARRAY_SIZE(atomic_calls); i++) {
		if (atomic_calls[i].stopped && contexts[context].needs_events)
			continue;
		lkst_maskset_set(OWN_MASKSET);
		lkst_buffer_jump(1);
		/* Trace points follow the maskset from a work item. */
		if (contexts[context].needs_events)
			msleep(100);
		if (atomic_calls[i].stopped)
			lkst_trc_stop();
		got = contexts[context].run(atomic_calls[i].call);
		take_snapshot(&after);
		ok(got == atomic_calls[i].want && atomic_calls[i].then(&after), "%s, %s",
		   atomic_calls[i].name, contexts[context].name);
		if (got != atomic_calls[i].want)
			seq_printf(out, "# got %d, wanted %d\n", got, atomic_calls[i].want);
		lkst_trc_start();
	}
}

static void test_atomic(void)
{
	unsigned int context;

	lkst_buffer_create(1, SZ_64K, 2);
	lkst_buffer_create(2, SZ_64K, 1);
	write_maskset(OWN_MASKSET, "own", OWN_ETYPE, own_handler);
	for (context = 0; context < ARRAY_SIZE(contexts); context++)
		test_in_context(context);
	lkst_buffer_jump(0);
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	free_all_masksets();
	free_all_buffers();
}

/* --- While buffer 0 of this CPU is being read, which is the next of the written one */

static void test_busy(void)
{
	ROW(-EAGAIN, "lkst_buffer_shift: the next buffer is being read", lkst_buffer_shift());
	ROW(-EAGAIN, "lkst_buffer_jump: the buffer is being read", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_jump: success", lkst_buffer_jump(2));
	ROW(-EBUSY, "lkst_buffer_delete: the buffer is written", lkst_buffer_delete(2));
}

static int functions_show(struct seq_file *m, void *unused)
{
	const char *changed;

	mutex_lock(&run_mutex);
	out = m;
	take_snapshot(&base);
	test_status();
	test_start_stop();
	test_maskset_read();
	test_maskset_write();
	test_masksets();
	test_evhandlers();
	test_register();
	test_no_evhandler_id();
	test_devices();
	test_buffer_read();
	test_buffers();
	test_buffer_limits();
	test_etypes();
	test_atomic();
	take_snapshot(&after);
	changed = difference(&base, &after);
	ok(!changed, "all is as it was before");
	if (changed)
		seq_printf(m, "# changed: %s\n", changed);
	mutex_unlock(&run_mutex);
	return 0;
}

static int functions_busy_show(struct seq_file *m, void *unused)
{
	mutex_lock(&run_mutex);
	out = m;
	test_busy();
	mutex_unlock(&run_mutex);
	return 0;
}

static int functions_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, pde_data(inode), NULL, OUTPUT_SIZE);
}

static const struct proc_ops functions_ops = {
	.proc_open = functions_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static void free_areas(void)
{
	vfree(body);
	vfree(masksets);
	vfree(evhandlers);
}

static int __init functions_init(void)
{
	int ret;

	body = vzalloc(sizeof(*body));
	masksets = vzalloc(MASKSETS_SIZE);
	evhandlers = vzalloc(EVHANDLERS_SIZE);
	ret = -ENOMEM;
	if (!body || !masksets || !evhandlers)
		goto free;
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(FUNCTIONS));
	if (ret < 0)
		goto free;
	ret = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "functions", own_evhandler,
				      own_ctrl);
	if (ret < 0)
		goto unregister;
	own_handler = ret;
	if (!proc_create_data("lkst_functions", 0400, NULL, &functions_ops, functions_show) ||
	    !proc_create_data("lkst_functions_busy", 0400, NULL, &functions_ops,
			      functions_busy_show)) {
		ret = -ENOMEM;
		goto remove;
	}
	return 0;

remove:
	remove_proc_subtree("lkst_functions", NULL);
	lkst_evhandler_unregister(own_handler);
unregister:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(FUNCTIONS));
free:
	free_areas();
	return ret;
}

static void __exit functions_exit(void)
{
	remove_proc_entry("lkst_functions", NULL);
	remove_proc_entry("lkst_functions_busy", NULL);
	lkst_evhandler_unregister(own_handler);
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(FUNCTIONS));
	irq_work_sync(&own_irq_work);
	free_areas();
}

module_init(functions_init);
module_exit(functions_exit);
MODULE_DESCRIPTION("Tests of LKST's kernel functions");
MODULE_LICENSE("GPL");
