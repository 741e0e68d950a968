#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""lkstla_why.py [tree] FILE... [OPTION...]: check each tree of "lkstla why".

Explains the ten slowest delays of the trace in these files. Segments must tile each delay, and children must tile their segment.
"lkstla sched" must find the same run and wait times for the thread in this window. With "tree",
these times are not compared, because they depend on the window if clocks jump.
Prints "DELAYS delays, SEGMENTS segments, COMPARED compared with sched, LEAST % explained", or what
is wrong.
"""
import csv
import json
import subprocess
import sys

DEPTH = 8


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fail(text):
    sys.exit(f"wrong: {text}")


def stamp(ns):
    return f"@{ns // 10**9}.{ns % 10**9:09}"


class Tree:
    def __init__(self, delay):
        self.segments = 0
        self.ns = {}
        self.explained = 0
        self.level(delay, 0)
        for segment in delay["segments"]:
            ns = segment["end_ns"] - segment["begin_ns"]
            self.ns[segment["kind"]] = self.ns.get(segment["kind"], 0) + ns
            self.explained += ns * segment["explained"]

    def level(self, parent, depth):
        at = parent["begin_ns"]
        if depth > DEPTH:
            fail(f"{depth} levels")
        for segment in parent["segments"]:
            self.segments += 1
            if segment["begin_ns"] != at or segment["end_ns"] <= at:
                fail(f"a gap before {segment}")
            if not segment["text"]:
                fail(f"no text: {segment}")
            at = segment["end_ns"]
            self.level(segment, depth + 1)
        if (parent["segments"] or not depth) and at != parent["end_ns"]:
            fail(f"a gap at the end of {parent}")


def sched(files, options, delay):
    """Return the run and wait time of the thread, or None if its number is not unique."""
    done = run("lkstla", "sched", *files, *options, "--csv", "-p", str(delay["tid"]),
               "--since", stamp(delay["begin_ns"]), "--until", stamp(delay["end_ns"]))
    if "no thread matches" in done.stderr:
        return None
    # The thread may have another name in this part of the trace.
    rows = [row for row in csv.DictReader(done.stdout.splitlines())
            if row["thread"].rpartition("-")[2] == str(delay["tid"])]
    if len(rows) > 1:
        return None
    return [int(rows[0][key]) if rows else 0 for key in ("run_ns", "wait_ns")]


def main():
    words = sys.argv[1:]
    tree_only = words[0] == "tree"
    words = words[tree_only:]
    count = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    files = [word for name in words[:count] for word in ("-f", name)]
    options = words[count:]
    done = run("lkstla", "why", *files, *options, "--slowest", "10", "--segments", "1000",
               "--depth", str(DEPTH), "--json")
    # If the trace is damaged, the status is 1 although there is a result.
    result = json.loads(done.stdout or "{}")
    if "why" not in result:
        sys.exit(f"refused: {done.stderr.strip()}")
    segments = compared = 0
    least = 1
    delays = result["why"]
    for delay in delays:
        tree = Tree(delay)
        segments += tree.segments
        length = delay["end_ns"] - delay["begin_ns"]
        if abs(tree.explained / length - delay["explained"]) > 1e-9:
            fail(f"explained: {delay}")
        least = min(least, delay["explained"])
        want = None if tree_only else sched(files, options, delay)
        got = [tree.ns.get(kind, 0) for kind in ("running", "runnable")]
        if want is None or "short" in tree.ns:
            continue
        compared += 1
        if want != got:
            fail(f"run and wait: {got}, not {want} as in sched: {delay['thread']} "
                 f"{stamp(delay['begin_ns'])} .. {stamp(delay['end_ns'])}")
    print(f"{len(delays)} delays, {segments} segments, {compared} compared with sched, "
          f"{100 * least:.0f} % explained")


main()
