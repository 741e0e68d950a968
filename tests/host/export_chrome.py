#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check what lkstbuf export --format chrome writes.

export_chrome.py [--damaged | --cut] TRACE [OPTION...]: export TRACE, and compare the slices, arrows
and instants with what lkstbuf print and lkstla print with the same options. With --damaged, states
and calls are not compared: times that contradict each other cannot be drawn. With --cut, the end of
the file must be missing: each command says so with status 1. Prints each difference, and exits with
1 if there is any.
"""
import collections
import csv
import decimal
import json
import subprocess
import sys

PID_CPUS = 1 << 30
TIDS = 1 << 22
STATES = ("running", "runnable", "blocked", "unknown")
# PAIRS: the events with which a slice begins and ends. DRAWN: all events that slices and arrows
# show.
PAIRS = {
    "int_hardware_entry": "int_hardware_exit", "int_softirq_entry": "int_softirq_exit",
    "int_tasklethi_entry": "int_tasklethi_exit", "int_tasklet_entry": "int_tasklet_exit",
    "int_timer_entry": "int_timer_exit", "int_ipi_entry": "int_ipi_exit",
    "exception_entry": "exception_exit", "system_call_entry": "system_call_exit",
    "timer_run_entry": "timer_run_exit", "timer_hr_run_entry": "timer_hr_run_exit",
    "work_entry": "work_exit",
}
DRAWN = {"process_contextswitch", "process_wakeup", "process_waking"} | set(PAIRS) | set(PAIRS.values())
# lkstbuf keeps at most about this much text of a track in memory.
HOLD_BYTES = 16 * 1024
# The members that a line of each kind must have, in addition to "ph", "pid", "tid", "ts" and "name"
MEMBERS = {"B": set(), "E": set(), "M": {"args"}, "s": {"id", "cat"}, "f": {"id", "cat", "bp"}, "i": {"s"}}
MAY_HAVE = {"B": {"args"}, "E": {"args"}, "i": {"args", "cat"}}

LAST_MISSING = "the last records may be missing"

problems = []
compared = 0
cut = False


def same(what, found, expected):
    global compared
    compared += 1
    if found != expected:
        problems.append(f"{what}: {found}, expected {expected}")


def command(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE)
    same(f"status of {words[:2]}", done.returncode, int(cut))
    return done.stdout


def to_ns(microseconds):
    """Convert a time of the file, which has three decimals. Numbers are read as Decimal."""
    ns = decimal.Decimal(microseconds) * 1000
    if ns != int(ns):
        problems.append(f"{microseconds}: more than three decimals")
    return int(ns)


class Slice:
    def __init__(self, line, track, parent):
        self.name = line["name"]
        self.begin = to_ns(line["ts"])
        self.end = None
        self.args = line.get("args", {})
        self.track = track
        self.parent = parent
        self.instant = False
        self.bytes = 0

    def is_state(self):
        return self.track[0] != PID_CPUS and self.name.split(" ")[0] in STATES and "entry" not in self.args


class Chrome:
    """The lines of a file, and the slices that they describe."""

    def __init__(self, text):
        document = json.loads(text, parse_float=decimal.Decimal)
        same("members of the document", set(document), {"traceEvents", "displayTimeUnit", "otherData"})
        same("displayTimeUnit", document["displayTimeUnit"], "ns")
        self.zero = int(document["otherData"]["zero_ns"])
        self.lost = document["otherData"]["lost_records"]
        self.slices = []
        self.instants = []
        self.starts = {}
        self.arrows = []
        self.names = {}
        self.processes = {}
        self.open = collections.defaultdict(list)
        self.last = {}
        self.known_late = 0
        for line in document["traceEvents"]:
            self.check(line)
            for of in self.open[line["pid"], line["tid"]]:
                of.bytes += len(json.dumps(line, default=str))
            getattr(self, "take_" + line["ph"])(line, (line["pid"], line["tid"]))
        for track, stack in self.open.items():
            same(f"slices of {track} that do not end", [s.name for s in stack], [])
        for track in {s.track for s in self.slices} | {(i["pid"], i["tid"]) for i in self.instants}:
            same(f"{track} has a name", track in self.names, True)
            same(f"process {track[0]} has a name", track[0] in self.processes, True)

    def check(self, line):
        kind = line["ph"]
        must = {"ph", "pid", "tid", "ts", "name"} | MEMBERS[kind]
        same(f"members of {line}", must <= set(line) <= must | MAY_HAVE.get(kind, set()), True)
        if not (isinstance(line["pid"], int) and isinstance(line["tid"], int) and line["name"] and
                isinstance(line["name"], str) and isinstance(line["ts"], decimal.Decimal)):
            problems.append(f"types of the members of {line}")

    def take_M(self, line, track):
        if line["name"] == "thread_name":
            same(f"{track} has only one name", track in self.names, False)
            name = self.names[track] = line["args"]["name"]
            # If a thread ID was reused, the thread has another number in the file, and its name
            # ends with the real ID.
            if TIDS <= track[1] < PID_CPUS:
                same(f"name of {track}", name.rpartition("-")[2], str(tid_of(track)))
        elif line["name"] == "process_name":
            self.processes[track[0]] = line["args"]["name"]
        else:
            same(line["name"], line["name"] in ("process_sort_index", "thread_sort_index"), True)

    def advance(self, line, track):
        """Check that the lines of a track about slices are in order of time."""
        if to_ns(line["ts"]) < self.last.get(track, -(1 << 62)):
            problems.append(f"{line} is earlier than the line before it on its track")
        self.last[track] = to_ns(line["ts"])

    def take_B(self, line, track):
        self.advance(line, track)
        parent = self.open[track][-1] if self.open[track] else None
        self.slices.append(Slice(line, track, parent))
        self.open[track].append(self.slices[-1])

    def take_E(self, line, track):
        self.advance(line, track)
        if not self.open[track]:
            problems.append(f"{line} ends nothing")
            return
        of = self.open[track].pop()
        same("name at the end of a slice", line["name"], of.name)
        of.end = to_ns(line["ts"])
        self.check_args(of, line.get("args", {}))
        if of.is_state():
            same("slice around a state", of.args.get("inside"), of.parent.name if of.parent else None)
        if of.end <= of.begin:
            problems.append(f"{line} ends a slice that takes no time")

    def check_args(self, of, args):
        """Check that both ends have the same arguments in the same order, as speedscope requires.

        If a slice contains too many lines, the values that its end adds are not known at its begin.
        """
        if json.dumps(of.args, default=str) != json.dumps(args, default=str):
            self.known_late += 1
            early = {key: args[key] for key in args if key == "entry"}
            same(f"arguments at the begin of {of.name} at {of.begin}", of.args, early)
            same(f"{of.name} at {of.begin} contains much text", of.bytes > HOLD_BYTES, True)
        of.args = args

    def take_i(self, line, track):
        same("scope of an instant", line["s"], "t")
        if "cat" in line:
            self.instants.append(line)
            return
        # This instant is a slice that takes no time.
        self.advance(line, track)
        of = Slice(line, track, self.open[track][-1] if self.open[track] else None)
        of.end, of.args, of.instant = of.begin, line.get("args", {}), True
        self.slices.append(of)

    def take_s(self, line, track):
        same(f"arrow {line['id']} is new", line["id"] in self.starts, False)
        self.starts[line["id"]] = (track, to_ns(line["ts"]))

    def take_f(self, line, track):
        same("binding point of an arrow", line["bp"], "e")
        self.arrows.append((self.starts.pop(line["id"]), (track, to_ns(line["ts"])), self.slices[-1]))


def tid_of(track):
    return track[1] % TIDS


def state_sums(chrome):
    """Return the time of each thread number in each state."""
    sums = collections.Counter()
    for piece in chrome.slices:
        if piece.is_state():
            sums[tid_of(piece.track), piece.name] += piece.end - piece.begin
    return sums


def lkstla_sums(thread):
    """Like state_sums(), from lkstla thread, which does not divide the time of unknown states."""
    sums = collections.Counter()
    for row in thread["time"]:
        state = {"interrupted": "running"}.get(row["state"], row["state"])
        tid = row["thread"].rpartition("-")[2]
        if state in ("running", "runnable") or state.startswith("blocked"):
            sums[int(tid), state] += row["total_ns"]
    return sums


def compare_sums(what, found, expected):
    for key in sorted(set(found) | set(expected), key=str):
        same(f"{what} {key}", found[key], expected[key])


def letters(sums):
    """lkstla distinguishes four letters of blocked states, and adds up the times of all others."""
    result = collections.Counter()
    for (tid, state), ns in sums.items():
        known = state in ("running", "runnable", "blocked S", "blocked D", "blocked T", "blocked I")
        if state != "unknown":
            result[tid, state if known else "blocked"] += ns
    return result


def check_states(chrome, thread):
    compare_sums("state", letters(state_sums(chrome)), lkstla_sums(thread))


def check_calls(chrome, thread):
    """Compare calls, and their times unless only the end of a call could be drawn.

    lkstla does not count a call that begins with the last event of the window.
    """
    end = thread["window"]["end_ns"] - chrome.zero
    number, total, late = collections.Counter(), collections.Counter(), set()
    for call in chrome.slices:
        if call.track[0] == PID_CPUS or call.parent or call.is_state() or \
                call.name.split(" ")[0] in ("exception", "work") or call.begin == end:
            continue
        key = tid_of(call.track), call.name
        number[key] += 1
        total[key] += call.end - call.begin
        if call.instant and "entry" not in call.args:
            late.add(key)
    expected, expected_total = collections.Counter(), collections.Counter()
    for row in thread["calls"]:
        key = int(row["thread"].rpartition("-")[2]), row["call"]
        expected[key] += row["calls"]
        expected_total[key] += row["total_ns"]
    compare_sums("calls", number, expected)
    for key in late:
        same(f"time of the calls {key}", total[key] <= expected_total[key], True)
        del total[key], expected_total[key]
    compare_sums("time of the calls", total, expected_total)


def check_cpus(chrome, some):
    """Check that CPUs run threads when the tracks of the threads say so.

    some: not all threads have tracks.
    """
    on_cpus, on_threads = collections.Counter(), collections.Counter()
    for piece in chrome.slices:
        if piece.track[0] == PID_CPUS and not piece.parent and piece.name != "unknown":
            tid = piece.name.rpartition("-")[2]
            if tid.isdigit() and "entry" not in piece.args and "exit" not in piece.args:
                on_cpus[piece.track[1] - PID_CPUS, int(tid)] += piece.end - piece.begin
        elif piece.is_state() and piece.name == "running":
            on_threads[piece.args["cpu"], tid_of(piece.track)] += piece.end - piece.begin
    if some:
        on_cpus = collections.Counter({key: ns for key, ns in on_cpus.items() if key in on_threads})
    compare_sums("time on the CPU", on_cpus, on_threads)


def check_arrows(chrome):
    """Check that arrows lead from the waker, at the wake-up, to the start of the wait."""
    same("arrows without an end", chrome.starts, {})
    for (track, time), (to, end), piece in chrome.arrows:
        same("end of an arrow", (piece.name, piece.track), ("runnable", to))
        if not piece.begin <= end < piece.end:
            problems.append(f"the arrow to {to} at {end} does not end in a slice")
        if time > end:
            problems.append(f"the arrow to {to} at {end} begins later, at {time}")
        if track[0] == PID_CPUS:
            same("waker", piece.args["woken_by"].split(" ")[0] in
                 ("irq", "interrupt", "IPI", "softirq", "tasklet", "timer", "hrtimer"), True)
        else:
            same("waker", piece.args["woken_by"].rpartition("-")[2], str(tid_of(track)))


def thread_of(event):
    """Return the thread of an event as in the text output."""
    if not event["thread"]:
        return event["name"]
    return f"{event['name']}-{event['thread']}" if event["name"] else str(event["thread"])


def check_events(chrome, events, chosen):
    """Compare the values of all events with those that lkstbuf print shows.

    An event type without a description has no "fields".
    """
    found, expected = collections.Counter(), collections.Counter()
    for event in events:
        if chosen or event["event_name"] not in DRAWN:
            expected[event["time_ns"], event["cpu"], event["event_type"],
                     json.dumps(event.get("fields", event["arg"]), sort_keys=True),
                     thread_of(event)] += 1
    for line in chrome.instants:
        args = line["args"]
        found[to_ns(line["ts"]) + chrome.zero, args["cpu"], args["event_type"],
              json.dumps(args.get("fields", args.get("arg")), sort_keys=True),
              args["thread"]] += 1
    same("instants", sum(found.values()), sum(expected.values()))
    compare_sums("instant", found, expected)


def check_entries(chrome, events, exact):
    """Check that the values with which slices begin and end are those of all entry and exit events.

    If exact is false, the model counts some events at a later time.
    """
    found, expected = collections.Counter(), collections.Counter()
    for event in events:
        if event["event_name"] in PAIRS or event["event_name"] in PAIRS.values():
            kind = "entry" if event["event_name"] in PAIRS else "exit"
            expected[kind, event["time_ns"] * exact, json.dumps(event["fields"], sort_keys=True)] += 1
    for of in chrome.slices:
        for kind, time in (("entry", of.begin), ("exit", of.end)):
            if kind in of.args:
                found[kind, (time + chrome.zero) * exact, json.dumps(of.args[kind], sort_keys=True)] += 1
    return found, expected


def analysis_options(options):
    """Return the options and operands for lkstla thread, which has operands instead of -p."""
    result, operands, words = [], [], iter(options)
    for word in words:
        if word in ("--since", "--until"):
            result += [word, next(words)]
        elif word == "-p":
            operands.append(next(words))
        elif word in ("-c", "-e"):
            next(words)
    return result, operands or ["*"]


def check_ends(chrome, trace, analysis, inconsistent):
    """Losses of an unknown number of records are drawn where lkstla sql has them.

    An event that contradicts the last records of a CPU ends the slice there, which is drawn already
    then, so the loss is drawn after it.
    """
    lines = command("lkstla", "sql", "SELECT cpu, begin_ns, end_ns FROM loss WHERE number IS NULL",
                    "--csv", "-f", trace, *analysis).decode().splitlines()
    expected = sorted(tuple(int(value) for value in row)
                      for row in csv.reader(lines) if row and row[0].isdigit())
    found = sorted((s.track[1] - PID_CPUS, s.begin + chrome.zero, s.end + chrome.zero)
                   for s in chrome.slices if s.track[0] == PID_CPUS and s.name == LAST_MISSING)
    same("ends of losses of an unknown number of records", [(cpu, end) for cpu, _, end in found],
         [(cpu, end) for cpu, _, end in expected])
    begins = list(zip(found, expected))
    same("losses begin too early", [one for one, of in begins if one[1] < of[1]], [])
    late = [one for one, of in begins if one[1] > of[1]]
    same(f"losses begin too late: {late}", len(late) <= inconsistent, True)
    same("the end of the file is missing", bool(found), cut)


def check_analysis(chrome, trace, options, events):
    """Compare states, calls and losses with those of lkstla thread."""
    analysis, operands = analysis_options(options)
    thread = json.loads(command("lkstla", "thread", *operands, "--any", "--json", "-f", trace, *analysis))
    window = thread["window"]
    check_states(chrome, thread)
    check_calls(chrome, thread)
    same("lost records", chrome.lost, window["lost"])
    shown = sum(int(s.name.split(" ")[1]) for s in chrome.slices if s.name.startswith("lost "))
    same("lost records that are drawn", shown, window["lost"])
    check_ends(chrome, trace, analysis, window["inconsistent"])
    if {"-p", "-e"} & set(options):
        return
    exact = not window["inconsistent"] and not window["nested"]
    found, expected = check_entries(chrome, events, exact)
    same("values that no event has", found - expected, collections.Counter())
    if exact and not analysis:
        missing = sum((expected - found).values())
        same(f"of {sum(expected.values())} entry and exit events, {missing} are not shown",
             missing <= sum(expected.values()) / 50, True)


def main():
    global cut
    damaged, cut = sys.argv[1] == "--damaged", sys.argv[1] == "--cut"
    trace, *options = sys.argv[1 + (damaged or cut):]
    chrome = Chrome(command("lkstbuf", "export", "--format", "chrome", "-f", trace, "-o", "-", *options))
    events = [json.loads(line) for line in
              command("lkstbuf", "print", "--json", "-r", "-f", trace, *options).splitlines()]
    check_events(chrome, events, "-e" in options)
    if not damaged:
        check_cpus(chrome, "-p" in options)
        check_arrows(chrome)
    # lkstla thread has no option -c.
    if not damaged and "-c" not in options:
        check_analysis(chrome, trace, options, events)
    for problem in problems[:20]:
        print(problem)
    print(f"{compared} numbers compared, {len(problems)} differ")
    if chrome.known_late:
        print(f"{chrome.known_late} slices with values that are known late")
    sys.exit(bool(problems))


main()
