#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check what lkstbuf export --format folded writes.

export_folded.py TRACE [OPTION...]: compare the sums of the lines with those of lkstla thread and
lkstla offcpu --folded. The times of lines are rounded, so a sum may differ by half a microsecond for
each line. Prints each difference, and exits with 1 if there is any.
"""
import collections
import json
import subprocess
import sys

problems = []
compared = 0


def command(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


class Sums:
    """For each key, a sum of microseconds and a number of lines."""

    def __init__(self):
        self.us = collections.Counter()
        self.lines = collections.Counter()

    def add(self, key, us, lines=1):
        self.us[key] += us
        self.lines[key] += lines


def compare(what, found, expected):
    global compared
    for key in sorted(set(found.us) | set(expected.us), key=str):
        compared += 1
        if abs(found.us[key] - expected.us[key]) > (found.lines[key] + expected.lines[key]) * 0.5 + 1e-6:
            problems.append(f"{what} {key}: {found.us[key]} us, expected {expected.us[key]} us")


def folded_lines(text, unique=False):
    """Return the frames and the time of each line."""
    lines = []
    for line in text.splitlines():
        frames, _, us = line.rpartition(" ")
        lines.append((frames.split(";"), int(us)))
    if unique and len({tuple(frames) for frames, us in lines}) != len(lines):
        problems.append("there are several lines with the same frames")
    return lines


def tid_of(name):
    return int(name.rpartition("-")[2])


def is_cause(frame):
    """Return whether the frame after the state is a cause as in lkstla."""
    return frame.startswith("in ") or frame == "outside of a call"


def states(lines):
    """Sum up by thread, state and cause."""
    sums = Sums()
    for frames, us in lines:
        cause = frames[2] if len(frames) > 2 else None
        if frames[1].startswith("blocked") and cause and not is_cause(cause):
            cause = None
        if frames[1] == "runnable" and cause and cause.startswith("behind "):
            cause = None
        sums.add((tid_of(frames[0]), frames[1], cause), us)
    return sums


def states_of_thread(rows):
    """Return the sums of states() from the output of lkstla thread."""
    sums = Sums()
    for row in rows:
        if row["state"] in ("running", "interrupted", "runnable") or row["state"].startswith("blocked"):
            sums.add((tid_of(row["thread"]), row["state"], row["cause"]), row["total_ns"] / 1000, 0)
    return sums


def stacks(lines):
    """Sum up sleeps by thread and stack."""
    sums = Sums()
    for frames, us in lines:
        if not frames[1].startswith("blocked"):
            continue
        stack = frames[2:]
        if stack and is_cause(stack[0]):
            del stack[0]
        if stack and stack[0].split(" ")[0] in ("exception", "work"):
            del stack[0]
        sums.add((tid_of(frames[0]), tuple(stack)), us)
    return sums


def stacks_of_offcpu(lines):
    """Return the sums of stacks() from lkstla offcpu --folded: lines of thread;stack;cause."""
    sums = Sums()
    for frames, us in lines:
        stack = frames[1:-1]
        sums.add((tid_of(frames[0]), () if stack == ["-"] else tuple(stack)), us)
    return sums


def sleeps(lines):
    """Sum up sleeps by thread."""
    sums = Sums()
    for frames, us in lines:
        sums.add(tid_of(frames[0]), us)
    return sums


def main():
    trace, *options = sys.argv[1:]
    lines = folded_lines(command("lkstbuf", "export", "--format", "folded", "-f", trace, "-o", "-", *options), True)
    operand = options[options.index("-p") + 1] if "-p" in options else "*"
    times = [option for i, option in enumerate(options) if "-p" not in options[max(i - 1, 0):i + 1]]
    thread = json.loads(command("lkstla", "thread", operand, "--any", "--json", "-f", trace, *times))
    compare("time", states(lines), states_of_thread(thread["time"]))
    offcpu = folded_lines(subprocess.run(
        ["lkstla", "offcpu", "--folded", "--any", "-f", trace, "-p", operand, *times],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout)
    blocked = [line for line in lines if line[0][1].startswith("blocked")]
    compare("time of sleeps", sleeps(blocked), sleeps(offcpu))
    events = subprocess.run(["lkstbuf", "print", "--json", "-f", trace, "-e", "process_block", "-n", "1", *times],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    if events:
        compare("stack", stacks(lines), stacks_of_offcpu(offcpu))
    for problem in problems[:20]:
        print(problem)
    print(f"{compared} numbers compared, {len(problems)} differ")
    sys.exit(bool(problems))


main()
