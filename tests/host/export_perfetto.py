#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare what lkstbuf export writes for Perfetto with what lkstbuf print shows.

export_perfetto.py PROTO TRACE [OPTION...]: run "lkstbuf export --format perfetto" and "lkstbuf
print --json" with the options, decode the output with protoc, and compare each event: its CPU,
time, thread, name and arguments. Prints what differs, and the number of events.

export_perfetto.py --count PROTO TRACE [OPTION...]: only count the events of each thread on each
CPU, for a trace with events that no kernel records.

export_perfetto.py --cut PROTO TRACE [OPTION...]: the end of the file must be missing: each command
says so with status 1.
"""
import collections
import errno
import json
import re
import signal
import subprocess
import sys
import tempfile

SHOWN = 10          # differences to print
GENERIC = 65536     # first field of FtraceEvent that Perfetto does not define
REALTIME, BOOTTIME = 1, 6
STATES = {letter: 1 << bit for bit, letter in enumerate("SDTtXZPI")}
STATES["R"] = 0

problems = []


def problem(text):
    problems.append(text)


def command(*words, status=0, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, **more)
    if done.returncode != status:
        problem("%s: status %d instead of %d" % (" ".join(words[:2]), done.returncode, status))
    return done.stdout


# --- the text format of protoc

ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}


def unescape(match):
    code = match.group(1)
    return bytes([int(code, 8)]) if len(code) == 3 else ESCAPED.get(code, code)


def value_of(text):
    if text.startswith(b'"'):
        return ESCAPE.sub(unescape, text[1:-1]).decode()
    if text in (b"true", b"false"):
        return text == b"true"
    return int(text, 0)


def parse(lines):
    """Return a message as a list of (name, value)."""
    message = []
    for line in lines:
        line = line.strip()
        if line == b"}":
            return message
        if line.endswith(b" {"):
            message.append((line[:-2].decode(), parse(lines)))
        else:
            name, _, value = line.partition(b": ")
            message.append((name.decode(), value_of(value)))
    return message


def one(message, name, default=None):
    return next((value for key, value in message if key == name), default)


def every(message, name):
    return [value for key, value in message if key == name]


def decode(proto, data):
    path, _, name = proto.rpartition("/")
    text = command("protoc", "--proto_path=" + path, "--decode=pf.Trace", name, input=data)
    return parse(iter(text.splitlines()))


# --- messages that the trace describes

def descriptions(trace):
    found = {}
    for packet in every(trace, "packet"):
        for bundle in every(packet, "ftrace_events"):
            for generic in every(bundle, "generic_event_descriptors"):
                number = one(generic, "field_id")
                if number in found:
                    problem("two descriptions of field %d" % number)
                found[number] = one(generic, "event_descriptor")
    return found


def extend(proto, described, to):
    """Write a .proto file that also has the messages that the trace describes."""
    types = {3: "int64", 4: "uint64", 6: "fixed64", 9: "string"}
    text = open(proto, encoding="utf-8").read()
    fields, messages = "", ""
    for number, event in described.items():
        fields += "\t\tGeneric%d generic_%d = %d;\n" % (number, number, number)
        messages += "message Generic%d {\n" % number
        for field in every(event, "field"):
            # A hostile trace can have any names.
            number = one(field, "number")
            messages += "\toptional %s f%d = %d;\n" % (types[one(field, "type")], number, number)
        messages += "}\n"
    text = text.replace("\toneof event {\n", "\toneof event {\n" + fields) + messages
    with open(to, "w", encoding="utf-8") as file:
        file.write(text)


# --- the events of the export

class Exported:
    def __init__(self, trace, described):
        self.events = collections.Counter()  # (cpu, time, tid, name, values)
        self.functions = {}
        self.named = set()      # threads that have a name
        self.lost_bundles = collections.Counter()
        self.marks = collections.Counter()
        self.tracks = {}
        self.described = described
        self.snapshots = []     # (time, offset to the wall clock)
        self.bundles = collections.defaultdict(list)
        self.switches = collections.defaultdict(list)
        self.wakings = collections.defaultdict(list)
        self.slices = collections.defaultdict(list)     # of each track: (begin, end, name, values)
        for packet in every(trace, "packet"):
            self.take(packet)
        for cpu, bundles in self.bundles.items():
            for bundle in bundles:
                self.take_bundle(cpu, bundle)
        self.take_compact()

    def take(self, packet):
        for snapshot in every(packet, "clock_snapshot"):
            clocks = {one(c, "clock_id"): one(c, "timestamp") for c in every(snapshot, "clocks")}
            self.snapshots.append((clocks[BOOTTIME], clocks[REALTIME] - clocks[BOOTTIME]))
        for interned in every(packet, "interned_data"):
            for symbol in every(interned, "kernel_symbols"):
                self.functions[one(symbol, "iid")] = one(symbol, "str")
        for tree in every(packet, "process_tree"):
            for thread in every(tree, "threads"):
                if one(thread, "name"):
                    self.named.add(one(thread, "tid"))
        for track in every(packet, "track_descriptor"):
            self.tracks[one(track, "uuid")] = track
        for event in every(packet, "track_event"):
            self.take_track_event(packet, event)
        for bundle in every(packet, "ftrace_events"):
            self.bundles[one(bundle, "cpu")].append(bundle)

    def wall(self, time):
        """Convert a time to the wall clock, with the latest snapshot of the clocks."""
        offset = self.snapshots[0][1]
        for begin, value in self.snapshots:
            if begin <= time:
                offset = value
        return time + offset

    def take_track_event(self, packet, event):
        track = self.tracks[one(event, "track_uuid")]
        kind, time = one(event, "type"), self.wall(one(packet, "timestamp"))
        thread = one(track, "thread")
        values = {one(note, "name"): one(note, "int_value")
                  for note in every(event, "debug_annotations")}
        slices = self.slices[one(event, "track_uuid")]
        if thread:
            self.marks[time, one(thread, "tid"), one(event, "name")] += 1
        elif kind == 1:
            if slices and slices[-1][1] is None:
                problem("%s: two slices overlap" % one(track, "name"))
            slices.append([time, None, one(event, "name"), values])
        elif not slices or slices[-1][1] is not None:
            problem("%s: a slice ends that has not begun" % one(track, "name"))
        else:
            if time < slices[-1][0]:
                problem("%s: a slice ends before it begins" % one(track, "name"))
            slices[-1][1] = time
            slices[-1][3].update(values)

    def of_tracks(self, prefix):
        """Return the slices of the tracks whose names begin with this text."""
        return collections.Counter(
            (one(self.tracks[track], "name"), begin, end, name, frozenset(values.items()))
            for track, slices in self.slices.items() for begin, end, name, values in slices
            if (one(self.tracks[track], "name") or "").startswith(prefix))

    def add(self, cpu, time, tid, name, values, names=True):
        if "comm" in values and names:
            self.named.add(values.get("pid"))
        for side in ("prev", "next"):
            if side + "_comm" in values:
                self.named.add(values[side + "_pid"])
        self.events[cpu, self.wall(time), tid, name, frozenset(values.items())] += 1

    def take_bundle(self, cpu, bundle):
        self.lost_bundles[cpu] += one(bundle, "lost_events", False)
        for event in every(bundle, "event"):
            (_, time), (_, tid), (name, message) = event
            values = {}
            if name.startswith("generic_"):
                generic_event = self.described[int(name[8:])]
                labels = {one(field, "number"): one(field, "name")
                          for field in every(generic_event, "field")}
                message = [(labels[int(key[1:])], value) for key, value in message]
                name = "generic " + one(generic_event, "name")
            for key, value in message:
                if key == "args":
                    key += str(sum(k.startswith("args") for k in values))
                if key == "function" and not name.startswith("generic ") and \
                        value in self.functions:
                    value = self.functions[value]
                values[key] = value
            if name == "sched_switch":
                self.switches[cpu].append((time, values))
            self.add(cpu, time, tid, name, values)
        compact = one(bundle, "compact_sched")
        if compact:
            self.unpack(cpu, compact)

    def unpack(self, cpu, compact):
        names = every(compact, "intern_table")
        if len(set(names)) != len(names):
            problem("CPU %d: a name is twice in a table" % cpu)
        for prefix, keep in (("switch", self.switches), ("waking", None)):
            columns = [every(compact, prefix + "_" + column) for column in {
                "switch": ("timestamp", "next_pid", "next_prio", "next_comm_index", "prev_state"),
                "waking": ("timestamp", "pid", "prio", "comm_index", "target_cpu", "common_flags"),
            }[prefix]]
            time = 0
            if len({len(column) for column in columns}) != 1:
                problem("CPU %d: the lists of a bundle differ in length" % cpu)
            for delta, pid, prio, comm, *rest in zip(*columns):
                if delta >= 1 << 63:
                    problem("CPU %d: times descend" % cpu)
                time += delta
                if keep is not None:
                    keep[cpu].append((time, {"next_pid": pid, "next_prio": prio,
                                             "next_comm": names[comm],
                                             "prev_state": rest[0]}))
                else:
                    self.wakings[cpu].append((time, {"pid": pid, "prio": prio, "comm": names[comm],
                                                     "target_cpu": rest[0]}))

    def take_compact(self):
        """Sort the events by time, to add what the compact forms leave out, as Perfetto does."""
        for cpu, switches in self.switches.items():
            switches.sort(key=lambda switch: switch[0])
            times, running = [], []
            for time, values in switches:
                if "prev_pid" not in values:
                    if not running:
                        problem("CPU %d: the first switch is in the compact form" % cpu)
                        continue
                    self.add(cpu, time, running[-1], "sched_switch",
                             dict(values, prev_pid=running[-1]))
                times.append(time)
                running.append(values["next_pid"])
            self.take_wakings(cpu, times, running)
        for cpu in set(self.wakings) - set(self.switches):
            problem("CPU %d: wake-ups in the compact form, but no switches" % cpu)

    def take_wakings(self, cpu, times, running):
        at = 0
        for time, values in sorted(self.wakings[cpu], key=lambda waking: waking[0]):
            while at < len(times) and times[at] <= time:
                at += 1
            if not at:
                problem("CPU %d: a wake-up in the compact form before the first switch" % cpu)
            else:
                # Perfetto does not use the name of the thread in this form.
                self.add(cpu, time, running[at - 1], "sched_waking", values, names=False)


# --- the events, as lkstbuf print shows them

def high(value):
    return value >> 32


def low(value):
    return value & 0xffffffff


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def low_signed(value):
    return signed(value, 32)


def thread_of(text):
    """Return the number and the name of "name-number"."""
    if text == "?":
        return -1, None
    if text.startswith("<"):
        return int(text[1:-1]), None
    name, _, number = text.rpartition("-")
    return int(number), name


def with_name(values, key, text):
    name = thread_of(text)[1]
    if name is not None:
        values[key] = name
    return values


def signal_of(text):
    return int(text) if str(text).isdigit() else int(getattr(signal, text)) \
        if hasattr(signal, str(text)) else None


def state_of(text):
    return STATES.get(text[0], 0) | (0x100 if text.endswith("+") else 0)


def wakeup(event, fields, arg):
    values = {"pid": thread_of(fields["thread"])[0], "prio": fields["prio"]}
    values["target_cpu"] = fields["target_cpu"] if "target_cpu" in fields else fields["cpu"]
    name = "sched_waking" if "cpu" in fields else "sched_wakeup" + ("_new" if fields["new"] else "")
    return name, with_name(values, "comm", fields["thread"])


def switch(event, fields, arg):
    values = {"prev_pid": thread_of(fields["prev"])[0],
              "prev_state": state_of(fields["prev_state"]),
              "next_pid": thread_of(fields["next"])[0], "next_prio": fields["next_prio"]}
    with_name(values, "prev_comm", fields["prev"])
    return "sched_switch", with_name(values, "next_comm", fields["next"])


def sigsend(event, fields, arg):
    values = {"sig": low_signed(high(arg[0])), "code": fields["code"], "group": fields["group"],
              "pid": thread_of(fields["target"])[0], "result": fields["result"]}
    if signal_of(fields["signal"]) not in (None, high(arg[0])):
        problem("signal %s is not %d" % (fields["signal"], high(arg[0])))
    return "signal_generate", with_name(values, "comm", fields["target"])


def exit_of(event, fields, arg):
    values = {"pid": thread_of(fields["thread"])[0], "prio": fields["prio"], "tgid": event["pid"],
              "status": fields["status"]}
    return "sched_process_exit", with_name(values, "comm", fields["thread"])


def fork(event, fields, arg):
    values = {"pid": thread_of(fields["child"])[0], "tgid": fields["tgid"], "clone_flags": arg[1]}
    return "task_newtask", with_name(values, "comm", fields["child"])


def migrate(event, fields, arg):
    values = {"pid": thread_of(fields["thread"])[0], "orig_cpu": fields["from"],
              "dest_cpu": fields["to"]}
    return "sched_migrate_task", with_name(values, "comm", fields["thread"])


def call_entry(event, fields, arg):
    if "abi" in fields:
        return None
    return "sys_enter", {"id": low_signed(high(arg[0])), "args0": arg[1], "args1": arg[2],
                         "args2": arg[3]}


def call_exit(event, fields, arg):
    if "abi" in fields:
        return None
    return "sys_exit", {"id": low_signed(high(arg[0])), "ret": signed(arg[1], 64)}


def block(event, fields, arg):
    values = {"dev": arg[0], "sector": fields["sector"], "nr_sector": fields["bytes"] // 512,
              "bytes": fields["bytes"], "rwbs": str(fields["operation"])}
    if "error" not in fields:
        return "block_rq_issue", values | {"queue_ns": fields["queue_ns"]}
    values["error"] = low_signed(arg[3])
    return "block_rq_complete", values


NATIVE = {
    "process_contextswitch": switch,
    "process_wakeup": wakeup,
    "process_waking": wakeup,
    "process_sigsend": sigsend,
    "process_sigrecv": lambda e, f, a: ("signal_deliver", {
        "sig": low_signed(high(a[0])), "code": f["code"], "sa_flags": a[2], "handler": a[1]}),
    "process_fork": fork,
    "process_rename": lambda e, f, a: ("task_rename", {
        "pid": thread_of(f["thread"])[0], "newcomm": f["name"]}),
    "process_exec": lambda e, f, a: ("sched_process_exec", {
        "pid": thread_of(f["thread"])[0], "old_pid": f["old"], "filename": f["path"]}),
    "process_exit": exit_of,
    "process_migrate": migrate,
    "int_hardware_entry": lambda e, f, a: ("irq_handler_entry", {
        "irq": f["irq"], "name": f["name"]}),
    "int_hardware_exit": lambda e, f, a: ("irq_handler_exit", {
        "irq": f["irq"], "ret": f["handled"]}),
    "int_ipi_entry": lambda e, f, a: ("irq_handler_entry", {
        "irq": a[0], "name": "IPI %s" % f["vector"]}),
    "int_ipi_exit": lambda e, f, a: ("irq_handler_exit", {"irq": a[0], "ret": 1}),
    "int_timer_entry": lambda e, f, a: (
        "local_timer_entry", {"vector": a[0], "ip": a[1]} if "ip" in f else {"vector": a[0]}),
    "int_timer_exit": lambda e, f, a: ("local_timer_exit", {"vector": a[0]}),
    "int_softirq_entry": lambda e, f, a: ("softirq_entry", {"vec": a[0]}),
    "int_softirq_exit": lambda e, f, a: ("softirq_exit", {"vec": a[0]}),
    "int_softirq_raise": lambda e, f, a: ("softirq_raise", {"vec": a[0]}),
    "system_call_entry": call_entry,
    "system_call_exit": call_exit,
    "mem_reclaim_entry": lambda e, f, a: ("mm_vmscan_direct_reclaim_begin", {
        "order": f["order"], "gfp_flags": a[1]}),
    "mem_reclaim_exit": lambda e, f, a: ("mm_vmscan_direct_reclaim_end", {
        "nr_reclaimed": f["reclaimed"]}),
    "mem_oomkill": lambda e, f, a: ("mark_victim", {"pid": thread_of(f["thread"])[0]}),
    "net_pktrecv": lambda e, f, a: ("netif_receive_skb", {
        "len": f["length"], "name": f["device"], "skbaddr": a[0], "protocol": f["protocol"]}),
    "net_pktsend": lambda e, f, a: ("net_dev_xmit", {
        "len": f["length"], "name": f["device"], "rc": f["result"], "skbaddr": a[0]}),
    "net_sockstate": lambda e, f, a: ("inet_sock_set_state", {
        "skaddr": a[0], "oldstate": low_signed(high(a[1])), "newstate": low_signed(a[1]),
        "sport": f["sport"], "dport": f["dport"], "family": high(a[3]), "protocol": low(a[3])}),
    "net_drop": lambda e, f, a: ("kfree_skb", {
        "skbaddr": a[0], "location": a[1], "protocol": high(a[2]), "reason": str(f["reason"])}),
    "timer_hr_run_entry": lambda e, f, a: ("hrtimer_expire_entry", {
        "hrtimer": a[0], "function": f["function"], "expires_ns": f["expires_ns"]}),
    "timer_hr_run_exit": lambda e, f, a: ("hrtimer_expire_exit", {
        "hrtimer": a[0], "function": f["function"]}),
    "work_entry": lambda e, f, a: ("workqueue_execute_start", {
        "work": a[0], "function": f["function"]}),
    "work_exit": lambda e, f, a: ("workqueue_execute_end", {
        "work": a[0], "function": f["function"]}),
    "block_issue": block,
    "block_complete": block,
    "cpu_frequency": lambda e, f, a: ("cpu_frequency", {"state": f["khz"], "cpu_id": f["cpu"]}),
    "cpu_idle_entry": lambda e, f, a: ("cpu_idle", {"state": f["state"], "cpu_id": e["cpu"]}),
    "cpu_idle_exit": lambda e, f, a: ("cpu_idle", {"state": 0xffffffff, "cpu_id": e["cpu"]}),
    "cpu_suspend": lambda e, f, a: ("suspend_resume", {
        "action": f["action"], "val": f["value"], "start": f["start"]}),
}


def number_of(value):
    """Return the number that lkstbuf print shows as a text."""
    if isinstance(value, int):
        return value
    if value.startswith("-E"):
        return -getattr(errno, value[1:])
    if value == "failed":
        return -1
    return int(value, 16) if value.startswith("0x") else thread_of(value)[0]


def generic(event, described):
    name, fields = event["event_name"], event.get("fields")
    if fields is None:
        name = name or "event_0x%03x" % event["event_type"]
        return "generic " + name, {
            "arg%d" % (i + 1): value for i, value in enumerate(event["arg"])}
    if name == "oops_regs":
        return "generic " + name, {
            "r%d" % (i + 1): "%s=%s" % pair for i, pair in enumerate(fields.items())}
    types = {one(field, "name"): one(field, "type")
             for message in described.values() if one(message, "name") == name
             for field in every(message, "field")}
    values = {}
    for key, value in fields.items():
        if key not in types:
            if not key.endswith("_name"):   # lkstbuf print adds the names of files and interrupts
                problem("%s: no description of %s" % (name, key))
            continue
        if types[key] == 9:
            if isinstance(value, list):
                value = "<-".join(value) or "-"
            value = "none" if value is None else str(value)
        else:
            value = number_of(value)
            value = signed(value, 64) if types[key] == 3 else value & (1 << 64) - 1
        values[key] = value
    return "generic " + name, values


class Widths:
    """Return the sizes of the fields in the messages that Perfetto defines."""

    def __init__(self, proto):
        text = open(proto, encoding="utf-8").read()
        messages = {name: {field: kind for kind, field in
                           re.findall(r"optional (\S+) (\w+) =", body)}
                    for name, body in re.findall(r"^message (\w+) \{(.*?)^\}", text, re.M | re.S)}
        events = re.search(r"oneof event \{(.*?)\}", text, re.S).group(1)
        self.of = {field: messages[kind] for kind, field in re.findall(r"(\w+) (\w+) =", events)}

    def cut(self, name, values):
        types = self.of.get(name, {})
        for key, value in values.items():
            if types.get(key) == "int32" and isinstance(value, int):
                values[key] = signed(value, 32)
            elif types.get(key) == "uint32" and isinstance(value, int):
                values[key] = low(value)
        return name, values


def shown(event, described, widths):
    convert = NATIVE.get(event["event_name"])
    result = convert(event, event["fields"], event["arg"]) if convert else None
    return widths.cut(*result) if result else generic(event, described)


def losses_of(events):
    """Return the losses that follow from gaps in the recids."""
    last, losses = {}, []
    for event in events:
        if event["buffer"] is None:
            continue
        cpu, recid = event["cpu"], event["recid"]
        before = last.get(cpu)
        if before and recid > before[0] + 1 + event.get("parts_before", 0):
            losses.append((cpu, before[1], event["time_ns"],
                           recid - before[0] - 1 - event.get("parts_before", 0)))
        last[cpu] = (recid, event["time_ns"])
    return losses


# The compact form of a switch does not contain the name of the previous thread, and wake-ups only
# contain the name of a thread that has not been named before.
OPTIONAL = {"sched_switch": ["prev_comm"], "sched_wakeup": ["comm"], "sched_wakeup_new": ["comm"]}


def compare(events, exported, described, widths):
    wanted = collections.Counter()
    for event in events:
        name, values = shown(event, described, widths)
        for key in OPTIONAL.get(name, ()):
            values.pop(key, None)
        wanted[event["cpu"], event["time_ns"], event["thread"], name,
               frozenset(values.items())] += 1
    found = collections.Counter()
    for (cpu, time, tid, name, values), times in exported.events.items():
        values = frozenset((k, v) for k, v in values if k not in OPTIONAL.get(name, ()))
        found[cpu, time, tid, name, values] += times
    for what, some in (("not exported", wanted - found), ("exported, but not recorded",
                                                          found - wanted)):
        for cpu, time, tid, name, values in sorted(some, key=lambda key: key[:4])[:SHOWN]:
            problem("%s: CPU %d, %d, thread %d: %s %s" % (what, cpu, time, tid, name,
                                                          dict(values)))


def compare_marks(events, exported):
    def mark(event):
        name = event["event_name"] or ""
        if name.startswith("user_events"):
            return name.split(":", 1)[1]
        return {"user_text": lambda: event["fields"]["text"],
                "user_mark": lambda: "mark 0x%x" % event["arg"][0]}.get(name, lambda: None)()

    marks = ((event["time_ns"], event["thread"], mark(event)) for event in events)
    wanted = collections.Counter(found for found in marks if found[2] is not None)
    if wanted != exported.marks:
        problem("marks: %s instead of %s" % (exported.marks, wanted))


def compare_slices(what, found, wanted):
    if found != wanted:
        problem("%s: %s instead of %s" % (what, list((found - wanted).items())[:3],
                                          list((wanted - found).items())[:3]))


def disk_slices(events):
    """Return the requests to disks: from the issue to the last part of the completion."""
    pending, slices = [], collections.Counter()
    losses = {(cpu, end): begin for cpu, begin, end, _ in losses_of(events)}

    def finish(request, time, more):
        slices[request["track"], request["begin"], time, request["name"],
               frozenset((request["values"] | more).items())] += 1

    for event in events:
        lost = losses.get((event["cpu"], event["time_ns"]))
        if lost is not None:
            for request in pending:
                finish(request, max(lost, request["begin"]), {"end unknown": 1})
            pending = []
        if event["event_name"] not in ("block_issue", "block_complete"):
            continue
        fields, arg = event["fields"], event["arg"]
        key = (arg[0], low(arg[2]), fields["sector"])
        found = next((request for request in pending if request["key"] == key), None)
        if event["event_name"] == "block_issue" and not found:
            name = str(fields["operation"])
            if fields["bytes"]:
                name += " %d KB" % ((fields["bytes"] + 1023) // 1024)
            values = {"sector": fields["sector"], "bytes": fields["bytes"]}
            # If the time in the queue is unknown, the slice does not show it.
            if 0 < fields["queue_ns"] < 1 << 63:
                values["queue_ns"] = fields["queue_ns"]
            pending.append({"key": key, "track": "disk %s" % fields["device"],
                            "begin": event["time_ns"], "name": name, "left": fields["bytes"],
                            "values": values})
        elif event["event_name"] == "block_complete" and found:
            if fields["bytes"] < found["left"]:
                found["left"] -= fields["bytes"]
                found["key"] = key[:2] + (fields["sector"] + fields["bytes"] // 512,)
            else:
                pending.remove(found)
                finish(found, event["time_ns"], {"error": signed(arg[3], 64)})
    for request in pending:
        finish(request, None, {})
    return slices


def ends_of(events):
    """Return the losses at the end of a truncated file.

    Each CPU has one, except the CPU with the newest event.
    """
    last = {event["cpu"]: event["time_ns"] for event in events if event["buffer"] is not None}
    return [(cpu, time, max(last.values())) for cpu, time in last.items()
            if time < max(last.values())]


def compare_losses(events, exported, cut):
    wanted = collections.Counter(
        ("lost events, CPU %d" % cpu, begin, max(begin, end), "%d events lost" % number, frozenset())
        for cpu, begin, end, number in losses_of(events))
    if cut:
        wanted.update(("lost events, CPU %d" % cpu, begin, end, "the last events may be missing",
                       frozenset()) for cpu, begin, end in ends_of(events))
        if not ends_of(events):
            problem("all CPUs end at the same time")
    compare_slices("losses", exported.of_tracks("lost events"), wanted)
    count = collections.Counter(cpu for cpu, _, _, _ in losses_of(events))
    if +exported.lost_bundles != count:
        problem("bundles after losses: %s instead of %s" % (exported.lost_bundles, count))


def breaks(switches):
    """Return the switches whose previous thread is not the next thread of the switch before."""
    running, found = {}, []
    for cpu, time, prev, following in switches:
        if running.get(cpu, prev) != prev:
            found.append((cpu, time, prev))
        running[cpu] = following
    return found


def check_switches(events, exported):
    """Check that successive switches match, except where the records do not match either."""
    wanted = breaks((event["cpu"], event["time_ns"], thread_of(event["fields"]["prev"])[0],
                     thread_of(event["fields"]["next"])[0])
                    for event in events if event["event_name"] == "process_contextswitch")
    found = breaks((cpu, time, values["prev_pid"], values["next_pid"])
                   for (cpu, time, _, name, values) in sorted(
                       (key[:4] + (dict(key[4]),) for key in exported.events
                        if key[3] == "sched_switch"), key=lambda key: key[:2]))
    if sorted(wanted) != sorted(found):
        problem("switches that do not match the one before: %s instead of %s" % (found[:3],
                                                                                 wanted[:3]))


def check_names(events, exported):
    for event in events:
        if event["event_name"] in ("process_waking", "process_wakeup"):
            tid, name = thread_of(event["fields"]["thread"])
            if name and tid not in exported.named:
                problem("thread %d (%s), which is woken up, has no name" % (tid, name))
        if event["thread"] and event["name"] and event["thread"] not in exported.named:
            problem("thread %d (%s) has no name" % (event["thread"], event["name"]))
            exported.named.add(event["thread"])


def is_selected(trace):
    """Return whether the trace has only selected events. Then recids do not show losses."""
    done = subprocess.run(("lkstbuf", "print", "-f", trace, "--summary", "--json"),
                          stdout=subprocess.PIPE)
    return "selected" in json.loads(done.stdout)


def compare_counts(events, exported):
    wanted = collections.Counter((event["cpu"], event["thread"]) for event in events)
    found = collections.Counter()
    for (cpu, _, tid, _, _), times in exported.events.items():
        found[cpu, tid] += times
    if wanted != found:
        problem("events: %s instead of %s" % (list(found - wanted)[:SHOWN],
                                              list(wanted - found)[:SHOWN]))


def main(*words):
    count, cut = words[0] == "--count", words[0] == "--cut"
    proto, trace, *options = words[count or cut:]
    whole = not options and not is_selected(trace)
    with tempfile.TemporaryDirectory() as work:
        output = work + "/trace.pftrace"
        command("lkstbuf", "export", "--format", "perfetto", "-f", trace, "-o", output, *options,
                status=int(cut))
        data = open(output, "rb").read()
        lines = command("lkstbuf", "print", "-f", trace, "-r", "--json", *options,
                        status=int(cut)).splitlines()
        events = [json.loads(line) for line in lines]
        described = descriptions(decode(proto, data))
        extended = work + "/extended.proto"
        extend(proto, described, extended)
        exported = Exported(decode(extended, data), described)
    if count:
        compare_counts(events, exported)
    else:
        compare(events, exported, described, Widths(proto))
        compare_marks(events, exported)
        check_names(events, exported)
        if not is_selected(trace):
            compare_slices("disks", exported.of_tracks("disk "), disk_slices(events))
    if whole and not count:
        compare_losses(events, exported, cut)
        check_switches(events, exported)
    for text in problems[:SHOWN]:
        print(text)
    print("%d events, %d problems, %.1f bytes per event" % (
        len(events), len(problems), len(data) / max(1, len(events))))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
