#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""press.py SOCKET SEEN: plays the user at the serial console of tests/host/sysrq.t

SOCKET is the console, as lkst-vm --serial creates it. Its output is written to SEEN. 3 s after the
output "sysrq-test: press KEY", this program sends a break and that key. 3 s after the output "lkst:
end of events" it sends a break and a b, which resets the machine.
"""
import re
import socket
import sys
import time

BREAK = b'\xff\xf3'  # a break in the telnet protocol

ASKED = re.compile(rb'sysrq-test: press (\w)')
ENDED = re.compile(rb'lkst: end of events')


def connect(path):
    terminal = socket.socket(socket.AF_UNIX)
    while True:
        try:
            terminal.connect(path)
            terminal.settimeout(0.1)
            return terminal
        except OSError:
            time.sleep(0.1)


def read(terminal):
    """Return new output of the console, which may be empty, or None if the machine has exited."""
    try:
        return terminal.recv(65536) or None
    except TimeoutError:
        return b''
    except OSError:
        return None


def key_for(line):
    asked = ASKED.search(line)
    if asked:
        return asked.group(1)
    return b'b' if ENDED.search(line) else None


def main():
    terminal = connect(sys.argv[1])
    rest, key, when = b'', None, 0
    with open(sys.argv[2], 'wb') as seen:
        while (data := read(terminal)) is not None:
            seen.write(data)
            *lines, rest = (rest + data).split(b'\n')
            for line in lines:
                if key_for(line):
                    key, when = key_for(line), time.monotonic() + 3
            if key and time.monotonic() >= when:
                terminal.sendall(BREAK + key)
                key = None


main()
