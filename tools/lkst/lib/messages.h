/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What the library says when something is wrong: every text is here, names the
 * thing and tells what would be right.
 */
#ifndef _LKST_MESSAGES_H
#define _LKST_MESSAGES_H

#include "liblkst.h"

#define MSG_SYSTEM		"%s: %s: %s"	/* thing, what was done, strerror */
#define MSG_MEMORY		"not enough memory for %s"

#define MSG_NO_DEVICE							\
	"%s: no LKST in this kernel.\n"					\
	"Load its module (modprobe lkst), or boot a kernel that was built with CONFIG_LKST\n" \
	"(see scripts/build-kernel); without lkst.off."
#define MSG_PERMISSION							\
	"%s: not permitted: it takes CAP_SYS_ADMIN outside of all user namespaces, as root has\n" \
	"on the host, but not in a container; and a kernel that is not locked down\n" \
	"(/sys/kernel/security/lockdown)."
#define MSG_NOT_LKST_DEVICE	"%s: not the LKST device, or of another version: it does not know %s"

#define MSG_NUMBER		"%s \"%s\" is not a number (decimal, or hexadecimal with 0x)"
#define MSG_NUMBER_NEGATIVE	"%s \"%s\" is negative"
#define MSG_NUMBER_BIG		"%s \"%s\" does not fit: the greatest is %s"
#define MSG_RANGE		"%s \"%s\" is out of range: %ld to %ld"

#define MSG_SIZE		"%s \"%s\" is no size: a number of bytes, or of K, M or G, as in 2M"
#define MSG_SIZE_RANGE		"%s \"%s\" is out of range: %s to %s"

#define MSG_OPTION_UNKNOWN	"unknown option \"%s\"%s"
#define MSG_OPTION_VALUE	"option \"%s\" needs a value"
#define MSG_OPTION_NO_VALUE	"option \"%s\" takes no value"
#define MSG_OPTION_OFTEN	"%s may be given %d times"
#define MSG_OPERAND		"what is \"%s\" for?%s%s"
#define MSG_CHOICE		"%s \"%s\" is none of %s"

#define MSG_NO_EVENT		"no event is called \"%s\"%s"
#define MSG_ALL_EVENTS		"; \"lkstbuf print -h\" lists all events"
#define MSG_EVENT_IS_CLASS	"no event is called \"%s\"; did you mean \"class:%s\"?"
#define MSG_NO_EVENT_NUMBER	"event type \"%s\" is out of range: 0x000 to 0xfff"
#define MSG_NO_EVENT_TYPE						\
	"no event has the number 0x%03x, neither in the list of event types nor in the trace" \
	MSG_ALL_EVENTS
#define MSG_NO_EVENT_TYPES						\
	"no event has a number from 0x%03x to 0x%03x, neither in the list of event types nor in\n" \
	"the trace" MSG_ALL_EVENTS
#define MSG_NUMBERS_BACKWARDS	"event types \"%s\": the first number is greater than the last"
#define MSG_NO_MATCH		"no event name matches \"%s\"" MSG_ALL_EVENTS
#define MSG_NO_CLASS		"no class of events is called \"%s\"%s\nThe classes are %s."
#define MSG_NOTHING		"no event matches; the trace is from %s to %s"
#define MSG_NO_EVENTS		"no events are in the trace"
#define MSG_NO_THREAD		"no thread is called \"%s\" in it%s"
#define MSG_EMPTY_PROCESS						\
	"empty name of a process in \"%s\": separate names and numbers by one comma each"
#define MSG_TIMESTAMP							\
	"%s \"%s\" is no time: HH:MM:SS.frac, \"YYYY-MM-DD HH:MM:SS\", @SECONDS of the epoch, or\n" \
	"-5s, -2m, -1h before the newest event; +5s is after the oldest one"
#define MSG_SPAN_TEXT		"%s \"%s\" is not a span of time: 1ms, 250us, 2.5s"
#define MSG_EMPTY_EVENT		"empty event name in \"%s\": separate names by one comma each"

#define MSG_NO_CPU		"no CPU %ld here, only %s"
#define MSG_NO_CPU_IN		"%s: no CPU %ld here, only %s"
#define MSG_NO_BUFFER		"no buffer %ld on %s: \"lkstbuf list\" shows which there are"
#define MSG_BUFFER_ID		"buffer %ld is out of range: ids are 0 to %d"
#define MSG_BUFFER_SIZE		"a buffer of %llu bytes is not possible: 4K to 1G"
#define MSG_BUFFER_ITSELF	"buffer %ld cannot lead to itself"
#define MSG_BUFFER_FREE_ITSELF						\
	"buffer %ld is the lowest free id, which the new buffer would get, and cannot lead to\n" \
	"itself: name an id, or another next one"
#define MSG_BUFFER_TAKEN						\
	"buffer %ld is there already on CPU %ld: take another id, or delete it (\"lkstbuf del\")"
#define MSG_BUFFER_REFUSED						\
	"the kernel refuses the buffer: buffers or CPUs changed meanwhile, or it is larger than\n" \
	"this kernel can have them (16M if it is a 32-bit one)"
#define MSG_BUFFER_IDS							\
	"all %d ids of buffers are taken: \"lkstbuf delete\" makes room"
#define MSG_BUFFER_MEMORY						\
	"not enough memory for a buffer of %llu bytes: LKST takes %llu bytes of at most %llu (boot\n" \
	"parameter lkst.memory); \"lkstbuf delete\" makes room, or a smaller one fits"
#define MSG_BUFFER_KEPT		"buffer %ld of CPU %ld cannot be deleted: it is always there"
#define MSG_BUFFER_BEING_READ						\
	"buffer %ld of CPU %ld is being read by process %ld: possible again when that is done"
#define MSG_BUFFER_WRITTEN						\
	"buffer %ld of CPU %ld is being written: shift or jump to another one first"
#define MSG_RECORDS_NOWHERE						\
	"CPU %ld records nowhere: it has not been online since LKST started"
#define MSG_SHIFT_NOWHERE						\
	"buffer %ld of CPU %ld leads to no other: \"lkstbuf link -b %ld -c %ld -n ID\" changes that"
#define MSG_SHIFT_MISSING						\
	"buffer %ld of CPU %ld leads to buffer %ld, which is not there: create it, or link another"
#define MSG_SHIFT_BUSY							\
	"CPU %ld is at another shift, or in the middle of a record there: try again"
#define MSG_READER_TAKEN	"CPU %ld is read by process %ld already, and only one can"
#define MSG_READER_BOUND						\
	"CPU %ld cannot be read by this process: it reads another one already"
#define MSG_BLOCK		"%s: read() returned no block that these tools understand"
#define MSG_NO_BLOCKS							\
	"the LKST of this kernel does not hand out blocks: it is older than these tools"
#define MSG_NO_PREVIOUS							\
	"no such previous boot in the memory set aside: \"lkstbuf previous\" shows which there are"
#define MSG_NO_MASKSET		"no maskset %ld" MSG_ALL_MASKSETS
#define MSG_NO_MASKSET_NAME	"no maskset is called \"%s\"%s"
#define MSG_ALL_MASKSETS	": \"lkstm list\" shows which there are"
#define MSG_MASKSET_FIXED	"maskset %d \"%s\" cannot be changed: it records %s, always"
#define MSG_MASKSET_KEPT	"maskset %ld cannot be deleted: it is always there"
#define MSG_MASKSET_SELECTED						\
	"maskset %ld is selected and cannot be deleted: select another one first (\"lkstm set\")"
#define MSG_MASKSET_NAME	"maskset name \"%s\": 1 to %d bytes, without control characters"
#define MSG_MASKSET_TAKEN	"maskset %d is called \"%s\" already"
#define MSG_MASKSET_OVERWRITE	MSG_MASKSET_TAKEN ": \"lkstm write -m %d\" overwrites it"
#define MSG_MASKSET_IDS		"all %d maskset ids are taken: \"lkstm delete\" makes room"
#define MSG_MASKSET_REFUSED						\
	"the kernel refuses the maskset: event types, event handlers or masksets changed\n"	\
	"meanwhile"
#define MSG_STOPPED							\
	"LKST is stopped, the maskset cannot be changed: \"lkst start\" first"
#define MSG_STOPPED_SELECTED						\
	"LKST is stopped, and maskset 0 selected meanwhile, which cannot be changed: name\n"	\
	"another one with -m or -n"
#define MSG_DUMP_STOPPED	"LKST is stopped and records nothing: \"lkst start\" first"
#define MSG_DUMP_MASKED							\
	"the selected maskset does not record process_state, which a state dump is made of:\n" \
	"\"lkstm config process_state entry_log\" changes that"
#define MSG_DUMP_CUT							\
	"state dump: %d threads left out, as it takes at most a quarter of a buffer " \
	"(lkst.buffer_size= makes buffers larger)"
#define MSG_ABSENT							\
	"event \"%s\" (0x%03x) cannot be recorded: it is absent in this kernel"
#define MSG_NOT_REGISTERED						\
	"event type 0x%03x cannot be recorded: no event is registered with this number"
#define MSG_WORD_UNKNOWN	"\"%s\" means no event that is registered in this kernel"
#define MSG_WORD_ABSENT							\
	"\"%s\" cannot be recorded: all events that it means are absent in this kernel"
#define MSG_LOCKS							\
	"lock events (\"%s\") are not recorded while lkst_buff_ovflow has the event handler\n" \
	"%s, which takes locks: mask class:lock, or give it another one"
#define MSG_WAKES_ITSELF						\
	"event \"%s\" does not go with the event handler %s, which causes such\n" \
	"events: give it buffer_shift or another one"
#define MSG_NO_EVHANDLER	"no event handler is called \"%s\"%s"
#define MSG_NO_EVHANDLER_ID	"no event handler 0x%03x" MSG_ALL_EVHANDLERS
#define MSG_NO_CTRL							\
	"event handler 0x%03x \"%s\" cannot be controlled: it has no control function"
#define MSG_CTRL_SIZE		"%llu bytes for an event handler are too many: at most %d"
#define MSG_CTRL_FILE		"%s: more than %d bytes, which is the most for an event handler"
#define MSG_CTRL_FILE_SIZE	"%s: its %zu bytes are more than the size of the data, %llu"
#define MSG_CTRL_FAILED		"event handler \"%s\": its control function failed with %d (%s)"
#define MSG_CTRL_NO_VALUE	"event handler \"%s\" has no number for -v; stop_after and buffer_jump have"
#define MSG_ALL_EVHANDLERS	": \"lksteh list\" shows which there are"

#define MSG_ENTRY_LOG							\
	"event type 0x%03x: the kernel refuses it; take one of 0x100 to 0x1ff, or one below 0xf00\n" \
	"that %s lists as present"

#define MSG_ENTRY_DATA		"%s; a text takes -s"
#define MSG_ENTRY_NO_TEXT							\
	"event \"%s\" has no place for the text \"%.60s\": %u of its arguments are texts"
#define MSG_ENTRY_TEXT_LONG						\
	"the text \"%.60s\" has %zu bytes; event \"%s\" has room for %zu"
#define MSG_ENTRY_TEXT_AND_ARG						\
	"-a%u is part of the text \"%.60s\" of event \"%s\": give one of the two"

/* In the text of a maskset. */
#define MSG_AT			"%s:%u:%u: "
#define MSG_QUOTE		"no closing quote: %.60s"
#define MSG_TWICE		"event type \"%s\" again: line %u has it already"
#define MSG_NO_HANDLER_WORD	"event handler expected after \"%s\""
#define MSG_EXTRA_WORD							\
	"what is \"%.60s\" for? A line has two words, event type and event handler; \"#\" begins\n" \
	"a comment"
#define MSG_NOT_TEXT		"byte 0: this is no text"
#define MSG_LONG_LINE		"a line of more than %d bytes: this is no maskset"
#define MSG_NO_ENTRIES		"%s: no entries, so nothing is written"

#define MSG_DIRECTORY		"%s: is a directory, not a trace file"
#define MSG_NO_TRACE_IN		"%s: no trace file is in this directory"
#define MSG_NO_SUCH_FILE						\
	"no file is called \"%s\"; events take -e, with commas between them"
#define MSG_COMPRESSED							\
	"compressed, but damaged or cut off: only what is before that is read"
#define MSG_EMPTY_FILE		"%s: is empty, not a trace file (\"lkstbuf read -f FILE\" writes one)"
#define MSG_FOREIGN		"%s: not an LKST trace file: it looks like %s"
#define MSG_SHORT_HEADER	"%s: cut off after %llu bytes, within the file header: nothing to read"
#define MSG_HEADER_DAMAGED	"%s: the file header is damaged (%s)"
#define MSG_VERSION		"%s: trace file version %u; this tool reads up to version %u: take a newer one"
#define MSG_WRITE		"%s: cannot write the trace: %s%s"
#define MSG_TEMPORARY		"temporary file in %s"
#define MSG_TMPDIR		"; TMPDIR can name another directory"
#define MSG_CREATE		"%s: cannot be created: %s"
#define MSG_DANGLING		"%s: is a symbolic link to a file that is not there: name that file"
#define MSG_INTERRUPTED		"interrupted: nothing was written to %s"
#define MSG_INTERRUPTED_PART						\
	"interrupted: the trace on %s is whole, but has only what was read until then"

/* Images of memory. */
#define MSG_IMAGE_DIRECTORY	"%s: is a directory, not an image of memory"
#define MSG_IMAGE_PIPE							\
	"%s: is a pipe or socket: an image of memory is read in more than one place; write it to a\n" \
	"file first"
#define MSG_IMAGE_SMALL		"%s: %llu bytes: an image of memory has a page (4096) at least"
#define MSG_IMAGE_TRACE		"%s: is a trace file, not an image of memory: \"lkstbuf print -f\" shows it"
#define MSG_IMAGE_FOREIGN	"%s: no image of memory: it looks like %s"
#define MSG_IMAGE_ELF		"%s: an ELF file, but no image of memory: %s"
#define MSG_IMAGE_FORMAT	"%s: cannot be read as %s: %s"
#define MSG_IMAGE_DEVICE							\
	"%s: where there is memory behind this device is not known: /proc/iomem tells no\n" \
	"\"System RAM\", or tells it only to root"
#define MSG_IMAGE_FLAT							\
	"%s: cannot be put in order, in a temporary file: %s%s"
#define MSG_IMAGE_NOTHING						\
	"%s: no LKST data in it (%s): a kernel without LKST, or the image lacks the memory that\n" \
	"LKST recorded in"
#define MSG_IMAGE_STOPPED	"interrupted: the image was not looked through to its end"
#define MSG_NO_BOOT		"%s: no boot \"%s\" in it%s\nThose it has: %s"
#define MSG_BOOT_OFTEN		"%s: \"%s\" begins the ids of several boots: %s"
#define MSG_OTHER_BOOTS							\
	"%s: this is boot %s, the newest; --boot takes another one: %s"
#define MSG_NO_IMAGE_BUFFER	"%s: no %s in it%s"
#define MSG_IMAGE_RESERVED							\
	". Memory that was set aside is in no vmcore: a boot with the\n" \
	"same parameters reads it with lkstbuf read --previous"
#define MSG_IMAGE_BESIDE						\
	"%s: is an image of memory, which is printed for itself; \"lkstbuf read --image\" makes a\n" \
	"trace file of it that goes with others"
#define MSG_IMAGE_OPTIONS	"%s: is no image of memory: --boot and --symbols do not go with it"
#define MSG_NO_RESERVED							\
	"no memory is set aside that outlives a reboot, or it cannot be used: boot parameter\n" \
	"lkst.reserved (see the kernel log)"
#define MSG_PREVIOUS_NONE	"nothing is there of a boot before this one"
#define MSG_PREVIOUS_PART							\
	"it stays unread, as this is not all of it: \"lkstbuf previous --done BOOT\" marks it"
#define MSG_PREVIOUS_NO_FILE							\
	"it stays unread, as nobody knows whether all has arrived: \"lkstbuf previous --done BOOT\"\n" \
	"marks it"
#define MSG_NO_PREVIOUS_BOOT							\
	"no previous boot \"%s\" is there: \"lkstbuf previous\" shows which are"
#define MSG_PREVIOUS_OFTEN						\
	"\"%s\" begins the ids of several previous boots: \"lkstbuf previous\" shows them"
#define MSG_IMAGE_FROM		"from an image (%.*s): argument bytes carry no checksum"
#define MSG_IMAGE_MISSING	"records are missing, as their pages are not in the image"
#define MSG_IMAGE_IMPLAUSIBLE						\
	"records were left out, as their event type, lap or clock is implausible"
#define MSG_IMAGE_UNKNOWN						\
	"buffers whose notes are lost: their records are in the order of the clock, recids count\n" \
	"from 0"
#define MSG_IMAGE_PIECES						\
	"pieces of buffers are not in the image, or their headers are lost: there may have been more"
#define MSG_IMAGE_UNFINISHED						\
	"records had not been finished when the machine was stopped, or had been dropped"
#define MSG_NO_METADATA		"the image does not tell \"%s\" of its kernel"
#define MSG_IMAGE_KALLSYMS						\
	"the kernel's list of symbols is not in the image, or is not as this tool knows it"
#define MSG_IMAGE_TASKS		"the kernel's list of processes is not in the image"
#define MSG_NO_PROCESSES	"no process names but those in events: %s"
#define MSG_NO_SYMBOLS		"no symbols, so addresses are shown: %s"
#define MSG_SYMBOLS_TEXT							\
	"%s: not a list of symbols: no _text in it (as /proc/kallsyms has it when it shows\n" \
	"addresses, or System.map)"

/* The configuration file. */
#define MSG_CONF_AT		"%s:%u: %s"
#define MSG_CONF_LINE		"\"%.60s\" is not \"key = value\""
#define MSG_CONF_VALUE		"\"%.60s\" has no value"
#define MSG_CONF_NO_SECTION	"\"%.60s\" is in no section ([lkstlogd] or [maskset NAME])"
#define MSG_CONF_SECTION	"unknown section \"%.60s\" ([lkstlogd] or [maskset NAME])%s"
#define MSG_CONF_KEY		"unknown key \"%.60s\"%s"
#define MSG_CONF_MASKSET_OWN							\
	"maskset \"%s\" is LKST's own: define one with another name (\"from = %s\" copies it)"
#define MSG_CONF_FROM_ITSELF	"maskset \"%s\" cannot be made from itself (from = default)"
#define MSG_CONF_NOT_TEXT	"%s: a byte 0 is in it: this is no text"
#define MSG_CONF_STOPPED	"maskset \"%s\" is not selected, as LKST is stopped"

/* The daemon. */
#define MSG_LOGD_RUNS		"%s: lkstlogd runs already, as process %ld"
#define MSG_LOGD_NAME							\
	"file name \"%s\": a name with or without a directory, shorter than 200 bytes, without\n" \
	"control characters; \"<cpu>.<serial>\" is put behind it"
#define MSG_LOGD_RELATIVE	"file name \"%s\" does not begin with \"/\", as it must in this file"
#define MSG_LOGD_TOTAL							\
	"limit on all files: %llu bytes are not enough for %u CPUs with files of %llu bytes each"
#define MSG_LOGD_PREVIOUS_SIZE						\
	"its file would have %llu bytes, and the limit on all files (-L) leaves %llu: it stays unread"
#define MSG_LOGD_SERIAL		"%s/%s: no file can have a higher serial number: move it away"
#define MSG_LOGD_STATUS		"%s: cut off: not all of the status of lkstlogd is there"

#define MSG_TEXT_HEAD		"%s: not %s: its first line is not \"%s\""
#define MSG_TEXT_LINE		"%s:%u: %s: \"%s\""

#define MSG_GAP								\
	"CPU %d: %llu events between the end of %s and this file are in neither"
#define MSG_GAPS							\
	"CPU %d: %llu events in %llu gaps between the files are in none of them"
#define MSG_CUT_BOOTS							\
	"--trace: the files are of different boots: cut each one for itself"
#define MSG_ONLY		"--only is for -p"
#define MSG_SPAN		"nothing is between --since \"%s\" and --until \"%s\": the first is later"
#define MSG_FOLLOW_OLDEST						\
	"--since \"%s\": what is followed has no oldest event; -5s is so long before now"
#define MSG_PAGER		"the pager \"%s\" (LKST_PAGER, PAGER) cannot be run: nothing was shown"

void lkst_error_set(struct lkst_error *err, enum lkst_err code, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));
void lkst_error_vset(struct lkst_error *err, enum lkst_err code, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
void lkst_error_system(struct lkst_error *err, int sys_errno, const char *thing,
		       const char *action);
void lkst_error_memory(struct lkst_error *err, const char *what);

#endif /* _LKST_MESSAGES_H */
