-- Logos that a company uploaded; its settings name the one it shows. The file is the last column, so that whoever looks
-- for a logo does not read it.
CREATE TABLE company_logos (
    id UUID NOT NULL PRIMARY KEY,
    added_by UUID NOT NULL REFERENCES accounts (id),
    added_at TIMESTAMPTZ NOT NULL,
    width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 640),
    height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 240),
    bytes INTEGER NOT NULL CHECK (bytes BETWEEN 1 AND 1048576),
    png BYTEA NOT NULL,
    CONSTRAINT company_logos_file CHECK (octet_length(png) = bytes)
);
-- A PNG does not become smaller by packing it once more.
ALTER TABLE company_logos ALTER COLUMN png SET STORAGE EXTERNAL;
CREATE INDEX company_logos_added_by ON company_logos (added_by);
