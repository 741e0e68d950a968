# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Results of tests, and jobs that produce them side by side. Sourced by scripts/check.
#
# A job is a function that runs in a process of its own; what it prints is kept in a file and printed when
# it has ended, so that the output of two jobs does not mix. $results is where. Jobs are queued first, and
# run_jobs starts the longest first: what ends last then is short, and no CPU waits for it.

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

slots=$(($(nproc) + 1))	# how many jobs may run; one that wants all CPUs for itself takes all slots
slots_used=0
job_num=0
declare -A job_slots=() job_files=()	# of those that run, by process
declare -A job_names=() job_needs=() job_commands=()	# of all, by number
job_queue=()		# numbers: what has not been started
declare -A job_waiting=()	# names of jobs that have not ended

# --- How long things take: what they took the last time is kept in the cache.

declare -A times_known=()

# Reads what earlier runs took: lines "NAME<tab>SECONDS".
times_load() {
	local name seconds
	[ -f "$times_file" ] || return 0
	while IFS=$'\t' read -r name seconds; do
		[[ $seconds =~ ^[0-9]+$ ]] && times_known[$name]=$seconds
	done <"$times_file"
}

# time_of NAME LIMIT: the seconds that NAME will take; its time limit, where nothing is known.
time_of() { echo "${times_known[$1]:-$2}"; }

# In a job: the CPU time, in seconds, of it and of what it has started.
job_cpu_time() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^.*) //' | awk -v group="$job_group" -v hz="$(getconf CLK_TCK)" '
		$3 == group { ticks += $12 + $13 + $14 + $15 } END { printf "%d\n", ticks / hz }'
}

# took NAME SECONDS CPU-SECONDS: in a job, for the next time and for results/times.
took() { printf '%s\t%d\t%d\n' "$1" "$2" "$3" >>"$results/times"; }

# Keeps what things took in this run.
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

# The results of the job that this process is, for its parent.
job_save() {
	local job_counts=("$passed" "$failed" "$skipped") job_failures=("${failures[@]}")
	declare -p job_counts job_failures >"$1"
}

job_main() {
	local file=$1 name=$2 cpu
	shift 2
	job_group=$BASHPID
	passed=0 failed=0 skipped=0 failures=()
	SECONDS=0
	set +e
	"$@"
	cpu=$(job_cpu_time)
	took "$name" $SECONDS "$cpu"
	printf '%s: %s, %s of CPU: %s\n' "$prog" "$(minutes $SECONDS)" "$(minutes "$cpu")" "$name"
	job_save "$file.results"
}

# add_job SLOTS SECONDS NAME NEEDS COMMAND [ARG...]: SECONDS is how long it may take. NEEDS are patterns, between
# blanks: jobs with such names have to end first.
add_job() {
	local num=$((job_num += 1)) need=$1
	[ "$need" -le "$slots" ] || need=$slots
	# Those that want all slots come last: nobody waits for one to be free then.
	job_queue+=("$need $2 $num")
	job_names[$num]=$3 job_needs[$num]=$4
	job_commands[$num]=$(printf '%q ' "${@:5}")
	job_waiting[$3]=1
}

# A name may hold what the shell would expand in an index.
job_forget() {
	local name=$1
	unset 'job_waiting[$name]'
}

# job_ready NUMBER: what it needs has ended.
job_ready() {
	local needs need name
	read -r -a needs <<<"${job_needs[$1]}"
	for need in "${needs[@]}"; do
		for name in "${!job_waiting[@]}"; do
			# shellcheck disable=SC2053 # it is a pattern
			[[ $name != $need ]] || return 1
		done
	done
}

# Starts the first job of the queue that has room and all that it needs; fails if there is none.
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

# start_job NUMBER SLOTS
start_job() {
	local num=$1 need=$2 file=${results:?}/jobs/$1 command
	mkdir -p "$results/jobs"
	eval "command=(${job_commands[$num]})"
	# In a process group of its own, to be ended as a whole.
	set -m
	job_main "$file" "${job_names[$num]}" "${command[@]}" >"$file.out" </dev/null &
	set +m
	job_slots[$!]=$need job_files[$!]=$num
	slots_used=$((slots_used + need))
	say "running: ${job_names[$num]}"
}

# Waits for a job to end, and takes its results.
reap_job() {
	local pid='' status=0 num file job_counts=(0 0 0) job_failures=()
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
		failures+=("${job_failures[@]}")
	else
		report fail "${job_names[$num]}" "    ended with status $status and left no results"
	fi
}

# Runs all that was queued.
run_jobs() {
	mapfile -t job_queue < <(printf '%s\n' "${job_queue[@]}" | sort -k 1,1n -k 2,2nr -k 3,3n)
	while :; do
		while start_next; do :; done
		[ ${#job_files[@]} -gt 0 ] || break
		reap_job
	done
}

# End what is running.
kill_jobs() {
	local pid
	for pid in "${!job_files[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null || :
	done
}
trap kill_jobs EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
