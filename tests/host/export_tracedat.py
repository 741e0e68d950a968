#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare what lkstbuf export writes as trace.dat with what lkstbuf print shows.

export_tracedat.py TRACE [OPTION...]: run "lkstbuf export --format trace.dat" and "lkstbuf print
--json" with the options, read the output with trace-cmd report, and compare each event: its CPU,
time, thread, name and arguments, and the losses. Prints what differs, and the number of events.

export_tracedat.py --count TRACE [OPTION...]: only count the events of each thread on each CPU, for
a trace with events that no kernel records.
"""
import collections
import errno
import json
import re
import subprocess
import sys
import tempfile

SHOWN = 10  # differences to print
NO_PRIO = -99
STATES = {letter: 1 << bit for bit, letter in enumerate("SDTtXZPI")}

problems = []


def problem(text):
    problems.append(text)


def command(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


# --- what trace-cmd report prints

LINE = re.compile(r" *(?P<name>.*?)-(?P<tid>-?\d+) +\[(?P<cpu>\d+)\] +(?P<time>-?\d+\.\d{9}): +"
                  r"(?P<event>[^ :]+): *(?P<values>.*)")
LOST = re.compile(r"CPU:(\d+) \[(\d+ )?EVENTS DROPPED\]")


def report(path, *options):
    """Return the events in each CPU's order, and the losses."""
    events, lost = [], []
    text = command("trace-cmd", "report", "-t", *options, path).decode(errors="replace")
    for line in text.split("\n"):
        dropped, match = LOST.match(line), LINE.match(line)
        if dropped:
            lost.append((int(dropped.group(1)), int(dropped.group(2) or 0)))
        elif match:
            seconds, ns = match["time"].split(".")
            events.append((int(match["cpu"]), int(seconds) * 10**9 + int(ns), low(int(match["tid"])),
                           match["event"], match["values"].strip(), match["name"]))
        elif line and not line.startswith("cpus="):
            problem("not understood: %s" % line)
    return events, lost


# --- what it should print

def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def low(value):
    return value & 0xffffffff


def thread_of(text):
    """Return the number and the name of "name-number"."""
    if text == "?":
        return -1, "<...>"
    if text.startswith("<"):
        return int(text[1:-1]), "<...>"
    name, _, number = text.rpartition("-")
    return int(number), name


def comm(text):
    return printable(thread_of(text)[1])[:15]


def self_comm(event):
    return printable(event["name"] or "<...>")[:15]


def pid(text):
    return thread_of(text)[0]


def printable(text):
    """Return a string as lkstbuf escapes it."""
    return "".join(c if c.isprintable() else
                   "".join("\\%03o" % byte for byte in c.encode()) for c in text)


def wakeup(e, f, a):
    name = "sched_waking" if "cpu" in f else "sched_wakeup" + ("_new" if f["new"] else "")
    return name, {"comm": comm(f["thread"]), "pid": pid(f["thread"]), "prio": f["prio"],
                  "target_cpu": f["target_cpu" if "new" in f else "cpu"]}


def switch(e, f, a):
    state = f["prev_state"]
    number = STATES.get(state[0], 0) | (0x100 if state.endswith("+") else 0)
    return "sched_switch", {
        "prev_comm": comm(f["prev"]), "prev_pid": pid(f["prev"]), "prev_prio": NO_PRIO,
        "prev_state": number, "next_comm": comm(f["next"]), "next_pid": pid(f["next"]),
        "next_prio": f["next_prio"]}


def call(e, f, a):
    if "abi" in f:
        return None
    number = signed(a[0] >> 32, 32)
    if e["event_name"] == "system_call_entry":
        return "sys_enter", {"id": number, "args": a[1:], "name": str(f["number"])}
    return "sys_exit", {"id": number, "ret": signed(a[1], 64), "name": str(f["number"])}


def block(e, f, a):
    values = {"dev": low(a[0]), "sector": f["sector"], "nr_sector": f["bytes"] // 512,
              "bytes": f["bytes"]}
    if "error" in f:
        values["error"] = signed(a[3], 32)
    values.update(rwbs=str(f["operation"]), device=str(f["device"]))
    if "queue_ns" in f:
        values["queue_ns"] = f["queue_ns"]
    return "block_rq_complete" if "error" in f else "block_rq_issue", values


def thread(name, **more):
    """Return a function for events about a thread. more: further members, by label."""
    return lambda e, f, a: (name, {"comm": comm(f["thread"]), "pid": pid(f["thread"])} |
                            {key: f[label] for key, label in more.items()})


def packet(name):
    return lambda e, f, a: (name, {"skbaddr": a[0], "len": f["length"], "name": f["device"],
                                   "protocol": str(f["protocol"])})


def timer(name, member):
    def convert(e, f, a):
        values = {member: a[0], "function": str(f["function"])}
        for label in ("expires", "expires_ns"):
            if label in f:
                values["expires"] = f[label]
        return name, values
    return convert


def softirq(name):
    return lambda e, f, a: (name, {"vec": low(a[0]), "action": str(f["vector"])})


NATIVE = {
    "process_contextswitch": switch,
    "process_wakeup": wakeup,
    "process_waking": wakeup,
    "process_fork": lambda e, f, a: ("sched_process_fork", {
        "parent_comm": self_comm(e), "parent_pid": e["thread"], "child_comm": comm(f["child"]),
        "child_pid": pid(f["child"]), "child_tgid": f["tgid"], "clone_flags": a[1]}),
    "process_exec": lambda e, f, a: ("sched_process_exec", {
        "filename": f["path"], "pid": pid(f["thread"]), "old_pid": f["old"]}),
    "process_exit": thread("sched_process_exit", prio="prio", status="status"),
    "process_migrate": thread("sched_migrate_task", orig_cpu="from", dest_cpu="to"),
    "process_rename": lambda e, f, a: ("task_rename", {
        "pid": pid(f["thread"]), "newcomm": f["name"]}),
    "process_sigsend": lambda e, f, a: ("signal_generate", {
        "sig": signed(a[0] >> 32, 32), "code": f["code"], "comm": comm(f["target"]),
        "pid": pid(f["target"]), "group": signed(f["group"], 32), "result": f["result"]}),
    "process_sigrecv": lambda e, f, a: ("signal_deliver", {
        "sig": signed(a[0] >> 32, 32), "code": f["code"], "sa_handler": a[1], "sa_flags": a[2]}),
    "int_hardware_entry": lambda e, f, a: ("irq_handler_entry", {
        "irq": f["irq"], "name": f["name"]}),
    "int_hardware_exit": lambda e, f, a: ("irq_handler_exit", {
        "irq": f["irq"], "ret": f["handled"]}),
    "int_softirq_entry": softirq("softirq_entry"),
    "int_softirq_exit": softirq("softirq_exit"),
    "int_softirq_raise": softirq("softirq_raise"),
    "int_timer_entry": lambda e, f, a: ("local_timer_entry", {
        "vector": low(a[0]), **({"ip": str(f["ip"])} if "ip" in f else {})}),
    "int_timer_exit": lambda e, f, a: ("local_timer_exit", {"vector": low(a[0])}),
    "system_call_entry": call,
    "system_call_exit": call,
    "mem_reclaim_entry": lambda e, f, a: ("mm_vmscan_direct_reclaim_begin", {
        "order": f["order"], "gfp_flags": str(f["gfp"])}),
    "mem_reclaim_exit": lambda e, f, a: ("mm_vmscan_direct_reclaim_end", {
        "nr_reclaimed": f["reclaimed"]}),
    "mem_oomkill": lambda e, f, a: ("mark_victim", {"pid": pid(f["thread"])}),
    "net_pktsend": lambda e, f, a: ("net_dev_xmit", {
        "skbaddr": a[0], "len": f["length"], "rc": f["result"], "name": f["device"]}),
    "net_pktsendq": packet("net_dev_queue"),
    "net_pktrecv": packet("netif_receive_skb"),
    "net_pktrecvq": packet("netif_rx"),
    "net_drop": lambda e, f, a: ("kfree_skb", {
        "skbaddr": a[0], "location": str(f["location"]), "protocol": str(f["protocol"]),
        "reason": str(f["reason"])}),
    "net_sockstate": lambda e, f, a: ("inet_sock_set_state", {
        "skaddr": a[0], "family": str(f["family"]), "protocol": str(f["protocol"]),
        "sport": f["sport"], "dport": f["dport"], "oldstate": str(f["old"]),
        "newstate": str(f["new"])}),
    "lock_contention_begin": lambda e, f, a: ("contention_begin", {
        "lock_addr": a[0], "flags": str(f["flags"]),
        **({"owner": pid(f["owner"])} if "owner" in f else {})}),
    "lock_contention_end": lambda e, f, a: ("contention_end", {
        "lock_addr": a[0], "ret": signed(a[1], 64)}),
    "timer_add": timer("timer_start", "timer"),
    "timer_del": timer("timer_cancel", "timer"),
    "timer_run_entry": timer("timer_expire_entry", "timer"),
    "timer_run_exit": timer("timer_expire_exit", "timer"),
    "timer_hr_add": timer("hrtimer_start", "hrtimer"),
    "timer_hr_del": timer("hrtimer_cancel", "hrtimer"),
    "timer_hr_run_entry": timer("hrtimer_expire_entry", "hrtimer"),
    "timer_hr_run_exit": timer("hrtimer_expire_exit", "hrtimer"),
    "work_entry": timer("workqueue_execute_start", "work"),
    "work_exit": timer("workqueue_execute_end", "work"),
    "block_issue": block,
    "block_complete": block,
    "cpu_frequency": lambda e, f, a: ("cpu_frequency", {"state": f["khz"], "cpu_id": f["cpu"]}),
    "cpu_idle_entry": lambda e, f, a: ("cpu_idle", {
        "state": low(f["state"]), "cpu_id": e["cpu"]}),
    "cpu_idle_exit": lambda e, f, a: ("cpu_idle", {"state": 0xffffffff, "cpu_id": e["cpu"]}),
    "cpu_suspend": lambda e, f, a: ("suspend_resume", {
        "action": f["action"], "val": f["value"], "start": f["start"]}),
}


# For each event that has more fields in the kernel's tracing than in LKST: the kernel's name of the
# event, and a map from LKST's names of the fields to the kernel's names. A field that is not listed
# has the same name in both.
RENAMED = {
    "cpu_ipi_send": ("ipi_send_cpu", {"target_cpu": "cpu", "caller": "callsite"}),
    "int_tasklet_entry": ("tasklet_entry", {"function": "func"}),
    "int_tasklet_exit": ("tasklet_exit", {"function": "func"}),
    "mem_cachealloc": ("kmem_cache_alloc", {
        "caller": "call_site", "object": "ptr", "size": "bytes_req", "gfp": "gfp_flags"}),
    "mem_cachefree": ("kmem_cache_free", {
        "caller": "call_site", "object": "ptr", "cache": "name"}),
    "mem_kfree": ("kfree", {"caller": "call_site", "object": "ptr"}),
    "mem_kmalloc": ("kmalloc", {
        "caller": "call_site", "object": "ptr", "requested": "bytes_req",
        "allocated": "bytes_alloc", "gfp": "gfp_flags"}),
    "mem_kswapd_wake": ("mm_vmscan_kswapd_wake", {"node": "nid"}),
    "mem_pagealloc": ("mm_page_alloc", {"gfp": "gfp_flags"}),
    "mem_pagefree": ("mm_page_free", {}),
    "module_free": ("module_free", {}),
    "module_load": ("module_load", {}),
}


def other(event):
    """Return the expected name and values of an event that is not in NATIVE."""
    name, fields = event["event_name"], event.get("fields")
    # A user event is in the system user_events, as in ftrace.
    if name and name.startswith("user_events"):
        name = re.sub(r"\W", "_", name.split(":", 1)[1])
    if fields is None:
        return name or "event_0x%03x" % event["event_type"], {
            "arg%d" % (i + 1): value for i, value in enumerate(event["arg"])}
    values = {}
    if name == "oops_regs":
        return name, {"r%d" % (i + 1): "%s=%s" % pair for i, pair in enumerate(fields.items())}
    for key, value in fields.items():
        # lkstbuf print adds the names of files and interrupts.
        if key.endswith("_name") and key[:-5] in fields:
            continue
        if isinstance(value, list):
            value = "<-".join(value) or "-"
        values[key] = "none" if value is None else value
        if key == "number" and "abi" not in fields:
            values["abi"] = "native"
    name, keys = RENAMED.get(name, (name, {}))
    return name, {keys.get(key, key): value for key, value in values.items()}


def shown(event):
    convert = NATIVE.get(event["event_name"])
    return (convert and convert(event, event["fields"], event["arg"])) or other(event)


# --- the comparison

def number_of(text, wanted):
    """Return the number that stands for a value as lkstbuf print shows it."""
    if isinstance(wanted, int):
        return wanted
    if wanted.startswith("-E") and hasattr(errno, wanted[1:]):
        return -getattr(errno, wanted[1:])
    if wanted == "failed":
        return -1
    if re.fullmatch("0x[0-9a-f]+", wanted):
        return int(wanted, 16)
    return pid(wanted)


def is_same(text, wanted):
    """Return whether a text that trace-cmd has printed is the wanted value."""
    if isinstance(wanted, list):
        bytes_of = b"".join(value.to_bytes(8, sys.byteorder) for value in wanted)
        return text == "ARRAY[%s]" % bytes_of.hex(",").replace(",", ", ")
    if isinstance(wanted, str) and text == printable(wanted).strip():
        return True
    if not re.fullmatch("-?[0-9]+|0x[0-9a-f]+", text):
        return False
    try:
        return int(text, 0) == number_of(text, wanted)
    except ValueError:
        return False


def compare_event(found, event):
    name, values = shown(event)
    where = "CPU %d, %d" % (event["cpu"], event["time_ns"])
    if found[:4] != (event["cpu"], event["time_ns"], event["thread"], name):
        problem("%s, thread %d: %s instead of %s" % (where, event["thread"], found, name))
        return
    # Between two values, there may be others that lkstbuf print leaves out.
    pattern = ".*?".join(r"\b%s=(.*)" % key for key in values)
    match = re.fullmatch(pattern + ".*", found[4], re.DOTALL) if values else True
    if not match:
        problem("%s: %s has %s instead of %s" % (where, name, found[4], values))
        return
    for text, (key, wanted) in zip(match.groups() if values else (), values.items()):
        # lkstbuf print leaves out the fields that a cut event lacks. trace-cmd prints their members
        # after the last value.
        if event.get("cut") and text.startswith("%s " % wanted):
            continue
        if not is_same(text.strip(), wanted):
            problem("%s: %s has %s=%s instead of %s" % (where, name, key, text, wanted))


def per_cpu(events, cpu_of):
    cpus = collections.defaultdict(list)
    for event in events:
        cpus[cpu_of(event)].append(event)
    return cpus


def compare(events, found):
    wanted, have = per_cpu(events, lambda e: e["cpu"]), per_cpu(found, lambda e: e[0])
    for cpu in wanted.keys() | have.keys():
        if len(wanted[cpu]) != len(have[cpu]):
            problem("CPU %d: %d events instead of %d" % (cpu, len(have[cpu]), len(wanted[cpu])))
        for one, event in zip(have[cpu], wanted[cpu]):
            compare_event(one, event)


def compare_names(events, found):
    """Check that trace-cmd shows the last name of each thread."""
    last = {}
    for event in events:
        if event["name"]:
            last[event["thread"]] = event["name"]
        if event["event_name"] == "process_rename":
            last[pid(event["fields"]["thread"])] = event["fields"]["name"]
    for tid, name in {(e[2], e[5]) for e in found}:
        wanted = "<idle>" if not tid else printable(last.get(tid, "<...>"))
        if name.strip() != wanted.strip():
            problem("thread %d is %s instead of %s" % (tid, name, wanted))


def losses_of(events):
    """Return the losses that follow from gaps in the recids."""
    last, losses = {}, collections.Counter()
    for event in events:
        if event["buffer"] is None:
            continue
        cpu, recid = event["cpu"], event["recid"]
        lost = recid - last.get(cpu, recid) - 1 - event.get("parts_before", 0)
        if lost > 0:
            losses[cpu, lost] += 1
        last[cpu] = recid
    return losses


def is_selected(trace):
    """Return whether the trace has only selected events. Then recids do not show losses."""
    return "selected" in json.loads(command("lkstbuf", "print", "-f", trace, "--summary", "--json"))


def main(*words):
    count = words[0] == "--count"
    trace, *options = words[count:]
    with tempfile.TemporaryDirectory() as work:
        path = work + "/trace.dat"
        command("lkstbuf", "export", "-f", trace, "-o", path, *options)
        # Check the raw members first, and then the events as printed with their formats.
        found, lost = report(path, "-R")
        printed, _ = report(path, "-N")
    lines = command("lkstbuf", "print", "-f", trace, "-r", "--json", *options).splitlines()
    events = [json.loads(line) for line in lines]
    for event in printed:
        if "FAILED TO PARSE" in event[4] or "FIELD" in event[4]:
            problem("%s: %s" % (event[3], event[4]))
    if count:
        if collections.Counter((e["cpu"], e["thread"]) for e in events) != \
                collections.Counter((e[0], e[2]) for e in found):
            problem("the number of events differs")
    else:
        compare(events, found)
        compare_names(events, found)
        if not options and not is_selected(trace) and collections.Counter(lost) != losses_of(events):
            problem("losses: %s instead of %s" % (lost, losses_of(events)))
    for text in problems[:SHOWN]:
        print(text)
    print("%d events, %d losses, %d problems" % (len(events), len(lost), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
