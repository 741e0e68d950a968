#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# .ci/run repeats failed tests if there are only a few, and fails if they fail again or cannot be
# repeated. It runs in a fake checkout, where make and scripts/check only print results.

. "$(dirname "$0")/host.sh"
copy_checkout .ci
cd "$work/lkst" || bail_out "cannot change to the fake checkout"
mkdir scripts
# shellcheck disable=SC2016 # make expands it
printf 'check:\n\t@cat first; exit $$(cat status)\n' >Makefile
cat >scripts/check <<'END'
#!/bin/sh
echo "second run of $*"
echo '5 passed, 0 failed'
exit "$(cat status2)"
END
chmod +x scripts/check

# ci STATUS STATUS2 FAILED...: run .ci/run. The first run reports the failures FAILED, and make
# exits with STATUS. The second run exits with STATUS2. Prints the output and the exit status of
# .ci/run.
ci() {
	echo "$1" >status
	echo "$2" >status2
	shift 2
	{
		printf 'failed: %s\n' "$@"
		echo "90 passed, $# failed, 3 skipped"
	} >first
	.ci/run 2>&1
	echo "status $?"
}
# Each row: name of the test; pattern in the output; arguments of ci
while IFS='|' read -r name pattern arguments; do
	eval "set -- $arguments"
	contains "$name" "$(ci "$@" | tr '\n' ';')" "$pattern"
done <<'END'
a run without a failure is not repeated|^[^;]*;90 passed, 0 failed, 3 skipped;status 0;$|0 1
a test on the host is run again|running again: a\.t;second run of a\.t;|2 0 'host/a.t: x'
a test in a VM is run again, once for all its kernels|running again: b\.t;|2 0 'vm/b.t (base, 2 CPU): x' 'vm/b.t (debug, 2 CPU): y (and 2 more)'
such a test is named at the end|;repeated: a\.t: failed at first, passed in the second run;|2 0 'host/a.t: x'
the last line has the result of the first run|;The first run of all tests: 90 passed, 1 failed, 3 skipped;status 0;$|2 0 'host/a.t: x'
a test that fails again is a failure|second run of a\.t;5 passed, 0 failed;status 1;$|2 1 'host/a.t: x'
trouble in the kernel's messages is a failure|^failed: [^;]*;failed: [^;]*;[^;]*;[^;]*;status 2;$|2 0 'host/a.t: x' 'kernel log of boot 3 (base, 2 CPU)'
a unit test that fails is a failure|^failed: [^;]*;[^;]*;[^;]*;status 2;$|2 0 'unit: a.c:one: no'
a VM that does not boot is a failure|^failed: [^;]*;[^;]*;[^;]*;status 2;$|2 0 'vm (base, 2 CPU): boots and runs tests'
three tests may fail|running again: a\.t b\.t c\.t;|2 0 'host/a.t: x' 'host/b.t: x' 'host/c.t: x'
four tests may not|3 skipped;[^;]*;status 2;$|2 0 'host/a.t: x' 'host/b.t: x' 'host/c.t: x' 'vm/d.t (base): x'
a run that fails without naming a test is a failure|skipped;[^;]*;status 2;$|2 0
END
echo 2 >status
printf '%s\n' 'failed: host/a.t: x' '90 passed, 1 failed' >first
refused "after 50 minutes no test is run again" 2 '90 passed, 1 failed' env SECONDS=3001 .ci/run
lacks "and none is" "$tap_output" 'second run'
done_testing
