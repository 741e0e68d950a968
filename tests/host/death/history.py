#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the records of a dead machine with a listing from before its death.

history.py after BEFORE AFTER MORE    AFTER must have the records of BEFORE, and of each CPU at least
                                      MORE records in all
history.py damage BEFORE AFTER LEAST  the image of AFTER is damaged: AFTER has no record that BEFORE
                                      lacks, and at least LEAST percent of its records
history.py soak BEFORE AFTER MEMORY ADDRESS   AFTER must have the records of BEFORE, except lost ones.
                                      MEMORY has the counts of tests/vm/buffers/history_soak.c at
                                      ADDRESS. All marks must be in AFTER, except lost ones

BEFORE and AFTER are the output of "lkstbuf print --parts -r --json". BEFORE.errors and AFTER.errors
have the messages of lkstbuf, which say how many events were lost. Prints a line for each CPU, and a
line for each error. Fails if there is an error.
"""

import json
import re
import struct
import sys

from log import whole

# Names and times are computed from other records, so they may differ.
KEYS = ("event_type", "thread", "pid", "pgrp", "uid", "gid", "flags", "arg", "buffer")
MARK = 0x0E0
WRITERS = 4
# A CPU can have begun and not finished one record each in a task, a softirq, a hardirq and an NMI.
UNFINISHED = 4


def read(path):
    """Return {cpu: {recid: record}}, and the errors: records out of order, or twice."""
    cpus = {}
    errors = []
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            cpu = cpus.setdefault(record["cpu"], {})
            recid = record["recid"]
            if cpu and recid <= next(reversed(cpu)):
                errors.append(f"{path}: CPU {record['cpu']}: {recid} is out of order, or there twice")
            cpu[recid] = [record[key] for key in KEYS]
    return cpus, errors


def lost(path):
    """Return how many events lkstbuf has reported as lost, in a trace or in an image."""
    with open(path + ".errors") as file:
        return sum(int(num) for num in re.findall(r"(\d+) events (?:were lost|are missing)", file.read()))


def missing(cpu):
    """Return how many recids are missing between the oldest and the newest record."""
    return max(cpu) - min(cpu) + 1 - len(cpu)


def differences(before, after):
    """Yield the records of a CPU that have changed, and those of before that after lacks.

    The machine went on recording, so records that are older than those of after were overwritten.
    """
    oldest = min(after)
    for recid, record in before.items():
        if recid >= oldest and recid not in after:
            yield f"{recid} is missing"
        elif recid in after and after[recid] != record:
            yield f"{recid} is {after[recid]} and was {record}"


def differ(before, after):
    """Yield the records of a CPU that are in both and differ."""
    for recid, record in before.items():
        if after.get(recid, record) != record:
            yield f"{recid} is {after[recid]} and was {record}"


def read_marks(path):
    """Return {writer: {number of a mark: its time in ns}}, the errors, and the time of the first
    record of each CPU."""
    begins = {}
    marks = {writer: {} for writer in range(WRITERS)}
    errors = []
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            begins.setdefault(record["cpu"], record["time_ns"])
            if record["event_type"] != MARK:
                continue
            writer, number = record["arg"][0] >> 56, record["arg"][0] & (1 << 56) - 1
            if not whole(record["arg"]) or writer not in marks:
                errors.append(f"{path}: a damaged mark: {record}")
            elif number in marks[writer]:
                errors.append(f"{path}: mark {number} of writer {writer} is there twice")
            else:
                marks[writer][number] = record["time_ns"]
    return marks, errors, begins.values()


def check_marks(path, memory, address, gaps):
    """Yield errors in the marks. Up to gaps events may be missing.

    A CPU whose oldest record is newer than a mark may have overwritten the mark.
    """
    marks, errors, begins = read_marks(path)
    yield from errors
    with open(memory, "rb") as file:
        file.seek(address)
        counts = list(struct.iter_unpack("<QQ", file.read(16 * WRITERS)))
    for writer, numbers in marks.items():
        begun, done = counts[writer]
        newest = max(numbers, default=0)
        due = [number for number, time in numbers.items() if time > max(begins)]
        if not done:
            yield f"writer {writer} has recorded no mark"
        if not done - gaps <= newest <= begun:
            yield f"writer {writer}: the newest mark is {newest}; {done} were done, {begun} begun"
        if due:
            missing = newest - min(due) + 1 - len(due)
            print(f"writer {writer}: {len(numbers)} marks, {missing} missing")
            if missing > gaps:
                yield f"writer {writer}: {missing} marks are missing, and {gaps} records"


def check_soak(before, after, memory, address):
    for cpu, records in sorted(before.items()):
        now = after.get(cpu, {})
        if not now:
            yield f"CPU {cpu}: no records"
            continue
        print(f"CPU {cpu}: {len(records)} records before, {len(now)} after, {len(records.keys() & now.keys())} in both")
        wrong = list(differ(records, now))
        if wrong:
            yield f"CPU {cpu}: {len(wrong)} records: {wrong[:5]}"
        if max(now) < max(records):
            yield f"CPU {cpu}: the newest record is {max(now)}, and was {max(records)}"
    gaps = sum(missing(cpu) for cpu in after.values())
    yield from check_marks(sys.argv[3], memory, int(address, 0), gaps)


def check_after(before, after, least):
    least = int(least)
    for cpu, records in sorted(before.items()):
        now = after.get(cpu, {})
        print(f"CPU {cpu}: {len(records)} records before, {len(now)} after, {missing(now) if now else 0} missing")
        if len(now) < least:
            yield f"CPU {cpu}: {len(now)} records, less than {least}"
            continue
        wrong = list(differences(records, now))
        if wrong:
            yield f"CPU {cpu}: {len(wrong)} records: {wrong[:5]}"
        if max(now) < max(records):
            yield f"CPU {cpu}: the newest record is {max(now)}, and was {max(records)}"


def check_damage(before, after, least):
    least = int(least)
    for cpu, records in sorted(before.items()):
        now = after.get(cpu, {})
        print(f"CPU {cpu}: {len(records)} records in the whole image, {len(now)} in the damaged one")
        strange = [recid for recid in now if records.get(recid) != now[recid]]
        if strange:
            yield f"CPU {cpu}: {len(strange)} records that are not in the whole image: {strange[:5]}"
        if len(now) * 100 < len(records) * least:
            yield f"CPU {cpu}: less than {least} % of the records"


def main():
    check = {"after": check_after, "damage": check_damage, "soak": check_soak}[sys.argv[1]]
    before, errors = read(sys.argv[2])
    after, more = read(sys.argv[3])
    errors += more
    if not before:
        errors.append("no records before")
    errors += check(before, after, *sys.argv[4:])
    if check is not check_damage:
        gaps = sum(missing(cpu) for cpu in after.values())
        counted = lost(sys.argv[3])
        print(f"{gaps} records are missing, {counted} are counted as lost")
        if not counted <= gaps <= counted + UNFINISHED * len(after):
            errors.append("the numbers of missing and of counted records differ")
    for error in errors:
        print(error)
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
