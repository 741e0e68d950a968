/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Error messages for the device. Many explain an errno that the kernel returns for several reasons.
 */
#ifndef _LKST_LIB_DEVICE_MESSAGES_H
#define _LKST_LIB_DEVICE_MESSAGES_H

#include "lib/text/messages.h"

#define MSG_NO_DEVICE							\
	"%s: no LKST in this kernel.\n"					\
	"Load its module (modprobe lkst), or boot a kernel that was built with CONFIG_LKST\n" \
	"(see scripts/build-kernel); without lkst.off."
#define MSG_PERMISSION							\
	"%s: not permitted: it takes CAP_SYS_ADMIN outside of all user namespaces, as root has\n" \
	"on the host, but not in a container; and a kernel that is not locked down\n" \
	"(/sys/kernel/security/lockdown)."
#define MSG_NOT_LKST_DEVICE						\
	"%s: not the LKST device, or of another version: it does not know %s"

#define MSG_NO_CPU		"no CPU %ld, only %s"
#define MSG_NO_BUFFER		"no buffer %ld on %s: \"lkstbuf list\" lists the buffers"
#define MSG_BUFFER_ID		"buffer %ld is out of range: ids are 0 to %d"
#define MSG_BUFFER_SIZE		"a buffer of %llu bytes is not possible (want 4K to 1G)"
#define MSG_BUFFER_ITSELF	"buffer %ld cannot be its own next buffer"
#define MSG_BUFFER_FREE_ITSELF						\
	"buffer %ld is the lowest free id, which the new buffer would get, and cannot lead to\n" \
	"itself: name an id, or another next one"
#define MSG_BUFFER_TAKEN						\
	"buffer %ld already exists on CPU %ld (use another id, or delete it with \"lkstbuf delete\")"
#define MSG_BUFFER_REFUSED						\
	"the kernel refuses the buffer: buffers or CPUs changed meanwhile, or it is larger than\n" \
	"this kernel can have them (16M if it is a 32-bit one)"
#define MSG_BUFFER_IDS							\
	"all %d buffer ids are in use: \"lkstbuf delete\" frees one"
#define MSG_BUFFER_MEMORY						\
	"not enough memory for a buffer of %llu bytes: LKST takes %llu bytes of at most %llu (boot\n" \
	"parameter lkst.memory); \"lkstbuf delete\" makes room, or a smaller one fits"
#define MSG_BUFFER_KEPT		"buffer %ld of CPU %ld cannot be deleted: it is built in"
#define MSG_BUFFER_BEING_READ						\
	"buffer %ld of CPU %ld is being read by process %ld: try again when that process has finished"
#define MSG_BUFFER_WRITTEN						\
	"buffer %ld of CPU %ld is being written: shift or jump to another one first"
#define MSG_RECORDS_NOWHERE						\
	"CPU %ld has no write buffer: it has not been online since LKST started"
#define MSG_SHIFT_NOWHERE						\
	"buffer %ld of CPU %ld has no next buffer: \"lkstbuf link -b %ld -c %ld -n ID\" sets one"
#define MSG_SHIFT_MISSING						\
	"buffer %ld of CPU %ld is followed by buffer %ld, which does not exist: create it, or set another one"
#define MSG_SHIFT_BUSY							\
	"CPU %ld is in another shift or writing a record (try again), or a snapshot keeps the " \
	"buffer (read or delete it first)"
#define MSG_READER_TAKEN						\
	"CPU %ld is already being read by process %ld (only one process can read it)"
#define MSG_READER_BOUND						\
	"CPU %ld cannot be read by this process: it is already reading another CPU"
#define MSG_NO_BLOCKS							\
	"the LKST of this kernel does not support block mode: it is older than these tools"
#define MSG_NO_PREVIOUS							\
	"no such previous boot in the reserved memory: \"lkstbuf previous\" lists them"
#define MSG_NO_MASKSET		"no maskset %ld" MSG_ALL_MASKSETS
#define MSG_ALL_MASKSETS	": \"lkstm list\" lists the masksets"
#define MSG_MASKSET_KEPT	"maskset %ld cannot be deleted: it is built in"
#define MSG_MASKSET_SELECTED						\
	"maskset %ld is selected and cannot be deleted: select another one first (\"lkstm set\")"
#define MSG_MASKSET_IDS		"all %d maskset ids are in use: \"lkstm delete\" frees one"
#define MSG_MASKSET_REFUSED						\
	"the kernel refuses the maskset: event types, event handlers or masksets changed\n"	\
	"meanwhile"
#define MSG_LIMIT_LONG		"a limit of %zu bytes is too long (at most %d)"
#define MSG_LIMIT_MEMORY						\
	"not enough memory for the limit; LKST's limit is the boot parameter lkst.memory"
#define MSG_LIMIT_NO_FORKS						\
	"this kernel has no tracepoint for forks, which a limit to processes needs"
#define MSG_LIMIT_REFUSED						\
	"the kernel refuses the limit of maskset %ld: the maskset cannot be changed"
#define MSG_LIMIT_RULES		"too many rules (at most 4096 in all masksets)"
#define MSG_RULE_AT		"%s: character %u: %s"
#define MSG_RULE_LONG		"a condition of %zu bytes is too long (at most %d)"
#define MSG_RULE_NAMES		"%s: too many names of values in the condition"
#define MSG_RULE_NO_EVENT	"%s: absent in this kernel, so that it cannot have a rule"
#define MSG_RULE_NONE		"%s: no rule in maskset %d: \"lkstm rule --list -m %d\" lists its rules"
#define MSG_RULE_REFUSED						\
	"%s: the kernel refuses the rule: the maskset cannot be changed, or records the event\n" \
	"BUFF_OVFLOW with a handler that forbids it"
#define MSG_RULE_MANY		"%s: too many rules (at most 4096 in all masksets)"
#define MSG_RULE_MEMORY							\
	"%s: not enough memory for the rule; LKST's limit is the boot parameter lkst.memory"
#define MSG_RULE_WRONG		"%s: %s"
#define MSG_WATCH_AT		"%s: character %u: %s"
#define MSG_WATCH_INVALID						\
	"%s: the kernel refuses the watch (a name consists of up to 31 letters, digits, \"_\", "	\
	"\"-\" and \".\")"
#define MSG_WATCH_NO_EVENT	"%s: one of the events is absent in this kernel, or has no rules"
#define MSG_WATCH_EXISTS	"%s: there is a watch with this name (use --name, or --delete it first)"
#define MSG_WATCH_MANY		"too many watches (at most %d)"
#define MSG_WATCH_MEMORY							\
	"%s: not enough memory for the watch; LKST's limit is the boot parameter lkst.memory"
#define MSG_WATCH_NONE		"%s: no such watch: \"lkst watch --list\" lists the watches"
#define MSG_WATCH_NAME		"%s: not a name of a watch"
#define MSG_ADDED_NONE		"no such added event: \"lkstm event list\" lists them"
#define MSG_ADDED_TAKEN		"an event with this name exists (write \"t:NAME\", \"p:NAME\" or \"r:NAME\")"
#define MSG_ADDED_BUSY									\
	"the event is being recorded, or a rule or a watch makes it: mask it with "		\
	"\"lkstm config\", or select another maskset"
#define MSG_ADDED_MANY								\
	"too many events: the numbers of events of programs are used up; \"lkstm event remove\" frees\n" \
	"one"
#define MSG_ADDED_MEMORY							\
	"not enough memory for the event; LKST's limit is the boot parameter lkst.memory"
#define MSG_ADDED_UNSUPPORTED	"this kernel cannot add such an event"
#define MSG_ADDED_REFUSED	"the kernel refuses the definition \"%.300s\""
#define MSG_ADDED_LONG		"a definition of %zu bytes is too long (at most %d)"
#define MSG_HIST_MEMORY							\
	"not enough memory to read the histogram; LKST's limit is the boot parameter lkst.memory"
#define MSG_STOPPED							\
	"the maskset cannot be selected while LKST is stopped: run \"lkst start\" first"
#define MSG_NO_EVHANDLER_ID	"no event handler 0x%03x" MSG_ALL_EVHANDLERS
#define MSG_NO_CTRL							\
	"event handler 0x%03x \"%s\" cannot be controlled: it has no control function"
#define MSG_BPF_OLD								\
	"the LKST of this kernel does not support BPF programs: it is older than these tools"
#define MSG_BPF_NONE		"this kernel has no BPF programs (CONFIG_BPF_SYSCALL)"
#define MSG_BPF_TYPE								\
	"the BPF program has the wrong type (want raw_tracepoint, which does not sleep)"
#define MSG_BPF_NAME_TAKEN							\
	"\"%s\": an event handler that is not a BPF program has this name (want another name)"
#define MSG_BPF_NAME								\
	"\"%s\": not a valid name of an event handler (want 1 to %d bytes, without \"/\")"
#define MSG_BPF_ACTIONS		"the actions: character %u: %s"
#define MSG_BPF_MANY		"no id is free for the event handler (\"lksteh bpf --delete\" frees one)"
#define MSG_BPF_NOT		"event handler \"%s\" is not a BPF program, and cannot be deleted"
#define MSG_CTRL_SIZE		"%llu bytes are too many for an event handler: at most %d"

#define MSG_ENTRY_LOG							\
	"event type 0x%03x: the kernel refuses it; take one of 0x100 to 0x1ff, or one below 0xf00\n" \
	"that %s lists as present"

#define MSG_ENTRY_TEXT_SIZE	"a text of %zu bytes is too long for an event: at most %d"

#define MSG_NO_RESERVED							\
	"no memory is reserved that outlives a reboot, or it cannot be used: boot parameter\n" \
	"lkst.reserved (see the kernel log)"
#define MSG_PREVIOUS_NONE	"there is no previous boot"
#define MSG_NO_PREVIOUS_BOOT							\
	"no previous boot \"%s\": \"lkstbuf previous\" lists them"
#define MSG_PREVIOUS_OFTEN						\
	"the ids of several previous boots begin with \"%s\": \"lkstbuf previous\" lists them"

#endif
