# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Test results, and jobs that produce them in parallel. Sourced by scripts/check.
#
# A job is a function that runs in a separate process. Its output goes to a file in $results, and is
# printed when the job has ended, so that the output of two jobs does not mix. Jobs are queued
# first. run_jobs starts the longest jobs first, so that only short jobs are left at the end and no
# CPU is idle for long.

passed=0 failed=0 skipped=0
failures=()
repeated=()	# messages that say which test was run again, and why: see repeat() of scripts/check

if [ -t 1 ]; then
	green=$'\e[32m' red=$'\e[31m' yellow=$'\e[33m' plain=$'\e[0m'
else
	green='' red='' yellow='' plain=''
fi

# report ok|fail|skip NAME [DETAILS]: counts and prints a test result. The details of a failure are
# kept for the summary.
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

slots=$(($(nproc) + 1))	# number of parallel jobs; a job that needs all CPUs takes all slots
slots_used=0
job_num=0
declare -A job_slots=() job_files=()	# slots and job number of each running job, by process id
declare -A job_names=() job_needs=() job_commands=()	# name, needs and command of each job, by job number
job_queue=()		# jobs that have not been started
declare -A job_waiting=()	# names of jobs that have not ended

# --- Durations of jobs. Those of the last run are kept in the cache.

declare -A times_known=()

# Reads the durations of earlier runs: lines "NAME<tab>SECONDS".
times_load() {
	local name seconds
	[ -f "$times_file" ] || return 0
	while IFS=$'\t' read -r name seconds; do
		[[ $seconds =~ ^[0-9]+$ ]] && times_known[$name]=$seconds
	done <"$times_file"
}

# time_of NAME LIMIT: prints the expected duration of NAME in seconds; if unknown, its time limit.
time_of() { echo "${times_known[$1]:-$2}"; }

# Called in a job: prints the CPU time, in seconds, of the job and its child processes.
job_cpu_time() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^.*) //' | awk -v group="$job_group" -v hz="$(getconf CLK_TCK)" '
		$3 == group { ticks += $12 + $13 + $14 + $15 } END { printf "%d\n", ticks / hz }'
}

# took NAME SECONDS CPU-SECONDS: called in a job, adds a line to results/times.
took() { printf '%s\t%d\t%d\n' "$1" "$2" "$3" >>"$results/times"; }

# Stores the durations of this run in the cache, and sorts results/times.
times_keep() {
	local name seconds _
	[ -f "$results/times" ] || return 0
	while IFS=$'\t' read -r name seconds _; do
		[[ $name == 'boot '* ]] || times_known[$name]=$seconds
	done <"$results/times"
	mkdir -p "$(dirname "$times_file")"
	for name in "${!times_known[@]}"; do
		printf '%s\t%d\n' "$name" "${times_known[$name]}"
	done >"$times_file.$$"
	mv "$times_file.$$" "$times_file"
	sort -t $'\t' -k 2,2nr -o "$results/times" "$results/times"
}

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# --- Jobs

# Called in a job: stores the results of the job in file $1 for the parent.
job_save() {
	local job_counts=("$passed" "$failed" "$skipped") job_failures=("${failures[@]}") job_repeated=("${repeated[@]}")
	declare -p job_counts job_failures job_repeated >"$1"
}

job_main() {
	local file=$1 name=$2 cpu
	shift 2
	job_group=$BASHPID
	passed=0 failed=0 skipped=0 failures=() repeated=()
	SECONDS=0
	set +e
	"$@"
	cpu=$(job_cpu_time)
	took "$name" $SECONDS "$cpu"
	printf '%s: %s, %s of CPU: %s\n' "$prog" "$(minutes $SECONDS)" "$(minutes "$cpu")" "$name"
	job_save "$file.results"
}

# add_job SLOTS SECONDS NAME NEEDS COMMAND [ARG...]: queues a job. SECONDS is its expected duration.
# NEEDS is a list of patterns, separated by spaces: jobs with matching names must end first.
add_job() {
	local num=$((job_num += 1)) need=$1
	[ "$need" -le "$slots" ] || need=$slots
	# Jobs that need all slots are sorted last: they start when no other job is waiting for a
	# slot.
	job_queue+=("$need $2 $num")
	job_names[$num]=$3 job_needs[$num]=$4
	job_commands[$num]=$(printf '%q ' "${@:5}")
	job_waiting[$3]=1
}

# Marks job $1 as ended. The index is in single quotes, because the name may contain characters that
# the shell would expand.
job_forget() {
	local name=$1
	unset 'job_waiting[$name]'
}

# job_ready NUMBER: whether all jobs that job NUMBER needs have ended.
job_ready() {
	local needs need name
	read -r -a needs <<<"${job_needs[$1]}"
	for need in "${needs[@]}"; do
		for name in "${!job_waiting[@]}"; do
			# shellcheck disable=SC2053 # unquoted, because it is a pattern
			[[ $name != $need ]] || return 1
		done
	done
}

# Starts the first queued job that is ready and for which enough slots are free. Fails if there is
# no such job.
start_next() {
	local i need num
	for i in "${!job_queue[@]}"; do
		read -r need _ num <<<"${job_queue[i]}"
		if [ $((slots_used + need)) -le "$slots" ] && job_ready "$num"; then
			unset "job_queue[i]"
			start_job "$num" "$need"
			return
		fi
	done
	return 1
}

# start_job NUMBER SLOTS: starts a job in the background.
start_job() {
	local num=$1 need=$2 file=${results:?}/jobs/$1 command
	mkdir -p "$results/jobs"
	eval "command=(${job_commands[$num]})"
	# Run the job in its own process group, so that it can be killed as a whole.
	set -m
	job_main "$file" "${job_names[$num]}" "${command[@]}" >"$file.out" </dev/null &
	set +m
	job_slots[$!]=$need job_files[$!]=$num
	slots_used=$((slots_used + need))
	say "running: ${job_names[$num]}"
}

# Waits for a job to end, and adds its results.
reap_job() {
	local pid='' status=0 num file job_counts=(0 0 0) job_failures=() job_repeated=()
	wait -n -p pid || status=$?
	[ -n "$pid" ] || die "a job was lost"
	num=${job_files[$pid]} file=$results/jobs/${job_files[$pid]}
	slots_used=$((slots_used - job_slots[$pid]))
	unset "job_slots[$pid]" "job_files[$pid]"
	job_forget "${job_names[$num]}"
	cat "$file.out"
	if [ -f "$file.results" ]; then
		# shellcheck disable=SC1090 # made by job_save
		. "$file.results"
		passed=$((passed + job_counts[0])) failed=$((failed + job_counts[1]))
		skipped=$((skipped + job_counts[2]))
		failures+=("${job_failures[@]}") repeated+=("${job_repeated[@]}")
	else
		report fail "${job_names[$num]}" "    exited with status $status and without results"
	fi
}

# Runs all queued jobs.
run_jobs() {
	mapfile -t job_queue < <(printf '%s\n' "${job_queue[@]}" | sort -k 1,1n -k 2,2nr -k 3,3n)
	while :; do
		while start_next; do :; done
		[ ${#job_files[@]} -gt 0 ] || break
		reap_job
	done
}

# Terminates the running jobs.
kill_jobs() {
	local pid
	for pid in "${!job_files[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null || :
	done
}
trap kill_jobs EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
