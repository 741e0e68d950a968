#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
lkstla_html.py TRACE [OPTION...]: compares the data of the page that lkstla html makes of a trace with
the tables of the other analyses. html_data.js decodes the page, and adds up its spans. Prints each
difference, and the number of comparisons.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict

decoder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'html_data.js')
trace, options = sys.argv[1], sys.argv[2:]
compared = differ = 0


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def tables(analysis):
    """Return the tables of an analysis, which are empty if the trace lacks the events for it."""
    done = subprocess.run(['lkstla', analysis, '-f', trace, '--json', *options],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        return defaultdict(list)
    return defaultdict(list, json.loads(done.stdout))


def same(what, page, table):
    global compared, differ
    compared += 1
    if page != table:
        differ += 1
        print(f'{what}: the page has {page}, the table has {table}')


def sums(rows, key, *names):
    """Add up the columns of rows with the same key."""
    result = defaultdict(lambda: dict.fromkeys(names, 0))
    for row in rows:
        for name in names:
            result[key(row)][name] += row[name]
    return result


def of(group, key, name):
    return group.get(key, {}).get(name, 0)


with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, 'page.html')
    output('lkstla', 'html', '-f', trace, '-o', path, *options)
    data = json.loads(output('node', decoder, path, *(['--partly'] if '-p' in options else [])))
meta = data['meta']

sched = tables('sched')
if sched['window']:
    for name in ('cpus', 'events', 'lost', 'begins_without_end', 'ends_without_begin', 'inconsistent', 'nested'):
        same(name, meta['window'][name], sched['window'][name])
# In a damaged trace, several threads can have the same name and number.
for name, row in sums(sched['sched'], lambda row: row['thread'], 'runs', 'preempted', 'run_ns', 'wait_ns').items():
    run, wait = data['thread'].get(f'{name} running', {}), data['thread'].get(f'{name} runnable', {})
    same(f'{name}: runs', run.get('begun', 0), row['runs'])
    same(f'{name}: preempted', run.get('preempted', 0), row['preempted'])
    same(f'{name}: run time', run.get('total_ns', 0), row['run_ns'])
    same(f'{name}: wait time', wait.get('total_ns', 0), row['wait_ns'])
    same(f'{name}: longest wait', wait.get('max_ns', 0),
         max(other['max_ns'] or 0 for other in sched['sched'] if other['thread'] == name))

length = meta['length_ns']
for row in tables('cpu')['cpus']:
    for column, state in (('user', 'user'), ('kernel', 'kernel'), ('thread', 'running'), ('irq', 'hardirq'),
                          ('softirq', 'softirq'), ('idle', 'idle')):
        same(f'CPU {row["cpu"]}: {column}', of(data['cpu'], f'{row["cpu"]} {state}', 'total_ns'),
             round(row[column] * length))

syscall = tables('syscall')
for row in syscall['calls']:
    call = row['call']
    same(f'{call}: calls', of(data['call'], call, 'count'), row['calls'])
    same(f'{call}: errors', of(data['call'], call, 'errors'), row['errors'])
    same(f'{call}: time', of(data['call'], call, 'total_ns'), row['total_ns'])
for row in syscall['times']:
    for column in ('runnable_ns', 'blocked_ns', 'unknown_ns'):
        same(f'{row["call"]}: {column}', of(data['call'], row['call'], column), row[column])


def plot(kind, name, row, context=None):
    """Compare a distribution with the columns of a table."""
    plots = [plot for plot in meta['plots'] if plot['kind'] == kind and plot['name'] == name and
             (not context or meta['contexts'][plot['number'] - 1]['kind'] in context)]
    if len(plots) != 1 or row['max_ns'] is None:
        return
    for column in ('p50_ns', 'p99_ns', 'max_ns'):
        same(f'{kind} {name}: {column}', plots[0][column], row[column])
    same(f'{kind} {name}: parts', sum(part[2] for part in plots[0]['buckets']), plots[0]['count'])
    for column, wanted in (('p50_ns', row['p50_ns']), ('max_ns', row['max_ns'])):
        same(f'{kind} {name}: the part of {column}',
             any(part[0] <= wanted < part[1] for part in plots[0]['buckets']), True)


def only(rows):
    """Return the rows whose names are unique."""
    return [row for row in rows if sum(other['name'] == row['name'] for other in rows) == 1]


for row in syscall['calls']:
    plot('call', row['call'], row)

# lkstla irq is compared only without -p, because the page shows the interrupts of all threads.
irq = tables('irq') if '-p' not in options else defaultdict(list)
for table, kinds in (('irq', ('irq', 'timer_irq', 'ipi')), ('softirq', ('softirq',)), ('work', ('work',)),
                     ('function', ('tasklet', 'timer', 'hrtimer'))):
    for name, row in sums(irq[table], lambda row: row['name'], 'count', 'total_ns').items():
        spans = [of(data['context'], f'{kind} {name}', column) for column in ('begun', 'own_ns') for kind in kinds]
        same(f'{table} {name}', (sum(spans[:len(kinds)]), sum(spans[len(kinds):])), (row['count'], row['total_ns']))

for row in only(irq['irq']):
    plot('context', row['name'], row, ('irq', 'timer_irq', 'ipi'))
for row in only(irq['softirq']):
    plot('context', row['name'], row, ('softirq',))
for row in irq['delay']:
    plot('delay', row['name'], row)
block = tables('block')['block']
for row in block:
    plot('request', f'{row["device"]} {row["operation"]}', row)

for name, row in sums(block, lambda row: row['device'], 'requests', 'bytes').items():
    for column in ('requests', 'bytes'):
        same(f'{name}: {column}', of(data['block'], name, column), row[column])
    same(f'{name}: longest time in the queue', of(data['block'], name, 'queue_max_ns'),
         max(other['queue_max_ns'] or 0 for other in block if other['device'] == name))

for row in tables('net')['net']:
    name = f'{row["device"]} {row["way"]}'
    for column in ('packets', 'bytes', 'failed'):
        same(f'{name}: {column}', of(data['net'], name, column), row[column] or 0)

for kind, row in sums(tables('lock')['locks'], lambda row: row['kind'], 'waits').items():
    same(f'{kind}: waits', of(data['lock'], kind, 'ended'), row['waits'])

for event in meta['events']:
    same(f'{event["name"]}: stored', of(data['event'], str(event['type']), 'count'), event['stored'])
query = 'SELECT type, count(*) AS number FROM event WHERE type IS NOT NULL GROUP BY type'
if '-p' not in options:
    for row in json.loads(output('lkstla', 'sql', query, '-f', trace, '--json', *options))['sql']:
        same(f'{row["type"]}: events', sum(event['count'] for event in meta['events'] if event['name'] == row['type']),
             row['number'])

report = tables('report')
if report['window']:
    same('findings', [finding['text'] for finding in meta['findings']], [row['text'] for row in report['findings']])
# Leave out kernel threads, because lkstla why explains more about a kernel thread that the user
# names.
for why in [why for why in meta['whys'] if not meta['threads'][why['thread']]['kernel']][:3]:
    at = int(meta['begin_ns']) + (why['begin'] + why['end']) // 2
    text = output('lkstla', 'why', str(meta['threads'][why['thread']]['tid']), '--at', f'@{at // 10**9}.{at % 10**9:09}',
                  '-f', trace, *options)
    same(f'the delay at {at}', why['text'], text.decode().split('\n\n', 1)[1])
# The page also has the tables of lkstla report, with times since the start of the window.
if report['window']:
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'page.html')
        if '-p' not in options:
            output('lkstla', 'report', '--html', path, '-f', trace, *options)
            page = json.loads(output('node', decoder, path))['meta']
            same('the data of the report', {**page, 'report': 0}, {**meta, 'report': 0})
            for name in ('findings', 'worst', 'not_looked_for', 'cpus'):
                rows = [{column: value - int(meta['begin_ns']) if column in ('at_ns', 'begin_ns') and value else value
                         for column, value in row.items()} for row in report[name]]
                same(f'report: {name}', page['report']['tables'][name], rows)
            same('report: none', page['report']['none'] is None, bool(report['findings']))
            text = output('lkstla', 'report', '-f', trace, *options).decode()
            same('report: death', (page['report']['death'] or '') in text, True)

print(f'{compared} values compared, {differ} differ')
sys.exit(differ > 0)
