#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests lkstla sql: its answers, how much of the trace it reads, the forms of the result, and
# errors. lkstla_sql.py compares the answers with the answers of SQLite on the output of the other
# analyses.

# shellcheck disable=SC2016 # SQL is in single quotes
. "$(dirname "$0")/host.sh"
unset PAGER LKST_PAGER LESS NO_COLOR
use_tools mktrace
mktrace trace || bail_out 'no sample trace'
mktrace busy 3 40000 100 || bail_out 'no busy trace'
real=$top/tests/host/lkstla_recompute.lkst

sql() { lkstla sql "$@"; }
# csv QUERY OPTION...: print the rows of the result, without the names of the columns
csv() { sql "$@" --csv 2>/dev/null | tail -n +2; }

# --- the answers

# same NAME [--numbers] TRACE [OPTION...]: test that lkstla_sql.py finds no difference
same() {
	local name=$1
	shift
	contains "$name" "$("$top/tests/host/lkstla_sql.py" "$@" 2>&1)" '^[0-9]{2,} queries compared, 0 differ$'
}

same 'a real trace' "$real"
same 'a real trace: a window' "$real" --since +300ms --until +1s
# A trace has no losses if its seed is a multiple of 3.
for seed in 1 2 3; do
	mktrace system "system" "$seed" && mktrace waits waits "$seed" && mktrace random random "$seed" ||
		bail_out 'no traces'
	same "simulated system $seed" system --any
	same "simulated system $seed: a window" system --since +30ms --until +60ms
	same "requests and locks $seed" waits --any
	same "requests and locks $seed: a window" waits --since +2ms --until +5ms
	same "random events $seed" --numbers random --any
done

for window in --any '--until +50ms' '--since +300ms --until +1s'; do
	# shellcheck disable=SC2086 # options and their values
	is "the events of the window: $window" "$(csv "SELECT count(*) - (SELECT value FROM info WHERE name = 'events')
		FROM event" -f "$real" $window)" 0
done

# The column args contains the same fields of an event as the output of lkstbuf.
is 'args' "$(csv 'SELECT time_ns, args FROM event WHERE args IS NOT NULL' -f trace --any |
	sed 's/""/"/g; s/"{/{/; s/}"$/}/' | sort)" \
	"$(lkstbuf print -f trace --json -V | sed -n 's/.*"time_ns":\([0-9]*\).*"fields":\(.*\)}$/\1,\2/p' | sort)"
is 'at() and ns()' "$(csv "SELECT at(time_ns), ns(at(time_ns)) - time_ns, ns('+50ns') - ns('-11us'), at(NULL)
	FROM event LIMIT 1" -f trace)" "03:04:05.000000100,0,-$((11100 - 11000 - 50)),"
is 'ns() with a date' "$(csv "SELECT ns('2026-01-02 03:04:05.5')" -f trace)" 1767323045500000000
is 'local time' "$(TZ=XYZ-2:30 csv 'SELECT at(time_ns) FROM event LIMIT 1' -f trace)" 05:34:05.000000100

# --- the conditions of a query limit which events are read

# reads QUERY [TRACE]: print how many events QUERY reads from TRACE, by default "busy"
reads() { sql "$1" -f "${2-busy}" --stats 2>&1 >/dev/null | sed -n 's/^[a-z]*: scans 1, events read \([0-9]*\),.*/\1/p'; }

is 'all events' "$(reads 'SELECT count(*) FROM event')" 120000
is 'events of a CPU' "$(reads 'SELECT count(*) FROM event WHERE cpu = 1')" 40000
# A chunk has 4096 records. The last 1 ms is in the last chunk of each CPU.
is 'events from a time on' "$(reads "SELECT count(*) FROM event WHERE time_ns >= ns('-1ms')")" \
	$((3 * (40000 - 9 * 4096)))
is 'events of a CPU from a time on' "$(reads "SELECT count(*) FROM event WHERE cpu = 2 AND time_ns >= ns('-1ms')")" \
	$((40000 - 9 * 4096))
all=$(reads 'SELECT count(*) FROM event' "$real")
few=$(reads "SELECT count(*) FROM event WHERE time_ns < ns('+50ms')" "$real")
ok "events up to a time: $few of $all" test "$few" -gt 100 -a "$few" -lt "$((all - 1000))"
is 'a join reads the events of the other CPU once' "$(sql 'WITH other AS MATERIALIZED (SELECT recid FROM event WHERE cpu = 2)
	SELECT count(*) FROM event JOIN other USING (recid) WHERE cpu = 1' -f busy --stats 2>&1 >/dev/null)" \
	'event: scans 2, events read 80000, rows 79999'
is 'spans up to a time' "$(reads "SELECT count(*) FROM cpu WHERE end_ns <= ns('+1ms')")" 3754
# rows QUERY: print how many rows SQLite got
rows() { sql "$1" -f "$real" --stats 2>&1 >/dev/null | sed -n 's/.*, rows \([0-9]*\)$/\1/p'; }
for condition in "event type = 'process_wakeup'" "event type IN ('process_wakeup', 'process_exit')" \
	'event tid = 83' 'event pid = 83' 'sched tid = 83' 'sched cpu = 1' 'state pid = 83' \
	'wake cpu = 0' "syscall begin_ns > ns('-300ms')" 'irq cpu = 1' 'cpu tid = 83'; do
	table=${condition%% *} where=${condition#* }
	is "$table: $where: only these rows" "$(rows "SELECT 1 FROM $table WHERE $where")" \
		"$(csv "SELECT count(*) FROM $table WHERE $where" -f "$real")"
done

# --- the forms of the result

is 'text' "$(sql "SELECT 1 AS one, -2.5 AS two, 'x' AS three, NULL AS four UNION ALL SELECT 20, 3, 'yy', x'00ff'" -f trace)" \
"$(lkstla cpu -f trace | sed '/^$/,$d')

one   two  three  four
  1  -2.5  x      -
 20     3  yy     x'00ff'"
is 'text without rows' "$(sql 'SELECT 1 WHERE 0' -f trace | tail -n 2)" $'1\n(no rows)'
is 'csv' "$(sql "SELECT 1 AS one, 2.5, 'a,\"b' AS \"x y\", NULL" -f trace --csv 2>header)" \
	$'one,2.5,x y,NULL\n1,2.5,"a,""b",'
is 'csv: the header is on standard error' "$(cat header)" "$(lkstla cpu -f trace | sed '/^$/,$d')"
sql "SELECT time_ns, 2.5 AS x, NULL AS n, 'ä\"' AS t FROM event LIMIT 2" -f trace --json >json
is 'json' "$(python3 -c 'import json; all = json.load(open("json")); print(all["window"]["events"], all["sql"])')" \
"23 [{'time_ns': 1767323045000000100, 'x': 2.5, 'n': None, 't': 'ä\"'}, {'time_ns': 1767323045000001000, 'x': 2.5, 'n': None, 't': 'ä\"'}]"
is 'json without rows' "$(sql 'SELECT 1 WHERE 0' -f trace --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["sql"])')" '[]'
is 'a table has at most 100,000 rows' "$(sql 'SELECT 1 FROM event' -f busy 2>err | grep -c '^1$')" 100001
contains 'a note says so' "$(cat err)" '^lkstla: more than 100000 rows: only the first ones are shown'
is 'csv has all rows' "$(csv 'SELECT 1 FROM event' -f busy | wc -l)" 119998

echo 'SELECT count(*) FROM event -- all' >query.sql
is 'a query in a file' "$(csv @query.sql -f trace)" 23
is 'a query on standard input' "$(csv - -f trace <query.sql)" 23
is 'a trace on standard input' "$(csv @query.sql <trace)" 23
is 'a trace on standard input, read twice' "$(cat trace | csv 'SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM event)' -f -)" 46

is 'the page has the schema' \
	"$(sed -n '/^These are the tables:$/,/^\.Ed$/p' "$top/Documentation/man/lkstla.8" | sed '1,2d; $d')" "$(sql --schema)"
is '--schema --csv: the same columns' \
	"$(sql --schema --csv | sed '1d; s/^\([^,]*\),\([^,]*\),\([^,]*\),\([^,]*\),.*/\1 \2 \4 \3/; s/ $//')" \
	"$(sql --schema | sed -n '/^Functions/q; p' |
		awk '/^[a-z]/ { table = $1 } /^  / { star = $2 == "*"; type = $(2 + star); print table, $1, star (type ~ /^[A-Z]+$/ ? " " type : "") }' | tr -d :)"
ok '--schema --json is JSON' sh -c 'lkstla sql --schema --json | python3 -m json.tool >json'
contains '--schema --json: a column' "$(tr -s ' \n' ' ' <json)" \
	'"table": "loss", "column": "number", "type": "INTEGER", "while_reading": 0, "about": "number of records; NULL: unknown" \}'
refused '--schema --json --csv' 2 '--json and --csv cannot be combined' sql --schema --json --csv
contains 'a table whose events are missing' "$(sql 'SELECT count(*) FROM lock' -f busy 2>&1)" \
	'^lkstla: table lock: the trace lacks events that it needs: no lock_contention_begin, '
lacks 'tables that are not used' "$(sql 'SELECT count(*) FROM event' -f busy 2>&1)" 'lacks events'

# A misspelt event type must be an error. Otherwise it would look as if the event had not occurred.
while IFS='|' read -r condition says; do
	is "$condition" "$(sql "SELECT count(*) FROM event WHERE $condition" -f trace 2>&1 >/dev/null)" "$says"
done <<'END'
type = 'process_exec'|
type = 'mem_kmalloc'|
type IN ('process_exec', 'process_exit')|
type = 'process_exce'|lkstla: a condition for the column type: unknown event "process_exce"; did you mean "process_exec", "process_exit", "process_fork" or "process_rename"?
type IN ('process_exec', 'process_eixt')|lkstla: a condition for the column type: unknown event "process_eixt"; did you mean "process_exit", "process_exec", "process_fork" or "process_state"?
type = 'SYSCALL_ENTRY'|lkstla: a condition for the column type: "SYSCALL_ENTRY" (want "system_call_entry")
type = '0x3f1'|lkstla: a condition for the column type: "0x3f1" (want the name of an event type)
END

# A comparison of numbers with a text must cause a message, too.
while IFS='|' read -r condition says; do
	is "$condition" "$(sql "SELECT count(*) FROM event WHERE $condition" -f trace 2>&1 >/dev/null)" "${says:+lkstla: a condition compares numbers with the text $says (want a number; ns('12:03:04.5') is a time)}"
done <<'END'
time_ns > '02:17:30'|'02:17:30'
cpu = '1'|
cpu = 'one' AND time_ns < ns('-1s')|'one'
END

# --- space

mkdir tmp
export SQLITE_TMPDIR=$work/tmp
big='SELECT args, recid FROM event ORDER BY args, recid'
refused 'more temporary files than allowed' 2 'needs more temporary files than --temporary allows' \
	sql "$big" -f busy --csv --temporary 1M
is 'enough temporary files' "$(csv "$big" -f busy --temporary 100M | wc -l)" 119998
is 'no temporary files are left' "$(ls tmp)" ''
refused 'too long a string' 2 'the query: string or blob too big' sql 'SELECT zeroblob(100000000)' -f trace

# --- errors

wrong() {
	local name=$1 message=$2
	shift 2
	refused "$name" 2 "$message" sql "$@" -f trace
}
wrong 'a column that does not exist' '^lkstla sql: the query, line 1, column 8: no such column: foo \(' 'SELECT foo FROM event'
wrong 'the place in several lines' ', line 3, column 12: no such column: foo ' $'SELECT cpu\n -- x\n,\'ä\' AS x, foo FROM event'
wrong 'a syntax error' ', line 1, column 8: near "FROM": syntax error' 'SELECT FROM event'
wrong 'a table that does not exist' 'no such table: evnt' 'SELECT * FROM evnt'
wrong 'an empty query' 'the query is empty' ' -- nothing'
wrong 'two statements' 'text follows the first statement' 'SELECT 1; SELECT 2'
wrong 'a function that does not exist' 'no such function: writefile' "SELECT writefile('x', 'y')"
wrong 'not a time' "ns\('noon'\) is not a time" "SELECT ns('noon')"
wrong 'not a number' 'at\(\) wants a time' "SELECT at('noon')"
wrong 'columns with the same name' 'two columns of the result are called "a"' 'SELECT 1 AS a, 2 AS a' --json
wrong 'two operands' 'unexpected argument "1" \(quote the query as one argument; -f names the trace\)' SELECT 1
refused 'the trace without -f' 2 '^lkstla sql: unexpected argument "trace" \(want -f trace\)$' sql 'SELECT 1' trace
refused 'no such file' 1 'nothing: open: No such file' sql @nothing -f trace
refused 'no query' 2 'arguments are missing \(want QUERY\)' sql
refused 'standard input twice' 2 'standard input cannot be both' sh -c 'lkstla sql - -f - <trace'
head -c 1100000 /dev/zero | tr '\0' ' ' >long.sql
refused 'a query that is too long' 1 'long.sql: longer than 1 MB' sql @long.sql -f trace
refused 'a query that is not text' 1 'trace: contains a NUL byte' sql @trace -f trace
for option in '-p 1' '-c 0' '--over 1ms' '--top 3' '--sort cpu'; do
	# shellcheck disable=SC2086 # the option and its value
	wrong "$option" "${option%% *} does not apply to this analysis" 'SELECT 1' $option
done

# All statements except queries are refused.
while read -r statement; do
	fails "refused: $statement" 2 sql "$statement" -f trace
done <<'END'
ATTACH 'new' AS x
CREATE TABLE x (y)
CREATE TEMP TABLE x (y)
CREATE VIRTUAL TABLE x USING event
INSERT INTO event VALUES (1)
DELETE FROM event
DELETE FROM sqlite_master RETURNING *
UPDATE sqlite_master SET name = 'x'
PRAGMA temp_store_directory = '/'
SELECT * FROM pragma_table_info('event')
SELECT load_extension('x')
VACUUM INTO 'new'
DROP TABLE event
BEGIN
END
ok 'no file was made' test ! -e new

head -c 13000 trace >damaged
fails 'a truncated trace fails' 1 sh -c 'lkstla sql "SELECT count(*) FROM event" -f damaged >out'
contains 'a truncated trace is queried' "$(cat out)" '^window '
done_testing
