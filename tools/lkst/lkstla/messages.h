/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstla. */
#ifndef _LKSTLA_MESSAGES_H
#define _LKSTLA_MESSAGES_H

#define MSG_INCOMPLETE "incomplete: the file is damaged or truncated"
#define MSG_IMAGE_LACKS                                                                       \
	"incomplete: the image lacks records; only those between other records are counted as lost"
#define MSG_LACKS_END                                                                         \
	"; its last records may be missing: each CPU is unknown after its last record, and threads " \
	"that were not running are unknown after the earliest of these records"

#define MSG_TWO_FORMS		"--json and --csv cannot be combined"
#define MSG_REFUSED		"%s does not apply to this analysis (%s)"
#define MSG_SORT_KEY		"--sort \"%s\": unknown key%s\nThe keys are %s."

#define MSG_WINDOW                         \
	"%s; the trace is from %s to %s\n" \
	"All CPUs have records from %s on (--any uses all of the trace)."
#define MSG_WINDOW_EMPTY	"the window is empty"
#define MSG_OUTSIDE		"%s %s is not in the window (want a time from %s to %s)"
#define MSG_SINCE_LATE		"--since \"%s\" is later than the trace"
#define MSG_UNTIL_EARLY		"--until \"%s\" is earlier than the trace"

#define MSG_BOOTS		\
	"the files are from several boots: only the newest boot is analysed (name the files of one boot)"
#define MSG_NO_THREADS		"no thread matches -p"
#define MSG_NO_OPERANDS		"no thread matches"
#define MSG_SOME_UNKNOWN	"not all processes were found"
#define MSG_NEEDED		"%s: the trace lacks events that this analysis needs: %s"
#define MSG_NEEDED_UNSURE	MSG_NEEDED "\nIf they were recorded, they did not happen."

#define MSG_CLOCK_SET	"the clock was set back by %lld s, so the intervals cannot continue (start again)"

#define MSG_KMEMTRACE_PROCESSES	"-p: kmemtrace does not record processes"
#define MSG_KMEMTRACE \
	"kmemtrace: times count from the oldest event, in steps of 256 ns; it has no processes, no " \
	"names of caches, and no time of day"

#define MSG_KMEMTRACE_OVERRUNS \
	"total_overruns: readers have lost %s bytes of events since the kernel was started"

#define MSG_OPERAND_FILE	"\"%s\" is a file (want -f %s to read it)"

#define MSG_MAP_CPU "-c cannot be combined with -p: the rows are either CPUs or threads"

/* lkstla why */
#define MSG_WHY_SPAN	"--span \"%s\": want 'FIRST..LAST', two marks of at most %d characters"
#define MSG_WHY_NO_DELAY_AT "no selected thread was delayed at %s"
#define MSG_WHY_NO_DELAY "no delay at %s: %s %s"
#define MSG_WHY_NONE	"no delay began and ended in the window%s"
#define MSG_WHY_FORGOT	"why: delays that ended before %s do not fit in memory (end the window earlier with --until)"
#define MSG_WHY_NO_CALL	"--syscall \"%s\": no such system call in the window%s"
#define MSG_WHY_NO_MARK	"--span: no mark \"%s\" in the window%s"
#define MSG_WHY_NO_MARKS	\
	"--span: no mark \"%s\" in the window, which has no marks (lkstlogger records them)"
#define MSG_WHY_NO_PAIR	"--span: no mark \"%s\" is followed by a mark \"%s\""
#define MSG_WHY_NO_SPAN	"--span: no span from mark \"%s\" to mark \"%s\" matches --at and --over"
#define MSG_WHY_OTHER_SPAN	\
	"--span: no selected thread recorded mark \"%s\" after mark \"%s\", but %s did"
#define MSG_WHY_NAME	"\"%s\": the thread with this number is %s"

/* lkstla report */
#define MSG_REPORT_NAME		"--threshold \"%s\": unknown name%s (lkstla report --thresholds lists them)"
#define MSG_REPORT_VALUE	"--threshold \"%s\": want %s=VALUE, which is %s"

/* lkstla html */
#define MSG_HTML_WRITE		"%s: cannot be written: %s%s"
#define MSG_HTML_OPTION		"--html cannot be combined with %s"
#define MSG_HTML_OUTPUT		"-o is missing (-o page.html, or -o - for a pipe)"
#define MSG_HTML_TERMINAL	"refusing to write a page to a terminal (redirect standard output)"
#define MSG_HTML_LONG		\
	"the window is longer than 52 days (choose a part with --since, --until or --last)"
#define MSG_HTML_LARGE		\
	"%s: %llu MB are more than some browsers can open (choose a part with --since, --until or --last)"
#define MSG_HTML_STOPPED	"stopped: no page is written"

/* Queries of lkstla sql. */
#define MSG_SQL_WRONG		"the query: %s (lkstla sql --schema lists tables and columns)"
#define MSG_SQL_WRONG_AT	\
	"the query, line %d, column %d: %s (lkstla sql --schema lists tables and columns)"
#define MSG_SQL_READ_ONLY	"the query: only SELECT is allowed, because a trace can only be read"
#define MSG_SQL_SECOND		"the query: text follows the first statement (only one SELECT is allowed)"
#define MSG_SQL_EMPTY		"the query is empty (want SELECT ...)"
#define MSG_SQL_MEMORY		"the query needs more than %d MB of memory (select less of the trace)"
#define MSG_SQL_SPACE		\
	"the query needs more temporary files than --temporary allows (select less of the trace, or raise the limit)"
#define MSG_SQL_LONG		"%s: longer than 1 MB (want a query in SQL)"
#define MSG_SQL_ZERO		"%s: contains a NUL byte (want a query in SQL)"
#define MSG_SQL_OPERANDS	"unexpected argument \"%s\" (quote the query as one argument; -f names the trace)"
#define MSG_SQL_FILE		"unexpected argument \"%s\" (want -f %s)"
#define MSG_SQL_STANDARD	"-f: standard input cannot be both the query and the trace"
#define MSG_SQL_TWICE		"two columns of the result are called \"%s\" (rename one of them with AS)"
#define MSG_SQL_MORE		"more than %d rows: only the first ones are shown (--csv or --json prints all)"
#define MSG_SQL_TIME		\
	"ns('%.40s') is not a time (want '12:03:04.5', '2026-01-02 12:03', '@SECONDS', '+5s' or '-5s')"
#define MSG_SQL_TYPE		"a condition for the column type: %s"
#define MSG_SQL_TYPE_NAME	"a condition for the column type: \"%s\" (want \"%s\")"
#define MSG_SQL_TYPE_NUMBER	"a condition for the column type: \"%s\" (want the name of an event type)"
#define MSG_SQL_TEXT		\
	"a condition compares numbers with the text '%s' (want a number; ns('12:03:04.5') is a time)"
#define MSG_SQL_LACKS		"table %s: the trace lacks events that it needs: %s"

/* Operands of lkstla pair. */
#define MSG_PAIR_MISSING	"%s is missing (want BEGIN END by KEY [if LABEL=VALUE] [group LABEL])"
#define MSG_PAIR_WORD		"unexpected argument \"%s\"%s (after BEGIN and END: by, if, group)"
#define MSG_PAIR_VALUE		"\"%s\" needs a word after it: %s"
#define MSG_PAIR_TWICE		"\"%s\" may be given only once"
#define MSG_PAIR_CONDITION	"if \"%s\": \"=\" is missing (want LABEL=VALUE)"
#define MSG_PAIR_KEY		"by \"%s\": not a key of %s%s\nIts keys are %s."
#define MSG_PAIR_LABEL		"%s \"%s\": not an argument of %s or %s%s\nPossible words are %s."
#define MSG_PAIR_NO_VALUE	"if \"%s=%s\": no event in the window has this value"
#define MSG_PAIR_LABEL_NONE	"%s \"%s\": %s and %s have no arguments"

#endif
