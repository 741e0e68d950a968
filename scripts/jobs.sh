# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Results of tests, and jobs that produce them side by side. Sourced by scripts/check.
#
# A job is a function that runs in a process of its own; what it prints is kept in a file and printed when
# it has ended, so that the output of two jobs does not mix. $results is where.

passed=0 failed=0 skipped=0
failures=()

if [ -t 1 ]; then
	green=$'\e[32m' red=$'\e[31m' yellow=$'\e[33m' plain=$'\e[0m'
else
	green='' red='' yellow='' plain=''
fi

# report ok|fail|skip NAME [DETAILS]
report() {
	case $1 in
	ok) passed=$((passed + 1)); printf '%sok%s    %s\n' "$green" "$plain" "$2" ;;
	skip) skipped=$((skipped + 1)); printf '%sskip%s  %s\n' "$yellow" "$plain" "$2" ;;
	fail)
		failed=$((failed + 1))
		printf '%sFAIL%s  %s\n' "$red" "$plain" "$2"
		failures+=("$2${3:+$'\n'$3}")
		;;
	esac
}

slots=$(nproc)		# how many CPUs jobs may use
slots_used=0
declare -A job_slots=() job_names=()	# by process
job_num=0

# The results of the job that this process is, for its parent.
job_save() {
	local job_counts=("$passed" "$failed" "$skipped") job_failures=("${failures[@]}")
	declare -p job_counts job_failures >"$1"
}

job_main() {
	local file=$1
	shift
	passed=0 failed=0 skipped=0 failures=()
	set +e
	"$@"
	job_save "$file.results"
}

# start_job SLOTS NAME COMMAND [ARG...]: as soon as there is room for it.
start_job() {
	local need=$1 name=$2 file
	shift 2
	[ "$need" -le "$slots" ] || need=$slots
	while [ $((slots_used + need)) -gt "$slots" ]; do
		reap_job
	done
	job_num=$((job_num + 1))
	file=${results:?}/jobs/$job_num
	mkdir -p "$results/jobs"
	# In a process group of its own, to be ended as a whole.
	set -m
	job_main "$file" "$@" >"$file.out" </dev/null &
	set +m
	job_slots[$!]=$need job_names[$!]=$file:$name
	slots_used=$((slots_used + need))
	say "running: $name"
}

# Waits for a job to end, and takes its results.
reap_job() {
	local pid='' status=0 file name job_counts=(0 0 0) job_failures=()
	wait -n -p pid || status=$?
	[ -n "$pid" ] || die "a job was lost"
	file=${job_names[$pid]%%:*} name=${job_names[$pid]#*:}
	slots_used=$((slots_used - job_slots[$pid]))
	unset "job_slots[$pid]" "job_names[$pid]"
	cat "$file.out"
	if [ -f "$file.results" ]; then
		# shellcheck disable=SC1090 # made by job_save
		. "$file.results"
		passed=$((passed + job_counts[0])) failed=$((failed + job_counts[1]))
		skipped=$((skipped + job_counts[2]))
		failures+=("${job_failures[@]}")
	else
		report fail "$name" "    ended with status $status and left no results"
	fi
}

finish_jobs() {
	while [ ${#job_names[@]} -gt 0 ]; do
		reap_job
	done
}

# End what is running.
kill_jobs() {
	local pid
	for pid in "${!job_names[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null || :
	done
}
trap kill_jobs EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
