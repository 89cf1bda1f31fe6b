-- spool.sql - raw mail whose bytes no git archive holds: truth
--
-- A file of its own, so that the state stays small. A row is committed before
-- the state that refers to it; one that nothing refers to is harmless.
CREATE TABLE blob (
	oid BLOB PRIMARY KEY,  -- git blob id, 20 bytes
	size INTEGER NOT NULL, -- of the bytes, unpacked
	data BLOB NOT NULL     -- zstd
) STRICT;
