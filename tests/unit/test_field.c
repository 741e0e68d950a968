// SPDX-License-Identifier: GPL-2.0
/* Values of events in words: each format, and events whose arguments go together. */
#include <stdlib.h>
#include <string.h>

#include "format_case.h"
#include "sample.h"
#include "tap.h"

/* As a kernel tells it, and user space. */
static const char kernel_values[] = LKST_VALUES_HEAD "\n"
						     "gfp flags 0xcc0 GFP_KERNEL\n"
						     "gfp flags 0xc40 GFP_NOFS\n"
						     "gfp flags 0x100 __GFP_ZERO\n"
						     "gfp flags 0x40 __GFP_IO\n"
						     "fault flags 0x1 WRITE\n"
						     "fault flags 0x40 USER\n"
						     "migrate enum 0x0 Unmovable\n"
						     "migrate enum 0x1 Movable\n"
						     "vec enum 0xec LOCAL_TIMER\n"
						     "blkop enum 0x0 READ\n"
						     "blkop enum 0x1 WRITE\n"
						     "drop enum 0x2 NOT_SPECIFIED\n"
						     "tcp enum 0x1 TCP_ESTABLISHED\n"
						     "tcp enum 0x2 TCP_SYN_SENT\n"
						     "lcb flags 0x1 SPIN\n"
						     "lcb flags 0x20 MUTEX\n"
						     "detector enum 0x0 kfence\n"
						     "dump enum 0x1 Panic\n"
						     "softirq enum 0x3 net_rx\n"
						     "dev enum 0xfe00001 vda1\n"
						     "irq enum 0x18 virtio0\n"
						     "irq enum 0x9 PCIe PME\n"
						     "state enum 0x1 not_asked_for\n";

static const char kernel_symbols[] = "# lkst_symbols 1\n"
				     "ffffffff81000000 ffffffff81000100 do_it\n"
				     "ffffffff81000100 ffffffff81000200 do_more\n"
				     "ffffffffc0000000 ffffffffc0000040 probe [virtio_net]\n";

static void use_kernel(void)
{
	struct lkst_error err;

	context.values = lkst_values_parse(kernel_values, strlen(kernel_values), "v", &err);
	ck_assert_msg(context.values != NULL, "%s", err.text);
	context.symbols = lkst_symbols_parse(kernel_symbols, strlen(kernel_symbols), "s", &err);
	ck_assert_msg(context.symbols != NULL, "%s", err.text);
}

#define DO_IT	0xffffffff81000000
#define DO_MORE 0xffffffff81000100
#define PROBE	0xffffffffc0000000

/* A value of each format, and what becomes of it without and with what the kernel tells. */
static const struct {
	const char *format;
	uint64_t value;
	const char *bare, *told; /* told: NULL: the same */
} formats[] = {
	{ "dec", U(-5), "-5", NULL },
	{ "udec", U(-1), "18446744073709551615", NULL },
	{ "hex", 0x1f, "0x1f", NULL },
	{ "unheard_of", 0x1f, "0x1f", NULL },
	{ "ptr", DO_IT, "0xffffffff81000000", NULL },
	{ "sym", DO_IT, "0xffffffff81000000", "do_it" },
	{ "sym", DO_IT + 0xff, "0xffffffff810000ff", "do_it+0xff" },
	{ "sym", DO_MORE, "0xffffffff81000100", "do_more" },
	{ "sym", PROBE + 4, "0xffffffffc0000004", "probe+0x4[virtio_net]" },
	{ "sym", PROBE, "0xffffffffc0000000", "probe[virtio_net]" },
	{ "sym", PROBE + 0x40, "0xffffffffc0000040", NULL },
	{ "sym", 0, "0x0", NULL },
	{ "sym", U(-1), "0xffffffffffffffff", NULL },
	{ "reg", DO_IT + 1, "0xffffffff81000001", "0xffffffff81000001(do_it+0x1)" },
	{ "reg", 7, "0x7", NULL },
	{ "irq", 24, "24", "24(virtio0)" },
	{ "irq", 9, "9", "9(\"PCIe PME\")" },
	{ "irq", 25, "25", NULL },
	{ "irq", U(-1), "-1", NULL },
	{ "vec", 0xec, "236", "LOCAL_TIMER" },
	{ "vec", 0xed, "237", NULL },
	{ "softirq", 3, "NET_RX", "net_rx" },
	{ "softirq", 1, "TIMER", NULL },
	{ "softirq", 10, "10", NULL },
	{ "trap", 0, "#DE", NULL },
	{ "trap", 1, "#DB", NULL },
	{ "trap", 3, "#BP", NULL },
	{ "trap", 6, "#UD", NULL },
	{ "trap", 8, "#DF", NULL },
	{ "trap", 13, "#GP", NULL },
	{ "trap", 14, "#PF", NULL },
	{ "trap", 15, "15", NULL },
	{ "trap", 16, "#MF", NULL },
	{ "trap", 17, "#AC", NULL },
	{ "trap", 19, "#XF", NULL },
	{ "trap", 33, "33", NULL },
	{ "pfcode", 0, "0x0", NULL },
	{ "pfcode", 3, "PROT|WRITE", NULL },
	{ "pfcode", 6, "WRITE|USER", NULL },
	{ "pfcode", 0x80008075, "PROT|USER|INSTR|PK|SHSTK|SGX|RMP", NULL },
	{ "pfcode", 0x108, "RSVD|0x100", NULL },
	{ "fault", 0x41, "0x41", "WRITE|USER" },
	{ "fault", 0x1042, "0x1042", "USER|0x1002" },
	{ "fault", 0, "0x0", NULL },
	{ "gfp", 0xcc0, "0xcc0", "GFP_KERNEL" },
	{ "gfp", 0xdc0, "0xdc0", "GFP_KERNEL|__GFP_ZERO" },
	{ "gfp", 0x80000140, "0x80000140", "__GFP_ZERO|__GFP_IO|0x80000000" },
	{ "gfp", 0, "0x0", NULL },
	{ "migrate", 1, "1", "Movable" },
	{ "migrate", 6, "6", NULL },
	{ "migrate", 0xffffffff, "unknown", NULL },
	{ "dev", 254 << 20 | 1, "254:1", "vda1" },
	{ "dev", 8 << 20 | 0xfffff, "8:1048575", NULL },
	{ "dev", 0, "0:0", NULL },
	{ "blkop", 1, "1", "WRITE" },
	{ "blkop", 36, "36", NULL },
	{ "etype", 0x0800, "IPv4", NULL },
	{ "etype", 0x0806, "ARP", NULL },
	{ "etype", 0x86dd, "IPv6", NULL },
	{ "etype", 0x8100, "802.1Q", NULL },
	{ "etype", 0x88cc, "LLDP", NULL },
	{ "etype", 0x9000, "LOOPBACK", NULL },
	{ "etype", 0x0005, "0x0005", NULL },
	{ "etype", 0x10800, "0x10800", NULL },
	{ "drop", 2, "2", "NOT_SPECIFIED" },
	{ "drop", 77, "77", NULL },
	{ "tcp", 1, "1", "TCP_ESTABLISHED" },
	{ "tcp", 13, "13", NULL },
	{ "af", 0, "AF_UNSPEC", NULL },
	{ "af", 1, "AF_UNIX", NULL },
	{ "af", 2, "AF_INET", NULL },
	{ "af", 10, "AF_INET6", NULL },
	{ "af", 999, "999", NULL },
	{ "ipproto", 0, "IPPROTO_IP", NULL },
	{ "ipproto", 6, "IPPROTO_TCP", NULL },
	{ "ipproto", 132, "IPPROTO_SCTP", NULL },
	{ "ipproto", 262, "IPPROTO_MPTCP", NULL },
	{ "ipproto", 254, "254", NULL },
	{ "ipcflg", 01600, "IPC_CREAT|0600", NULL },
	{ "ipcflg", 03644, "IPC_CREAT|IPC_EXCL|0644", NULL },
	{ "ipcflg", 0600, "0600", NULL },
	{ "ipcflg", 0, "0", NULL },
	{ "ipcflg", 0104001, "IPC_NOWAIT|01|0x8000", NULL },
	{ "ipcflg", 0x10000, "0x10000", NULL },
	{ "msgflg", 04000, "IPC_NOWAIT", NULL },
	{ "msgflg", 034000, "IPC_NOWAIT|MSG_NOERROR|MSG_EXCEPT", NULL },
	{ "msgflg", 0, "0x0", NULL },
	{ "msgflg", 0600, "0x180", NULL },
	{ "shmflg", 01600, "IPC_CREAT|0600", NULL },
	{ "shmflg", 017666, "IPC_CREAT|IPC_EXCL|SHM_HUGETLB|SHM_NORESERVE|0666", NULL },
	{ "lcb", 0x21, "0x21", "SPIN|MUTEX" },
	{ "lcb", 0x2, "0x2", NULL },
	{ "level", 0, "emerg", NULL },
	{ "level", 3, "err", NULL },
	{ "level", 4, "warning", NULL },
	{ "level", 7, "debug", NULL },
	{ "level", 8, "8", NULL },
	{ "detector", 0, "0", "kfence" },
	{ "detector", 9, "9", NULL },
	{ "lockup", LKST_LOCKUP_SOFT, "soft", NULL },
	{ "lockup", LKST_LOCKUP_HARD, "hard", NULL },
	{ "lockup", LKST_LOCKUP_TASK, "task", NULL },
	{ "lockup", LKST_LOCKUP_RCU, "rcu", NULL },
	{ "lockup", 0, "0", NULL },
	{ "dump", 1, "1", "Panic" },
	{ "dump", 2, "2", NULL },
	{ "sig", 9, "SIGKILL", NULL },
	{ "sig", 64, "SIGRT32", NULL },
	{ "sig", 0, "0", NULL },
	{ "sig", 65, "65", NULL },
	{ "err", U(-110), "-ETIMEDOUT", NULL },
	{ "clone", 0x11, "SIGCHLD", NULL },
	{ "clone", 0x10111, "CLONE_VM|CLONE_THREAD|SIGCHLD", NULL },
	{ "clone", 0x1f0, "CLONE_VM|0xf0", NULL },
	{ "clone", 0, "0x0", NULL },
	{ "state", 'S', "S", NULL },
	{ "tid", 100, "bash-100", NULL },
	{ "tid", 5, "<5>", NULL },
	{ "buf", 255, "none", NULL },
	{ "clock", 1, "tsc", NULL },
	{ "evh", 0x20, "0x20", NULL },
	{ "code", LKST_ERROR_SOURCE, "SOURCE", NULL },
};

START_TEST(test_format)
{
	struct lkst_event event = event_of(0x100, formats[_i].value, 0, 0, 0);
	char text[128];

	snprintf(text, sizeof(text), "0x100 M UNDEF - present \"n\" \"v:%s\" \"\" \"\" \"\"\n",
		 formats[_i].format);
	format_use_types(text);
	snprintf(text, sizeof(text), "v=%s", formats[_i].bare);
	ck_assert_str_eq(format_arguments(event), text);
	use_kernel();
	snprintf(text, sizeof(text), "v=%s",
		 formats[_i].told ? formats[_i].told : formats[_i].bare);
	ck_assert_str_eq(format_arguments(event), text);
}
END_TEST

START_TEST(test_every_format_is_tested)
{
	static const char *const elsewhere[] = {
		"text", "sys", "abi", "wstatus", "cpu", "sec", "nsec", "mset",
	};
#define NAME(id, name) #name,
	static const char *const all[] = { LKST_FIELD_FORMATS(NAME) };
#undef NAME

	for (size_t i = 0; i < LKST_FMT_NUM; i++) {
		bool found = false;

		ck_assert_int_eq(lkst_field_format_find(all[i]), (int)i);
		for (size_t k = 0; k < sizeof(formats) / sizeof(*formats); k++)
			found |= !strcmp(formats[k].format, all[i]);
		for (size_t k = 0; k < sizeof(elsewhere) / sizeof(*elsewhere); k++)
			found |= !strcmp(elsewhere[k], all[i]);
		ck_assert_msg(found, "%s", all[i]);
	}
	ck_assert_int_eq(lkst_field_format_find("unheard_of"), -1);
}
END_TEST

/* Every format of the table of event types is one that these tools know. */
START_TEST(test_every_type_is_known)
{
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		for (int arg = 0; type && arg < 4; arg++) {
			char text[256], *rest = text, *part;

			strcpy(text, type->arg[arg]);
			while (*text && (part = strsep(&rest, ",")) != NULL) {
				char *colon = strrchr(part, ':');

				ck_assert_msg(colon && lkst_field_format_find(colon + 1) >= 0,
					      "%s: %s", type->name, type->arg[arg]);
			}
		}
	}
}
END_TEST

/* Halves hold no address, but everything else. */
START_TEST(test_halves)
{
	use_kernel();
	format_use_types("0x100 M UNDEF - present \"n\" \"a:gfp,b:err\" \"c:sym,d:irq\" "
			 "\"e:reg,f:pfcode\" \"g:drop,h:text\"\n");
	ck_assert_str_eq(format_arguments(event_of(0x100, pack(0xcc0, (uint32_t)-2),
						   pack(0x81000000, 24), pack(5, 7),
						   pack(2, 0x41))),
			 "a=GFP_KERNEL b=-ENOENT c=0x81000000 d=24(virtio0) e=0x5 "
			 "f=PROT|WRITE|USER g=NOT_SPECIFIED h=0x41");
}
END_TEST

/* ---- events as they are in the table ---- */

static const struct {
	const char *types; /* descriptions; NULL: as embedded for type */
	uint32_t type;
	uint64_t arg[4];
	const char *text;
} events[] = {
	{ NULL,
	  0x001,
	  { 0x6400000153, 0x78, 0x68736162, 0x2f72657070617773 },
	  "prev=bash-100 prev_state=S+ next=swapper/1-0 next_prio=120 prev_name=bash next_name=swapper/" },
	{ NULL,
	  0x001,
	  { 0x6400000252, 0x3700000078, 0x68736162, 0 },
	  "prev=bash-100 prev_state=0x252 next=<55> next_prio=120 prev_name=bash next_name=\"\"" },
	{ NULL,
	  0x003,
	  { 0x0900000000, 0xffffffff, 1, 0 },
	  "signal=SIGKILL code=0 target=swapper/1-0 result=-1 group=1 name=\"\"" },
	{ NULL,
	  0x003,
	  { U(34) << 32, 0, 0, 0 },
	  "signal=SIGRT2 code=0 target=swapper/1-0 result=0 group=0 name=\"\"" },
	{ NULL,
	  0x003,
	  { U(99) << 32 | 0xfffffffa, 0, 0, 0 },
	  "signal=99 code=-6 target=swapper/1-0 result=0 group=0 name=\"\"" },
	{ NULL,
	  0x007,
	  { 0x6400000000, 0x0100, 0, 0 },
	  "thread=bash-100 prio=0 status=exit(1) name=\"\"" },
	{ NULL,
	  0x007,
	  { 0x6400000000, 0x8b, 0, 0 },
	  "thread=bash-100 prio=0 status=killed(SIGSEGV,core) name=\"\"" },
	{ NULL,
	  0x005,
	  { 0x6400000064, 0x3d0f00, 0, 0 },
	  "child=bash-100 tgid=100 flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|"
	  "CLONE_THREAD|CLONE_SYSVSEM|CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID name=\"\"" },
	{ NULL, 0x005, { 0, 17, 0, 0 }, "child=swapper/1-0 tgid=0 flags=SIGCHLD name=\"\"" },
	{ NULL, 0x005, { 0, 0, 0, 0 }, "child=swapper/1-0 tgid=0 flags=0x0 name=\"\"" },
	{ NULL, 0x012, { 3, 0, 0, 0 }, "vector=NET_RX" },
	{ NULL, 0x012, { 10, 0, 0, 0 }, "vector=10" },
	{ NULL, 0x030, { 0, 3, 0, 0 }, "number=read arg1=0x3 arg2=0x0 arg3=0x0" },
	{ NULL,
	  0x030,
	  { U(3) << 32 | 1, 0, 0, 0 },
	  "number=read abi=ia32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL,
	  0x030,
	  { U(0x40000001) << 32 | 2, 0, 0, 0 },
	  "number=write abi=x32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x030, { U(99999) << 32, 0, 0, 0 }, "number=99999 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x030, { U(0xffffffff) << 32, 0, 0, 0 }, "number=-1 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ NULL, 0x031, { 0, U(-2), 0, 0 }, "number=read result=-ENOENT" },
	{ NULL, 0x031, { 0, U(-512), 0, 0 }, "number=read result=-ERESTARTSYS" },
	{ NULL, 0x031, { 0, U(-516), 0, 0 }, "number=read result=-ERESTART_RESTARTBLOCK" },
	{ NULL, 0x031, { 0, U(-520), 0, 0 }, "number=read result=-520" },
	{ NULL, 0x031, { 0, 4096, 0, 0 }, "number=read result=4096" },
	{ NULL, 0x031, { 0, 0x7f0012345000, 0, 0 }, "number=read result=0x7f0012345000" },
	{ NULL, 0x031, { 0, U(-4096), 0, 0 }, "number=read result=0xfffffffffffff000" },
	{ NULL,
	  0xf01,
	  { 3, 4096, U(-1), 0 },
	  "buffer=3 overwritten=4096 first_recid=18446744073709551615" },
	{ NULL, 0xf02, { 0, 1, U(1) << 32, 0 }, "from=0 to=1 first_recid=4294967296" },
	{ NULL, 0xf09, { 0, 1, 0, 0 }, "from=ns to=tsc" },
	{ NULL, 0xf09, { 2, 0, 0, 0 }, "from=2 to=ns" },
	{ NULL, 0xf08, { 1, U(-3), 0, 0 }, "code=NO_BUFFER detail=-3" },
	{ NULL, 0xf08, { 77, 5, 0, 0 }, "code=77 detail=5" },
	{ NULL, 0xf08, { 2, 1, 0, 0 }, "code=BAD_PARAM detail=buffer_size" },
	{ NULL, 0xf08, { 2, 2, 0, 0 }, "code=BAD_PARAM detail=maskset" },
	{ NULL, 0xf08, { 2, 3, 0, 0 }, "code=BAD_PARAM detail=memory" },
	{ NULL, 0xf08, { 2, 99, 0, 0 }, "code=BAD_PARAM detail=99" },
	{ NULL, 0xf08, { 3, 1, 0, 0 }, "code=SOURCE detail=1" },
	{ NULL, 0x123, { 0, U(-1), 2, 3 }, "arg1=0x0 arg2=0xffffffffffffffff arg3=0x2 arg4=0x3" },
	{ "\"a:dec\" \"b:udec\" \"c\" \"d:what\"",
	  0x100,
	  { U(-1), U(-1), 16, 17 },
	  "a=-1 b=18446744073709551615 c=0x10 d=0x11" },
	{ "\"a:dec,b:udec\" \"\" \"p:ptr\" \"q:buf\"",
	  0x100,
	  { U(-1), 5, 0xffff888000000000, 255 },
	  "a=-1 b=4294967295 p=0xffff888000000000 q=none" },
	{ "\"t:text\" \"t:text\" \"u:text\" \"v:cpu\"",
	  0x100,
	  { 0x6867666564636261, 0x0a69, 0x2261, 7 },
	  "t=\"abcdefghi\\012\" u=\"a\\\"\" v=7" },
	{ "\"t:text\" \"t:text\" \"t:text\" \"t:text\"",
	  0x100,
	  { 0x6867666564636261, 0x6867666564636261, 0x6867666564636261, 0x6867666564636261 },
	  "t=abcdefghabcdefghabcdefghabcdefgh" },
	{ "\"x:err,y:err\" \"z:clone\" \"w:wstatus\" \"s:state\"",
	  0x100,
	  { U(0xfffffff5) << 32 | 5, 0x10000000000, 0x12345, 1 },
	  "x=-EAGAIN y=5 z=0x10000000000 w=0x12345 s=0x1" },
};

START_TEST(test_events)
{
	struct lkst_event event = event_of(events[_i].type, events[_i].arg[0], events[_i].arg[1],
					   events[_i].arg[2], events[_i].arg[3]);
	char text[512];

	if (events[_i].types) {
		snprintf(text, sizeof(text), "0x%03x M UNDEF - present \"n\" %s\n", events[_i].type,
			 events[_i].types);
		format_use_types(text);
	}
	ck_assert_str_eq(format_arguments(event), events[_i].text);
}
END_TEST

START_TEST(test_other_machines)
{
	struct lkst_event event = event_of(0x030, 0, 0, 0, 0);

	event.machine = LKST_MACHINE_I386;
	event.arg[0] = pack(3, 0);
	ck_assert_str_eq(format_arguments(event), "number=read arg1=0x0 arg2=0x0 arg3=0x0");
	event.machine = LKST_MACHINE_ARM64;
	ck_assert_str_eq(format_arguments(event),
			 "number=io_cancel arg1=0x0 arg2=0x0 arg3=0x0");
	event.arg[0] = pack(25, 0);
	ck_assert_str_eq(format_arguments(event), "number=fcntl arg1=0x0 arg2=0x0 arg3=0x0");
	event.arg[0] = pack(3, 3);
	ck_assert_str_eq(format_arguments(event),
			 "number=3 abi=compat arg1=0x0 arg2=0x0 arg3=0x0");
	event.arg[0] = pack(3, 0);
	event.machine = LKST_MACHINE_OTHER;
	ck_assert_str_eq(format_arguments(event), "number=3 arg1=0x0 arg2=0x0 arg3=0x0");
	event = event_of(0x010, 9, __builtin_bswap64(text8("timer")), 0, 0);
	event.swapped = true;
	ck_assert_str_eq(format_arguments(event), "irq=9 name=timer");
}
END_TEST

/* With what a kernel tells. */
static const struct {
	uint32_t type;
	uint64_t arg[4];
	const char *text;
} told[] = {
	{ 0x008,
	  { DO_IT, 0xffff888000000000, 0x72656b726f776b, 0 },
	  "function=do_it data=0xffff888000000000 name=kworker" },
	{ 0x010, { 24, 0x306f6974726976, 0, 0 }, "irq=24 name=virtio0" },
	{ 0x011, { 24, 1, 0, 0 }, "irq=24(virtio0) handled=1" },
	{ 0x017,
	  { 0xffff888000000000, DO_MORE, 0, 0 },
	  "tasklet=0xffff888000000000 function=do_more" },
	{ 0x019, { 0xec, 0, 0, 0 }, "vector=LOCAL_TIMER" },
	{ 0x01d, { PROBE, 1500, 1, 0 }, "handler=probe[virtio_net] duration_ns=1500 handled=1" },
	{ 0x020,
	  { U(14) << 32 | 2, DO_IT + 5, 0xdead000, 0 },
	  "trap=#PF error_code=0x2 ip=do_it+0x5 address=0xdead000" },
	{ 0x022,
	  { 0x7ffc0000, 0x401000, U(6) << 32 | 1, 0 },
	  "address=0x7ffc0000 ip=0x401000 error_code=WRITE|USER user=1" },
	{ 0x040,
	  { DO_MORE + 4, 0xffff888000000000, U(100) << 32 | 128, U(0xdc0) << 32 | 0xffffffff },
	  "caller=do_more+0x4 object=0xffff888000000000 requested=100 allocated=128 "
	  "gfp=GFP_KERNEL|__GFP_ZERO node=-1" },
	{ 0x044, { 4096, 1, 0xcc0, 0 }, "pfn=4096 order=0 migratetype=Movable gfp=GFP_KERNEL" },
	{ 0x044,
	  { U(-1), U(9) << 32 | 0xffffffff, 0x100, 0 },
	  "pfn=failed order=9 migratetype=unknown gfp=__GFP_ZERO" },
	{ 0x046,
	  { 0x7f0000, 0x41, 0xffff888000000000, 0 },
	  "address=0x7f0000 flags=WRITE|USER mm=0xffff888000000000" },
	{ 0x062,
	  { 0xffff888000000000, U(98) << 32 | 0x0800, 0x30687465, 0 },
	  "skb=0xffff888000000000 length=98 protocol=IPv4 device=eth0" },
	{ 0x064,
	  { 0xffff888000000000, DO_IT + 0x10, U(0x86dd) << 32 | 2, 0 },
	  "skb=0xffff888000000000 location=do_it+0x10 protocol=IPv6 reason=NOT_SPECIFIED" },
	{ 0x065,
	  { 0xffff888000000000, U(2) << 32 | 1, U(40000) << 32 | 80, U(2) << 32 | 6 },
	  "socket=0xffff888000000000 old=TCP_SYN_SENT new=TCP_ESTABLISHED sport=40000 dport=80 "
	  "family=AF_INET protocol=IPPROTO_TCP" },
	{ 0x070,
	  { 0x1234, U(2) << 32 | 01600, U(-17), 0 },
	  "key=0x1234 count=2 flags=IPC_CREAT|0600 id=-EEXIST" },
	{ 0x073,
	  { 5, U(100) << 32 | 04000, U(-11), 0 },
	  "id=5 size=100 flags=IPC_NOWAIT result=-EAGAIN" },
	{ 0x075,
	  { 0, 4096, 011600, 3 },
	  "key=0x0 size=4096 flags=IPC_CREAT|SHM_NORESERVE|0600 id=3" },
	/* The same bit in the other call */
	{ 0x076,
	  { 3, 050000, 0, 0x7f0000000000 },
	  "id=3 flags=SHM_RDONLY|SHM_REMAP result=0 address=0x7f0000000000" },
	{ 0x080,
	  { 0xffff888000000000, PROBE + 8, 0, 0 },
	  "lock=0xffff888000000000 caller=probe+0x8[virtio_net]" },
	{ 0x088, { 0xffff888000000000, 0x21, 0, 0 }, "lock=0xffff888000000000 flags=SPIN|MUTEX" },
	{ 0x0a0,
	  { 254 << 20 | 1, 2048, U(4096) << 32 | 1, 0 },
	  "device=vda1 sector=2048 bytes=4096 operation=WRITE" },
	{ 0x0a1,
	  { 254 << 20, 2048, U(4096) << 32, U(-5) },
	  "device=254:0 sector=2048 bytes=4096 operation=READ error=-EIO" },
	{ 0x0b0, { U(6) << 32, DO_IT, 11, 0 }, "trap=#UD error_code=0x0 ip=do_it signal=SIGSEGV" },
	{ 0x0b2, { 0, DO_IT, 0, 0 }, "detector=kfence id=do_it" },
	{ 0x0b3, { 100, LKST_LOCKUP_SOFT, 0, 0 }, "thread=bash-100 kind=soft" },
	{ 0x0b3, { U(-1), LKST_LOCKUP_RCU, 0, 0 }, "thread=? kind=rcu" },
	{ 0x0b4, { DO_IT, 2, 3, 4 }, "r1=0xffffffff81000000(do_it) r2=0x2 r3=0x3 r4=0x4" },
	/* Where calls return to: the last one did not, and another function is behind it. */
	{ 0x0b5,
	  { DO_IT + 8, DO_MORE, PROBE + 0x40, 0 },
	  "at1=do_it+0x8 at2=do_it+0x100 at3=probe+0x40[virtio_net]" },
	{ 0x0b5, { DO_IT + 8, 0x1234, 0, 0 }, "at1=do_it+0x8 at2=0x1234" },
	{ 0x0b7, { U(3) << 32 | 5, 0x6f6c6c6568, 0, 0 }, "level=err length=5 line=hello" },
	{ 0x0c6, { 1, DO_IT + 1, 0, 0 }, "target_cpu=1 caller=do_it+0x1 callback=0x0" },
	{ 0x0d2,
	  { 0xffff888000000000, PROBE, 0, 0 },
	  "work=0xffff888000000000 function=probe[virtio_net]" },
	{ 0xf07, { 1, 0, 0, 0 }, "reason=Panic" },
};

START_TEST(test_told_events)
{
	use_kernel();
	ck_assert_str_eq(format_arguments(event_of(told[_i].type, told[_i].arg[0], told[_i].arg[1],
						   told[_i].arg[2], told[_i].arg[3])),
			 told[_i].text);
}
END_TEST

START_TEST(test_registers)
{
	static const char *const text[] = {
		"ip=0xffffffff81000001(do_it+0x1) sp=0x2 flags=0xffffffff81000000 orig_ax=0x4",
		"ax=0xffffffff81000001(do_it+0x1) bx=0x2 cx=0xffffffff81000000(do_it) dx=0x4",
		"si=0xffffffff81000001(do_it+0x1) di=0x2 bp=0xffffffff81000000(do_it) r8=0x4",
		"r9=0xffffffff81000001(do_it+0x1) r10=0x2 r11=0xffffffff81000000(do_it) r12=0x4",
		"r13=0xffffffff81000001(do_it+0x1) r14=0x2 r15=0xffffffff81000000(do_it) cs:ss=0x0:0x4",
		"cr2=0xffffffff81000001(do_it+0x1) cr3=0x2 cr4=0xffffffff81000000 gs_base=0x4",
		"r1=0xffffffff81000001(do_it+0x1) r2=0x2 r3=0xffffffff81000000(do_it) r4=0x4",
	};
	struct lkst_event event = event_of(0x0b4, DO_IT + 1, 2, DO_IT, 4);

	use_kernel();
	event.nth = (uint8_t)_i;
	ck_assert_str_eq(format_arguments(event), text[_i]);
	/* Other machines have others. */
	event.machine = _i & 1 ? LKST_MACHINE_I386 : LKST_MACHINE_OTHER;
	ck_assert_str_eq(format_arguments(event), text[6]);
}
END_TEST

START_TEST(test_verbose)
{
	/* Nothing is left out. */
	use_kernel();
	opt.verbose = true;
	ck_assert_ptr_nonnull(strstr(format_arguments(event_of(0x0b5, DO_IT + 8, 0, 0, 0)),
				     "at1=do_it+0x8 at2=0x0 at3=0x0 at4=0x0 |"));
	opt.verbose = false;
}
END_TEST

START_TEST(test_traps_are_of_x86)
{
	struct lkst_event event = event_of(0x0b0, U(14) << 32, 0x1000, 11, 0);

	event.machine = LKST_MACHINE_I386;
	ck_assert_str_eq(format_arguments(event),
			 "trap=#PF error_code=0x0 ip=0x1000 signal=SIGSEGV");
	event.machine = LKST_MACHINE_ARM64;
	ck_assert_str_eq(format_arguments(event),
			 "trap=14 error_code=0x0 ip=0x1000 signal=SIGSEGV");
	event.machine = LKST_MACHINE_OTHER;
	ck_assert_str_eq(format_arguments(event),
			 "trap=14 error_code=0x0 ip=0x1000 signal=SIGSEGV");
}
END_TEST

START_TEST(test_csv_is_raw)
{
	struct lkst_event event = event_of(0x0b4, DO_IT + 1, 2, DO_IT, 4);

	use_kernel();
	form = lkst_format_csv;
	opt.epoch = true;
	event.nth = 0;
	ck_assert_str_eq(
		format_events(&event, 1, false),
		"oops_regs,1,100,1767323045,123456,r1,0x81000001,0xffffffff,"
		"r2,0x00000002,0x00000000,r3,0x81000000,0xffffffff,r4,0x00000004,0x00000000\n");
	form = lkst_format_event;
	opt.epoch = false;
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("field");
	TCase *tc = tcase_create("field");

	tcase_add_checked_fixture(tc, format_setup, format_teardown);
	tcase_add_loop_test(tc, test_format, 0, sizeof(formats) / sizeof(*formats));
	check_id(tc, test_every_format_is_tested);
	check_id(tc, test_every_type_is_known);
	check_id(tc, test_halves);
	tcase_add_loop_test(tc, test_events, 0, sizeof(events) / sizeof(*events));
	tcase_add_loop_test(tc, test_told_events, 0, sizeof(told) / sizeof(*told));
	tcase_add_loop_test(tc, test_registers, 0, 7);
	check_id(tc, test_verbose);
	check_id(tc, test_traps_are_of_x86);
	check_id(tc, test_csv_is_raw);
	check_id(tc, test_other_machines);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
