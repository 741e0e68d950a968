// SPDX-License-Identifier: GPL-2.0
/*
 * Load small BPF programs without a compiler, and do other things that bpf.t needs:
 *
 *	bpf_tool load KIND NAME		make a program an event handler, and print its id
 *	bpf_tool load-keep KIND NAME	the same, and keep its descriptor open until killed
 *	bpf_tool marks NUM ARG1		record NUM marks with this first argument
 *	bpf_tool limit NUM LIMIT	record NUM marks, at first as fast as possible, and print
 *					the least and the greatest number of them that an event
 *					handler which records LIMIT per second can have recorded
 *	bpf_tool sleep NUM MS		sleep NUM times for MS ms
 *	bpf_tool exists PROGRAM 0	succeed if there is a BPF program with this id
 *	bpf_tool map PROGRAM NAME	print the entries of a map of a BPF program: the key, ":"
 *					and the value, all as 64-bit numbers
 *
 * KIND is drop, record or act for a program that returns 0, 1 or 2, context for one that checks its
 * context, and socket or kprobe for a program of this type, which cannot be an event handler. With
 * KIND+ID, the program of event handler ID also decides.
 */
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <time.h>

#include "buffers.h"

#define INSN(c, dst, src, o, i) \
	{ .code = (c), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i) }
#define RETURN(value) \
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, value), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* Load word @n of the context into R2. */
#define LOAD(n) INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_2, BPF_REG_1, 8 * (n), 0)
/* Skip @n instructions unless R2 has this value. */
#define UNLESS(value, n) INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_2, 0, n, value)

static const struct bpf_insn drop[] = { RETURN(LKST_BPF_DROP) };
static const struct bpf_insn record[] = { RETURN(LKST_BPF_RECORD) };
static const struct bpf_insn act[] = { RETURN(LKST_BPF_ACT) };

/* Record marks with the arguments 0x11, 0x22, 0x33 and 0x44 if the context is right. */
static const struct bpf_insn context[] = {
	LOAD(LKST_BPF_TYPE),	 UNLESS(USER_MARK, 21),
	LOAD(LKST_BPF_ARG1),	 UNLESS(0x11, 19),
	LOAD(LKST_BPF_ARG1 + 1), UNLESS(0x22, 17),
	LOAD(LKST_BPF_ARG1 + 2), UNLESS(0x33, 15),
	LOAD(LKST_BPF_ARG1 + 3), UNLESS(0x44, 13),
	/* Ignore this flag, because another thread may be waiting for the CPU. */
	LOAD(LKST_BPF_FLAGS),
	INSN(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_2, 0, 0, ~LKST_RECORD_NEED_RESCHED),
	UNLESS(0, 10),
	LOAD(11),		 UNLESS(0, 8),
	LOAD(LKST_BPF_CLOCK),
	INSN(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_2, 0, 6, 0),
	LOAD(LKST_BPF_THREAD),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_2, 0, 0),
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_pid_tgid),
	INSN(BPF_JMP | BPF_JNE | BPF_X, BPF_REG_0, BPF_REG_6, 2, 0),
	RETURN(LKST_BPF_RECORD),
	RETURN(LKST_BPF_DROP),
};

#define PROGRAM(n, t) { #n, BPF_PROG_TYPE_##t, n, ARRAY_SIZE(n) }

static const struct {
	const char *kind;
	unsigned int type;
	const struct bpf_insn *insns;
	unsigned int num;
} programs[] = {
	PROGRAM(drop, RAW_TRACEPOINT),
	PROGRAM(record, RAW_TRACEPOINT),
	PROGRAM(act, RAW_TRACEPOINT),
	PROGRAM(context, RAW_TRACEPOINT),
	{ "socket", BPF_PROG_TYPE_SOCKET_FILTER, drop, ARRAY_SIZE(drop) },
	{ "kprobe", BPF_PROG_TYPE_KPROBE, drop, ARRAY_SIZE(drop) },
};

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Load a program. Print the log of the verifier if it refuses the program. */
static int load(const char *kind)
{
	static char log[65536];
	union bpf_attr attr = {
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = -1;

	errno = EINVAL;
	for (unsigned int i = 0; i < ARRAY_SIZE(programs); i++) {
		if (strcmp(programs[i].kind, kind))
			continue;
		attr.prog_type = programs[i].type;
		attr.insns = (uintptr_t)programs[i].insns;
		attr.insn_cnt = programs[i].num;
		fd = bpf(BPF_PROG_LOAD, &attr);
	}
	if (fd < 0)
		fprintf(stderr, "%s: %s\n%s", kind, strerror(errno), log);
	return fd;
}

static int do_load(char **args, bool keep)
{
	char *also = strchr(args[0], '+');
	struct lkst_evhandler_bpf_param param = {};

	if (also) {
		*also = '\0';
		param.also = strtol(also + 1, NULL, 0);
	}
	param.fd = load(args[0]);
	if (param.fd < 0)
		return 1;
	memcpy(param.name, args[1], strnlen(args[1], sizeof(param.name)));
	if (ioctl(lkst_fd, LKST_IOC_EVHANDLER_BPF, &param)) {
		fprintf(stderr, "LKST_IOC_EVHANDLER_BPF: %s\n", strerror(errno));
		return 1;
	}
	printf("0x%03x\n", (unsigned int)param.id);
	fflush(stdout);
	while (keep)
		pause();
	return 0;
}

static int do_marks(char **args)
{
	unsigned long num = strtoul(args[0], NULL, 0), arg1 = strtoul(args[1], NULL, 0);

	while (num--)
		need(mark(arg1, 0x22, 0x33, 0x44), "a mark");
	return 0;
}

static int do_sleep(char **args)
{
	unsigned int num = strtoul(args[0], NULL, 0), ms = strtoul(args[1], NULL, 0);

	while (num--)
		sleep_ms(ms);
	return 0;
}

static time_t second(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/*
 * Record the second half of the marks slowly. A mark at the end of a second may count in the next
 * one.
 */
static int do_limit(char **args)
{
	unsigned long num = strtoul(args[0], NULL, 0), limit = strtoul(args[1], NULL, 0);
	unsigned long in_second = 0, least = 0, unclear = 0;
	time_t last = 0;

	for (unsigned long i = 0; i < num; i++) {
		time_t before = second();

		need(mark(0x71, 0x22, 0x33, 0x44), "a mark");
		if (before != second()) {
			unclear++;
		} else {
			in_second = before == last ? in_second + 1 : 1;
			last = before;
			least += in_second <= limit;
		}
		if (i >= num / 2)
			sleep_ms(15);
	}
	printf("%lu %lu\n", least > unclear ? least - unclear : 0, least + unclear);
	return 0;
}

/* ---- maps ---- */

static int info_of(int fd, void *info, unsigned int size)
{
	union bpf_attr attr = { .info = { .bpf_fd = fd, .info_len = size, .info = (uintptr_t)info } };

	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static int do_exists(char **args)
{
	union bpf_attr attr = { .prog_id = strtoul(args[0], NULL, 0) };

	return bpf(BPF_PROG_GET_FD_BY_ID, &attr) < 0;
}

/* Find a map of a program. Return a descriptor. */
static int find_map(unsigned int program, const char *name, struct bpf_map_info *map)
{
	union bpf_attr attr = { .prog_id = program };
	unsigned int ids[16];
	struct bpf_prog_info info = { .nr_map_ids = ARRAY_SIZE(ids), .map_ids = (uintptr_t)ids };
	int fd = bpf(BPF_PROG_GET_FD_BY_ID, &attr);

	bail_if(fd < 0 || info_of(fd, &info, sizeof(info)), "the BPF program");
	for (unsigned int i = 0; i < info.nr_map_ids; i++) {
		union bpf_attr by_id = { .map_id = ids[i] };

		fd = bpf(BPF_MAP_GET_FD_BY_ID, &by_id);
		bail_if(fd < 0, "the map");
		memset(map, 0, sizeof(*map));
		bail_if(info_of(fd, map, sizeof(*map)), "the map");
		if (!strcmp(map->name, name))
			return fd;
		close(fd);
	}
	errno = ENOENT;
	bail_out(name);
}

static int do_map(char **args)
{
	struct bpf_map_info map;
	int fd = find_map(strtoul(args[0], NULL, 0), args[1], &map);
	uint64_t key[8] = {}, next[8] = {}, value[8];
	union bpf_attr to_next = { .map_fd = fd, .next_key = (uintptr_t)next };
	union bpf_attr look_up = { .map_fd = fd, .key = (uintptr_t)key, .value = (uintptr_t)value };

	while (!bpf(BPF_MAP_GET_NEXT_KEY, &to_next)) {
		memcpy(key, next, sizeof(key));
		to_next.key = (uintptr_t)key;
		memset(value, 0, sizeof(value));
		if (bpf(BPF_MAP_LOOKUP_ELEM, &look_up))
			continue;
		for (unsigned int i = 0; i < (map.key_size + 7) / 8; i++)
			printf("%#llx ", (ull)key[i]);
		printf(": %llu\n", (ull)value[0]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	bail_if(argc != 4, "usage");
	if (!strcmp(argv[1], "sleep"))
		return do_sleep(argv + 2);
	if (!strcmp(argv[1], "exists"))
		return do_exists(argv + 2);
	if (!strcmp(argv[1], "map"))
		return do_map(argv + 2);
	open_lkst();
	if (!strcmp(argv[1], "limit"))
		return do_limit(argv + 2);
	if (!strcmp(argv[1], "marks"))
		return do_marks(argv + 2);
	return do_load(argv + 2, !strcmp(argv[1], "load-keep"));
}
