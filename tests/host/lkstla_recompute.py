#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Recompute what lkstla prints, from the events that lkstbuf prints.

lkstla_recompute.py TRACE [OPTION...]: compare "lkstla sched|syscall|irq|cpu --json -f TRACE
OPTION..." with the same numbers computed here. Prints each difference, and exits with 1 if there
is any. The code shares nothing with the state model of lkstla: it turns all events of the trace
up to the end of the window into lists of intervals first, and cuts these to the window afterwards.
"""
import collections
import json
import subprocess
import sys

RUN, WAIT, SLEEP = "run", "wait", "sleep"


def command(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout


def low(value):
    return value & 0xffffffff


def tid_of(text):
    """Return the thread number of "name-number"."""
    return int(text.rpartition("-")[2])


class Thread:
    """A thread, from its creation to its end. Thread numbers are reused."""

    def __init__(self, tid):
        self.tid = tid
        self.state = None
        self.since = 0
        self.cpu = None
        self.behind = None
        self.preempted = False
        self.early = None       # the CPU that woke up the thread while the thread was still running
        self.began = False  # the thread was not in this state before
        self.queues = []    # while it waits: (time, the CPU whose queue it joins)
        self.spans = []     # (state, begin, end, began, preempted at the end, behind which tid)
        self.waits = []     # (begin, end, CPU in whose queue it was)
        self.call = None    # (name, begin)
        self.call_since = None  # since when it may have been in a call; None: not in a call
        self.created = False
        self.called = False     # it has entered a system call
        self.dead = False

    def enter(self, state, now, preempted=False, behind=None, began=True):
        if self.state:
            self.spans.append((self.state, self.since, now, self.began, preempted, self.behind))
        ends = [begin for begin, _ in self.queues[1:]] + [now]
        self.waits += [(begin, max(begin, end), cpu)
                       for (begin, cpu), end in zip(self.queues, ends)]
        self.queues = []
        self.state, self.since, self.behind, self.began = state, now, behind, began
        self.preempted = preempted
        if state != SLEEP:
            self.early = None


class Cpu:
    def __init__(self, now):
        self.recid = None   # of the last record
        self.last = now     # time of the last record
        self.ended = False  # events after the window have been seen
        self.tid = None     # the running thread; 0: idle
        self.begin = now
        self.since = now    # when the present mode began
        self.stack = []     # interrupts and softirqs: [kind, number, name, begin, own time]
        self.spans = []     # (mode, begin, end)

    def mode(self):
        if self.stack:
            return "softirq" if self.stack[-1][0] == "softirq" else "irq"
        return "unknown" if self.tid is None else "thread" if self.tid else "idle"

    def account(self, now):
        """Add the time since the last change to the present mode, before the mode changes."""
        if now > self.since:
            self.spans.append((self.mode(), self.since, now))
            if self.stack:
                self.stack[-1][4].append((self.since, now))
            self.since = now


class Trace:
    def __init__(self, events, selected, end):
        self.end = end
        self.selected = selected    # if true, gaps in the recids are not losses
        self.threads = []
        self.by_tid = {}
        self.cpus = {}
        self.switches = []      # (time, cpu)
        self.wakeups = []       # (time, cpu)
        self.migrations = []    # (time, cpu)
        self.contexts = []      # (kind, number, name, begin or None, end or None, own intervals)
        self.calls = []         # (call, begin or None, end or None, result, tid, first)
        for event in events:
            if event["time_ns"] <= end:
                self.event(event)
            else:
                self.after(event)
        for thread in self.threads:
            if thread.call:
                self.calls.append((thread.call[0], thread.call[1], None, 0, thread.tid, 0, False))
            thread.enter(None, self.end)
        for cpu in self.cpus.values():
            cpu.account(self.end)
            for kind, number, name, begin, own in cpu.stack:
                self.contexts.append((kind, number, name, begin, None, own))

    def thread(self, tid, now, new=False):
        if new or tid not in self.by_tid:
            old = self.by_tid.get(tid)
            if old:
                old.enter(None, now)
            self.by_tid[tid] = Thread(tid)
            self.threads.append(self.by_tid[tid])
            self.by_tid[tid].call_since = now
        return self.by_tid[tid]

    def event(self, event):
        now, cpu_number = event["time_ns"], event["cpu"]
        if cpu_number not in self.cpus:
            self.cpus[cpu_number] = Cpu(now)
        cpu = self.cpus[cpu_number]
        self.check_recid(cpu_number, cpu, event)
        cpu.last = now
        if cpu.tid is None:
            self.show(now, cpu_number, cpu, event)
        handler = getattr(self, event["event_name"], None)
        if handler:
            handler(now, cpu_number, cpu, event)

    # --- recording

    def lkst_maskset_set(self, now, cpu_number, cpu, event):
        """Handle a change of the recorded event types. The states of all threads become unknown."""
        for thread in self.threads:
            self.forget_thread(thread, now)
        for other in self.cpus.values():
            self.forget_cpu(other, now)
        self.show(now, cpu_number, cpu, event)

    lkst_trc_start = lkst_maskset_set

    def after(self, event):
        """Handle an event after the window. A CPU's first one shows whether records are missing."""
        cpu = self.cpus.get(event["cpu"])
        if cpu and not cpu.ended:
            cpu.ended = True
            self.check_recid(event["cpu"], cpu, event)

    def check_recid(self, cpu_number, cpu, event):
        if self.selected:
            pass
        elif cpu.recid is None and event["recid"]:
            self.overwritten(cpu_number, event["time_ns"])
        elif cpu.recid is not None and event["recid"] != cpu.recid + 1:
            self.lost(cpu_number, cpu)
        cpu.recid = event["recid"]

    def overwritten(self, cpu_number, now):
        """A CPU's first records are missing. It may have run the threads in its queue."""
        for thread in self.threads:
            if thread.state == WAIT and thread.cpu in (cpu_number, None):
                self.forget_thread(thread, now)

    def lost(self, cpu_number, cpu):
        """Handle a loss of records of a CPU. The states of the threads there become unknown."""
        for thread in self.threads:
            if thread.state and thread.cpu == cpu_number:
                self.forget_thread(thread, max(cpu.last, thread.since))
        self.forget_cpu(cpu, max(cpu.last, cpu.since))

    def forget_thread(self, thread, time):
        thread.enter(None, time)
        self.drop_call(thread, time)
        thread.called, thread.call_since = True, time

    def forget_cpu(self, cpu, time):
        cpu.account(time)
        cpu.tid = None
        for kind, number, name, begin, own in cpu.stack:
            self.contexts.append((kind, number, name, begin, None, own))
        cpu.stack = []

    def process_state(self, now, cpu_number, cpu, event):
        """Handle an event of the state dump. A thread in state R may be running or waiting."""
        thread = self.thread(tid_of(event["fields"]["thread"]), now)
        if not thread.state and event["fields"]["state"] not in ("R", "Z", "X"):
            thread.enter(SLEEP, now)

    def show(self, now, cpu_number, cpu, event):
        """Handle the first event of a CPU, which shows which thread is running."""
        cpu.account(now)
        cpu.tid = event["thread"]
        if cpu.tid:
            self.run(self.thread(cpu.tid, now), now, cpu_number, began=False)

    def run(self, thread, now, cpu_number, began):
        if thread.state == RUN:     # a switch on the other CPU is missing
            self.cpus[thread.cpu].account(now)
            self.cpus[thread.cpu].tid = None
        if thread.cpu != cpu_number:
            thread.behind = None
        thread.enter(RUN, now, began=began)
        thread.cpu = cpu_number

    # --- the scheduler

    def process_contextswitch(self, now, cpu_number, cpu, event):
        fields = event["fields"]
        prev, state, next_tid = tid_of(fields["prev"]), fields["prev_state"], tid_of(fields["next"])
        cpu.account(now)
        if prev:
            thread = self.thread(prev, now)
            if state.startswith("R"):
                thread.enter(WAIT, now, preempted=True, behind=next_tid)
                thread.cpu = cpu_number
                self.queue(thread, now)
            elif state[0] in "XZ":
                thread.enter(None, now)
                thread.dead = True
                self.drop_call(thread, now)
            else:
                thread.enter(SLEEP, now)
            thread.cpu = cpu_number
        if next_tid:
            self.run(self.thread(next_tid, now), now, cpu_number, began=True)
        cpu.tid = next_tid
        self.switches.append((now, cpu_number))

    def woken(self, now, cpu_number, cpu, event):
        thread = self.thread(tid_of(event["fields"]["thread"]), now)
        target = event["fields"].get("target_cpu", thread.cpu)  # not known in process_waking
        behind = self.running(target, thread)
        if thread.state == WAIT and not thread.preempted and "target_cpu" in event["fields"]:
            thread.cpu, thread.behind = target, behind
            self.queue(thread, now)
        elif thread.state not in (RUN, WAIT):
            thread.cpu = target
            early = thread.early if event["event_name"] == "process_wakeup" else None
            waker = cpu_number if early is None else early
            thread.enter(WAIT, now, behind=behind)
            self.queue(thread, now)
            self.wakeups.append((now, waker))

    def process_waking(self, now, cpu_number, cpu, event):
        thread = self.thread(tid_of(event["fields"]["thread"]), now)
        self.woken(now, cpu_number, cpu, event)
        if thread.state == RUN:     # if it goes to sleep now, another CPU records process_wakeup
            thread.early = cpu_number

    def process_wakeup(self, now, cpu_number, cpu, event):
        self.woken(now, cpu_number, cpu, event)
        self.thread(tid_of(event["fields"]["thread"]), now).early = None

    def process_fork(self, now, cpu_number, cpu, event):
        thread = self.thread(tid_of(event["fields"]["child"]), now, new=True)
        thread.created, thread.cpu = True, cpu_number
        thread.enter(SLEEP, now)

    def process_migrate(self, now, cpu_number, cpu, event):
        self.migrations.append((now, event["fields"]["to"]))
        thread = self.thread(tid_of(event["fields"]["thread"]), now)
        if thread.state != RUN:     # otherwise a switch is missing
            thread.cpu = event["fields"]["to"]
        if thread.state == WAIT:
            self.queue(thread, now)
            thread.behind = self.running(thread.cpu, thread)

    def running(self, cpu_number, thread):
        """Return the number of the running thread of a CPU; None if unknown or equal to thread."""
        cpu = self.cpus.get(cpu_number)
        return cpu.tid if cpu and cpu.tid != thread.tid else None

    def queue(self, thread, now):
        """Record that a waiting thread joins the queue of its CPU now."""
        thread.queues.append((now, thread.cpu))

    # --- system calls

    def system_call_entry(self, now, cpu_number, cpu, event):
        thread = self.thread(event["thread"], now)
        self.drop_call(thread, now)
        thread.call, thread.called = (event["fields"]["number"], now), True

    def system_call_exit(self, now, cpu_number, cpu, event):
        thread = self.thread(event["thread"], now)
        name, begin, first = event["fields"]["number"], None, thread.call_since
        if thread.call and name in (thread.call[0], -1):    # rt_sigreturn has -1 here
            name, begin = thread.call
            thread.call = None
        elif thread.call:           # the exit from one call and the entry to the other are missing
            self.drop_call(thread, now)
            first = now
        elif thread.created and not thread.called:
            thread.called = True    # a new thread, on its way from fork() to user mode
            thread.call_since = None
            return
        result = event["arg"][1]
        if result >= 1 << 63:
            result -= 1 << 64
        first = now if first is None else first
        self.calls.append((name, begin, now, result, thread.tid, first, False))
        thread.called = True
        thread.call_since = None

    def drop_call(self, thread, now):
        """Drop the present call, because the event of its exit is missing."""
        if thread.call:
            self.calls.append((thread.call[0], thread.call[1], now, 0, thread.tid, 0, True))
        thread.call, thread.call_since = None, None

    # --- interrupts

    def push(self, now, cpu, kind, number, name):
        cpu.account(now)
        cpu.stack.append([kind, number, name, now, []])

    def pop(self, now, cpu, kind, number, name):
        cpu.account(now)
        if cpu.stack and cpu.stack[-1][:2] == [kind, number]:
            kind, number, name, begin, own = cpu.stack.pop()
            self.contexts.append((kind, number, name, begin, now, own))
        else:
            self.contexts.append((kind, number, name, None, now, []))

    def int_hardware_entry(self, now, cpu_number, cpu, event):
        self.push(now, cpu, "irq", str(event["fields"]["irq"]), event["fields"]["name"])

    def int_hardware_exit(self, now, cpu_number, cpu, event):
        self.pop(now, cpu, "irq", str(event["fields"]["irq"]), event["fields"].get("irq_name"))

    @staticmethod
    def vector(event):
        name = event["fields"]["vector"]
        name = "vector %d" % name if isinstance(name, int) else name
        return "vec %d" % low(event["arg"][0]), name

    def vector_entry(self, now, cpu_number, cpu, event):
        self.push(now, cpu, "irq", *self.vector(event))

    def vector_exit(self, now, cpu_number, cpu, event):
        self.pop(now, cpu, "irq", *self.vector(event))

    int_timer_entry = int_ipi_entry = vector_entry
    int_timer_exit = int_ipi_exit = vector_exit

    def int_softirq_entry(self, now, cpu_number, cpu, event):
        self.push(now, cpu, "softirq", low(event["arg"][0]), event["fields"]["vector"])

    def int_softirq_exit(self, now, cpu_number, cpu, event):
        self.pop(now, cpu, "softirq", low(event["arg"][0]), event["fields"]["vector"])


class Window:
    def __init__(self, begin, end):
        self.begin, self.end = begin, end

    def cut(self, begin, end):
        return max(0, min(end, self.end) - max(begin, self.begin))

    def has(self, time):
        return self.begin <= time <= self.end

    def has_begin(self, time):
        """Return whether an interval that begins at this time belongs to the window."""
        return self.begin <= time < self.end


def rank(values, share):
    """Return a percentile: the smallest value that this share of all values does not exceed."""
    values = sorted(values)
    return values[max(0, -int(-len(values) * share // 1) - 1)]


def add_distribution(row, values):
    """Add p50, p99 and max of a list of (duration, time, extra)."""
    durations = [value[0] for value in values]
    row["max_ns"] = max(durations) if values else None
    row["p50_ns"] = rank(durations, .5) if values else None
    row["p99_ns"] = rank(durations, .99) if values else None
    row["at_ns"] = {value[1] for value in values if value[0] == row["max_ns"]}
    return row


def sched(trace, window):
    """Return the row of each thread."""
    runs = collections.Counter()
    rows = collections.defaultdict(list)
    for thread in trace.threads:
        row = {"runs": 0, "preempted": 0, "run_ns": 0, "wait_ns": 0}
        waits = []
        for state, begin, end, began, preempted, behind in thread.spans:
            cut = window.cut(begin, end)
            inside = end >= window.begin and begin < window.end
            if state == RUN:
                row["run_ns"] += cut
                row["preempted"] += preempted and window.has(end)
                row["runs"] += began and window.has_begin(begin)
            elif state == WAIT and inside:
                row["wait_ns"] += cut
                waits.append((cut, min(end, window.end), behind))
        if row["runs"] or row["run_ns"] or row["wait_ns"]:
            add_distribution(row, waits)
            row["behind"] = {wait[2] for wait in waits if wait[0] == row["max_ns"]} or {None}
            rows[thread.tid].append(row)
    return rows


def syscalls(trace, window):
    rows = {}
    longest = collections.defaultdict(list)
    for name, begin, end, result, tid, first, exited in trace.calls:
        begin_known = begin is not None and begin >= window.begin
        end_known = end is not None and end <= window.end and not exited
        if end is not None and end < window.begin or begin is not None and begin >= window.end:
            continue
        row = rows.setdefault(name, {"calls": 0, "errors": 0, "cut": 0, "total_ns": 0})
        row["calls"] += 1
        row["errors"] += end_known and -4095 <= result < 0
        row["cut"] += not (begin_known and end_known)
        row["total_ns"] += window.cut(first if begin is None else begin,
                                      trace.end if end is None else end)
        if begin_known and end_known:
            longest[name].append((end - begin, end))
    for name in rows:
        add_distribution(rows[name], longest[name])
    return rows


def irqs(trace, window):
    rows = {}
    lengths = collections.defaultdict(list)
    for kind, number, name, begin, end, own in trace.contexts:
        if begin is None or end is not None and end < window.begin or begin >= window.end:
            continue
        key = (kind, number, name)
        row = rows.setdefault(key, {"count": 0, "total_ns": 0})
        total = sum(window.cut(*part) for part in own)
        row["total_ns"] += total
        begin_known = begin >= window.begin
        row["count"] += begin_known
        if begin_known and end is not None and end <= window.end:
            lengths[key].append((total, begin))
    for key in rows:
        add_distribution(rows[key], lengths[key])
    return rows


def cpus(trace, window):
    rows = {}
    for number, cpu in trace.cpus.items():
        row = dict.fromkeys(("thread", "irq", "softirq", "idle"), 0)
        for mode, begin, end in cpu.spans:
            if mode in row:
                row[mode] += window.cut(begin, end)
        for key, times in (("switches", trace.switches), ("migrations", trace.migrations),
                           ("wakeups", trace.wakeups)):
            row[key] = sum(1 for time, at in times if at == number and window.has(time))
        row["idle_while_queued_ns"] = idle_while_queued(trace, window, number, cpu)
        rows[number] = row
    return rows


def idle_while_queued(trace, window, number, cpu):
    """Return how long a CPU was idle while a thread waited in the queue of another one."""
    changes = []    # (time, change of idle, change of waiting)
    for mode, begin, end in cpu.spans:
        if mode == "idle":
            changes += [(begin, 1, 0), (end, -1, 0)]
    for thread in trace.threads:
        for begin, end, queue in thread.waits:
            if queue not in (None, number):     # None: unknown until process_wakeup shows it
                changes += [(begin, 0, 1), (end, 0, -1)]
    total = idle = waiting = since = 0
    for time, more_idle, more_waiting in sorted(changes):
        if idle and waiting:
            total += window.cut(since, time)
        idle, waiting, since = idle + more_idle, waiting + more_waiting, time
    return total


class Comparison:
    def __init__(self):
        self.compared = 0
        self.differences = 0

    def differ(self, what, mine, lkstla):
        self.differences += 1
        print("%s: %s here, %s in lkstla" % (what, mine, lkstla))

    def equal(self, what, mine, lkstla):
        self.compared += 1
        if mine != lkstla:
            self.differ(what, mine, lkstla)

    def row(self, what, mine, lkstla):
        for key in mine:
            if key in ("p50_ns", "p99_ns") and mine[key] is not None and lkstla[key] is not None:
                self.compared += 1
                # lkstla rounds a percentile up to the end of an interval of its histogram.
                if not mine[key] <= lkstla[key] <= mine[key] * 1.016 + 1:
                    self.differ(what + " " + key, mine[key], lkstla[key])
            elif key == "behind":
                self.compared += 1
                tid = tid_of(lkstla[key]) if lkstla[key] else None
                if tid not in {value or None for value in mine[key]}:
                    self.differ(what + " " + key, mine[key], lkstla[key])
            elif key == "at_ns":
                self.compared += 1
                if (lkstla[key] is not None if not mine[key] else lkstla[key] not in mine[key]):
                    self.differ(what + " " + key, mine[key], lkstla[key])
            else:
                self.equal(what + " " + key, mine[key], lkstla[key])

    def rows(self, what, mine, lkstla):
        for key in sorted(set(mine) | set(lkstla), key=str):
            if key not in lkstla or key not in mine:
                self.differ("%s %s" % (what, key), mine.get(key, "no row"),
                            lkstla.get(key, "no row"))
            else:
                self.row("%s %s" % (what, key), mine[key], lkstla[key])


def main():
    path, options = sys.argv[1], sys.argv[2:]
    lines = command("lkstbuf", "print", "-f", path, "-r", "--json").decode().splitlines()
    summary = command("lkstbuf", "print", "-f", path, "--summary").decode()
    events = [json.loads(line) for line in lines]
    report = {name: json.loads(command("lkstla", name, "--json", "-f", path, *options))
              for name in ("sched", "syscall", "irq", "cpu")}
    window = Window(report["cpu"]["window"]["begin_ns"], report["cpu"]["window"]["end_ns"])
    trace = Trace(events, "\nselected" in summary, window.end)
    check = Comparison()
    if options == ["--any"]:
        check.equal("begin of the window", events[0]["time_ns"], window.begin)
        check.equal("end of the window", events[-1]["time_ns"], window.end)

    mine = sched(trace, window)
    theirs = collections.defaultdict(list)
    for row in report["sched"]["sched"]:
        theirs[int(row["thread"].rpartition("-")[2])].append(row)
    for tid in sorted(set(mine) | set(theirs)):
        def order(row):
            return row["run_ns"], row["wait_ns"]
        if len(mine[tid]) != len(theirs[tid]):
            check.differ("sched %d" % tid, mine[tid], theirs[tid])
        for one, other in zip(sorted(mine[tid], key=order), sorted(theirs[tid], key=order)):
            check.row("sched %d" % tid, one, other)

    check.rows("syscall", syscalls(trace, window),
               {row["call"]: row for row in report["syscall"]["calls"]})

    theirs = {("irq", row["number"], row["name"]): row for row in report["irq"]["irq"]}
    mine = irqs(trace, window)
    check.rows("irq", {k: v for k, v in mine.items() if k[0] == "irq"}, theirs)
    check.rows("softirq", {k[2]: v for k, v in mine.items() if k[0] == "softirq"},
               {row["name"]: row for row in report["irq"]["softirq"]})

    for number, row in cpus(trace, window).items():
        theirs = next(r for r in report["cpu"]["cpus"] if r["cpu"] == number)
        length = window.end - window.begin
        theirs["thread"] += theirs["user"] + theirs["kernel"]
        for mode in ("thread", "irq", "softirq", "idle"):
            theirs[mode] = round(theirs[mode] * length)
        check.row("cpu %d" % number, row, theirs)

    print("%d numbers compared, %d differ" % (check.compared, check.differences))
    return check.differences > 0


if __name__ == "__main__":
    sys.exit(main())
