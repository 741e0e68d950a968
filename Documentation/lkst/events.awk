# SPDX-License-Identifier: GPL-2.0
# awk -f events.awk /proc/lkst_etypes events.in >events.rst
#
# The table of event types as a kernel has it, into the text of events.in: each line ".. events:: FIRST LAST" there
# becomes the table of the types in that range.

BEGIN {
	later["CPU_IPI_SEND"] = "tp:ipi_send_cpu, from Linux 6.4 on"
	split("dec number;udec number;hex hexadecimal;ptr address;sym code address;text text;tid thread;" \
	      "state task state;sig signal;err result or error;sys system call;abi ABI;clone clone flags;" \
	      "wstatus wait status;irq interrupt;vec vector;trap exception;softirq softirq;" \
	      "pfcode page fault error code;fault fault flags;gfp GFP flags;migrate mobility;dev block device;" \
	      "blkop operation;etype Ethernet type;drop drop reason;tcp TCP state;af address family;" \
	      "ipproto IP protocol;ipcflg IPC flags;msgflg IPC flags;shmflg IPC flags;lcb kind of lock;" \
	      "level message level;detector detector;lockup kind of lockup;reg register;dump reason;cpu CPU;" \
	      "clock clock;sec seconds;nsec nanoseconds;mset maskset;evh event handler;buf buffer;code error code",
	      list, ";")
	for (i in list)
		words[substr(list[i], 1, index(list[i], " ") - 1)] = substr(list[i], index(list[i], " ") + 1)
}

# One value: label:format
function value(text,    at, format) {
	at = index(text, ":")
	format = at ? substr(text, at + 1) : "hex"
	if (!(format in words)) {
		print "events.awk: no words for the format " format > "/dev/stderr"
		failed = 1
	}
	return "``" (at ? substr(text, 1, at - 1) : text) "`` " words[format]
}

# All arguments; a text that goes on in the next one is one.
function arguments(    i, n, part, text, last, comma) {
	for (i = 1; i <= 4; i++) {
		if (arg[i] == "" || arg[i] == last)
			continue
		last = arg[i] ~ /:text$/ ? arg[i] : ""
		n = split(arg[i], part, ",")
		text = text comma value(part[1]) (n > 1 ? " : " value(part[2]) : "")
		comma = "; "
	}
	return text == "" ? "none" : text
}

function table(first, last,    i) {
	print ".. csv-table::"
	print "   :delim: |"
	print "   :header-rows: 1"
	print "   :widths: 8 22 25 45"
	print ""
	print "   number | name | comes from | arguments"
	for (i = 0; i < num; i++)
		if (number[i] >= first && number[i] <= last) {
			print row[i]
			shown[i] = 1
		}
}

/^#/ && FNR == NR { next }

FNR == NR {
	line = $0
	gsub(/,/, ", ", $4)
	source = $4
	# What not each kernel has. Where it is, it comes from there.
	if ($2 in later) {
		source = later[$2]
		if ($5 == "present" && index(source, $4 ",") != 1) {
			print "events.awk: " $2 " comes from " $4 > "/dev/stderr"
			failed = 1
		}
	}
	sub(/^[^"]*"/, "", line)
	sub(/"$/, "", line)
	n = split(line, text, /" "/)
	for (i = 1; i <= 4; i++)
		arg[i] = text[i + 1]
	number[num] = $1
	row[num++] = sprintf("   %s | %s | %s | %s", $1, text[1], source, arguments())
	next
}

FNR == 1 {
	print ".. SPDX-License-Identifier: GPL-2.0"
	print ".. Made by events.awk from events.in and /proc/lkst_etypes; edit these."
	next
}

$1 == ".." && $2 == "events::" { table($3, $4); next }

{ print }

END {
	for (i = 0; i < num; i++)
		if (!shown[i]) {
			print "events.awk: " number[i] " is in no table of events.in" > "/dev/stderr"
			failed = 1
		}
	exit failed
}
