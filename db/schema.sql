-- schema.sql - the truth: what can't be derived again
--
-- What follows from the raw mail alone is in derived.sql. Times are seconds
-- since 1970 in UTC. NULL is "unknown", never 0 or "".

-- Single values. 'generation': grows with each rebuild (ids before it mean
-- nothing after it); 'rebuilding': present while a rebuild is not complete.
CREATE TABLE meta (
	key TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Names of mailing lists as given, configured or found in List-Id.
CREATE TABLE list (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	rank INTEGER NOT NULL -- preference of a copy seen there: 0 best ... 3
) STRICT;

-- Where mail came from.
CREATE TABLE source (
	id INTEGER PRIMARY KEY,
	kind TEXT NOT NULL,  -- git mbox file maildir mh stdin ...
	place TEXT NOT NULL, -- absolute path or URL
	list INTEGER REFERENCES list, -- the list it carries, if given
	cursor TEXT,         -- opaque position of its reader
	UNIQUE (kind, place)
) STRICT;

-- Each distinct byte string once. The columns below the comment are derived:
-- they say which message it is and whether it is the primary copy of its id.
CREATE TABLE raw (
	id INTEGER PRIMARY KEY, -- order of arrival
	oid BLOB NOT NULL UNIQUE, -- git blob id, 20 bytes
	size INTEGER NOT NULL,
	spooled INTEGER NOT NULL, -- 1: its bytes are in the spool; 0: in git
	received INTEGER, -- when a transport got it: the earliest known; of a
			  -- mail dated ahead at least when it was imported
	-- derived:
	node INTEGER,     -- the message it is; NULL: not derived (yet)
	spare INTEGER NOT NULL DEFAULT 0, -- 0 primary copy of its id, 1 other
	rank INTEGER NOT NULL DEFAULT 3,  -- best list.rank of its locations
	date INTEGER,     -- its date as message_date() has it
	list INTEGER REFERENCES list, -- its first List-Id
	hash BLOB,        -- content hash; only where an id has several raws
	loose BLOB        -- loose hash; equal: the same mail seen again
) STRICT;
CREATE INDEX raw_spare ON raw (node, loose) WHERE spare = 1;

-- Who has these bytes, and the list given for them there. The lists of a
-- message are those given, and raw.list of its copies.
CREATE TABLE location (
	raw INTEGER NOT NULL REFERENCES raw,
	source INTEGER NOT NULL REFERENCES source,
	list INTEGER NOT NULL, -- of `list`; 0: not given, raw.list says it
	PRIMARY KEY (raw, source, list)
) STRICT, WITHOUT ROWID;
CREATE INDEX location_source ON location (source);

-- What could not be taken in at all (a damaged file, an unreadable blob).
CREATE TABLE problem (
	kind TEXT NOT NULL,  -- message source ... (contract 4c)
	place TEXT NOT NULL,
	code TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (kind, place, code, text)
) STRICT, WITHOUT ROWID;
