#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the sums over all intervals of "lkstla top" with the figures of other analyses.

lkstla_top.py TRACE INTERVAL [--begun] [OPTION...]: compare with "lkstla sched|syscall|irq|cpu"
with the same options. With --begun, system calls had begun before the trace: their time before
they return is unknown to lkstla top, so the times of calls may be shorter. Prints each
difference, and exits with 1 if there is any.
"""
import collections
import json
import subprocess
import sys

CALL_TIMES = ("total_ns", "running_ns", "runnable_ns", "blocked_ns")
MODES = ("user", "kernel", "thread", "irq", "softirq", "idle", "unknown")


class Figures:
    """Figures by table, name of the row and name of the figure."""

    def __init__(self):
        self.value = collections.Counter()

    def add(self, table, row, **figures):
        for name, value in figures.items():
            self.value[table, row, name] += value

    def largest(self, table, row, name, value):
        key = (table, row, name)
        self.value[key] = max(self.value[key], value or 0)


def lkstla(analysis, trace, *options):
    command = ["lkstla", analysis, "-f", trace, "--json", *options]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()] if analysis == "top" \
        else json.loads(result.stdout)


def add_calls(figures, rows, names):
    for row in rows:
        figures.add("call", row["call"], **{name: row[name] for name in names})


def add_contexts(figures, report):
    for table in ("irq", "softirq", "work", "function"):
        for row in report[table]:
            name = (row.get("number"), row.get("kind"), row["name"])
            figures.add(table, name, count=row["count"], total_ns=row["total_ns"])


def add_window(figures, report):
    """Add the figures that all reports have, and return the length of the window."""
    window = report["window"]
    length = window["end_ns"] - window["begin_ns"]
    figures.add("window", "", length_ns=length, events=window["events"], lost=window["lost"])
    return length


def add_cpus(figures, report, length):
    for row in report["cpus"]:
        figures.add("cpu", row["cpu"], switches=row["switches"], wakeups=row["wakeups"],
                    migrations=row["migrations"], queued_ns=row["idle_while_queued_ns"])
        figures.add("cpu", row["cpu"], **{mode: round((row[mode] or 0) * length) for mode in MODES})


def tid_of(text):
    return int(text.rpartition("-")[2])


def add_interval(figures, report):
    length = add_window(figures, report)
    for row in report["threads"]:
        tid = tid_of(row["thread"])
        figures.add("thread", tid, run_ns=round(row["run"] * length),
                    wait_ns=round(row["wait"] * length),
                    runs=round(row["runs_per_s"] * length / 1e9))
        figures.largest("thread", tid, "max_ns", row["wait_max_ns"])
    add_calls(figures, report["calls"], ("calls", "errors") + CALL_TIMES)
    for row in report["calls"]:
        figures.largest("call", row["call"], "max_ns", row["max_ns"])
    add_contexts(figures, report)
    add_cpus(figures, report, length)


def whole(trace, options):
    figures = Figures()
    for row in lkstla("sched", trace, *options)["sched"]:
        tid = tid_of(row["thread"])
        figures.add("thread", tid, run_ns=row["run_ns"], wait_ns=row["wait_ns"], runs=row["runs"])
        figures.largest("thread", tid, "max_ns", row["max_ns"])
    report = lkstla("syscall", trace, *options)
    add_calls(figures, report["calls"], ("calls", "errors", "total_ns"))
    add_calls(figures, report["times"], CALL_TIMES[1:])
    for row in report["calls"]:
        figures.largest("call", row["call"], "max_ns", row["max_ns"])
    add_contexts(figures, lkstla("irq", trace, *options))
    if "-p" in options:
        options = options[:options.index("-p")] + options[options.index("-p") + 2:]
    report = lkstla("cpu", trace, *options)
    add_cpus(figures, report, add_window(figures, report))
    return figures


def main():
    trace, interval, *options = sys.argv[1:]
    begun = "--begun" in options
    options = [option for option in options if option != "--begun"]
    want, got = whole(trace, options), Figures()
    intervals = lkstla("top", trace, "--interval", interval, *options)
    for report in intervals:
        add_interval(got, report)
    differences = 0
    keys = {key for key in want.value | got.value if want.value[key] or got.value[key]}
    for key in sorted(keys, key=str):
        shorter = begun and key[0] == "call" and key[2] in CALL_TIMES
        if want.value[key] == got.value[key] or (shorter and got.value[key] < want.value[key]):
            continue
        print(*key, "is", got.value[key], "instead of", want.value[key])
        differences += 1
    print(f"{len(intervals)} intervals, {len(keys)} numbers compared, {differences} differ")
    return differences > 0


sys.exit(main())
