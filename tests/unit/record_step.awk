# SPDX-License-Identifier: GPL-2.0
# From the compiler's assembler output for record_path.c: with -v stepped=1 a copy with a call of
# record_hook before each instruction, and record_stepped_* for record_plain_*; without, the code as it
# is, in a section of its own.

/^[ \t]*(\.text|\.section[ \t]+\.text)/ {
	print "\t.section text_record_" (stepped ? "stepped" : "plain") ",\"ax\",@progbits"
	next
}

# No padding: it would be executed, and nobody counts it.
/^[ \t]+\.p2align/ {
	next
}

# A line that is an instruction: neither a label nor a directive nor a comment.
stepped && /^[ \t]+[a-z]/ {
	if (!prefix)
		print "\tcall\trecord_hook"
	# clang puts a prefix on a line of its own.
	prefix = $0 ~ /^[ \t]+(lock|rep[a-z]*)[ \t;]*$/
}

{
	if (stepped)
		gsub(/record_plain_/, "record_stepped_")
	print
}
