#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks, with the counts of the module "death", that the log of a dead machine is complete.

log.py MEMORY ADDRESS SLOTS [LOST]  standard input is the output of "lkstbuf print --parts -r --json"

The file MEMORY has the counts of tests/modules/death.h at ADDRESS. A ring has SLOTS records. LOST
records may be missing anywhere; the default is 0. Prints a line for each CPU, and a line for each
error. Fails if there is an error.
"""

import json
import struct
import sys

MAGIC = 0x6874616564736B6C
ETYPE = 0x1D8
SERIES = ("thread", "timer")
# The number of records that a CPU can have begun and not finished: one each in a task, a softirq, a
# hardirq and an NMI.
UNFINISHED = 4
MASK = (1 << 64) - 1


def mix(value):
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def whole(args):
    return all(mix(args[i]) == args[i + 1] for i in range(3))


def read_counts(path, address):
    """Return {cpu: [(begun, done) of each series]}: how many records were begun and done."""
    with open(path, "rb") as memory:
        memory.seek(address)
        page = memory.read(4096)
    magic, cpus = struct.unpack_from("<QQ", page)
    if magic != MAGIC:
        sys.exit(f"no counts at {address:#x} of {path}: the module death had not begun")
    return {
        cpu: [struct.unpack_from("<QQ", page, 16 + 32 * cpu + 16 * series) for series in range(2)]
        for cpu in range(cpus)
    }


class Cpu:
    """The records of a CPU in the log."""

    def __init__(self):
        self.recids = []
        self.numbers = ([], [])
        self.torn = 0

    def take(self, record):
        self.recids.append(record["recid"])
        if record["event_type"] != ETYPE:
            return
        args = record["arg"]
        if not whole(args) or args[0] >> 56 != record["cpu"]:
            self.torn += 1
            return
        self.numbers[args[0] >> 48 & 0xFF].append(args[0] & (1 << 48) - 1)

    def missing(self):
        return self.recids[-1] - self.recids[0] + 1 - len(self.recids)

    def wrong(self, counts, slots, lost):
        if not self.recids:
            yield "nothing"
            return
        if self.torn:
            yield f"{self.torn} records whose arguments do not belong together"
        if any(a >= b for a, b in zip(self.recids, self.recids[1:])):
            yield "records out of order, or twice"
        if self.missing() > lost + UNFINISHED:
            yield f"{self.missing()} records are missing in between"
        ring = min(slots, self.recids[-1] + 1)
        if len(self.recids) + UNFINISHED + lost < ring:
            yield f"{len(self.recids)} records; the ring held {ring}"
        for name, (begun, done), numbers in zip(SERIES, counts, self.numbers):
            yield from self.wrong_series(name, begun, done, numbers, lost)

    @staticmethod
    def wrong_series(name, begun, done, numbers, lost):
        if not numbers:
            yield f"no record of the {name}, which has made {done}"
            return
        if any(a >= b for a, b in zip(numbers, numbers[1:])):
            yield f"records of the {name} out of order, or twice"
        if numbers[-1] - numbers[0] + 1 - len(numbers) > lost:
            yield f"records of the {name} are missing: {len(numbers)} from {numbers[0]} to {numbers[-1]}"
        if not done - lost <= numbers[-1] <= begun:
            yield f"the last record of the {name} is {numbers[-1]}, it has made {done}"


def main():
    counts = read_counts(sys.argv[1], int(sys.argv[2], 0))
    slots = int(sys.argv[3])
    lost = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    cpus = {cpu: Cpu() for cpu in counts}
    for line in sys.stdin:
        record = json.loads(line)
        if record["buffer"] is not None and record["buffer"] >= 0:
            cpus[record["cpu"]].take(record)
    bad = False
    for cpu, log in sorted(cpus.items()):
        thread, timer = log.numbers
        print(f"CPU {cpu}: {len(log.recids)} records, {len(thread)} of the thread, {len(timer)} of the timer")
        for what in log.wrong(counts[cpu], slots, lost):
            print(f"CPU {cpu}: {what}")
            bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
