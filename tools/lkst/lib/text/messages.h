/* SPDX-License-Identifier: LGPL-2.1 */
/* Error messages about numbers, names and words that users enter, and about lists and masksets. */
#ifndef _LKST_LIB_TEXT_MESSAGES_H
#define _LKST_LIB_TEXT_MESSAGES_H

#define MSG_NUMBER		"%s \"%s\" is not a number (decimal, or hexadecimal with 0x)"
#define MSG_NUMBER_BIG		"%s \"%s\" is too large (at most %s)"
#define MSG_RANGE		"%s \"%s\" is out of range: %ld to %ld"

#define MSG_SIZE		"%s \"%s\" is not a valid size (bytes, or with K, M or G: 2M)"
#define MSG_SIZE_RANGE		"%s \"%s\" is out of range: %s to %s"

#define MSG_NO_EVENT		"unknown event \"%s\"%s"
#define MSG_ALL_EVENTS		"; \"lkstbuf print -h\" lists all events"
#define MSG_EVENT_IS_CLASS	"unknown event \"%s\"; did you mean \"class:%s\"?"
#define MSG_NO_EVENT_NUMBER	"event type \"%s\" is out of range: 0x000 to 0xfff"
#define MSG_NUMBERS_BACKWARDS	"event types \"%s\": the first number is larger than the last"
#define MSG_NO_MATCH		"no event name matches \"%s\"" MSG_ALL_EVENTS
#define MSG_NO_CLASS		"unknown class of events \"%s\"%s\nThe classes are %s."
#define MSG_TIMESTAMP							\
	"%s \"%s\" is not a valid time: HH:MM:SS.frac, \"YYYY-MM-DD HH:MM:SS\", @SECONDS of the epoch,\n" \
	"or -5s, -2m, -1h before the newest event; +5s is after the oldest one"
#define MSG_SPAN_TEXT		"%s \"%s\" is not a span of time: 1ms, 250us, 2.5s"
#define MSG_EMPTY_EVENT		"empty event name in \"%s\" (separate names with single commas)"

#define MSG_ABSENT							\
	"event \"%s\" (0x%03x) cannot be recorded: it is absent in this kernel"
#define MSG_NOT_REGISTERED						\
	"event type 0x%03x cannot be recorded: no event is registered with this number"
#define MSG_WORD_UNKNOWN	"\"%s\" matches no event that is registered in this kernel"
#define MSG_WORD_ABSENT							\
	"\"%s\" cannot be recorded: all events that it matches are absent in this kernel"
#define MSG_LOCKS							\
	"lock events (\"%s\") are not recorded while lkst_buff_ovflow has the event handler\n" \
	"%s, which takes locks: mask class:lock, or give it another one"
#define MSG_WAKES_ITSELF						\
	"event \"%s\" cannot have the event handler %s, which causes such\n" \
	"events: give it buffer_shift or another one"
#define MSG_NO_EVHANDLER	"unknown event handler \"%s\"%s"
#define MSG_ALL_EVHANDLERS	": \"lksteh list\" lists them"

/* Errors in a condition (--where). */
#define MSG_WHERE_AT		"--where, character %u: %s"
#define MSG_WHERE_QUOTE		"no closing %c"
#define MSG_WHERE_END		"the condition is incomplete (want %s)"
#define MSG_WHERE_TOKEN		"unexpected \"%s\" (want %s)"
#define MSG_WHERE_SUFFIX	"unknown suffix \"%.60s\" (want \".function\", or none)"
#define MSG_WHERE_MANY		"too many comparisons (at most %d)"
#define MSG_WHERE_DEEP		"too many nested parentheses (at most %d)"
#define MSG_WHERE_FIELD		"unknown field \"%.60s\"%s"
#define MSG_WHERE_FIELD_OF						\
	"no event that -e selects has the field \"%.60s\", but %s has"
#define MSG_WHERE_FIELDS	"; \"lkstbuf print -h\" lists the fields of all events"
#define MSG_WHERE_NUMBER	"\"%.60s\" is not a value of \"%s\" (want a number%s)%s"
#define MSG_WHERE_NO_NAMES	" (the names of its values are not in the trace)"
#define MSG_WHERE_NEGATIVE	"\"%.60s\": \"%s\" is never negative (want 0 or more)"
#define MSG_WHERE_BIG		"\"%.60s\" does not fit into 64 bits"
#define MSG_WHERE_RANGE		"\"%.60s\": the first number is larger than the last"
#define MSG_WHERE_RANGE_OP	"\"%.60s\": a range can only be compared with == or !="
#define MSG_WHERE_EMPTY		"no value for \"%s\""
#define MSG_WHERE_TEXT_OP	"\"%s\" is a string (want ==, != or ~)"
#define MSG_WHERE_NAME_OP	"\"%.60s\" is a name (want ==, != or ~, or a number)"
#define MSG_WHERE_LONG		"\"%.60s\" is longer than any \"%s\" (at most %u bytes)"
#define MSG_WHERE_FUNCTION	"\"%s\" is not an address of code (want a field such as \"caller\")"
#define MSG_WHERE_FUNCTION_OP	"the name of a function can only be compared with ==, != or ~"
#define MSG_WHERE_NO_FUNCTION						\
	"\"%.60s\" is not a number (want \"%s.function\" for the name of a function)"
#define MSG_WHERE_CPUS		"\"%.60s\" is not a set of CPUs: CPUS{0-3,7}"
#define MSG_WHERE_CPUS_MAX	"\"%.60s\": the number of a CPU is too large (at most %u)"
#define MSG_WHERE_CPUS_OP	"a set of CPUs can only be compared with ==, != or &"
#define MSG_WHERE_GLOB		"\"%s\" is a number (want ==, !=, <, <=, >, >= or &)"

/* Errors in the text of a maskset. */
#define MSG_AT			"%s:%u:%u: "
#define MSG_QUOTE		"no closing quote: %.60s"
#define MSG_TWICE		"event type \"%s\" appears again: first set in line %u"
#define MSG_NO_HANDLER_WORD	"event handler expected after \"%s\""
#define MSG_EXTRA_WORD							\
	"unexpected word \"%.60s\": a line has two words, event type and event handler; \"#\" begins\n" \
	"a comment"
#define MSG_NOT_TEXT		"contains a 0 byte (want text)"
#define MSG_LONG_LINE		"a line of more than %d bytes: this is not a maskset"
#define MSG_NO_ENTRIES		"%s: no entries, so nothing is written"

#define MSG_TEXT_HEADER		"%s: not %s: its first line is not \"%s\""
#define MSG_TEXT_LINE		"%s:%u: %s: \"%s\""

#endif
