#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# logformat.pl: display LKST trace data (specification 4.7.3.6.1), with lkstbuf print.

use strict;
use warnings;
use File::Basename qw(dirname);
use File::Spec;
use Getopt::Long qw(GetOptionsFromArray);

use constant { FAILED => 1, USAGE => 2 };

my $usage = "Usage: logformat.pl [-c CPU] [-e EVENTS] [-n NUMBER] [-r] FILE\n";
my $help = <<"HELP";
$usage       logformat.pl -h

Display LKST trace data, newest event first.

  -c CPU     events of this CPU only
  -e EVENTS  words, separated by commas: names and numbers of events, 'int_*',
             class:memory, all; "!" before a word excludes its events; the last
             word that matches an event applies
  -n NUMBER  only the first NUMBER events
  -r         oldest event first
  -h         this help, and the names of all classes and events
  --help     this help
  FILE       trace file of "lkstbuf read" or lkstlogd; "-" is standard input
HELP

sub wrong {
	my ($what) = @_;

	print STDERR "logformat.pl: $what\n$usage";
	exit USAGE;
}

sub cannot_run {
	my ($program, $why) = @_;

	print STDERR "logformat.pl: $program: cannot be run: $why\n";
	exit FAILED;
}

# Exit with $status, or fail if not all output was written.
sub end_output {
	my ($status) = @_;

	if (!close STDOUT) {
		print STDERR "logformat.pl: standard output: $!\n";
		exit FAILED;
	}
	exit $status;
}

# Returns the kind of help requested, the options for lkstbuf print, and the remaining words.
sub read_options {
	my @words = @_;
	my (@options, $complaint);
	my $wanted = '';
	my $pass = sub { my ($name, $value) = @_; push @options, "-$name", $value; };

	Getopt::Long::Configure(qw(bundling no_ignore_case permute));
	local $SIG{__WARN__} = sub { $complaint //= lcfirst $_[0]; };
	GetOptionsFromArray(\@words,
		'c=s' => $pass,
		'e=s' => $pass,
		'n=s' => $pass,
		'r' => sub { push @options, '-r'; },
		'h' => sub { $wanted = 'names'; },
		'help' => sub { $wanted ||= 'help'; },
	);
	if (defined $complaint) {
		chomp $complaint;
		wrong($complaint);
	}
	return ($wanted, \@options, \@words);
}

# Return the path of lkstbuf: in the directory of this script or, if it is not there, in PATH.
sub find_lkstbuf {
	my $beside = File::Spec->catfile(dirname(File::Spec->rel2abs($0)), 'lkstbuf');

	return -x $beside && !-d _ ? $beside : 'lkstbuf';
}

# Replace this process with lkstbuf, so that its exit status or signal is passed on.
sub become {
	my @command = (find_lkstbuf(), @_);

	no warnings 'exec';
	exec { $command[0] } @command;
	cannot_run($command[0], $!);
}

# Print the lists of classes and events, which are the last part of the output of lkstbuf print -h.
sub show_names {
	my @file = @_;
	my @command = (find_lkstbuf(), 'print', '--no-pager', (map { ('-f', $_) } @file), '-h');
	my ($names, $text, $pid);

	{
		no warnings 'exec';
		$pid = open $names, '-|', @command;
	}
	cannot_run($command[0], $!) if !$pid;
	$text = do { local $/; <$names> };
	if (!close $names) {
		cannot_run($command[0], $!) if $!;
		exit($? & 127 ? FAILED : $? >> 8);
	}
	print $text =~ /^(Classes:.*)/ms;
	return;
}

my ($wanted, $options, $words) = read_options(@ARGV);

wrong('one file at a time: unexpected argument "' . $words->[1] . '"') if @$words > 1;
if ($wanted) {
	print $help;
	print "\n" if $wanted eq 'names';
	show_names(@$words) if $wanted eq 'names';
	end_output(0);
}
wrong('FILE is missing ("-" is standard input)') if !@$words;
become('print', @$options, '-f', $words->[0]);
