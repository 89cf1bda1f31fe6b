# peer.pl FILE PATHS - what each path of PATHS belongs to by FILE: the rules of
# MAINTAINERS with every pattern tried on every path, and no cleverness.
# One line a path: TITLE=DEPTH or TITLE=DEPTH! (exact), deepest first.
use strict;
use warnings;

my @sections;
open(my $in, '<', $ARGV[0]) or die;
while (my $line = <$in>) {
	$line =~ s/\s+$//;
	if ($line =~ /^([A-Z]):\s*(.*)$/) {
		next unless @sections;
		push @{$sections[-1]{values}}, [$1, $2];
	} elsif ($line ne '' && $line !~ /^\s*#/) {
		pop @sections if @sections && !@{$sections[-1]{values}};
		push @sections, {title => $line, values => []};
	}
}
pop @sections if @sections && !@{$sections[-1]{values}};

sub as_regex {
	my ($glob) = @_;
	$glob =~ s/\./\\./g;
	$glob =~ s/\*/.*/g;
	$glob =~ s/\?/./g;
	return $glob;
}

sub slashes {
	my ($text) = @_;
	return scalar(() = $text =~ m{/}g);
}

sub fits {
	my ($path, $regex) = @_;
	return 0 if $path !~ m{^$regex};
	return 1 if $regex =~ m{/$};
	return slashes($path) == slashes($regex);
}

sub belongs {
	my ($section, $path) = @_;
	my ($depth, $exact, $kept, $has_m);
	for my $v (@{$section->{values}}) {
		$kept = 1 if $v->[0] eq 'S' && $v->[1] =~ /maintain|support/i;
		$has_m = 1 if $v->[0] eq 'M';
		return if $v->[0] eq 'X' && fits($path, as_regex($v->[1]));
	}
	for my $v (@{$section->{values}}) {
		my ($type, $value) = @$v;
		if ($type eq 'N') {
			$depth = 0 if $path =~ m/$value/x;
		} elsif ($type eq 'F') {
			my $regex = as_regex($value);
			next unless fits($path, $regex);
			$depth = slashes($regex);
			$depth++ if $regex !~ m{/$};
			$depth = -1 if $regex =~ /^\.\*/;
			$exact = 1 if $depth >= slashes($path) && $kept &&
				      $has_m;
		}
	}
	return ($depth, $exact);
}

sub hidden {
	my ($section) = @_;
	return 1 if lc($section->{title}) eq 'the rest';
	my @where = grep { $_->[0] =~ /[FNK]/ } @{$section->{values}};
	my @all = grep { $_->[0] eq 'F' && $_->[1] =~ m{^\*/?$} } @where;
	return @all && @all == @where;
}

@sections = grep { !hidden($_) } @sections;
open(my $paths, '<', $ARGV[1]) or die;
while (my $path = <$paths>) {
	chomp $path;
	my @found;
	for my $section (@sections) {
		my ($depth, $exact) = belongs($section, $path);
		push @found, [$section->{title}, $depth, $exact]
			if defined $depth;
	}
	@found = sort { $b->[1] <=> $a->[1] } @found;
	print join(' ', map { "$_->[0]=$_->[1]" . ($_->[2] ? '!' : '') }
			@found), "\n";
}
