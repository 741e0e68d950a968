/* SPDX-License-Identifier: GPL-2.0 */
/* Determines the members of the events in a trace.dat file. */
#ifndef _LKSTBUF_EXPORT_TRACEDAT_PLAN_H
#define _LKSTBUF_EXPORT_TRACEDAT_PLAN_H

#include "lib/lkst.h"
#include "lib/text/etypes.h"

#define DAT_COMM_SIZE 16 /* room for the name of a thread */

/* Kinds of values. */
enum dat_kind {
	DAT_END,
	DAT_S32,
	DAT_U32,
	DAT_X32, /* printed in hexadecimal */
	DAT_S64,
	DAT_U64,
	DAT_X64,
	DAT_TEXT, /* as lkstbuf print shows the value */
	DAT_COMM, /* the name of the thread whose number is the argument */
	DAT_STATE, /* the state of a thread, as the number that sched_switch has */
	DAT_SECTORS, /* a number of bytes, as sectors */
	DAT_ARGS, /* this argument and all following ones, as an array */
	/* Values that are not arguments of the event: */
	DAT_SELF, /* the thread that has recorded the event */
	DAT_SELF_COMM, /* name of that thread */
	DAT_CPU,
	DAT_NOT_IDLE, /* the state of a CPU that is not idle */
	DAT_NO_PRIO, /* an unknown priority */
};

/**
 * struct dat_item - a member of an event
 * @field: argument; NULL: not an argument, or argument @arg of an unknown event
 * @arg: index of the first argument
 * @num: number of values
 * @kind: kind of the value
 * @offset: offset of the value in the event
 * @size: size of the member in bytes
 * @name: name of the member
 */
struct dat_item {
	const struct lkst_field *field;
	uint8_t arg;
	uint8_t num;
	enum dat_kind kind;
	uint16_t offset;
	uint16_t size;
	char name[64];
};

#define DAT_ITEMS (LKST_FIELDS_MAX + 4)

/**
 * struct dat_plan - the members of the events of a type
 * @id: number of the type in the output
 * @type: event type; NULL: unknown
 * @choice: the plan is only for events in which this argument has the value @value; NULL: for all
 *	events
 * @value: value
 * @system: group to which the type belongs
 * @name: name of the type
 * @print: how to print an event, in the syntax of print fmt; NULL: all members with their names
 * @num: number of members
 * @item: members
 * @size: size of all members in bytes, without the strings after them
 * @used: the output contains such an event
 * @next: next plan for events with the same number
 */
struct dat_plan {
	uint16_t id;
	const struct lkst_etype *type;
	const struct lkst_field *choice;
	uint64_t value;
	const char *system;
	char name[64];
	const char *print;
	size_t num;
	struct dat_item item[DAT_ITEMS];
	uint16_t size;
	bool used;
	struct dat_plan *next;
};

/**
 * struct dat_plans - the plans for all event types
 * @of: plans, indexed by event type number. The files of a trace can come from different kernels,
 *	which may use the same number for different event types
 * @num: number of plans
 */
struct dat_plans {
	struct dat_plan *of[LKST_ETYPE_NUM];
	size_t num;
};

struct dat_plans *dat_plans_new(struct lkst_error *err);
struct dat_plan *dat_plans_get(struct dat_plans *plans, const struct lkst_etypes *types,
			       const struct lkst_event *event, struct lkst_error *err);
void dat_plans_free(struct dat_plans *plans);

/* tracedat_natives.c */

#define DAT_NATIVE_ITEMS 9

/**
 * struct dat_native_item - a member of an event of the kernel
 * @label: label of the argument; "": the value is not an argument
 * @kind: kind of the value
 * @name: name of the member
 */
struct dat_native_item {
	const char *label;
	enum dat_kind kind;
	const char *name;
};

/**
 * struct dat_native - an event of the kernel that corresponds to one of LKST's
 * @type: LKST's event type; 0: end of the table
 * @choice: label of an argument that must have the value @value; NULL: none
 * @value: value
 * @system: group of the kernel's event
 * @name: name of that event
 * @item: the members that LKST records. Further arguments of LKST's event follow them
 * @print: how to print the event; NULL: all members with their names
 */
struct dat_native {
	uint32_t type;
	const char *choice;
	uint64_t value;
	const char *system;
	const char *name;
	struct dat_native_item item[DAT_NATIVE_ITEMS];
	const char *print;
};

extern const struct dat_native dat_natives[];

#endif
