-- derived.sql - what follows from the raw mail
--
-- Thrown away and made again by archive_rebuild(). Two databases with the
-- same mail hold the same facts here, whatever the order of arrival, but not
-- the same ids: ids are internal, never shown to anyone, and change with a
-- rebuild. `node` is the id of a Message-ID in all of these tables.
--
-- Times are seconds since 1970 in UTC. NULL is "unknown", never 0 or "".
-- Numbers of enums are those of the headers of mail/ (mail_kind, link_role,
-- commit_role, trailer_where, report_category, report_direction, table_*).

-- ---- names kept once ----------------------------------------------

-- Lower-case addresses: one person is one of these (by address).
CREATE TABLE address (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- People as written.
CREATE TABLE person (
	id INTEGER PRIMARY KEY,
	address INTEGER NOT NULL REFERENCES address,
	name TEXT NOT NULL,    -- "" if none
	written TEXT NOT NULL, -- the address as written
	UNIQUE (address, name, written)
) STRICT;

-- Paths of files in diffs.
CREATE TABLE path (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- Short strings that repeat: trailer keys, ends of URLs.
CREATE TABLE string (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- ---- threads ------------------------------------------------------

-- Every Message-ID seen: of a mail, or only in references (a ghost).
CREATE TABLE node (
	id INTEGER PRIMARY KEY,
	mid TEXT NOT NULL UNIQUE, -- without <>
	tid INTEGER NOT NULL,     -- the thread it is in; not stable
	raw INTEGER,    -- the primary copy; NULL: a ghost
	date INTEGER,   -- NULL for a ghost and where there is none
	parent INTEGER, -- node: the raw claim of the mail, cycles not broken;
			-- NULL for ghosts: theirs is found when reading
	marc TEXT       -- an id that is the parent if it is a real message
) STRICT;
CREATE INDEX node_tid ON node (tid);

-- Size of each thread: the smaller one is relabelled when two join.
CREATE TABLE thread (
	tid INTEGER PRIMARY KEY,
	size INTEGER NOT NULL -- nodes, ghosts included
) STRICT;

-- message_thread_ids() of every raw (all copies join threads). seq counts the
-- References from 0, ids of In-Reply-To alone -1, -2 ..., further Message-IDs
-- of the mail itself -10000, -10001 ...
CREATE TABLE ref (
	raw INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	node INTEGER NOT NULL,
	PRIMARY KEY (raw, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX ref_node ON ref (node);

-- Who waits for an id read out of a marc.info header to become real.
CREATE TABLE marc (
	mid TEXT NOT NULL,
	raw INTEGER NOT NULL,
	PRIMARY KEY (mid, raw)
) STRICT, WITHOUT ROWID;

-- ---- one reading of each message (its primary copy) ---------------

CREATE TABLE message (
	node INTEGER PRIMARY KEY,
	kind INTEGER NOT NULL,   -- enum mail_kind
	copies INTEGER NOT NULL DEFAULT 1, -- different mails sharing this id
	person INTEGER NOT NULL REFERENCES person, -- the true author
	zone INTEGER,            -- of Date as written: -130 for "-0130"
	rerun INTEGER NOT NULL,
	subject TEXT NOT NULL    -- decoded, whole
) STRICT;

-- A row for each message made, made again from another copy, or removed: who
-- keeps something beside this database follows it from the last seq it saw
-- (as long as meta 'generation' is the same). A node without a message row
-- was removed.
CREATE TABLE change (
	seq INTEGER PRIMARY KEY,
	node INTEGER NOT NULL
) STRICT;

-- Trailers of a message, unquoted ones only. `trailer_text` has the strings.
CREATE TABLE trailer (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	key INTEGER NOT NULL REFERENCES string, -- "Reviewed-by"
	person INTEGER REFERENCES person,
	place INTEGER NOT NULL,   -- enum trailer_where
	relayed INTEGER NOT NULL, -- 1: given for somebody else
	counts INTEGER NOT NULL,  -- 0: a joke or a negation
	note TEXT,                -- after '#', or [note]
	value TEXT,               -- NULL: it is "name <address>"
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

CREATE VIEW trailer_text AS
	SELECT t.node, t.seq, k.text AS key, t.person, p.name,
	       p.written AS address, p.address AS address_id, t.place,
	       t.relayed, t.counts, t.note,
	       coalesce(t.value, CASE WHEN p.name = '' THEN '<' ELSE
			p.name || ' <' END || p.written || '>') AS value
	FROM trailer t JOIN string k ON k.id = t.key
	LEFT JOIN person p ON p.id = t.person;

-- Links in the unquoted lines. `link_url` has the whole URL.
CREATE TABLE link (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	role INTEGER NOT NULL, -- enum link_role
	mid TEXT,              -- the Message-ID inside an archive URL
	head INTEGER REFERENCES string, -- what stands before and behind it
	tail INTEGER REFERENCES string,
	url TEXT,              -- where head, mid, tail don't make it
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_mid ON link (mid) WHERE mid IS NOT NULL;

CREATE VIEW link_url AS
	SELECT l.node, l.seq, l.role, l.mid,
	       coalesce(l.url, h.text || l.mid || t.text) AS url
	FROM link l LEFT JOIN string h ON h.id = l.head
	LEFT JOIN string t ON t.id = l.tail;

-- Commits mentioned in the unquoted lines.
CREATE TABLE commit_ref (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	role INTEGER NOT NULL, -- enum commit_role
	id TEXT NOT NULL,      -- lower-case hex, 7 to 64 digits
	subject TEXT,          -- ("title") after it
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX commit_ref_id ON commit_ref (id);

-- What a series is assembled from: every patch, cover, reply with a diff of
-- its own, mail with [PATCH] or n/m in its subject, and any mail that is no
-- reply and holds a diffstat (a cover without marks).
CREATE TABLE patch (
	node INTEGER PRIMARY KEY,
	date INTEGER,              -- as node.date
	sender INTEGER NOT NULL REFERENCES address, -- From, un-munged
	author INTEGER NOT NULL REFERENCES address, -- in-body From wins
	author_person INTEGER NOT NULL REFERENCES person,
	patch_like INTEGER NOT NULL, -- 1: kind patch or cover by its subject
	reply INTEGER NOT NULL,
	version INTEGER NOT NULL,  -- 1 if not stated
	version_stated INTEGER NOT NULL,
	number INTEGER,            -- 0 cover; NULL not numbered
	total INTEGER,             -- NULL not numbered, or "3/n"
	rfc INTEGER NOT NULL,
	resend INTEGER NOT NULL,
	stable INTEGER NOT NULL,
	has_diff INTEGER NOT NULL,
	has_diffstat INTEGER NOT NULL, -- " n files changed" stands in it
	insertions INTEGER,        -- NULL without a diff
	deletions INTEGER,
	title_key TEXT NOT NULL,   -- subject_key() of the title
	title TEXT,                -- NULL: the subject without its brackets
	tags TEXT NOT NULL,        -- other prefixes, case-folded, by ','
	patch_id BLOB,             -- 20 bytes, git's stable one
	mended_id BLOB,            -- struct diff.mended_id
	blobs BLOB,                -- 8 bytes: diff_blobs_key()
	change_id TEXT,
	base_commit TEXT,
	backport_of TEXT,          -- hex of "commit X upstream"
	prerequisites TEXT,        -- "patch-id: X" ..., by newline
	older TEXT                 -- ids of older versions it links, by newline
) STRICT;
CREATE INDEX patch_patch_id ON patch (patch_id) WHERE patch_id IS NOT NULL;
CREATE INDEX patch_mended_id ON patch (mended_id) WHERE mended_id IS NOT NULL;
CREATE INDEX patch_blobs ON patch (blobs) WHERE blobs IS NOT NULL;
CREATE INDEX patch_change_id ON patch (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX patch_date ON patch (date);
CREATE INDEX patch_title ON patch (title_key);
CREATE INDEX patch_set ON patch (sender, version, total, date)
	WHERE total IS NOT NULL;

-- Files of a patch's diff.
CREATE TABLE patch_file (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	path INTEGER NOT NULL REFERENCES path, -- the new one
	old_path INTEGER REFERENCES path,      -- set for renames and copies
	status INTEGER NOT NULL, -- 0 changed, 1 added, 2 deleted
	binary INTEGER NOT NULL,
	insertions INTEGER NOT NULL,
	deletions INTEGER NOT NULL,
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX patch_file_path ON patch_file (path);

-- Pull requests.
CREATE TABLE pull (
	node INTEGER PRIMARY KEY,
	url TEXT,
	ref TEXT,
	base TEXT,
	commits INTEGER
) STRICT;

-- Robots' reports: struct report. Lists are joined by newlines.
CREATE TABLE report (
	node INTEGER PRIMARY KEY,
	robot TEXT NOT NULL,
	category INTEGER NOT NULL,  -- enum report_category
	direction INTEGER NOT NULL, -- enum report_direction, 0 unknown
	metric TEXT,
	change REAL,
	commit_id TEXT,
	commit_subject TEXT,
	base TEXT,
	base_tree TEXT,
	branch TEXT,
	patch_url TEXT,
	patch_mid TEXT,
	testcase TEXT,
	machine TEXT,      -- in words
	tbox TEXT,         -- its short name
	compiler TEXT,
	config TEXT,
	parameters TEXT,   -- "key: value"
	tags_offered TEXT, -- "Key: value"
	artifacts TEXT,    -- URLs
	still_on TEXT,     -- "status TAB commit or nothing TAB tree"
	errors TEXT,       -- what is new
	bug_id TEXT,
	title TEXT
) STRICT;
CREATE INDEX report_commit ON report (commit_id) WHERE commit_id IS NOT NULL;
CREATE INDEX report_bug ON report (bug_id)
	WHERE bug_id IS NOT NULL AND commit_id IS NOT NULL;

-- Comparison tables of a message: struct table. Rows of monitors, rejects and
-- findings are not kept: who wants them reads the mail again.
CREATE TABLE measure (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	style INTEGER NOT NULL, -- enum table_style
	depth INTEGER NOT NULL,
	line INTEGER NOT NULL,
	headless INTEGER NOT NULL,
	title TEXT,
	axes TEXT,              -- "key=value" lines
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE measure_column (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	col INTEGER NOT NULL,
	label TEXT,
	commit_id TEXT,
	subject TEXT,
	equation TEXT,
	role INTEGER NOT NULL,        -- enum table_role
	runs INTEGER NOT NULL,        -- 0 unknown
	runs_source INTEGER NOT NULL, -- enum table_runs_source
	PRIMARY KEY (node, seq, col)
) STRICT, WITHOUT ROWID;
CREATE INDEX measure_commit ON measure_column (substr(commit_id, 1, 8))
	WHERE commit_id IS NOT NULL;

CREATE TABLE measure_row (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	row INTEGER NOT NULL,       -- from 0, without those left out
	metric INTEGER NOT NULL REFERENCES string,
	kind INTEGER NOT NULL,      -- enum table_row_kind
	direction INTEGER NOT NULL, -- enum metric_direction
	line INTEGER NOT NULL,
	series TEXT,                -- test_key: NULL if test or machine are
	strict TEXT,                -- not known
	PRIMARY KEY (node, seq, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX measure_series ON measure_row (series) WHERE series IS NOT NULL;

CREATE TABLE measure_cell (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	row INTEGER NOT NULL,
	col INTEGER NOT NULL,
	printed TEXT,
	mean REAL,
	sd_pct REAL,
	change_printed TEXT,
	change REAL,
	change_kind INTEGER NOT NULL, -- enum table_change
	base_zero INTEGER NOT NULL,
	fails INTEGER,
	runs INTEGER,
	PRIMARY KEY (node, seq, row, col)
) STRICT, WITHOUT ROWID;

-- What is wrong with a table that stands in a mail itself, not in a quote:
-- lines that could not be read, numbers that contradict each other.
CREATE TABLE measure_problem (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL, -- over all tables of the mail
	code TEXT NOT NULL,   -- of the finding; 'not-read'
	text TEXT NOT NULL,
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

-- Raw values of single runs: struct table_samples.
CREATE TABLE sample (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	metric TEXT NOT NULL,
	label TEXT,
	line INTEGER NOT NULL,
	depth INTEGER NOT NULL,
	vals TEXT NOT NULL, -- by blanks
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

-- What people say of a fix: struct verdict_word.
CREATE TABLE word (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	kind INTEGER NOT NULL, -- enum verdict_word_kind
	line INTEGER NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

-- Lines meant for a tracker: struct command. What became of them follows from
-- all of them together (db/track.c) and is stored nowhere.
CREATE TABLE command (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	marker TEXT NOT NULL,
	verb TEXT NOT NULL,
	written TEXT NOT NULL,
	args TEXT NOT NULL,
	line INTEGER NOT NULL,
	block INTEGER NOT NULL,
	status INTEGER NOT NULL, -- enum command_status
	problem TEXT,
	parent INTEGER NOT NULL, -- "^"
	root INTEGER NOT NULL,   -- "/"
	target TEXT,             -- URL
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;

-- What became of a patch, as somebody says: struct applied.
CREATE TABLE applied (
	node INTEGER PRIMARY KEY, -- the mail that says it
	kind INTEGER NOT NULL,    -- enum applied_kind
	tree TEXT,
	branch TEXT,
	commits TEXT,             -- hex, by newline
	text TEXT NOT NULL,
	line INTEGER NOT NULL,
	partial INTEGER NOT NULL,
	robot INTEGER NOT NULL
) STRICT;

-- The patches that it lists.
CREATE TABLE applied_item (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	number INTEGER, -- of "[2/5]"
	total INTEGER,
	title TEXT,
	commit_id TEXT, -- hex
	mid TEXT,       -- of the patch
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX applied_item_mid ON applied_item (mid) WHERE mid IS NOT NULL;

-- The commits that it names, those of the list, too.
CREATE TABLE applied_commit (
	node INTEGER NOT NULL,
	id TEXT NOT NULL, -- hex
	PRIMARY KEY (node, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX applied_commit_id ON applied_commit (substr(id, 1, 7));

-- What is odd about a message: struct warning.
CREATE TABLE warning (
	node INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	code TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
