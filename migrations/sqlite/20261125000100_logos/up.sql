-- Logos that a company uploaded; its settings name the one it shows. The file is the last column, so that whoever looks
-- for a logo does not read it.
CREATE TABLE company_logos (
    id TEXT NOT NULL PRIMARY KEY,
    added_by TEXT NOT NULL REFERENCES accounts (id),
    added_at TEXT NOT NULL,
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 640),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 240),
    bytes INTEGER NOT NULL CHECK (bytes BETWEEN 1 AND 1048576),
    png BLOB NOT NULL CHECK (length(png) = bytes)
) STRICT;
CREATE INDEX company_logos_added_by ON company_logos (added_by);
