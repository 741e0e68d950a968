// SPDX-License-Identifier: GPL-2.0
/* Formatting the arguments of events: each format, and arguments that depend on each other. */
#include "format_case.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "sample.h"
#include "tap.h"

/* Names of values. A kernel lists most of them, and user space adds the others. */
static const char kernel_values[] = LKST_VALUES_HEADER "\n"
	"gfp flags 0xcc0 GFP_KERNEL\n" "gfp flags 0xc40 GFP_NOFS\n" "gfp flags 0x100 __GFP_ZERO\n"
	"gfp flags 0x40 __GFP_IO\n" "fault flags 0x1 WRITE\n" "fault flags 0x40 USER\n"
	"migrate enum 0x0 Unmovable\n" "migrate enum 0x1 Movable\n" "vec enum 0xec LOCAL_TIMER\n"
	"blkop enum 0x0 READ\n" "blkop enum 0x1 WRITE\n" "drop enum 0x2 NOT_SPECIFIED\n"
	"tcp enum 0x1 TCP_ESTABLISHED\n" "tcp enum 0x2 TCP_SYN_SENT\n" "lcb flags 0x1 SPIN\n"
	"lcb flags 0x20 MUTEX\n" "detector enum 0x0 kfence\n" "dump enum 0x1 Panic\n"
	"softirq enum 0x3 net_rx\n" "dev enum 0xfe00001 vda1\n" "irq enum 0x18 virtio0\n"
	"irq enum 0x9 PCIe PME\n" "state enum 0x1 not_asked_for\n";

static const char kernel_symbols[] = "# lkst_symbols 1\n"
	"ffffffff81000000 ffffffff81000100 do_it\n"
	"ffffffff81000100 ffffffff81000200 do_more\n"
	"ffffffffc0000000 ffffffffc0000040 probe [virtio_net]\n";

static void use_kernel(void)
{
	context.values = lkst_values_parse(kernel_values, strlen(kernel_values), "v", &err);
	assert_made(context.values);
	context.symbols = lkst_symbols_parse(kernel_symbols, strlen(kernel_symbols), "s", &err);
	assert_made(context.symbols);
}

static void forget_kernel(void)
{
	lkst_values_free(context.values);
	lkst_symbols_free(context.symbols);
	context.values = NULL;
	context.symbols = NULL;
}

/* Check how the arguments of an event are formatted. */
static void check(uint32_t type, const uint64_t *arg, const char *expected)
{
	const char *text = format_arguments(event_of(type, arg[0], arg[1], arg[2], arg[3]));

	ck_assert_msg(!strcmp(text, expected), "0x%03x 0x%llx: %s, not %s", type,
		      (unsigned long long)arg[0], text, expected);
}

#define DO_IT	0xffffffff81000000
#define DO_MORE 0xffffffff81000100
#define PROBE	0xffffffffc0000000
#define DATA	0xffff888000000000

/*
 * Values of each format, written as "VALUE = TEXT > NAMED; ...". TEXT is the expected text without
 * the names of a kernel, NAMED the expected text with them. If TEXT is left out, it is the same as
 * VALUE; if NAMED is left out, it is the same as TEXT.
 */
static const struct { const char *format, *values; } formats[] = {
	{ "dec", "-5" }, { "udec", "-1 = 18446744073709551615" }, { "hex", "0x1f" },
	{ "unheard_of", "0x1f" }, { "ptr", "0xffffffff81000000" },
	{ "sym", "0xffffffff81000000 > do_it; 0xffffffff810000ff > do_it+0xff; "
	  "0xffffffff81000100 > do_more; 0xffffffffc0000004 > probe+0x4[virtio_net]; "
	  "0xffffffffc0000000 > probe[virtio_net]; 0xffffffffc0000040; 0 = 0x0; "
	  "-1 = 0xffffffffffffffff" },
	{ "reg", "0xffffffff81000001 > 0xffffffff81000001(do_it+0x1); 7 = 0x7" },
	{ "irq", "24 > 24(virtio0); 9 > 9(\"PCIe PME\"); 25; -1" },
	{ "vec", "0xec = 236 > LOCAL_TIMER; 0xed = 237" },
	{ "softirq", "3 = NET_RX > net_rx; 1 = TIMER; 10" },
	{ "trap", "0 = #DE; 1 = #DB; 3 = #BP; 6 = #UD; 8 = #DF; 13 = #GP; 14 = #PF; 15; 16 = #MF; "
	  "17 = #AC; 19 = #XF; 33" },
	{ "pfcode", "0 = 0x0; 3 = PROT|WRITE; 6 = WRITE|USER; "
	  "0x80008075 = PROT|USER|INSTR|PK|SHSTK|SGX|RMP; 0x108 = RSVD|0x100" },
	{ "fault", "0x41 > WRITE|USER; 0x1042 > USER|0x1002; 0 = 0x0" },
	{ "gfp", "0xcc0 > GFP_KERNEL; 0xdc0 > GFP_KERNEL|__GFP_ZERO; "
	  "0x80000140 > __GFP_ZERO|__GFP_IO|0x80000000; 0 = 0x0" },
	{ "migrate", "1 > Movable; 6; 0xffffffff = unknown" },
	{ "dev", "0xfe00001 = 254:1 > vda1; 0x8fffff = 8:1048575; 0 = 0:0" },
	{ "blkop", "1 > WRITE; 36" },
	{ "etype", "0x0800 = IPv4; 0x0806 = ARP; 0x86dd = IPv6; 0x8100 = 802.1Q; 0x88cc = LLDP; "
	  "0x9000 = LOOPBACK; 0x0005; 0x10800" },
	{ "drop", "2 > NOT_SPECIFIED; 77" }, { "tcp", "1 > TCP_ESTABLISHED; 13" },
	{ "af", "0 = AF_UNSPEC; 1 = AF_UNIX; 2 = AF_INET; 10 = AF_INET6; 999" },
	{ "ipproto", "0 = IPPROTO_IP; 6 = IPPROTO_TCP; 132 = IPPROTO_SCTP; 262 = IPPROTO_MPTCP; "
	  "254" },
	{ "ipcflg", "01600 = IPC_CREAT|0600; 03644 = IPC_CREAT|IPC_EXCL|0644; 0600; 0; "
	  "0104001 = IPC_NOWAIT|01|0x8000; 0x10000" },
	{ "msgflg", "04000 = IPC_NOWAIT; 034000 = IPC_NOWAIT|MSG_NOERROR|MSG_EXCEPT; 0 = 0x0; "
	  "0600 = 0x180" },
	{ "shmflg", "01600 = IPC_CREAT|0600; "
	  "017666 = IPC_CREAT|IPC_EXCL|SHM_HUGETLB|SHM_NORESERVE|0666" },
	{ "lcb", "0x21 > SPIN|MUTEX; 0x2" },
	{ "level", "0 = emerg; 3 = err; 4 = warning; 7 = debug; 8" },
	{ "detector", "0 > kfence; 9" }, { "lockup", "1 = soft; 2 = hard; 3 = task; 4 = rcu; 0" },
	{ "dump", "1 > Panic; 2" }, { "sig", "9 = SIGKILL; 34 = SIGRT2; 64 = SIGRT32; 0; 65" },
	{ "err", "-110 = -ETIMEDOUT" },
	{ "clone", "0x11 = SIGCHLD; 0x10111 = CLONE_VM|CLONE_THREAD|SIGCHLD; "
	  "0x1f0 = CLONE_VM|0xf0; 0 = 0x0" },
	{ "state", "0x53 = S" }, { "tid", "100 = bash-100; 5 = <5>" }, { "buf", "255 = none" },
	{ "clock", "1 = tsc" }, { "evh", "0x20" }, { "code", "3 = SOURCE" },
};

TESTS(.setup = format_setup, .teardown = format_teardown);

static void check_value(uint64_t value, const char *text)
{
	char expected[128];

	snprintf(expected, sizeof(expected), "v=%s", text);
	check(0x100, (uint64_t[4]){ value }, expected);
}

TEST_EACH(test_format, formats)
{
	char text[512], *rest = text, *row, types[128];

	snprintf(types, sizeof(types),
		 "0x100 M UNDEF - present \"n\" \"v:%s\" \"\" \"\" \"\"\n", formats[_i].format);
	format_use_types(types);
	strcpy(text, formats[_i].values);
	while ((row = strsep(&rest, ";")) != NULL) {
		char *named = strstr(row, " > "), *bare, *value = row + strspn(row, " ");

		if (named)
			*named = 0;
		bare = strstr(row, " = ");
		if (bare)
			*bare = 0;
		bare = bare ? bare + 3 : value;
		forget_kernel();
		check_value(strtoull(value, NULL, 0), bare);
		use_kernel();
		check_value(strtoull(value, NULL, 0), named ? named + 3 : bare);
	}
}

TEST(test_every_format_is_tested)
{
	static const char *const elsewhere[] = {
		"text", "sys", "abi", "wstatus", "cpu", "sec", "nsec", "mset", "chain",
	};
#define NAME(id, name) #name,
	static const char *const all[] = { LKST_FIELD_FORMATS(NAME) };
#undef NAME

	for (size_t i = 0; i < LKST_FMT_BYTES; i++) {
		bool found = false;

		ck_assert_int_eq(lkst_field_format_find(all[i]), (int)i);
		for (int k = 0; k < NUM(formats); k++)
			found |= !strcmp(formats[k].format, all[i]);
		for (int k = 0; k < NUM(elsewhere); k++)
			found |= !strcmp(elsewhere[k], all[i]);
		ck_assert_msg(found, "%s", all[i]);
	}
	ck_assert_int_eq(lkst_field_format_find("unheard_of"), -1);
}

/* The formatter knows every format in the embedded table of event types. */
TEST(test_every_type_is_known)
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

/* ---- arguments of whole events ---- */

struct row {
	uint32_t type;
	uint64_t arg[4];
	const char *text;
};

static const struct row events[] = {
	{ 0x001, { 0x6400000153, 0x78, 0x68736162, 0x2f72657070617773 },
	  "prev=bash-100 prev_state=S+ next=swapper/1-0 next_prio=120 prev_name=bash next_name=swapper/" },
	{ 0x001, { 0x6400000252, 0x3700000078, 0x68736162 },
	  "prev=bash-100 prev_state=0x252 next=<55> next_prio=120 prev_name=bash next_name=\"\"" },
	{ 0x003, { 0x0900000000, 0xffffffff, 1 },
	  "signal=SIGKILL code=0 target=swapper/1-0 result=-1 group=1 name=\"\"" },
	{ 0x007, { 0x6400000000, 0x0100 }, "thread=bash-100 prio=0 status=exit(1) name=\"\"" },
	{ 0x007, { 0x6400000000, 0x8b },
	  "thread=bash-100 prio=0 status=killed(SIGSEGV,core) name=\"\"" },
	{ 0x005, { 0x6400000064, 0x3d0f00 },
	  "child=bash-100 tgid=100 flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|"
	  "CLONE_THREAD|CLONE_SYSVSEM|CLONE_SETTLS|CLONE_PARENT_SETTID|CLONE_CHILD_CLEARTID name=\"\"" },
	{ 0x012, { 3 }, "vector=NET_RX" }, { 0x012, { 10 }, "vector=10" },
	{ 0x030, { 0, 3 }, "number=read arg1=0x3 arg2=0x0 arg3=0x0" },
	{ 0x030, { PACK(3, 1) }, "number=read abi=ia32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ 0x030, { PACK(0x40000001, 2) }, "number=write abi=x32 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ 0x030, { PACK(99999, 0) }, "number=99999 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ 0x030, { PACK(0xffffffff, 0) }, "number=-1 arg1=0x0 arg2=0x0 arg3=0x0" },
	{ 0x031, { 0, U(-2) }, "number=read result=-ENOENT" },
	{ 0x031, { 0, U(-512) }, "number=read result=-ERESTARTSYS" },
	{ 0x031, { 0, U(-516) }, "number=read result=-ERESTART_RESTARTBLOCK" },
	{ 0x031, { 0, U(-520) }, "number=read result=-520" },
	{ 0x031, { 0, 4096 }, "number=read result=4096" },
	{ 0x031, { 0, 0x7f0012345000 }, "number=read result=0x7f0012345000" },
	{ 0x031, { 0, U(-4096) }, "number=read result=0xfffffffffffff000" },
	{ 0xf01, { 3, 4096, U(-1) }, "buffer=3 overwritten=4096 first_recid=18446744073709551615" },
	{ 0xf02, { 0, 1, PACK(1, 0) }, "from=0 to=1 first_recid=4294967296" },
	{ 0xf09, { 0, 1 }, "from=ns to=tsc" }, { 0xf09, { 2 }, "from=2 to=ns" },
	{ 0xf08, { 1, U(-3) }, "code=NO_BUFFER detail=-3" },
	{ 0xf08, { 77, 5 }, "code=77 detail=5" },
	{ 0xf08, { 2, 1 }, "code=BAD_PARAM detail=buffer_size" },
	{ 0xf08, { 2, 2 }, "code=BAD_PARAM detail=maskset" },
	{ 0xf08, { 2, 3 }, "code=BAD_PARAM detail=memory" },
	{ 0xf08, { 2, 99 }, "code=BAD_PARAM detail=99" },
	{ 0xf08, { 3, 1 }, "code=SOURCE detail=1" },
	{ 0x123, { 0, U(-1), 2, 3 }, "arg1=0x0 arg2=0xffffffffffffffff arg3=0x2 arg4=0x3" },
};

TEST_EACH(test_events, events)
{
	check(events[_i].type, events[_i].arg, events[_i].text);
}

#define A_TO_H 0x6867666564636261

/* Descriptions of event types that no kernel has, and an event of each. */
static const struct { const char *fields; uint64_t arg[4]; const char *text; } described[] = {
	{ "\"a:dec\" \"b:udec\" \"c\" \"d:what\"", { U(-1), U(-1), 16, 17 },
	  "a=-1 b=18446744073709551615 c=0x10 d=0x11" },
	{ "\"a:dec,b:udec\" \"\" \"p:ptr\" \"q:buf\"", { U(-1), 5, DATA, 255 },
	  "a=-1 b=4294967295 p=0xffff888000000000 q=none" },
	{ "\"t:text\" \"t:text\" \"u:text\" \"v:cpu\"", { A_TO_H, 0x0a69, 0x2261, 7 },
	  "t=\"abcdefghi\\012\" u=\"a\\\"\" v=7" },
	{ "\"t:text\" \"t:text\" \"t:text\" \"t:text\"", { A_TO_H, A_TO_H, A_TO_H, A_TO_H },
	  "t=abcdefghabcdefghabcdefghabcdefgh" },
	{ "\"x:err,y:err\" \"z:clone\" \"w:wstatus\" \"s:state\"",
	  { PACK(0xfffffff5, 5), 0x10000000000, 0x12345, 1 },
	  "x=-EAGAIN y=5 z=0x10000000000 w=0x12345 s=0x1" },
	/*
	 * Half of an argument can have any format. An address or a string needs a whole argument,
	 * so in half of one it is printed as a hexadecimal number.
	 */
	{ "\"a:gfp,b:err\" \"c:sym,d:irq\" \"e:reg,f:pfcode\" \"g:drop,h:text\"",
	  { PACK(0xcc0, -2), PACK(0x81000000, 24), PACK(5, 7), PACK(2, 0x41) },
	  "a=GFP_KERNEL b=-ENOENT c=0x81000000 d=24(virtio0) e=0x5 f=PROT|WRITE|USER "
	  "g=NOT_SPECIFIED h=0x41" },
};

TEST_EACH(test_described, described)
{
	char text[256];

	use_kernel();
	snprintf(text, sizeof(text), "0x100 M UNDEF - present \"n\" %s\n", described[_i].fields);
	format_use_types(text);
	check(0x100, described[_i].arg, described[_i].text);
}

/* The machine that recorded the trace determines what a system call or trap number means. */
static const struct { uint8_t machine; struct row row; } machines[] = {
	{ LKST_MACHINE_I386, { 0x030, { PACK(3, 0) }, "number=read arg1=0x0 arg2=0x0 arg3=0x0" } },
	{ LKST_MACHINE_ARM64, { 0x030, { PACK(3, 0) },
	  "number=io_cancel arg1=0x0 arg2=0x0 arg3=0x0" } },
	{ LKST_MACHINE_ARM64, { 0x030, { PACK(25, 0) },
	  "number=fcntl arg1=0x0 arg2=0x0 arg3=0x0" } },
	{ LKST_MACHINE_ARM64, { 0x030, { PACK(3, 3) },
	  "number=3 abi=compat arg1=0x0 arg2=0x0 arg3=0x0" } },
	{ LKST_MACHINE_OTHER, { 0x030, { PACK(3, 0) }, "number=3 arg1=0x0 arg2=0x0 arg3=0x0" } },
	{ LKST_MACHINE_I386, { 0x0b0, { PACK(14, 0), 0x1000, 11 },
	  "trap=#PF error_code=0x0 ip=0x1000 signal=SIGSEGV" } },
	{ LKST_MACHINE_ARM64, { 0x0b0, { PACK(14, 0), 0x1000, 11 },
	  "trap=14 error_code=0x0 ip=0x1000 signal=SIGSEGV" } },
	{ LKST_MACHINE_OTHER, { 0x0b0, { PACK(14, 0), 0x1000, 11 },
	  "trap=14 error_code=0x0 ip=0x1000 signal=SIGSEGV" } },
};

TEST_EACH(test_other_machines, machines)
{
	const struct row *row = &machines[_i].row;
	struct lkst_event event = event_of(row->type, row->arg[0], row->arg[1], row->arg[2], 0);

	event.machine = machines[_i].machine;
	ck_assert_str_eq(format_arguments(event), row->text);
}

TEST(test_other_byte_order)
{
	struct lkst_event event = event_of(0x010, 9, __builtin_bswap64(text8("timer")), 0, 0);

	event.swapped = true;
	ck_assert_str_eq(format_arguments(event), "irq=9 name=timer");
}

/* Events, and the text of their arguments with the names of a kernel. */
static const struct row kernel_events[] = {
	{ 0x008, { DO_IT, DATA, 0x72656b726f776b },
	  "function=do_it data=0xffff888000000000 name=kworker" },
	{ 0x010, { 24, 0x306f6974726976 }, "irq=24 name=virtio0" },
	{ 0x011, { 24, 1 }, "irq=24(virtio0) handled=1" },
	{ 0x017, { DATA, DO_MORE }, "tasklet=0xffff888000000000 function=do_more" },
	{ 0x019, { 0xec, 0x401000 }, "vector=LOCAL_TIMER ip=0x401000" },
	{ 0x01d, { PROBE, 1500, 1 }, "handler=probe[virtio_net] duration_ns=1500 handled=1" },
	{ 0x020, { PACK(14, 2), DO_IT + 5, 0xdead000 },
	  "trap=#PF error_code=0x2 ip=do_it+0x5 address=0xdead000" },
	{ 0x022, { 0x7ffc0000, 0x401000, PACK(6, 1) },
	  "address=0x7ffc0000 ip=0x401000 error_code=WRITE|USER user=1" },
	{ 0x040, { DO_MORE + 4, DATA, PACK(100, 128), PACK(0xdc0, 0xffffffff) },
	  "caller=do_more+0x4 object=0xffff888000000000 requested=100 allocated=128 "
	  "gfp=GFP_KERNEL|__GFP_ZERO node=-1" },
	{ 0x044, { 4096, 1, 0xcc0 }, "pfn=4096 order=0 migratetype=Movable gfp=GFP_KERNEL" },
	{ 0x044, { U(-1), PACK(9, 0xffffffff), 0x100 },
	  "pfn=failed order=9 migratetype=unknown gfp=__GFP_ZERO" },
	{ 0x046, { 0x7f0000, 0x41, DATA },
	  "address=0x7f0000 flags=WRITE|USER mm=0xffff888000000000" },
	{ 0x062, { DATA, PACK(98, 0x0800), 0x30687465 },
	  "skb=0xffff888000000000 length=98 protocol=IPv4 device=eth0" },
	{ 0x064, { DATA, DO_IT + 0x10, PACK(0x86dd, 2) },
	  "skb=0xffff888000000000 location=do_it+0x10 protocol=IPv6 reason=NOT_SPECIFIED" },
	{ 0x065, { DATA, PACK(2, 1), PACK(40000, 80), PACK(2, 6) },
	  "socket=0xffff888000000000 old=TCP_SYN_SENT new=TCP_ESTABLISHED sport=40000 dport=80 "
	  "family=AF_INET protocol=IPPROTO_TCP" },
	{ 0x070, { 0x1234, PACK(2, 01600), U(-17) },
	  "key=0x1234 count=2 flags=IPC_CREAT|0600 id=-EEXIST" },
	{ 0x073, { 5, PACK(100, 04000), U(-11) }, "id=5 size=100 flags=IPC_NOWAIT result=-EAGAIN" },
	{ 0x075, { 0, 4096, 011600, 3 },
	  "key=0x0 size=4096 flags=IPC_CREAT|SHM_NORESERVE|0600 id=3" },
	/* The bit 010000 is SHM_NORESERVE in shmget(), but SHM_RDONLY in shmat(). */
	{ 0x076, { 3, 050000, 0, 0x7f0000000000 },
	  "id=3 flags=SHM_RDONLY|SHM_REMAP result=0 address=0x7f0000000000" },
	{ 0x080, { DATA, PROBE + 8 }, "lock=0xffff888000000000 caller=probe+0x8[virtio_net]" },
	{ 0x088, { DATA, 0x21, 42 }, "lock=0xffff888000000000 flags=SPIN|MUTEX owner=<42>" },
	{ 0x088, { DATA, 0x20, U(-1) }, "lock=0xffff888000000000 flags=MUTEX owner=?" },
	{ 0x0a0, { 254 << 20 | 1, 2048, PACK(4096, 1), 51000 },
	  "device=vda1 sector=2048 bytes=4096 operation=WRITE queue_ns=51000" },
	{ 0x0a1, { 254 << 20, 2048, PACK(4096, 0), U(-5) },
	  "device=254:0 sector=2048 bytes=4096 operation=READ error=-EIO" },
	{ 0x0b0, { PACK(6, 0), DO_IT, 11 }, "trap=#UD error_code=0x0 ip=do_it signal=SIGSEGV" },
	{ 0x0b2, { 0, DO_IT }, "detector=kfence id=do_it" },
	{ 0x0b3, { 100, LKST_LOCKUP_SOFT }, "thread=bash-100 kind=soft" },
	{ 0x0b3, { U(-1), LKST_LOCKUP_RCU }, "thread=? kind=rcu" },
	/*
	 * Return addresses. do_it ends with a call that does not return, so the return address of
	 * this call is DO_MORE, where another function begins. This address is printed as part of
	 * do_it.
	 */
	{ 0x0b5, { DO_IT + 8, DO_MORE, PROBE + 0x40 },
	  "at1=do_it+0x8 at2=do_it+0x100 at3=probe+0x40[virtio_net]" },
	{ 0x0b5, { DO_IT + 8, 0x1234 }, "at1=do_it+0x8 at2=0x1234" },
	{ 0x0b7, { PACK(3, 5), 0x6f6c6c6568 }, "level=err length=5 line=hello" },
	{ 0x0c6, { 1, DO_IT + 1 }, "target_cpu=1 caller=do_it+0x1 callback=0x0" },
	{ 0x0d2, { DATA, PROBE }, "work=0xffff888000000000 function=probe[virtio_net]" },
	{ 0xf07, { 1 }, "reason=Panic" },
};

TEST_EACH(test_kernel_events, kernel_events)
{
	use_kernel();
	check(kernel_events[_i].type, kernel_events[_i].arg, kernel_events[_i].text);
}

TEST_LOOP(test_registers, 7)
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
	/* Other machines have other registers. */
	event.machine = _i & 1 ? LKST_MACHINE_I386 : LKST_MACHINE_OTHER;
	ck_assert_str_eq(format_arguments(event), text[6]);
}

/* Verbose output shows the arguments that are 0, too. */
TEST(test_verbose)
{
	use_kernel();
	opt.verbose = true;
	assert_begins(format_arguments(event_of(0x0b5, DO_IT + 8, 0, 0, 0)),
		      "at1=do_it+0x8 at2=0x0 at3=0x0 at4=0x0 |");
}

TEST(test_csv_is_raw)
{
	struct lkst_event event = event_of(0x0b4, DO_IT + 1, 2, DO_IT, 4);

	use_kernel();
	form = lkst_format_csv;
	opt.epoch = true;
	event.nth = 0;
	ck_assert_str_eq(
		format_line(event),
		"oops_regs,1,100,1767323045,123456,r1,0x81000001,0xffffffff,"
		"r2,0x00000002,0x00000000,r3,0x81000000,0xffffffff,r4,0x00000004,0x00000000\n");
}
