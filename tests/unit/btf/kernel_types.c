// SPDX-License-Identifier: GPL-2.0
/*
 * The types and functions of a small kernel, with tracepoints as the kernel's macros define them.
 * test_definition reads the BTF that the compiler makes of this file.
 */
#include <stdbool.h>
#include <stddef.h>

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

struct unknown;
typedef void (*action_t)(int);
enum color { RED, GREEN };
enum change { LESS = -1, MORE = 1 };

struct name {
	u32 hash;
	const char *text;
};

struct task {
	u64 start;
	unsigned int ready : 1;
	unsigned int level : 9;
	unsigned int policy : 12;
	int pid;
	char comm[16];
	union {
		u64 both;
		struct {
			u32 low;
			u32 high;
		};
	};
	struct task *parent;
	struct name name;
	u32 nums[4];
	u32 many[65];
	u8 bytes[6];
	char path[300];
	enum color color;
	enum change change;
	action_t action;
	const volatile struct task *const peer;
	struct unknown *unknown;
	void *data;
	bool on;
	short small;
	double real;
	char rest[];
};

/* Define the functions and types of a tracepoint. */
#define TRACEPOINT(name, ...)						\
	typedef void (*btf_trace_##name)(void *__data, __VA_ARGS__);	\
	btf_trace_##name use_##name;					\
	int __traceiter_##name(void *__data, __VA_ARGS__)		\
	{								\
		return !__data;						\
	}
#define CLASS(name, members, ...)					\
	struct trace_event_raw_##name {					\
		int ent;						\
		members							\
		char __data[];						\
	} class_##name;							\
	void __bpf_trace_##name(void *__data, __VA_ARGS__)		\
	{								\
		class_##name.ent = !__data;				\
	}
#define M(...) __VA_ARGS__

TRACEPOINT(change, bool forced, struct task *prev, struct task *next)
CLASS(change, M(char prev_comm[16]; int prev_pid; int next_pid; int weight; u32 __data_loc_next_path; bool forced;),
      bool forced, struct task *prev, struct task *next)

TRACEPOINT(wake, struct task *p)
CLASS(wake_template, M(char comm[16]; int pid; void *paddr;), struct task *p)
CLASS(wait_template, M(int pid; u64 delay;), struct task *p)

TRACEPOINT(frequency, u32 frequency, u64 cpu_id)
CLASS(cpu, M(u32 state; u64 cpu_id;), u32 state, u64 cpu_id)

/*
 * pid, a_start, a_comm and b cannot be translated: both tasks have a pid, and the types of the
 * other three differ from those of the members start and comm and of the argument b.
 */
TRACEPOINT(pair, struct task *a, struct task *b, const char *why, const u64 *now)
CLASS(pair, M(int pid; char a_start[8]; const char *why; int a_comm; int b; u64 now; void *b_data; u64 b_both;),
      struct task *a, struct task *b, const char *why, const u64 *now)

TRACEPOINT(computed, short x)
CLASS(computed, M(int y;), short x)

TRACEPOINT(bare, long x)

size_t work(struct task *task, const char *text, size_t count, struct task **all, enum change change)
{
	return count + *text + !task + !*all + change;
}

int by_value(int first, struct name name, int last)
{
	return first + (int)name.hash + last;
}

void nothing(void)
{
}

struct task *find(struct task *task)
{
	return task->parent;
}
