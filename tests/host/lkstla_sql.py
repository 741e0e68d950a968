#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare "lkstla sql" with the same queries on the output of the other commands.

lkstla_sql.py [--numbers] TRACE [OPTION...]: OPTION limits the window. Loads the tables that other analyses
print with --json, and those of lkstla sql as CSV, into a database of Python's own sqlite3, and
runs queries there and in lkstla. Prints each difference, and exits with 1 if there is any.
With --numbers, only queries without strings are compared: a CSV of lkstla has escapes in them.
"""
import csv
import io
import json
import re
import sqlite3
import subprocess
import sys


def command(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout


# The analysis and its table, the query for lkstla sql, and the query for the table of the analysis.
ANALYSES = [
    ("sched", "sched",
     """SELECT thread, sum(run_ns IS NOT NULL AND begin_known), sum(run_ns IS NOT NULL AND
        ended = 'preempted'), coalesce(sum(run_ns), 0), coalesce(sum(wait_ns), 0), max(wait_ns)
        FROM sched GROUP BY thread ORDER BY 1""",
     """SELECT thread, sum(runs), sum(preempted), sum(run_ns), sum(wait_ns), max(max_ns)
        FROM sched GROUP BY thread ORDER BY 1"""),
    ("sched", "sched",
     """SELECT thread FROM sched WHERE wait_ns > 500000 GROUP BY thread ORDER BY 1""",
     """SELECT DISTINCT thread FROM sched WHERE max_ns > 500000 ORDER BY 1"""),
    ("offcpu", "offcpu",
     """SELECT thread, sum(duration_ns) FROM state WHERE state = 'blocked'
        GROUP BY thread HAVING sum(duration_ns) > 0 ORDER BY 1""",
     """SELECT thread, sum(blocked_ns) FROM offcpu GROUP BY thread HAVING sum(blocked_ns) > 0
        ORDER BY 1"""),
    ("wake", "wake",
     """SELECT waker, thread, count(*), max(wait_ns) FROM wake GROUP BY 1, 2 ORDER BY 1, 2""",
     """SELECT waker, woken, sum(wakes), max(max_ns) FROM wake GROUP BY 1, 2 ORDER BY 1, 2"""),
    ("syscall", "calls",
     """SELECT call, count(*), sum(error IS NOT NULL), sum(NOT begin_known OR NOT end_known),
        sum(duration_ns), max(CASE WHEN begin_known AND end_known THEN duration_ns END)
        FROM syscall GROUP BY call ORDER BY 1""",
     """SELECT call, calls, errors, cut, total_ns, max_ns FROM calls ORDER BY 1"""),
    ("syscall", "times",
     """SELECT call, sum(running_ns), sum(runnable_ns), sum(blocked_ns), sum(unknown_ns)
        FROM syscall GROUP BY call ORDER BY 1""",
     """SELECT call, running_ns, runnable_ns, blocked_ns, unknown_ns FROM times ORDER BY 1"""),
    ("syscall", "errors",
     """SELECT call, '-' || error, count(*), max(end_ns) FROM syscall WHERE error IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2""",
     """SELECT call, error, number, last_ns FROM errors ORDER BY 1, 2"""),
    ("irq", "irq",
     """SELECT coalesce(name, '-'), sum(begin_known), sum(own_ns),
        max(CASE WHEN begin_known AND end_known THEN own_ns END)
        FROM irq WHERE kind IN ('irq', 'timer irq', 'ipi') AND (begin_known OR own_ns > 0)
        GROUP BY kind, number, name ORDER BY 1, 2, 3""",
     """SELECT name, count, total_ns, max_ns FROM irq ORDER BY 1, 2, 3"""),
    ("irq", "softirq",
     """SELECT name, sum(begin_known), sum(own_ns),
        max(CASE WHEN begin_known AND end_known THEN own_ns END)
        FROM irq WHERE kind = 'softirq' AND (begin_known OR own_ns > 0) GROUP BY name ORDER BY 1""",
     """SELECT name, count, total_ns, max_ns FROM softirq ORDER BY 1"""),
    ("irq", "delay",
     """SELECT name, count(delay_ns), max(delay_ns) FROM irq WHERE kind = 'softirq'
        GROUP BY name HAVING count(delay_ns) ORDER BY 1""",
     """SELECT name, count, max_ns FROM delay ORDER BY 1"""),
    ("cpu", "cpus",
     """WITH length(ns) AS (SELECT 1.0 * sum(CASE name WHEN 'end_ns' THEN value WHEN 'begin_ns'
        THEN -value END) FROM info)
        SELECT cpu, round(sum(CASE WHEN mode = 'idle' THEN duration_ns END) / ns, 9),
        round(sum(CASE WHEN mode = 'softirq' THEN duration_ns END) / ns, 9)
        FROM cpu, length GROUP BY cpu ORDER BY 1""",
     """SELECT cpu, nullif(round(idle, 9), 0), nullif(round(softirq, 9), 0) FROM cpus
        ORDER BY 1"""),
    ("block", "block",
     """SELECT device, operation, count(*), sum(bytes), sum(error < 0), sum(begin_ns IS NULL),
        max(duration_ns), max(queue_ns) FROM block WHERE end_ns IS NOT NULL GROUP BY 1, 2
        ORDER BY 1, 2""",
     """SELECT device, operation, requests, bytes, errors, cut, max_ns, queue_max_ns FROM block
        ORDER BY 1, 2"""),
    ("block", "in_progress",
     """SELECT device, operation, sector, bytes, begin_ns, thread, queue_ns FROM block
        WHERE end_ns IS NULL ORDER BY 1, 2, 3, 4, 5""",
     """SELECT device, operation, sector, bytes, issued_ns, issued_by, queue_ns FROM in_progress
        ORDER BY 1, 2, 3, 4, 5"""),
    ("lock", "locks",
     """SELECT lock, kind, count(*), sum(error < 0), sum(begin_ns IS NULL),
        coalesce(sum(wait_ns), 0), max(wait_ns) FROM lock WHERE end_ns IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2""",
     """SELECT lock, nullif(kind, '?'), waits, failed, cut, wait_ns, max_ns FROM locks
        ORDER BY 1, 2"""),
    ("lock", "waiting",
     """SELECT lock, kind, thread, begin_ns FROM lock WHERE end_ns IS NULL ORDER BY 1, 3, 4""",
     """SELECT lock, kind, thread, since_ns FROM waiting ORDER BY 1, 3, 4"""),
]

# Queries that must return the same rows from a table of lkstla sql and from a table of sqlite3 with
# the CSV output of that table. $1 is a time in the middle of the window, and $2 is slightly later.
# lkstla uses the conditions after WHERE to limit which events it reads.
QUERIES = [
    "SELECT count(*), min(time_ns), max(time_ns), sum(recid) FROM event WHERE time_ns >= $1",
    "SELECT * FROM event WHERE time_ns BETWEEN $1 AND $2 ORDER BY time_ns, cpu, recid",
    "SELECT type, count(*) FROM event WHERE time_ns < $1 AND cpu = 1 GROUP BY type ORDER BY 1",
    """SELECT count(*) FROM event WHERE type IN ('process_waking', 'system_call_exit', 'nothing')
       AND tid > 100""",
    "SELECT count(*) FROM event WHERE type = 'PROCESS_WAKING' COLLATE NOCASE",
    "SELECT count(*), sum(args ->> 'prio') FROM event WHERE type = 'process_waking'",
    "SELECT count(*) FROM event WHERE cpu IN (0, 2) AND pid = 105 AND time_ns > $1",
    "SELECT count(*) FROM event WHERE cpu = 1.0 OR time_ns = '7'",
    "SELECT count(*) FROM event WHERE time_ns >= '1' AND time_ns < 9e99 AND cpu = '1'",
    "SELECT thread, sum(run_ns) FROM sched WHERE end_ns <= $1 GROUP BY 1 ORDER BY 1",
    "SELECT cpu, count(*), sum(wait_ns) FROM sched WHERE cpu = 1 AND begin_ns > $1",
    "SELECT * FROM sched WHERE tid = 104 AND begin_ns >= $1 AND end_ns < $2 ORDER BY begin_ns",
    "SELECT state, sum(duration_ns) FROM state WHERE pid = 104 GROUP BY state ORDER BY 1",
    "SELECT count(*), sum(duration_ns) FROM state WHERE end_ns < $1 AND cpu = 0",
    "SELECT mode, sum(duration_ns) FROM cpu WHERE end_ns <= $1 AND cpu = 1 GROUP BY 1 ORDER BY 1",
    "SELECT count(*), sum(wait_ns) FROM wake WHERE time_ns <= $1 AND time_ns >= $1 - 20000000",
    "SELECT count(*), sum(wait_ns) FROM wake WHERE cpu = 1 AND tid = 110",
    "SELECT call, count(*) FROM syscall WHERE begin_ns > $1 AND end_ns <= $2 GROUP BY 1 ORDER BY 1",
    "SELECT kind, count(*), sum(own_ns) FROM irq WHERE end_ns < $1 GROUP BY 1 ORDER BY 1",
    "SELECT count(*) FROM irq WHERE begin_ns >= $1 AND cpu = 0 AND tid = 112",
    "SELECT count(*), sum(duration_ns) FROM block WHERE end_ns < $1",
    "SELECT count(*), sum(wait_ns) FROM lock WHERE begin_ns >= $1 AND cpu = 0",
    "SELECT cpu, sum(number) FROM loss WHERE end_ns < $2 GROUP BY cpu ORDER BY 1",
    "SELECT count(*) FROM thread WHERE created AND NOT exited",
    """WITH run AS MATERIALIZED (SELECT * FROM sched WHERE run_ns IS NOT NULL)
       SELECT count(*), sum(run.tid) FROM wake JOIN run
       ON run.tid = wake.tid AND run.begin_ns = wake.ran_ns""",
    """SELECT a.thread, count(*) FROM syscall a JOIN syscall b ON a.tid = b.tid AND
       b.begin_ns = a.end_ns GROUP BY 1 ORDER BY 1""",
    "SELECT name, value FROM info ORDER BY name",
]


def value_of(text):
    """Convert a value of a CSV as SQLite does for a column without a type."""
    for kind in int, float:
        try:
            return kind(text)
        except ValueError:
            pass
    return text if text else None


def load(db, name, columns, rows):
    """Make a table. Each column is a name, or a name and a type."""
    db.execute("DROP TABLE IF EXISTS %s" % name)
    db.execute("CREATE TABLE %s (%s)" % (name, ", ".join(columns)))
    db.executemany("INSERT INTO %s VALUES (%s)" % (name, ", ".join("?" * len(columns))), rows)


def schema():
    """Return the columns of each table, with their types."""
    tables, name = {}, None
    for line in command("lkstla", "sql", "--schema").decode().splitlines():
        head = re.match(r"(\w+): ", line)
        column = re.match(r"  (\w+) +\*? (INTEGER|TEXT|       ) ", line)
        if head:
            name = head.group(1)
            tables[name] = []
        elif column:
            tables[name].append("%s %s" % column.groups())
    return tables


def read_csv(text):
    lines = csv.reader(io.StringIO(text.decode("utf-8", "surrogateescape"), newline=""))
    head = next(lines)
    return head, [[value_of(value) for value in line] for line in lines]


class Comparison:
    def __init__(self, trace, options):
        self.input = ["-f", trace] + options
        self.compared = self.differ = 0

    def sql(self, query):
        return read_csv(command("lkstla", "sql", query, "--csv", *self.input))[1]

    def compare(self, query, got, want):
        want = [[value_of(str(v)) if v is not None else None for v in row]
                if isinstance(row, tuple) else row for row in want]
        self.compared += 1
        if got == want:
            return
        self.differ += 1
        print("%s\n" % query, "lkstla: %s\n" % got[:5], "sqlite3: %s" % want[:5])
        for one, other in zip(got, want):
            if one != other:
                print("first difference: %s, %s" % (one, other))
                break

    def analyses(self):
        db = sqlite3.connect(":memory:")
        for analysis, table, query, other in ANALYSES:
            try:
                text = command("lkstla", analysis, "--json", *self.input)
            except subprocess.CalledProcessError:
                continue    # the trace lacks the events
            rows = json.loads(text)[table]
            if not rows:
                self.compare(query, self.sql(query), [])
                continue
            load(db, table, ['"%s"' % name for name in rows[0]], [list(row.values()) for row in rows])
            self.compare(query, self.sql(query), db.execute(other).fetchall())

    def queries(self, numbers):
        db = sqlite3.connect(":memory:")
        tables = schema()
        for table in tables:
            head, rows = read_csv(command("lkstla", "sql", "SELECT * FROM " + table, "--csv",
                                          *self.input))
            self.compare("schema of " + table, head, [c.split()[0] for c in tables[table]])
            load(db, table, tables[table], rows)
        begin, end = [db.execute("SELECT value FROM info WHERE name = ?", (name,)).fetchone()[0]
                      for name in ("begin_ns", "end_ns")]
        middle = (begin + end) // 2
        for query in QUERIES:
            if numbers and not query.startswith("SELECT count(*)"):
                continue
            query = query.replace("$1", str(middle)).replace("$2", str(middle + 10000000))
            self.compare(query, self.sql(query), db.execute(query).fetchall())


def main():
    numbers = sys.argv[1] == "--numbers"
    comparison = Comparison(sys.argv[1 + numbers], sys.argv[2 + numbers:])
    if not numbers:
        comparison.analyses()
    comparison.queries(numbers)
    print("%d queries compared, %d differ" % (comparison.compared, comparison.differ))
    sys.exit(comparison.differ > 0)


main()
