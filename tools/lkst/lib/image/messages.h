/* SPDX-License-Identifier: LGPL-2.1 */
/* Errors and reports about memory images. */
#ifndef _LKST_LIB_IMAGE_MESSAGES_H
#define _LKST_LIB_IMAGE_MESSAGES_H

#define MSG_IMAGE_DIRECTORY	"%s: is a directory, not an image of memory"
#define MSG_IMAGE_PIPE							\
	"%s: is a pipe or socket: an image of memory is read in more than one place; write it to a\n" \
	"file first"
#define MSG_IMAGE_SMALL							\
	"%s: %llu bytes: too small for an image of memory (at least a page, 4096)"
#define MSG_IMAGE_TRACE							\
	"%s: is a trace file, not an image of memory: \"lkstbuf print -f\" shows it"
#define MSG_IMAGE_FOREIGN	"%s: not an image of memory: it looks like %s"
#define MSG_IMAGE_ELF		"%s: an ELF file, but not an image of memory: %s"
#define MSG_IMAGE_FORMAT	"%s: cannot be read as %s: %s"
#define MSG_IMAGE_DEVICE							\
	"%s: where there is memory behind this device is not known: /proc/iomem lists no\n" \
	"\"System RAM\", or only for root"
#define MSG_IMAGE_FLAT							\
	"%s: cannot be reordered in a temporary file: %s%s"
#define MSG_IMAGE_NOTHING						\
	"%s: no LKST data in it (%s): a kernel without LKST, or the image lacks the memory that\n" \
	"LKST recorded in"
#define MSG_IMAGE_STOPPED	"interrupted before the whole image was searched"
#define MSG_NO_BOOT		"%s: no boot \"%s\" in it%s\nIts boots: %s"
#define MSG_BOOT_OFTEN		"%s: the ids of several boots begin with \"%s\": %s"
#define MSG_OTHER_BOOTS							\
	"%s: shows boot %s, the newest; select another one with --boot: %s"
#define MSG_NO_IMAGE_BUFFER	"%s: no %s in it%s"
#define MSG_IMAGE_RESERVED							\
	". Reserved memory is in no vmcore: a boot with the\n" \
	"same parameters reads it with lkstbuf read --previous"
#define MSG_NO_METADATA		"the image does not contain \"%s\" of its kernel"
#define MSG_IMAGE_KALLSYMS						\
	"the kernel's list of symbols is not in the image, or has an unknown format"
#define MSG_IMAGE_TASKS		"the kernel's list of processes is not in the image"
#define MSG_NO_PROCESSES	"process names only from events: %s"
#define MSG_NO_SYMBOLS		"no symbols, so addresses are shown: %s"
#define MSG_SYMBOLS_TEXT							\
	"%s: not a list of symbols: no _text in it (want /proc/kallsyms with addresses, or System.map)"

#endif
