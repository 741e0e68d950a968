// SPDX-License-Identifier: LGPL-2.1
/* Finds the names of constants that are the same on all kernels. */
#include <string.h>

#include "constants.h"
#include "etypes.h"
#include "lib/base/etype_ids.h"

#include "names_table.h"

#define NUM(table) (sizeof(table) / sizeof(*(table)))

/* Errors that are internal to the kernel (include/linux/errno.h). */
#define KERNEL_ERROR_MIN 512
static const char *const kernel_errors[] = {
	[512 - KERNEL_ERROR_MIN] = "ERESTARTSYS",
	[513 - KERNEL_ERROR_MIN] = "ERESTARTNOINTR",
	[514 - KERNEL_ERROR_MIN] = "ERESTARTNOHAND",
	[515 - KERNEL_ERROR_MIN] = "ENOIOCTLCMD",
	[516 - KERNEL_ERROR_MIN] = "ERESTART_RESTARTBLOCK",
	[517 - KERNEL_ERROR_MIN] = "EPROBE_DEFER",
	[518 - KERNEL_ERROR_MIN] = "EOPENSTALE",
	[519 - KERNEL_ERROR_MIN] = "ENOPARAM",
	[521 - KERNEL_ERROR_MIN] = "EBADHANDLE",
	[522 - KERNEL_ERROR_MIN] = "ENOTSYNC",
	[523 - KERNEL_ERROR_MIN] = "EBADCOOKIE",
	[524 - KERNEL_ERROR_MIN] = "ENOTSUPP",
	[525 - KERNEL_ERROR_MIN] = "ETOOSMALL",
	[526 - KERNEL_ERROR_MIN] = "ESERVERFAULT",
	[527 - KERNEL_ERROR_MIN] = "EBADTYPE",
	[528 - KERNEL_ERROR_MIN] = "EJUKEBOX",
	[529 - KERNEL_ERROR_MIN] = "EIOCBQUEUED",
	[530 - KERNEL_ERROR_MIN] = "ERECALLCONFLICT",
	[531 - KERNEL_ERROR_MIN] = "ENOGRACE",
};

/* Signal numbers, which are the same on all machines except alpha, mips, parisc and sparc. */
static const char *const signals[] = {
	[1] = "SIGHUP",	  [2] = "SIGINT",     [3] = "SIGQUIT",	[4] = "SIGILL",
	[5] = "SIGTRAP",  [6] = "SIGABRT",    [7] = "SIGBUS",	[8] = "SIGFPE",
	[9] = "SIGKILL",  [10] = "SIGUSR1",   [11] = "SIGSEGV", [12] = "SIGUSR2",
	[13] = "SIGPIPE", [14] = "SIGALRM",   [15] = "SIGTERM", [16] = "SIGSTKFLT",
	[17] = "SIGCHLD", [18] = "SIGCONT",   [19] = "SIGSTOP", [20] = "SIGTSTP",
	[21] = "SIGTTIN", [22] = "SIGTTOU",   [23] = "SIGURG",	[24] = "SIGXCPU",
	[25] = "SIGXFSZ", [26] = "SIGVTALRM", [27] = "SIGPROF", [28] = "SIGWINCH",
	[29] = "SIGIO",	  [30] = "SIGPWR",    [31] = "SIGSYS",	[32] = "SIGRT0",
	[33] = "SIGRT1",  [34] = "SIGRT2",    [35] = "SIGRT3",	[36] = "SIGRT4",
	[37] = "SIGRT5",  [38] = "SIGRT6",    [39] = "SIGRT7",	[40] = "SIGRT8",
	[41] = "SIGRT9",  [42] = "SIGRT10",   [43] = "SIGRT11", [44] = "SIGRT12",
	[45] = "SIGRT13", [46] = "SIGRT14",   [47] = "SIGRT15", [48] = "SIGRT16",
	[49] = "SIGRT17", [50] = "SIGRT18",   [51] = "SIGRT19", [52] = "SIGRT20",
	[53] = "SIGRT21", [54] = "SIGRT22",   [55] = "SIGRT23", [56] = "SIGRT24",
	[57] = "SIGRT25", [58] = "SIGRT26",   [59] = "SIGRT27", [60] = "SIGRT28",
	[61] = "SIGRT29", [62] = "SIGRT30",   [63] = "SIGRT31", [CONSTANT_SIGNAL_MAX] = "SIGRT32",
};

static const char *const lkst_errors[] = {
	[LKST_ERROR_NO_BUFFER] = "NO_BUFFER",
	[LKST_ERROR_BAD_PARAM] = "BAD_PARAM",
	[LKST_ERROR_SOURCE] = "SOURCE",
};

static const char *const lockups[] = {
	[LKST_LOCKUP_SOFT] = "soft",
	[LKST_LOCKUP_HARD] = "hard",
	[LKST_LOCKUP_TASK] = "task",
	[LKST_LOCKUP_RCU] = "rcu",
};

static const char *const clocks[] = { [LKST_CLOCK_NS] = "ns", [LKST_CLOCK_TSC] = "tsc" };

static const char *const abis[] = { "native", "ia32", "x32", "compat" };

/* Names of softirqs, used if the trace does not contain such names. */
static const char *const softirqs[] = {
	"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
};

/* x86 exceptions, named as in the manuals; 32 is a fault in the return from an interrupt. */
static const char *const traps[] = {
	[0] = "#DE",  [1] = "#DB",  [2] = "NMI",  [3] = "#BP",	[4] = "#OF",   [5] = "#BR",
	[6] = "#UD",  [7] = "#NM",  [8] = "#DF",  [9] = "CSO",	[10] = "#TS",  [11] = "#NP",
	[12] = "#SS", [13] = "#GP", [14] = "#PF", [16] = "#MF", [17] = "#AC",  [18] = "#MC",
	[19] = "#XF", [20] = "#VE", [21] = "#CP", [29] = "#VC", [32] = "IRET",
};

/* Log levels: the names of the KERN_* constants in lower case, without the prefix. */
static const char *const levels[] = {
	"emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
};

static const struct {
	uint16_t value;
	const char *name;
} packet_types[] = {
	{ 0x0001, "802.3" },	{ 0x0003, "ALL" },	 { 0x0004, "802.2" },
	{ 0x0800, "IPv4" },	{ 0x0806, "ARP" },	 { 0x0842, "WoL" },
	{ 0x22f0, "TSN" },	{ 0x4305, "BATMAN" },	 { 0x6558, "TEB" },
	{ 0x8035, "RARP" },	{ 0x809b, "AppleTalk" }, { 0x80f3, "AARP" },
	{ 0x8100, "802.1Q" },	{ 0x8137, "IPX" },	 { 0x86dd, "IPv6" },
	{ 0x8808, "PAUSE" },	{ 0x8809, "LACP" },	 { 0x8847, "MPLS" },
	{ 0x8848, "MPLS-MC" },	{ 0x8863, "PPPoE-D" },	 { 0x8864, "PPPoE" },
	{ 0x888e, "802.1X" },	{ 0x8892, "PROFINET" },	 { 0x88a2, "AoE" },
	{ 0x88a4, "EtherCAT" }, { 0x88a8, "802.1ad" },	 { 0x88ca, "TIPC" },
	{ 0x88cc, "LLDP" },	{ 0x88e5, "MACsec" },	 { 0x88f7, "PTP" },
	{ 0x8902, "CFM" },	{ 0x8906, "FCoE" },	 { 0x8914, "FIP" },
	{ 0x8915, "RoCE" },	{ 0x892f, "HSR" },	 { 0x894f, "NSH" },
	{ 0x9000, "LOOPBACK" },
};

static const char *constants_packet_type(uint64_t value)
{
	for (size_t i = 0; i < NUM(packet_types); i++)
		if (packet_types[i].value == value)
			return packet_types[i].name;
	return NULL;
}

static const struct {
	const char *const *name;
	size_t num;
} tables[LKST_FMT_NUM] = {
#define TABLE(format, table) [LKST_FMT_##format] = { table, NUM(table) }
	TABLE(SIG, signals),	  TABLE(ABI, abis),	  TABLE(SOFTIRQ, softirqs),
	TABLE(TRAP, traps),	  TABLE(AF, af_names),	  TABLE(IPPROTO, ipproto_names),
	TABLE(LEVEL, levels),	  TABLE(LOCKUP, lockups), TABLE(CLOCK, clocks),
	TABLE(CODE, lkst_errors),
#undef TABLE
};

/**
 * constant_name() - get the name of a value
 * @format: format of the value
 * @value: value
 *
 * Return: the name; NULL if the value has no name.
 */
const char *constant_name(enum lkst_field_format format, uint64_t value)
{
	if (format == LKST_FMT_ETYPE)
		return constants_packet_type(value);
	return value < tables[format].num ? tables[format].name[value] : NULL;
}

static const struct constant_flag clone_flag[] = {
	{ 0x100, "CLONE_VM" },
	{ 0x200, "CLONE_FS" },
	{ 0x400, "CLONE_FILES" },
	{ 0x800, "CLONE_SIGHAND" },
	{ 0x1000, "CLONE_PIDFD" },
	{ 0x2000, "CLONE_PTRACE" },
	{ 0x4000, "CLONE_VFORK" },
	{ 0x8000, "CLONE_PARENT" },
	{ 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" },
	{ 0x40000, "CLONE_SYSVSEM" },
	{ 0x80000, "CLONE_SETTLS" },
	{ 0x100000, "CLONE_PARENT_SETTID" },
	{ 0x200000, "CLONE_CHILD_CLEARTID" },
	{ 0x400000, "CLONE_DETACHED" },
	{ 0x800000, "CLONE_UNTRACED" },
	{ 0x1000000, "CLONE_CHILD_SETTID" },
	{ 0x2000000, "CLONE_NEWCGROUP" },
	{ 0x4000000, "CLONE_NEWUTS" },
	{ 0x8000000, "CLONE_NEWIPC" },
	{ 0x10000000, "CLONE_NEWUSER" },
	{ 0x20000000, "CLONE_NEWPID" },
	{ 0x40000000, "CLONE_NEWNET" },
	{ 0x80000000, "CLONE_IO" },
	{ 0x100000000, "CLONE_CLEAR_SIGHAND" },
	{ 0x200000000, "CLONE_INTO_CGROUP" },
};

/* Flags in the error code of an x86 page fault, X86_PF_*. */
static const struct constant_flag pfcode_flag[] = {
	{ 0x1, "PROT" },   { 0x2, "WRITE" },  { 0x4, "USER" },
	{ 0x8, "RSVD" },   { 0x10, "INSTR" }, { 0x20, "PK" },
	{ 0x40, "SHSTK" }, { 0x8000, "SGX" }, { 0x80000000, "RMP" },
};

#define IPC_FLAGS                                      \
	{ 01000, "IPC_CREAT" }, { 02000, "IPC_EXCL" }, \
	{                                              \
		04000, "IPC_NOWAIT"                    \
	}
#define IPC_MODE 0777

static const struct constant_flag ipc_flag[] = { IPC_FLAGS };

static const struct constant_flag msg_flag[] = {
	{ 04000, "IPC_NOWAIT" },
	{ 010000, "MSG_NOERROR" },
	{ 020000, "MSG_EXCEPT" },
	{ 040000, "MSG_COPY" },
};

static const struct constant_flag shmget_flag[] = {
	{ 01000, "IPC_CREAT" },
	{ 02000, "IPC_EXCL" },
	{ 04000, "SHM_HUGETLB" },
	{ 010000, "SHM_NORESERVE" },
};

static const struct constant_flag shmat_flag[] = {
	{ 010000, "SHM_RDONLY" },
	{ 020000, "SHM_RND" },
	{ 040000, "SHM_REMAP" },
	{ 0100000, "SHM_EXEC" },
};

/**
 * constant_flags() - get the flags of a format
 * @format: format
 * @type: event type; for shared memory, the flags depend on the call
 *
 * Return: the flags; NULL if the format has no flags, or if they differ between kernels.
 */
const struct constant_flags *constant_flags(enum lkst_field_format format, uint32_t type)
{
	static const struct constant_flags clone = { clone_flag, NUM(clone_flag), 0 };
	static const struct constant_flags pfcode = { pfcode_flag, NUM(pfcode_flag), 0 };
	static const struct constant_flags ipc = { ipc_flag, NUM(ipc_flag), IPC_MODE };
	static const struct constant_flags msg = { msg_flag, NUM(msg_flag), 0 };
	static const struct constant_flags get = { shmget_flag, NUM(shmget_flag), IPC_MODE };
	static const struct constant_flags at = { shmat_flag, NUM(shmat_flag), 0 };

	switch (format) {
	case LKST_FMT_CLONE:
		return &clone;
	case LKST_FMT_PFCODE:
		return &pfcode;
	case LKST_FMT_IPCFLG:
		return &ipc;
	case LKST_FMT_MSGFLG:
		return &msg;
	case LKST_FMT_SHMFLG:
		return type == LKST_ETYPE_IPC_SHMAT ? &at : &get;
	default:
		return NULL;
	}
}

/**
 * constant_error() - get the name of an error
 * @error: errno, positive
 *
 * Return: the name; NULL if the error has no name.
 */
const char *constant_error(uint64_t error)
{
	if (error < KERNEL_ERROR_MIN)
		return error < NUM(error_names) ? error_names[error] : NULL;
	error -= KERNEL_ERROR_MIN;
	return error < NUM(kernel_errors) ? kernel_errors[error] : NULL;
}

#define X32_BIT 0x40000000ull

/* Tables of system calls, which differ between machines. */
static const struct {
	const char *const *name;
	size_t num;
} calls[CONSTANT_CALL_TABLES] = {
	{ sys_x86_64, NUM(sys_x86_64) },
	{ sys_i386, NUM(sys_i386) },
	{ sys_x32, NUM(sys_x32) },
	{ sys_generic, NUM(sys_generic) },
};

_Static_assert(NUM(sys_x86_64) <= CONSTANT_CALLS_MAX && NUM(sys_i386) <= CONSTANT_CALLS_MAX &&
		       NUM(sys_x32) <= CONSTANT_CALLS_MAX && NUM(sys_generic) <= CONSTANT_CALLS_MAX,
	       "CONSTANT_CALLS_MAX");

/**
 * constant_call_table() - find the table that lists a system call
 * @machine: machine on which the call was made
 * @abi: ABI of the call, as in a field with the format abi
 * @number: number of the call; replaced by its index in the table
 *
 * Return: index of the table, less than CONSTANT_CALL_TABLES; -1 if no table lists the call.
 */
int constant_call_table(enum lkst_machine machine, uint64_t abi, uint64_t *number)
{
	int table = -1;

	if (abi == 2) {
		*number &= ~X32_BIT;
		table = 2;
	} else if (abi == 1 || (abi == 0 && machine == LKST_MACHINE_I386)) {
		table = 1;
	} else if (abi == 0 && machine == LKST_MACHINE_X86_64) {
		table = 0;
	} else if (abi == 0 && machine == LKST_MACHINE_ARM64) {
		table = 3;
	}
	return table >= 0 && *number < calls[table].num && calls[table].name[*number] ? table : -1;
}

/**
 * constant_call() - get the name of a system call from a table
 * @table: less than CONSTANT_CALL_TABLES
 * @number: less than CONSTANT_CALLS_MAX
 *
 * Return: the name; NULL if not found.
 */
const char *constant_call(int table, unsigned int number)
{
	return number < calls[table].num ? calls[table].name[number] : NULL;
}

/**
 * constant_syscall() - get the name of a system call
 * @machine: machine on which the call was made
 * @abi: ABI of the call, as in a field with the format abi
 * @number: number of the call
 *
 * Return: the name; NULL if the call is unknown.
 */
const char *constant_syscall(enum lkst_machine machine, uint64_t abi, uint64_t number)
{
	int table = constant_call_table(machine, abi, &number);

	return table < 0 ? NULL : calls[table].name[number];
}

/* Registers in consecutive OOPS_REGS records on x86-64. */
static const struct constant_reg regs[][4] = {
	{ { "ip", REG_VALUE },
	  { "sp", REG_VALUE },
	  { "flags", REG_NUMBER },
	  { "orig_ax", REG_VALUE } },
	{ { "ax", REG_VALUE }, { "bx", REG_VALUE }, { "cx", REG_VALUE }, { "dx", REG_VALUE } },
	{ { "si", REG_VALUE }, { "di", REG_VALUE }, { "bp", REG_VALUE }, { "r8", REG_VALUE } },
	{ { "r9", REG_VALUE }, { "r10", REG_VALUE }, { "r11", REG_VALUE }, { "r12", REG_VALUE } },
	{ { "r13", REG_VALUE },
	  { "r14", REG_VALUE },
	  { "r15", REG_VALUE },
	  { "cs:ss", REG_SEGMENTS } },
	{ { "cr2", REG_VALUE },
	  { "cr3", REG_NUMBER },
	  { "cr4", REG_NUMBER },
	  { "gs_base", REG_VALUE } },
};

/**
 * constant_reg() - find out which register an argument of OOPS_REGS holds
 * @event: event
 * @arg: index of the argument
 *
 * Return: the register; NULL if it is unknown.
 */
const struct constant_reg *constant_reg(const struct lkst_event *event, unsigned int arg)
{
	if (event->machine != LKST_MACHINE_X86_64 || event->nth >= NUM(regs))
		return NULL;
	return &regs[event->nth][arg];
}
