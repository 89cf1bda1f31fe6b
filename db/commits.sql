-- commits.sql - truth, too: what was fetched from git trees
--
-- A tree may lose commits (rebased, gone), so what was once seen in it can't
-- be derived again. Times are seconds since 1970 in UTC. NULL is "unknown".

-- [tree NAME] of the settings.
CREATE TABLE IF NOT EXISTS git_tree (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	place TEXT NOT NULL,     -- path or URL
	role INTEGER NOT NULL,   -- enum tree_role
	rank INTEGER NOT NULL,   -- "order"
	weburl TEXT,
	since INTEGER,           -- older commits were not taken
	looked INTEGER,          -- last sync that could read it; NULL: none
	configured INTEGER NOT NULL -- 0: was once
) STRICT;

CREATE TABLE IF NOT EXISTS git_branch (
	id INTEGER PRIMARY KEY,
	tree INTEGER NOT NULL REFERENCES git_tree,
	name TEXT NOT NULL,      -- without refs/heads/
	head BLOB,               -- NULL: the branch is gone
	UNIQUE (tree, name)
) STRICT;

CREATE TABLE IF NOT EXISTS git_person (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL,
	address TEXT NOT NULL, -- as written
	UNIQUE (address, name)
) STRICT;

-- Who brought commits into a tree.
CREATE TABLE IF NOT EXISTS git_committer (
	person INTEGER PRIMARY KEY REFERENCES git_person
) STRICT;

CREATE TABLE IF NOT EXISTS git_commit (
	id INTEGER PRIMARY KEY,
	oid BLOB NOT NULL UNIQUE, -- 20 bytes
	subject TEXT NOT NULL,
	title_key TEXT NOT NULL,  -- subject_key() of it
	author INTEGER NOT NULL REFERENCES git_person,
	author_date INTEGER NOT NULL,
	commit_date INTEGER NOT NULL,
	parents INTEGER NOT NULL,
	trailers TEXT,            -- "Key: value" lines
	compared INTEGER NOT NULL DEFAULT 0, -- 1: the next three are final
	patch_id BLOB,            -- git's stable one
	blobs BLOB,               -- as patch.blobs
	files INTEGER             -- how many it changes
) STRICT;
CREATE INDEX IF NOT EXISTS git_commit_title ON git_commit (title_key);
CREATE INDEX IF NOT EXISTS git_commit_date ON git_commit (commit_date);
CREATE INDEX IF NOT EXISTS git_commit_author_date ON git_commit (author_date);
CREATE INDEX IF NOT EXISTS git_commit_patch_id ON git_commit (patch_id)
	WHERE patch_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS git_commit_blobs ON git_commit (blobs)
	WHERE blobs IS NOT NULL;
CREATE INDEX IF NOT EXISTS git_commit_compared ON git_commit (commit_date)
	WHERE compared = 0;

CREATE TABLE IF NOT EXISTS git_path (
	id INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE IF NOT EXISTS git_file (
	git_commit INTEGER NOT NULL REFERENCES git_commit,
	path INTEGER NOT NULL REFERENCES git_path,
	PRIMARY KEY (git_commit, path)
) STRICT, WITHOUT ROWID;

-- What its message says of mail and of other commits.
CREATE TABLE IF NOT EXISTS git_saying (
	git_commit INTEGER NOT NULL REFERENCES git_commit,
	seq INTEGER NOT NULL,
	says INTEGER NOT NULL, -- enum commit_says
	id TEXT,               -- lower-case hex, 7 digits or more
	subject TEXT,          -- ("title") behind it
	title_key TEXT,        -- subject_key() of that
	mid TEXT,              -- the Message-ID inside an archive URL
	url TEXT,
	PRIMARY KEY (git_commit, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS git_saying_id ON git_saying (substr(id, 1, 7))
	WHERE id IS NOT NULL;
CREATE INDEX IF NOT EXISTS git_saying_title ON git_saying (title_key)
	WHERE title_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS git_saying_mid ON git_saying (mid COLLATE NOCASE)
	WHERE mid IS NOT NULL;
CREATE INDEX IF NOT EXISTS git_saying_url ON git_saying (url)
	WHERE url IS NOT NULL AND mid IS NULL;

-- What the branches of a tree contain, each with all of its ancestors.
CREATE TABLE IF NOT EXISTS git_presence (
	git_commit INTEGER NOT NULL REFERENCES git_commit,
	branch INTEGER NOT NULL REFERENCES git_branch,
	merged INTEGER NOT NULL, -- date of the first-parent commit that brought it
	gone INTEGER,            -- a sync at that time found it gone
	PRIMARY KEY (git_commit, branch)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS git_presence_branch ON git_presence (branch)
	WHERE gone IS NULL;

CREATE TABLE IF NOT EXISTS git_tag (
	id INTEGER PRIMARY KEY,
	tree INTEGER NOT NULL REFERENCES git_tree,
	name TEXT NOT NULL,
	oid BLOB NOT NULL,        -- of the commit
	date INTEGER NOT NULL,
	spread INTEGER NOT NULL DEFAULT 0, -- 1: git_tagged knows it
	UNIQUE (tree, name)
) STRICT;
CREATE INDEX IF NOT EXISTS git_tag_name ON git_tag (name);

-- The first tag of a tree that contains a commit.
CREATE TABLE IF NOT EXISTS git_tagged (
	git_commit INTEGER NOT NULL REFERENCES git_commit,
	tree INTEGER NOT NULL REFERENCES git_tree,
	tag INTEGER NOT NULL REFERENCES git_tag,
	PRIMARY KEY (git_commit, tree)
) STRICT, WITHOUT ROWID;

-- MAINTAINERS and .mailmap at the head of the first branch; "MAINTAINERS/":
-- which of the names in it are directories, one a line.
CREATE TABLE IF NOT EXISTS git_text (
	tree INTEGER NOT NULL REFERENCES git_tree,
	path TEXT NOT NULL,
	oid BLOB NOT NULL,
	text BLOB NOT NULL, -- bytes as they are
	PRIMARY KEY (tree, path)
) STRICT, WITHOUT ROWID;
