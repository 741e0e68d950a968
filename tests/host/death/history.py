#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the records of a dead machine with a listing from before its death.

history.py after BEFORE AFTER MORE    AFTER must have the records of BEFORE, and of each CPU at least
                                      MORE records in all
history.py damage BEFORE AFTER LEAST  the image of AFTER is damaged: AFTER has no record that BEFORE
                                      lacks, and at least LEAST percent of its records

BEFORE and AFTER are the output of "lkstbuf print --parts -r --json". BEFORE.errors and AFTER.errors
have the messages of lkstbuf, which say how many events were lost. Prints a line for each CPU, and a
line for each error. Fails if there is an error.
"""

import json
import re
import sys

# Names and times are computed from other records, so they may differ.
KEYS = ("event_type", "thread", "pid", "pgrp", "uid", "gid", "flags", "arg", "buffer")
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
    """Return how many events lkstbuf has reported as lost."""
    with open(path + ".errors") as file:
        return sum(int(num) for num in re.findall(r"(\d+) events were lost", file.read()))


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


def check_after(before, after, least):
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
    for cpu, records in sorted(before.items()):
        now = after.get(cpu, {})
        print(f"CPU {cpu}: {len(records)} records in the whole image, {len(now)} in the damaged one")
        strange = [recid for recid in now if records.get(recid) != now[recid]]
        if strange:
            yield f"CPU {cpu}: {len(strange)} records that are not in the whole image: {strange[:5]}"
        if len(now) * 100 < len(records) * least:
            yield f"CPU {cpu}: less than {least} % of the records"


def main():
    check = {"after": check_after, "damage": check_damage}[sys.argv[1]]
    before, errors = read(sys.argv[2])
    after, more = read(sys.argv[3])
    errors += more
    if not before:
        errors.append("no records before")
    errors += check(before, after, int(sys.argv[4]))
    if check is check_after:
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
