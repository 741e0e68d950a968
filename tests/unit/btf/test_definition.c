// SPDX-License-Identifier: GPL-2.0
/*
 * Definitions of added events: their translation, and the errors in them. kernel_types.c has the
 * types of the kernel, and mkmodule() those of a module.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/stat.h>

#include "added/fetch.h"
#include "lib/btf/definition.h"
#include "lib/btf/source.h"
#include "tap.h"

static char directory[] = "/tmp/btf-XXXXXX";
static char kernel[64], module[64], events[64];
static struct btf_source *source;
static struct tracefs *tracefs;
static struct definition definition;

static void use_events(const char *path)
{
	tracefs_close(tracefs);
	tracefs = tracefs_open(path, &err);
	assert_made(tracefs);
}

static void open_kernel(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(kernel, sizeof(kernel), "%s/vmlinux", directory);
	snprintf(module, sizeof(module), "%s/driver", directory);
	snprintf(events, sizeof(events), "%s/events", directory);
	ck_assert_int_eq(symlink(KERNEL_TYPES, kernel), 0);
	source = btf_source_new(directory, &err);
	assert_made(source);
	use_events("/nonexistent");
}

static void close_kernel(void)
{
	char command[128];

	definition_free(&definition);
	btf_source_free(source);
	tracefs_close(tracefs);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	source = NULL;
	tracefs = NULL;
}

TESTS(.setup = open_kernel, .teardown = close_kernel);

static void translates(const char *words, const char *text, const char *missing)
{
	assert_ok(definition_translate(source, tracefs, words, &definition, &err));
	ck_assert_str_eq(definition.text, text);
	ck_assert_uint_eq(definition.len, strlen(text));
	ck_assert_str_eq(definition.missing ? definition.missing : "", missing);
	definition_free(&definition);
}

static void refuses(const char *words, const char *text)
{
	ck_assert_int_eq(definition_translate(source, tracefs, words, &definition, &err), -1);
	ck_assert_str_eq(err.text, text);
	ck_assert_ptr_null(definition.text);
}

/* ---- the kernel's parser ---- */

static bool symbol(const char *name, __u64 *address)
{
	*address = 0xffffffff81000000;
	return !strcmp(name, "jiffies");
}

static int reg(const char *name, size_t len)
{
	return len == 2 && (!strncmp(name, "di", len) || !strncmp(name, "ax", len)) ? 0 : -ENOENT;
}

/* Check that the kernel accepts a definition. */
static void parses(const char *text)
{
	static const struct lkst_fetch_scope scope = { .symbol = symbol, .reg = reg, .args = 6 };
	static struct lkst_fetch_parser parser;
	static char shown[4096];

	parser = (struct lkst_fetch_parser){
		.text = text,
		.scope = &scope,
		.shown = shown,
		.shown_size = sizeof(shown),
	};
	ck_assert_msg(lkst_fetch_parse(&parser), "%s: %u: %s", text, parser.error_at, parser.error);
}

/* ---- expressions ---- */

static const struct {
	const char *expression, *text;
} expressions[] = {
	/* numbers: arguments, and members */
	{ "n=count", "n=$arg3:u64" },
	{ "n=task->start", "n=+0($arg1):u64" },
	{ "n=task->pid", "n=+12($arg1):s32" },
	{ "n=task->on", "n=+688($arg1):u8" },
	{ "n=task->small", "n=+690($arg1):s16" },
	{ "n=task->color", "n=+648($arg1):u32" },
	/* members of members, and of members without a name */
	{ "n=task->name.hash", "n=+48($arg1):u32" },
	{ "n=task->both", "n=+32($arg1):u64" },
	{ "n=task->high", "n=+36($arg1):u32" },
	/* pointers */
	{ "n=task", "n=$arg1:x64" },
	{ "n=task->data", "n=+680($arg1):x64" },
	{ "n=task->unknown", "n=+672($arg1):x64" },
	{ "n=task->action", "n=+656($arg1):symbol" },
	{ "n=task->parent->pid", "n=+12(+40($arg1)):s32" },
	{ "n=task->peer->parent->name.hash", "n=+48(+40(+664($arg1))):u32" },
	{ "n=all", "n=$arg4:x64" },
	{ "n=all[2]", "n=+16($arg4):x64" },
	{ "n=all[2]->pid", "n=+12(+16($arg4)):s32" },
	/* arrays */
	{ "n=task->nums[0]", "n=+64($arg1):u32" },
	{ "n=task->nums[3]", "n=+76($arg1):u32" },
	{ "n=task->nums", "n=+64($arg1):u32[4]" },
	{ "n=task->bytes", "n=+340($arg1):u8[6]" },
	{ "n=task->many[64]", "n=+336($arg1):u32" },
	{ "n=task->rest[5]", "n=+709($arg1):s8" },
	{ "n=text[1]", "n=+1($arg2):s8" },
	{ "n=task->parent[1].pid", "n=+716(+40($arg1)):s32" },
	/* bitfields */
	{ "n=task->ready", "n=+8($arg1):b1@0/8" },
	{ "n=task->level", "n=+8($arg1):b9@1/16" },
	{ "n=task->policy", "n=+8($arg1):b12@10/32" },
	/* strings */
	{ "n=text", "n=+0($arg2):string" },
	{ "n=task->name.text", "n=+0(+56($arg1)):string" },
	{ "n=task->comm", "n=+16($arg1):char[16]" },
	{ "n=task->path", "n=+346($arg1):string" },
	{ "n=task->rest", "n=+704($arg1):string" },
	/* types that are given explicitly, after a colon */
	{ "n=text:ustring", "n=+0($arg2):ustring" },
	{ "n=text:x64", "n=$arg2:x64" },
	{ "n=task->bytes:string", "n=+340($arg1):string" },
	{ "n=task->comm:string", "n=+16($arg1):string" },
	{ "n=task->data:string", "n=+0(+680($arg1)):string" },
	{ "n=task->pid:x32", "n=+12($arg1):x32" },
	{ "n=task->bytes:x8[6]", "n=+340($arg1):x8[6]" },
	{ "n=count:b4@0/32", "n=$arg3:b4@0/32" },
	/* fields without a name */
	{ "count", "count=$arg3:u64" },
	{ "task->name.hash", "hash=+48($arg1):u32" },
	{ "task->nums[3]", "nums=+76($arg1):u32" },
	{ "task->pid:x32", "pid=+12($arg1):x32" },
	/* the kernel's syntax */
	{ "$arg1", "$arg1" },
	{ "n=$arg1:x8", "n=$arg1:x8" },
	{ "n=$comm", "n=$comm" },
	{ "n=+8(%di):u32", "n=+8(%di):u32" },
	{ "n=@jiffies", "n=@jiffies" },
	{ "n=@jiffies+4:u8", "n=@jiffies+4:u8" },
	{ "n=\\1", "n=\\1" },
	{ "n=-8(+u0($stack3)):string", "n=-8(+u0($stack3)):string" },
	/* both */
	{ "$arg1->pid", "pid=+12($arg1):s32" },
	{ "n=$arg4[1]->pid", "n=+12(+8($arg4)):s32" },
	{ "n=+8(task):u32", "n=+8($arg1):u32" },
	{ "n=+8(+0(task->parent)):u32", "n=+8(+0(+40($arg1))):u32" },
	{ "$arg*",
	  "task=$arg1:x64 text=+0($arg2):string count=$arg3:u64 all=$arg4:x64 change=$arg5:u32" },
};

TEST_EACH(expression, expressions)
{
	char words[128], text[256];

	snprintf(words, sizeof(words), "p:mine work %s", expressions[_i].expression);
	snprintf(text, sizeof(text), "p:mine work %s", expressions[_i].text);
	translates(words, text, "");
	parses(text);
}
END_TEST

/* The kernel finds the errors in its own syntax. */
TEST(wrong_words_of_the_kernel)
{
	translates("p work n= $nothing +8( a=+8(%di:u32", "p work n= $nothing +8( a=+8(%di:u32",
		   "");
}
END_TEST

static const struct {
	const char *words, *text;
} heads[] = {
	{ "p work", "p work" },
	{ "  p:a/b\twork   count n=count ", "p:a/b work count=$arg3:u64 n=$arg3:u64" },
	{ " s:a/x u64 n;  pid_t work", "s:a/x u64 n;  pid_t work" },
	{ "p work+0 count", "p work+0 count=$arg3:u64" },
	{ "p work+8 $stack0", "p work+8 $stack0" },
	{ "p 0xffffffff81000000 %ax", "p 0xffffffff81000000 %ax" },
	{ "p by_value first", "p by_value first=$arg1:s32" },
	{ "r work n=$retval", "r work n=$retval" },
	{ "r10:mine find $retval->pid", "r10:mine find pid=+12($retval):s32" },
	{ "p find%return $retval->parent->comm", "p find%return comm=+16(+40($retval)):char[16]" },
	{ "r work count n=count", "r work count=$arg3:u64 n=$arg3:u64" },
	{ "t wake p->pid", "t wake pid=+12($arg1):s32" },
	{ "t:mine sys:wake $arg1:u64", "t:mine wake $arg1:u64" },
	{ "sys:wake p->pid", "t:sys/wake wake pid=+12($arg1):s32" },
	{ "sys:bare x", "t:sys/bare bare x=$arg1:s64" },
	{ "p_sys:bare x", "t:p_sys/bare bare x=$arg1:s64" },
};

TEST_EACH(head, heads)
{
	translates(heads[_i].words, heads[_i].text, "");
	parses(heads[_i].text);
}
END_TEST

/* ---- errors ---- */

static const struct {
	const char *words, *text;
} errors[] = {
	{ "", "character 1: want a tracepoint, or p, r or t and a symbol" },
	{ "p", "character 2: want a symbol after \"p\"" },
	{ "work", "character 1: \"work\" is not a tracepoint (want SYSTEM:TRACEPOINT)" },
	{ "sys:", "character 1: \"sys:\" is not a tracepoint (want SYSTEM:TRACEPOINT)" },
	{ ":wake", "character 1: \":wake\" is not a tracepoint (want SYSTEM:TRACEPOINT)" },
	{ "a:b:c", "character 1: \"a:b:c\" is not a tracepoint (want SYSTEM:TRACEPOINT)" },
	{ "-:work", "character 1: \"lkstm event remove\" removes an event" },
	{ "sys:wakf", "character 5: unknown tracepoint \"wakf\"; did you mean \"wake\"?" },
	{ "p nosuch a=b", "character 3: \"nosuch\" is not in the kernel's BTF, so the names of its "
			  "arguments are unknown (want $arg1)" },
	{ "p nosuch:work a=b", "character 3: \"work\" is not in the kernel's BTF, so the names of "
			       "its arguments are unknown (want $arg1)" },
	{ "p work cuont",
	  "character 8: no argument \"cuont\" (want task, text, count, all or change)" },
	{ "p nothing a", "character 11: no argument \"a\"; there are none" },
	{ "p work $arg6->pid",
	  "character 8: no argument \"$arg6\" (want task, text, count, all or change)" },
	{ "p work $arg0->pid",
	  "character 8: no argument \"$arg0\" (want task, text, count, all or change)" },
	{ "p work+4 é=$arg1 n=count",
	  "character 20: the names of arguments are only known at the start "
	  "of a function (want \"work\")" },
	{ "p find $retval->pid",
	  "character 8: $retval is only known at the return of a function (want r)" },
	{ "r nothing $retval->pid", "character 11: the function returns nothing" },
	{ "p by_value last",
	  "character 12: \"name\" is a structure that is passed by value: where it and "
	  "later arguments are is unknown" },
	{ "p work task->parnt",
	  "character 14: no member \"parnt\" in struct task; did you mean \"parent\"?" },
	{ "p work task->name.hash.x", "character 23: this has no members: it is u32" },
	{ "p work count->x", "character 13: this has no members: it is size_t" },
	{ "p work task->data->x", "character 20: this has no members: it is void" },
	{ "p work task.pid", "character 12: this is a pointer (want \"->\" instead of \".\")" },
	{ "p work task->name->hash",
	  "character 18: this is no pointer (want \".\" instead of \"->\")" },
	{ "p work task->unknown->x",
	  "character 23: the members of struct unknown are not in the kernel's BTF" },
	{ "p work task->", "character 14: want the name of a member" },
	{ "p work task->pid->", "character 17: this has no members: it is int" },
	{ "p work task->nums[4]", "character 18: the array has 4 elements (want 0 to 3)" },
	{ "p work task->nums[", "character 19: want a number from 0 on and \"]\"" },
	{ "p work task->nums[-1]", "character 19: want a number from 0 on and \"]\"" },
	{ "p work task->nums[99999999999999999999]",
	  "character 19: want a number from 0 on and \"]\"" },
	{ "p work task->pid[0]",
	  "character 17: this is neither an array nor a pointer: it is int" },
	{ "p work task->data[1]", "character 18: the members of void are not in the kernel's BTF" },
	{ "p work task->pid!x",
	  "character 17: unexpected \"!x\" (want \"->\", \".\", \"[\" or \":\")" },
	{ "p work task->pid:", "character 18: want a type after \":\"" },
	{ "p work n=task->name", "character 10: this is struct name: name one of its members" },
	{ "p work n=task->many",
	  "character 10: this is an array of 65 elements (want one of them, or at most 64)" },
	{ "p work n=task->real", "character 10: this is double, which cannot be recorded" },
	{ "p work n=count:string",
	  "character 10: this is size_t, and not a string (want a pointer or an array)" },
	{ "p work task->level:u32",
	  "character 8: this is a bitfield, which has its own type (want no \":u32\")" },
	{ "p work n=+8(tsk):u32",
	  "character 13: no argument \"tsk\" (want task, text, count, all or change)" },
};

TEST_EACH(error, errors)
{
	refuses(errors[_i].words, errors[_i].text);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
}
END_TEST

/* Positions in the translation are mapped to what the user wrote. */
static const struct {
	const char *at; /* what the position in the translation begins with */
	unsigned int character;
} positions[] = {
	{ "p:mine", 1 },      { "mine", 3 },  { "work", 9 }, { "a=$arg1", 15 },
	{ "$arg1:q", 17 },    { "q b", 23 },  { "b=+", 25 }, { "+12($arg1)", 27 },
	{ "$arg1):s32", 27 }, { "c=+8", 37 }, { "+8(", 39 }, { "$arg4", 42 },
	{ "):u8", 45 },	      { "u8", 47 },
};

TEST_EACH(position, positions)
{
	static const char words[] = "p:mine  work  a=$arg1:q b=task->pid c=+8(all):u8";
	char expected[64];
	const char *at;

	assert_ok(definition_translate(source, tracefs, words, &definition, &err));
	at = strstr(definition.text, positions[_i].at);
	ck_assert_ptr_nonnull(at);
	definition_wrong(&definition, words, (size_t)(at - definition.text), "wrong", &err);
	snprintf(expected, sizeof(expected), "character %u: wrong", positions[_i].character);
	ck_assert_str_eq(err.text, expected);
}
END_TEST

TEST(position_at_the_end)
{
	assert_ok(definition_translate(source, tracefs, "p work", &definition, &err));
	definition_wrong(&definition, "p work", strlen("p work"), "want more", &err);
	ck_assert_str_eq(err.text, "character 7: want more");
	definition_wrong(&definition, "p work", 1000, "want more", &err);
	ck_assert_str_eq(err.text, "character 7: want more");
}
END_TEST

/* ---- own fields ---- */

static void mkevent(const char *system, const char *name, const char *fields)
{
	char path[256];

	mkdir(events, 0700);
	snprintf(path, sizeof(path), "%s/%s", events, system);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s", events, system, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/%s/format", events, system, name);
	write_text(path, fields);
}

#define COMMON                                             \
	"name: wake\nID: 7\nformat:\n"                     \
	"\tfield:unsigned short common_type;\toffset:0;\n" \
	"\tfield:int common_pid;\toffset:4;\n\n"

TEST(own_fields_of_a_class_with_the_same_name)
{
	translates("sys:change",
		   "t:sys/change change prev_comm=+16($arg2):char[16] prev_pid=+12($arg2):s32"
		   " next_pid=+12($arg3):s32 next_path=+346($arg3):string forced=$arg1:u8",
		   "weight");
}
END_TEST

TEST(own_fields_of_the_only_class_with_these_types)
{
	translates("sys:frequency", "t:sys/frequency frequency state=$arg1:u32 cpu_id=$arg2:u64",
		   "");
}
END_TEST

TEST(own_fields_with_two_meanings_or_of_another_kind)
{
	translates("sys:pair",
		   "t:sys/pair pair why=+0($arg3):string now=+0($arg4):u64 b_data=+680($arg2):x64"
		   " b_both=+32($arg2):u64",
		   "pid, a_start, a_comm, b");
}
END_TEST

TEST(own_fields_of_an_unknown_class)
{
	refuses("sys:wake",
		"wake: its own fields are unknown, because several kinds of tracepoints have "
		"its arguments,\nand tracefs is not mounted at /nonexistent (want "
		"NAME=ARGUMENT; its arguments are p)");
}
END_TEST

TEST(own_fields_from_tracefs)
{
	mkevent("sys", "wake",
		COMMON "\tfield:char comm[16];\toffset:8;\n\tfield:int pid;\toffset:24;\n"
		       "\tfield:void * paddr;\toffset:32;\n\nprint fmt: \"\"\n");
	use_events(events);
	translates("sys:wake",
		   "t:sys/wake wake comm=+16($arg1):char[16] pid=+12($arg1):s32 paddr=$arg1:x64",
		   "");
	refuses("sis:wake",
		"character 1: unknown tracepoint \"sis:wake\"; did you mean \"sys:wake\"?");
}
END_TEST

TEST(own_fields_that_only_tracefs_has)
{
	mkevent("sys", "wake",
		COMMON
		"\tfield:__data_loc char[] name;\toffset:8;\n\tfield:pid_t pid;\toffset:12;\n"
		"\tfield:__data_loc char[] path;\toffset:16;\n\tfield:char start[4];\toffset:20;\n");
	use_events(events);
	translates("sys:wake", "t:sys/wake wake pid=+12($arg1):s32 path=+346($arg1):string",
		   "name, start");
}
END_TEST

TEST(no_own_fields)
{
	refuses("sys:bare",
		"bare: it has no fields of its own (want NAME=ARGUMENT; its arguments are x)");
	refuses("sys:computed",
		"computed: its own fields cannot be derived: y (want NAME=ARGUMENT; its arguments are x)");
}
END_TEST

/* ---- modules and kernels without BTF ---- */

/* Make the BTF of a module with a tracepoint, and with a function whose argument is in user memory. */
static void mkmodule(void)
{
	struct btf *base = btf__parse(kernel, NULL), *btf = btf__new_empty_split(base);
	int task = btf__find_by_name_kind(base, "task", BTF_KIND_STRUCT);
	int text = btf__find_by_name_kind(base, "char", BTF_KIND_INT);
	int data = btf__add_ptr(btf, 0), task_ptr, user, proto;
	const void *raw;
	uint32_t size;
	FILE *file;

	task_ptr = btf__add_ptr(btf, task);
	user = btf__add_ptr(btf, btf__add_type_tag(btf, "user", text));
	proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "", data);
	btf__add_func_param(btf, "", task_ptr);
	btf__add_typedef(btf, "btf_trace_driven", btf__add_ptr(btf, proto));
	proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "__data", data);
	btf__add_func_param(btf, "driver", task_ptr);
	btf__add_func(btf, "__traceiter_driven", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(btf, 0);
	btf__add_func_param(btf, "path", user);
	btf__add_func(btf, "drive", BTF_FUNC_STATIC, proto);
	raw = btf__raw_data(btf, &size);
	file = fopen(module, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(raw, 1, size, file), size);
	fclose(file);
	btf__free(btf);
	btf__free(base);
}

TEST(modules)
{
	mkmodule();
	translates("sys:driven pid=driver->pid", "t:sys/driven driven pid=+12($arg1):s32", "");
	translates("p drive path", "p drive path=+0($arg1):ustring", "");
	translates("p driver:drive path[1]", "p driver:drive path=+u1($arg1):s8", "");
	translates("sys:wake p->pid", "t:sys/wake wake pid=+12($arg1):s32", "");
	refuses("p other:drive path",
		"character 3: \"drive\" is not in the kernel's BTF, so the names of "
		"its arguments are unknown (want $arg1)");
}
END_TEST

static int count_tracepoint(void *ctx, const char *in, const struct btf_prototype *prototype)
{
	int *num = ctx;

	*num += 1;
	ck_assert_str_eq(in ? in : "", strcmp(prototype->name, "driven") ? "" : "driver");
	return 0;
}

TEST(list_of_tracepoints)
{
	int num = 0;

	mkmodule();
	assert_ok(btf_source_open(source, &err));
	ck_assert_int_eq(btf_source_each(source, count_tracepoint, &num), 0);
	ck_assert_int_eq(num, 7);
}
END_TEST

TEST(without_btf)
{
	char text[512];

	ck_assert_int_eq(unlink(kernel), 0);
	translates("p work $arg1 n=$comm", "p work $arg1 n=$comm", "");
	translates("t wake x=$arg1:u64", "t wake x=$arg1:u64", "");
	snprintf(text, sizeof(text),
		 "%s: this kernel has no BTF, which contains the names of arguments. That takes\n"
		 "CONFIG_DEBUG_INFO_BTF. Without it, number them: \"t:NAME wake FIELD=$arg1:u64\"",
		 kernel);
	refuses("sys:wake p->pid", text);
	refuses("sys:wake", text);
	ck_assert_int_eq(err.code, LKST_ERR_SYSTEM);
}
END_TEST

TEST(damaged_btf)
{
	char text[256];

	ck_assert_int_eq(unlink(kernel), 0);
	write_text(kernel, "this is no BTF");
	snprintf(text, sizeof(text), "%s: not readable as BTF: BPF object format invalid", kernel);
	refuses("sys:wake p->pid", text);
}
END_TEST

/* The kernel that runs the test, if it has BTF */
TEST(running_kernel)
{
	static const char start[] = "t:sched/sched_switch sched_switch prev_comm=+";

	if (access(BTF_DIRECTORY "/vmlinux", R_OK))
		return;
	btf_source_free(source);
	source = btf_source_new(BTF_DIRECTORY, &err);
	assert_made(source);
	assert_ok(definition_translate(source, tracefs, "sched:sched_switch", &definition, &err));
	assert_begins(definition.text, start);
	assert_contains(definition.text, "($arg2):char[16] prev_pid=+");
	assert_contains(definition.text, " next_prio=+");
	definition_free(&definition);
	assert_ok(definition_translate(
		source, tracefs,
		"p vfs_read file=file->f_path.dentry->d_name.name:string size=count", &definition,
		&err));
	assert_begins(definition.text, "p vfs_read file=+0(+");
	assert_contains(definition.text, "($arg1))):string size=$arg3:u64");
}
END_TEST
