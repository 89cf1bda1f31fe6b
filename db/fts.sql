-- fts.sql - full text of messages: derived, thrown away when in doubt
--
-- `text` has no content of its own (contentless): a document can't be taken
-- out of it, so `doc` says which of its rows still stand for a message.

-- 'generation' and 'seen': the state's generation and the last row of its
-- table `change` that is followed here.
CREATE TABLE meta (
	key TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE doc (
	id INTEGER PRIMARY KEY, -- rowid of `text`: order of arrival
	node INTEGER NOT NULL UNIQUE -- the state's node
) STRICT;

CREATE VIRTUAL TABLE text USING fts5 (
	subject, sender, addressee, cc, own, quoted, diff, file, trailer,
	content = '', columnsize = 0, tokenize = "unicode61 tokenchars '_'"
);

-- Kept in the file: words collected in memory until they are written, and how
-- many segments of the index are merged at a time.
INSERT INTO text (text, rank) VALUES ('hashsize', 8388608);
INSERT INTO text (text, rank) VALUES ('automerge', 8);
