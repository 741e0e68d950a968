/* SPDX-License-Identifier: LGPL-2.1 */
/* Error messages about the definitions of added events, and about BTF. */
#ifndef _LKST_LIB_BTF_MESSAGES_H
#define _LKST_LIB_BTF_MESSAGES_H

#define MSG_BTF_NONE								\
	"%s: this kernel has no BTF, which contains the names of arguments. That takes\n"	\
	"CONFIG_DEBUG_INFO_BTF. Without it, number them: \"%c:NAME %s FIELD=$arg1:u64\""
#define MSG_BTF_NO_LIST								\
	"%s: this kernel has no BTF, which contains the tracepoints and the names of their arguments.\n" \
	"That takes CONFIG_DEBUG_INFO_BTF"
#define MSG_BTF_READ		"%s: not readable as BTF: %s"

#define MSG_DEFINITION_AT	"character %u: %s"
#define MSG_DEFINITION_EMPTY	"want a tracepoint, or p, r or t and a symbol"
#define MSG_DEFINITION_SYMBOL	"want a symbol after \"%.60s\""
#define MSG_DEFINITION_EVENT	"\"%.60s\" is not a tracepoint (want SYSTEM:TRACEPOINT)"
#define MSG_DEFINITION_REMOVE	"\"lkstm event remove\" removes an event"
#define MSG_DEFINITION_INSIDE							\
	"the names of arguments are only known at the start of a function (want \"%.*s\")"
#define MSG_DEFINITION_NO_RETURN	"$retval is only known at the return of a function (want r)"

#define MSG_NO_TRACEPOINT	"unknown tracepoint \"%.60s\"%s"
#define MSG_TRACEPOINT_SYSTEM	"unknown tracepoint \"%.60s:%.60s\"; did you mean \"%.60s:%.60s\"?"
#define MSG_NO_FUNCTION								\
	"\"%.60s\" is not in the kernel's BTF, so the names of its arguments are unknown (want $arg1)"
#define MSG_NO_OWN_FIELDS	"%s: it has no fields of its own (want NAME=ARGUMENT; %s)"
#define MSG_OWN_FIELDS_UNKNOWN							\
	"%s: its own fields are unknown, because several kinds of tracepoints have its arguments,\n" \
	"and tracefs is not mounted at %s (want NAME=ARGUMENT; %s)"
#define MSG_NONE_DERIVED							\
	"%s: its own fields cannot be derived: %s (want NAME=ARGUMENT; %s)"
#define MSG_ARGUMENTS_ARE	"its arguments are %s"
#define MSG_ARGUMENTS_NONE	"it has no arguments"

#define MSG_EXPRESSION_NAME	"want the name of an argument"
#define MSG_EXPRESSION_MEMBER	"want the name of a member"
#define MSG_EXPRESSION_INDEX	"want a number from 0 on and \"]\""
#define MSG_EXPRESSION_REST	"unexpected \"%.*s\" (want \"->\", \".\", \"[\" or \":\")"
#define MSG_EXPRESSION_TYPE	"want a type after \":\""
#define MSG_NO_ARGUMENT		"no argument \"%.*s\"%s"
#define MSG_NO_ARGUMENTS	"; there are none"
#define MSG_ARGUMENT_STRUCT							\
	"\"%s\" is a structure that is passed by value: where it and later arguments are is unknown"
#define MSG_NO_VALUE		"the function returns nothing"
#define MSG_NO_MEMBER		"no member \"%.*s\" in %s%s"
#define MSG_NOT_POINTER		"this is no pointer (want \".\" instead of \"->\")"
#define MSG_NOT_STRUCT		"this is a pointer (want \"->\" instead of \".\")"
#define MSG_NO_MEMBERS		"this has no members: it is %s"
#define MSG_UNKNOWN_STRUCT	"the members of %s are not in the kernel's BTF"
#define MSG_NOT_ARRAY		"this is neither an array nor a pointer: it is %s"
#define MSG_ARRAY_END		"the array has %u elements (want 0 to %u)"
#define MSG_IS_STRUCT		"this is %s: name one of its members"
#define MSG_IS_ARRAY		"this is an array of %u elements (want one of them, or at most %d)"
#define MSG_IS_OTHER		"this is %s, which cannot be recorded"
#define MSG_NOT_STRING		"this is %s, and not a string (want a pointer or an array)"
#define MSG_BITFIELD_TYPE	"this is a bitfield, which has its own type (want no \":%.60s\")"

#endif
