/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstla. */
#ifndef _LKSTLA_MESSAGES_H
#define _LKSTLA_MESSAGES_H

#define MSG_SORT_KEY		"--sort \"%s\": unknown key%s\nThe keys are %s."

#define MSG_WINDOW                         \
	"%s; the trace is from %s to %s\n" \
	"All CPUs have records from %s on (--any uses all of the trace)."
#define MSG_WINDOW_EMPTY	"the window is empty"
#define MSG_SINCE_LATE		"--since is later than the trace"
#define MSG_UNTIL_EARLY		"--until is earlier than the trace"

#define MSG_BOOTS		\
	"the files are from several boots: only the newest boot is analysed (name the files of one boot)"
#define MSG_NO_THREADS		"no thread matches -p"
#define MSG_NEEDED		"%s: the trace lacks events that this analysis needs: %s"

#define MSG_CLOCK_SET	"the clock was set back by %lld s, so the intervals cannot continue (start again)"

#define MSG_MAP_CPU "-c cannot be combined with -p: the rows are either CPUs or threads"

/* lkstla why */
#define MSG_WHY_SPAN	"--span \"%s\": want 'FIRST..LAST', two marks of at most %d characters"
#define MSG_WHY_AT	"--at %s is not in the window, which is from %s to %s"
#define MSG_WHY_NO_DELAY_AT "no selected thread was delayed at %s"
#define MSG_WHY_NO_DELAY "no delay at %s: %s %s"
#define MSG_WHY_NONE	"no delay began and ended in the window%s"
#define MSG_WHY_FORGOT	"why: what ended before %s does not fit in the memory of this analysis (end the window earlier: --until)"
#define MSG_WHY_NO_CALL	"--syscall \"%s\": no such system call in the window%s"
#define MSG_WHY_NO_MARK	"--span: no mark \"%s\" in the window"
#define MSG_WHY_NO_PAIR	"--span: no mark \"%s\" is followed by a mark \"%s\""

/* Operands of lkstla pair. */
#define MSG_PAIR_MISSING	"%s is missing (want BEGIN END by KEY [if LABEL=VALUE] [group LABEL])"
#define MSG_PAIR_WORD		"unexpected argument \"%s\"%s (after BEGIN and END: by, if, group)"
#define MSG_PAIR_VALUE		"\"%s\" needs a word after it: %s"
#define MSG_PAIR_TWICE		"\"%s\" may be given only once"
#define MSG_PAIR_CONDITION	"if \"%s\": \"=\" is missing (want LABEL=VALUE)"
#define MSG_PAIR_KEY		"by \"%s\": not a key of %s%s\nIts keys are %s."
#define MSG_PAIR_LABEL		"%s \"%s\": not an argument of %s or %s%s\nPossible words are %s."
#define MSG_PAIR_LABEL_NONE	"%s \"%s\": %s and %s have no arguments"

#endif
