#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bash and zsh complete the command lines of LKST's commands, even without a device.

. "$(dirname "$0")/host.sh"
use_tools
export top
programs=$(sed -n 's/^commands *:= *//p' "$top/tools/lkst/Makefile")
# fake_command COMMAND LIST: create a fake of the command. Its subcommand "list" prints LIST instead
# of the objects in the kernel. Completion calls these commands in both shells.
mkdir bin
# shellcheck disable=SC2016 # the fake expands it
fake_command() {
	printf '#!/bin/sh\n[ "$1" != list ] || { cat <<-END; exit; }\n%s\nEND\nexec %s/build/bin/%s "$@"\n' "$2" "$top" "$1" >"bin/$1"
	chmod +x "bin/$1"
}
fake_command lkstm $'  id  name state\n   0  nothing -\n   7  mine -'
fake_command lksteh $'   id  name\n0x000  none\n0x001  entry_log'
fake_command lkstbuf $' CPU buffer size\n   0  0  1\n   0  3  1\n   1  0  1'
cat >bin/lkstm.events <<'END'
#!/bin/sh
case $* in
'event list --available') printf '%s\n' 'sched:sched_switch(bool preempt)' 'sched:sched_wakeup(struct task_struct *p)' ;;
'event list') printf '%s\n' ' type  name  state' '0x200  sched:mine  on' ;;
*) exec bin/lkstm.lists "$@" ;;
esac
END
chmod +x bin/lkstm.events
mv bin/lkstm bin/lkstm.lists
mv bin/lkstm.events bin/lkstm
sed -i "s,bin/lkstm.lists,$work/bin/lkstm.lists," bin/lkstm
PATH=$work/bin:$PATH
touch trace 'tra b'

# --- completing a command line at its end

# shellcheck source=../../tools/lkst/share/completion.bash
. "$top/tools/lkst/share/completion.bash"
# bash_completes LINE: print what bash offers at the end of LINE
bash_completes() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	_lkst "${1%% *}"
	printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' ' | sed 's/^ *//; s/ $//'
}

# zsh_completes LINE: print what zsh offers at the end of LINE. zsh's completion functions are
# replaced by ones that print the words zsh would offer.
cat >zsh_completes <<'END'
emulate zsh
line=$1
words=(${(z)line})
[[ $line != *' ' ]] || words+=('')
CURRENT=$#words
PREFIX=${words[CURRENT]#[\"\']}
IPREFIX=''
compset() {
	[[ $1 == -P ]] || return 1
	local cut=${(M)PREFIX##${~2}}
	[[ -n $cut ]] || return 1
	IPREFIX+=$cut
	PREFIX=${PREFIX#$cut}
}
show() { local word; for word; do [[ $word == ${PREFIX}* ]] && print -r -- $word; done; true }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; show "$@" }
_describe() { [[ $1 != -o ]] || shift; show ${${(P)2}%%:*} }
_files() { show *(N) }
source $top/tools/lkst/share/completion.zsh
END
zsh_completes() { zsh -f zsh_completes "$1" 2>&1 | sort -u | tr '\n' ' ' | sed 's/^ *//; s/ $//'; }

# completes LINE WANTED [BASH]: test that both shells offer WANTED at the end of LINE. BASH is what
# bash must offer if that differs from WANTED, because bash sees only the part after the last colon
# or blank.
completes() {
	is "bash: $1<TAB>" "$(bash_completes "$1")" "${3:-$2}"
	is "zsh: $1<TAB>" "$(zsh_completes "$1")" "$2"
}

completes 'lkst st' 'start stat status stop'
completes 'lkst help d' 'dump'
completes 'lkst start --no' '--no-state-dump'
completes 'lksteh c' 'c control ctrl'
completes 'lksteh ctrl -e e' 'entry_log'
completes 'lkstm copy -n m' 'mine'
completes 'lksteh ctrl -f tr' 'tra b trace'
completes 'lksteh bpf tr' 'tra b trace'
completes 'lksteh bpf --delete e' 'entry_log'
completes 'lkstm del -n m' 'mine'
completes 'lkstm set -m ' '0 7'
completes 'lkstm config system_call_e' 'system_call_entry system_call_exit'
completes 'lkstm config -n mine system_call_e' 'system_call_entry system_call_exit'
completes 'lkstm config class:m' 'class:mark class:memory class:module' 'mark memory module'
completes 'lkstm conf class:memory,class:n' 'class:network' 'network'
completes 'lkstm config class:memory ' 'entry_log none off on'
completes 'lkstm config -m 7 class:memory e' 'entry_log'
completes 'lkstm config class:memory entry_log ' ''
completes 'lkstm event ' 'add list remove'
completes 'lkstm event add sched:sched_s' 'sched:sched_switch' 'sched_switch'
completes 'lkstm event list -a sched:' 'sched:sched_switch sched:sched_wakeup' 'sched_switch sched_wakeup'
completes 'lkstm event remove s' 'sched:mine'
completes 'lkstm event add sched:sched_switch x' ''
completes 'lkstm config user_mark entry_log -' '--help -m -n'
completes 'lkstm rule -n mine system_call_e' 'system_call_entry system_call_exit'
completes 'lkstm rule -m 7 class:memory i' 'if'
completes 'lkstm limit -n m' 'mine'
completes 'lkstm limit --c' '--cgroup --children --clear --cpu'
completes 'lkstbuf print -e system_call_en' 'system_call_entry'
completes 'lkstbuf print -e user_mark,system_call_en' 'system_call_entry' 'user_mark,system_call_entry'
completes "lkstbuf print -e 'all,!system_call_en" 'system_call_entry' 'all,!system_call_entry'
completes 'lkstbuf print --where sect' 'sector'
completes "lkstbuf print --where 'sector>=8&&devi" 'device' 'sector>=8&&device'
completes "lkstbuf read --where '!(mig" 'migratetype' '!(migratetype'
completes 'lkstbuf print -c ' '0 1'
completes 'lkstbuf read --trace tr' 'tra b trace'
completes 'lkstbuf read -e user_m' 'user_mark'
completes 'lkstbuf print --time r' 'raw relative'
completes 'lkstbuf print --time=l' 'local'
completes 'lkstbuf export --format p' 'perfetto'
completes 'lkstbuf export --format=ch' 'chrome'
completes 'lkstbuf export --format fo' 'folded'
completes 'lkstbuf export --format t' 'trace.dat'
completes 'lkstbuf export -o tr' 'tra b trace'
completes 'lkstbuf delete -b ' '0 3'
completes 'lkstbuf jump --cpu 1' '1'
completes 'lkstbuf create -s ' ''
completes 'lkstlogger -ev user_m' 'user_mark'
completes 'lkstla cpu tr' 'tra b trace'
completes 'lkstla cpu --children -c ' '0 1'
completes 'lkstla c' 'cpu'
completes 'lkstla report --threshold cpu' 'cpu-offline= cpu-wait='
completes 'lkstla report --threshold=io' 'io-error='
completes 'lkstla d' 'diff'
completes 'lkstla help c' 'cpu'
completes 'lkstlogger v' 'ver version'
completes 'lkstlogd -c trac' 'trace'
completes 'lkstlogd --maskset m' 'mine'
completes 'lkst config tr' 'tra b trace'
completes 'lkstlogd -f trac' 'trace'
completes 'logformat.pl trac' 'trace'
completes 'logformat.pl -e user_m' 'user_mark'

# --- every subcommand and option in the output of --help is completed

all_options() { "$@" --help | grep -oE '^  (-[^ ,]*)(, (-[^ ]*))?' | tr -d ' ' | tr ',' '\n' |
	sed 's/--\[no-\]\(.*\)/--\1\n--no-\1/'; }
offers() {	# SHELL LINE WANTED...: test that the shell offers each of these words
	offers_shell=$1 offers_line=$2
	shift 2
	offered=" $("${offers_shell}_completes" "$offers_line") "
	lacking=''
	for word; do
		case $offered in *" $word "*) ;; *) lacking="$lacking $word" ;; esac
	done
	is "$offers_shell: $offers_line<TAB> offers everything that --help lists" "$lacking" ''
}
for shell in bash zsh; do
	for program in $programs; do
		case $program in
		lkstlogger | lkstlogd)
			# shellcheck disable=SC2046 # unquoted, to split it into words
			offers $shell "$program -" $(all_options "$program")
			continue
			;;
		esac
		names=$("$program" help | sed -n 's/^  \([a-z/-]*\(, [a-z/-]*\)*\)  *[a-z].*/\1/p' | tr '/,' '  ')
		# shellcheck disable=SC2086 # unquoted, to split it into words
		offers $shell "$program " $names
		for name in $names; do
			case $name in help | version | ver) continue ;; esac
			# shellcheck disable=SC2046 # unquoted, to split it into words
			offers $shell "$program $name -" $(all_options "$program" "$name") --help
		done
	done
done

# --- the shells know the commands

for program in $programs logformat.pl; do
	contains "bash completes $program" "$(complete -p "$program" 2>&1)" '_lkst'
	contains "zsh completes $program" "$(head -n 1 "$top/tools/lkst/share/completion.zsh")" "^#compdef.* $program( |\$)"
done

# Test completion in an interactive zsh on a terminal.
mkdir functions
cp "$top/tools/lkst/share/completion.zsh" functions/_lkst
cat >terminal <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump; echo READ''Y"
zpty -r shell output '*READY*'
zpty -w -n shell $'lkstm set -n mi\t'
zpty -r shell output '*mine*'
print -r -- $output
zpty -d shell
END
contains 'zsh on a terminal completes the name of a maskset' "$(timeout 300 zsh -f terminal 2>&1 | tr -d '\r')" 'mine'
done_testing
