#!/bin/sh
# fix_rerun.sh - which fix is pending, and what the reruns say
set -u
. tests/e2e/lib.sh

db=$work/db

t 0 -q --db "$db" import "$data"/rerun/*.eml "$data/demo/examplefs.mbox"

# The fix, its way, and who said so; trees that nobody read.
t 0 --db "$db" fix 202401-3vp6ays4kd
want_out 'examplefs: do not write the log twice for concurrent fsync'
want_out 'by Mara Lindqvist <mara@example.org>, because of: closes'
want_out 'trees: not looked'
want_out 'tested by kernel test robot'
t 0 --db "$db" fix --json 202401-3vp6ays4kd
want_out '"schema":"culprit/fix/1","id":"202401-3vp6ays4kd"'
want_out '"patch_message_id":"20240117110000.6001-1-mara@example.org"'

# Each candidate has its verdict; the rows stand below, once a mail.
t 0 --db "$db" rerun 201703081105.5d0e7b93-lkp@intel.com
want_out 'not-recovered, high confidence: aim7.jobs-per-min'
want_out 'recovered, high confidence: aim7.jobs-per-min with 7b24e9d1c06f'
want_out 'note: contradicts the Tested-by in <dev-3@example.org>'
want_out 'measured in <eva-2@example.com>'
want_out '79485'
t 0 --db "$db" rerun --json 201703081105.5d0e7b93-lkp@intel.com
want_out '"schema":"culprit/rerun/1"'
want_out '"verdict":"not-recovered"'

# Measurements of another test are none of this item's; no fix is told so.
t 1 --db "$db" rerun 202401-mtzweb6sbc
want_out 'nothing was measured after it'
t 1 --db "$db" fix 202401-mtzweb6sbc
want_out 'no fix is known'
t 1 --db "$db" fix 199001-aaaaaaaaaa
want_error 'no tracked item'
t 2 --db "$db" rerun

done_
