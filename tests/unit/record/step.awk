# SPDX-License-Identifier: GPL-2.0
# Convert the compiler's assembler output for path.c or cpu.c. With -v stepped=1, insert a call to
# record_hook before each instruction, and rename record_plain_* to record_stepped_*. Without this
# option, keep the instructions unchanged. Either way, put the code into a separate section.

/^[ \t]*(\.text|\.section[ \t]+\.text)/ {
	print "\t.section text_record_" (stepped ? "stepped" : "plain") ",\"ax\",@progbits"
	next
}

# Remove alignment: the padding would be executed without being counted.
/^[ \t]+\.p2align/ {
	next
}

# An instruction. Labels, directives and comments do not match.
stepped && /^[ \t]+[a-z]/ {
	if (!prefix)
		print "\tcall\trecord_hook"
	# clang writes a prefix on a line of its own, and no call may follow it.
	prefix = $0 ~ /^[ \t]+(lock|rep[a-z]*)[ \t;]*$/
}

{
	if (stepped)
		gsub(/record_plain_/, "record_stepped_")
	print
}
