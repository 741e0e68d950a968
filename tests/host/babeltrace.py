#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares what Babeltrace 2 reads with what lkstbuf prints.

usage: babeltrace.py compare EVENTS INPUT...      INPUT: trace files, a memory image, or a CTF trace
       babeltrace.py viewer DIRECTORY             check that Trace Compass can show this CTF trace
       babeltrace.py again INPUT...               check that an iterator can return to the beginning

EVENTS is the output of "lkstbuf print --json -r". Each event must have the same time, CPU, name,
thread and arguments, and each gap in the recids must be one message about discarded events. Prints
the number of events and of discarded events, or the first difference.
"""

import json
import os
import re
import sys

import bt2

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

FLAGS = {"hardirq": 0x100, "softirq": 0x200, "nmi": 0x400, "preempt_off": 0x800,
         "need_resched": 0x1000}

# For each event of LKST, the name of the same event in LTTng's kernel tracer, and a map from LKST's
# labels of its fields to LTTng's names of these fields. Events and fields that are not listed have
# the same names as in LKST.
NAMES = {
    "process_contextswitch": ("sched_switch", {
        "prev": "prev_tid", "next": "next_tid", "prev_name": "prev_comm", "next_name": "next_comm"}),
    "process_sigsend": ("signal_generate", {"signal": "sig", "target": "pid", "name": "comm"}),
    "process_sigrecv": ("signal_deliver", {"signal": "sig", "handler": "sa_handler"}),
    "process_fork": ("sched_process_fork", {
        "child": "child_tid", "tgid": "child_pid", "name": "child_comm"}),
    "process_exec": ("sched_process_exec", {"thread": "tid", "old": "old_tid", "path": "filename"}),
    "process_exit": ("sched_process_exit", {"thread": "tid", "name": "comm"}),
    "process_migrate": ("sched_migrate_task", {
        "thread": "tid", "from": "orig_cpu", "to": "dest_cpu"}),
    "process_state": ("lttng_statedump_process_state", {
        "thread": "tid", "tgid": "pid", "parent": "ppid"}),
    "process_wakeup": ("sched_wakeup", {"thread": "tid", "name": "comm"}),
    "process_waking": ("sched_waking", {"thread": "tid", "name": "comm", "cpu": "target_cpu"}),
    "int_hardware_entry": ("irq_handler_entry", {}),
    "int_hardware_exit": ("irq_handler_exit", {"handled": "ret"}),
    "int_softirq_entry": ("irq_softirq_entry", {"vector": "vec"}),
    "int_softirq_exit": ("irq_softirq_exit", {"vector": "vec"}),
    "int_softirq_raise": ("irq_softirq_raise", {"vector": "vec"}),
    "int_timer_entry": ("x86_irq_vectors_local_timer_entry", {}),
    "int_timer_exit": ("x86_irq_vectors_local_timer_exit", {}),
    "int_ipi_entry": ("x86_irq_vectors_%s_entry", {}),
    "int_ipi_exit": ("x86_irq_vectors_%s_exit", {}),
    "exception_pgfault": ("x86_exceptions_page_fault_%s", {}),
    "system_call_entry": ("syscall_entry_%s", {}),
    "system_call_exit": ("syscall_exit_%s", {"result": "ret"}),
    "mem_kmalloc": ("kmem_kmalloc", {
        "caller": "call_site", "object": "ptr", "requested": "bytes_req",
        "allocated": "bytes_alloc", "gfp": "gfp_flags"}),
    "mem_kfree": ("kmem_kfree", {"caller": "call_site", "object": "ptr"}),
    "mem_cachealloc": ("kmem_cache_alloc", {
        "caller": "call_site", "object": "ptr", "size": "bytes_req", "gfp": "gfp_flags"}),
    "mem_cachefree": ("kmem_cache_free", {
        "caller": "call_site", "object": "ptr", "cache": "name"}),
    "mem_pagealloc": ("kmem_mm_page_alloc", {"gfp": "gfp_flags"}),
    "mem_pagefree": ("kmem_mm_page_free", {}),
    "mem_reclaim_entry": ("mm_vmscan_direct_reclaim_begin", {"gfp": "gfp_flags"}),
    "mem_reclaim_exit": ("mm_vmscan_direct_reclaim_end", {"reclaimed": "nr_reclaimed"}),
    "mem_kswapd_wake": ("mm_vmscan_kswapd_wake", {"node": "nid"}),
    "net_pktsend": ("net_dev_xmit", {
        "skb": "skbaddr", "length": "len", "result": "rc", "device": "name"}),
    "net_pktsendq": ("net_dev_queue", {"skb": "skbaddr", "length": "len", "device": "name"}),
    "net_pktrecv": ("net_if_receive_skb", {"skb": "skbaddr", "length": "len", "device": "name"}),
    "net_pktrecvq": ("net_if_rx", {"skb": "skbaddr", "length": "len", "device": "name"}),
    "net_drop": ("skb_kfree", {"skb": "skbaddr"}),
    "timer_add": ("timer_start", {}),
    "timer_del": ("timer_cancel", {}),
    "timer_run_entry": ("timer_expire_entry", {}),
    "timer_run_exit": ("timer_expire_exit", {}),
    "timer_hr_add": ("timer_hrtimer_start", {"timer": "hrtimer", "expires_ns": "expires"}),
    "timer_hr_del": ("timer_hrtimer_cancel", {"timer": "hrtimer"}),
    "timer_hr_run_entry": ("timer_hrtimer_expire_entry", {"timer": "hrtimer"}),
    "timer_hr_run_exit": ("timer_hrtimer_expire_exit", {"timer": "hrtimer"}),
    "block_issue": ("block_rq_issue", {"device": "dev"}),
    "block_complete": ("block_rq_complete", {"device": "dev"}),
    "cpu_idle_entry": ("power_cpu_idle", {}),
    "cpu_idle_exit": ("power_cpu_idle", {}),
    "cpu_frequency": ("power_cpu_frequency", {"khz": "state", "cpu": "cpu_id"}),
    "work_entry": ("workqueue_execute_start", {}),
    "work_exit": ("workqueue_execute_end", {}),
}
STATES = {"R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 64, "Z": 64, "P": 512, "I": 1026}
STATUS = {"R": 2, "Z": 4, "S": 5, "D": 5, "I": 5, "X": 7}
RWBS = {"READ": 4, "WRITE": 1, "FLUSH": 256, "DISCARD": 2, "SECURE_ERASE": 130}


class Different(Exception):
    pass


def arguments():
    """Return, for each event name, the fields of the table of event types: label, argument, part,
    format."""
    found = {}
    for path in "include/linux/lkst_etypes.h", "include/asm-x86/lkst_etypes.h":
        with open(os.path.join(TOP, path)) as file:
            text = file.read()
        for match in re.finditer(r"LKST_ETYPE_DEF\(0x\w+, (.*?)\)\n", text, re.S):
            strings = re.findall(r'"([^"]*)"', match.group(1))
            fields = found.setdefault(strings[0], [])
            for arg, described in enumerate(strings[1:]):
                halves = described.split(",") if described else []
                for half, field in enumerate(halves):
                    label, form = field.split(":")
                    part = None if len(halves) == 1 else half
                    if label not in [known[0] for known in fields]:
                        fields.append((label, arg, part, form))
    return found


# ---- what is expected, from a line of JSON


def value_of(event, arg, part):
    value = event["arg"][arg]
    return value if part is None else value >> 32 if part == 0 else value & 0xffffffff


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def thread_name(text):
    """Return the name in "NAME-TID", None if it is unknown."""
    return None if text.startswith("<") or text == "?" else text.rpartition("-")[0]


def comm_of(event):
    """Return the name of the event's thread."""
    return event["name"] or ("?" if event["thread"] == 0xffffffff else "<%d>" % event["thread"])


def name_of(event):
    """Return the name of the event in CTF, and the names of its fields."""
    name = event["event_name"]
    if name is None:
        return "unknown_0x%03x" % event["event_type"], {}
    ctf, labels = NAMES.get(name, (name, {}))
    fields = event.get("fields", {})
    if name.startswith("system_call_") and "%s" in ctf:
        call = fields["number"]
        ctf %= "unknown" if isinstance(call, int) else call
        if event["arg"][0] & 0xffffffff:
            ctf = "compat_" + ctf
    elif name == "exception_pgfault":
        ctf %= "user" if fields["user"] else "kernel"
    elif name.startswith("int_ipi_"):
        vector = str(fields["vector"]).lower()
        ctf %= "ipi" if vector == "x86_platform_ipi" or vector.isdigit() else vector
    elif name == "process_wakeup" and fields["new"]:
        ctf = "sched_wakeup_new"
    return ctf, labels


def expected_numbers(event, known, labels):
    """Return a map from the name of each field in CTF to the numbers that the field may have."""
    name, numbers = event["event_name"], {}
    for label, arg, part, form in known.get(name, []):
        value = value_of(event, arg, part)
        bits = 64 if part is None else 32
        ctf = labels.get(label, label)
        if form in ("text", "chain") or label not in event["fields"] and form != "abi":
            continue
        if isinstance(event["fields"].get(label), list):
            continue
        if form == "tid":
            numbers[ctf] = signed(value, 32)
        elif label in ("prio", "next_prio"):
            numbers[ctf] = signed(value, 32) - 100
        elif name == "process_contextswitch" and form == "state":
            numbers[ctf] = STATES.get(chr(value & 0xff), 256)
        elif name in ("cpu_idle_entry", "cpu_frequency") and ctf == "state":
            numbers[ctf] = value & 0xffffffff
        elif form in ("dec", "err", "cpu", "sig", "irq", "migrate"):
            numbers[ctf] = signed(value, bits)
        else:
            numbers[ctf] = value
    return numbers


def expected_extra(event):
    """Return the values of fields that only LTTng's events have."""
    name, fields = event["event_name"], event["fields"] if "fields" in event else {}
    if name in ("block_issue", "block_complete"):
        operation = event["arg"][2] & 0xffffffff
        by_number = {0: "READ", 1: "WRITE", 2: "FLUSH", 3: "DISCARD", 5: "SECURE_ERASE"}
        text = fields["operation"]
        text = text if isinstance(text, str) else by_number.get(operation)
        return {"nr_sector": fields["bytes"] // 512, "rwbs": RWBS.get(text, 0)}
    if name == "cpu_idle_entry":
        return {"cpu_id": event["cpu"]}
    if name == "cpu_idle_exit":
        return {"cpu_id": event["cpu"], "state": 0xffffffff}
    if name == "process_fork":
        return {"parent_tid": signed(event["thread"], 32), "parent_pid": signed(event["pid"], 32),
                "parent_comm": comm_of(event)}
    if name == "process_state":
        return {"status": STATUS.get(chr(event["arg"][1] & 0xff), 0)}
    return {}


# ---- the comparison


def check(what, event, expected, found):
    if expected != found:
        raise Different("%s of %s: expected %r, found %r" % (what, event, expected, found))


def check_texts(event, payload, labels):
    """Check each text that lkstbuf prints."""
    for label, text in event["fields"].items():
        ctf = labels.get(label, label)
        if isinstance(text, int):
            found = payload.get(ctf + "_name")
            if isinstance(found, bt2._StringFieldConst):
                check(label + "_name", event,
                      event["fields"].get(label + "_name", str(text)), str(found))
            continue
        if isinstance(text, list):
            check(label, event, text, [str(name) for name in payload[ctf + "_name"]])
        elif label.endswith("_name") and label[:-5] in event["fields"] and ctf not in payload:
            check(label, event, text, str(payload[labels.get(label[:-5], label[:-5]) + "_name"]))
        elif text.startswith("0x") and ctf in payload and \
                not isinstance(payload[ctf], bt2._StringFieldConst):
            continue
        elif ctf in payload and isinstance(payload[ctf], bt2._StringFieldConst):
            check_string(label, event, text, str(payload[ctf]))
        elif ctf + "_name" in payload:
            found = str(payload[ctf + "_name"])
            if event["event_name"] == "oops_regs":
                found = found.partition("=")[2]
            if found not in (thread_name(text), text):
                check(label, event, text, found)
        elif ctf not in payload:
            raise Different("%s of %s is missing in %s" % (label, event, list(payload)))


def check_string(label, event, text, found):
    """Check a string. The name of a thread may be longer than the part that the event recorded."""
    if found != text and not (label.endswith("name") and found.startswith(text)):
        check(label, event, text, found)


def check_comms(event, payload, labels, threads):
    """Check the full name of each thread whose name is in the trace."""
    for label in threads:
        text = event["fields"].get(label, "")
        comm = {"prev": "prev_comm", "next": "next_comm", "child": "child_comm"}.get(label, "comm")
        if event["event_name"] == "process_state":
            comm = "name"
        name = thread_name(text) if isinstance(text, str) else None
        if comm not in payload or not name:
            continue
        recorded = event["fields"].get({"prev": "prev_name", "next": "next_name"}.get(label, "name"), "")
        if name.startswith(recorded):
            check(comm, event, name, str(payload[comm]))


def check_event(event, message, known, clock):
    found = message.event
    context, payload = found.common_context_field, found.payload_field
    ctf, labels = name_of(event)
    check("time", event, clock, message.default_clock_snapshot.ns_from_origin)
    check("CPU", event, event["cpu"], found.packet.context_field["cpu_id"])
    check("recid", event, event["recid"], context["recid"])
    check("name", event, ctf, found.name)
    for key, member in (("thread", "tid"), ("pid", "pid"), ("pgrp", "pgrp")):
        check(key, event, signed(event[key], 32), context[member])
    check("uid", event, (event["uid"], event["gid"]), (context["euid"], context["egid"]))
    check("thread name", event, comm_of(event), str(context["procname"]))
    flags = sum(FLAGS[flag] for flag in event["flags"])
    check("flags", event, flags, int(context["flags"]) & 0x1f00)
    check("cut", event, event.get("cut", False), bool(int(context["flags"]) & 1))
    if "fields" not in event:
        check("arguments", event, event["arg"],
              [int(payload["arg%d" % (i + 1)]) for i in range(4)])
        return
    numbers = expected_numbers(event, known, labels)
    numbers.update(expected_extra(event))
    for name, value in numbers.items():
        if name not in payload:
            raise Different("%s of %s is missing in %s" % (name, event, list(payload)))
        number = payload[name]
        check(name, event, value,
              str(number) if isinstance(number, bt2._StringFieldConst) else int(number))
    check_texts(event, payload, labels)
    check_comms(event, payload, labels,
                [field[0] for field in known.get(event["event_name"], []) if field[3] == "tid"])


class Stream:
    """Check that the messages of a CPU are these events and these losses."""

    def __init__(self, events):
        self.events, self.at, self.clock = events, 0, None
        self.prio = {}

    def lost(self):
        """Return the number of events that are missing before the next one."""
        if not self.at or self.at == len(self.events):
            return 0
        before, event = self.events[self.at - 1], self.events[self.at]
        return event["recid"] - before["recid"] - 1 - event.get("parts_before", 0)

    def next_clock(self):
        """Return the time of the next event. Times must not decrease in a stream."""
        time = self.events[self.at]["time_ns"]
        return time if self.clock is None else max(time, self.clock)

    def discard(self, message):
        check("discarded", self.events[self.at],
              (self.lost(), self.clock, self.next_clock()),
              (message.count, message.beginning_default_clock_snapshot.ns_from_origin,
               message.end_default_clock_snapshot.ns_from_origin))

    def check_prio(self, event, message):
        if event["event_name"] != "process_contextswitch":
            return
        prev, tid = event["arg"][0] >> 32, event["arg"][1] >> 32
        check("prev_prio", event, self.prio.get(prev, 40), message.event.payload_field["prev_prio"])
        self.prio = {tid: signed(event["arg"][1], 32) - 100}

    def take(self, message, known, discarded):
        if self.at == len(self.events):
            raise Different("there are more than %d events of a CPU" % self.at)
        event = self.events[self.at]
        if self.lost() > 0 and not discarded and not self.selected:
            raise Different("nothing is discarded before %s" % event)
        if self.lost() and not self.selected:
            self.prio = {}
        self.clock = self.next_clock()
        check_event(event, message, known, self.clock)
        self.check_prio(event, message)
        self.at += 1


def compare(path, inputs):
    streams, known = {}, arguments()
    with open(path) as file:
        for line in file:
            event = json.loads(line)
            streams.setdefault((event["cpu"], event["buffer"] is None), []).append(event)
    streams = {key: Stream(events) for key, events in streams.items()}
    count = lost = 0
    discarded = set()
    key_of = {}
    for message in bt2.TraceCollectionMessageIterator(inputs):
        if isinstance(message, bt2._PacketBeginningMessageConst):
            packet = message.packet
            key_of[packet.stream.id] = (int(packet.context_field["cpu_id"]),
                                        packet.stream.name == "static")
        elif isinstance(message, bt2._DiscardedEventsMessageConst):
            key = key_of[message.stream.id]
            streams[key].discard(message)
            discarded.add(key)
            lost += message.count
        elif isinstance(message, bt2._EventMessageConst):
            stream = streams[key_of[message.event.stream.id]]
            stream.selected = "lkst_selected" in message.event.stream.trace.environment
            stream.take(message, known, key_of[message.event.stream.id] in discarded)
            discarded.discard(key_of[message.event.stream.id])
            count += 1
    for key, stream in streams.items():
        if stream.at < len(stream.events):
            raise Different("event %d of %s is missing" % (stream.at, key))
    print("%d events, %d discarded" % (count, lost))


# ---- Trace Compass


def viewer(directory):
    """Check the conditions under which Trace Compass shows a CTF trace in its views of the kernel.

    LttngKernelTrace: the domain is "kernel", and the tracer is lttng-modules 2.9 or later, which
    selects the names of events in Lttng29EventLayout. StreamInputPacketIndex: no packet is empty, and
    packets begin in order of time. StreamInputPacketIndexEntry: the context of a packet has the CPU.
    SchedSwitchHandler and others need the fields below. ContextTidAspect: events have their thread."""
    fields = {
        "sched_switch": "prev_comm prev_tid prev_prio prev_state next_comm next_tid next_prio",
        "sched_wakeup": "comm tid prio target_cpu", "sched_wakeup_new": "comm tid prio target_cpu",
        "sched_waking": "comm tid prio target_cpu",
        "sched_process_fork": "parent_comm parent_tid parent_pid child_comm child_tid child_pid",
        "sched_process_exec": "filename tid old_tid", "sched_process_exit": "comm tid prio",
        "sched_migrate_task": "comm tid orig_cpu dest_cpu",
        "lttng_statedump_process_state": "tid pid ppid name status",
        "irq_handler_entry": "irq name", "irq_handler_exit": "irq ret",
        "irq_softirq_entry": "vec", "irq_softirq_exit": "vec", "irq_softirq_raise": "vec",
        "timer_hrtimer_start": "hrtimer function expires", "timer_hrtimer_expire_entry": "hrtimer",
        "block_rq_issue": "dev sector nr_sector rwbs",
        "block_rq_complete": "dev sector nr_sector rwbs",
        "power_cpu_frequency": "state cpu_id", "kmem_mm_page_alloc": "order",
        "kmem_mm_page_free": "order",
    }
    seen, begins, events = set(), {}, {}
    for message in bt2.TraceCollectionMessageIterator(directory):
        if isinstance(message, bt2._StreamBeginningMessageConst):
            environment = message.stream.trace.environment
            check("domain", "the trace", "kernel", environment["domain"])
            check("tracer", "the trace", "lttng-modules", environment["tracer_name"])
            if (environment["tracer_major"], environment["tracer_minor"]) < (2, 9):
                raise Different("the tracer is too old")
        elif isinstance(message, bt2._PacketBeginningMessageConst):
            stream, begin = message.packet.stream.id, message.default_clock_snapshot.value
            if begin < begins.get(stream, 0):
                raise Different("a packet begins before the previous one")
            begins[stream], events[stream] = begin, 0
            if "cpu_id" not in message.packet.context_field:
                raise Different("a packet has no CPU")
        elif isinstance(message, bt2._PacketEndMessageConst):
            if not events[message.packet.stream.id]:
                raise Different("a packet is empty")
        elif isinstance(message, bt2._EventMessageConst):
            event = message.event
            events[event.stream.id] += 1
            seen.add(event.name)
            wanted = fields.get(event.name, "ret" if "syscall_exit_" in event.name else "")
            missing = set(wanted.split()) - set(event.payload_field)
            if missing:
                raise Different("%s has no %s" % (event.name, missing))
            if "tid" not in event.common_context_field or "pid" not in event.common_context_field:
                raise Different("%s has no thread" % event.name)
    with open(os.path.join(directory, "metadata")) as file:
        metadata = file.read()
    for name in "_tid", "_pid":
        if not re.search(r"event\.context := struct \{[^}]*(\{[^}]*\}[^}]*)* %s;" % name, metadata):
            raise Different("the context of an event has no %s" % name)
    print("\n".join(sorted(seen)))


# ---- an iterator that returns to the beginning


class Twice(bt2._UserSinkComponent):
    """Checks that the iterator returns to the beginning from various positions.

    Reads all messages, then some of them, then all of them again, and compares both full reads.
    """

    def __init__(self, config, params, obj):
        self._add_input_port("in")
        self._result = obj

    def _user_graph_is_configured(self):
        self._iterator = self._create_message_iterator(self._input_ports["in"])

    def _read(self, number=None):
        read = []
        for message in self._iterator:
            clock = getattr(message, "default_clock_snapshot", None)
            name = message.event.name if isinstance(message, bt2._EventMessageConst) else ""
            read.append((type(message).__name__, name, clock and clock.value if hasattr(clock, "value") else None))
            if len(read) == number:
                break
        return read

    def _user_consume(self):
        first = self._read()
        for number in (len(first) // 2, 1, None):
            if not self._iterator.can_seek_beginning():
                raise Different("the iterator cannot return to the beginning")
            self._iterator.seek_beginning()
            self._read(number)
        self._iterator.seek_beginning()
        self._result.append((len(first), first == self._read()))
        raise bt2.Stop


def again(inputs):
    result = []
    plugin = bt2.find_plugin("lkst")
    graph = bt2.Graph()
    source = graph.add_component(plugin.source_component_classes["trace"], "source",
                                 {"inputs": inputs})
    for number, name in enumerate(source.output_ports):
        sink = graph.add_component(Twice, "sink%d" % number, obj=result)
        graph.connect_ports(source.output_ports[name], sink.input_ports["in"])
    graph.run()
    if not all(same for _, same in result):
        raise Different("the iterator does not return the same messages again")
    print(" ".join(str(count) for count, _ in result))


if __name__ == "__main__":
    try:
        {"compare": lambda events, *inputs: compare(events, list(inputs)), "viewer": viewer,
         "again": lambda *inputs: again(list(inputs))}[sys.argv[1]](*sys.argv[2:])
    except Different as why:
        sys.exit("babeltrace.py: %s" % why)
