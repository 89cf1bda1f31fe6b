-- outbox.sql - truth: mail of our own, from its draft until it is settled
--
-- Times are seconds since 1970 in UTC. NULL is "not (yet)".

CREATE TABLE IF NOT EXISTS outbox (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- in envelope senders: never again
	mid TEXT UNIQUE,         -- without <>; made once
	state INTEGER NOT NULL,  -- enum outbox_state
	why TEXT NOT NULL,       -- of that state
	kind INTEGER NOT NULL,   -- enum outbox_kind
	rule TEXT NOT NULL,
	parent TEXT,             -- Message-ID it answers
	item TEXT,
	author TEXT,             -- who asked, lower-case
	public INTEGER NOT NULL,
	created INTEGER NOT NULL,
	approved INTEGER,
	due INTEGER,             -- not before
	released INTEGER,        -- claimed the first time: its Date
	started INTEGER,         -- claimed the last time
	attempts INTEGER NOT NULL DEFAULT 0,
	unsure INTEGER NOT NULL DEFAULT 0, -- how often it was uncertain
	seven_bit INTEGER,       -- how it went out the first time
	heard INTEGER,           -- mails of its thread when it was approved
	digest BLOB NOT NULL,    -- of text and recipients, without ids and dates
	hash TEXT,               -- of what was approved
	approved_text TEXT,      -- that
	from_name TEXT NOT NULL,
	from_address TEXT NOT NULL,
	subject TEXT NOT NULL,
	in_reply_to TEXT,
	refs TEXT NOT NULL,      -- a line each
	extra TEXT NOT NULL,     -- a line each
	body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_state ON outbox (state, due);
CREATE INDEX IF NOT EXISTS outbox_parent ON outbox (parent);
CREATE INDEX IF NOT EXISTS outbox_author ON outbox (author, created);
CREATE INDEX IF NOT EXISTS outbox_digest ON outbox (digest, created);
CREATE INDEX IF NOT EXISTS outbox_released ON outbox (released);

CREATE TABLE IF NOT EXISTS outbox_rcpt (
	outbox INTEGER NOT NULL REFERENCES outbox,
	number INTEGER NOT NULL, -- from 1
	cc INTEGER NOT NULL,
	name TEXT NOT NULL,
	address TEXT NOT NULL,
	is_list INTEGER NOT NULL,
	is_new INTEGER NOT NULL, -- the parent did not go to it
	told INTEGER NOT NULL,   -- enum outbox_told
	code INTEGER NOT NULL DEFAULT 0,
	text TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (outbox, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outbox_rcpt_address
	ON outbox_rcpt (address COLLATE NOCASE);

-- What happened to each, and who did it.
CREATE TABLE IF NOT EXISTS outbox_log (
	outbox INTEGER NOT NULL REFERENCES outbox,
	seq INTEGER NOT NULL,
	time INTEGER NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (outbox, seq)
) STRICT, WITHOUT ROWID;

-- Addresses that our mail came back from.
CREATE TABLE IF NOT EXISTS outbox_bounce (
	address TEXT PRIMARY KEY, -- lower-case
	first INTEGER NOT NULL,   -- of the hard ones
	last INTEGER NOT NULL,
	hard INTEGER NOT NULL,
	disabled INTEGER          -- since when; NULL: it is written to
) STRICT, WITHOUT ROWID;

-- Loops that were noticed.
CREATE TABLE IF NOT EXISTS outbox_loop (
	id INTEGER PRIMARY KEY,
	time INTEGER NOT NULL,
	mid TEXT,
	why TEXT NOT NULL
) STRICT;

-- One row while nothing may be sent.
CREATE TABLE IF NOT EXISTS outbox_stop (
	one INTEGER PRIMARY KEY CHECK (one = 1),
	time INTEGER NOT NULL,
	why TEXT NOT NULL
) STRICT;
